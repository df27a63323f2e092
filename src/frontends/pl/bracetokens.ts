// Cuts Perl and JavaScript text into tokens, as far as PL/Perl and PL/v8 bodies need; strings come with their values.
import { type Part, type Token, value } from './host.ts';

export type Dialect = 'perl' | 'javascript';

interface Cut {
  text: string;
  dialect: Dialect;
  out: Token[];
  /** Perl's here-documents that start after this line: where their words stand in `out`. */
  waiting: { token: Token; word: string; raw: boolean; indented: boolean }[];
  first: boolean;
}

export function tokens(text: string, dialect: Dialect): Token[] {
  const c: Cut = { text, dialect, out: [], waiting: [], first: true };
  for (let i = 0; i < text.length; ) {
    const ch = text[i]!;
    if (ch === '\n') {
      c.first = true;
      i = c.waiting.length > 0 ? hereDocuments(c, i + 1) : i + 1;
    } else if (ch <= ' ') i++;
    else {
      const comment = commentEnd(c, i);
      if (comment > i) i = comment;
      else {
        const token = next(c, i);
        token.first = c.first;
        c.first = false;
        c.out.push(token);
        i = Math.max(token.end, i + 1);
      }
    }
  }
  return c.out;
}

function commentEnd(c: Cut, i: number): number {
  const { text, dialect } = c;
  const to = (at: number, length = 0) => (at < 0 ? text.length : at + length);
  if (dialect === 'perl') {
    if (text[i] === '#') return to(text.indexOf('\n', i));
    if (c.first && text[i] === '=' && /[a-z]/.test(text[i + 1] ?? ''))
      return to(text.indexOf('\n=cut', i), 5);
    return i;
  }
  if (text.startsWith('//', i)) return to(text.indexOf('\n', i));
  return text.startsWith('/*', i) ? to(text.indexOf('*/', i + 2), 2) : i;
}

/** Made for the first body: V8 reads what Unicode calls letters when it meets such a pattern. */
let letters: RegExp | undefined;
const scriptWord = () => {
  letters ??= /[\p{L}_$][\p{L}\p{N}_$]*/uy;
  return letters;
};
const PERL_WORD = /[$@&]#?(?:\w|::)+|\$[@_!&0/\\,;.]|[A-Za-z_](?:\w|::(?=\w))*/y;
const NUMBER = /\d[\w.]*/y;

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const token = (kind: Token['kind'], text: string, start: number, end: number): Token => ({
  kind,
  text,
  start,
  end,
  first: false,
});

function next(c: Cut, start: number): Token {
  const { text, dialect } = c;
  const ch = text[start]!;
  if (ch === "'" || ch === '"' || ch === '`') return string(c, start, start + 1, ch, ch !== "'");
  if (dialect === 'perl' && ch === '<') {
    const here = hereWord(c, start);
    if (here) return here;
  }
  if (ch === '/' && startsRegex(c)) return regex(c, start, start + 1, '/');
  const word = match(dialect === 'perl' ? PERL_WORD : scriptWord(), text, start);
  if (word)
    return (dialect === 'perl' && quoted(c, start, word)) || token('word', word, start, start + word.length);
  const number = match(NUMBER, text, start);
  if (number) {
    // Perl's 1..10 is a range.
    const cut = number.indexOf('..');
    const own = cut < 0 ? number : number.slice(0, cut);
    return token('number', own, start, start + own.length);
  }
  if (text.startsWith('=>', start)) return token('mark', '=>', start, start + 2);
  if (text.startsWith('->', start)) return token('mark', '->', start, start + 2);
  return token('mark', ch, start, start + 1);
}

/** A slash divides after a value, and starts a pattern elsewhere. */
function startsRegex(c: Cut): boolean {
  const before = c.out[c.out.length - 1];
  if (!before) return true;
  if (before.kind === 'mark') return !')]}'.includes(before.text);
  return (
    before.kind === 'word' && /^(?:return|typeof|split|grep|and|or|not|if|unless|case)$/.test(before.text)
  );
}

const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** One past the closing delimiter's start; those that pair nest. */
function closing(text: string, from: number, open: string, limit = text.length): number {
  const close = PAIRS[open] ?? open;
  let depth = 1;
  for (let i = from; i < limit; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === close && --depth === 0) return i;
    else if (text[i] === open && close !== open) depth++;
  }
  return limit;
}

function regex(c: Cut, start: number, from: number, open: string): Token {
  const { text } = c;
  // A pattern in slashes ends on its line, and soon; else it was a division after all.
  const limit = open === '/' ? Math.min(text.length, from + 500) : text.length;
  const close = closing(text, from, open, limit);
  if (open === '/' && (text[close] !== '/' || text.slice(from, close).includes('\n')))
    return token('mark', '/', start, start + 1);
  let end = close + 1;
  while (end < text.length && /[a-z]/.test(text[end]!)) end++;
  return token('mark', 'pattern', start, Math.min(end, text.length));
}

/** q{…} qq{…} qw(…) m{…} qr/…/ s/…/…/ tr/…/…/ */
function quoted(c: Cut, start: number, word: string): Token | null {
  if (!/^(?:q|qq|qw|m|qr|s|tr|y)$/.test(word)) return null;
  const { text } = c;
  const before = c.out[c.out.length - 1]?.text;
  if (before === '->' || (before === '{' && text[start + word.length] === '}')) return null;
  let open = start + word.length;
  while (text[open] === ' ' && open < start + word.length + 3) open++;
  const delimiter = text[open];
  if (!delimiter || /[\w\s,;)=]/.test(delimiter)) return null;
  if (word === 'q' || word === 'qq' || word === 'qw')
    return string(c, start, open + 1, delimiter, word === 'qq');
  if (word === 'm' || word === 'qr') return regex(c, start, open + 1, delimiter);
  let end = closing(text, open + 1, delimiter);
  if (PAIRS[delimiter]) {
    const second = text.slice(end + 1, end + 20).search(/\S/);
    end = second < 0 ? end : closing(text, end + 2 + second, text[end + 1 + second]!);
  } else end = closing(text, end + 1, delimiter);
  while (end + 1 < text.length && /[a-z]/.test(text[end + 1]!)) end++;
  return token('mark', 'pattern', start, Math.min(end + 1, text.length));
}

function string(c: Cut, start: number, from: number, open: string, interpolates: boolean): Token {
  const close = closing(c.text, from, open);
  const end = Math.min(close + 1, c.text.length);
  const own = token('string', c.text.slice(start, end), start, end);
  own.parts = parts(c, from, close, interpolates);
  return own;
}

function parts(c: Cut, from: number, to: number, interpolates: boolean): Part[] {
  const holes = !interpolates
    ? undefined
    : c.dialect === 'perl'
      ? perlHole
      : c.text[from - 1] === '`'
        ? scriptHole
        : undefined;
  return value(c.text, from, to, { escapes: true, ...(holes && { interpolate: holes }) });
}

/** `$x`, `${x}`, `$x->{y}[0]`, `@{[ … ]}`. */
const PERL_HOLE =
  /[$@](?:\w+(?:::\w+)*|\{[^{}]{0,200}\})(?:(?:->)?(?:\[[^\][\n]{0,200}\]|\{[^{}\n]{0,200}\})){0,9}/y;
const perlHole = (text: string, i: number, to: number) => {
  if (text[i] !== '$' && text[i] !== '@') return i;
  if (/^\$\d/.test(text.slice(i, i + 2))) return i; // a parameter, written \$1 where Perl would read it
  const found = match(PERL_HOLE, text, i);
  return found ? Math.min(i + found.length, to) : i;
};
const scriptHole = (text: string, i: number, to: number) => {
  if (text[i] !== '$' || text[i + 1] !== '{') return i;
  const close = closing(text, i + 2, '{', to);
  return close < to ? close + 1 : i;
};

/** `<<"SQL"`, `<<'SQL'`, `<<SQL`, `<<~SQL`: the text starts on the next line. */
/** A word in quotes may have spaces in it: those before the one that ends the text. */
const HERE = /<<(~?)(?:"([^"\n]+)"|'([^'\n]+)'|(\w+))/y;

function hereWord(c: Cut, start: number): Token | null {
  HERE.lastIndex = start;
  const [found, tilde, a, b, d] = HERE.exec(c.text) ?? [];
  if (!found || /^\d/.test(d ?? '')) return null;
  const own = token('string', found, start, start + found.length);
  own.parts = [];
  c.waiting.push({ token: own, word: (a ?? b ?? d)!, raw: b !== undefined, indented: tilde === '~' });
  return own;
}

function hereDocuments(c: Cut, from: number): number {
  let i = from;
  for (const { token: own, word, raw, indented } of c.waiting.splice(0)) {
    const end = new RegExp(`^${indented ? '[ \\t]*' : ''}${word.replace(/[^\w\s]/g, '\\$&')}$`, 'm');
    const rest = c.text.slice(i);
    const found = end.exec(rest);
    const close = found ? i + found.index : c.text.length;
    own.parts = parts(c, i, close, !raw);
    i = Math.min(close + (found?.[0].length ?? 0), c.text.length);
  }
  return i;
}

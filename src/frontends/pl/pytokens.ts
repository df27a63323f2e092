// Cuts Python text into tokens, as far as PL/Python bodies need; strings come with their values.
import { type Token, value } from './host.ts';

/** Made for the first body: V8 reads what Unicode calls letters when it meets such a pattern. */
let letters: RegExp | undefined;
const NUMBER = /\d[\w.]*/y;
const PREFIX = /^(?:[rbuf]|br|rb|fr|rf)$/i;

export function tokens(text: string): Token[] {
  const out: Token[] = [];
  let first = true;
  for (let i = 0; i < text.length; ) {
    const c = text[i]!;
    if (c === '\n' || c === '\r') {
      first = true;
      i++;
    } else if (c === ' ' || c === '\t' || c === '\f') i++;
    else if (c === '#') {
      while (i < text.length && text[i] !== '\n') i++;
    } else {
      const token = next(text, i, first);
      out.push(token);
      first = false;
      i = token.end;
    }
  }
  return out;
}

function next(text: string, start: number, first: boolean): Token {
  const c = text[start]!;
  if (c === '"' || c === "'") return string(text, start, start, '', first);
  letters ??= /[\p{L}_][\p{L}\p{N}_]*/uy;
  letters.lastIndex = start;
  const word = letters.exec(text)?.[0];
  if (word) {
    const quote = text[start + word.length];
    if ((quote === '"' || quote === "'") && PREFIX.test(word))
      return string(text, start, start + word.length, word.toLowerCase(), first);
    return { kind: 'word', text: word, start, end: start + word.length, first };
  }
  NUMBER.lastIndex = start;
  const number = NUMBER.exec(text)?.[0];
  if (number) return { kind: 'number', text: number, start, end: start + number.length, first };
  return { kind: 'mark', text: c, start, end: start + 1, first };
}

function string(text: string, start: number, quote: number, prefix: string, first: boolean): Token {
  const q = text[quote]!;
  const triple = text.startsWith(q.repeat(3), quote);
  const close = triple ? q.repeat(3) : q;
  let i = quote + close.length;
  while (i < text.length && !text.startsWith(close, i) && (triple || text[i] !== '\n'))
    i += text[i] === '\\' ? 2 : 1;
  const inner = Math.min(i, text.length);
  const end = Math.min(inner + close.length, text.length);
  const interpolate = prefix.includes('f') ? braces : undefined;
  const parts = value(text, quote + close.length, inner, {
    escapes: !prefix.includes('r'),
    ...(interpolate && { interpolate }),
  });
  return { kind: 'string', text: text.slice(start, end), start, end, parts, first };
}

/** `{expression}` in an f-string; `{{` is a brace. */
function braces(text: string, i: number, to: number): number {
  if (text[i] !== '{' || text[i + 1] === '{') return i;
  const close = text.slice(i, Math.min(i + 500, to)).indexOf('}');
  return close < 0 ? i : i + close + 1;
}

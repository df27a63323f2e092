// Cuts a script into statements and psql commands, as psql does; knows where they end and not what they mean.
import { HOLE, next as lex, retold, skipBlank, type Token } from './lexer.ts';
import { CLOSES, OPENS, SPLITS } from './sorts.ts';

export type Piece =
  | {
      kind: 'statement';
      tokens: Token[] /** Ended by `;`, and not by the end of the text. */;
      ended: boolean;
    }
  /** A backslash command, and the statement that stood open when it came (for \gexec and its like). */
  | { kind: 'meta'; token: Token; name: string; query: Token[] }
  | { kind: 'problem'; start: number; end: number; message: string };

export interface SplitOptions {
  /** Backslash commands, :variables and COPY data. */
  psql: boolean;
  from?: number;
  to?: number;
}

/** Backslash commands that send the statement before them. */
const SENDS = new Set([
  'g',
  'gx',
  'gexec',
  'gset',
  'gdesc',
  'crosstabview',
  'watch',
  'bind',
  'parse',
  'sendpipeline',
]);

export function* statements(
  text: string,
  { psql, from = 0, to = text.length }: SplitOptions,
): Generator<Piece> {
  let tokens: Token[] = [];
  let i = from;
  const open: Open = { depth: 0, seen: 0 };
  let atomic = 0;
  let recoveries = 0;
  for (;;) {
    let token = gather(text, i, to, psql, tokens);
    if (!token) break;
    if (token.kind === 'unterminated') {
      const recovered = recover(text, token, tokens, recoveries++);
      if (recovered) {
        if (recovered.word) token = recovered.word;
        else {
          yield {
            kind: 'problem',
            start: token.start,
            end: token.start + 1,
            message: 'a quote that has no end',
          };
          tokens.push({ ...token, end: recovered.end });
          yield { kind: 'statement', tokens, ended: true };
          tokens = [];
          open.depth = open.seen = atomic = 0;
          i = recovered.end;
          continue;
        }
      } else
        yield {
          kind: 'problem',
          start: token.start,
          end: token.start + 1,
          message: 'a quote that has no end',
        };
    }
    i = token.end;
    if (token.kind === 'meta') {
      const said = /^\\([a-zA-Z_]+|.)?/.exec(token.text)![1] ?? '';
      const name = /^copy$/i.test(said) ? 'copy' : said; // the only one that psql takes in any case
      if (name === ';') {
        if (tokens.length > 0) yield { kind: 'statement', tokens, ended: true };
        tokens = [];
        open.seen = 0;
      } else {
        yield { kind: 'meta', token, name, query: SENDS.has(name) ? tokens : [] };
        if (SENDS.has(name) || name === 'r' || name === 'reset') {
          tokens = [];
          open.depth = open.seen = atomic = 0;
        }
        if (name === 'copy' && /\bfrom\s+(?:p?stdin)\b/i.test(token.text))
          i = pastCopyData(text, i, to) ?? to;
      }
      continue;
    }
    if (
      token.end - token.start <= 2 &&
      tokens.length > 0 &&
      DELIMITERS.has(token.text) &&
      isAlone(text, token) &&
      depthOf(tokens, open) <= 0
    ) {
      yield { kind: 'statement', tokens, ended: true };
      tokens = [];
      open.seen = 0;
      continue;
    }
    if (token.kind === 'punctuation') {
      if (atomic === 0 && !(isRule(tokens) && depthOf(tokens, open) > 0)) {
        if (tokens.length > 0) {
          yield { kind: 'statement', tokens, ended: true };
          // Flyway reads its data too.
          if (isCopyFromStdin(tokens)) i = pastCopyData(text, i, to) ?? (psql ? to : i);
        }
        tokens = [];
        open.depth = open.seen = 0;
        continue;
      }
    } else if (token.kind === 'word' && (atomic > 0 || token.text === 'atomic') && depthOf(tokens, open) <= 0)
      atomic = bodyDepth(token.text, tokens, atomic);
    tokens.push(token);
  }
  if (tokens.length > 0) yield { kind: 'statement', tokens, ended: false };
}

/** Adds tokens to these up to one that may end something; gives that one, or null at the end. */
function gather(text: string, from: number, to: number, psql: boolean, into: Token[]): Token | null {
  for (let i = skipBlank(text, from, to); i < to; ) {
    const token = lex(text, i, to, psql);
    if ((token.sorts & SPLITS) !== 0) return token;
    into.push(token);
    i = skipBlank(text, token.end, to);
  }
  return null;
}

/** How many brackets are open after so many tokens: few statements need to know. */
interface Open {
  depth: number;
  seen: number;
}

function depthOf(tokens: Token[], open: Open): number {
  for (; open.seen < tokens.length; open.seen++) {
    const { sorts, text } = tokens[open.seen]!;
    if ((sorts & OPENS) !== 0 && text === '(') open.depth++;
    else if ((sorts & CLOSES) !== 0 && text === ')') open.depth--;
  }
  return open.depth;
}

/** What other tools end statements with, alone on a line. */
const DELIMITERS = new Set(['/', '//', '@', '@@', '^', 'go']);

function isAlone(text: string, { start, end }: Token): boolean {
  let i = start - 1;
  while (text[i] === ' ' || text[i] === '\t') i--;
  if (i >= 0 && text[i] !== '\n' && text[i] !== '\r') return false;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return end >= text.length || text[end] === '\n' || text[end] === '\r';
}

/** BEGIN ATOMIC … END of a SQL-language body, with CASE … END inside. */
function bodyDepth(text: string, tokens: Token[], atomic: number): number {
  if (atomic > 0) {
    if (text === 'case') return atomic + 1;
    return text === 'end' ? atomic - 1 : atomic;
  }
  return text === 'atomic' && tokens[tokens.length - 1]?.text === 'begin' && tokens[0]?.text === 'create'
    ? 1
    : 0;
}

/** Only CREATE RULE has semicolons in brackets. */
function isRule(tokens: Token[]): boolean {
  return tokens[0]?.text === 'create' && tokens.slice(1, 4).some((token) => token.text === 'rule');
}

function isCopyFromStdin(tokens: Token[]): boolean {
  if (tokens[0]?.text !== 'copy') return false;
  return tokens.some((token, k) => token.text === 'from' && tokens[k + 1]?.text === 'stdin');
}

/** Past the line `\.`, if there is one: without it, psql takes the rest for data. */
function pastCopyData(text: string, i: number, to: number): number | null {
  let line = text.indexOf('\n', i);
  if (line < 0) return null;
  // COPY … FROM stdin; immediately followed by \. on the next line has no data.
  for (;;) {
    const found = text.indexOf('\\.', line + 1);
    if (found < 0 || found >= to) return null;
    const after = text.charCodeAt(found + 2);
    if (text[found - 1] === '\n' && (Number.isNaN(after) || after === 10 || after === 13)) return found + 2;
    line = found;
  }
}

/** More rows than that are many, however many they are. */
const COUNTED = 1000;

/** How many rows stand after a COPY … FROM stdin that ends here; null where no data follow, and for very many. */
export function copiedRows(text: string, end: number): number | null {
  const next = skipBlank(text, end, text.length);
  let line = text.indexOf('\n', text[next] === ';' ? next : end);
  if (line < 0) return null;
  for (let rows = 0; rows <= COUNTED; rows++) {
    if (text[line + 1] === '\\' && text[line + 2] === '.') return rows;
    line = text.indexOf('\n', line + 1);
    if (line < 0) return null;
  }
  return null;
}

const RECOVERIES = 20;

/**
 * Text that breaks off in a quote costs one statement: reading goes on after the next line that ends with `;`. A
 * `$name$` without a partner is a macro, unless it opens a body.
 */
function recover(
  text: string,
  token: Token,
  before: Token[],
  count: number,
): { word?: Token; end: number } | null {
  if (count >= RECOVERIES) return null;
  const first = text[token.start];
  if (first === '$') {
    const previous = before[before.length - 1]?.text;
    if (previous === 'as' || previous === 'do' || !token.inner) return null;
    const end = token.inner.start;
    if (end - token.start <= 2) return null;
    return { word: retold({ ...token, end }, HOLE), end };
  }
  if (first === '/') return null;
  const line = /;[ \t]*(?:--[^\r\n]*)?\r?\n/g;
  line.lastIndex = token.start;
  const found = line.exec(text);
  return found && found.index < token.end ? { end: found.index + 1 } : null;
}

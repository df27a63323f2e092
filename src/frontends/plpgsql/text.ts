// Helps the PL/pgSQL parser with text: what is not PL/pgSQL, where lines start, the DECLARE section.
import { identifier, type Token } from '../sql/text/lexer.ts';
import type { Parser } from './parse.ts';
import type { Declaration, Range } from './tree.ts';

const DIRECTIVE =
  /^[ \t]*#[ \t]*(?:if|ifdef|ifndef|else|elif|endif|define|undef|include|error|pragma|variable_conflict|option|print_strict_params)\b/;

/**
 * Blanks what a preprocessor or a template engine takes away, and PL/pgSQL's own `#option` lines, so that every other
 * character keeps its place.
 */
export function mask(text: string): string {
  let out = text;
  if (out.includes('#')) {
    let goesOn = false;
    out = out.replace(/[^\n]+/g, (line) => {
      const gone = goesOn || DIRECTIVE.test(line);
      goesOn = gone && /\\\r?$/.test(line);
      return gone ? blank(line) : line;
    });
  }
  if (out.includes('{%')) out = cut(out, '{%', '%}');
  if (out.includes('{#')) out = cut(out, '{#', '#}');
  return out;
}

const blank = (text: string) => text.replace(/[^\r\n]/g, ' ');

/** Blanks from each opening to the next closing; an opening without one stays. */
function cut(text: string, opening: string, closing: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, done)) {
    const close = text.indexOf(closing, start + 2);
    if (close < 0) break;
    parts.push(text.slice(done, start), blank(text.slice(start, close + 2)));
    done = close + 2;
  }
  return parts.join('') + text.slice(done);
}

/** For each token whether it is the first of its line, and where in the line it stands. */
export function lines(text: string, tokens: Token[]): { first: Uint8Array; columns: Int32Array } {
  const first = new Uint8Array(tokens.length + 1);
  const columns = new Int32Array(tokens.length);
  const nextEnd = (from: number) => {
    const end = text.indexOf('\n', from);
    return end < 0 ? Number.POSITIVE_INFINITY : end;
  };
  let line = 0;
  let end = nextEnd(0);
  let before = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    first[i] = i === 0 ? 1 : 0;
    while (end < token.start) {
      if (end >= before) first[i] = 1;
      line = end + 1;
      end = nextEnd(line);
    }
    columns[i] = token.start - line;
    before = token.end;
  }
  return { first, columns };
}

const isWord = (token: Token | undefined, text: string) =>
  token?.kind === 'word' && !token.quoted && token.text === text;
const isMark = (token: Token | undefined, text: string) =>
  (token?.kind === 'punctuation' || token?.kind === 'operator') && token.text === text;

/** Reads declarations from here up to BEGIN; gives the index of BEGIN. */
export function declarations(p: Parser, from: number, out: Declaration[]): number {
  const { tokens } = p;
  let i = from;
  while (i < tokens.length && !isWord(tokens[i], 'begin')) {
    if (isMark(tokens[i], '<<')) return i; // a label: the block follows, and DECLARE came too early
    const to = declarationEnd(p, i);
    if (tokens[i]!.kind === 'word' && !isWord(tokens[i], 'declare')) {
      const one = declaration(tokens, i, to);
      if (one) out.push(one);
    }
    i = isWord(tokens[i], 'declare') ? i + 1 : isMark(tokens[to], ';') ? to + 1 : Math.max(to, i + 1);
  }
  return i;
}

/** Its semicolon, or a BEGIN on a line of its own where the semicolon is missing. */
function declarationEnd(p: Parser, from: number): number {
  const { tokens, first } = p;
  let i = from;
  for (; i < tokens.length && !isMark(tokens[i], ';'); i++) {
    if (i > from && isWord(tokens[i], 'begin') && first[i] && !isMark(tokens[i - 1], ',')) {
      const next = tokens[i + 1];
      if (!next || first[i + 1] || next.kind === 'word') return i;
    }
  }
  return i;
}

const TYPE_ENDS = new Set(['default', 'not', 'collate']);

function declaration(tokens: Token[], at: number, to: number): Declaration | null {
  const name = identifier(tokens[at]!);
  let i = at + 1;
  const none: Range = { from: at, to: at };
  if (isWord(tokens[i], 'alias')) return { name, type: none, constant: false };
  const scroll = isWord(tokens[i], 'no') ? i + 1 : i;
  if (isWord(tokens[scroll], 'scroll')) i = scroll + 1;
  if (isWord(tokens[i], 'cursor')) return cursor(tokens, name, i + 1, to);
  const constant = isWord(tokens[i], 'constant');
  if (constant) i++;
  const type: Range = { from: i, to: i };
  for (; i < to; i++) {
    const token = tokens[i]!;
    if (isMark(token, ':=') || isMark(token, '=')) break;
    if (i > type.from && token.kind === 'word' && !token.quoted && TYPE_ENDS.has(token.text)) break;
  }
  type.to = i;
  for (; i < to; i++)
    if (isMark(tokens[i], ':=') || isMark(tokens[i], '=') || isWord(tokens[i], 'default'))
      return { name, type, constant, initial: { from: i + 1, to } };
  return { name, type, constant };
}

/** After the word CURSOR: `(a int, b text) FOR SELECT …`, or IS. */
function cursor(tokens: Token[], name: string, from: number, to: number): Declaration {
  const parameters: string[] = [];
  let i = from;
  if (isMark(tokens[i], '(')) {
    let depth = 0;
    for (; i < to; i++) {
      if (isMark(tokens[i], '(')) depth++;
      else if (isMark(tokens[i], ')') && --depth === 0) break;
      const starts = (isMark(tokens[i], '(') || isMark(tokens[i], ',')) && depth === 1;
      if (starts && tokens[i + 1]?.kind === 'word') parameters.push(identifier(tokens[i + 1]!));
    }
    i++;
  }
  while (i < to && !isWord(tokens[i], 'for') && !isWord(tokens[i], 'is')) i++;
  const query: Range = { from: Math.min(i + 1, to), to };
  return { name, type: { from, to: from }, constant: false, cursor: { parameters, query } };
}

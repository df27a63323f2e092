// Literals with an inside as nodes: strings, symbols, words, regular expressions, heredocs, and the code that stands in them.
import { node } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { statements } from './parse.ts';
import type { Reader } from './reader.ts';
import { Kind } from './tokens.ts';

const NONE: Syntax[] = [];
const OPERATORS = '\\[\\](?:=(?!>))?|\\*\\*|[+\\-~!]@|<=>|===?|=~|![=~]?|<<|>>|<=|>=|[+\\-*\\/%<>&|^~`]';
/** The name of a method that is an operator. */
export const OPERATOR = new RegExp(OPERATORS, 'y');
const SYMBOL = new RegExp(
  `:(?:[^\\0-@[-^\`{-\\x7f][^\\0-/:-@[-^\`{-\\x7f]*(?:[?!](?!=(?![=>~]))|=(?![~>=]))?|@@?\\w+|\\$(?:-\\w|\\w+|\\S)|${OPERATORS})`,
  'y',
);
const ESCAPE = /\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}|u[\da-fA-F]{4}|u\{[\da-fA-F ]+\}|[\s\S])/y;
const CHARACTER =
  /\?(?:\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{1,2}|[0-7]{1,3}|[CM]-(?:\\(?:[CM]-\\?.|c.|.)|.)|c(?:\\(?:M-)?.|.)|.)|\S)/suy;
const SHORT = /#(?:@@?[^\W\d]\w*|\$(?:-\w|[!@&`'+~=/\\,;.<>*$?:"]|\w+))/y;
const HEREDOC = /<<([~-]?)(?:(["'`])([^\n]*?)\2|([^\0-/:-@[-^`{-\x7f]+))/y;

/** Where the pattern's match that begins here ends; -1: there is none. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** One string, or several side by side. */
export function strings(x: Reader): Syntax {
  return besides(x, quoted(x));
}

/** `"a" "b"`, `%(a) "b"`: what stands first, with those that follow. */
function besides(x: Reader, first: Syntax): Syntax {
  if (x.kind !== Kind.QUOTE) return first;
  const all = [first];
  while (x.is(Kind.QUOTE)) all.push(quoted(x));
  return x.close('chained_string', first.start, all);
}

function quoted(x: Reader): Syntax {
  const { start } = x;
  const quote = x.text.charCodeAt(start);
  return finish(x, 'string', start, content(x, start + 1, 0, quote, quote === 34));
}

export const backticked = (x: Reader): Syntax =>
  finish(x, 'subshell', x.start, content(x, x.start + 1, 0, 96, true));

export function regex(x: Reader): Syntax {
  const { start } = x;
  content(x, start + 1, 0, 47, true);
  return flagged(x, start);
}

function flagged(x: Reader, start: number): Syntax {
  let c = x.text.charCodeAt(x.at);
  while (c > 96 && c < 123) c = x.text.charCodeAt(++x.at);
  return finish(x, 'regex', start, NONE);
}

/** What was read up to `x.at` is a node; the next token is current. */
function finish(x: Reader, type: string, start: number, children: Syntax[]): Syntax {
  const end = x.at;
  x.end = end;
  x.next();
  return node(type, start, end, children);
}

/** `:a`, `:"a b"` */
export function symbol(x: Reader): Syntax {
  const { start, text } = x;
  const next = text.charCodeAt(start + 1);
  if (next === 34 || next === 39)
    return finish(x, 'delimited_symbol', start, content(x, start + 2, 0, next, next === 34));
  const end = matchEnd(SYMBOL, text, start);
  if (end < 0) x.fail();
  x.at = end;
  return finish(x, 'simple_symbol', start, NONE);
}

export const beginsSymbol = (x: Reader): boolean => {
  const next = x.text.charCodeAt(x.start + 1);
  return next === 34 || next === 39 || matchEnd(SYMBOL, x.text, x.start) > 0;
};

/** `?a` */
export function character(x: Reader): Syntax {
  const { start } = x;
  const end = matchEnd(CHARACTER, x.text, start);
  if (end < 0) x.fail();
  x.at = end;
  return finish(x, 'character', start, NONE);
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** `%w[…]` and its like. */
export function percent(x: Reader): Syntax {
  const { start, text } = x;
  let from = start + 1;
  let how = '';
  if (/[a-zA-Z]/.test(text[from]!)) how = text[from++]!;
  const opening = text[from]!;
  if (!/[^A-Za-z0-9\n\0\x80-\uffff]/.test(opening)) x.fail();
  const pair = CLOSING[opening];
  const open = pair ? opening.charCodeAt(0) : 0;
  const close = (pair ?? opening).charCodeAt(0);
  const all = (holes: boolean) => content(x, from + 1, open, close, holes);
  switch (how) {
    case '':
    case 'Q':
    case 'q':
      return besides(x, finish(x, 'string', start, all(how !== 'q')));
    case 'w':
    case 'W':
      return finish(x, 'string_array', start, words(x, from + 1, open, close, how === 'W', 'bare_string'));
    case 'i':
    case 'I':
      return finish(x, 'symbol_array', start, words(x, from + 1, open, close, how === 'I', 'bare_symbol'));
    case 'r':
      all(true);
      return flagged(x, start);
    case 's':
      return finish(x, 'delimited_symbol', start, all(false));
    case 'x':
      return finish(x, 'subshell', start, all(true));
    default:
      return x.fail();
  }
}

/** From inside a literal to behind what closes it: the escapes and the code in it. `open`: what nests in it, or 0. */
function content(x: Reader, from: number, open: number, close: number, holes: boolean): Syntax[] {
  const { text, length } = x;
  x.mayClose(from, open === 0 ? close : 0);
  let found = NONE;
  let depth = 0;
  let at = from;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === close) {
      at++;
      if (depth-- === 0) break;
    } else if (c === open) {
      depth++;
      at++;
    } else if (c === 92) {
      if (holes) {
        const one = escaped(x, at);
        if (found === NONE) found = [];
        found.push(one);
        at = one.end;
      } else at += 2;
    } else if (c === 35 && holes) {
      const one = hole(x, at);
      if (one) {
        if (found === NONE) found = [];
        found.push(one);
        at = one.end;
      } else at++;
    } else if (c === 10) {
      if (x.pending.length > 0) at = x.atBodies(at);
      at++;
    } else at++;
    if (at > length) x.unclosed(from, close);
  }
  x.at = at;
  return found;
}

/** As `content`, for the words of `%w`. */
function words(x: Reader, from: number, open: number, close: number, holes: boolean, type: string): Syntax[] {
  const { text, length } = x;
  x.mayClose(from, 0);
  const found: Syntax[] = [];
  let inside: Syntax[] = [];
  let depth = 0;
  let begin = -1;
  let at = from;
  for (;;) {
    const c = text.charCodeAt(at);
    const ends = c === close && depth === 0;
    if (ends || c === 32 || (c > 8 && c < 14)) {
      if (begin >= 0) found.push(node(type, begin, at, inside));
      begin = -1;
      inside = [];
      if (c === 10 && x.pending.length > 0) at = x.atBodies(at);
      at++;
      if (ends) break;
    } else {
      if (begin < 0) begin = at;
      if (c === close) depth--;
      else if (c === open) depth++;
      const one = c === 92 && holes ? escaped(x, at) : c === 35 && holes ? hole(x, at) : undefined;
      if (one) inside.push(one);
      at = one ? one.end : c === 92 ? at + 2 : at + 1;
    }
    if (at > length) x.unclosed(from, 0);
  }
  x.at = at;
  return found;
}

function escaped(x: Reader, at: number): Syntax {
  const end = matchEnd(ESCAPE, x.text, at);
  return node('escape_sequence', at, end < 0 ? at + 2 : end);
}

/** `#{…}`, `#@a`; undefined: a mere `#`. */
function hole(x: Reader, at: number): Syntax | undefined {
  const next = x.text.charCodeAt(at + 1);
  if (next === 64 || next === 36) {
    const end = matchEnd(SHORT, x.text, at);
    if (end < 0) return undefined;
    const type =
      next === 36 ? 'global_variable' : x.text[at + 2] === '@' ? 'class_variable' : 'instance_variable';
    return node('interpolation', at, end, [node(type, at + 1, end)]);
  }
  if (next !== 123) return undefined;
  x.at = at + 2;
  x.next();
  const inside = x.free((it) => statements(it));
  if (x.kind !== Kind.RBRACE) x.fail();
  x.at = x.end;
  return node('interpolation', at, x.at, inside);
}

// ---- heredocs

/** `<<~SQL`; undefined: it is an operator. */
export function heredoc(x: Reader): Syntax | undefined {
  const { start } = x;
  HEREDOC.lastIndex = start;
  const match = HEREDOC.exec(x.text);
  if (!match) return undefined;
  const [all, mark, quote, inQuotes, word] = match;
  if (word !== undefined && /^\d/.test(word)) return undefined;
  x.pending.push({ start, word: inQuotes ?? word!, indented: mark !== '', raw: quote === "'" });
  x.at = start + all.length;
  return finish(x, 'heredoc_beginning', start, NONE);
}

/** Reads the bodies of the heredocs opened on the line that ends at `at`; gives the end of the last one's line. */
export function readBodies(x: Reader, from: number): number {
  const { kind, start, end, last, space } = x;
  let at = from;
  for (const { start: opened, word, indented, raw } of x.pending.splice(0)) {
    const begin = x.text.charCodeAt(at - 1) === 13 ? at - 1 : at;
    const inside: Syntax[] = [];
    at = body(x, at + 1, word, indented, raw, inside);
    x.heredocs.set(opened, node('heredoc_body', begin, at, inside));
    at = x.text.indexOf('\n', at);
  }
  Object.assign(x, { kind, start, end, last, space });
  return at;
}

function body(
  x: Reader,
  from: number,
  word: string,
  indented: boolean,
  raw: boolean,
  inside: Syntax[],
): number {
  const { text, length } = x;
  x.mayClose(from, word);
  let at = from;
  while (at < length) {
    let line = at;
    if (indented) while (text.charCodeAt(line) === 32 || text.charCodeAt(line) === 9) line++;
    const behind = line + word.length;
    const c = text.charCodeAt(behind);
    if ((c === 10 || (c === 13 && text.charCodeAt(behind + 1) === 10)) && text.startsWith(word, line)) {
      inside.push(node('heredoc_end', line, behind));
      return behind;
    }
    if (raw) {
      at = text.indexOf('\n', at) + 1;
      continue;
    }
    for (; at < length; at++) {
      const d = text.charCodeAt(at);
      if (d === 10) {
        if (x.pending.length > 0) at = readBodies(x, at);
        break;
      }
      const one = d === 92 ? escaped(x, at) : d === 35 ? hole(x, at) : undefined;
      if (one) {
        inside.push(one);
        at = one.end - 1;
        if (d === 92 && text.charCodeAt(at) === 10) break;
      }
    }
    at++;
  }
  return x.unclosed(from, word);
}

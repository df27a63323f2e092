// Cuts SQL text into PostgreSQL's tokens with exact positions; knows no statement.
import { QUOTED, SPLITS, sortsOf } from './sorts.ts';

export type TokenKind =
  | 'word' // identifier or keyword, folded; `quoted` when it stood in double quotes
  | 'string' // '…', E'…', U&'…', N'…', B'…', X'…'
  | 'dollar' // $tag$…$tag$
  | 'number'
  | 'parameter' // $1
  | 'variable' // psql's :name, :'name', :"name"
  | 'operator'
  | 'punctuation' // ( ) [ ] , ; . ..
  | 'meta' // a psql backslash command to the end of its line, or \; and such
  | 'unterminated'; // a string, quoted name or dollar quote that the text ends in

export interface Token {
  kind: TokenKind;
  /** Words folded to lower case unless quoted; punctuation and operators as they are; strings as written. */
  text: string;
  start: number;
  end: number;
  /** Bits of sorts.ts. */
  sorts: number;
  quoted: boolean;
  /** Strings and dollar quotes: where the content starts and ends. */
  inner: { start: number; end: number } | undefined;
  /** An E'…' string, or one with doubled quotes: its content is not its value, character for character. */
  escaped: boolean;
}

/** Stands in text for what a template, macro or host language puts there; a letter like any other. */
export const HOLE = '\uE000';

const SPACE = 1;
const DIGIT = 2;
const LETTER = 4;
const SIGN = 8;
/** PostgreSQL takes no longer name. */
const LONGEST_OPERATOR = 63;

/** What each ASCII character can be; all above are letters. */
const CLASS = new Uint8Array(128);
for (const c of ' \t\n\v\f\r') CLASS[c.charCodeAt(0)] = SPACE;
for (const c of '0123456789') CLASS[c.charCodeAt(0)] = DIGIT;
for (let c = 97; c <= 122; c++) CLASS[c] = CLASS[c - 32] = LETTER;
CLASS[95] = LETTER;
for (const c of '+-*/<>=~!@#%^&|`?') CLASS[c.charCodeAt(0)] = SIGN;

/** 1 for what a word may go on with. */
const PART = CLASS.map((kind) => ((kind & (LETTER | DIGIT)) !== 0 ? 1 : 0));
PART[36] = 1;

const classOf = (c: number) =>
  c < 128 ? CLASS[c]! : c === 0xfeff || c === 0xa0 ? SPACE : c >= 128 ? LETTER : 0;
const isSpace = (c: number) => classOf(c) === SPACE;
const isDigit = (c: number) => c >= 48 && c <= 57;
const isWordStart = (c: number) => classOf(c) === LETTER;
const isWordPart = (c: number) => (classOf(c) & (LETTER | DIGIT)) !== 0 || c === 36;
const isOperator = (c: number) => classOf(c) === SIGN;

/** PostgreSQL folds ASCII letters only; other letters stay as they are in most encodings. */
export function fold(word: string): string {
  let upper = false;
  for (let i = 0; i < word.length; i++) {
    const c = word.charCodeAt(i);
    if (c > 127) return word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    if (c >= 65 && c <= 90) upper = true;
  }
  return upper ? word.toLowerCase() : word;
}

/** All tokens have one shape, which is what makes reading them fast. */
function make(kind: TokenKind, text: string, start: number, end: number, sorts: number): Token {
  return { kind, text, start, end, sorts, quoted: false, escaped: false, inner: undefined };
}

/** Another word in the place of this token. */
export function retold(token: Token, text: string): Token {
  return make('word', text, token.start, token.end, sortsOf(text));
}

/**
 * Tokens between `from` and `to`. Comments are left out. `psql` reads backslash commands and :variables, which inside
 * a function body must be off.
 */
export function tokens(text: string, from = 0, to = text.length, psql = true): Token[] {
  const out: Token[] = [];
  for (let i = skipBlank(text, from, to); i < to; ) {
    const token = next(text, i, to, psql);
    out.push(token);
    i = skipBlank(text, token.end, to);
  }
  return out;
}

/** Past white space and comments. */
export function skipBlank(text: string, from: number, to: number): number {
  let i = from;
  while (i < to) {
    const c = text.charCodeAt(i);
    if (c === 32 || c === 10 || (c < 128 ? CLASS[c] === SPACE : isSpace(c))) i++;
    else if (c === 45 && text.charCodeAt(i + 1) === 45) i = lineEnd(text, i, to);
    else if (c === 47 && text.charCodeAt(i + 1) === 42) i = commentEnd(text, i, to);
    else break;
  }
  return i;
}

function lineEnd(text: string, i: number, to: number): number {
  while (i < to && text.charCodeAt(i) !== 10 && text.charCodeAt(i) !== 13) i++;
  return i;
}

/**
 * Where a nested comment had no end: from there on the text is another dialect's, where comments do not nest. The place
 * is kept so that a text full of such comments is searched once, and with the text, so that nothing else is changed by
 * it: a second reading meets the same comment first.
 */
let flat = { text: '', to: 0, from: 0 };

/** Comments nest; where the text ends first, the comment ends as it would elsewhere, at the first `*`+`/`. */
function commentEnd(text: string, start: number, to: number): number {
  let i = start;
  let depth = 0;
  const nests = start < flat.from || to !== flat.to || text !== flat.text;
  while (i < to && nests) {
    const two = text.charCodeAt(i) * 256 + text.charCodeAt(i + 1);
    if (two === 47 * 256 + 42) {
      depth++;
      i += 2;
    } else if (two === 42 * 256 + 47) {
      depth--;
      i += 2;
      if (depth === 0) return Math.min(i, to);
    } else i++;
  }
  if (nests) flat = { text, to, from: start };
  const first = text.indexOf('*/', start + 2);
  return first < 0 || first >= to ? to : first + 2;
}

/** The token that starts here. */
export function next(text: string, start: number, to: number, psql: boolean): Token {
  const c = text.charCodeAt(start);
  const kind = c < 128 ? CLASS[c]! : classOf(c);
  if (kind === LETTER) return word(text, start, to);
  if (c === 46 && text.charCodeAt(start + 1) === 46 && start + 1 < to)
    return make('punctuation', '..', start, start + 2, 0);
  if (kind === DIGIT || (c === 46 && isDigit(text.charCodeAt(start + 1)))) return number(text, start, to);
  if (c === 39) return string(text, start, start, to, false);
  if (c === 34) return quotedName(text, start, start, to);
  if (c === 36) return dollar(text, start, to);
  if (c === 58) return colon(text, start, to, psql);
  if (c === 92 && psql) return meta(text, start, to);
  if (kind === SIGN) {
    let i = start + 1;
    const end = Math.min(to, start + LONGEST_OPERATOR);
    while (i < end && isOperator(text.charCodeAt(i)) && !startsComment(text, i)) i++;
    if (i === start + 1) return make('operator', SIGNS[c]!, start, i, SORTS[c]!);
    // As PostgreSQL has it: `x=-1` is `=` and `-1`, unless the operator has a character that SQL's own lack.
    if (!/[~!@#%^&|`?]/.test(text.slice(start, i)))
      while (i > start + 1 && (text[i - 1] === '-' || text[i - 1] === '+')) i--;
    const sign = text.slice(start, i);
    return make('operator', sign, start, i, sortsOf(sign));
  }
  return make('punctuation', c < 128 ? SIGNS[c]! : text[start]!, start, start + 1, c < 128 ? SORTS[c]! : 0);
}

/** Each ASCII character as a string of its own. */
const SIGNS = Array.from({ length: 128 }, (_, c) => String.fromCharCode(c));
const SORTS = SIGNS.map(sortsOf);

function startsComment(text: string, i: number): boolean {
  const c = text.charCodeAt(i);
  const d = text.charCodeAt(i + 1);
  return (c === 45 && d === 45) || (c === 47 && d === 42);
}

function word(text: string, start: number, to: number): Token {
  const d = start + 1 < to ? text.charCodeAt(start + 1) : 0;
  const prefixed = d === 39 || d === 38 ? afterPrefix(text, start, to, d) : null;
  if (prefixed) return prefixed;
  let i = start;
  let hash = 0;
  for (; i < to; i++) {
    const part = text.charCodeAt(i);
    if (part < 128 ? PART[part] === 0 : !isWordPart(part)) break;
    hash = (Math.imul(hash, 31) + (part | 32)) | 0;
  }
  const place = hash & (WORDS.length - 1);
  // No word of sorts.ts is as long.
  if (i - start > 32) return make('word', fold(text.slice(start, i)), start, i, 0);
  const shared = isShared(text, start, i, place) ? WORDS[place]! : share(text, start, i, place);
  return make('word', shared, start, i, WORD_SORTS[place]!);
}

/** E'' B'' X'' N'' U&'' U&"" */
function afterPrefix(text: string, start: number, to: number, next: number): Token | null {
  const c = text.charCodeAt(start) | 32;
  if (next === 39 && (c === 101 || c === 98 || c === 120 || c === 110))
    return string(text, start, start + 1, to, c === 101);
  if (c !== 117 || next !== 38 || start + 2 >= to) return null;
  const e = text.charCodeAt(start + 2);
  if (e === 39) return string(text, start, start + 2, to, false);
  return e === 34 ? quotedName(text, start, start + 2, to) : null;
}

/** Words as they were met last, by a hash: most come again and again, and one string is enough for all of them. */
const WORDS: string[] = new Array(2048).fill('');
const WORD_SORTS: number[] = new Array(2048).fill(0);

function isShared(text: string, start: number, end: number, place: number): boolean {
  const kept = WORDS[place]!;
  if (kept.length !== end - start) return false;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if ((c >= 65 && c <= 90 ? c + 32 : c) !== kept.charCodeAt(i - start)) return false;
  }
  return true;
}

/** `fold(text.slice(start, end))` */
function share(text: string, start: number, end: number, place: number): string {
  const word = fold(text.slice(start, end));
  WORDS[place] = word;
  WORD_SORTS[place] = sortsOf(word);
  return word;
}

function number(text: string, start: number, to: number): Token {
  let i = start;
  while (i < to) {
    const c = text.charCodeAt(i);
    if (isDigit(c) || c === 95 || (c >= 97 && c <= 122) || (c >= 65 && c <= 90)) i++;
    else if (c === 46 && text.charCodeAt(i + 1) !== 46)
      i++; // 1..10 is a range, not two numbers with dots
    else if (
      (c === 43 || c === 45) &&
      (text.charCodeAt(i - 1) | 32) === 101 &&
      isDigit(text.charCodeAt(i + 1)) &&
      !/^0x/i.test(text.slice(start, i))
    )
      i++;
    else break;
  }
  return make('number', text.slice(start, i), start, i, 0);
}

function string(text: string, start: number, quote: number, to: number, backslash: boolean): Token {
  let escaped = backslash;
  let i = quote + 1;
  for (; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c === 92 && backslash) i++;
    else if (c === 39) {
      if (i + 1 >= to || text.charCodeAt(i + 1) !== 39) break;
      escaped = true;
      i++;
    }
  }
  if (i >= to) return make('unterminated', text.slice(start, to), start, to, SPLITS);
  const token = make('string', text.slice(start, i + 1), start, i + 1, 0);
  token.inner = { start: quote + 1, end: i };
  token.escaped = escaped;
  return token;
}

function quotedName(text: string, start: number, quote: number, to: number): Token {
  let i = quote + 1;
  for (; i < to; i++) {
    if (text.charCodeAt(i) !== 34) continue;
    if (text.charCodeAt(i + 1) !== 34 || i + 1 >= to) break;
    i++;
  }
  if (i >= to) return make('unterminated', text.slice(start, to), start, to, SPLITS);
  const name = text.slice(quote + 1, i).replaceAll('""', '"');
  const token = make('word', name, start, i + 1, sortsOf(name) & QUOTED);
  token.quoted = true;
  return token;
}

function dollar(text: string, start: number, to: number): Token {
  let i = start + 1;
  if (isDigit(text.charCodeAt(i))) {
    while (i < to && isDigit(text.charCodeAt(i))) i++;
    return make('parameter', text.slice(start, i), start, i, 0);
  }
  if (isWordStart(text.charCodeAt(i))) {
    i++;
    while (i < to && text.charCodeAt(i) !== 36 && isWordPart(text.charCodeAt(i))) i++;
  }
  if (text.charCodeAt(i) !== 36 || i >= to) return make('operator', '$', start, start + 1, 0);
  const tag = text.slice(start, i + 1);
  const close = text.indexOf(tag, i + 1);
  if (close < 0 || close + tag.length > to)
    return body('unterminated', text, start, to, { start: i + 1, end: to });
  return body('dollar', text, start, close + tag.length, { start: i + 1, end: close });
}

function body(kind: TokenKind, text: string, start: number, end: number, inner: Token['inner']): Token {
  const token = make(kind, text.slice(start, end), start, end, kind === 'dollar' ? 0 : SPLITS);
  token.inner = inner;
  return token;
}

function colon(text: string, start: number, to: number, psql: boolean): Token {
  const d = text.charCodeAt(start + 1);
  if (d === 58 || d === 61) return make('operator', text.slice(start, start + 2), start, start + 2, 0);
  if (psql && (d === 39 || d === 34)) {
    const close = text.indexOf(text[start + 1]!, start + 2);
    if (close > 0 && close < to && /^\w+$/.test(text.slice(start + 2, close)))
      return make('variable', text.slice(start, close + 1), start, close + 1, 0);
  }
  if (psql && (isWordStart(d) || isDigit(d))) {
    let i = start + 1;
    while (i < to && isWordPart(text.charCodeAt(i)) && text.charCodeAt(i) !== 36) i++;
    return make('variable', text.slice(start, i), start, i, 0);
  }
  return make('operator', ':', start, start + 1, 0);
}

function meta(text: string, start: number, to: number): Token {
  const d = text[start + 1];
  if (d === ';' || d === ':' || d === '\\')
    return make('meta', text.slice(start, start + 2), start, start + 2, SPLITS);
  const end = lineEnd(text, start, to);
  return make('meta', text.slice(start, end), start, end, SPLITS);
}

/** A name part as quote_ident() would print it, so that names compare as text. */
export function identifier(token: Pick<Token, 'text' | 'quoted'>): string {
  return !token.quoted || /^[a-z_][a-z0-9_$]*$/.test(token.text)
    ? token.text
    : `"${token.text.replaceAll('"', '""')}"`;
}

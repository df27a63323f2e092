// Cuts SQL text into PostgreSQL's tokens with exact positions; knows no statement.

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
  quoted?: boolean;
  /** Strings and dollar quotes: where the content starts and ends. */
  inner?: { start: number; end: number };
  /** An E'…' string, or one with doubled quotes: its content is not its value, character for character. */
  escaped?: boolean;
}

const isSpace = (c: number) => c === 32 || (c >= 9 && c <= 13) || c === 0xfeff || c === 0xa0;
const isDigit = (c: number) => c >= 48 && c <= 57;
const isWordStart = (c: number) => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c >= 128;
const isWordPart = (c: number) => isWordStart(c) || isDigit(c) || c === 36;
const OPERATOR = '+-*/<>=~!@#%^&|`?';
const isOperator = (c: number) => OPERATOR.includes(String.fromCharCode(c));

/** PostgreSQL folds ASCII letters only; other letters stay as they are in most encodings. */
export const fold = (word: string) => word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

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
    if (isSpace(c)) i++;
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

/** A comment that nests and is not closed by then is somebody else's dialect; a limit keeps broken text linear. */
const LONGEST_COMMENT = 200_000;

/** Comments nest; where the text ends first, the comment ends as it would elsewhere, at the first `*`+`/`. */
function commentEnd(text: string, start: number, to: number): number {
  let i = start;
  let depth = 0;
  while (i < to && i < start + LONGEST_COMMENT) {
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
  const first = text.indexOf('*/', start + 2);
  return first < 0 || first >= to ? to : first + 2;
}

/** The token that starts here. */
export function next(text: string, start: number, to: number, psql: boolean): Token {
  const c = text.charCodeAt(start);
  if (isWordStart(c)) return word(text, start, to);
  if (c === 46 && text.charCodeAt(start + 1) === 46 && start + 1 < to)
    return { kind: 'punctuation', text: '..', start, end: start + 2 };
  if (isDigit(c) || (c === 46 && isDigit(text.charCodeAt(start + 1)))) return number(text, start, to);
  if (c === 39) return string(text, start, start, to, false);
  if (c === 34) return quotedName(text, start, start, to);
  if (c === 36) return dollar(text, start, to);
  if (c === 58) return colon(text, start, to, psql);
  if (c === 92 && psql) return meta(text, start, to);
  if (isOperator(c)) {
    let i = start + 1;
    while (i < to && isOperator(text.charCodeAt(i)) && !startsComment(text, i)) i++;
    // As PostgreSQL has it: `x=-1` is `=` and `-1`, unless the operator has a character that SQL's own lack.
    if (!/[~!@#%^&|`?]/.test(text.slice(start, i)))
      while (i > start + 1 && (text[i - 1] === '-' || text[i - 1] === '+')) i--;
    return { kind: 'operator', text: text.slice(start, i), start, end: i };
  }
  return { kind: 'punctuation', text: text[start]!, start, end: start + 1 };
}

function startsComment(text: string, i: number): boolean {
  const c = text.charCodeAt(i);
  const d = text.charCodeAt(i + 1);
  return (c === 45 && d === 45) || (c === 47 && d === 42);
}

function word(text: string, start: number, to: number): Token {
  const c = text.charCodeAt(start) | 32;
  const d = text.charCodeAt(start + 1);
  if (d === 39 && (c === 101 || c === 98 || c === 120 || c === 110))
    return string(text, start, start + 1, to, c === 101); // E'' B'' X'' N''
  if (c === 117 && d === 38 && start + 2 < to) {
    const e = text.charCodeAt(start + 2);
    if (e === 39) return string(text, start, start + 2, to, false);
    if (e === 34) return quotedName(text, start, start + 2, to);
  }
  let i = start + 1;
  while (i < to && isWordPart(text.charCodeAt(i))) i++;
  return { kind: 'word', text: fold(text.slice(start, i)), start, end: i };
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
  return { kind: 'number', text: text.slice(start, i), start, end: i };
}

function string(text: string, start: number, quote: number, to: number, backslash: boolean): Token {
  let escaped = backslash;
  let i = quote + 1;
  for (; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c === 92 && backslash) i++;
    else if (c === 39) {
      if (text.charCodeAt(i + 1) !== 39 || i + 1 >= to) break;
      escaped = true;
      i++;
    }
  }
  if (i >= to) return { kind: 'unterminated', text: text.slice(start, to), start, end: to };
  return {
    kind: 'string',
    text: text.slice(start, i + 1),
    start,
    end: i + 1,
    inner: { start: quote + 1, end: i },
    escaped,
  };
}

function quotedName(text: string, start: number, quote: number, to: number): Token {
  let i = quote + 1;
  for (; i < to; i++) {
    if (text.charCodeAt(i) !== 34) continue;
    if (text.charCodeAt(i + 1) !== 34 || i + 1 >= to) break;
    i++;
  }
  if (i >= to) return { kind: 'unterminated', text: text.slice(start, to), start, end: to };
  const name = text.slice(quote + 1, i).replaceAll('""', '"');
  return { kind: 'word', text: name, start, end: i + 1, quoted: true };
}

function dollar(text: string, start: number, to: number): Token {
  let i = start + 1;
  if (isDigit(text.charCodeAt(i))) {
    while (i < to && isDigit(text.charCodeAt(i))) i++;
    return { kind: 'parameter', text: text.slice(start, i), start, end: i };
  }
  if (isWordStart(text.charCodeAt(i))) {
    i++;
    while (i < to && text.charCodeAt(i) !== 36 && isWordPart(text.charCodeAt(i))) i++;
  }
  if (text.charCodeAt(i) !== 36 || i >= to) return { kind: 'operator', text: '$', start, end: start + 1 };
  const tag = text.slice(start, i + 1);
  const close = text.indexOf(tag, i + 1);
  if (close < 0 || close + tag.length > to)
    return {
      kind: 'unterminated',
      text: text.slice(start, to),
      start,
      end: to,
      inner: { start: i + 1, end: to },
    };
  const end = close + tag.length;
  return { kind: 'dollar', text: text.slice(start, end), start, end, inner: { start: i + 1, end: close } };
}

function colon(text: string, start: number, to: number, psql: boolean): Token {
  const d = text.charCodeAt(start + 1);
  if (d === 58 || d === 61)
    return { kind: 'operator', text: text.slice(start, start + 2), start, end: start + 2 };
  if (psql && (d === 39 || d === 34)) {
    const close = text.indexOf(text[start + 1]!, start + 2);
    if (close > 0 && close < to && /^\w+$/.test(text.slice(start + 2, close)))
      return { kind: 'variable', text: text.slice(start, close + 1), start, end: close + 1 };
  }
  if (psql && (isWordStart(d) || isDigit(d))) {
    let i = start + 1;
    while (i < to && isWordPart(text.charCodeAt(i)) && text.charCodeAt(i) !== 36) i++;
    return { kind: 'variable', text: text.slice(start, i), start, end: i };
  }
  return { kind: 'operator', text: ':', start, end: start + 1 };
}

function meta(text: string, start: number, to: number): Token {
  const d = text[start + 1];
  if (d === ';' || d === ':' || d === '\\')
    return { kind: 'meta', text: text.slice(start, start + 2), start, end: start + 2 };
  const end = lineEnd(text, start, to);
  return { kind: 'meta', text: text.slice(start, end), start, end };
}

/** A name part as quote_ident() would print it, so that names compare as text. */
export function identifier(token: Pick<Token, 'text' | 'quoted'>): string {
  return !token.quoted || /^[a-z_][a-z0-9_$]*$/.test(token.text)
    ? token.text
    : `"${token.text.replaceAll('"', '""')}"`;
}

// Java's text as tokens, all at once: looking ahead and going back then cost nothing. It knows no statement and no expression.
import { ended, isBlank, isNumber, roomFor, type Tokens } from '../../jvm/syntax/tokens.ts';
import { characters, hashed } from '../../words.ts';
import { Kind, wordKind } from './tokens.ts';

/** Part of a word, by its code below 128. */
const WORD = characters(/[\w$]/);

/** The tokens hold until the next call. */
export function lex(given: string): Tokens {
  const { length } = given;
  const tokens = roomFor(length);
  const { kinds, starts, ends } = tokens;
  // Zeros at its end, so that looking ahead needs no care.
  const text = `${given}\0\0\0`;
  let count = 0;
  let at = 0;
  while (at < length) {
    const c = text.charCodeAt(at);
    if (c <= 32) {
      at++;
      continue;
    }
    const start = at;
    let kind: number;
    if (c > 96 ? c < 123 : (c > 64 && c < 91) || c === 95 || c === 36) {
      let hash = 0;
      let next = c;
      do {
        hash = hashed(hash, next);
        next = text.charCodeAt(++at);
      } while (next < 128 && WORD[next] === 1);
      if (next >= 128 || next === 92) {
        at = wordEnd(text, at);
        kind = Kind.NAME;
      } else kind = c > 96 ? wordKind(text, start, at - start, hash, Kind.NAME) : Kind.NAME;
    } else if (c === 47 && (text.charCodeAt(at + 1) === 47 || text.charCodeAt(at + 1) === 42)) {
      at = commentEnd(text, at);
      continue;
    } else if (c === 34) {
      at = stringEnd(text, at);
      kind = Kind.STRING;
      if (at < 0) {
        kind = Kind.WRONG;
        at = lineEnd(text, start);
      }
    } else if (c === 39) {
      at = quoteEnd(text, at + 1, 39);
      kind = Kind.CHARACTER;
      if (at < 0) {
        kind = Kind.WRONG;
        at = lineEnd(text, start);
      }
    } else if (isNumber(text, at, c)) {
      at = numberEnd(text, at);
      kind = Kind.NUMBER;
    } else if (c < 128 && c !== 92) {
      const sign = mark(text, at, c);
      kind = sign & 127;
      at += sign >> 7;
    } else {
      at = wordEnd(text, at);
      if (at === start) {
        at++;
        if (c >= 128) continue; // blank
        kind = Kind.WRONG;
      } else kind = Kind.NAME;
    }
    kinds[count] = kind;
    starts[count] = start;
    ends[count++] = at;
  }
  return ended(tokens, count, length, Kind.END);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length - 3 : end;
}

/** A comment that nobody closed is one of its line. */
function commentEnd(text: string, at: number): number {
  if (text.charCodeAt(at + 1) === 42) {
    const end = text.indexOf('*/', at + 2);
    if (end >= 0) return end + 2;
  }
  return lineEnd(text, at);
}

/** Names may have letters beyond ASCII, and letters written as Unicode escapes. */
function wordEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c >= 128 ? !isBlank(text[at]!) : WORD[c] === 1) at++;
    else if (c === 92 && text.charCodeAt(at + 1) === 117) {
      while (text.charCodeAt(at + 1) === 117) at++;
      at++;
    } else return at;
  }
}

/** Behind the quotes that close it; less than 0 when there are none. */
function stringEnd(text: string, start: number): number {
  if (text.charCodeAt(start + 1) !== 34 || text.charCodeAt(start + 2) !== 34)
    return quoteEnd(text, start + 1, 34);
  for (let at = text.indexOf('"""', start + 3); at >= 0; at = text.indexOf('"""', at + 1)) {
    let back = at;
    while (back > start + 3 && text.charCodeAt(back - 1) === 92) back--;
    if ((at - back) % 2 === 0) return at + 3;
  }
  return -1;
}

function quoteEnd(text: string, inside: number, quote: number): number {
  for (let at = inside; ; at++) {
    const c = text.charCodeAt(at);
    if (c === quote) return at + 1;
    if (c === 92) at++;
    else if (c === 10) return -1;
    if (at >= text.length - 3) return -1;
  }
}

/** Digits, letters (`0xFFL`, `1e5`), the sign of an exponent, and a point that no method follows. */
function numberEnd(text: string, start: number): number {
  const isHex = (text.charCodeAt(start + 1) | 32) === 120;
  let at = start;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c < 128 && WORD[c] === 1) at++;
    else if (c === 46 && text.charCodeAt(at + 1) !== 46) at++;
    else if (c === 43 || c === 45) {
      const before = text.charCodeAt(at - 1) | 32;
      if (isHex ? before !== 112 : before !== 101) return at;
      at++;
    } else return at;
  }
}

/** The kind, and the length in the bits above it. */
const sign = (kind: Kind, length: number): number => kind | (length << 7);

function mark(text: string, at: number, c: number): number {
  const next = text.charCodeAt(at + 1);
  switch (c) {
    case 40:
      return sign(Kind.LPAR, 1);
    case 41:
      return sign(Kind.RPAR, 1);
    case 46:
      return next === 46 && text.charCodeAt(at + 2) === 46 ? sign(Kind.ELLIPSIS, 3) : sign(Kind.DOT, 1);
    case 59:
      return sign(Kind.SEMICOLON, 1);
    case 44:
      return sign(Kind.COMMA, 1);
    case 123:
      return sign(Kind.LBRACE, 1);
    case 125:
      return sign(Kind.RBRACE, 1);
    case 61:
      return next === 61 ? sign(Kind.EQUAL, 2) : sign(Kind.ASSIGN, 1);
    case 64:
      return sign(Kind.AT, 1);
    case 91:
      return sign(Kind.LSQB, 1);
    case 93:
      return sign(Kind.RSQB, 1);
    case 60:
      if (next === 60) return text.charCodeAt(at + 2) === 61 ? sign(Kind.ASSIGN, 3) : sign(Kind.LEFT, 2);
      return next === 61 ? sign(Kind.LESS_EQUAL, 2) : sign(Kind.LESS, 1);
    case 62:
      return next === 61 ? sign(Kind.GREATER_EQUAL, 2) : sign(Kind.GREATER, 1);
    case 43:
      return next === 43 ? sign(Kind.INCREMENT, 2) : assigning(Kind.PLUS, next);
    case 45:
      if (next === 62) return sign(Kind.ARROW, 2);
      return next === 45 ? sign(Kind.INCREMENT, 2) : assigning(Kind.MINUS, next);
    case 58:
      return next === 58 ? sign(Kind.COLONS, 2) : sign(Kind.COLON, 1);
    case 33:
      return next === 61 ? sign(Kind.EQUAL, 2) : sign(Kind.NOT, 1);
    case 38:
      return next === 38 ? sign(Kind.AND, 2) : assigning(Kind.AND_BITS, next);
    case 124:
      return next === 124 ? sign(Kind.OR, 2) : assigning(Kind.OR_BITS, next);
    case 63:
      return sign(Kind.QUESTION, 1);
    case 42:
      return assigning(Kind.TIMES, next);
    case 47:
    case 37:
      return assigning(Kind.DIVIDE, next);
    case 94:
      return assigning(Kind.XOR, next);
    case 126:
      return sign(Kind.TILDE, 1);
    default:
      return sign(Kind.WRONG, 1);
  }
}

const assigning = (kind: Kind, next: number): number => (next === 61 ? sign(Kind.ASSIGN, 2) : sign(kind, 1));

// Kotlin's text as tokens, all at once: looking ahead and going back then cost nothing. It knows no statement and no expression.
import { ended, isBlank, isNumber, roomFor, type Tokens } from '../../jvm/syntax/tokens.ts';
import { characters, hashed } from '../../words.ts';
import { Kind, wordKind } from './tokens.ts';

/** Part of a word, by its code below 128. */
const WORD = characters(/\w/);

/** A string that is being read: its quotes, how many dollars begin a hole, and how many braces are open in that. */
interface Frame {
  quotes: number;
  dollars: number;
  braces: number;
}

/** The tokens hold until the next call. */
export function lex(given: string): Tokens {
  const { length } = given;
  const tokens = roomFor(length);
  const { kinds, starts, ends, lines } = tokens;
  // Zeros at its end, so that looking ahead needs no care.
  const text = `${given}\0\0\0\0`;
  const comments = { nest: true, end: true };
  const frames: Frame[] = [];
  let count = 0;
  let at = text.startsWith('#!') ? lineEnd(text, 0) : 0;
  let line = 1;

  function put(kind: Kind, start: number, end: number): void {
    kinds[count] = kind;
    starts[count] = start;
    ends[count] = end;
    lines[count++] = line;
    line = 0;
  }

  /** From a quote, or from the end of a hole, up to the string's next hole or its end. */
  function string(frame: Frame, begin: number, inside: number): void {
    const { quotes, dollars } = frame;
    let from = begin;
    let i = inside;
    let opened = begin === inside;
    for (;;) {
      const c = text.charCodeAt(i);
      if (c === 34 && (quotes === 1 || text.startsWith('"""', i))) {
        let end = i + quotes;
        // Of more than three quotes the last ones close it.
        if (quotes === 3) while (text.charCodeAt(end) === 34) end++;
        put(opened ? Kind.STRING_CLOSE : Kind.STRING, opened ? end - quotes : from, end);
        at = end;
        return;
      }
      if (c === 92 && quotes === 1 && text.charCodeAt(i + 1) !== 10) i += 2;
      else if (c === 36) {
        const end = dollarsEnd(text, i);
        const next = text.charCodeAt(end);
        const isHole = end - i >= dollars && (next === 123 || isLetter(text, end));
        if (!isHole) {
          i = end;
          continue;
        }
        if (!opened) put(Kind.STRING_OPEN, from, end - dollars);
        opened = true;
        if (next === 123) {
          put(Kind.HOLE_OPEN, end - dollars, end + 1);
          frames.push({ ...frame, braces: 0 });
          at = end + 1;
          return;
        }
        i = next === 96 ? backquoted(text, end) : wordEnd(text, end);
        put(Kind.HOLE, end - dollars, i);
        from = i;
      } else if (i >= length || (c === 10 && quotes === 1)) {
        at = Math.min(i, length);
        if (!opened && quotes === 3) at = Math.min(length, lineEnd(text, from));
        put(Kind.WRONG, Math.min(from, at), at);
        return;
      } else i++;
    }
  }

  while (at < length) {
    const c = text.charCodeAt(at);
    if (c <= 32) {
      if (c === 10 || (c === 13 && text.charCodeAt(at + 1) !== 10)) line = 1;
      at++;
      continue;
    }
    const start = at;
    if (c > 96 ? c < 123 : (c > 64 && c < 91) || c === 95) {
      let hash = 0;
      let next = c;
      do {
        hash = hashed(hash, next);
        next = text.charCodeAt(++at);
      } while (next < 128 && WORD[next] === 1);
      let kind = Kind.NAME;
      if (next >= 128 && !isBlank(text[at]!)) at = wordEnd(text, at);
      else if (c > 96) {
        kind = wordKind(text, start, at - start, hash, Kind.NAME);
        // `as?`, but not `as ?`
        if (kind === Kind.AS && next === 63) at++;
      }
      put(kind, start, at);
    } else if (c === 47 && (text.charCodeAt(at + 1) === 47 || text.charCodeAt(at + 1) === 42)) {
      at = commentEnd(text, at, comments);
    } else if (c === 34) {
      const quotes = text.startsWith('"""', at) ? 3 : 1;
      string({ quotes, dollars: 1, braces: 0 }, at, at + quotes);
    } else if (c === 36) {
      at = dollarsEnd(text, at);
      if (text.charCodeAt(at) === 34) {
        const quotes = text.startsWith('"""', at) ? 3 : 1;
        string({ quotes, dollars: at - start, braces: 0 }, start, at + quotes);
      } else {
        at = wordEnd(text, at);
        put(at > start + 1 ? Kind.NAME : Kind.WRONG, start, at);
      }
    } else if (c === 39) {
      at = quoteEnd(text, at + 1);
      const kind = at < 0 ? Kind.WRONG : Kind.CHARACTER;
      if (at < 0) at = lineEnd(text, start);
      put(kind, start, at);
    } else if (c === 96) {
      at = backquoted(text, at);
      put(at > start + 1 ? Kind.NAME : Kind.WRONG, start, at);
    } else if (isNumber(text, at, c)) {
      at = numberEnd(text, at);
      put(Kind.NUMBER, start, at);
    } else if (c === 123) {
      const frame = frames.at(-1);
      if (frame) frame.braces++;
      put(Kind.LBRACE, start, ++at);
    } else if (c === 125) {
      const frame = frames.at(-1);
      at++;
      if (!frame) put(Kind.RBRACE, start, at);
      else if (frame.braces-- > 0) put(Kind.RBRACE, start, at);
      else {
        put(Kind.HOLE_CLOSE, start, at);
        frames.pop();
        string(frame, at, at);
      }
    } else if (c < 128) {
      const sign = mark(text, at, c);
      at += sign >> 7;
      put(sign & 127, start, at);
    } else if (isBlank(text[at]!)) at++;
    else {
      at = wordEnd(text, at);
      put(Kind.NAME, start, at);
    }
  }
  return ended(tokens, count, length, Kind.END);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length - 4 : end;
}

function dollarsEnd(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 36) at++;
  return at;
}

/** Whether a name begins here: a letter, or a backquote that another one closes. */
function isLetter(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c === 96) return backquoted(text, at) > at + 1;
  return c >= 128 ? !isBlank(text[at]!) && /\p{L}/u.test(text[at]!) : WORD[c] === 1 && (c < 48 || c > 57);
}

/** Behind the second backquote of the line; behind the first when there is none. */
function backquoted(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const c = text.charCodeAt(at);
    if (c === 96) return at > start + 1 ? at + 1 : start + 1;
    if (c === 10 || c === 13 || at >= text.length - 4) return start + 1;
  }
}

/**
 * Comments nest. When one is found that never ends, the next ones end with the first mark that ends one; when there is none,
 * with their line.
 */
function commentEnd(text: string, start: number, comments: { nest: boolean; end: boolean }): number {
  if (text.charCodeAt(start + 1) === 47) return lineEnd(text, start);
  for (let depth = 0, at = start; comments.nest; ) {
    const c = text.charCodeAt(at);
    if (c === 47 && text.charCodeAt(at + 1) === 42) {
      depth++;
      at += 2;
    } else if (c === 42 && text.charCodeAt(at + 1) === 47) {
      at += 2;
      if (--depth === 0) return at;
    } else if (at >= text.length - 4) comments.nest = false;
    else at++;
  }
  const end = comments.end ? text.indexOf('*/', start + 2) : -1;
  comments.end = end >= 0;
  return end >= 0 ? end + 2 : lineEnd(text, start);
}

/** Names may have letters beyond ASCII. */
function wordEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c >= 128 ? isBlank(text[at]!) : WORD[c] !== 1) return at;
    at++;
  }
}

function quoteEnd(text: string, inside: number): number {
  for (let at = inside; ; at++) {
    const c = text.charCodeAt(at);
    if (c === 39) return at + 1;
    if (c === 92) at++;
    else if (c === 10) return -1;
    if (at >= text.length - 4) return -1;
  }
}

/** Digits, letters (`0xFFL`, `1e5`), the sign of an exponent, and a point before a digit. */
function numberEnd(text: string, start: number): number {
  const isHex = (text.charCodeAt(start + 1) | 32) === 120;
  let at = start;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c < 128 && WORD[c] === 1) at++;
    else if (c === 46 && isNumber(text, at, c)) at++;
    else if ((c === 43 || c === 45) && !isHex && (text.charCodeAt(at - 1) | 32) === 101) at++;
    else return at;
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
      if (next !== 46) return sign(Kind.DOT, 1);
      return sign(Kind.RANGE, text.charCodeAt(at + 2) === 60 ? 3 : 2);
    case 44:
      return sign(Kind.COMMA, 1);
    case 58:
      return next === 58 ? sign(Kind.COLONS, 2) : sign(Kind.COLON, 1);
    case 61:
      if (next !== 61) return sign(Kind.ASSIGN, 1);
      return sign(Kind.EQUAL, text.charCodeAt(at + 2) === 61 ? 3 : 2);
    case 63:
      if (next === 46) return sign(Kind.SAFE, 2);
      // `A?::f` has a nullable type before its colons.
      return next === 58 && text.charCodeAt(at + 2) !== 58 ? sign(Kind.ELVIS, 2) : sign(Kind.QUESTION, 1);
    case 60:
      return next === 61 ? sign(Kind.COMPARE, 2) : sign(Kind.LESS, 1);
    case 62:
      return next === 61 ? sign(Kind.COMPARE, 2) : sign(Kind.GREATER, 1);
    case 64:
      return sign(Kind.AT, 1);
    case 91:
      return sign(Kind.LSQB, 1);
    case 93:
      return sign(Kind.RSQB, 1);
    case 33:
      return bang(text, at, next);
    case 43:
      return next === 43 ? sign(Kind.INCREMENT, 2) : changing(Kind.PLUS, next);
    case 45:
      if (next === 62) return sign(Kind.ARROW, 2);
      return next === 45 ? sign(Kind.INCREMENT, 2) : changing(Kind.MINUS, next);
    case 42:
      return changing(Kind.TIMES, next);
    case 47:
    case 37:
      return changing(Kind.DIVIDE, next);
    case 38:
      return next === 38 ? sign(Kind.AND, 2) : sign(Kind.AND_TYPE, 1);
    case 124:
      return next === 124 ? sign(Kind.OR, 2) : sign(Kind.WRONG, 1);
    case 59:
      return sign(Kind.SEMICOLON, 1);
    default:
      return sign(Kind.WRONG, 1);
  }
}

const changing = (kind: Kind, next: number): number => (next === 61 ? sign(Kind.CHANGE, 2) : sign(kind, 1));

/** `!`, `!!`, `!=`, `!==`, `!in`, `!is` */
function bang(text: string, at: number, next: number): number {
  if (next === 33) return sign(Kind.SURE, 2);
  if (next === 61) return sign(Kind.EQUAL, text.charCodeAt(at + 2) === 61 ? 3 : 2);
  const last = text.charCodeAt(at + 2);
  const after = text.charCodeAt(at + 3);
  if (next === 105 && (last === 110 || last === 115) && after < 128 && WORD[after] !== 1)
    return sign(last === 110 ? Kind.IN : Kind.IS, 3);
  return sign(Kind.NOT, 1);
}

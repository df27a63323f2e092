// Cuts JavaScript and TypeScript into words, signs and texts, as far as telling texts from comments and patterns asks for. It is no parser.
import { HOLE } from '../sql/text/lexer.ts';

/** A piece of text: what it says, and where that is written. */
export interface Piece {
  text: string;
  start: number;
  end: number;
}

/** `depth`: how many brackets are open before it; of a closing one, after it. */
export interface Token {
  kind: 'word' | 'sign' | 'text';
  start: number;
  end: number;
  depth: number;
  /** What the word or the sign is; what the text says. */
  says: string;
  pieces?: Piece[];
}

const MOST_DEEP = 200;

export function tokensOf(text: string): Token[] {
  const out: Token[] = [];
  cut(text, 0, text.length, 0, out, 0);
  return out;
}

const WORD = /[\p{L}\p{N}_$#]+/uy;
const BLANK = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
/** On one line, as a pattern must be, and of a length that somebody can have written. */
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,1000}\/[a-z]*/y;
/** Behind these words a slash begins a pattern. */
const BEFORE_VALUE = new Set('return typeof case in of do else void delete await yield throw new'.split(' '));

/** Up to `to`, or to the bracket that closes what was open before; gives where it ended. */
function cut(text: string, from: number, to: number, depth: number, out: Token[], level: number): number {
  const bottom = depth;
  let at = from;
  while (at < to) {
    const blank = matched(BLANK, text, at);
    if (blank > 0) {
      at += blank;
      continue;
    }
    const char = text[at]!;
    const start = at;
    if (char === '"' || char === "'") {
      const pieces: Piece[] = [];
      at = quoted(text, at + 1, char, pieces);
      out.push({ kind: 'text', start, end: at, depth, says: join(pieces), pieces });
    } else if (char === '`') {
      const pieces: Piece[] = [];
      at = template(text, at + 1, to, pieces, level);
      out.push({ kind: 'text', start, end: at, depth, says: join(pieces), pieces });
    } else if (char === '/' && beginsValue(out.at(-1)) && matched(PATTERN, text, at) > 0) {
      at += matched(PATTERN, text, at);
      out.push({ kind: 'sign', start, end: at, depth, says: '/' });
    } else {
      const word = matched(WORD, text, at);
      at += word || 1;
      const says = text.slice(start, at);
      if (word > 0) out.push({ kind: 'word', start, end: at, depth, says });
      else if (/[([{]/.test(says)) {
        out.push({ kind: 'sign', start, end: at, depth, says });
        depth++;
      } else {
        if (/[)\]}]/.test(says)) depth = Math.max(0, depth - 1);
        if (depth < bottom) return start;
        out.push({ kind: 'sign', start, end: at, depth, says });
      }
    }
  }
  return to;
}

function matched(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

/** A slash there begins a pattern, and divides nothing. */
const beginsValue = (last: Token | undefined): boolean =>
  !last || (last.kind === 'sign' ? !/[)\]}]/.test(last.says) : BEFORE_VALUE.has(last.says));

const join = (pieces: Piece[]) => pieces.map(({ text }) => text).join('');

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: ' ', f: ' ', v: ' ', '0': ' ' };
const ESCAPE = /\\(?:u\{[0-9a-fA-F]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|[\s\S]|$)/y;

/** One escape; gives where it ended. */
function escaped(text: string, at: number, pieces: Piece[]): number {
  const end = at + Math.max(1, matched(ESCAPE, text, at));
  const said = text.slice(at + 1, end);
  const code = /^[ux]\{?([0-9a-fA-F]+)/.exec(said)?.[1];
  const plain = /^[\r\n]/.test(said) ? '' : (ESCAPES[said] ?? said);
  pieces.push({ text: code ? String.fromCharCode(Number.parseInt(code, 16)) : plain, start: at, end });
  return end;
}

/** Up to the quote, or to the end of the line. */
function quoted(text: string, from: number, quote: string, pieces: Piece[]): number {
  let [at, start] = [from, from];
  const flush = () => {
    if (at > start) pieces.push({ text: text.slice(start, at), start, end: at });
  };
  while (at < text.length && text[at] !== quote && text[at] !== '\n') {
    if (text[at] !== '\\') at++;
    else {
      flush();
      start = at = escaped(text, at, pieces);
    }
  }
  flush();
  return Math.min(at + 1, text.length);
}

/** Up to the backtick; what stands in `${…}` is a hole, whatever texts are in it. */
function template(text: string, from: number, to: number, pieces: Piece[], level: number): number {
  let [at, start] = [from, from];
  const flush = () => {
    if (at > start) pieces.push({ text: text.slice(start, at), start, end: at });
  };
  while (at < to && text[at] !== '`') {
    if (text[at] === '\\') {
      flush();
      start = at = escaped(text, at, pieces);
    } else if (text[at] === '$' && text[at + 1] === '{') {
      flush();
      const end = level < MOST_DEEP ? cut(text, at + 2, to, 1, [], level + 1) : to;
      pieces.push({ text: HOLE, start: at, end: Math.min(end + 1, to) });
      start = at = Math.min(end + 1, to);
    } else at++;
  }
  flush();
  return Math.min(at + 1, to);
}

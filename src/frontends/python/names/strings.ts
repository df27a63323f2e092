// Python's string literals as text with exact places; holes stand for what is only known at run time.
import { HOLE } from '../../sql/text/lexer.ts';
import type { Syntax } from '../../syntax.ts';

export interface Piece {
  text: string;
  start: number;
  end: number;
}

const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  "'": "'",
  '"': '"',
  '\\': '\\',
  '\n': '',
};

/** The pieces of a `string` node; null for bytes. */
export function literal(node: Syntax, text: string): Piece[] | null {
  const open = /^([a-zA-Z]*)('''|"""|'|")/.exec(text.slice(node.start, node.start + 8));
  if (!open) return null;
  const prefix = open[1]!.toLowerCase();
  if (prefix.includes('b')) return null;
  const from = node.start + open[0].length;
  const to = text.startsWith(open[2]!, node.end - open[2]!.length) ? node.end - open[2]!.length : node.end;
  const raw = prefix.includes('r');
  if (!/[ft]/.test(prefix)) return raw ? [whole(text, from, to)] : unescaped(text, from, to, false);
  const out: Piece[] = [];
  let at = from;
  for (const hole of node.children) {
    if (hole.type !== 'interpolation') continue;
    out.push(...(raw ? [whole(text, at, hole.start)] : unescaped(text, at, hole.start, true)));
    out.push({ text: HOLE, start: hole.start, end: hole.end });
    at = hole.end;
  }
  out.push(...(raw ? [whole(text, at, to)] : unescaped(text, at, to, true)));
  return out;
}

const whole = (text: string, start: number, end: number): Piece => ({
  text: text.slice(start, Math.max(start, end)),
  start,
  end: Math.max(start, end),
});

function unescaped(text: string, from: number, to: number, braces: boolean): Piece[] {
  const out: Piece[] = [];
  let start = from;
  const flush = (end: number) => {
    if (end > start) out.push(whole(text, start, end));
  };
  for (let i = from; i < to; i++) {
    const c = text[i];
    let length = 0;
    let value = '';
    if (c === '\\') {
      const next = text[i + 1] ?? '';
      length = next === '\r' && text[i + 2] === '\n' ? 3 : 2;
      value = length === 3 ? '' : (ESCAPES[next] ?? (/[0-7xNuU]/.test(next) ? ' ' : `\\${next}`));
    } else if (braces && (c === '{' || c === '}') && text[i + 1] === c) {
      length = 2;
      value = c;
    }
    if (length === 0) continue;
    flush(i);
    out.push({ text: value, start: i, end: Math.min(i + length, to) });
    i += length - 1;
    start = i + 1;
  }
  flush(to);
  return out.length > 0 ? out : [whole(text, from, to)];
}

/** `{}` and `{name}` of str.format(), `%s` and `%(name)s` before an operator `%`; what is doubled stands for itself. */
const MARKS = {
  format: /\{\{|\}\}|\{[^{}]*\}/g,
  '%': /%%|%(?:\(\w+\))?[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[a-zA-Z]/g,
};

/** What a text is formatted with becomes holes in it, but for what `filled` knows of a mark: the text itself, and the how manieth it is. */
export function formatted(
  pieces: Piece[],
  by: keyof typeof MARKS,
  filled?: (mark: string, nth: number) => string | undefined,
): Piece[] {
  let nth = 0;
  return pieces.flatMap((piece) => {
    if (!/[{}%]/.test(piece.text) || piece.text.length !== piece.end - piece.start) return [piece];
    const out: Piece[] = [];
    let last = 0;
    for (const match of piece.text.matchAll(MARKS[by])) {
      const at = match.index;
      out.push(whole(piece.text, last, at));
      const mark = match[0];
      const isDoubled = mark.length === 2 && mark[0] === mark[1];
      const text = isDoubled ? mark[0]! : (filled?.(mark, nth++) ?? HOLE);
      out.push({ text, start: at, end: at + mark.length });
      last = at + mark.length;
    }
    out.push(whole(piece.text, last, piece.text.length));
    return out
      .filter((one) => one.text !== '')
      .map((one) => ({ text: one.text, start: piece.start + one.start, end: piece.start + one.end }));
  });
}

export const joined = (pieces: Piece[]): string => pieces.map((piece) => piece.text).join('');

// Turns offsets into a client's lines and characters and back, in the encoding that was agreed; knows no document.
import type { Span } from '../ir.ts';
import type { Lines } from '../project/files/lines.ts';

export { type Lines, linesOf } from '../project/files/lines.ts';

export type Encoding = 'utf-8' | 'utf-16' | 'utf-32';

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export function positionAt(lines: Lines, offset: number, encoding: Encoding): Position {
  const bounded = Math.max(0, Math.min(offset, lines.text.length));
  let low = 0;
  let high = lines.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines.starts[middle]! <= bounded) low = middle;
    else high = middle - 1;
  }
  const start = lines.starts[low]!;
  return { line: low, character: width(lines.text, start, bounded, encoding) };
}

export function offsetAt(lines: Lines, position: Position, encoding: Encoding): number {
  if (position.line >= lines.starts.length) return lines.text.length;
  const start = lines.starts[position.line]!;
  const end = lineEnd(lines, position.line);
  if (encoding === 'utf-16') return Math.min(start + position.character, end);
  let left = position.character;
  let i = start;
  while (i < end && left > 0) {
    const point = lines.text.codePointAt(i)!;
    left -= encoding === 'utf-32' ? 1 : utf8(point);
    i += point > 0xffff ? 2 : 1;
  }
  return i;
}

export function rangeOf(lines: Lines, at: Span, encoding: Encoding): Range {
  return { start: positionAt(lines, at.start, encoding), end: positionAt(lines, at.end, encoding) };
}

/** Where the line's text ends, before its line break. */
export function lineEnd(lines: Lines, line: number): number {
  let end = lines.starts[line + 1] ?? lines.text.length;
  while (end > lines.starts[line]! && (lines.text[end - 1] === '\n' || lines.text[end - 1] === '\r')) end--;
  return end;
}

function width(text: string, start: number, end: number, encoding: Encoding): number {
  if (encoding === 'utf-16') return end - start;
  let sum = 0;
  for (let i = start; i < end; ) {
    const point = text.codePointAt(i)!;
    sum += encoding === 'utf-32' ? 1 : utf8(point);
    i += point > 0xffff ? 2 : 1;
  }
  return sum;
}

const utf8 = (point: number) => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);

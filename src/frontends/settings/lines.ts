// Reads text line by line with positions, past comments; the ground of all that is read as data.
import type { Span } from '../../ir.ts';

export interface Line {
  text: string;
  start: number;
}

/** Lines that say something: neither blank nor a comment to its end. */
export function* lines(text: string, comment = /^\s*(?:#|;|\/\/|--|!)/): Generator<Line> {
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    if (line.trim() !== '' && !comment.test(line)) yield { text: line, start };
    start = end + 1;
  }
}

/** Where a match, or one of its groups, stands in the file. */
export function spanIn(line: Line, match: RegExpExecArray, group = 0): Span {
  const text = match[group] ?? '';
  const from = line.start + match.index + (group === 0 ? 0 : match[0].indexOf(text));
  return { start: from, end: from + text.length };
}

/** All matches of a global expression, without its state. */
export const matches = (text: string, pattern: RegExp): RegExpExecArray[] =>
  [...text.matchAll(pattern)] as RegExpExecArray[];

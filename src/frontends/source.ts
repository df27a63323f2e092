// Text that stands inside other text, perhaps escaped: what it says, and where each character stands in the file.
import type { Span } from '../ir.ts';

export interface Source {
  /** The text itself, unescaped. */
  text: string;
  /** The position in the file of the character at this offset; the length is allowed. */
  at(offset: number): number;
}

/** The whole file, or a piece of it that is written as it is. */
export function plain(text: string, start = 0, end = text.length): Source {
  return {
    text: start === 0 && end === text.length ? text : text.slice(start, end),
    at: (offset) => start + offset,
  };
}

/** Pieces put together: a string with escapes, a concatenation, a template with holes. */
export function pieces(parts: { text: string; start: number; end: number }[]): Source {
  const text = parts.map((part) => part.text).join('');
  const offsets: number[] = [];
  let sum = 0;
  for (const part of parts) {
    offsets.push(sum);
    sum += part.text.length;
  }
  return {
    text,
    at(offset) {
      let low = 0;
      let high = parts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (offsets[middle]! <= offset) low = middle;
        else high = middle - 1;
      }
      const part = parts[low];
      if (!part) return 0;
      // A piece of another length than its place (an escape, a hole) has only a start and an end.
      const inside = offset - offsets[low]!;
      if (inside >= part.text.length) return part.end;
      return part.end - part.start === part.text.length ? part.start + inside : part.start;
    },
  };
}

/** A source inside a source. */
export function within(outer: Source, inner: Source): Source {
  return { text: inner.text, at: (offset) => outer.at(inner.at(offset)) };
}

export function span(source: Source, start: number, end: number): Span {
  const from = source.at(start);
  const to = end > start ? source.at(end - 1) + 1 : source.at(end);
  // Text that is put together from several places: the run of characters at the first of them.
  if (to < from || to - from > 4 * (end - start) + 60) {
    let next = start + 1;
    while (next < end && source.at(next) === source.at(next - 1) + 1) next++;
    return { start: from, end: source.at(next - 1) + 1 };
  }
  return { start: from, end: to };
}

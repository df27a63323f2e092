// Text that stands inside other text, perhaps escaped: what it says, and where each character stands in the file.
import type { Span } from '../ir.ts';

export interface Source {
  /** The text itself, unescaped. */
  text: string;
  /** The position in the file of the character at this offset; the length is allowed. */
  at(offset: number): number;
  /** The position one past the character before this offset, where that is not one past its own position. */
  end?(offset: number): number;
  /** Where a program puts a value there: its words for that, or none where it has no name. */
  value?(offset: number): string;
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
  const indexOf = (offset: number) => {
    let low = 0;
    let high = parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (offsets[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  // A piece of another length than its place (an escape, a hole) has only a start and an end.
  const isExact = (part: (typeof parts)[number]) => part.end - part.start === part.text.length;
  return {
    text,
    at(offset) {
      const index = indexOf(offset);
      const part = parts[index];
      if (!part) return 0;
      const inside = offset - offsets[index]!;
      if (inside >= part.text.length) return part.end;
      return isExact(part) ? part.start + inside : part.start;
    },
    end(offset) {
      const index = indexOf(offset - 1);
      const part = parts[index];
      if (!part) return 0;
      return isExact(part) ? part.start + (offset - offsets[index]!) : part.end;
    },
  };
}

/** A source inside a source. */
export function within(outer: Source, inner: Source): Source {
  return {
    text: inner.text,
    at: (offset) => outer.at(inner.at(offset)),
    end: (offset) => endOf(outer, endOf(inner, offset)),
  };
}

/** Sources one after the other, read as one text. */
export function inRow(all: Source[]): Source {
  const locate = (offset: number): [Source, number] => {
    let k = 0;
    let rest = offset;
    for (; k < all.length - 1 && rest >= all[k]!.text.length; k++) rest -= all[k]!.text.length;
    return [all[k]!, rest];
  };
  return {
    text: all.map(({ text }) => text).join(''),
    at(offset) {
      const [source, rest] = locate(offset);
      return source.at(rest);
    },
    end(offset) {
      const [source, rest] = locate(offset - 1);
      return endOf(source, rest + 1);
    },
  };
}

const endOf = (source: Source, offset: number): number => source.end?.(offset) ?? source.at(offset - 1) + 1;

export function span(source: Source, start: number, end: number): Span {
  const from = source.at(start);
  const to = end > start ? endOf(source, end) : source.at(end);
  // Text that is put together from several places: the run of characters at the first of them.
  if (to < from || to - from > 4 * (end - start) + 60) {
    let next = start + 1;
    while (next < end && source.at(next) === source.at(next - 1) + 1) next++;
    return { start: from, end: source.at(next - 1) + 1 };
  }
  return { start: from, end: to };
}

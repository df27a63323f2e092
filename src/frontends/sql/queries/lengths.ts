// How many rows or elements a text writes out: of a series, of an array. It reads no query.
import { mark, type Reader, split, word } from '../text/reader.ts';

/** How many rows generate_series(1, 100) and unnest(ARRAY[a, b, c]) give; null where constants do not say it. */
export function setLength(r: Reader, from: number, to: number): number | null {
  const close = to - 1;
  if (mark(r, from + 1) !== '(' || r.closes[from + 1] !== close) return null;
  const name = word(r, from);
  if (name === 'generate_series') return seriesLength(r, from + 2, close);
  return name === 'unnest' ? arrayLength(r, from + 2, close) : null;
}

function seriesLength(r: Reader, from: number, to: number): number | null {
  const numbers = split(r, from, to).map(([a, b]) =>
    b === a + 1 && r.tokens[a]!.kind === 'number' ? Number(r.tokens[a]!.text) : Number.NaN,
  );
  if (numbers.length < 2 || numbers.some((n) => !Number.isInteger(n))) return null;
  const step = numbers[2] ?? 1;
  return step === 0 ? null : Math.max(0, Math.floor((numbers[1]! - numbers[0]!) / step) + 1);
}

/** How many elements an array has that is written out: ARRAY[a, b, c] or '{a,b,c}', with a type or without. */
export function arrayLength(r: Reader, from: number, to: number): number | null {
  let end = to;
  while (mark(r, end - 1) === ']' && mark(r, end - 2) === '[') end -= 2;
  if (mark(r, end - 2) === '::') end -= 2;
  else end = to;
  const token = r.tokens[from];
  if (token?.kind === 'string' && end === from + 1) {
    const inside = /^'\{([^{}"\\]*)\}'$/.exec(token.text)?.[1];
    if (inside === undefined) return null;
    return inside.trim() === '' ? 0 : inside.split(',').length;
  }
  if (word(r, from) === 'string_to_array' && mark(r, from + 1) === '(' && r.closes[from + 1] === end - 1)
    return partsOf(r, from + 2, end - 1);
  if (word(r, from) !== 'array' || mark(r, from + 1) !== '[' || r.closes[from + 1] !== end - 1) return null;
  const items = split(r, from + 2, end - 1);
  // Of an array of arrays the innermost elements count.
  return items.some(([a]) => mark(r, a) === '[' || word(r, a) === 'array') ? null : items.length;
}

/** string_to_array('a,b,c', ',') */
function partsOf(r: Reader, from: number, to: number): number | null {
  const [text, comma, by] = r.tokens.slice(from, to);
  if (to !== from + 3 || text?.kind !== 'string' || comma?.text !== ',' || by?.kind !== 'string') return null;
  const between = by.text.slice(1, -1);
  return text.escaped || by.escaped || between === '' ? null : text.text.slice(1, -1).split(between).length;
}

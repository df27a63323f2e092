// How many rows or elements a text writes out: of a series, of an array, of a text that is cut. It reads no query.
import type { Loop } from '../../../ir.ts';
import { identifier, type Token } from '../text/lexer.ts';
import { numberOf } from '../text/numbers.ts';
import { mark, type Named, nameAt, type Reader, split, word } from '../text/reader.ts';
import { labelsOf } from '../text/types.ts';
import { apart } from './apart.ts';
import { datesIn } from './dates.ts';

export type Length = Pick<Loop, 'times' | 'atMost' | 'each' | 'more' | 'of'>;

const UNKNOWN: Length = { times: null };

/** How many rows a function gives that is called here: generate_series(1, 100), unnest(ARRAY[a, b, c]), unnest(ids). */
export function setLength(r: Reader, from: number, to: number): Length {
  const close = mark(r, from + 1) === '(' ? r.closes[from + 1]! : to;
  // What it gives may be cast.
  if (close >= to || (close < to - 1 && mark(r, close + 1) !== '::') || to > close + 3) return UNKNOWN;
  const name = word(r, from);
  const args = split(r, from + 2, close);
  switch (name) {
    case 'generate_series':
      return seriesLength(r, args);
    case 'unnest':
      return args.length === 1 ? elementsOf(r, from + 2, close) : { times: longest(r, args) };
    case 'generate_subscripts':
      return args.length === 2 && numberAt(r, args[1]!) === 1 ? elementsOf(r, ...args[0]!) : UNKNOWN;
    case 'string_to_table':
    case 'regexp_split_to_table':
      return { times: partsOf(r, from + 2, close, name !== 'string_to_table') };
    case 'regexp_matches':
      // Without the flag `g` it gives the first match alone.
      return args.length === 2 ? { times: 1, atMost: true } : UNKNOWN;
    case 'json_array_elements':
    case 'json_array_elements_text':
    case 'jsonb_array_elements':
    case 'jsonb_array_elements_text':
      return { times: args.length === 1 ? itemsOfJson(r, ...args[0]!, Array.isArray) : null };
    case 'json_each':
    case 'json_each_text':
    case 'json_object_keys':
    case 'jsonb_each':
    case 'jsonb_each_text':
    case 'jsonb_object_keys':
      return { times: args.length === 1 ? itemsOfJson(r, ...args[0]!, isObject) : null };
    default:
      return UNKNOWN;
  }
}

/** Of several arrays beside each other. */
function longest(r: Reader, args: [number, number][]): number | null {
  const all = args.map(([from, to]) => arrayLength(r, from, to));
  return all.length === 0 || all.includes(null) ? null : Math.max(...(all as number[]));
}

const numberAt = (r: Reader, [from, to]: [number, number]) =>
  numberOf(r.tokens, from, to, r.scope.values?.number);

function seriesLength(r: Reader, args: [number, number][]): Length {
  const numbers = args.map((one) => numberAt(r, one));
  const [first = null, last = null, step = args.length > 2 ? null : 1] = numbers;
  if (args.length < 2 || args.length > 3) return UNKNOWN;
  if (first !== null && last !== null && step !== null)
    return step === 0 ? UNKNOWN : { times: Math.max(0, Math.floor((last - first) / step) + 1) };
  if (first !== null && step === 1) return upTo(r, first, args[1]!);
  const texts = args.map(([from, to]) => r.tokens.slice(from, to));
  return (step === null ? datesIn(texts) : fromOneTo(r, texts, step)) ?? UNKNOWN;
}

/** `x, x + 9`, and of NULL none. */
function fromOneTo(r: Reader, [first = [], last = []]: Token[][], step: number): Length | null {
  const far = apart(first, last, r.scope.values?.number);
  const each = far?.name && step === 1 ? givenBy(r, far.name) : undefined;
  if (!far || (far.name && !each) || step === 0) return null;
  if (each) return { times: null, each, ...moreThan(far.plus + 1) };
  return { times: Math.max(0, Math.floor(far.plus / step) + 1), atMost: true };
}

/** From a number up to what the caller gave: `1, n`, `0, n - 1`. */
function upTo(r: Reader, first: number, [from, to]: [number, number]): Length {
  const more = lastOf(r.tokens, from, to, r.scope.values?.number);
  const each = more && nameOf(r, from);
  return each ? { times: null, each, ...moreThan(more.plus - first + 1) } : UNKNOWN;
}

/** What comes to a name that stands first, if nothing else has a part in it: `n`, `n - 1`. */
export function lastOf(
  tokens: readonly Token[],
  from: number,
  to: number,
  holds?: (name: string) => number | null | undefined,
): { plus: number } | null {
  if (to === from + 1) return { plus: 0 };
  const sign = tokens[from + 1]?.text;
  const plus = sign === '+' || sign === '-' ? numberOf(tokens, from + 2, to, holds) : null;
  // What a sum goes on with would have the other sign.
  return plus === null || to > from + 3 ? null : { plus: sign === '-' ? -plus : plus };
}

export const moreThan = (more: number): Pick<Length, 'more'> => (more === 0 ? {} : { more });

/** The routine's own parameter that stands here, where it holds what the caller gave. */
const nameOf = (r: Reader, at: number): string | undefined => givenBy(r, r.tokens[at]!);

function givenBy(r: Reader, token: Token): string | undefined {
  if (token.kind !== 'word' && token.kind !== 'parameter') return undefined;
  return r.scope.values?.given(token.kind === 'word' ? identifier(token) : token.text);
}

/** Of an array: what is written out, what a variable holds, what the caller gave. */
export function elementsOf(r: Reader, from: number, to: number): Length {
  const times = arrayLength(r, from, to);
  if (times !== null) return { times };
  if (to !== from + 1) return sliceOf(r, from, to) ?? labels(r, from, to);
  const token = r.tokens[from]!;
  const held = token.kind === 'word' ? r.scope.values?.items(identifier(token)) : undefined;
  if (held && held.times !== null) return held;
  const each = nameOf(r, from);
  return each ? { times, each } : UNKNOWN;
}

/** `ids[1:50]`. */
function sliceOf(r: Reader, from: number, to: number): Length | null {
  if (r.tokens[from]?.kind !== 'word' || mark(r, from + 1) !== '[' || mark(r, to - 1) !== ']') return null;
  let between = from + 2;
  while (between < to && mark(r, between) !== ':') between++;
  const [first, last] = [numberAt(r, [from + 2, between]), numberAt(r, [between + 1, to - 1])];
  return first === null || last === null ? null : { times: Math.max(0, last - first + 1), atMost: true };
}

/** `enum_range(NULL::mood)`, also as texts: all that the type has. */
function labels(r: Reader, from: number, to: number): Length {
  const called = nameAt(r, from, to);
  if (called?.parts.at(-1) !== 'enum_range') return UNKNOWN;
  const close = r.closes[called.next] ?? to;
  const type = close === to - 1 || mark(r, close + 1) === '::' ? typeOfNull(r, called.next + 1, close) : null;
  return type ? { times: null, of: [labelsOf(type)] } : UNKNOWN;
}

/** `NULL::mood`, `CAST(NULL AS mood)`. */
function typeOfNull(r: Reader, from: number, to: number): Named | null {
  const isCast = word(r, from) === 'cast' && mark(r, from + 1) === '(' && r.closes[from + 1] === to - 1;
  const [value, end] = isCast ? [from + 2, to - 1] : [from, to];
  const goes = isCast ? word(r, value + 1) === 'as' : mark(r, value + 1) === '::';
  const type = word(r, value) === 'null' && goes ? nameAt(r, value + 2, end) : null;
  return type?.next === end ? type : null;
}

/** How many elements an array has that is written out: ARRAY[a, b, c] or '{a,b,c}', with a type or without, and several of these in a row. */
export function arrayLength(r: Reader, from: number, to: number): number | null {
  let sum: number | null = 0;
  for (let start = from, i = from; i <= to && sum !== null; i++) {
    if (i < to && (mark(r, i) === '(' || mark(r, i) === '[')) i = Math.min(r.closes[i]!, to);
    if (i < to && mark(r, i) !== '||') continue;
    const one = lengthOfOne(r, start, i);
    sum = one === null ? null : sum + one;
    start = i + 1;
  }
  return sum;
}

function lengthOfOne(r: Reader, from: number, to: number): number | null {
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
  const called = mark(r, from + 1) === '(' && r.closes[from + 1] === end - 1 ? word(r, from) : '';
  if (called === 'string_to_array' || called === 'regexp_split_to_array')
    return partsOf(r, from + 2, end - 1, called !== 'string_to_array');
  if (word(r, from) !== 'array' || mark(r, from + 1) !== '[' || r.closes[from + 1] !== end - 1) return null;
  const items = split(r, from + 2, end - 1);
  // Of an array of arrays the innermost elements count.
  return items.some(([a]) => mark(r, a) === '[' || word(r, a) === 'array') ? null : items.length;
}

/** string_to_array('a,b,c', ','); of a pattern, where each of its characters stands for itself. */
function partsOf(r: Reader, from: number, to: number, isPattern: boolean): number | null {
  const [text, comma, by] = r.tokens.slice(from, to);
  if (to !== from + 3 || text?.kind !== 'string' || comma?.text !== ',' || by?.kind !== 'string') return null;
  const between = by.text.slice(1, -1);
  if (text.escaped || by.escaped || between === '') return null;
  if (isPattern && !/^[\w ,;:/-]+$/.test(between)) return null;
  const whole = text.text.slice(1, -1);
  return whole === '' && !isPattern ? 0 : whole.split(between).length;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `'[1, 2, 3]'` and `'{"a": 1, "b": 2}'`, with a type or without. */
function itemsOfJson(r: Reader, from: number, to: number, isSo: (value: unknown) => boolean): number | null {
  const token = r.tokens[from];
  const alone = to === from + 1 || (to === from + 3 && mark(r, from + 1) === '::');
  if (token?.kind !== 'string' || token.escaped || !alone) return null;
  try {
    const items = JSON.parse(token.text.slice(1, -1));
    return isSo(items) ? Object.keys(items).length : null;
  } catch {
    return null;
  }
}

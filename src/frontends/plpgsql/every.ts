// In how many turns of a loop a condition holds once, by a counter: `i % 100 = 0`, `n >= 100`. Not what is done then, nor how often a loop turns.
import type { Branch } from '../../ir.ts';
import { MIRRORED } from '../signs.ts';
import { moreThan } from '../sql/queries/lengths.ts';
import { type Context, closing, mark, nameAt, type Turning, word } from './context.ts';
import { type Growth, growth, isSet, startsAt } from './growth.ts';
import { givenAs, literal, setters } from './survey.ts';
import type { Range, Statement } from './tree.ts';
import { conjuncts, signAt } from './turns.ts';

export type Every = Pick<Branch, 'every' | 'orMore' | 'each' | 'more'>;

/** How many turns that are, or the parameter that says how many, and how many more than that. */
type Size = { number: number } | { each: string; more: number };

/** Where all of several conditions must hold, the one that holds least often, and perhaps less often than that. */
export function turnsBetween(
  c: Context,
  condition: Range,
  arm: Statement[],
  loop: Turning | undefined,
  contrary = false,
): Every | null {
  const all = conjuncts(c, condition);
  // Where one of several does not hold, others may.
  if (contrary && all.length > 1) return null;
  let found: Every | null = null;
  for (const one of all) {
    const every = turnsBetweenOne(c, one, arm, loop, contrary);
    if (every && (every.every ?? 0) >= (found?.every ?? 0)) found = every;
  }
  return found && all.length > 1 ? { ...found, orMore: true } : found;
}

/** `i % 100 = 0`, `mod(i, 100) = 0`, and `n >= 100` where the arm sets n again. */
function turnsBetweenOne(
  c: Context,
  range: Range,
  arm: Statement[],
  loop: Turning | undefined,
  contrary: boolean,
): Every | null {
  const { from, to } = unwrapped(c, range);
  const at = comparedAt(c, { from, to });
  if (at === null) return null;
  const sides: [Range, Range] = [unwrapped(c, { from, to: at }), unwrapped(c, { from: at + 1, to })];
  const sign = signAt(c, at, contrary);
  for (const [counter, limit, is] of [
    [sides[0], sides[1], sign],
    [sides[1], sides[0], MIRRORED[sign] ?? sign],
  ] as const) {
    const rest = is === '=' && literal(c, limit) !== null ? remainder(c, counter) : null;
    if (rest) return byRemainder(rest.by, growthOf(c, rest.of, loop));
    const name = counter.to === counter.from + 1 ? nameAt(c, counter.from) : null;
    const own = name === null || !loop ? [] : setters(c, arm, name);
    const size = own.length > 0 && STARTS[is] !== undefined ? sizeOf(c, limit) : null;
    const grows = size && growth(c, loop!.body, name!);
    if (grows && own.every((one) => startsAt(c, one) !== null))
      return everySo(size, { ...grows, sure: grows.sure && grows.starts === own.length }, STARTS[is]!);
  }
  return null;
}

/** What a comparison with the size adds to it. */
const STARTS: Record<string, number> = { '>=': 0, '=': 0, '>': 1 };

/** What is no counter, such as the number of a row, is taken to be one. */
const BY_ONE: Growth = { per: 1, least: 1, sure: true, from: 0, starts: 0 };

function everySo(size: Size, { per, from, sure }: Growth, more: number): Every | null {
  const least = sure ? {} : { orMore: true as const };
  if ('number' in size) {
    const turns = Math.ceil((size.number + more - from) / per);
    return turns > 0 ? { every: turns, ...least } : null;
  }
  return per === 1 ? { each: size.each, ...moreThan(size.more + more - from), ...least } : null;
}

/** Where each turn moves it by three, one in a hundred turns comes to a hundred again. */
function byRemainder(size: Size, grows: Growth | null): Every | null {
  if (!grows || ('number' in size && size.number <= 0)) return null;
  const isPart = 'number' in size && size.number % grows.per === 0;
  return everySo(size, { ...grows, per: isPart ? grows.per : 1, from: 0 }, 0);
}

function unwrapped(c: Context, { from, to }: Range): Range {
  if (mark(c, from) !== '(' || closing(c, from, to) !== to - 1) return { from, to };
  return unwrapped(c, { from: from + 1, to: to - 1 });
}

const COMPARES = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);

function comparedAt(c: Context, { from, to }: Range): number | null {
  for (let i = from; i < to; i++) {
    const m = mark(c, i);
    if (m === '(' || m === '[') i = closing(c, i, to);
    else if (COMPARES.has(m)) return i;
  }
  return null;
}

/** `i % 100`, `mod(i, 100)`. */
function remainder(c: Context, { from, to }: Range): { of: Range; by: Size } | null {
  const isCall = word(c, from) === 'mod' && mark(c, from + 1) === '(' && closing(c, from + 1, to) === to - 1;
  const [start, end, between] = isCall ? [from + 2, to - 1, ','] : [from, to, '%'];
  for (let i = start; i < end; i++) {
    const m = mark(c, i);
    if (m === '(' || m === '[') i = closing(c, i, end);
    else if (m === between) {
      const by = sizeOf(c, { from: i + 1, to: end });
      return by && { of: unwrapped(c, { from: start, to: i }), by };
    }
  }
  return null;
}

function sizeOf(c: Context, range: Range): Size | null {
  const { from, to } = unwrapped(c, range);
  const number = literal(c, { from, to });
  if (number !== null) return { number };
  const token = to === from + 1 ? c.tokens[from] : undefined;
  const name = token?.kind === 'parameter' ? token.text : token ? nameAt(c, from) : null;
  const parameter = name === null ? undefined : givenAs(c, name);
  return parameter === undefined ? null : { each: parameter, more: 0 };
}

function growthOf(c: Context, { from, to }: Range, loop: Turning | undefined): Growth | null {
  const name = to === from + 1 ? nameAt(c, from) : null;
  if (name === null || !loop) return BY_ONE;
  if (name === loop.counter) return { ...BY_ONE, per: loop.by ? Math.max(1, literal(c, loop.by) ?? 1) : 1 };
  return isSet(c, loop.body, name) ? growth(c, loop.body, name) : BY_ONE;
}

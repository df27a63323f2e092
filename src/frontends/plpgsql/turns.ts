// How often a loop turns whose condition or exit compares a counter with a number, or whose bounds a caller gives. Not which loops there are, nor what they do.
import type { Loop } from '../../ir.ts';
import { MIRRORED } from '../signs.ts';
import { datesIn } from '../sql/queries/dates.ts';
import { lastOf, moreThan } from '../sql/queries/lengths.ts';
import { identifier } from '../sql/text/lexer.ts';
import { type Context, closing, find, mark, nameAt, word } from './context.ts';
import { cursorOf } from './cursors.ts';
import { growth } from './growth.ts';
import { isError } from './raise.ts';
import {
  each,
  farBetween,
  givenAs,
  held,
  lengthOf,
  literal,
  rows,
  setters,
  stays,
  type Turns,
  truthOf,
} from './survey.ts';
import type { ChoiceNode, LoopNode, Range, Statement } from './tree.ts';

/**
 * A counter that each turn moves ends the loop: `WHILE i <= 5`, `EXIT WHEN i > 5`. Where nobody says where it starts, it
 * starts at 0 or above, as counters do.
 */
export function counted(c: Context, node: LoopNode): Turns {
  if (node.over.what === 'condition') return turnsWhile(c, node, node.over.condition);
  return endedEarly(c, node, fetchedIn(c, node) ?? { times: null });
}

/** What a loop has of turns where a counter of its own ends it before: `EXIT WHEN n >= 50`. */
export function endedEarly<T extends Turns>(c: Context, node: LoopNode, turns: T): T {
  let most = Number.POSITIVE_INFINITY;
  for (const one of alwaysRun(node.body)) {
    const condition = leavesWhen(c, one, node.label);
    for (const way of condition ? eitherOf(c, condition) : NO_WAYS) {
      const limit = limitOf(c, way);
      const more = limit && LEAVES[limit.sign];
      if (more && raised(c, node.body, limit)) most = Math.min(most, Math.max(0, limit.limit) + more);
    }
  }
  return most < (turns.times ?? Number.POSITIVE_INFINITY) ? { ...turns, times: most, atMost: true } : turns;
}

const NO_WAYS: Range[] = [];

/** Each turn moves it up, and past no number that it is asked for; nothing sets it back. */
function raised(c: Context, body: Statement[], { name, sign }: { name: string; sign: string }): boolean {
  const grows = growth(c, body, name);
  return grows !== null && grows.least > 0 && grows.starts === 0 && (sign !== '=' || grows.per === 1);
}

/** What OR joins. */
export function eitherOf(c: Context, { from, to }: Range): Range[] {
  const or = find(c, { from, to }, 'or', 'case');
  if (or >= to) return [{ from, to }];
  return word(c, or) === 'case' ? [] : [{ from, to: or }, ...eitherOf(c, { from: or + 1, to })];
}

/** `LOOP FETCH c INTO r; EXIT WHEN NOT FOUND; …`: once for each row of the cursor, and once more, where nothing opens it anew. */
function fetchedIn(c: Context, { body, label }: LoopNode): Turns | null {
  const [fetch, exit] = body;
  if (fetch?.kind !== 'plain' || fetch.verb !== 'fetch' || !exit) return null;
  const condition = leavesWhen(c, exit, label);
  if (!condition || !eitherOf(c, condition).some((one) => isNotFound(c, one))) return null;
  const name = cursorOf(c, fetch);
  const query = name === null ? undefined : c.cursors.get(name)?.query;
  const again = c.around.some(({ turns }) => turns) || opensIn(c, body, name);
  const { times } = query && c.opens.get(name!) === 1 && !again ? rows(c, query) : { times: null };
  return times === null ? null : { times: times + 1, atMost: true };
}

function opensIn(c: Context, body: Statement[], name: string | null): boolean {
  let found = false;
  each(body, (one) => {
    found ||= one.kind === 'plain' && one.verb === 'open' && nameAt(c, one.from + 1) === name;
  });
  return found;
}

const isNotFound = (c: Context, { from, to }: Range): boolean =>
  to === from + 2 && word(c, from) === 'not' && word(c, from + 1) === 'found';

/** What a loop over integers has of turns where its counter ends it before: `EXIT WHEN i > 5`. */
export function leftBefore(
  c: Context,
  node: LoopNode,
  over: Extract<LoopNode['over'], { what: 'range' }>,
  turns: Turns,
): Turns {
  const first = over.reverse || over.by ? null : literal(c, over.low);
  const counter = nameAt(c, node.targets.from);
  let most = Number.POSITIVE_INFINITY;
  for (const one of first === null ? [] : alwaysRun(node.body)) {
    const condition = leavesWhen(c, one, node.label);
    const limit = condition && limitOf(c, condition);
    const more = limit?.name === counter && LEAVES[limit!.sign];
    if (more) most = Math.min(most, Math.max(0, limit!.limit - first!) + more);
  }
  return most < (turns.times ?? Number.POSITIVE_INFINITY) ? { times: most, atMost: true } : turns;
}

/** `EXIT WHEN …`, and `IF … THEN EXIT;`, or what leaves more than the loop. */
function leavesWhen(c: Context, node: Statement, loop: string | undefined): Range | null {
  if (node.kind === 'if') {
    const [{ condition, body } = NO_ARM] = node.arms;
    return condition && body.some((one) => leaves(c, one, loop)) ? condition : null;
  }
  if (node.kind !== 'plain' || node.verb !== 'exit') return null;
  const when = find(c, node, 'when');
  return when < node.to && isLabelOf(c, node, when, loop) ? { from: when + 1, to: node.to } : null;
}

const NO_ARM: Partial<ChoiceNode['arms'][number]> & { body: Statement[] } = { body: [] };

export function leaves(c: Context, node: Statement, loop: string | undefined): boolean {
  if (node.kind !== 'plain') return false;
  if (node.verb === 'exit') return isLabelOf(c, node, node.to, loop) && find(c, node, 'when') >= node.to;
  return node.verb === 'return' || (node.verb === 'raise' && isError(c, node));
}

/** An EXIT without one leaves the nearest loop. */
const isLabelOf = (c: Context, { from }: Range, to: number, loop: string | undefined): boolean =>
  to <= from + 1 || c.tokens[from + 1]!.text === loop;

/** What a comparison with the limit adds to it. */
const LEAVES: Record<string, number> = { '>=': 1, '=': 1, '>': 2 };

function limitOf(c: Context, { from, to }: Range): { name: string; sign: string; limit: number } | null {
  if (mark(c, from) === '(' && closing(c, from, to) === to - 1)
    return limitOf(c, { from: from + 1, to: to - 1 });
  const [first, last] = [nameAt(c, from), nameAt(c, to - 1)];
  const limit = first === null ? null : literal(c, { from: from + 2, to });
  if (limit !== null) return { name: first!, sign: mark(c, from + 1), limit };
  const turned = last === null ? null : literal(c, { from, to: to - 2 });
  return turned === null
    ? null
    : { name: last!, sign: MIRRORED[mark(c, to - 2)] ?? mark(c, to - 2), limit: turned };
}

/** Where all of several conditions must hold, the one that ends first ends it, or another one before that. */
function turnsWhile(c: Context, node: LoopNode, condition: Range): Turns {
  const [one, ...others] = conjuncts(c, condition);
  if (others.length === 0) return turnsWhileOne(c, node, one!);
  const times = [one!, ...others].flatMap((each) => turnsWhileOne(c, node, each).times ?? []);
  return times.length > 0 ? { times: Math.min(...times), atMost: true } : { times: null };
}

/** What AND joins, without the brackets around all of it. */
export function conjuncts(c: Context, { from, to }: Range): Range[] {
  const out: Range[] = [];
  let start = from;
  let depth = 0;
  for (let i = from; i < to; i++) {
    const m = mark(c, i);
    if (m === '(' || m === '[') depth++;
    else if (m === ')' || m === ']') depth--;
    else if (depth === 0 && ['or', 'between', 'case'].includes(word(c, i))) return [{ from, to }];
    else if (depth === 0 && word(c, i) === 'and') {
      out.push({ from: start, to: i });
      start = i + 1;
    }
  }
  out.push({ from: start, to });
  const wrapped = out.length === 1 && mark(c, from) === '(' && closing(c, from, to) === to - 1;
  return wrapped ? conjuncts(c, { from: from + 1, to: to - 1 }) : out;
}

function turnsWhileOne(c: Context, node: LoopNode, condition: Range): Turns {
  if (truthOf(c, condition) === false) return { times: 0 };
  const found = limitOf(c, condition);
  if (!found) return untilDate(c, node, condition) ?? whileGiven(c, node, condition);
  const step = moved(c, node.body, found.name);
  if (!step || !/^[<>]=?$/.test(found.sign) || step > 0 !== (found.sign[0] === '<')) return { times: null };
  const { name, sign, limit } = found;
  const known = startOf(c, name);
  if (known === undefined)
    return step > 0 ? { times: Math.max(0, limit) + (sign === '<' ? 0 : 1), atMost: true } : { times: null };
  const distance = (limit - known) / step;
  const times = Math.max(0, sign.length === 1 ? Math.ceil(distance) : Math.floor(distance) + 1);
  return leavesEarlier(node.body) ? { times, atMost: true } : { times };
}

/** `WHILE d < '2026-12-01'`, where `d := d + 1` or `d + interval '1 month'` moves it from a date that is written out too. */
function untilDate(c: Context, node: LoopNode, { from, to }: Range): Turns | null {
  const [name, sign] = [nameAt(c, from), mark(c, from + 1)];
  const start = name !== null && isAtStart(c, name) && c.dates.get(name);
  if (!start || (sign !== '<' && sign !== '<=')) return null;
  const by = movedBy(c, node.body, name);
  if (!by || mark(c, by.from - 1) !== '+') return null;
  const last = nameAt(c, from + 2);
  const end = to === from + 3 && last !== null && stays(c, last) ? c.dates.get(last) : undefined;
  const between = [start, end ?? { from: from + 2, to }, by].map((one) => c.tokens.slice(one.from, one.to));
  // What it is relative to is the same in each turn.
  if (between.flat().some((one) => one.kind === 'word' && !stays(c, identifier(one)))) return null;
  const turns = datesIn(between, sign === '<');
  return turns && (leavesEarlier(node.body) ? { ...turns, atMost: true } : turns);
}

/** Where a counter starts is known of the first time that the loop is entered. */
const startOf = (c: Context, name: string): number | undefined =>
  isAtStart(c, name) ? c.numbers.get(name) : undefined;

const isAtStart = (c: Context, name: string): boolean =>
  !c.around.some(({ turns }) => turns) && isMovedOnce(c, name);

/** `WHILE i < n`, up to what the caller gave. */
function whileGiven(c: Context, node: LoopNode, condition: Range): Turns & Pick<Loop, 'each' | 'more'> {
  const { from, to } = condition;
  const [counter, limit, sign] = [nameAt(c, from), nameAt(c, from + 2), mark(c, from + 1)];
  const each = limit === null ? undefined : givenAs(c, limit);
  const last = lastOf(c.tokens, from + 2, to, (name) => held(c, name));
  const start = counter === null ? undefined : startOf(c, counter);
  if (start === undefined || !last || each === undefined) return { times: null };
  if ((sign !== '<' && sign !== '<=') || moved(c, node.body, counter!) !== 1) return { times: null };
  const more = moreThan(last.plus - start + (sign === '<' ? 0 : 1));
  return { times: null, each, ...more, ...(leavesEarlier(node.body) && { atMost: true }) };
}

/** By how much each turn moves it, which is set in one place, `i := i + 1`. */
function moved(c: Context, body: Statement[], name: string): number | null {
  const step = movedBy(c, body, name);
  const by = step && literal(c, step);
  if (by === null) return null;
  const sign = mark(c, step!.from - 1);
  return sign === '+' ? by : sign === '-' ? -by : null;
}

/** What stands behind the sign. */
function movedBy(c: Context, body: Statement[], name: string): Range | null {
  const [one, ...others] = setters(c, body, name);
  if (one?.kind !== 'plain' || others.length > 0 || !alwaysRun(body).includes(one)) return null;
  return nameAt(c, one.from + 2) === name ? { from: one.from + 4, to: one.to } : null;
}

/** What each turn comes to: by itself, in a block, or before anything in a block that an error may leave; it may leave by an error, too. */
const alwaysRun = (body: Statement[]): Statement[] =>
  body.flatMap((node) => {
    if (node.kind !== 'block') return [node];
    const [first] = node.body;
    return node.exception ? alwaysRun(first && first.kind !== 'if' ? [first] : []) : alwaysRun(node.body);
  });

const isMovedOnce = (c: Context, name: string) => setters(c, c.statements, name).length === 1;

function leavesEarlier(body: Statement[]): boolean {
  let found = false;
  each(body, (node) => {
    found ||= node.kind === 'plain' && ['exit', 'continue', 'return'].includes(node.verb);
  });
  return found;
}

/** The sign of a comparison, or the one of where it does not hold. */
export function signAt(c: Context, at: number, contrary: boolean): string {
  const sign = mark(c, at);
  return contrary ? (UNLESS[sign] ?? '') : sign;
}

const UNLESS: Record<string, string> = {
  '=': '<>',
  '<>': '=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** The parameter whose elements it goes over, where they are not counted, one for each or by their places; or up to which it counts. */
export function eachOf(
  c: Context,
  over: Extract<LoopNode['over'], { what: 'array' | 'range' }>,
  turns: Turns,
): Pick<Loop, 'each' | 'more'> {
  if (turns.times !== null) return {};
  const up = over.what === 'array' ? { array: over.array, more: 0 } : upTo(c, over);
  const alone = up && up.array.to === up.array.from + 1 ? c.tokens[up.array.from] : undefined;
  const far = over.what === 'range' && !alone && !over.by ? farBetween(c, over) : null;
  const token = alone ?? far?.name;
  const each = token?.kind === 'word' ? givenAs(c, identifier(token)) : undefined;
  return each === undefined ? {} : { each, ...moreThan(far ? far.plus + 1 : up!.more) };
}

/** How many rows a query gives, or the parameter that is its LIMIT: no more than that. */
export function rowsUpTo(c: Context, query: Range): ReturnType<typeof rows> {
  const turns = rows(c, query);
  const limit = find(c, query, 'limit') + 1;
  const end = find(c, { from: limit, to: query.to }, 'offset', 'for');
  const token = turns.times === null && end === limit + 1 ? c.tokens[limit] : undefined;
  const name = token?.kind === 'word' ? identifier(token) : undefined;
  const each = name === undefined ? undefined : givenAs(c, name);
  return each === undefined ? turns : { ...turns, each, atMost: true };
}

/** An array whose last place it is, or a number, and what comes to that: `1 .. cardinality(a)`, `0 .. n - 1`, `2 .. n`. */
function upTo(
  c: Context,
  { low, high, reverse, by }: Extract<LoopNode['over'], { what: 'range' }>,
): { array: Range; more: number } | null {
  const [first, last] = reverse ? [high, low] : [low, high];
  const from = word(c, first.from) === 'array_lower' ? 1 : literal(c, first);
  if (by || from === null) return null;
  const call = mark(c, last.from + 1) === '(' ? closing(c, last.from + 1, last.to) : last.from;
  const end = { from: last.from, to: Math.min(call + 1, last.to) };
  const plus = lastOf(c.tokens, call, last.to, (name) => held(c, name));
  return plus && { array: lengthOf(c, end) ?? end, more: plus.plus - from + 1 };
}

// What LIMIT and FETCH FIRST let through, and what is computed for no more rows than that. Not what a query's rows are.
import type { Loop } from '../../../ir.ts';
import { isBuiltin } from '../text/builtins.ts';
import { type Clause, clauseOf, isLabel } from '../text/clauses.ts';
import { identifier } from '../text/lexer.ts';
import { numberOf } from '../text/numbers.ts';
import { find, mark, type Reader, split, word } from '../text/reader.ts';
import { isKeyword } from './expression.ts';
import type { Given, Tables } from './from.ts';
import { hasRowSet } from './rowsets.ts';

/** What is computed for the rows that come out runs for no more of them than LIMIT lets through. */
export function computed(r: Reader, parts: Clause[], limit: number | null): number | null {
  if (limit === null || !isLazy(r, parts)) return null;
  const offset = clauseOf(parts, 'offset');
  if (!offset) return limit;
  const skipped = r.tokens[offset.from];
  return skipped?.kind === 'number' ? limit + Number(skipped.text) : null;
}

/** Whether it is computed for those rows alone that somebody asks for. */
export function isLazy(r: Reader, parts: Clause[]): boolean {
  const [targets, ...rest] = parts;
  if (word(r, targets!.from) === 'distinct') return false;
  if (hasRowSet(r, targets!.from, targets!.to) || clauseOf(rest, 'having')) return false;
  // What a window function is given and what its window is made of is computed for all of them, what stands beside it is not.
  const windows = isOver(r, targets!.from, targets!.to)
    ? split(r, targets!.from, targets!.to).filter(([from, to]) => isOver(r, from, to))
    : [];
  const named = clauseOf(rest, 'window');
  if (named) windows.push([named.from, named.to]);
  if (windows.some(([from, to]) => callsOwn(r, from, to))) return false;
  const order = clauseOf(rest, 'order');
  const labels = new Set<string>();
  for (let i = targets!.from; i < targets!.to; i++) {
    const first = i === targets!.from || mark(r, i - 1) === ',';
    if (isLabel(r, i) || (first && mark(r, i + 1) === '(')) labels.add(r.tokens[i]!.text);
  }
  const group = clauseOf(rest, 'group');
  // What the rows are sorted or grouped by is computed for all of them.
  return ![order, group].some(
    (by) => by && split(r, by.from + 1, by.to).some(([from, to]) => sortsBy(r, from, to, labels)),
  );
}

/** Whether its rows are asked for as often as somebody asks for one of this query: nothing sorts, counts or leaves out any. */
export const handsOn = (r: Reader, parts: Clause[]): boolean =>
  isLazy(r, parts) &&
  !parts.some((clause) => STOPS.has(clause.word)) &&
  !isOver(r, parts[0]!.from, parts[0]!.to);

/** Whether a window function is in it, for which all rows may be read before the first one comes out. */
function isOver(r: Reader, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (word(r, i) === 'over') return true;
  return false;
}

const STOPS = new Set(['where', 'group', 'order', 'having']);

export function askFor(lazy: Loop[] | undefined, rows: number | null): void {
  if (lazy && rows !== null)
    for (const loop of lazy) {
      loop.times = Math.min(loop.times ?? rows, rows);
      loop.atMost = true;
    }
}

/** A column of the result, by its number or name, or a function of the repository. */
function sortsBy(r: Reader, from: number, to: number, labels: Set<string>): boolean {
  if (r.tokens[from]?.kind === 'number' || callsOwn(r, from, to)) return true;
  for (let i = from; i < to; i++) {
    const { kind, text } = r.tokens[i]!;
    if (kind === 'word' && mark(r, i + 1, to) !== '(' && labels.has(text)) return true;
  }
  return false;
}

function callsOwn(r: Reader, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const { kind, text } = r.tokens[i]!;
    if (kind === 'word' && mark(r, i + 1, to) === '(' && !isBuiltin(text) && !isKeyword(r, i, text))
      return true;
  }
  return false;
}

export function upTo(
  r: Reader,
  parts: Clause[],
  limit: number | null,
  tables: Tables,
): Omit<Tables, 'items' | 'perRow'> {
  const given =
    limit === null && tables.times === null && isLazy(r, parts) ? limitGiven(r, parts) : undefined;
  if (limit === null) return given ? { ...tables, given } : tables;
  if (limit === 1) return { rows: 'one', times: 1, sure: true };
  const times = tables.rows === 'one' ? limit : Math.min(limit, tables.times ?? limit);
  return { ...tables, times, atMost: true };
}

/** The parameter that says how many it lets through. */
export function limitGiven(r: Reader, parts: Clause[]): Given | undefined {
  const limit = clauseOf(parts, 'limit');
  const token = limit && limit.to === limit.from + 1 ? r.tokens[limit.from] : undefined;
  if (token?.kind !== 'word' && token?.kind !== 'parameter') return undefined;
  const each = r.scope.values?.given(token.kind === 'word' ? identifier(token) : token.text);
  return each === undefined ? undefined : { each };
}

/** How many rows it lets through, where a number says it. */
export function limitOf(r: Reader, parts: Clause[]): number | null {
  for (const clause of parts) {
    const number = (from: number, to: number) => numberOf(r.tokens, from, to, r.scope.values?.number);
    if (clause.word === 'limit') {
      const limit = number(clause.from, clause.to);
      if (limit !== null) return limit;
    }
    if (clause.word === 'fetch') {
      if (word(r, clause.to - 1) === 'ties') return null;
      if (word(r, clause.from + 1).startsWith('row')) return 1;
      const rows = Math.min(find(r, clause.from, clause.to, 'row'), find(r, clause.from, clause.to, 'rows'));
      return number(clause.from + 1, rows);
    }
  }
  return null;
}

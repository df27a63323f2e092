// Reads which targets of a query give sets of rows, and what runs again for each of those rows. Not how many rows its tables have.
import type { Step } from '../../../ir.ts';
import { type Clause, isQuery } from '../text/clauses.ts';
import { at, mark, type Reader, split, word } from '../text/reader.ts';
import { OPENS, ROW_SET } from '../text/sorts.ts';
import { setLength } from './lengths.ts';
import { limitOf } from './limits.ts';

export function hasRowSet(r: Reader, from: number, to: number): boolean {
  if ((r.sorts & ROW_SET) === 0) return false;
  r.rowSets ??= rowSets(r);
  if (!r.rowSets.some((i) => i >= from && i < to)) return false;
  for (let i = from; i < to; i++) {
    const { sorts } = r.tokens[i]!;
    if ((sorts & OPENS) !== 0) i = pastQuery(r, i);
    else if ((sorts & ROW_SET) !== 0 && mark(r, i + 1, to) === '(') return true;
  }
  return false;
}

function rowSets(r: Reader): number[] {
  const out: number[] = [];
  for (const [i, { sorts }] of r.tokens.entries())
    if ((sorts & ROW_SET) !== 0 && mark(r, i + 1) === '(') out.push(i);
  return out;
}

/** Beside what gives a set of rows, as `SELECT generate_series(1, 100), f()`, each value is computed again for each of them. */
export function besideSets(r: Reader, { from, to }: Clause, row: Step[], parts: Clause[]): void {
  if (row.length === 0 || !hasRowSet(r, from, to) || limitOf(r, parts) !== null) return;
  const lengths = split(r, from, to).map(([a, b]) =>
    setLength(r, a, endOfTarget(r, { word: '', from: a, to: b })),
  );
  // What a set is made of is computed once.
  const within = inSets(r, from, to);
  const isBeside = ({ kind, at }: Step) => kind !== 'loop' && !within.has(at.start);
  const body = row.filter(isBeside);
  if (body.every((step) => step.kind === 'read' || step.kind === 'cast')) return;
  const length = lengths.find(({ times, each, of }) => times !== null || each || of) ?? { times: null };
  const once = row.filter((step) => !isBeside(step));
  row.splice(0, row.length, ...once, { kind: 'loop', at: body[0]!.at, over: 'query', ...length, body });
}

/** Where words stand in the brackets of what gives a set of rows, without those that have another in theirs. */
function inSets(r: Reader, from: number, to: number): Set<number> {
  const out = new Set<number>();
  const all = r.rowSets!.filter((i) => from <= i && i < to);
  for (const [k, set] of all.entries()) {
    const close = Math.min(r.closes[set + 1]!, to);
    if ((all[k + 1] ?? to) >= close) for (let i = set + 2; i < close; i++) out.add(at(r, i, i + 1).start);
  }
  return out;
}

/** Without its label. */
export function endOfTarget(r: Reader, { to }: Clause): number {
  if (word(r, to - 2) === 'as') return to - 2;
  return mark(r, to - 1) === ')' ? to : to - 1;
}

/** Where a query in brackets opens the place where it closes, else this place. */
export const pastQuery = (r: Reader, i: number) =>
  mark(r, i) === '(' && isQuery(r, i + 1, r.closes[i]!) ? r.closes[i]! : i;

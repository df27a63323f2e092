// Reads FOR UPDATE and its like: which relations' rows are locked, how strongly. Not which rows come out.
import type { LockStrength, Rows, Step } from '../../../ir.ts';
import type { Clause } from '../text/clauses.ts';
import { at, find, isWords, mark, nameAt, type Reader, word } from '../text/reader.ts';
import type { Tables } from './from.ts';
import { type Predicate, picking, setBy } from './predicate.ts';

const STRENGTH: Record<string, [LockStrength, number]> = {
  update: ['update', 1], share: ['share', 1], no: ['no key update', 3], key: ['key share', 2],
}; // biome-ignore format: a table

/** `FOR UPDATE OF a SKIP LOCKED`: the steps of locking these tables' rows. */
export function rowLock(
  r: Reader,
  from: number,
  clause: Clause,
  tables: Tables,
  picks: Predicate | null,
  into: string[],
  limit: number | null,
  steps: Step[],
): void {
  const found = STRENGTH[word(r, clause.from)];
  if (!found) return; // FOR READ ONLY
  const [strength, length] = found;
  const place = at(r, clause.from - 1, clause.from + length);
  const of = new Set<string>();
  let i = clause.from + length;
  if (word(r, i) === 'of') {
    for (i++; i < clause.to; i++) {
      const name = nameAt(r, i, clause.to);
      if (!name) break;
      of.add(name.parts[name.parts.length - 1] ?? '');
      i = name.next;
      if (mark(r, i) !== ',') break;
    }
  }
  let skipLocked = false;
  for (; i < clause.to; i++) if (isWords(r, i, 'skip', 'locked')) skipLocked = true;
  const keys = [...(picks?.keys ?? []), ...into.map(setBy(r))];
  const picked = keys.length > 0 ? picking(r, keys) : {};
  const meant = tables.items.filter((item) => of.size === 0 || of.has(item.alias));
  const locked = meant.filter((item) => item.lock);
  // What OFFSET passes over is locked as well.
  const isAll =
    tables.items.length === 1 &&
    tables.perRow.length === 0 &&
    !skipLocked &&
    !r.exists &&
    find(r, from, clause.from, 'tablesample') === clause.from;
  for (const item of locked) {
    const rows: Rows =
      item.rows === 'one' || limit === 1 ? 'one' : picks || limit !== null ? 'unknown' : 'many';
    steps.push({
      kind: 'row lock',
      at: place,
      strength,
      relation: item.lock!.name,
      rows,
      ...(skipLocked && { skipLocked }),
      ...(isAll && rows === 'many' && { all: true as const }),
      ...(limit !== 1 && tables.items.length === 1 && tables.picked && { picked: tables.picked }),
      ...picked,
    });
  }
  // Of a sub-query's rows it locks those of its tables; rows of a common table expression or a function are nobody's.
  for (const { of: given } of meant)
    if (given !== undefined)
      steps.push({
        kind: 'row lock',
        at: place,
        strength,
        relation: given,
        rows: 'unknown',
        ...(skipLocked && { skipLocked }),
        ...picked,
      });
}

// Whether two statements speak of the same rows, by what picks them. Not which relation: that is known to be one.
import type { Certainty, RowLock, Write } from '../ir.ts';

/**
 * `certain` by a constant, `likely` by a variable, by a child's reference to its parent, or because a worker changes
 * the job that it took with SKIP LOCKED; `possible` when nothing tells; null when they differ. In another turn of a
 * loop a variable holds another row. What an UPDATE sets was another value before: where that picks its rows, it names
 * the parent that they leave, and the one that is locked is the one that they come to.
 */
export function sameRows(
  a: RowLock | Write,
  b: RowLock | Write,
  when: 'same turn' | 'another turn',
): Certainty | null {
  const [mine, other] = [a.keys ?? [], b.keys ?? []];
  const sure = when === 'same turn' ? 'likely' : 'possible';
  if (a.kind === 'write' && a.relation !== b.relation) {
    const left = mine.filter((key) => a.verb === 'update' && a.columns?.includes(columnOf(key)));
    if (refers(left, other)) return when === 'same turn' ? null : 'possible';
    const named = mine.filter((key) => !left.includes(key));
    return refers(named, other) ? sure : 'possible';
  }
  const shared = mine.filter((key) => other.includes(key));
  if (differ(mine, other)) return null;
  // `state = 1` says little where each of them names its row by a variable beside it.
  if (shared.some(isConstant) && !(mine.some(isVariable) && other.some(isVariable))) return 'certain';
  return shared.some((key) => !isConstant(key)) || (a.kind === 'row lock' && a.skipLocked)
    ? sure
    : 'possible';
}

const columnOf = (key: string) => key.slice(0, key.indexOf('='));
const value = (key: string) => key.slice(key.indexOf('=') + 1);
/** `id=7`, `state='new'`, and not `id=account.id` or `id=?`. */
const isConstant = (key: string) => /=(?:[-+]?\d|'|true$|false$)/.test(key);

const isVariable = (key: string) => key.includes('=') && !isConstant(key);

/** A column of the child holds the value that picks the parent. */
function refers(child: string[], parent: string[]): boolean {
  const values = new Set(parent.map(value));
  return child.some((key) => value(key) !== '?' && values.has(value(key)));
}

/** One column, two constants. */
function differ(a: string[], b: string[]): boolean {
  return a.some(
    (key) =>
      isConstant(key) &&
      b.some((other) => isConstant(other) && other !== key && columnOf(other) === columnOf(key)),
  );
}

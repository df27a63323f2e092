// Whether two statements speak of the same rows, by what picks them. Not which relation: that is known to be one.
import type { Certainty, RowLock, Write } from '../ir.ts';

/**
 * `certain` by a literal or a cursor, `likely` by a variable, `possible` when nothing tells; null when they differ.
 * In another turn of a loop a variable holds another row.
 */
export function sameRows(
  a: RowLock | Write,
  b: RowLock | Write,
  when: 'same turn' | 'another turn',
): Certainty | null {
  if (!a.keys?.length || !b.keys?.length) return 'possible';
  const shared = a.keys.filter((key) => b.keys!.includes(key));
  if (shared.some(isLiteral)) return 'certain';
  if (differ(a.keys, b.keys)) return null;
  if (shared.length === 0) return 'possible';
  return when === 'same turn' ? 'likely' : 'possible';
}

const isLiteral = (key: string) => key.includes('=');

/** One column, two literals. */
function differ(a: string[], b: string[]): boolean {
  const column = (key: string) => key.slice(0, key.indexOf('='));
  return a.some(
    (key) => isLiteral(key) && b.some((other) => isLiteral(other) && column(other) === column(key)),
  );
}

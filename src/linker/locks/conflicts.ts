// What is told of a row that is locked in one subtransaction and changed in another, and which of several tellings is the better one. Not whether it is the same row.
import type { Certainty, Write } from '../../ir.ts';
import { rank, weaker } from '../certainty.ts';
import type { Linked } from '../definitions/program.ts';
import type { Graph } from '../graph/graph.ts';
import type { LockConflict } from '../model.ts';
import type { Begun } from '../run/record.ts';
import { frames } from '../run/trail.ts';
import { beginning } from '../transactions/stretch.ts';
import { saysWrite } from '../words.ts';
import type { Held, Level, Locking } from './held.ts';
import type { Position } from './positions.ts';
import { wayBy } from './ways.ts';

/** One of the ways to a conflict; it is told when all are known. */
export interface Found extends Pick<LockConflict, 'certainty' | 'repeated' | 'role'> {
  /** Of the pair, by the places where both stand now. */
  id(): string;
  length: number;
  tell(): LockConflict;
}

/** The lock that is held, and the step that meets it. */
interface Met {
  lock: Held;
  step: Locking;
  relation: string;
  at: Position;
  /** How surely the rows are the same. */
  same: Certainty;
  under: readonly Level[];
}

export function conflict(graph: Graph, begun: Begun, { lock, step, relation, at, same, under }: Met): Found {
  const certainty = weaker(weaker(weaker(at.certainty, lock.certainty), same), begun.certainty);
  const { linked, trail, repeated } = at;
  return {
    id: () => `${lock.linked.file}@${lock.step.at.start} ${linked.file}@${step.at.start} ${relation}`,
    certainty,
    repeated,
    role: begun.role,
    length: (begun.trail?.length ?? 0) + (trail?.length ?? 0),
    tell() {
      const taken = place(lock.step, lock.linked, graph.relation(lock.step), relation);
      const change = place(step, linked, graph.relation(step), relation);
      const between = step.kind === 'row lock' ? lock.carriedBy?.() : undefined;
      const own = lock.step.kind === 'write' && !lock.refers ? reasonOf(lock.step) : undefined;
      return {
        lock: own ? { ...taken, because: own } : taken,
        change,
        ...(between && { between }),
        relation: `sql:${relation}`,
        repeated,
        witness: [
          ...frames(begun.trail),
          ...beginning(begun),
          ...wayBy({ ...lock, frame: taken }, { trail, under, frame: change }),
        ],
        certainty,
        role: begun.role,
      };
    },
  };
}

/** The surer one; then the one that is repeated, in a product, shorter. */
export function better(a: Found, b: Found): boolean {
  return (
    (rank(a.certainty) - rank(b.certainty) ||
      Number(a.role !== 'product') - Number(b.role !== 'product') ||
      Number(b.repeated) - Number(a.repeated) ||
      a.length - b.length) < 0
  );
}

/** Why a write locks the row that it changes, which nobody reads in it. */
const reasonOf = ({ onConflict }: Write): string =>
  onConflict === 'update'
    ? 'ON CONFLICT DO UPDATE locks the row that is there'
    : 'a BEFORE UPDATE row trigger has the row locked first, whichever columns it names';

/** A foreign key locks rows of another relation than the one that is written. */
const place = <One extends Locking>(step: One, linked: Linked, own: string | null, locked: string) => ({
  file: linked.file,
  at: step.at,
  step,
  says: `${saysWrite(step, linked, own ?? locked)}${own !== null && own !== locked ? `, which refers to ${locked}` : ''}`,
});

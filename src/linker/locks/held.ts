// The row locks that a transaction holds on its way, and what is held where ways come together. Not how they are taken.
import type { Certainty, ForeignKey, RowLock, Write } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Trail } from '../run/trail.ts';
import type { Opened } from './ways.ts';

export type Locking = RowLock | Write;
export const MOST_HELD = 40;

/** Whose method it is, and of which object's method that was called: `self` is a row of its own for each. */
export interface Self {
  by: Self | null;
}

/** What is written where a trigger runs, in which run of its routine, and which one of all writes that is. */
export interface Row {
  step: Write;
  run: number;
  id: number;
  terms: Terms;
}

/** What names mean in one run of a routine. */
export interface Terms {
  /** Its parameters, in the words of its caller. */
  hands: ReadonlyMap<string, string>;
  by: Terms | null;
  /** In a trigger: the row that it runs for. */
  row: Row | null;
  /** Which run it is, where its other names are nobody else's. */
  own?: number;
}

/** A subtransaction that is open. */
export interface Level extends Opened {
  name: string | null;
  flat: boolean;
  /** What was held when it was opened, and waited for COMMIT: ROLLBACK TO goes back to that. */
  before: readonly Held[];
  waiting: number;
}

/** A lock that the current version of some rows carries. */
export interface Held {
  step: Locking;
  /** The same, with what picks its rows in the words of who called. */
  told: Locking;
  linked: Linked;
  relation: string;
  /** By what the step writes into a foreign key: of another row than its own. */
  refers: ForeignKey | null;
  /** The subtransactions that it was taken in; the last one owns it, or the transaction itself. */
  under: readonly Level[];
  strength: number;
  /** What made the version of the row that carries it now. */
  carriedBy?(): string;
  /** What may have changed the row since, which leaves KEY SHARE of it. */
  faded?(): string;
  turns: readonly number[];
  run: number;
  /** When, among all that is numbered in this run. */
  taken: number;
  /** The way to where it was taken, from the beginning of the transaction. */
  trail: Trail | null;
  /** Whose method took it. */
  self: Self;
  certainty: Certainty;
  /** The same lock, of which on other ways there is less doubt. */
  doubts?: Held;
  /** Only some ways took it, so it hides nothing that is asked for later; how sure it is that a way without it is taken. */
  sometimes?: Certainty;
}

/** Either list where it has all that the other has. */
export function union(a: readonly Held[], b: readonly Held[]): readonly Held[] {
  if (a.length === 0 || a === b) return b;
  if (b.length === 0) return a;
  const surer = (all: readonly Held[]) => (lock: Held) => !lock.doubts || !all.includes(lock.doubts);
  const more = b.filter((lock) => !a.includes(lock)).filter(surer(a));
  const mine = a.some(({ doubts }) => doubts) ? a.filter(surer(b)) : a;
  if (more.length === 0 && mine.length === a.length) return a;
  return [...mine, ...more].slice(-MOST_HELD);
}

/** The same, where what one of them took since `before` and the other did not is held sometimes. */
export function unionInDoubt(
  a: readonly Held[],
  b: readonly Held[],
  before: readonly Held[],
  doubt: Certainty,
): readonly Held[] {
  if (a === b) return a;
  const known = (lock: Held) =>
    lock.sometimes ||
    before.some((one) => one.step === lock.step && !one.sometimes) ||
    (a.includes(lock) && b.includes(lock));
  const all = union(a, b);
  const first = all.findIndex((lock) => !known(lock));
  if (first < 0) return all;
  return all.map((lock, i) => (i < first || known(lock) ? lock : { ...lock, sometimes: doubt }));
}

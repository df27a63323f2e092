// Arithmetic of places for subtransactions: how many a stretch of steps takes at most, or at least. Not what steps do.

/**
 * Over what was taken before. Without the end of a transaction in it `head` and `peak` are one number; with one, `head`
 * is of the first transaction, `peak` of the worst. ROLLBACK TO and handlers give places back, so `tail` may be less.
 */
export interface Counts {
  /** The most at any time. */
  head: number;
  peak: number;
  /** What is taken at the end. */
  tail: number;
}

export const NONE: Counts = { head: 0, peak: 0, tail: 0 };

/** `a`, then `b`; each may end a transaction. */
export function following(a: Counts, b: Counts, aEnds: boolean, bEnds: boolean): Counts {
  if (b === NONE && !bEnds) return a;
  if (a === NONE && !aEnds) return b;
  return {
    head: aEnds ? a.head : Math.max(a.head, a.tail + b.head),
    peak: Math.max(a.peak, a.tail + b.head, bEnds ? b.peak : 0),
    tail: bEnds ? b.tail : a.tail + b.tail,
  };
}

export function each(a: Counts, b: Counts, choose: (x: number, y: number) => number): Counts {
  if (a === b) return a;
  return { head: choose(a.head, b.head), peak: choose(a.peak, b.peak), tail: choose(a.tail, b.tail) };
}

export const plus = (a: Counts, more: number): Counts =>
  more === 0 ? a : { head: a.head + more, peak: a.peak + more, tail: a.tail + more };

export const times = (count: number, turns: number): number =>
  count === 0 || turns === 0 ? 0 : count * turns;

/** So many turns, each beginning with what the one before has left. */
export function turns(a: Counts, n: number, ends: boolean): Counts {
  if (a === NONE || n === 1) return a;
  if (n === 0) return NONE;
  if (ends) return { ...a, peak: Math.max(a.peak, a.tail + a.head) };
  const before = times(a.tail, n - 1);
  return { head: before + a.head, peak: before + a.peak, tail: before + a.tail };
}

/** All of it is rolled back: it was there, and is gone. */
export const undone = (a: Counts): Counts => (a.tail === 0 ? a : { ...a, tail: 0 });

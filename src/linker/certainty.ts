// How sure we are of something: which of two is less sure. Not of what.
import type { Certainty } from '../ir.ts';

const RANK = { certain: 0, likely: 1, possible: 2 } as const;

export function weaker(a: Certainty, b: Certainty | undefined): Certainty {
  return b !== undefined && RANK[b] > RANK[a] ? b : a;
}

export const rank = (certainty: Certainty): number => RANK[certainty];

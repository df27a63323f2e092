// Definitions of one name that a file sees: those that last, and those that the file itself takes away again. Not which is meant.
import type { Linked } from './definitions.ts';

/** In the order of the program. Of names like `t` hundreds of test files define one for a while; none sees another's. */
export interface Seen {
  lasting: Linked[];
  /** By the file that takes them away again: most names have none. */
  passing?: Map<string, { own: Linked[]; all: Linked[] | null }>;
}

export function seenFrom({ lasting, passing }: Seen, file: string): readonly Linked[] {
  const here = passing?.get(file);
  if (!here) return lasting;
  here.all ??= [...lasting, ...here.own].sort((a, b) => a.index - b.index);
  return here.all;
}

export function addSeen(map: Map<string, Seen>, key: string, linked: Linked): void {
  let seen = map.get(key);
  if (!seen) {
    seen = { lasting: [] };
    map.set(key, seen);
  }
  if (linked.until === undefined) seen.lasting.push(linked);
  else {
    seen.passing ??= new Map();
    const here = seen.passing.get(linked.file);
    if (here) here.own.push(linked);
    else seen.passing.set(linked.file, { own: [linked], all: null });
  }
}

// Definitions of one name that a file sees: those that last, and those that the file itself takes away again. Not which is meant.
import type { Linked } from './definitions.ts';

export interface Seen {
  add(linked: Linked): void;
  /** In the order of the program. */
  from(file: string): readonly Linked[];
}

/** Of names like `t` hundreds of test files define one for a while; none of them sees another's. */
export function createSeen(): Seen {
  const lasting: Linked[] = [];
  const passing = new Map<string, Linked[]>();
  const both = new Map<string, Linked[]>();
  return {
    add(linked) {
      if (linked.until === undefined) lasting.push(linked);
      else passing.set(linked.file, [...(passing.get(linked.file) ?? []), linked]);
    },
    from(file) {
      const own = passing.get(file);
      if (!own) return lasting;
      let all = both.get(file);
      if (!all) {
        all = [...lasting, ...own].sort((a, b) => a.index - b.index);
        both.set(file, all);
      }
      return all;
    },
  };
}

export function addSeen(map: Map<string, Seen>, key: string, linked: Linked): void {
  const seen = map.get(key) ?? createSeen();
  map.set(key, seen);
  seen.add(linked);
}

// Words that lead to others, and all that each leads to in the end, as more is learnt. It knows nothing of what leads why.

/** What words lead to, found once, and again where there are more edges since. */
interface Closures {
  /** The same set whenever it is asked for again, as long as nothing makes it larger. */
  of(word: string): Set<string>;
  /** It has another edge. */
  outdate(word: string): void;
  /** Forgets what is larger now. */
  renew(): void;
}

export function createClosures(edges: Map<string, Set<string>>): Closures {
  const known = new Map<string, Set<string>>();
  const longer = new Set<string>();
  return {
    of(word) {
      let out = known.get(word);
      if (!out) {
        out = closure(word, edges);
        known.set(word, out);
      }
      return out;
    },
    outdate(word) {
      if (known.size > 0) longer.add(word);
    },
    renew() {
      if (longer.size === 0) return;
      for (const [word, set] of known) if (meet(set, longer)) known.delete(word);
      longer.clear();
    },
  };
}

/** All that a word leads to, itself first. */
export function closure(word: string, edges: Map<string, Set<string>>): Set<string> {
  const out = new Set([word]);
  for (const one of out) for (const more of edges.get(one) ?? []) out.add(more);
  return out;
}

function meet(few: Set<string>, others: Set<string>): boolean {
  for (const one of few) if (others.has(one)) return true;
  return false;
}

/** Whether it is new. */
export function link(map: Map<string, Set<string>>, key: string, value: string): boolean {
  const set = map.get(key);
  if (!set) map.set(key, new Set([value]));
  else if (set.has(value)) return false;
  else set.add(value);
  return true;
}

// Words that lead to others, and all that each leads to in the end, as more is learnt. It knows nothing of what leads why.

/** Some words; they do not change. */
export interface Part {
  readonly words: ReadonlySet<string>;
  /** Equal for equal words: a sum of their hashes, and of how many they are. */
  readonly sign: number;
}

/**
 * All that a word leads to, in at most two parts without a common word. Of many projects thousands of words lead to the
 * same thousands: these stand in one part that all of them share.
 */
export interface Closure {
  readonly parts: readonly Part[];
  readonly size: number;
  readonly sign: number;
}

export interface Closures {
  /** Whether that is new. */
  link(word: string, to: string): boolean;
  /** What a word leads to itself. */
  next(word: string): ReadonlySet<string> | undefined;
  /** A word, with all that it leads to; the same object as long as nothing was added to it before `renew`. */
  of(word: string): Closure;
  /** What was found is found again where there are more links since. */
  renew(): void;
}

/** One closure: who is wanted near nothing is wanted near the same as before. */
export const NOWHERE: Closure = { parts: [], size: 0, sign: 0 };

export function createClosures(): Closures {
  const links = new Map<string, Set<string>>();
  let known = new Map<string, Closure>();
  let before = new Map<string, Closure>();
  let longer = false;
  return {
    link(word, to) {
      const isNew = link(links, word, to);
      longer ||= isNew;
      return isNew;
    },
    next: (word) => links.get(word),
    of(word) {
      if (!known.has(word)) findAll(word);
      return known.get(word)!;
    },
    renew() {
      if (!longer) return;
      longer = false;
      before = known;
      known = new Map();
    },
  };

  /** Words that lead to each other lead to the same: they are found together, after all that they lead to (Tarjan). */
  function findAll(from: string): void {
    const numbers = new Map<string, number>();
    /** The least number that is reached from each word. */
    const least = new Map<string, number>();
    const open: string[] = [];
    const path: { word: string; rest: Iterator<string> }[] = [];
    const enter = (word: string) => {
      least.set(word, numbers.size);
      numbers.set(word, numbers.size);
      open.push(word);
      path.push({ word, rest: (links.get(word) ?? NO_WORDS).values() });
    };
    const reaches = (word: string, number: number) => {
      if (number < least.get(word)!) least.set(word, number);
    };
    enter(from);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { word, rest } = top;
      const { value: to, done } = rest.next();
      if (done) {
        path.pop();
        if (path.length > 0) reaches(path.at(-1)!.word, least.get(word)!);
        if (least.get(word) === numbers.get(word)) find(open.splice(open.lastIndexOf(word)));
      } else if (known.has(to)) continue;
      else if (numbers.has(to)) reaches(word, numbers.get(to)!);
      else enter(to);
    }
  }

  function find(alike: string[]): void {
    const below = new Set<Closure>();
    for (const word of alike)
      for (const to of links.get(word) ?? NO_WORDS) {
        const found = known.get(to);
        if (found) below.add(found);
      }
    const made = together(below, alike);
    const last = before.get(alike[0]!);
    const out = last?.sign === made.sign ? last : made;
    for (const word of alike) known.set(word, out);
  }
}

const NO_WORDS: ReadonlySet<string> = new Set();

/** What is little beside what is shared stands apart from it; else it is copied. */
const LITTLE = 4;

/** All these words in one. */
export function together(closures: Iterable<Closure>, words: Iterable<string>): Closure {
  let most = NOWHERE;
  for (const one of closures) if (one.size > most.size) most = one;
  const [base = partOf(NO_WORDS), rest] = most.parts;
  const own = new Set<string>();
  const add = (words: Iterable<string>) => {
    for (const word of words) if (!base.words.has(word) && !rest?.words.has(word)) own.add(word);
  };
  add(words);
  for (const { parts } of closures)
    for (const part of parts) if (part !== base && part !== rest) add(part.words);
  if (own.size === 0) return most;
  for (const word of rest?.words ?? NO_WORDS) own.add(word);
  if (own.size * LITTLE > base.words.size) {
    for (const word of base.words) own.add(word);
    return closureOf([partOf(own)]);
  }
  return closureOf([base, partOf(own)]);
}

export const alone = (word: string): Closure => closureOf([partOf(new Set([word]))]);

const closureOf = (parts: Part[]): Closure => ({
  parts,
  size: parts.reduce((sum, { words }) => sum + words.size, 0),
  sign: parts.reduce((sum, { sign }) => sum + sign, 0),
});

function partOf(words: ReadonlySet<string>): Part {
  let sign = words.size;
  for (const word of words) sign += numberOf(word);
  return { words, sign };
}

function numberOf(word: string): number {
  let number = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) number = Math.imul(number ^ word.charCodeAt(i), 0x01000193);
  return number >>> 0;
}

/** Whether it is new. */
export function link(map: Map<string, Set<string>>, key: string, value: string): boolean {
  const set = map.get(key);
  if (!set) map.set(key, new Set([value]));
  else if (set.has(value)) return false;
  else set.add(value);
  return true;
}

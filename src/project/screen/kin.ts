// Which words may stand for a type: what descends from it, returns one or holds one, and the other way. Not who calls what.
import type { Name, Unit } from '../../ir.ts';
import { type Closure, createClosures, link, NOWHERE, together } from './closures.ts';
import { isWord, type Split } from './lastwords.ts';

export interface Kin {
  learn(unit: Unit): void;
  /** Types of which whoever has these methods is one, by their words; everybody may have one of them alone. */
  readonly structural: ReadonlyMap<string, readonly string[]>;
  /** One of them is of this type, as if it said so. */
  likens(word: string, type: string): void;
  /** What was found is found again where more was learnt since. */
  renew(): void;
  /** Whatever gives one of this type: subclasses, aliases, what returns it, what holds it. */
  giversOf(type: string): Closure;
  /** Those that need no other word between. */
  nearestGivers(type: string): Iterable<string>;
  /** Whoever has one of this type, as itself or as what it implements. */
  holdersOf(type: string): Closure;
  /** Where a function may be said to stand: its module, those that have it from there, and whoever passes on all of these. */
  housesOf(owner: string, last: string): Closure;
  /** What a receiver may be: itself, what it returns or holds, and the bases of all these. */
  typesOf(word: string): Closure;
  /** A class and those above it that the project declares itself. */
  lineOf(type: string): Closure;
  /** The project declares one above it. */
  descends(type: string): boolean;
  /** A table by its own name, and the classes that stand for it; a class by what has its rows. */
  rowsOf(relation: string): Closure;
  /** What was read declares a type of this name. */
  declares(word: string): boolean;
  /** A class stands for this table. */
  hasClass(relation: string): boolean;
  /** Calls on it go to nobody else. */
  isConcrete(type: string): boolean;
}

export function createKin(lastTwo: Split): Kin {
  /** From a type to the words that give one. */
  const gives = createClosures();
  /** The same without subclasses. */
  const holds = createClosures();
  /** The other way, and to its bases. */
  const means = createClosures();
  /** From a type to those above it that the project declares itself. */
  const above = createClosures();
  /** From a name to the modules that have it from elsewhere. */
  const passing = new Map<string, Set<string>>();
  const concrete = new Set<string>();
  const classesOf = new Map<string, Set<string>>();
  const declared = new Set<string>();
  const structural = new Map<string, string[]>();
  /** Until more units are read. */
  const held = new Map<string, Closure>();
  const houses = new Map<string, Closure>();
  const lastWord = (name: string) => lastTwo(name)[1];
  const giversOf = (type: string) => gives.of(type);

  return {
    learn,
    structural,
    likens(word, type) {
      if (word === type) return;
      relate(type, word, false);
      above.link(word, type);
    },
    renew() {
      for (const known of [gives, holds, means, above]) known.renew();
      for (const known of [held, houses]) known.clear();
    },
    giversOf,
    nearestGivers: (type) => gives.next(type) ?? [],
    holdersOf,
    housesOf,
    typesOf: (word) => means.of(word),
    lineOf: (type) => above.of(type),
    descends: (type) => above.next(type) !== undefined,
    rowsOf: (relation) => together([relation, ...(classesOf.get(relation) ?? [])].map(giversOf), []),
    declares: (word) => declared.has(word),
    hasClass: (relation) => classesOf.has(relation),
    isConcrete: (type) => concrete.has(type),
  };

  function learn({ aliases, routines, types, hands }: Unit): void {
    for (const { from, to } of aliases)
      if (endAlike(from, to)) link(passing, lastWord(to), lastTwo(from)[0]);
      else relate(lastWord(to), lastWord(from));
    for (const { name, returns, returnsOneOf } of routines) {
      if (returns) relate(lastWord(returns), lastWord(name));
      for (const { type } of returnsOneOf ?? []) relate(lastWord(type), lastWord(name));
    }
    for (const { is, to, parameter } of hands ?? []) {
      relate(lastWord(is), lastWord(to));
      if (/^[a-z_]/.test(parameter)) relate(lastWord(is), parameter);
    }
    for (const type of types) {
      const word = lastWord(type.name);
      declared.add(word);
      for (const base of type.bases) {
        relate(lastWord(base), word, false);
        if (isNear(base, type.name)) above.link(word, lastWord(base));
      }
      for (const macro of type.says ?? []) relate(macro, word, false);
      if (!type.abstract && !type.leaves) concrete.add(word);
      if (type.structural && type.leaves && type.leaves.length > 1)
        structural.set(
          word,
          type.leaves.map((one) => one.toLowerCase()),
        );
      for (const [field, of] of Object.entries(type.fields ?? {})) relate(lastWord(of), field);
      for (const { field, alone } of type.gives ?? []) if (!alone) relate(word, lastWord(field));
      for (const variable of type.called ?? []) relate(word, variable);
      if (type.relation) link(classesOf, lastWord(type.relation), word);
    }
  }

  function relate(type: string, word: string, isHeld = true): void {
    if (type === word) return;
    gives.link(type, word);
    if (isHeld) holds.link(type, word);
    means.link(word, type);
  }

  function holdersOf(type: string): Closure {
    if (!above.next(type)) return giversOf(type);
    let out = held.get(type);
    if (!out) {
      const found = [giversOf(type)];
      const line = new Set([type]);
      for (const one of line)
        for (const base of above.next(one) ?? [])
          if (!concrete.has(base)) {
            line.add(base);
            found.push(holds.of(base));
          }
      out = together(found, []);
      held.set(type, out);
    }
    return out;
  }

  function housesOf(owner: string, last: string): Closure {
    if (!owner) return NOWHERE;
    const more = passing.get(last);
    if (!more) return giversOf(owner);
    const key = `${owner} ${last}`;
    let out = houses.get(key);
    if (!out) {
      out = together([owner, ...more].map(giversOf), []);
      houses.set(key, out);
    }
    return out;
  }
}

/** Names of one house: they begin alike, or have no package. */
function isNear(base: Name, type: Name): boolean {
  const [a, b] = [base, type].map((name) =>
    name
      .slice(name.indexOf(':') + 1)
      .replaceAll('::', '.')
      .split('.'),
  );
  if (a!.length === 1) return true;
  const alike = a!.length > 2 && b!.length > 2 ? 2 : 1;
  return a!.slice(0, alike).join() === b!.slice(0, alike).join();
}

/** Both end in the same word, as what is imported does: seen without taking them apart. */
function endAlike(a: string, b: string): boolean {
  for (let i = a.length - 1, j = b.length - 1; i >= 0 && j >= 0; i--, j--) {
    const c = a.charCodeAt(i);
    if (c !== b.charCodeAt(j)) return false;
    if (!isWord(c)) return i < a.length - 1;
  }
  return false;
}

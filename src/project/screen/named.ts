// Whether a program may have objects of a library's type: where it has, its files name the library. Not which receiver is one.
import type { Name, Unit } from '../../ir.ts';

export interface Named {
  /** Whatever a receiver turns out to be, a base, an attribute, a result or another name says so. */
  learn(unit: Unit): void;
  /** A name that stands in a body. */
  take(name: string): void;
  /** `elsewhere`: whether a word stands in a file that was not read. */
  mayBe(type: Name, elsewhere: (word: string) => boolean): boolean;
}

export function createNamed(): Named {
  const taken = new Set<string>();
  const words = new Set<string>();
  const possible = new Set<Name>();

  function take(name: string): void {
    if (taken.has(name)) return;
    taken.add(name);
    for (const word of wordsOf(name)) words.add(word);
  }

  return {
    take,
    learn({ types, aliases, routines, hands }) {
      for (const { from, to } of aliases) {
        take(from);
        take(to);
      }
      for (const { name, bases, fields } of types) {
        take(name);
        for (const base of bases) take(base);
        for (const field in fields) take(fields[field]!);
      }
      for (const { returns, returnsOneOf } of routines) {
        if (returns) take(returns);
        for (const { type } of returnsOneOf ?? []) take(type);
      }
      for (const { is } of hands ?? []) take(is);
    },
    mayBe(type, elsewhere) {
      if (possible.has(type)) return true;
      const house = houseOf(type);
      if (house !== undefined && !words.has(house) && !elsewhere(house)) return false;
      possible.add(type);
      return true;
    },
  };
}

/** `ebean` of `io.ebean.Database`; none where other libraries give such objects, whose users need not name it. */
function houseOf(type: Name): string | undefined {
  const house = wordsOf(type.slice(type.indexOf(':') + 1)).find((word) => !OF_MANY.has(word));
  return house === undefined || LENT.has(house) ? undefined : house;
}

/** What packages of many libraries begin with. */
const OF_MANY = new Set(['com', 'io', 'org', 'net', 'dev', 'jp', 'co']);
const LENT = new Set(['java', 'sqlalchemy']);

const wordsOf = (name: string): string[] => name.toLowerCase().match(/[a-z0-9_$\u0080-\uffff]+/g) ?? [];

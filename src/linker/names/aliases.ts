// Under what other names a name stands: imports that a module hands on. Not what stands there.
import type { Alias, Name } from '../../ir.ts';
import { add } from '../lists.ts';
import { endOf, isSuffix, ownerOf } from './dotted.ts';

export interface Aliases {
  /** By the longest part of the name that is an alias; `package.*` hands on all. */
  of(name: string): readonly Name[];
  /** The same for a name that is written from another source root, where only one such is handed on. */
  below(name: string): readonly Name[];
  /** Whether what a call of this last name gives has another name. */
  isMade(last: string): boolean;
}

const NOBODY: readonly Name[] = [];

/** `owners`: in what something stands that is here. `stands`: whether a name is here, from whatever root it is written. */
export function createAliases(
  all: readonly Alias[],
  owners: ReadonlySet<string>,
  stands: (name: string) => boolean,
): Aliases {
  const exact = new Map<string, Name[]>();
  /** Those of all names of one owner, by the owner. */
  const stars = new Map<string, Name[]>();
  for (const { from, to } of all) {
    if (exact.get(from)?.includes(to)) continue;
    add(exact, from, to);
    if (from.endsWith('.*')) add(stars, from.slice(0, -2), to.replace(/\.\*$/, '') as Name);
  }
  /** By what hands on, and the name's next part: who may have it. */
  const handing = new Map<string, readonly Name[]>();
  let ends: Record<'exact' | 'stars' | 'owners', Map<string, string[]>> | undefined;
  const ending = () =>
    (ends ??= { exact: byEnd(exact.keys()), stars: byEnd(stars.keys()), owners: byEnd(owners) });

  function find(name: string): readonly Name[] {
    for (let part: string | null = name; part !== null; part = ownerOf(part)) {
      const one = exact.get(part);
      if (one) return behind(one, name, part);
      const to = part === name ? undefined : stars.get(part);
      if (to) return handedOn(to, name, part);
      // What stands in a module that is here does not come from one around it.
      if (part !== name && owners.has(part)) return NOBODY;
    }
    return NOBODY;
  }

  function findBelow(name: string): readonly Name[] {
    // A bare name says too little.
    for (let part: string | null = name; part !== null && /[.:#]/.test(bare(part)); part = ownerOf(part)) {
      // What is here by its own name is from no other root.
      if (exact.has(part) || stars.has(part) || owners.has(part)) return NOBODY;
      const one = only(exact, ending().exact, part);
      if (one) return behind(one, name, part);
      const to = part === name ? undefined : only(stars, ending().stars, part);
      if (to) return handedOn(to, name, part);
      if (part !== name && isIn(owners, 'owners', part)) return NOBODY;
    }
    return NOBODY;
  }

  /**
   * Of many modules that are handed on whole, those that have such a name; one that is not here may have any. Without it,
   * each name of a package with sixty of them would be asked of all sixty, and what those hand on of as many again.
   */
  function handedOn(to: readonly Name[], name: string, part: string): readonly Name[] {
    const rest = name.slice(part.length);
    const first = /^(?:::|[.#])?[^.:#()[\]^?]*/.exec(rest)![0];
    const own = `${part}${first}`;
    // What stands in one of them stands in no other, though nothing of it is here: packages whose modules hand on each other would be gone round for ever.
    if (first !== rest && to.some((module) => module === own || isSuffix(module, own))) return NOBODY;
    const key = `${part} ${first}`;
    let having = handing.get(key);
    if (!having) {
      // No module hands on itself.
      having = to.filter((module) => module !== own && mayHave(module, `${module}${first}`));
      handing.set(key, having);
    }
    return behind(having, name, part);
  }

  const mayHave = (module: Name, one: string): boolean =>
    stands(one) ||
    isIn(stars, 'stars', module) ||
    isIn(exact, 'exact', one) ||
    isIn(owners, 'owners', one) ||
    !isIn(owners, 'owners', module);

  const isIn = (names: { has(name: string): boolean }, kind: 'exact' | 'stars' | 'owners', name: string) =>
    names.has(name) ||
    ending()
      [kind].get(endOf(name))
      ?.some((whole) => isSuffix(name, whole)) === true;

  let made: Set<string> | undefined;
  const isMade = (last: string): boolean => {
    made ??= new Set([...exact.keys()].flatMap((from) => (from.endsWith('()') ? lastOf(from) : [])));
    return made.has(`${last}()`);
  };

  return { of: once(find), below: once(findBelow), isMade };
}

const lastOf = (name: string) => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('#')) + 1);
const bare = (name: string) => name.slice(name.indexOf(':') + 1);

/** What stands behind the part goes with it. */
const behind = (to: readonly Name[], name: string, part: string): readonly Name[] =>
  name === part ? to : to.map((one) => `${one}${name.slice(part.length)}` as Name);

function byEnd(names: Iterable<string>): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const name of names) add(out, endOf(name), name);
  return out;
}

function only(names: Map<string, Name[]>, ends: Map<string, string[]>, part: string): Name[] | undefined {
  const fits = ends.get(endOf(part))?.filter((whole) => isSuffix(part, whole));
  return fits?.length === 1 ? names.get(fits[0]!) : undefined;
}

function once(find: (name: string) => readonly Name[]): (name: string) => readonly Name[] {
  const known = new Map<string, readonly Name[]>();
  return (name) => {
    let found = known.get(name);
    if (!found) {
      found = find(name);
      known.set(name, found);
    }
    return found;
  };
}

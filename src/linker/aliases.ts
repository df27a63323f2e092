// Under what other names a name stands: imports that a module hands on. Not what stands there.
import type { Alias, Name } from '../ir.ts';
import { endOf, isSuffix, ownerOf } from './dotted.ts';
import { add } from './lists.ts';

export interface Aliases {
  /** By the longest part of the name that is an alias; `package.*` hands on all. */
  of(name: string): readonly Name[];
  /** The same for a name that is written from another source root, where only one such is handed on. */
  below(name: string): readonly Name[];
}

const NOBODY: readonly Name[] = [];

/** `owners`: in what something stands that is here. */
export function createAliases(all: readonly Alias[], owners: ReadonlySet<string>): Aliases {
  const exact = new Map<string, Name[]>();
  /** Those of all names of one owner, by the owner. */
  const stars = new Map<string, Name[]>();
  for (const { from, to } of all) {
    if (exact.get(from)?.includes(to)) continue;
    add(exact, from, to);
    if (from.endsWith('.*')) add(stars, from.slice(0, -2), to.replace(/\.\*$/, '') as Name);
  }
  let ends: Record<'exact' | 'stars' | 'owners', Map<string, string[]>> | undefined;

  function find(name: string): readonly Name[] {
    for (let part: string | null = name; part !== null; part = ownerOf(part)) {
      const to = exact.get(part) ?? (part === name ? undefined : stars.get(part));
      if (to) return behind(to, name, part);
      // What stands in a module that is here does not come from one around it.
      if (part !== name && owners.has(part)) return NOBODY;
    }
    return NOBODY;
  }

  function findBelow(name: string): readonly Name[] {
    ends ??= { exact: byEnd(exact.keys()), stars: byEnd(stars.keys()), owners: byEnd(owners) };
    // A bare name says too little.
    for (let part: string | null = name; part !== null && /[.:#]/.test(bare(part)); part = ownerOf(part)) {
      // What is here by its own name is from no other root.
      if (exact.has(part) || stars.has(part) || owners.has(part)) return NOBODY;
      const to = only(exact, ends.exact, part) ?? (part === name ? undefined : only(stars, ends.stars, part));
      if (to) return behind(to, name, part);
      if (part !== name && ends.owners.get(endOf(part))?.some((whole) => isSuffix(part!, whole)))
        return NOBODY;
    }
    return NOBODY;
  }

  return { of: once(find), below: once(findBelow) };
}

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

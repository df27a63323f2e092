// Which types stand above a name's own, which below, and what a name is an import of, by what all files say. It copies nothing.
import type { Name, Unit } from '../../ir.ts';
import { kept } from '../kept.ts';
import { add } from '../lists.ts';
import { isSuffix, splitLast } from '../names/dotted.ts';

export interface Line {
  /** The types above one. */
  types(name: Name): Name[];
  /** What it is an import of, and the same name in the types above its own: what a type does not say itself it has from those. */
  above(name: Name): Name[];
  /** In those below it. */
  below(name: Name): Name[];
}

const MOST_OF_LINE = 50;

/** One type below another, by the names that its file has for both. */
interface Tie {
  below: Name;
  above: Name;
}

/** Few ask for that. `has`: of a name that nobody has in any type, none is looked for above or below. */
export function ancestry(units: Unit[], has: (last: string) => boolean = () => true): Line {
  type Next = (one: Name) => readonly Name[];
  const from = (name: Name, next: Next, more: (one: Name, next: Next) => Name[] = () => []): Name[] => {
    const line = new Set([name]);
    for (const one of line)
      if (line.size < MOST_OF_LINE) for (const other of [...next(one), ...more(one, next)]) line.add(other);
    return [...line].slice(1);
  };
  /** The same name in what its owner leads to. */
  const within = (one: Name, next: Next): Name[] => {
    const cut = has(lastOf(one)) ? splitLast(one) : null;
    return cut ? next(cut.owner as Name).map((owner) => `${owner}${cut.mark}${cut.last}` as Name) : [];
  };
  const along = (name: Name, next: Next): Name[] => from(name, next, within);
  const up: Next = (one) => {
    const all = upwards(units).get(lastOf(one)) ?? [];
    return all.filter(({ below }) => isMeant(one, below)).map(({ above }) => above);
  };
  const down: Next = (one) => {
    const all = downwards(units).get(lastOf(one)) ?? [];
    return all.filter(({ above }) => isMeant(above, one)).map(({ below }) => below);
  };
  return {
    types: (name) => from(name, up),
    above: (name) => along(name, up),
    below: (name) => along(name, down),
  };
}

/** Another source root may be left out of it. */
export const isMeant = (says: Name, name: Name): boolean =>
  says === name || (isSuffix(says, name) && splitLast(says) !== null);

/** Its last word, which is told sooner than what stands before it. */
export const lastOf = (name: Name): string =>
  name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#')) + 1);

/** Bases of types, and what names stand for, by the lower name; with what a module hands on whole. */
const upwards = kept((units: Unit[]) => {
  const out = new Map<string, Tie[]>();
  for (const one of ties(units)) add(out, lastOf(one.below), one);
  for (const { aliases } of units)
    for (const { from, to } of aliases) {
      if (!from.endsWith('.*')) continue;
      const one = { below: from.slice(0, -2) as Name, above: to.replace(/\.\*$/, '') as Name };
      add(out, lastOf(one.below), one);
    }
  return out;
});

/** The same by the upper name; what hands on a module whole is none of its heirs. */
const downwards = kept((units: Unit[]) => {
  const out = new Map<string, Tie[]>();
  for (const one of ties(units)) add(out, lastOf(one.above), one);
  return out;
});

function* ties(units: Unit[]): Iterable<Tie> {
  for (const { types, aliases } of units) {
    for (const type of types) for (const base of type.bases) yield { below: type.name, above: base };
    for (const { from, to } of aliases) if (!from.endsWith('.*')) yield { below: from, above: to };
  }
}

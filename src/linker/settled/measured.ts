// How many items a collection has that another file writes out. It copies, it changes no unit.
import type { Given, Name, Step, Unit } from '../../ir.ts';
import { add } from '../lists.ts';
import { bySuffix, endOf, isSuffix, splitLast } from '../names/dotted.ts';
import { answered, isHeld, LISTS } from './asks.ts';

/** A collection, and the file that writes it out. */
interface Written {
  name: Name;
  items: number;
  file: string;
}

/** Gives loops over such collections their turns, and calls that are given one its length. */
export function measuring(units: Unit[]): (unit: Unit) => Unit {
  const written = new Map<string, Written[]>();
  for (const { lists, role, file } of units)
    if (role !== 'test')
      for (const { name, items } of lists ?? []) add(written, endOf(name), { name, items, file });
  const line = ancestry(units);
  const find = (name: Name, file: string): number | undefined => {
    const all = written.get(endOf(name));
    const same = all?.filter((one) => one.name === name) ?? [];
    if (same.length > 0) return Math.max(...same.map(({ items }) => items));
    return bySuffix(name, all, { file }, (one) => one.name)?.items;
  };
  const lengthOf = (names: Name[], file: string): number | undefined => {
    for (const name of [...names, ...names.flatMap(line.above)]) {
      const found = find(name, file);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  /** Of an object of a class below it is what that one writes out; where several do, the longest. */
  const longest = (names: Name[], file: string): number | undefined => {
    const below = names.flatMap(line.below).flatMap((name) => find(name, file) ?? []);
    const own = lengthOf(names, file);
    return below.length > 0 ? Math.max(own ?? 0, ...below) : own;
  };
  const known = (value: Given, file: string): Given => {
    if (!isHeld(value)) return value;
    const items = lengthOf(value.of, file);
    return items === undefined ? 'constant' : { items };
  };
  const measure = (step: Step, file: string): Step[] => {
    if (step.kind === 'loop' && step.of) {
      const times = step.ofSelf ? longest(step.of, file) : lengthOf(step.of, file);
      if (times === undefined) return [step];
      return [{ ...step, times, ...(step.ofSelf && { atMost: true as const }) }];
    }
    if (step.kind !== 'call' || !step.given || !Object.values(step.given).some(isHeld)) return [step];
    const given = Object.entries(step.given).map(([name, value]) => [name, known(value, file)]);
    return [{ ...step, given: Object.fromEntries(given) }];
  };
  return (unit) => answered(unit, LISTS, (step) => measure(step, unit.file));
}

interface Line {
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

/** Few ask for that. */
function ancestry(units: Unit[]): Line {
  let known: ReturnType<typeof relatives> | undefined;
  const along = (
    name: Name,
    next: (one: Name, all: NonNullable<typeof known>) => readonly Name[],
  ): Name[] => {
    known ??= relatives(units);
    const line = new Set([name]);
    for (const one of line) {
      if (line.size >= MOST_OF_LINE) break;
      for (const more of next(one, known)) line.add(more);
      const cut = splitLast(one);
      if (cut)
        for (const more of next(cut.owner as Name, known)) line.add(`${more}${cut.mark}${cut.last}` as Name);
    }
    return [...line].slice(1);
  };
  return {
    above: (name) =>
      along(name, (one, { bases, stars }) => [...(bases.get(one) ?? []), ...(stars.get(one) ?? [])]),
    below: (name) =>
      along(name, (one, { heirs }) =>
        (heirs.get(endOf(one)) ?? []).filter(({ above }) => isMeant(above, one)).map(({ below }) => below),
      ),
  };
}

/** Another source root may be left out of it. */
const isMeant = (says: Name, name: Name): boolean =>
  says === name || (splitLast(says) !== null && isSuffix(says, name));

/** Bases of types, and what names stand for. */
function relatives(units: Unit[]) {
  const bases = new Map<Name, Name[]>();
  const heirs = new Map<string, Tie[]>();
  /** Modules that others hand on whole. */
  const stars = new Map<Name, Name[]>();
  const tie = (below: Name, above: Name) => {
    add(bases, below, above);
    add(heirs, endOf(above), { below, above });
  };
  for (const { types, aliases } of units) {
    for (const type of types) for (const base of type.bases) tie(type.name, base);
    for (const { from, to } of aliases)
      if (from.endsWith('.*')) add(stars, from.slice(0, -2) as Name, to.replace(/\.\*$/, '') as Name);
      else tie(from, to);
  }
  return { bases, heirs, stars };
}

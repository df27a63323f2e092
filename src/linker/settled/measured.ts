// How many items a collection has that another file writes out. It copies, it changes no unit.
import type { Given, Name, Step, Unit } from '../../ir.ts';
import { add } from '../lists.ts';
import { bySuffix, endOf, splitLast } from '../names/dotted.ts';
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
  const inherited = ancestry(units);
  const find = (name: Name, file: string): number | undefined => {
    const all = written.get(endOf(name));
    const same = all?.filter((one) => one.name === name) ?? [];
    if (same.length > 0) return Math.max(...same.map(({ items }) => items));
    return bySuffix(name, all, { file }, (one) => one.name)?.items;
  };
  const lengthOf = (names: Name[], file: string): number | undefined => {
    for (const name of [...names, ...names.flatMap(inherited)]) {
      const found = find(name, file);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const known = (value: Given, file: string): Given => {
    if (!isHeld(value)) return value;
    const items = lengthOf(value.of, file);
    return items === undefined ? 'constant' : { items };
  };
  const measure = (step: Step, file: string): Step[] => {
    if (step.kind === 'loop' && step.of) {
      const times = lengthOf(step.of, file);
      return [times === undefined ? step : { ...step, times }];
    }
    if (step.kind !== 'call' || !step.given || !Object.values(step.given).some(isHeld)) return [step];
    const given = Object.entries(step.given).map(([name, value]) => [name, known(value, file)]);
    return [{ ...step, given: Object.fromEntries(given) }];
  };
  return (unit) => answered(unit, LISTS, (step) => measure(step, unit.file));
}

/** What a type does not say itself it has from those above it; few ask for that. */
function ancestry(units: Unit[]): (name: Name) => Name[] {
  let known: Map<Name, Name[]> | undefined;
  return (name) => {
    const cut = splitLast(name);
    if (!cut) return [];
    known ??= above(units);
    const line = new Set([cut.owner as Name]);
    for (const one of line) for (const base of line.size < 50 ? (known.get(one) ?? []) : []) line.add(base);
    return [...line].slice(1).map((one) => `${one}${cut.mark}${cut.last}` as Name);
  };
}

/** Bases of types, and what names stand for. */
function above(units: Unit[]): Map<Name, Name[]> {
  const out = new Map<Name, Name[]>();
  for (const { types, aliases } of units) {
    for (const { name, bases } of types) for (const base of bases) add(out, name, base);
    for (const { from, to } of aliases) add(out, from, to);
  }
  return out;
}

// How many items a collection has that another file writes out. It copies, it changes no unit.
import type { Given, Name, Step, Unit } from '../../ir.ts';
import { add } from '../lists.ts';
import { bySuffix, endOf } from '../names/dotted.ts';
import { answered, isHeld, LISTS } from './asks.ts';
import { ancestry, lastOf } from './line.ts';

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
  const lasts = new Set([...written.values()].flat().map(({ name }) => lastOf(name)));
  const line = ancestry(units, (last) => lasts.has(last));
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

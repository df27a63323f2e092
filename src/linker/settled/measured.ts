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
  /** So many more than another one says. */
  added?: true;
  usually?: true;
  file: string;
}

/** Of what others add to, what says how many there were may have been written after some of them. */
type Length = { items: number; atMost?: true; usually?: true };

function lengthOfAll(all: Written[]): Length | undefined {
  const whole = all.filter(({ added }) => !added);
  if (whole.length === 0) return undefined;
  const items = Math.max(...whole.map(({ items }) => items));
  if (whole.some(({ usually }) => usually)) return { items, usually: true };
  const more = all.length - whole.length;
  return more > 0 ? { items: items + more, atMost: true } : { items };
}

/** Gives loops over such collections their turns, and calls that are given one its length. */
export function measuring(units: Unit[]): (unit: Unit) => Unit {
  const written = new Map<string, Written[]>();
  for (const { lists, role, file } of units)
    if (role !== 'test') for (const one of lists ?? []) add(written, endOf(one.name), { ...one, file });
  const lasts = new Set([...written.values()].flat().map(({ name }) => lastOf(name)));
  const line = ancestry(units, (last) => lasts.has(last));
  const find = (name: Name, file: string): Length | undefined => {
    const all = written.get(endOf(name));
    const same = all?.filter((one) => one.name === name) ?? [];
    if (same.length > 0) return lengthOfAll(same);
    const one = bySuffix(name, all, { file }, (one) => one.name);
    return one ? { items: one.items, ...(one.usually && { usually: true }) } : undefined;
  };
  const lengthOf = (names: Name[], file: string): Length | undefined => {
    for (const name of [...names, ...names.flatMap(line.above)]) {
      const found = find(name, file);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  /** Of an object of a class below it is what that one writes out; where several do, the longest. */
  const longest = (names: Name[], file: string): Length | undefined => {
    const below = names.flatMap(line.below).flatMap((name) => find(name, file)?.items ?? []);
    const own = lengthOf(names, file);
    return below.length > 0 ? { items: Math.max(own?.items ?? 0, ...below) } : own;
  };
  const known = (value: Given, file: string): Given => {
    if (!isHeld(value)) return value;
    const found = lengthOf(value.of, file);
    return found && !found.usually ? found : 'constant';
  };
  const measure = (step: Step, file: string): Step[] => {
    if (step.kind === 'loop' && step.of) {
      const found = step.ofSelf ? longest(step.of, file) : lengthOf(step.of, file);
      if (!found) return [step];
      const { items: times, atMost = step.ofSelf, usually } = found;
      if (usually) return [step.certainty ? step : { ...step, times: null, certainty: 'likely' }];
      return [{ ...step, times, ...(atMost && { atMost }) }];
    }
    if (step.kind !== 'call' || !step.given || !Object.values(step.given).some(isHeld)) return [step];
    const given = Object.entries(step.given).map(([name, value]) => [name, known(value, file)]);
    return [{ ...step, given: Object.fromEntries(given) }];
  };
  return (unit) => answered(unit, LISTS, (step) => measure(step, unit.file));
}

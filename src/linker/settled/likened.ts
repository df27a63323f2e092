// Types that are one of another by the methods that they have, and do not say so. It changes no unit, it copies.
import type { Name, Routine, TypeDeclaration, Unit } from '../../ir.ts';
import { add } from '../lists.ts';
import { splitLast } from '../names/dotted.ts';
import { ancestry, isMeant } from './line.ts';

/** More have such methods by chance, and many have one of a name. */
const MOST_ALIKE = 3;
const FEWEST_METHODS = 2;

/** Puts a type that asks for methods alone above those that have them all, unless somebody says that he is one. */
export function likening(units: Unit[]): (unit: Unit) => Unit {
  const product = units.filter(({ role }) => role !== 'test');
  const all = product.flatMap(({ types }) => types);
  const asking = all.filter(({ structural }) => structural);
  if (asking.length === 0) return (unit) => unit;
  const methods = methodsOf(product);
  const line = ancestry(units);
  const has = (type: Name, method: string) =>
    [type, ...line.types(type)].map((one) => methods.get(one)?.get(method)).find((one) => one !== undefined);
  const above = new Map<Name, Name[]>();
  for (const { name, leaves = [] } of asking) {
    const its = leaves.flatMap((method) => methods.get(name)?.get(method) ?? []);
    if (its.length < FEWEST_METHODS || its.length < leaves.length) continue;
    const isSaid = (one: TypeDeclaration) =>
      isOneItself(one) && one.bases.some((base) => isMeant(base, name));
    if (all.some(isSaid)) continue;
    const alike = all.filter(
      (one) =>
        isOneItself(one) &&
        leaves.some((method) => methods.get(one.name)?.has(method)) &&
        its.every((asked, i) => fits(asked, has(one.name, leaves[i]!))),
    );
    if (alike.length <= MOST_ALIKE) for (const one of alike) add(above, one.name, name);
  }
  return (unit) => {
    if (!unit.types.some(({ name }) => above.has(name))) return unit;
    const types = unit.types.map((one) => ({
      ...one,
      bases: [...one.bases, ...(above.get(one.name) ?? [])],
    }));
    return { ...unit, types };
  };
}

/** By their owners, then by their own names. */
function methodsOf(units: Unit[]): Map<string, Map<string, Routine>> {
  const all = new Map<string, Map<string, Routine>>();
  for (const { routines } of units)
    for (const routine of routines) {
      const cut = routine.kind === 'method' ? splitLast(routine.name) : null;
      if (!cut) continue;
      const its = all.get(cut.owner) ?? new Map();
      all.set(cut.owner, its.set(cut.last, routine));
    }
  return all;
}

const isOneItself = ({ abstract, structural }: TypeDeclaration) => !abstract && !structural;

/** Whoever calls the one may call the other so. */
function fits({ parameters: asked }: Routine, found: Routine | undefined): boolean {
  const its = found?.parameters;
  if (!asked || !its) return found !== undefined;
  return (
    its.required <= asked.required && (its.total === null || its.total >= (asked.total ?? asked.required))
  );
}

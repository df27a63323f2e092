// On which connections a request runs in a transaction, as the settings say of the program that a file belongs to, and what keeps it apart. Not which routines are requests.
import type { Name, Routine, Unit } from '../../ir.ts';
import type { PlacedSetting } from '../model.ts';
import { splitLast } from '../names/dotted.ts';
import { ancestry, isMeant } from './line.ts';
import { programsIn } from './programs.ts';

/** By their names; undefined is the default connection. */
export type Connections = readonly (string | undefined)[];

const NONE: Connections = [];

/** Of several programs of a repository the one counts that a file belongs to; where nobody knows which, what all of them say. */
export function requesting(
  settings: PlacedSetting[],
  units: Unit[],
): (routine: Routine, file: string) => Connections {
  const product = settings.filter(({ role }) => role === 'product');
  const said = product.filter(({ effect }) => effect === 'requests run in a transaction');
  if (said.length === 0) return () => NONE;
  const programs = new Map<string, Connections>();
  // The programs of another framework have no such requests.
  const frameworks = new Set(said.map(({ of }) => of));
  for (const { below, of } of product)
    if (below !== undefined && frameworks.has(of) && !programs.has(below))
      programs.set(below, connectionsOf(said.filter((one) => one.below === below)));
  const programOf = programsIn([...programs.keys()]);
  const [first = NONE, ...others] = programs.values();
  const all = first.filter((on) => others.every((its) => its.includes(on)));
  const byClass = keptApart(units);
  const bySaying = saidApart(units);
  return (routine, file) => {
    const program = programOf(file);
    const its = program === null ? all : programs.get(program)!;
    if (its.length === 0) return NONE;
    const apart = [...(routine.apart ?? []), ...byClass(routine.name), ...bySaying(routine.name)];
    return its.filter((on) => !apart.includes(on ?? ''));
  };
}

/** By a method's name: what its class says, or the nearest one above it that says anything. */
function keptApart(units: Unit[]): (method: Name) => string[] {
  const saying = units.flatMap(({ types }) => types.filter(({ apart }) => apart));
  if (!saying.some(({ apart }) => apart!.length > 0)) return () => [];
  const line = ancestry(units);
  return (method) => {
    const own = splitLast(method)?.owner as Name | undefined;
    for (const above of own ? [own, ...line.types(own)] : []) {
      const found = saying.find(({ name }) => isMeant(above, name));
      if (found) return found.apart!;
    }
    return [];
  };
}

/** By a function's or a method's name: what any file says of it, or of the method's class. */
function saidApart(units: Unit[]): (name: Name) => string[] {
  const said = units.flatMap(({ apart }) => apart ?? []);
  if (said.length === 0) return () => [];
  const line = ancestry(units);
  const all = said.flatMap(({ of, on }) => [of, ...line.types(of)].map((name) => ({ name, on })));
  return (name) => {
    const its = [name, splitLast(name)?.owner as Name | undefined];
    return all.flatMap((one) => (its.some((own) => own && isMeant(one.name, own)) ? [one.on] : []));
  };
}

const connectionsOf = (settings: PlacedSetting[]): Connections => [...new Set(settings.map(({ on }) => on))];

// How often `(f(x)).*` calls its function, once for each column of the row, and whether a function in FROM gives one row. It copies, it changes no unit.
import type { Name, Routine, Step, Unit } from '../../ir.ts';
import { canonical, lastPart } from '../definitions/sqlname.ts';
import { add } from '../lists.ts';
import { answered, COLUMNS } from './asks.ts';

/** Where the columns are not known, or the function gives rows, it is called once. */
export function expanding(units: Unit[]): (unit: Unit) => Unit {
  let known: Known | undefined;
  const expand = (step: Step): Step[] => {
    if (step.kind !== 'loop') return [step];
    if (step.gives) {
      known ??= declared(units);
      const functions = meant(known.routines, step.gives);
      if (functions.length === 0 || functions.some(({ givesRows }) => givesRows)) return [step];
      return step.over === 'rows' || step.atMost ? [{ ...step, times: 1 }] : step.body;
    }
    if (step.over !== 'columns') return [step];
    known ??= declared(units);
    const { of, ...loop } = step;
    const times = columnsOf(of![0]!, known);
    return times === null || times < 2 ? loop.body : [{ ...loop, times }];
  };
  return (unit) => answered(unit, COLUMNS, expand);
}

interface Known {
  routines: Map<string, Routine[]>;
  /** How many columns each declaration of a table or a type of that name lists. */
  types: Map<string, { name: Name; columns: number }[]>;
}

function declared(units: Unit[]): Known {
  const known: Known = { routines: new Map(), types: new Map() };
  const altered = new Set<string>();
  for (const { routines, relations, lists, changes, dialect } of units) {
    if (dialect === 'other') continue;
    for (const one of routines)
      if (one.kind === 'function' && one.name.startsWith('sql:')) add(known.routines, lastOf(one.name), one);
    for (const { name, items } of lists ?? [])
      if (name.startsWith('sql:')) add(known.types, lastOf(name), { name, columns: items });
    for (const { name, columns } of relations)
      if (columns && name.startsWith('sql:'))
        add(known.types, lastOf(name), { name, columns: Object.keys(columns).length });
    for (const { does, relation } of changes)
      if (does === 'drop column' && relation) altered.add(lastOf(relation));
  }
  for (const name of altered) known.types.delete(name);
  return known;
}

const lastOf = (name: Name) => lastPart(canonical(name));

/** Null where one that may be meant gives something else. */
function columnsOf(name: Name, { routines, types }: Known): number | null {
  const counts = meant(routines, name).map(({ columns, givesRows }) => {
    if (givesRows || columns === undefined) return null;
    return typeof columns === 'number' ? columns : same(meant(types, columns).map((one) => one.columns));
  });
  return same(counts);
}

const same = (counts: (number | null)[]): number | null =>
  counts.length > 0 && counts.every((count) => count === counts[0]) ? counts[0]! : null;

/** Those of that very name, else those that it may stand for in some schema. */
function meant<T extends { name: Name }>(byLast: Map<string, T[]>, name: Name): T[] {
  const short = canonical(name);
  const all = byLast.get(lastPart(short)) ?? [];
  const exact = all.filter((one) => canonical(one.name) === short);
  return exact.length > 0 || short.includes('.') ? exact : all;
}

// Which connection a step is on, where a class says that its objects have one of their own. It changes no unit, it copies.
import type { Name, Step, TypeDeclaration, Unit } from '../../ir.ts';
import { holds, rewrite } from '../rewrite.ts';

/** Most programs have one connection, and are left as they are. */
export function connecting(units: Unit[]): (unit: Unit) => Unit {
  if (!units.some(({ types }) => types.some(({ connection }) => connection))) return (unit) => unit;
  const types = new Map<Name, TypeDeclaration[]>();
  for (const type of units.flatMap((unit) => unit.types))
    types.set(type.name, [...(types.get(type.name) ?? []), type]);
  return (unit) => {
    const on = (step: Step): string | undefined => {
      const name = whose(step);
      return name && connectionOf(known(name, unit, types), types);
    };
    const change = (step: Step): Step[] => {
      const its = on(step);
      return [its ? { ...step, on: its } : step];
    };
    const concerned = ({ body }: { body: Step[] }) => holds(body, (step) => on(step) !== undefined);
    if (!unit.routines.some(concerned) && !unit.triggers.some(concerned)) return unit;
    const within = <T extends { body: Step[] }>(all: T[]): T[] =>
      all.map((one) => ({ ...one, body: rewrite(one.body, change) }));
    return { ...unit, routines: within(unit.routines), triggers: within(unit.triggers) };
  };
}

/** The name, or the first that it is short for in this file. */
function known(name: Name, unit: Unit, types: Map<Name, unknown>): Name {
  if (types.has(name)) return name;
  return unit.aliases.find(({ from, to }) => from === name && types.has(to))?.to ?? name;
}

/** Of the class itself, or the nearest one above it that says anything. */
function connectionOf(name: Name, types: Map<Name, TypeDeclaration[]>): string | undefined {
  const line = [name];
  for (let i = 0; i < line.length && line.length < 50; i++)
    for (const { connection, bases } of types.get(line[i]!) ?? []) {
      if (connection) return connection;
      for (const base of bases) if (!line.includes(base)) line.push(base);
    }
  return undefined;
}

/** The class whose connection it is on. */
function whose(step: Step): Name | undefined {
  if (step.kind === 'scope') return step.whose;
  if (step.kind !== 'write' && step.kind !== 'row lock' && step.kind !== 'read') return undefined;
  return step.relation && !step.relation.startsWith('sql:') ? step.relation : undefined;
}

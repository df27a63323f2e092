// What links of one program have in common: its definitions and what names mean in it. After an edit of bodies alone it is kept.
import type { Step, Unit } from '../ir.ts';
import { apart } from './apart.ts';
import { connecting } from './connections.ts';
import { withPostgres } from './databases.ts';
import { createGraph, type Graph } from './graph.ts';
import { inheriting } from './inherit.ts';
import { kept } from './kept.ts';
import { keying } from './keys.ts';
import { createNames } from './names.ts';
import { assemble, type Linked, type Program } from './program.ts';
import { settling } from './settings.ts';

export interface Base {
  /** As they were given. */
  units: Unit[];
  /** A unit with what the types, settings and keys in all of them make of it. */
  settled(unit: Unit): Unit;
  program: Program;
  graph: Graph;
}

export function base(units: Unit[], passed?: string[]): Base {
  const used = withPostgres(units);
  const [inherited, bySettings, byKeys] = [inheriting(used), settling(used), keying(used)];
  const connected = connecting(used);
  const settled = kept((unit: Unit) => byKeys(bySettings(connected(apart(inherited(unit))))));
  const program = assemble(used.map(settled));
  return { units, settled, program, graph: createGraph(program, createNames(program), passed) };
}

/**
 * The same base for units of which some have other bodies; null where anything else differs too. Definitions keep their
 * identity, for names were found to mean them.
 */
export function again(before: Base, units: Unit[]): Base | null {
  if (units.length !== before.units.length) return null;
  if (!units.every((unit, i) => alike(before.units[i], unit))) return null;
  const program = assemble(withPostgres(units).map(before.settled));
  const known = before.program.linked.filter(({ original }) => !original);
  if (!sameDefinitions({ ...before.program, linked: known }, program)) return null;
  const changed: { linked: Linked; old: Step[] }[] = [];
  for (const [index, linked] of known.entries()) {
    const next = program.linked[index]!;
    if (next.body !== linked.body) changed.push({ linked, old: linked.body });
    Object.assign(linked, next);
  }
  before.graph.renew(changed);
  return { ...before, units, program: { ...program, linked: before.program.linked } };
}

function sameDefinitions(a: Program, b: Program): boolean {
  return (
    a.linked.length === b.linked.length &&
    a.linked.every((one, i) => sameDefinition(one, b.linked[i]!)) &&
    alike(
      a.relations.map(({ relation }) => relation),
      b.relations.map(({ relation }) => relation),
    ) &&
    alike(
      a.foreignKeys.map(({ key }) => key),
      b.foreignKeys.map(({ key }) => key),
    )
  );
}

const sameDefinition = (a: Linked, b: Linked): boolean =>
  a.name === b.name &&
  a.file === b.file &&
  (a.until === undefined) === (b.until === undefined) &&
  // An abstract method that does something is called itself.
  a.body.length > 0 === b.body.length > 0 &&
  alike(a.routine, b.routine) &&
  alike(a.trigger, b.trigger);

/** What no name depends on; the text tells copies, and those are not among the definitions. */
const APART = new Set(['body', 'text', 'problems']);

/** Whether both say the same but for their places and bodies. */
function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  if (typeof one.start === 'number' && typeof other.start === 'number') return true;
  return keys.every((key) => APART.has(key) || alike(one[key], other[key]));
}

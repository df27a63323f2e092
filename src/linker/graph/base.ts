// What links of one program have in common: its definitions and what names mean in it. After an edit of bodies alone it is kept.
import type { Step, Unit } from '../../ir.ts';
import { dropsKeys } from '../definitions/dropped.ts';
import { prefixing } from '../definitions/prefixes.ts';
import { alone, assemble, keyOf, type Linked, type Program } from '../definitions/program.ts';
import { kept } from '../kept.ts';
import { createNames } from '../names/names.ts';
import { apart } from '../settled/apart.ts';
import { connecting } from '../settled/connections.ts';
import { withPostgres } from '../settled/databases.ts';
import { saying } from '../settled/elsewhere.ts';
import { expanding } from '../settled/expanded.ts';
import { inheriting } from '../settled/inherit.ts';
import { keying } from '../settled/keys.ts';
import { likening } from '../settled/likened.ts';
import { managedAlike, managing } from '../settled/managers.ts';
import { measuring } from '../settled/measured.ts';
import { planning } from '../settled/planned.ts';
import { pointAlike, pointing } from '../settled/pointed.ts';
import { raiseAlike, raising } from '../settled/raising.ts';
import { reading } from '../settled/reading.ts';
import { settling } from '../settled/settings.ts';
import { createGraph, type Graph, type GraphOptions } from './graph.ts';

export interface Base {
  /** As they were given. */
  units: Unit[];
  /** A unit with what the types, settings and keys in all of them make of it. */
  settled(unit: Unit): Unit;
  program: Program;
  graph: Graph;
}

/**
 * Routines with other bodies than before, and by index those to which they lead only now or no more; null where who
 * leads where was found anew.
 */
export interface Edited {
  changed: Linked[];
  redirected: Set<number> | null;
}

export function base(units: Unit[], options?: GraphOptions): Base {
  const used = withPostgres(units);
  const [inherited, bySettings, byKeys] = [inheriting(used), settling(used), keying(used)];
  const [connected, planned, prefixed] = [connecting(used), planning(used), prefixing(used)];
  const [said, measured, raised] = [saying(used), measuring(used), raising(used)];
  const [expanded, managed, pointed, likened, read] = [
    expanding(used),
    managing(used),
    pointing(used),
    likening(used),
    reading(used),
  ];
  const settled = kept((unit: Unit) => {
    const told = connected(
      managed(apart(inherited(prefixed(measured(expanded(said(raised(pointed(likened(read(unit))))))))))),
    );
    return byKeys(planned(bySettings(told)));
  });
  const program = assemble(used.map(settled));
  return { units, settled, program, graph: createGraph(program, createNames(program), options) };
}

const MOST_OUTDATED = 50_000;

/**
 * Makes it the base of units of which some have other bodies; null where anything else differs too. Definitions keep
 * their identity, for names were found to mean them.
 */
export function again(before: Base, units: Unit[]): Edited | null {
  if (units.length !== before.units.length || before.graph.outdated > MOST_OUTDATED) return null;
  const edited = units.filter((unit, i) => unit !== before.units[i]);
  if (!units.every((unit, i) => alike(before.units[i], unit))) return null;
  // Which of its statements have the key depends on where they stand.
  if (edited.some(dropsKeys) || !raiseAlike(before.units, units)) return null;
  if (!pointAlike(before.units, units)) return null;
  if (units.some((unit, i) => unit !== before.units[i] && !managedAlike(before.units[i]!, unit))) return null;
  const pairs = inPlace(before, edited) ?? anew(before, units);
  if (!pairs) return null;
  const changed: { linked: Linked; old: Step[] }[] = [];
  for (const [linked, next] of pairs) {
    if (next.body !== linked.body) changed.push({ linked, old: linked.body });
    Object.assign(linked, next, { index: linked.index });
  }
  before.units = units;
  return { changed: changed.map(({ linked }) => linked), redirected: before.graph.renew(changed) };
}

type Pairs = [Linked, Linked][];

/** The tables whose policies a file lets run, wherever those are. */
const enables = ({ changes }: Unit): string =>
  changes.flatMap(({ does, name }) => (does.endsWith('able policies') ? [`${does} ${name}`] : [])).join();

/** Files whose definitions concern no other file: nothing else is assembled. */
function inPlace({ program, settled }: Base, edited: Unit[]): Pairs | null {
  const all: Pairs = [];
  const units = new Map<string, Unit>();
  for (const unit of edited) {
    const next = settled(unit);
    if (next.dialect === 'other') continue;
    const isOf = ({ unit: { file } }: { unit: Unit }) => file === unit.file;
    const mine = program.linked.filter((one) => isOf(one) && !one.original);
    const own = alone(next);
    const files = program.units.filter(({ file }) => file === unit.file);
    if (!own || files.length !== 1 || files[0]!.series || enables(files[0]!) !== enables(next)) return null;
    const told = { relations: program.relations.filter(isOf), foreignKeys: program.foreignKeys.filter(isOf) };
    if (!sameDefinitions({ linked: mine, ...told }, own)) return null;
    if (own.linked.some((one) => program.shared.has(keyOf(one) ?? ''))) return null;
    for (const [i, one] of mine.entries()) all.push([one, own.linked[i]!]);
    units.set(unit.file, next);
  }
  if (units.size > 0) program.units = program.units.map((unit) => units.get(unit.file) ?? unit);
  return all;
}

function anew(before: Base, units: Unit[]): Pairs | null {
  const program = assemble(withPostgres(units).map(before.settled));
  const { linked } = before.program;
  const written = linked.filter(({ original }) => !original);
  if (!sameDefinitions({ ...before.program, linked: written }, program)) return null;
  const pairs = written.map((one, i): Pairs[number] => [one, program.linked[i]!]);
  Object.assign(before.program, program, { linked });
  return pairs;
}

type Definitions = Pick<Program, 'linked' | 'relations' | 'foreignKeys'>;

function sameDefinitions(a: Definitions, b: Definitions): boolean {
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
const APART = new Set(['body', 'text', 'problems', 'broken']);

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

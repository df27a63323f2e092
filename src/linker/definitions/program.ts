// The definitions that are live, out of all that the files define; not what they call.
import type { Alias, ForeignKey, Relation, TypeDeclaration, Unit } from '../../ir.ts';
import { above } from '../folders.ts';
import {
  begins, define, emptySequence, type Linked, runsOnce, type Sequence, signature, triggerKey,
} from './definitions.ts'; // biome-ignore format: one list
import { inOrder, isStep } from './order.ts';
import { scriptsOf, withoutOutdated } from './outdated.ts';
import { withoutIdle } from './policies.ts';
import { isTemporary } from './sqlname.ts';

export type { Linked } from './definitions.ts';

export interface Program {
  units: Unit[];
  linked: Linked[];
  relations: { relation: Relation; unit: Unit }[];
  types: { type: TypeDeclaration; unit: Unit }[];
  aliases: Alias[];
  foreignKeys: { key: ForeignKey; unit: Unit }[];
  /** What is defined more than once, by `keyOf`. */
  shared: Set<string>;
}

export function assemble(given: Unit[]): Program {
  const units = inOrder(given.filter(isOurs)).filter(isOurs);
  const sequences = new Map<string, Sequence>();
  const program: Program = {
    units, linked: [], relations: [], types: [], aliases: [], foreignKeys: [], shared: new Set(),
  }; // biome-ignore format: all empty
  for (const unit of units) {
    const id = unit.series ? `series ${unit.series.name}` : `file ${unit.file}`;
    const before = unit.series?.whole ? sequences.get(id)?.extra : undefined;
    const sequence = before ? { ...emptySequence(), extra: before } : (sequences.get(id) ?? emptySequence());
    sequences.set(id, sequence);
    define(unit, sequence);
    for (const type of unit.types) program.types.push({ type, unit });
    for (const alias of unit.aliases) program.aliases.push(alias);
  }
  for (const sequence of sequences.values()) {
    for (const linked of definedBy(sequence)) program.linked.push(linked);
    for (const one of sequence.relations.values()) program.relations.push(one);
    for (const one of sequence.foreignKeys.values()) program.foreignKeys.push(one);
  }
  const live = withoutOutdated(program.linked, { isSource, isUpgrade: upgrades(units) });
  program.linked = withoutIdle(withoutCopies(live, program.shared), units).sort(byPlace);
  program.linked.forEach((linked, index) => {
    linked.index = index;
  });
  return program;
}

const isOurs = ({ dialect }: Unit) => dialect !== 'other';

/** What one file defines that is in no series, in the order of a program. */
export function alone(unit: Unit): Pick<Program, 'linked' | 'relations' | 'foreignKeys'> | null {
  if (unit.series) return null;
  const sequence = emptySequence();
  define(unit, sequence);
  const { relations, foreignKeys } = sequence;
  return {
    linked: definedBy(sequence).sort(byPlace),
    relations: [...relations.values()],
    foreignKeys: [...foreignKeys.values()],
  };
}

const definedBy = ({ routines, triggers, extra }: Sequence): Linked[] => [
  ...routines.values(),
  ...triggers.values(),
  ...extra,
];

const byPlace = (a: Linked, b: Linked) =>
  order(a.file, b.file) || begins(a) - begins(b) || order(a.name, b.name);

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

// ---- before and after

export type Succession = (to: Linked, step: { at: { start: number } }, from: Linked) => boolean;

/** What is made after a script of its file or of its series has run: that met an older one of its name, or none. */
export function createSuccession({ units }: Program): Succession {
  const places = new Map(units.map(({ file }, i) => [file, i]));
  return (to, step, from) => {
    if (!runsOnce(from)) return false;
    if (to.file === from.file) return to.routine?.kind !== 'anonymous' && step.at.start < begins(to);
    const copy = to.copies?.find(({ file }) => file === from.file);
    if (copy) return step.at.start < begins(copy);
    const { series } = from.unit;
    return (
      series !== undefined &&
      series.name === to.unit.series?.name &&
      places.get(from.file)! < places.get(to.file)!
    );
  };
}

// ---- copies

/**
 * Several files may define one thing: a dump beside the migrations, the sources of an extension beside its scripts.
 * Where the text is the same, or one of them is made from the others, the one that people edit is kept.
 */
function withoutCopies(linked: Linked[], shared: Set<string>): Linked[] {
  const kept = new Map<string, Linked>();
  const out: Linked[] = [];
  const sorted = linked.map((one) => ({ one, place: placeOf(one) })).sort((a, b) => a.place - b.place);
  for (const { one } of sorted) {
    const key = keyOf(one);
    if (key === null) {
      out.push(one);
      continue;
    }
    const first = kept.get(key);
    if (first) shared.add(key);
    if (first && isCopy(first, one)) {
      first.copies = [...(first.copies ?? []), one];
      continue;
    }
    if (!first) kept.set(key, one);
    out.push(one);
  }
  return out;
}

/** By what several files may define it; null for what only one can. */
export function keyOf({ server, until, routine, trigger, name }: Linked): string | null {
  if (!server || until !== undefined || routine?.kind === 'anonymous' || isTemporary(name)) return null;
  return routine ? signature(routine) : triggerKey(trigger!.name, trigger!.relation, trigger!.via);
}

/** Migrations first, then sources; then scripts that bring an older version up or are made, and those of an extension; what only tests have last. */
function placeOf({ unit: { series, file, role } }: Linked): number {
  if (isMade(series)) return 3;
  if (role === 'test' || role === 'example') return 4;
  if (series && !isOrdered(series)) return 0;
  return UPGRADE.test(file) ? 2 : 1;
}

const UPGRADE =
  /(?:^|[/_.-])(?:up(?:grade|date)s?|patch(?:es)?|hotfix(?:es)?|deltas?|backups?|dumps?|old|archive|dist|generated)(?=[/_.-])/i;

/** Scripts that bring an older version up are made from the sources, and are never changed again. */
const isMade = (series: Unit['series']) =>
  series !== undefined && (series.name.endsWith('--') || series.name.startsWith('patches '));

/** Sources that run in an order. */
const isOrdered = ({ name }: NonNullable<Unit['series']>) => name.startsWith('ordered ');

const isSource = (one: Linked) => placeOf(one) === 1;

/** Of an extension too, where no script among them installs a version as a whole. */
function upgrades(units: Unit[]): (one: Linked) => boolean {
  const installed = new Set(units.filter((unit) => !isStep(unit)).map(({ series }) => series?.name));
  return (one) => {
    const { series } = one.unit;
    if (series?.name.endsWith('--')) return !installed.has(series.name);
    return placeOf(one) === 2 || series?.name.startsWith('patches ') === true;
  };
}

function isCopy(first: Linked, other: Linked): boolean {
  if (first.routine?.text !== undefined && first.routine.text === other.routine?.text) return true;
  const { series } = first.unit;
  // They hold what the sources were when a version was made.
  if (!series || isOrdered(series))
    return (
      (isMade(other.unit.series) || placeOf(other) === 2) &&
      placeOf(first) === 1 &&
      isBeside(other.file, first.file)
    );
  if ((other.unit.series && !isOrdered(other.unit.series)) || isMade(series)) return false;
  // `db/structure.sql` stands beside `db/migrate/…`.
  return isBeside(first.file, other.file);
}

/** Below the folder around all that belongs to the scripts. */
const isBeside = (versioned: string, other: string): boolean => other.startsWith(above(scriptsOf(versioned)));

// The definitions that are live, out of all that the files define; not what they call.
import type { Alias, ForeignKey, Relation, TypeDeclaration, Unit } from '../ir.ts';
import { define, emptySequence, type Linked, type Sequence, signature, triggerKey } from './definitions.ts';
import { inOrder } from './order.ts';

export type { Linked } from './definitions.ts';

export interface Program {
  units: Unit[];
  linked: Linked[];
  relations: { relation: Relation; unit: Unit }[];
  types: { type: TypeDeclaration; unit: Unit }[];
  aliases: Alias[];
  foreignKeys: { key: ForeignKey; unit: Unit }[];
}

export function assemble(given: Unit[]): Program {
  const units = inOrder(given.filter((unit) => unit.dialect !== 'other'));
  const sequences = new Map<string, Sequence>();
  const program: Program = { units, linked: [], relations: [], types: [], aliases: [], foreignKeys: [] };
  for (const unit of units) {
    const id = unit.series ? `series ${unit.series.name}` : `file ${unit.file}`;
    const sequence = sequences.get(id) ?? emptySequence();
    sequences.set(id, sequence);
    define(unit, sequence);
    for (const type of unit.types) program.types.push({ type, unit });
    for (const alias of unit.aliases) program.aliases.push(alias);
  }
  for (const { routines, triggers, extra, relations, foreignKeys } of sequences.values()) {
    for (const list of [routines.values(), triggers.values(), extra])
      for (const linked of list) program.linked.push(linked);
    for (const one of relations.values()) program.relations.push(one);
    for (const one of foreignKeys.values()) program.foreignKeys.push(one);
  }
  program.linked = withoutCopies(program.linked);
  program.linked.sort((a, b) => order(a.file, b.file) || at(a) - at(b) || order(a.name, b.name));
  program.linked.forEach((linked, index) => {
    linked.index = index;
  });
  return program;
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const at = (linked: Linked) => (linked.routine ?? linked.trigger)!.at.start;

// ---- copies

/**
 * Several files may define one thing: a dump beside the migrations, the sources of an extension beside its scripts.
 * Where the text is the same, or one of them is made from the others, the one that people edit is kept.
 */
function withoutCopies(linked: Linked[]): Linked[] {
  const kept = new Map<string, Linked>();
  const out: Linked[] = [];
  const sorted = linked.map((one) => ({ one, place: placeOf(one) })).sort((a, b) => a.place - b.place);
  for (const { one } of sorted) {
    if (!one.server || one.until !== undefined || one.routine?.kind === 'anonymous') {
      out.push(one);
      continue;
    }
    const key = one.routine
      ? signature(one.routine)
      : triggerKey(one.trigger!.name, one.trigger!.relation, one.trigger!.via);
    const first = kept.get(key);
    if (first && isCopy(first, one)) continue;
    if (!first) kept.set(key, one);
    out.push(one);
  }
  return out;
}

/** Migrations first, then sources; then scripts that bring an older version up, and those of an extension. */
function placeOf({ unit: { series, file, role } }: Linked): number {
  if (isMade(series)) return 3;
  if (series) return 0;
  if (role === 'test' || role === 'example') return 4;
  return UPGRADE.test(file) ? 2 : 1;
}

const UPGRADE =
  /(?:^|[/_.-])(?:up(?:grade|date)s?|patch(?:es)?|hotfix(?:es)?|deltas?|backups?|dumps?|old|archive)(?=[/_.-])/i;

/** Scripts that bring an older version up are made from the sources, and are never changed again. */
const isMade = (series: Unit['series']) =>
  series !== undefined && (series.name.endsWith('--') || series.name.startsWith('patches '));

function isCopy(first: Linked, other: Linked): boolean {
  if (first.routine?.text !== undefined && first.routine.text === other.routine?.text) return true;
  const { series } = first.unit;
  // They hold what the sources were when a version was made.
  if (!series)
    return (
      (isMade(other.unit.series) || placeOf(other) === 2) &&
      placeOf(first) === 1 &&
      isBeside(other.file, first.file)
    );
  if (other.unit.series || isMade(series)) return false;
  // `db/structure.sql` stands beside `db/migrate/…`.
  return isBeside(first.file, other.file);
}

function isBeside(versioned: string, other: string): boolean {
  const folder = versioned.split('/').slice(0, -2).join('/');
  return folder === '' || other.startsWith(`${folder}/`);
}

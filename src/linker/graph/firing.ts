// Which triggers a statement fires, and what else its relation runs as one: defaults, policies, rules, callbacks of classes. Not what those do.

import type {
  Asking,
  Certainty,
  Name,
  Read,
  Relation,
  Routine,
  Step,
  Trigger,
  Verb,
  Write,
} from '../../ir.ts';
import { isThere, runsOnce } from '../definitions/definitions.ts';
import { createHomes } from '../definitions/homes.ts';
import { createSuccession, type Linked, type Program, type Succession } from '../definitions/program.ts';
import { addSeen, type Seen, seenFrom } from '../definitions/seen.ts';
import { isDomain, lastPart } from '../definitions/sqlname.ts';
import { isHidden, isOfTemporary } from '../definitions/temporary.ts';
import { above, folderOf } from '../folders.ts';
import { add } from '../lists.ts';
import type { Names } from '../names/names.ts';
import { goingAlong } from './along.ts';
import type { Fired } from './fired.ts';

/** Event triggers are of no table. */
const EVENT = '';
const NOTHING: readonly Fired[] = [];
const NOBODY: readonly Linked[] = [];

/** Tables with a BEFORE UPDATE row trigger: PostgreSQL locks the row for it first, also while it is disabled. */
export function beforeUpdate(program: Program, names: Names): Set<string> {
  const out = new Set<string>();
  for (const linked of program.linked) {
    const { trigger } = linked;
    if (trigger?.via !== 'trigger' || linked.until !== undefined) continue;
    if (trigger.timing !== 'before' || trigger.each !== 'row' || !trigger.verbs.includes('update')) continue;
    const relation = names.relation(trigger.relation, linked);
    if (relation !== null) out.add(relation);
  }
  return out;
}

/** By relation: what BEFORE UPDATE row triggers make of NEW, and generated columns, which follow others; null where it may be any. */
function setBefore(program: Program, names: Names): Map<string, Set<string> | null> {
  const out = new Map<string, Set<string> | null>();
  for (const linked of program.linked) {
    const { trigger } = linked;
    if (!trigger || trigger.disabled || linked.until !== undefined) continue;
    const { via, timing, each, verbs, body, name } = trigger;
    const sets = via === 'trigger' && timing === 'before' && each === 'row' && verbs.includes('update');
    if (!sets && via !== 'generated column') continue;
    const relation = names.relation(trigger.relation, linked);
    if (relation === null) continue;
    const known = out.get(relation) ?? (out.has(relation) ? null : new Set<string>());
    const columns = sets ? body.flatMap((step) => setBy(step, linked, names)) : [name];
    out.set(
      relation,
      known && !columns.includes(null) ? new Set([...known, ...(columns as string[])]) : null,
    );
  }
  return out;
}

/** The columns of NEW that the function of a trigger sets; one is null where that is not known. */
function setBy(step: Step, linked: Linked, names: Names): (string | null)[] {
  if (step.kind !== 'call') return [];
  const { routines } = names.call(step, linked);
  return routines.length === 0 ? [null] : routines.flatMap(({ to }) => to.routine?.sets ?? [null]);
}

/** The columns that are after this statement what they were before; null where any may be another. */
export type Leaves = (step: Read | Write, relation: string) => ((column: string) => boolean) | null;

type Fires = (step: Read | Write, relation: string | null, from: Linked) => readonly Fired[];

export function triggersByRelation(
  program: Program,
  names: Names,
  changedBefore: Set<string>,
): { fires: Fires; leaves: Leaves } {
  const byTable = { read: new Map<string, Seen>(), write: new Map<string, Seen>() };
  const byClass = new Map<string, Linked[]>();
  const ofDefinitions = new Map<string, Seen>();
  const comesLater = createSuccession(program);
  const isApart = createHomes(program, (name, file) => names.relation(name as Name, { file } as Linked));
  for (const linked of program.linked) {
    if (!linked.trigger) continue;
    const { relation, verbs, via } = linked.trigger;
    if (via === 'event trigger') addSeen(ofDefinitions, EVENT, linked);
    else if (relation.startsWith('sql:')) {
      const table = names.relation(relation, linked)!;
      if (verbs.includes('read')) addSeen(byTable.read, table, linked);
      addSeen(byTable.write, table, linked);
    } else {
      // By the name of the class itself: it may be known by others, from where it is imported or by a setting.
      const [declared = relation] = names.lineage(relation, linked);
      add(byClass, declared, linked);
    }
  }
  const along = goingAlong(program, names, byClass);
  const parents = new Map<string, Parent[]>();
  const columns = new Map<string, Relation['columns']>();
  for (const { relation, unit } of program.relations) {
    const asked = { file: unit.file } as Linked;
    if (relation.columns) columns.set(names.relation(relation.name, asked)!, relation.columns);
    for (const parent of relation.parents ?? []) {
      const child = names.relation(relation.name, asked)!;
      add(parents, child, { table: names.relation(parent, asked)!, inherits: relation.inherits === true });
    }
    for (const { of, brings } of relation.copies ?? []) {
      const child = names.relation(relation.name, asked)!;
      add(parents, child, { table: names.relation(of, asked)!, inherits: false, only: new Set(brings) });
    }
  }
  const below = { partitions: byWhole(parents, false), heirs: byWhole(parents, true) };
  let ofDomains: Map<string, Map<string, string[]>> | null = null;
  let children: Map<string, string[]> | null = null;
  /** The tables that refer to one, and those that refer to them. */
  function referring(relation: string): string[] {
    children ??= byParent(program, names);
    const found = new Set([relation]);
    for (const table of found) for (const child of children.get(table) ?? []) found.add(child);
    found.delete(relation);
    return [...found];
  }
  const sets = setBefore(program, names);
  const divided = new Set([...parents.values()].flat().map(({ table }) => table));
  const leaves: Leaves = (step, relation) => {
    if (step.kind !== 'write' || step.verb !== 'update' || !step.columns || divided.has(relation))
      return null;
    const before = upwards(relation, parents).map(({ table }) => sets.get(table));
    if (before.includes(null)) return null;
    // A record saves what was set to it before as well.
    if (!isSql(step) && !step.withoutCallbacks && !step.exactly) return null;
    return (column) => !setsColumn(step, column) && !before.some((some) => some?.has(column));
  };
  /** What an UPDATE sets nothing of is of its domain already. */
  function isKept(step: Read | Write, relation: string, { trigger }: Linked): boolean {
    const unset = leaves(step, relation);
    if (!unset) return false;
    ofDomains ??= domainColumns(program, names);
    return ofDomains.get(relation)?.get(lastPart(trigger!.name))?.every(unset) === true;
  }
  const fires: Fires = (step, relation, from) => {
    const writes = step.kind === 'write';
    // A script is mostly definitions, and few programs have a trigger for those.
    if (writes && step.verb === 'ddl' && ofDefinitions.size === 0) return NOTHING;
    const ofTable = byTable[step.kind];
    const parts = relation === null || !writes ? undefined : partsOf(step, relation);
    const named = relation !== null && (parts || ofTable.has(relation) || parents.has(relation));
    const cascades = writes && step.cascades === true && relation !== null;
    const tag = writes ? step.tag : undefined;
    if (byClass.size === 0 && !named && tag === undefined && !cascades) return NOTHING;
    const out: Fired[] = [];
    if (cascades) ofReferring(step, relation, from, out);
    if (tag !== undefined) ofDefinition(step as Write, from, out);
    if (named && ofTable.size > 0) ofTheTable(step, relation, from, out);
    if (parts && writes) ofParts(step, parts, from, out);
    if (out.some(({ to }) => isInstead(step, to.trigger!)))
      return out.filter(({ to }) => isLeft(to.trigger!));
    if (byClass.size > 0) ofClass(step, from, out);
    return out;
  };
  const triggersOf = (step: Read | Write, table: string, from: Linked): readonly Linked[] => {
    const seen = byTable[step.kind].get(table);
    return seen ? seenFrom(seen, from.file) : NOBODY;
  };
  /** It asks pg_trigger_depth(), and does nothing where a trigger fires it. */
  const isOutermost = (to: Linked): boolean => {
    const call = to.trigger!.body.at(-1);
    if (to.trigger!.outermost) return true;
    if (to.trigger!.via !== 'trigger' || call?.kind !== 'call') return false;
    const { routines } = names.call(call, to);
    return routines.length > 0 && routines.every((one) => one.to.routine?.triggered === 'outermost');
  };
  /** It asks for a setting that is something else now. */
  const isUnset = (step: Write, to: Linked): boolean => {
    if (!step.settings || to.trigger!.via !== 'trigger') return false;
    if (to.trigger!.setting && !isSo(to.trigger!.setting, step.settings)) return true;
    const call = to.trigger!.body.at(-1);
    const routines = call?.kind === 'call' ? names.call(call, to).routines : [];
    const isNone = ({ setting }: Partial<Routine>) => setting && !isSo(setting, step.settings!);
    return routines.length > 0 && routines.every((one) => isNone(one.to.routine ?? {}));
  };
  const isDefined = (to: Linked, table: string, step: Read | Write, from: Linked) =>
    !comesLater(to, step, from) &&
    isThere(to, step, from) &&
    (areInOrder(to, from) || !isApart(table, to.file, from.file));

  /** TRUNCATE … CASCADE empties the tables that refer to this one as well. */
  function ofReferring(step: Write, relation: string, from: Linked, out: Fired[]): void {
    for (const table of referring(relation))
      for (const to of triggersOf(step, table, from)) {
        const certainty = to.trigger!.via === 'trigger' ? firing(step, to.trigger!) : null;
        if (certainty && isDefined(to, table, step, from) && !isOff(step, to.trigger!))
          out.push({ to, certainty, on: table });
      }
  }

  function ofDefinition(step: Write, from: Linked, out: Fired[]): void {
    const all = ofDefinitions.get(EVENT);
    for (const to of all ? seenFrom(all, from.file) : NOBODY) {
      const certainty = seeing(step, to, from, comesLater);
      if (certainty && !passesOver(step, to, from, names)) out.push({ to, certainty });
    }
  }

  /** What the table has itself, and what it has of those that it is a part or a copy of. */
  function ofTheTable(step: Read | Write, relation: string, from: Linked, out: Fired[]): void {
    for (const { table, inherits, only } of upwards(relation, parents))
      for (const to of triggersOf(step, table, from)) {
        const trigger = to.trigger!;
        const { via, each, changes } = trigger;
        // What a trigger makes of a row may be anything.
        const certainty = firing(step, trigger, via === 'generated column' && changedBefore.has(relation));
        if (!certainty || (inherits && OWN.has(via)) || (only && !only.has(via))) continue;
        // Of what a parent has, partitions get only the row triggers.
        if (table !== relation && each !== 'row') continue;
        const left = changes && leaves(step, relation);
        if (left && changes.every(left)) continue;
        if (!isDefined(to, table, step, from) || isHidden(to, relation, step, from)) continue;
        if (from.routine?.triggered && isOutermost(to)) continue;
        if (step.kind === 'write') {
          if (isOff(step, trigger) || isUnset(step, to)) continue;
          if (isGiven(step, trigger, columns.get(relation) ?? columns.get(table))) continue;
        }
        if (via === 'domain' && isKept(step, relation, to)) continue;
        out.push({ to, certainty });
      }
  }

  /** Rows go into partitions; what changes rows finds those of all tables below this one. */
  function partsOf(step: Write, relation: string): Set<string> | undefined {
    if (step.only) return undefined;
    const isNew = step.verb === 'insert' || step.verb === 'copy';
    return (isNew ? below.partitions : below.heirs).get(relation);
  }

  /** Some rows are for one of these, or none; a statement's own triggers fire for the table that it names. */
  function ofParts(step: Write, parts: Iterable<string>, from: Linked, out: Fired[]): void {
    for (const table of parts)
      for (const to of triggersOf(step, table, from)) {
        const trigger = to.trigger!;
        if (trigger.each !== 'row' || OF_NAMED.has(trigger.via) || !firing(step, trigger)) continue;
        if (
          !isDefined(to, table, step, from) ||
          isOff(step, trigger) ||
          isUnset(step, to) ||
          (from.routine?.triggered && isOutermost(to))
        )
          continue;
        if (!out.some((one) => runsTheSame(one.to, to))) out.push({ to, certainty: 'likely', on: table });
      }
  }

  /** Callbacks of a model's class and of those above it. */
  function ofClass(step: Read | Write, from: Linked, out: Fired[]): void {
    const { relation } = step;
    if (relation === null || relation.startsWith('sql:')) return;
    if (step.kind === 'write' && step.withoutCallbacks) return;
    const line = names.lineage(relation, from);
    if (step.kind === 'write' && step.verb === 'delete' && along.size > 0)
      for (const one of line)
        for (const going of along.get(one) ?? [])
          if (!isOff(step, going.to.trigger!) && firing(step, going.to.trigger!)) out.push(going);
    for (const one of line)
      for (const to of byClass.get(one) ?? NOBODY) {
        if (one !== line[0] && to.trigger!.exact) continue;
        if (to.trigger!.but?.some((other) => line.includes(names.lineage(other, to)[0] ?? other))) continue;
        if (step.kind === 'write' && isOff(step, to.trigger!)) continue;
        const certainty = firing(step, to.trigger!);
        if (certainty) out.push({ to, certainty });
      }
  }
  return { fires, leaves };
}

/** The columns of tables that are of a domain, by its name; not those of which ALTER TABLE may have made more. */
function domainColumns(program: Program, names: Names): Map<string, Map<string, string[]>> {
  const out = new Map<string, Map<string, string[]>>();
  const said = new Map<string, number>();
  const listed = new Map<string, number>();
  // As each file says it: of several that say the same of a table, a program keeps one.
  for (const unit of program.units)
    for (const { name, parents, columns } of unit.relations) {
      if (!parents && !columns) continue;
      const table = names.relation(name, { file: unit.file } as Linked)!;
      for (const parent of parents ?? []) if (isDomain(parent)) count(said, `${table} ${domainName(parent)}`);
      for (const [column, type] of Object.entries(columns ?? {})) {
        count(listed, `${table} ${type}`);
        const own = out.get(table) ?? new Map<string, string[]>();
        out.set(table, own);
        add(own, type, column);
      }
    }
  for (const [table, own] of out)
    for (const type of own.keys())
      if (listed.get(`${table} ${type}`) !== said.get(`${table} ${type}`)) own.delete(type);
  return out;
}

const count = (of: Map<string, number>, key: string) => of.set(key, (of.get(key) ?? 0) + 1);

/** `sql:app."domain size"` is of the domain `size`. */
const domainName = (name: string) => name.slice(name.indexOf('"domain ') + 8, -1);

function byParent(program: Program, names: Names): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const { key, unit } of program.foreignKeys) {
    const asked = { file: unit.file } as Linked;
    const [child, parent] = [names.relation(key.child, asked), names.relation(key.parent, asked)];
    if (child !== null && parent !== null) add(out, parent, child);
  }
  return out;
}

/** What runs one after the other speaks of one database. */
const areInOrder = (one: Linked, other: Linked): boolean =>
  one.file === other.file ||
  (one.unit.series !== undefined && one.unit.series.name === other.unit.series?.name);

/** How surely an event trigger runs for a definition: whether it was there by then, a script of another file does not say. */
function seeing(step: Write, to: Linked, from: Linked, comesLater: Succession): Certainty | null {
  const { role } = to.unit;
  const inOrder = areInOrder(to, from);
  if (!inOrder && (role === 'test' || role === 'example')) return null;
  const { disabled, event, tags, body, name } = to.trigger!;
  const tag = step.tag!;
  if (
    disabled ||
    step.without?.some((off) => off === name || off === 'all') ||
    (tags && !tags.includes(tag)) ||
    (event === 'sql_drop' && !tag.startsWith('drop '))
  )
    return null;
  if (comesLater(to, step, from) || !isThere(to, step, from)) return null;
  // What its own function defines would run it again, without end: the function asks for something else first.
  const own = lastPart(from.name);
  if (body.some((one) => one.kind === 'call' && lastPart(one.callee) === own)) return null;
  if (inOrder) return event === 'sql_drop' && step.atMost ? 'likely' : 'certain';
  return runsOnce(from) || !isBeside(to.file, from.file) ? 'possible' : 'likely';
}

/** Of what is temporary its function may do nothing: it asks. */
const passesOver = (step: Write, to: Linked, from: Linked, names: Names): boolean =>
  isOfTemporary(step, from) &&
  to.trigger!.body.some(
    (one) =>
      one.kind === 'call' && names.call(one, to).routines.some(({ to: its }) => its.routine?.asksTemporary),
  );

/** In its folder, or in one beside that: `db/triggers/seen.sql` and `db/functions/partitions.sql`. */
function isBeside(file: string, other: string): boolean {
  const own = folderOf(file);
  return other.startsWith(above(own) || own) && (own !== '' || !other.includes('/'));
}

/** Above a relation; `inherits` where INHERITS lies between, and not partitions alone. */
interface Parent {
  table: string;
  inherits: boolean;
  /** It was copied, with these alone. */
  only?: Set<Trigger['via']>;
}

/** What a table that inherits does not have of its parents. */
const OWN = new Set<Trigger['via']>(['trigger', 'index', 'rule', 'policy', 'view']);

/** What a table has only where a statement names it, and not where a row goes to it. */
const OF_NAMED = new Set<Trigger['via']>(['default', 'rule', 'policy', 'view']);

/** What each table has for partitions, and those of them; or what inherits from it, too. */
function byWhole(parents: Map<string, Parent[]>, heirs: boolean): Map<string, Set<string>> {
  const out = new Map<string, Set<string>>();
  for (const [table, all] of parents)
    for (const { table: whole, inherits, only } of all)
      if ((heirs || !inherits) && !only) {
        const parts = out.get(whole);
        if (parts) parts.add(table);
        else out.set(whole, new Set([table]));
      }
  for (const parts of out.values())
    for (const part of parts) for (const own of out.get(part) ?? NO_PARTS) parts.add(own);
  return out;
}

const NO_PARTS: string[] = [];

/** A trigger of the whole is one of each partition too, where somebody wrote it down again. */
function runsTheSame(one: Linked, other: Linked): boolean {
  const [a, b] = [one.body[0], other.body[0]];
  return one === other || (a?.kind === 'call' && b?.kind === 'call' && a.callee === b.callee);
}

function upwards(relation: string, parents: Map<string, Parent[]>): Parent[] {
  const out: Parent[] = [{ table: relation, inherits: false }];
  for (let i = 0; i < out.length && out.length < 50; i++)
    for (const { table, inherits, only } of parents.get(out[i]!.table) ?? [])
      if (!out.some((one) => one.table === table)) {
        const both = shared(only, out[i]!.only);
        out.push({ table, inherits: inherits || out[i]!.inherits, ...(both && { only: both }) });
      }
  return out;
}

/** What two copies, one of the other, leave. */
const shared = (a: Parent['only'], b: Parent['only']): Parent['only'] =>
  a && b ? new Set([...a].filter((via) => b.has(via))) : (a ?? b);

/** The rows are not written where they were sent: neither that relation's own triggers fire nor those of a view's table. */
export const isInstead = (step: Read | Write, { via, timing, conditional, verbs }: Trigger): boolean =>
  step.kind === 'write' &&
  timing === 'instead' &&
  verbs.includes(step.verb) &&
  (via === 'trigger' || (via === 'rule' && !conditional));

const isLeft = ({ via, timing }: Trigger) => via === 'rule' || (via === 'trigger' && timing === 'instead');

/** Whether the setting may be so: where nobody says what it is, it may. */
const isSo = ({ setting, is, among }: Asking, settings: Record<string, string>): boolean =>
  !Object.hasOwn(settings, setting) || among.includes(settings[setting]!) === (is === 'one');

/** Switched off when the statement runs. */
function isOff({ without }: Write, { via, name, group }: Trigger): boolean {
  if (!without) return false;
  if (via === 'model callback') return group !== undefined && without.includes(group);
  const all = without.includes('all');
  if (via === 'trigger') return all || without.includes('user') || without.includes(name);
  return (all && via === 'foreign key') || (via === 'rule' && without.includes('rules'));
}

/** A default is not computed for a column that has a value; that of a domain is for any column of it that has none. */
function isGiven(
  { gives, resets }: Write,
  { via, name, relation }: Trigger,
  columns: Relation['columns'],
): boolean {
  if (via !== 'default' || gives === undefined || resets?.includes(name)) return false;
  if (gives === 'all') return true;
  const all = Object.entries(columns ?? {});
  const has = (column: string) =>
    gives.includes(column) || gives.includes(all.findIndex(([one]) => one === column));
  if (!isDomain(relation)) return has(name);
  const own = all.filter(([, type]) => type === lastPart(name));
  return own.length > 0 && own.every(([column]) => has(column));
}

const isReset = ({ resets }: Write, { via, name }: Trigger): boolean =>
  via === 'default' && resets?.includes(name) === true;

const isSql = ({ relation }: Write): boolean => relation?.startsWith('sql:') === true;

/** A program names a reference as its model does: `owner` is the column `owner_id`. */
const setsColumn = (step: Write, column: string): boolean =>
  step.columns!.includes(column) || (!isSql(step) && step.columns!.includes(column.replace(/_id$/, '')));

/** Whether this statement fires that trigger, and how surely. */
function firing(step: Read | Write, trigger: Trigger, all = false): Certainty | null {
  if (trigger.disabled || step.rows === 'none') return null;
  if (trigger.via === 'rule' && step.kind === 'write' && step.verb === 'copy') return null;
  if (step.kind === 'read') return trigger.verbs.includes('read') ? 'certain' : null;
  const verbs = trigger.verbs.filter((verb) => covers(step, verb));
  if (isReset(step, trigger)) return step.verb === 'update' ? 'certain' : 'likely';
  if (verbs.length === 0) return null;
  const asked = all ? undefined : trigger.columns;
  if (asked && verbs.every((verb) => verb === 'update')) {
    if (step.columns && !asked.some((column) => setsColumn(step, column))) return null;
    // A save sets what was changed before it, and mostly that is something else.
    if (!step.columns) return trigger.via === 'model callback' ? 'possible' : 'likely';
  }
  if (step.verb === 'merge' || (step.onConflict && !firesAnyway(step, trigger))) return 'likely';
  return trigger.conditional ? 'likely' : 'certain';
}

/** Whether it fires for a row that is there already as for a new one. */
const firesAnyway = ({ onConflict, atMost }: Write, { verbs, timing, each, columns }: Trigger): boolean =>
  verbs.includes('insert') &&
  (timing === 'before' ||
    each === 'statement' ||
    (onConflict === 'update' && !atMost && !columns && verbs.includes('update')));

/**
 * How often it may fire for one row, or for the statement: an upsert is an INSERT and, of a row that is there, an UPDATE.
 * A MERGE is all that it may do, and one thing for each row.
 */
export function firings(step: Read | Write, { verbs, timing, each, via }: Trigger): number {
  if (step.kind === 'read' || via !== 'trigger') return 1;
  const once = each === 'row' && (timing === 'after' || step.verb === 'merge');
  return once ? 1 : Math.max(1, verbs.filter((verb) => covers(step, verb)).length);
}

/** The one verb of a trigger that this statement is; null where it may be several. */
export function verbOf(step: Read | Write, { verbs }: Trigger): Verb | null {
  const fit = step.kind === 'write' ? verbs.filter((verb) => covers(step, verb)) : [];
  return fit.length === 1 ? (fit[0] as Verb) : null;
}

function covers(step: Write, verb: Trigger['verbs'][number]): boolean {
  if (step.verb === verb) return true;
  if (step.verb === 'merge') return may(step, verb);
  return verb === 'insert' ? step.verb === 'copy' : verb === 'update' && step.onConflict === 'update';
}

/** Whether a MERGE may do this. */
export const may = ({ does }: Write, verb: Trigger['verbs'][number]): boolean =>
  does ? does.some((one) => one === verb) : verb === 'insert' || verb === 'update' || verb === 'delete';

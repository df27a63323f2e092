// What definitions and later statements of one sequence leave: replaced, dropped, renamed, switched off. Knows no order of files.
import type { Change, ForeignKey, Name, Relation, Routine, Step, Trigger, Unit } from '../ir.ts';
import { canonical, lastPart, schemaOf } from './sqlname.ts';

/** Something with a body that can be entered: a routine, or a trigger's own few steps. */
export interface Linked {
  index: number;
  unit: Unit;
  file: string;
  name: Name;
  body: Step[];
  routine?: Routine;
  trigger?: Trigger;
  /** It runs inside the server, so a transaction is open. */
  server: boolean;
  /** Where its own file drops or replaces it: only what stands before is served by it. */
  until?: number;
}

/** Definitions replace each other within one file and within one series of files, and nowhere else. */
export interface Sequence {
  routines: Map<string, Linked>;
  triggers: Map<string, Linked>;
  /** Scripts, and what is gone again but was there for a while. */
  extra: Linked[];
  foreignKeys: { key: ForeignKey; unit: Unit }[];
  relations: { relation: Relation; unit: Unit }[];
}

export const emptySequence = (): Sequence => ({
  routines: new Map(),
  triggers: new Map(),
  extra: [],
  foreignKeys: [],
  relations: [],
});

type Definition = { at: number } & (
  | { routine: Routine }
  | { trigger: Trigger }
  | { key: ForeignKey }
  | { relation: Relation }
  | { change: Change }
);

/** Takes in one file, its definitions in the order in which they stand there. */
export function define(unit: Unit, sequence: Sequence): void {
  const definitions: Definition[] = [
    ...unit.relations.map((relation) => ({ at: relation.at.start, relation })),
    ...unit.routines.map((routine) => ({ at: routine.at.start, routine })),
    ...unit.triggers.map((trigger) => ({ at: trigger.at.start, trigger })),
    ...unit.foreignKeys.map((key) => ({ at: key.at.start, key })),
    ...unit.changes.map((change) => ({ at: change.at.start, change })),
  ];
  definitions.sort((a, b) => a.at - b.at);
  for (const definition of definitions) {
    if ('change' in definition) change(definition.change, sequence, unit);
    else if ('trigger' in definition) {
      const { trigger } = definition;
      const name = `${trigger.relation.split(':')[0]}:${trigger.name}` as Name;
      const server = trigger.via !== 'model callback';
      const linked: Linked = { index: 0, unit, file: unit.file, name, body: trigger.body, trigger, server };
      put(sequence, sequence.triggers, triggerKey(trigger.name, trigger.relation, trigger.via), linked);
    } else if ('routine' in definition) {
      const { routine } = definition;
      const { name, body, kind } = routine;
      const server = name.startsWith('sql:') && kind !== 'script';
      const linked: Linked = { index: 0, unit, file: unit.file, name, body, routine, server };
      if (server && kind !== 'anonymous') put(sequence, sequence.routines, signature(routine), linked);
      else sequence.extra.push(linked);
    } else if ('key' in definition) sequence.foreignKeys.push({ key: definition.key, unit });
    else sequence.relations.push({ relation: definition.relation, unit });
  }
}

function put(sequence: Sequence, map: Map<string, Linked>, key: string, linked: Linked): void {
  const { at } = (linked.routine ?? linked.trigger)!;
  remove(sequence, map, key, linked.unit, at.start);
  map.set(key, linked);
}

/** What one file makes and takes away again serves what stands between; what another file made is gone. */
function remove(sequence: Sequence, map: Map<string, Linked>, key: string, unit: Unit, until: number): void {
  const old = map.get(key);
  map.delete(key);
  if (old?.unit === unit && old.server) sequence.extra.push({ ...old, until });
}

export function signature({ name, parameters, kind }: Routine): string {
  const types = parameters?.types;
  const args = types?.every((type) => type !== null) ? types.join() : String(parameters?.total);
  return `${canonical(name)}(${args})${kind === 'procedure' ? ' procedure' : ''}`;
}

export function triggerKey(name: string, relation: Name, via: Trigger['via']): string {
  return `${via} ${name} on ${canonical(relation)}`;
}

/** What a later statement of the same sequence does to earlier definitions. */
function change(step: Change, sequence: Sequence, unit: Unit): void {
  const { does, name } = step;
  const target = name.startsWith('sql:') ? canonical(name as Name) : name;
  switch (does) {
    case 'drop routine':
      dropRoutines(step, target, sequence, unit);
      return;
    case 'drop relation':
      drop(sequence, unit, step, (relation) => canonical(relation) === target);
      return;
    case 'drop schema':
      dropSchema(target, step, sequence, unit);
      drop(sequence, unit, step, (relation) => isIn(target, relation));
      return;
    case 'drop index':
      for (const [key, { trigger }] of sequence.triggers)
        if (trigger!.via === 'index' && trigger!.name === lastPart(target))
          remove(sequence, sequence.triggers, key, unit, step.at.start);
      withoutKeys(sequence, null, (key) => key.name === lastPart(target));
      return;
    case 'drop column':
      dropColumn(step, sequence, unit);
      return;
    case 'drop trigger':
    case 'drop constraint':
    case 'enable trigger':
    case 'disable trigger':
      triggers(step, sequence, unit);
      return;
    case 'rename trigger':
      renameTriggers(step, sequence);
      return;
    case 'rename relation':
      rename(sequence, (old) => (canonical(old) === target && step.to ? step.to : old));
      return;
    case 'rename schema':
      renameSchema(target, step, sequence);
      return;
    case 'rename routine':
      for (const [key, linked] of [...sequence.routines])
        if (step.to && canonical(linked.name) === target) renamed(sequence, key, linked, step.to);
  }
}

function dropRoutines(step: Change, target: string, sequence: Sequence, unit: Unit): void {
  const { routines } = sequence;
  for (const [key, { routine }] of [...routines])
    if (
      canonical(routine!.name) === target &&
      (step.args === undefined || routine!.parameters?.total === step.args)
    )
      remove(sequence, routines, key, unit, step.at.start);
}

function dropSchema(schema: string, step: Change, sequence: Sequence, unit: Unit): void {
  const { routines } = sequence;
  for (const [key, { name }] of [...routines])
    if (isIn(schema, name)) remove(sequence, routines, key, unit, step.at.start);
}

/** A relation goes with its triggers, its own foreign keys and those that refer to it. */
function drop(sequence: Sequence, unit: Unit, step: Change, isGone: (relation: Name) => boolean): void {
  for (const [key, { trigger }] of [...sequence.triggers])
    if (isGone(trigger!.relation)) remove(sequence, sequence.triggers, key, unit, step.at.start);
  sequence.foreignKeys = sequence.foreignKeys.filter(({ key }) => !isGone(key.child) && !isGone(key.parent));
  dropCascades(sequence, unit, step, ({ relation }) => relation !== null && isGone(relation));
  sequence.relations = sequence.relations.filter(
    (one) => !isGone(one.relation.name) || one.unit === unit, // its own file still speaks of it
  );
}

/** Triggers that stand for foreign keys, by the write that they do. */
function dropCascades(
  sequence: Sequence,
  unit: Unit,
  step: Change,
  isGone: (write: { relation: Name | null }, name: string) => boolean,
): void {
  for (const [key, { trigger }] of [...sequence.triggers]) {
    const write = trigger!.via === 'foreign key' ? trigger!.body[0] : undefined;
    if (write?.kind === 'write' && isGone(write, trigger!.name))
      remove(sequence, sequence.triggers, key, unit, step.at.start);
  }
}

function dropColumn(step: Change, sequence: Sequence, unit: Unit): void {
  const { name, relation } = step;
  const isOf = (other: Name) => canonical(other) === canonical(relation!);
  const gone = sequence.foreignKeys.filter(({ key }) => isOf(key.child) && key.columns?.includes(name));
  for (const { key } of gone) if (key.name) triggers({ ...step, name: key.name }, sequence, unit);
  sequence.foreignKeys = sequence.foreignKeys.filter((one) => !gone.includes(one));
  for (const [key, { trigger }] of [...sequence.triggers]) {
    const own = trigger!.name === name && (trigger!.via === 'default' || trigger!.via === 'generated column');
    const check =
      trigger!.via === 'check constraint' &&
      trigger!.name === `${lastPart(canonical(relation!))}_${name}_check`;
    if (isOf(trigger!.relation) && (own || check))
      remove(sequence, sequence.triggers, key, unit, step.at.start);
  }
  withoutKeys(sequence, relation!, (key) => key.columns.includes(name));
}

function withoutKeys(
  sequence: Sequence,
  relation: Name | null,
  isGone: (key: { name: string; columns: string[] }) => boolean,
): void {
  sequence.relations = sequence.relations.map((one) => {
    const { keys, name } = one.relation;
    if (!keys?.some(isGone) || (relation && canonical(name) !== canonical(relation))) return one;
    return { ...one, relation: { ...one.relation, keys: keys.filter((key) => !isGone(key)) } };
  });
}

/** By name on one relation, or all of it; a constraint may also be a foreign key or a key. */
function triggers(step: Change, sequence: Sequence, unit: Unit): void {
  const { does, relation, name } = step;
  const called = bare(name);
  for (const [key, linked] of [...sequence.triggers]) {
    const trigger = linked.trigger!;
    if (relation && canonical(trigger.relation) !== canonical(relation)) continue;
    if (trigger.name !== called && !/^(all|user)$/i.test(called)) continue;
    if (does === 'enable trigger' || does === 'disable trigger')
      sequence.triggers.set(key, {
        ...linked,
        trigger: { ...trigger, disabled: does === 'disable trigger' },
      });
    else remove(sequence, sequence.triggers, key, unit, step.at.start);
  }
  if (does !== 'drop constraint' && does !== 'drop column') return;
  const isOf = (other: Name | null) => other !== null && canonical(other) === canonical(relation!);
  dropCascades(sequence, unit, step, (write, name) => isOf(write.relation) && name.startsWith(`${called} (`));
  sequence.foreignKeys = sequence.foreignKeys.filter(({ key }) => !isOf(key.child) || key.name !== called);
  withoutKeys(sequence, relation!, (key) => key.name === called);
}

function renameTriggers({ name, relation, to: now }: Change, sequence: Sequence): void {
  const to = now && bare(now);
  for (const [key, linked] of [...sequence.triggers]) {
    const trigger = linked.trigger!;
    if (!to || trigger.name !== name || (relation && canonical(trigger.relation) !== canonical(relation)))
      continue;
    const renamed = { ...trigger, name: to };
    sequence.triggers.delete(key);
    sequence.triggers.set(triggerKey(to, trigger.relation, trigger.via), { ...linked, trigger: renamed });
  }
  for (const one of sequence.foreignKeys)
    if (to && one.key.name === name && relation && canonical(one.key.child) === canonical(relation))
      one.key = { ...one.key, name: to };
}

/** Everything that speaks of relations: they are called by the new name from now on. */
function rename(sequence: Sequence, now: (old: Name) => Name): void {
  for (const [key, linked] of [...sequence.triggers]) {
    const trigger = linked.trigger!;
    const relation = now(trigger.relation);
    const write = trigger.via === 'foreign key' ? trigger.body[0] : undefined;
    const child = write?.kind === 'write' && write.relation ? now(write.relation) : null;
    const body =
      write?.kind === 'write' && child !== write.relation ? [{ ...write, relation: child }] : trigger.body;
    if (relation === trigger.relation && body === trigger.body) continue;
    sequence.triggers.delete(key);
    sequence.triggers.set(triggerKey(trigger.name, relation, trigger.via), {
      ...linked,
      body,
      trigger: { ...trigger, relation, body },
    });
  }
  sequence.foreignKeys = sequence.foreignKeys.map(({ key, unit }) => ({
    key: { ...key, child: now(key.child), parent: now(key.parent) },
    unit,
  }));
  sequence.relations = sequence.relations.flatMap((one) => {
    const name = now(one.relation.name);
    const parents = one.relation.parents?.map(now);
    const again = { ...one.relation, name, ...(parents && { parents }) };
    return name === one.relation.name ? [{ ...one, relation: again }] : [one, { ...one, relation: again }];
  });
}

function renameSchema(schema: string, { to }: Change, sequence: Sequence): void {
  if (!to) return;
  const now = (old: Name): Name => (isIn(schema, old) ? `sql:${bare(to)}.${lastPart(canonical(old))}` : old);
  rename(sequence, now);
  for (const [key, linked] of [...sequence.routines])
    if (now(linked.name) !== linked.name) renamed(sequence, key, linked, now(linked.name));
}

function renamed(sequence: Sequence, key: string, linked: Linked, name: Name): void {
  const routine = { ...linked.routine!, name };
  sequence.routines.delete(key);
  sequence.routines.set(signature(routine), { ...linked, name, routine });
}

const bare = (name: string) => name.replace(/^sql:/, '');

/** Names without a schema are those of `public`, unless a script's search path said otherwise. */
const isIn = (schema: string, name: Name): boolean =>
  name.startsWith('sql:') && name !== 'sql:*' && (schemaOf(canonical(name)) ?? 'public') === schema;

/** Whether this is there when a step of `from` runs: what its own file takes away again serves that file, until then. */
export function isThere(
  linked: Linked,
  step: { at: { start: number } },
  from: { file: string; routine?: Routine },
): boolean {
  if (linked.until === undefined) return true;
  if (linked.file !== from.file) return false;
  const straight = from.routine?.kind === 'script' || from.routine?.kind === 'anonymous';
  const begun = (linked.routine ?? linked.trigger)!.at.start;
  return !straight || (begun < step.at.start && step.at.start < linked.until);
}

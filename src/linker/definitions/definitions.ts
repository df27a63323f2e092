// What definitions and later statements of one sequence leave: replaced, dropped, renamed, switched off. Knows no order of files.
import type { Change, ForeignKey, Name, Relation, Routine, Step, Trigger, Unit, Write } from '../../ir.ts';
import { Shelf } from './shelf.ts';
import { canonical, isTemporary, lastPart, schemaOf } from './sqlname.ts';

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
  /** The same where other files define it, which is left out. */
  copies?: Linked[];
  /** It is what the arguments of some callers leave of this one. */
  original?: Linked;
  /** The class that inherits it and runs it so. */
  as?: string;
  /** It is what a class inherits that something starts by itself. */
  startedByHeir?: true;
}

/** Definitions replace each other within one file and within one series of files, and nowhere else. */
export interface Sequence {
  /** By their names. */
  routines: Shelf<Linked>;
  /** By the relations that they speak of and, apart from those, by their own names. */
  triggers: Shelf<Linked>;
  /** Some of the routines do not tell all of their schema and their parameters. */
  vague?: true;
  /** Scripts, and what is gone again but was there for a while. */
  extra: Linked[];
  /** By both relations. */
  foreignKeys: Shelf<{ key: ForeignKey; unit: Unit }>;
  /** By their names and those of their parents. */
  relations: Shelf<{ relation: Relation; unit: Unit }>;
}

export const emptySequence = (): Sequence => ({
  routines: new Shelf(({ name }) => {
    const short = canonical(name);
    return schemaOf(short) === null ? [short] : [short, `*.${lastPart(short)}`];
  }),
  triggers: new Shelf(({ trigger }) => {
    const { name, relation } = trigger!;
    const write = cascade(trigger!);
    return [`named ${name}`, canonical(relation), ...(write?.relation ? [canonical(write.relation)] : [])];
  }),
  extra: [],
  foreignKeys: new Shelf(({ key }) => [canonical(key.child), canonical(key.parent)]),
  relations: new Shelf(({ relation: { name, parents = [], copies = [] } }) =>
    [name, ...parents, ...copies.map(({ of }) => of)].map(canonical),
  ),
});

/** Of a trigger that stands for a foreign key, the write that it does. */
function cascade({ via, body }: Trigger): Write | undefined {
  const step = via === 'foreign key' ? body[0] : undefined;
  return step?.kind === 'write' ? step : undefined;
}

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
  const blocks = new Set<Name>();
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
      if (server && kind !== 'anonymous') putRoutine(sequence, keyIn(unit, routine), linked);
      // A text that is executed in two places is read twice.
      else if (!server || !blocks.has(name)) sequence.extra.push(linked);
      if (kind === 'anonymous') blocks.add(name);
    } else if ('key' in definition) putKey(sequence, { key: definition.key, unit });
    else putRelation(sequence, { relation: definition.relation, unit });
  }
}

function putKey({ foreignKeys }: Sequence, one: { key: ForeignKey; unit: Unit }): void {
  const { name, child, parent, at } = one.key;
  foreignKeys.set(`${one.unit.file} ${at.start} ${name} ${child} ${parent}`, one);
}

/** What a file says of a relation twice is said once. */
function putRelation({ relations }: Sequence, one: { relation: Relation; unit: Unit }): void {
  const { name, parents, inherits } = one.relation;
  relations.set(`${one.unit.file} ${canonical(name)} under ${parents} ${inherits}`, one);
}

function put(sequence: Sequence, map: Shelf<Linked>, key: string, linked: Linked): void {
  const { at } = (linked.routine ?? linked.trigger)!;
  const old = map.get(key);
  remove(sequence, map, key, linked.unit, at.start);
  map.set(key, linked);
  // What its older text would create is created no more.
  if (old && old.unit !== linked.unit)
    for (const name of old.routine?.makes ?? [])
      for (const [made] of sequence.routines.under(canonical(name))) sequence.routines.delete(made);
}

/** What of itself does not tell its schema or its parameters is the one of that name in the sequence which it may be. */
function putRoutine(sequence: Sequence, key: string, linked: Linked): void {
  const { routines } = sequence;
  const routine = linked.routine!;
  const vague = isVague(routine);
  if (vague) sequence.vague = true;
  if (!linked.unit.series || !sequence.vague || routines.has(key)) {
    put(sequence, routines, key, linked);
    return;
  }
  const twins = twinsOf(sequence, lastPart(canonical(linked.name))).filter(
    ([, one]) => (vague || isVague(one.routine!)) && isTwin(one.routine!, routine),
  );
  const [twin] = twins;
  if (!twin || twins.length > 1) put(sequence, routines, key, linked);
  else if (!routine.unplaced) {
    routines.delete(twin[0]);
    put(sequence, routines, key, linked);
  } else {
    const { name } = twin[1];
    put(sequence, routines, twin[0], { ...linked, name, routine: { ...routine, name } });
  }
}

const isVague = ({ unplaced, parameters }: Routine): boolean =>
  unplaced === true || parameters?.types?.some(isOfColumn) === true;

/** `orders.id%type` is made what the column is of. */
const isOfColumn = (type: string | null): boolean => type?.endsWith('%type') === true;

/** All routines of that name, with their keys. */
const twinsOf = ({ routines }: Sequence, last: string): [string, Linked][] => [
  ...routines.under(last),
  ...routines.under(`*.${last}`),
];

/** They may be one: of the same parameters, as far as both tell, and of the same schema. */
function isTwin(one: Routine, other: Routine): boolean {
  if (one.kind !== other.kind || one.parameters?.total !== other.parameters?.total) return false;
  if (!one.unplaced && !other.unplaced && canonical(one.name) !== canonical(other.name)) return false;
  return !other.parameters?.types?.some((type, i) => {
    const its = one.parameters?.types?.[i] ?? null;
    return type !== its && type !== null && its !== null && !isOfColumn(type) && !isOfColumn(its);
  });
}

/** What one file makes and takes away again serves what stands between; what another file made is gone. */
function remove(sequence: Sequence, map: Shelf<Linked>, key: string, unit: Unit, until: number): void {
  const old = map.get(key);
  map.delete(key);
  if (old?.unit === unit && old.server) sequence.extra.push({ ...old, until });
}

export function signature({ name, parameters, kind }: Routine): string {
  const types = parameters?.types;
  const args = types?.every((type) => type !== null) ? types.join() : String(parameters?.total);
  return `${canonical(name)}(${args})${kind === 'procedure' ? ' procedure' : ''}`;
}

/** Files run in sessions of their own, each with its own temporary functions. */
const keyIn = ({ file }: Unit, routine: Routine) =>
  isTemporary(routine.name) ? `${file} ${signature(routine)}` : signature(routine);

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
      dropRelation(target, step, sequence, unit);
      return;
    case 'drop schema':
      dropSchema(target, step, sequence, unit);
      return;
    case 'drop index':
      for (const [key, { trigger }] of sequence.triggers.under(`named ${lastPart(target)}`))
        if (trigger!.via === 'index') remove(sequence, sequence.triggers, key, unit, step.at.start);
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
    case 'defer constraint':
    case 'hasten constraint':
      checkLater(step, sequence);
      return;
    case 'detach partition':
      detach(step, target, sequence);
      return;
    case 'rename trigger':
      renameTriggers(step, sequence);
      return;
    case 'rename relation':
      rename(target, step, sequence);
      return;
    case 'rename schema':
      renameSchema(target, step, sequence);
      return;
    case 'rename routine':
      for (const [key, linked] of sequence.routines.under(target))
        if (step.to && isMeant(linked.routine!, step)) renamed(sequence, key, linked, step.to);
      return;
    case 'mark parallel':
      for (const [key, linked] of sequence.routines.under(target))
        if (isMeant(linked.routine!, step))
          sequence.routines.set(key, { ...linked, routine: { ...linked.routine!, parallel: step.parallel } });
  }
}

function dropRoutines(step: Change, target: string, sequence: Sequence, unit: Unit): void {
  const { routines } = sequence;
  const exact = routines.under(target);
  const others = sequence.vague || step.unplaced ? twinsOf(sequence, lastPart(target)) : [];
  const loose = others.filter(([, { routine }]) => step.unplaced || routine!.unplaced);
  for (const [key, { routine, unit: its }] of exact.length > 0 ? exact : loose.length === 1 ? loose : [])
    if (isMeant(routine!, step) && (its === unit || !isTemporary(routine!.name)))
      remove(sequence, routines, key, unit, step.at.start);
}

/** By its parameters, where they are given: another overload stays. */
function isMeant({ parameters }: Routine, { args, types }: Change): boolean {
  if (args === undefined || !parameters) return true;
  const differ = (type: string | null, i: number) =>
    type !== null && (parameters.types?.[i] ?? type) !== type;
  return (parameters.total === null || parameters.total === args) && !types?.some(differ);
}

function dropSchema(schema: string, step: Change, sequence: Sequence, unit: Unit): void {
  const { routines } = sequence;
  for (const [key, { name }] of [...routines])
    if (isIn(schema, name)) remove(sequence, routines, key, unit, step.at.start);
  for (const relation of relationsIn(schema, sequence)) dropRelation(relation, step, sequence, unit);
}

/** The relations of a schema that anything speaks of. */
function relationsIn(schema: string, { triggers, foreignKeys, relations }: Sequence): Set<string> {
  const spoken: (Name | null | undefined)[] = [];
  for (const { trigger } of triggers.values()) spoken.push(trigger!.relation, cascade(trigger!)?.relation);
  for (const { key } of foreignKeys.values()) spoken.push(key.child, key.parent);
  for (const { relation } of relations.values()) spoken.push(relation.name, ...(relation.parents ?? []));
  return new Set(spoken.flatMap((name) => (name && isIn(schema, name) ? [canonical(name)] : [])));
}

/** A relation goes with its triggers, its own foreign keys and those that refer to it. */
function dropRelation(gone: string, step: Change, sequence: Sequence, unit: Unit): void {
  const { triggers, foreignKeys, relations } = sequence;
  for (const [key] of triggers.under(gone)) remove(sequence, triggers, key, unit, step.at.start);
  for (const [key] of foreignKeys.under(gone)) foreignKeys.delete(key);
  // Its own file still speaks of it.
  for (const [key, one] of relations.under(gone))
    if (canonical(one.relation.name) === gone && one.unit !== unit) relations.delete(key);
}

function dropColumn(step: Change, sequence: Sequence, unit: Unit): void {
  const { name } = step;
  const relation = canonical(step.relation!);
  for (const [id, { key }] of sequence.foreignKeys.under(relation)) {
    if (canonical(key.child) !== relation || !key.columns?.includes(name)) continue;
    if (key.name) triggers({ ...step, name: key.name }, sequence, unit);
    sequence.foreignKeys.delete(id);
  }
  for (const [key, { trigger }] of sequence.triggers.under(relation)) {
    const own = trigger!.name === name && (trigger!.via === 'default' || trigger!.via === 'generated column');
    const check =
      trigger!.via === 'check constraint' && trigger!.name === `${lastPart(relation)}_${name}_check`;
    if (canonical(trigger!.relation) === relation && (own || check))
      remove(sequence, sequence.triggers, key, unit, step.at.start);
  }
}

/** By name on one relation, or all of it; a constraint may also be a foreign key. */
function triggers(step: Change, sequence: Sequence, unit: Unit): void {
  const { does, name } = step;
  const called = bare(name);
  const relation = step.relation && canonical(step.relation);
  for (const [key, linked] of sequence.triggers.under(relation ?? `named ${called}`)) {
    const trigger = linked.trigger!;
    if (relation !== undefined && canonical(trigger.relation) !== relation) continue;
    if (trigger.name !== called && !/^(all|user)$/i.test(called)) continue;
    if (does === 'enable trigger' || does === 'disable trigger')
      sequence.triggers.set(key, {
        ...linked,
        trigger: { ...trigger, disabled: does === 'disable trigger' },
      });
    else remove(sequence, sequence.triggers, key, unit, step.at.start);
  }
  if ((does !== 'drop constraint' && does !== 'drop column') || relation === undefined) return;
  const isOf = (other: Name | null | undefined) => other && canonical(other) === relation;
  for (const [key, { trigger }] of sequence.triggers.under(relation))
    if (isOf(cascade(trigger!)?.relation) && trigger!.name.startsWith(`${called} (`))
      remove(sequence, sequence.triggers, key, unit, step.at.start);
  for (const [id, { key }] of sequence.foreignKeys.under(relation))
    if (isOf(key.child) && key.name === called) sequence.foreignKeys.delete(id);
}

/** ALTER CONSTRAINT says of a foreign key whether it is checked at COMMIT. */
function checkLater({ does, name, relation }: Change, { foreignKeys }: Sequence): void {
  const deferred = does === 'defer constraint';
  for (const [id, { key, unit }] of relation ? foreignKeys.under(canonical(relation)) : [])
    if (key.name === name && canonical(key.child) === canonical(relation!))
      foreignKeys.set(id, { key: { ...key, deferred: deferred || undefined }, unit });
}

/** The parent's row triggers no longer fire for it; what it keeps, its checks and foreign keys, is not followed. */
function detach({ relation: from }: Change, partition: string, { relations }: Sequence): void {
  const isParent = (one: Name) => canonical(one) === canonical(from!);
  for (const [key, { relation, unit }] of relations.under(partition))
    if (canonical(relation.name) === partition && relation.parents?.some(isParent))
      relations.set(key, {
        relation: { ...relation, parents: relation.parents.filter((one) => !isParent(one)) },
        unit,
      });
}

function renameTriggers({ name, relation, to: now }: Change, sequence: Sequence): void {
  const to = now && bare(now);
  if (!to) return;
  for (const [key, linked] of sequence.triggers.under(`named ${name}`)) {
    const trigger = linked.trigger!;
    if (relation && canonical(trigger.relation) !== canonical(relation)) continue;
    const renamed = { ...trigger, name: to };
    sequence.triggers.delete(key);
    sequence.triggers.set(triggerKey(to, trigger.relation, trigger.via), { ...linked, trigger: renamed });
  }
  if (!relation) return;
  for (const [id, one] of sequence.foreignKeys.under(canonical(relation)))
    if (one.key.name === name && canonical(one.key.child) === canonical(relation))
      sequence.foreignKeys.set(id, { ...one, key: { ...one.key, name: to } });
}

/** Everything that speaks of the relation: it is called by the new name from now on. */
function rename(target: string, { to }: Change, sequence: Sequence): void {
  if (!to) return;
  const now = (old: Name) => (canonical(old) === target ? to : old);
  for (const [key, linked] of sequence.triggers.under(target)) {
    const trigger = linked.trigger!;
    const relation = now(trigger.relation);
    const write = cascade(trigger);
    const body = write?.relation ? [{ ...write, relation: now(write.relation) }] : trigger.body;
    sequence.triggers.delete(key);
    sequence.triggers.set(triggerKey(trigger.name, relation, trigger.via), {
      ...linked,
      body,
      trigger: { ...trigger, relation, body },
    });
  }
  for (const [id, { key, unit }] of sequence.foreignKeys.under(target)) {
    sequence.foreignKeys.delete(id);
    putKey(sequence, { key: { ...key, child: now(key.child), parent: now(key.parent) }, unit });
  }
  for (const [key, one] of sequence.relations.under(target)) {
    const { name, parents, copies } = one.relation;
    // Its own file still speaks of it by the old one.
    if (canonical(name) !== target) sequence.relations.delete(key);
    putRelation(sequence, {
      ...one,
      relation: {
        ...one.relation,
        name: now(name),
        ...(parents && { parents: parents.map(now) }),
        ...(copies && { copies: copies.map((copy) => ({ ...copy, of: now(copy.of) })) }),
      },
    });
  }
}

function renameSchema(schema: string, step: Change, sequence: Sequence): void {
  const { to } = step;
  if (!to) return;
  const now = (name: string): Name => `sql:${bare(to)}.${lastPart(name)}`;
  for (const relation of relationsIn(schema, sequence))
    rename(relation, { ...step, to: now(relation) }, sequence);
  for (const [key, linked] of [...sequence.routines])
    if (isIn(schema, linked.name)) renamed(sequence, key, linked, now(canonical(linked.name)));
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
  // What is made after that is called after that.
  const later = from.routine !== undefined && from.routine.at.start > linked.until;
  const straight = from.routine?.kind === 'script' || from.routine?.kind === 'anonymous';
  if (later && !straight) return false;
  return !straight || (begins(linked) < step.at.start && step.at.start < linked.until);
}

/** Where it stands in its file. */
export const begins = ({ routine, trigger }: Linked): number => (routine ?? trigger)!.at.start;

/** A script runs once, in its order; so does what stands in it, where nothing else calls that. */
export const runsOnce = ({ routine }: Pick<Linked, 'routine'>): boolean =>
  routine?.kind === 'script' || (routine?.kind === 'anonymous' && !routine.implied);

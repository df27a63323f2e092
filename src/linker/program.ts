// The definitions that are live, out of all that the files define; not what they call.
import type {
  Alias, Change, ForeignKey, Name, Relation, Routine, Step, Trigger, TypeDeclaration, Unit,
} from '../ir.ts'; // biome-ignore format: one list
import { inOrder } from './order.ts';
import { canonical } from './sqlname.ts';

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
}

export interface Program {
  units: Unit[];
  linked: Linked[];
  relations: { relation: Relation; unit: Unit }[];
  types: { type: TypeDeclaration; unit: Unit }[];
  aliases: Alias[];
  foreignKeys: { key: ForeignKey; unit: Unit }[];
}

/** Definitions replace each other within one file and within one series of files, and nowhere else. */
interface Sequence {
  routines: Map<string, Linked>;
  triggers: Map<string, Linked>;
  extra: Linked[];
}

export function assemble(given: Unit[]): Program {
  const units = inOrder(given.filter((unit) => unit.dialect !== 'other'));
  const sequences = new Map<string, Sequence>();
  const program: Program = { units, linked: [], relations: [], types: [], aliases: [], foreignKeys: [] };
  for (const unit of units) {
    const id = unit.series ? `series ${unit.series.name}` : `file ${unit.file}`;
    const sequence = sequences.get(id) ?? { routines: new Map(), triggers: new Map(), extra: [] };
    sequences.set(id, sequence);
    define(unit, sequence);
    for (const relation of unit.relations) program.relations.push({ relation, unit });
    for (const type of unit.types) program.types.push({ type, unit });
    program.aliases.push(...unit.aliases);
    for (const key of unit.foreignKeys) program.foreignKeys.push({ key, unit });
  }
  for (const { routines, triggers, extra } of sequences.values())
    program.linked.push(...routines.values(), ...triggers.values(), ...extra);
  program.linked = withoutCopies(program.linked);
  program.linked.sort((a, b) => order(a.file, b.file) || at(a) - at(b) || order(a.name, b.name));
  program.linked.forEach((linked, index) => {
    linked.index = index;
  });
  return program;
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const at = (linked: Linked) => (linked.routine ?? linked.trigger)!.at.start;

type Definition = { at: number } & ({ routine: Routine } | { trigger: Trigger } | { change: Change });

function define(unit: Unit, sequence: Sequence): void {
  const definitions: Definition[] = [
    ...unit.routines.map((routine) => ({ at: routine.at.start, routine })),
    ...unit.triggers.map((trigger) => ({ at: trigger.at.start, trigger })),
    ...unit.changes.map((change) => ({ at: change.at.start, change })),
  ];
  definitions.sort((a, b) => a.at - b.at);
  for (const definition of definitions) {
    if ('change' in definition) change(definition.change, sequence);
    else if ('trigger' in definition) {
      const { trigger } = definition;
      const name = `${trigger.relation.split(':')[0]}:${trigger.name}` as Name;
      const server = trigger.via !== 'model callback';
      const linked: Linked = { index: 0, unit, file: unit.file, name, body: trigger.body, trigger, server };
      sequence.triggers.set(triggerKey(trigger.name, trigger.relation, trigger.via), linked);
    } else {
      const { routine } = definition;
      const { name, body, kind } = routine;
      const server = name.startsWith('sql:') && kind !== 'script';
      const linked: Linked = { index: 0, unit, file: unit.file, name, body, routine, server };
      if (server && kind !== 'anonymous') sequence.routines.set(signature(routine), linked);
      else sequence.extra.push(linked);
    }
  }
}

function signature({ name, parameters, kind }: Routine): string {
  const types = parameters?.types;
  const args = types?.every((type) => type !== null) ? types.join() : String(parameters?.total);
  return `${canonical(name)}(${args})${kind === 'procedure' ? ' procedure' : ''}`;
}

function triggerKey(name: string, relation: Name, via: Trigger['via']): string {
  return `${via} ${name} on ${canonical(relation)}`;
}

/** What a later statement of the same sequence does to earlier definitions. */
function change({ does, name, relation, to, args }: Change, { routines, triggers }: Sequence): void {
  const target = name.startsWith('sql:') ? canonical(name as Name) : name;
  const bare = name.replace(/^sql:/, '');
  switch (does) {
    case 'drop routine':
      for (const [key, { routine }] of routines)
        if (
          canonical(routine!.name) === target &&
          (args === undefined || routine!.parameters?.total === args)
        )
          routines.delete(key);
      return;
    case 'drop relation':
      for (const [key, { trigger }] of triggers)
        if (canonical(trigger!.relation) === target) triggers.delete(key);
      return;
    case 'drop trigger':
    case 'enable trigger':
    case 'disable trigger':
      for (const [key, linked] of triggers) {
        const trigger = linked.trigger!;
        if (relation && canonical(trigger.relation) !== canonical(relation)) continue;
        if (trigger.name !== bare && !/^(all|user)$/i.test(bare)) continue;
        if (does === 'drop trigger') triggers.delete(key);
        else triggers.set(key, { ...linked, trigger: { ...trigger, disabled: does === 'disable trigger' } });
      }
      return;
    case 'rename relation':
      for (const linked of triggers.values())
        if (to && canonical(linked.trigger!.relation) === target)
          linked.trigger = { ...linked.trigger!, relation: to };
      return;
    case 'rename routine':
      for (const [key, linked] of [...routines]) {
        if (!to || canonical(linked.name) !== target) continue;
        const routine = { ...linked.routine!, name: to };
        routines.delete(key);
        routines.set(signature(routine), { ...linked, name: to, routine });
      }
  }
}

/** A dump beside the migrations, an old version of an extension: the same text under the same name is one function. */
function withoutCopies(linked: Linked[]): Linked[] {
  const kept = new Map<string, Linked>();
  const out: Linked[] = [];
  const inSeriesFirst = [...linked].sort((a, b) => Number(!a.unit.series) - Number(!b.unit.series));
  for (const one of inSeriesFirst) {
    if (!one.server || one.routine?.kind === 'anonymous') {
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

function isCopy(first: Linked, other: Linked): boolean {
  if (first.routine?.text !== undefined && first.routine.text === other.routine?.text) return true;
  if (!first.unit.series || other.unit.series) return false;
  // `db/structure.sql` stands beside `db/migrate/…`.
  const folder = first.file.split('/').slice(0, -2).join('/');
  return folder === '' || other.file.startsWith(`${folder}/`);
}

// Reads ALTER TABLE: what it adds, drops, renames, switches off, and what it computes for the rows that are there.
import type { Name, Relation, Span, Step } from '../../../ir.ts';
import { expression } from '../queries/expression.ts';
import {
  at, declaredName, find, isWords, mark, type Named, nameAt, type Reader, skipIf, split, word,
} from '../text/reader.ts'; // biome-ignore format: one list
import { EVERYTHING, switchOne } from '../text/switched.ts';
import { change, ddl, renamedTo } from './changes.ts';
import { element, runs, typeEnd } from './tables.ts';

/** From the place of the table's name. */
export function alterTable(r: Reader, start: number, from: number, to: number): Step[] {
  const named = nameAt(r, word(r, from) === 'only' ? from + 1 : from, to);
  if (!named) return [ddl(r, start, Math.min(start + 2, to), null)];
  const table = declaredName(r, named);
  if (!table) switchPolicies(r, find(r, named.next, to, 'enable'), EVERYTHING);
  const steps: Step[] = [ddl(r, start, named.next, table)];
  const first = mark(r, named.next) === '*' ? named.next + 1 : named.next;
  if (table) for (const [a, b] of split(r, first, to)) action(r, a, b, named, table, steps);
  return steps;
}

function action(r: Reader, from: number, to: number, named: Named, table: Name, steps: Step[]): void {
  const w = word(r, from);
  if (w === 'add') {
    const i = skipIf(r, word(r, from + 1) === 'column' ? from + 2 : from + 1);
    const more: Relation = { name: table, at: at(r, from, from + 1), kind: 'table' };
    const declared = r.scope.declare?.triggers.length ?? 0;
    element(r, i, to, more);
    forRowsThatAreThere(r, declared, from, to, steps);
    // The others are not known here.
    const { columns: _, ...added } = more;
    if (more.keys || more.deferrable || more.excludes) r.scope.declare?.relations.push(added);
  } else if (isWords(r, from, 'alter', 'constraint')) {
    checkedWhen(r, from, to, table);
  } else if (w === 'alter') {
    const column = nameAt(r, word(r, from + 1) === 'column' ? from + 2 : from + 1, to);
    if (!column) return;
    const name = column.parts[0] ?? '';
    const place = at(r, from, from + 1);
    const sets = isWords(r, column.next, 'set', 'default');
    const runsNow =
      sets &&
      runs(r, column.next + 2, to, { via: 'default', verbs: ['insert'], name, at: place, relation: table });
    const drops = isWords(r, column.next, 'drop', 'default') || isWords(r, column.next, 'drop', 'expression');
    if (drops || (sets && !runsNow)) change(r, { at: place, does: 'drop trigger', name, relation: table });
    const type =
      word(r, column.next) === 'type'
        ? column.next + 1
        : isWords(r, column.next, 'set', 'data', 'type')
          ? column.next + 3
          : to;
    if (type < to) typeEnd(r, type, to, table);
    const using = find(r, column.next, to, 'using');
    const body: Step[] = [];
    expression(r, using + 1, to, { once: body, row: body });
    if (body.some((step) => step.kind !== 'read' && step.kind !== 'cast'))
      steps.push({ kind: 'loop', at: at(r, from, from + 1), over: 'query', times: null, body });
  } else if ((w === 'enable' || w === 'disable') && word(r, from + 1) === 'row')
    switchPolicies(r, from, table);
  else if (w === 'enable' || w === 'disable') switchTrigger(r, from, to, table);
  else if (w === 'drop' && word(r, from + 1) === 'constraint') {
    const name = nameAt(r, skipIf(r, from + 2), to)?.parts[0];
    if (name) change(r, { at: at(r, from, from + 2), does: 'drop constraint', name, relation: table });
  } else if (w === 'drop') {
    const name = nameAt(r, skipIf(r, word(r, from + 1) === 'column' ? from + 2 : from + 1), to)?.parts[0];
    if (name) change(r, { at: at(r, from, from + 1), does: 'drop column', name, relation: table });
  } else if (isWords(r, from, 'rename', 'constraint')) {
    const [name, now] = [nameAt(r, from + 2, to), nameAt(r, from + 4, to)];
    if (name?.parts[0] && now?.name)
      change(r, {
        at: at(r, from, from + 2),
        does: 'rename trigger',
        name: name.parts[0],
        relation: table,
        to: now.name,
      });
  } else if (w === 'inherit' || w === 'attach') inherit(r, from, to, named, table);
  else if (isWords(r, from, 'detach', 'partition')) {
    const partition = declaredName(r, nameAt(r, from + 2, to));
    if (partition)
      change(r, { at: at(r, from, from + 2), does: 'detach partition', name: partition, relation: table });
  } else if (isWords(r, from, 'validate', 'constraint')) validate(r, from, to, table, steps);
  else {
    const renamed = renamedTo(r, named.parts, from, to);
    if (renamed) change(r, { at: at(r, from, from + 2), does: 'rename relation', name: table, to: renamed });
  }
}

/** A new column is filled, a new check is held against each row, unless it is NOT VALID, and an index is made of all. */
function forRowsThatAreThere(r: Reader, declared: number, from: number, to: number, steps: Step[]): void {
  const checked = !isWords(r, to - 2, 'not', 'valid');
  for (const { via, verbs, body } of r.scope.declare?.triggers.slice(declared) ?? [])
    if (verbs.includes('insert') && (via !== 'check constraint' || checked))
      steps.push(forEachRow(at(r, from, from + 1), body));
}

/** ALTER CONSTRAINT name [DEFERRABLE] INITIALLY DEFERRED … */
function checkedWhen(r: Reader, from: number, to: number, table: Name): void {
  const name = nameAt(r, from + 2, to);
  const deferred = isWords(r, to - 2, 'initially', 'deferred');
  if (
    !name?.parts[0] ||
    !(deferred || isWords(r, to - 2, 'initially', 'immediate') || isWords(r, to - 2, 'not', 'deferrable'))
  )
    return;
  change(r, {
    at: at(r, from, name.next),
    does: deferred ? 'defer constraint' : 'hasten constraint',
    name: name.parts[0],
    relation: table,
  });
}

/** VALIDATE CONSTRAINT name: of this script's checks. */
function validate(r: Reader, from: number, to: number, table: Name, steps: Step[]): void {
  const name = nameAt(r, from + 2, to)?.parts[0];
  for (const { via, name: other, relation, body } of r.scope.declare?.triggers ?? [])
    if (via === 'check constraint' && other === name && relation === table)
      steps.push(forEachRow(at(r, from, from + 2), body));
}

const forEachRow = (place: Span, body: Step[]): Step => ({
  kind: 'loop', at: place, over: 'query', times: null, body, certainty: 'likely',
}); // biome-ignore format: a row

/** ENABLE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY */
function switchPolicies(r: Reader, from: number, table: Name): void {
  if (!isWords(r, from + 1, 'row', 'level', 'security')) return;
  const does = word(r, from) === 'enable' ? 'enable policies' : 'disable policies';
  change(r, { at: at(r, from, from + 4), does, name: table });
}

/** ENABLE [REPLICA|ALWAYS] TRIGGER name|ALL|USER, DISABLE TRIGGER … */
function switchTrigger(r: Reader, from: number, to: number, table: Name): void {
  const trigger = find(r, from, to, 'trigger');
  if (trigger >= to) return;
  const name = nameAt(r, trigger + 1, to)?.parts[0] ?? ''; // `all` and `user` stand for all of them
  // What fires for replicas alone does not fire where people write.
  const on = word(r, from) === 'enable' && word(r, from + 1) !== 'replica';
  switchOne(r, trigger, to, on ? 'on' : 'off', table);
  change(r, {
    at: at(r, from, trigger + 2),
    does: on ? 'enable trigger' : 'disable trigger',
    name,
    relation: table,
  });
}

/** INHERIT parent, ATTACH PARTITION child: a further declaration of the child, which adds its parent. */
function inherit(r: Reader, from: number, to: number, named: Named, table: Name): void {
  const attach = word(r, from) === 'attach';
  const other = nameAt(r, attach ? from + 2 : from + 1, to);
  const otherName = declaredName(r, other);
  if (!other || !otherName || word(r, from - 2) === 'index') return;
  const place = attach ? at(r, other.from, other.next) : at(r, named.from, named.next);
  r.scope.declare?.relations.push({
    name: attach ? otherName : table,
    at: place,
    kind: 'table',
    parents: [attach ? table : otherName],
    ...(!attach && { inherits: true }),
  });
}

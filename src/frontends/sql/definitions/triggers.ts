// Reads triggers, rules and policies: which code runs when a table is read or written, or anything is defined. It reads no view.
import { writtenOneByOne } from '../../../frameworks/platforms.ts';
import type { Name, Step, Trigger, Verb } from '../../../ir.ts';
import { changedIn } from '../queries/changed.ts';
import { depthAsked } from '../queries/depth.ts';
import { expression } from '../queries/expression.ts';
import { settingAsked } from '../queries/settings.ts';
import { statement } from '../statement.ts';
import {
  at, declaredName, find, isWords, mark, type Named, nameAt, past, type Reader, skipIf, word,
} from '../text/reader.ts'; // biome-ignore format: one list
import { EVERYTHING, turn } from '../text/switched.ts';
import { change, ddl } from './changes.ts';

/** A table whose name is only known when it runs is nobody's, but its rows fire the trigger. */
const anyTable = (file: string, number: number): Name => `sql:"${file}"."table ${number}"`;

const VERBS = new Set(['insert', 'update', 'delete', 'truncate']);

/** CREATE [CONSTRAINT] TRIGGER name BEFORE|AFTER|INSTEAD OF event OR … ON table … EXECUTE FUNCTION f() */
export function createTrigger(r: Reader, from: number, to: number, start: number): Step[] {
  const name = nameAt(r, skipIf(r, from), to);
  if (!name) return [];
  let i = name.next;
  const timing = word(r, i) === 'before' ? 'before' : word(r, i) === 'instead' ? 'instead' : 'after';
  i += timing === 'instead' ? 2 : 1;
  const verbs: Verb[] = [];
  const columns: string[] = [];
  for (; i < to && word(r, i) !== 'on'; i++) {
    if (VERBS.has(word(r, i))) verbs.push(word(r, i) as Verb);
    else if (word(r, i) === 'of' || mark(r, i) === ',') {
      const column = nameAt(r, i + 1, to)?.parts[0];
      if (column) columns.push(column);
      i++;
    }
  }
  const table = nameAt(r, i + 1, to);
  const steps = [ddl(r, start, name.next, table?.name ?? null)];
  const execute = find(r, i, to, 'execute');
  const called = nameAt(r, execute + 2, to);
  const each = hasRow(r, i, execute) ? 'row' : 'statement';
  // Once for a statement its function does what it does for anybody.
  if (!r.scope.declare || !table || !called?.name || (!table.name && each === 'statement')) return steps;
  const body: Step[] = [];
  const when = find(r, i, execute, 'when');
  if (when < execute) expression(r, when + 1, execute, { once: body, row: body });
  body.push({ kind: 'call', at: at(r, called.from, called.next), callee: called.name, args: 0 });
  const { file, triggers } = r.scope.declare;
  const trigger: Trigger = {
    name: name.parts.join('.'), at: at(r, name.from, name.next), relation: declaredName(r, table) ?? anyTable(file, triggers.length + 1),
    verbs, timing, via: 'trigger', body, each,
  }; // biome-ignore format: what is known at once
  if (writtenOneByOne.has(trigger.relation)) trigger.oneByOne = true;
  if (columns.length > 0) trigger.columns = columns;
  const transitions = transitionsOf(r, table.next, execute);
  if (transitions.length > 0) trigger.transitions = transitions;
  const { args, all } = argumentsOf(r, called.next, to);
  if (args.length > 0) trigger.args = args;
  if (all) trigger.allArgs = true;
  if (when < execute) trigger.conditional = true;
  if (when < execute && depthAsked(r.tokens, { from: when + 1, to: execute }, 'and', 0) === 'outermost')
    trigger.outermost = true;
  const setting = when < execute && settingAsked(r.tokens, { from: when + 1, to: execute }, 'and');
  if (setting) trigger.setting = setting;
  const changes = when < execute ? changedIn(r.tokens, { from: when + 1, to: execute }) : null;
  if (changes?.then === 'no') trigger.changes = changes.columns;
  if (find(r, i, execute, 'deferred') < execute) trigger.deferred = true;
  triggers.push(trigger);
  return steps;
}

/** REFERENCING OLD TABLE AS old_rows NEW TABLE new_rows */
function transitionsOf(r: Reader, from: number, to: number): string[] {
  const out: string[] = [];
  for (let i = find(r, from, to, 'referencing'); i < to; i++)
    if (isWords(r, i, 'old', 'table') || isWords(r, i, 'new', 'table')) {
      const name = nameAt(r, i + (word(r, i + 2) === 'as' ? 3 : 2), to)?.parts[0];
      if (name) out.push(name);
    }
  return out;
}

/** They are constants or words, and texts to the function whatever they look like; the name of a variable of psql is none. */
function argumentsOf(r: Reader, open: number, to: number): { args: string[]; all: boolean } {
  const args: string[] = [];
  for (let i = open + 1; i < Math.min(r.closes[open] ?? open, to); i += 2) {
    const { kind, text } = r.tokens[i]!;
    const isText = kind === 'string' && text.startsWith("'");
    const isAlone = i + 1 === r.closes[open] || mark(r, i + 1) === ',';
    if (!isAlone || !(isText || kind === 'word' || (kind === 'number' && /^\d+$/.test(text))))
      return { args, all: false };
    args.push(
      isText ? text.slice(1, -1).replaceAll("''", "'") : kind === 'word' ? text : String(Number(text)),
    );
  }
  return { args, all: r.closes[open] !== undefined };
}

function hasRow(r: Reader, from: number, to: number): boolean {
  for (let i = from; i < to; i++)
    if (word(r, i) === 'for' && (word(r, i + 1) === 'row' || isWords(r, i + 1, 'each', 'row'))) return true;
  return false;
}

const isEvent = (word: string): word is NonNullable<Trigger['event']> =>
  word === 'ddl_command_start' || word === 'ddl_command_end' || word === 'sql_drop';

/** CREATE EVENT TRIGGER name ON event … EXECUTE FUNCTION f(): fires for definitions of anything. */
export function createEventTrigger(r: Reader, from: number, to: number, start: number): Step[] {
  const name = nameAt(r, from + 1, to);
  const execute = find(r, from, to, 'execute');
  const called = nameAt(r, execute + 2, to);
  const event = word(r, (name?.next ?? from) + 1);
  // No statement fires what a new connection does, and which ALTER rewrites a table depends on what the table is.
  if (!name || !called?.name || !r.scope.declare || !isEvent(event)) return [ddl(r, start, from, null)];
  const tags: string[] = [];
  for (let i = find(r, name.next, execute, 'when'); i < execute; i++)
    if (r.tokens[i]!.kind === 'string') tags.push(r.tokens[i]!.text.slice(1, -1).toLowerCase());
  r.scope.declare.triggers.push({
    name: name.parts.join('.'), at: at(r, name.from, name.next), relation: EVERYTHING, verbs: ['ddl'], each: 'statement',
    timing: event === 'ddl_command_start' ? 'before' : 'after', via: 'event trigger', event, ...(tags.length > 0 && { tags }),
    body: [{ kind: 'call', at: at(r, called.from, called.next), callee: called.name, args: 0 }],
  }); // biome-ignore format: a row
  return [ddl(r, start, name.next, null)];
}

/** ALTER EVENT TRIGGER name DISABLE | ENABLE [REPLICA|ALWAYS] | RENAME TO new */
export function alterEventTrigger(r: Reader, { parts, from, next }: Named): void {
  const name = parts.join('.');
  const how = word(r, next);
  const place = at(r, from, next);
  const to = how === 'rename' && nameAt(r, next + 2)?.parts[0];
  if (to) change(r, { at: place, does: 'rename trigger', name, relation: EVERYTHING, to: `sql:${to}` });
  if (how !== 'enable' && how !== 'disable') return;
  const on = how === 'enable' && word(r, next + 1) !== 'replica';
  if (r.scope.switched) turn(r.scope.switched, on ? 'on' : 'off', EVERYTHING, name);
  change(r, { at: place, does: on ? 'enable trigger' : 'disable trigger', name, relation: EVERYTHING });
}

/** CREATE RULE name AS ON event TO table [WHERE …] DO [ALSO|INSTEAD] NOTHING | command | (command; …) */
export function createRule(r: Reader, from: number, to: number, start: number): Step[] {
  const name = nameAt(r, from, to);
  const on = find(r, from, to, 'on');
  const table = nameAt(r, on + 3, to);
  const action = find(r, on, to, 'do');
  const steps = [ddl(r, start, name?.next ?? from, table?.name ?? null)];
  if (!name || !table?.name || !r.scope.declare) return steps;
  let i = action + 1;
  const instead = word(r, i) === 'instead';
  if (instead || word(r, i) === 'also') i++;
  const body: Step[] = [];
  const where = find(r, table.next, action, 'where');
  if (where < action) expression(r, where + 1, action, { once: body, row: body });
  if (mark(r, i) === '(' && word(r, i + 1) !== 'select') {
    for (let a = i + 1; a < Math.min(r.closes[i]!, to); ) {
      const b = find(r, a, Math.min(r.closes[i]!, to), ';');
      body.push(...statement(r, a, b));
      a = b + 1;
    }
  } else body.push(...statement(r, i, to));
  const event = word(r, on + 1);
  const place = at(r, name.from, name.next);
  // One that does nothing that matters takes the place of the one before all the same.
  if (body.length === 0 && !instead)
    change(r, { at: place, does: 'drop trigger', name: name.parts.join('.'), relation: declaredName(r, table)! });
  else
    r.scope.declare.triggers.push({
      name: name.parts.join('.'), at: place, relation: declaredName(r, table)!,
      verbs: [event === 'select' ? 'read' : (event as Verb)], each: event !== 'select' && ofRows(r, i, to) ? 'row' : 'statement', timing: instead ? 'instead' : 'after', via: 'rule',
      ...(where < action && { conditional: true }), body,
    }); // biome-ignore format: a row
  return steps;
}

/** An action that names NEW or OLD is done for each row. */
function ofRows(r: Reader, from: number, to: number): boolean {
  for (let i = from; i < to; i++)
    if ((word(r, i) === 'new' || word(r, i) === 'old') && mark(r, i + 1, to) === '.') return true;
  return false;
}

/** Row-level policies: USING for the rows that are seen, WITH CHECK for those that are written. Owners are exempt. */
export function createPolicy(r: Reader, from: number, to: number, start: number): Step[] {
  const name = nameAt(r, from, to);
  const table = name && nameAt(r, name.next + 1, to);
  if (!name || !table?.name) return [];
  policyTriggers(r, name, table, to, false);
  return [ddl(r, start, name.next, table.name)];
}

/** `altered`: ALTER POLICY says what the policy asks now, and not again which command it is for. */
export function policyTriggers(r: Reader, named: Named, table: Named, to: number, altered: boolean): void {
  const policy = named.parts[0] ?? '';
  const relation = declaredName(r, table)!;
  const from = table.next;
  const command = word(r, find(r, from, to, 'for') + 1, to) || 'all';
  const using = find(r, from, to, 'using');
  const check = find(r, from, to, 'check');
  const seen =
    command === 'insert'
      ? []
      : command === 'all'
        ? ['read', 'update', 'delete']
        : command === 'select'
          ? ['read']
          : [command];
  const written =
    command === 'all' ? ['insert', 'update'] : command === 'insert' || command === 'update' ? [command] : [];
  const before = r.scope.declare?.triggers.filter(
    (one) =>
      altered && one.relation === relation && (one.name === policy || one.name === `${policy} with check`),
  );
  const add = (open: number, all: string[], name: string) => {
    const verbs = before?.length
      ? all.filter((verb) => before.some((one) => one.verbs.includes(verb as Verb)))
      : all;
    const body: Step[] = [];
    if (mark(r, open) === '(') expression(r, open, past(r, open, to), { once: body, row: body });
    const place = at(r, named.from, named.next);
    if (!body.some((step) => step.kind !== 'read') || verbs.length === 0) {
      if (altered) change(r, { at: place, does: 'drop trigger', name, relation });
      return;
    }
    r.scope.declare?.triggers.push({
      name, at: place, relation, verbs: verbs as Trigger['verbs'], each: 'row', timing: 'before', via: 'policy', conditional: true, body,
    }); // biome-ignore format: a row
  };
  if (using < to) add(using + 1, check < to ? seen : [...new Set([...seen, ...written])], policy);
  if (check < to) add(check + 1, written, `${policy} with check`);
}

/** ALTER TRIGGER name ON table RENAME TO new */
export function renameTrigger(r: Reader, name: Named, to: number): void {
  const table = word(r, name.next) === 'on' ? nameAt(r, name.next + 1, to) : null;
  const renamed = table && isWords(r, table.next, 'rename', 'to') ? nameAt(r, table.next + 2, to) : null;
  if (!table?.name || !renamed?.name) return;
  change(r, {
    at: at(r, name.from, name.next),
    does: 'rename trigger',
    name: name.parts.join('.'),
    relation: declaredName(r, table)!,
    to: renamed.name,
  });
}

/** DROP TRIGGER, POLICY or RULE name ON table. */
export function dropFromTable(r: Reader, start: number, from: number, to: number, what: string): Step[] {
  const name = nameAt(r, from, to);
  const table = name && word(r, name.next) === 'on' ? nameAt(r, name.next + 1, to) : null;
  if (!name || !table?.name) return [ddl(r, start, from, null)];
  const place = at(r, name.from, name.next);
  const relation = declaredName(r, table)!;
  const gone = name.parts.join('.');
  change(r, { at: place, does: 'drop trigger', name: gone, relation });
  if (what === 'policy') change(r, { at: place, does: 'drop trigger', name: `${gone} with check`, relation });
  return [ddl(r, start, name.next, table.name)];
}

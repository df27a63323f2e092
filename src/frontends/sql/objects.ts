// Reads definitions: what CREATE, ALTER and DROP declare, and which code runs when something is read or written.
import type { Call, Change, Name, Span, Step, Trigger, Verb } from '../../ir.ts';
import { expression } from './expression.ts';
import { createDomain, createIndex } from './indexes.ts';
import { castTo, isOwnType } from './meanings.ts';
import { clauses, hasAggregate, query } from './query.ts';
import {
  at, declaredName, find, isWords, mark, type Named, nameAt, past, type Reader, skipIf, split, word,
} from './reader.ts'; // biome-ignore format: one list
import { anonymous, createAggregate, createRoutine, overload } from './routines.ts';
import { statement } from './statement.ts';
import { alterTable, createTable, domainOf } from './tables.ts';

/** The steps of running the definition itself; what it declares goes to the scope's `declare`. */
export function lowerDefinition(r: Reader, from: number, to: number): Step[] {
  switch (word(r, from)) {
    case 'do':
      return anonymous(r, from, to);
    case 'create':
      return create(r, from, to);
    case 'alter':
      return alter(r, from, to);
    case 'drop':
      return drop(r, from, to);
    case 'refresh':
      return refresh(r, from, to);
    default:
      return [ddl(r, from, from + 1, null)];
  }
}

export function ddl(r: Reader, from: number, next: number, relation: Name | null): Step {
  return { kind: 'write', verb: 'ddl', at: at(r, from, next), relation, rows: 'unknown' };
}

// ---- CREATE ----------------------------------------------------------------------------------------------------

const MODIFIERS = new Set([
  'or',
  'replace',
  'temp',
  'temporary',
  'unlogged',
  'global',
  'local',
  'constraint',
  'unique',
  'recursive',
  'foreign',
  'trusted',
  'default',
  'procedural',
]);

type Create = (r: Reader, from: number, to: number, start: number) => Step[];

/** By the word after CREATE and its modifiers. `from` is the place after that word. */
const CREATES: Record<string, Create> = {
  function: (r, from, to, start) => routine(r, from, to, start, 'function'),
  procedure: (r, from, to, start) => routine(r, from, to, start, 'procedure'),
  aggregate: (r, from, to, start) => {
    createAggregate(r, from, to);
    return [ddl(r, start, from, null)];
  },
  trigger: createTrigger,
  event: createEventTrigger,
  view: createView,
  materialized: createView,
  rule: createRule,
  policy: createPolicy,
  table: createTable,
  index: createIndex,
  domain: createDomain,
  operator: createOperator,
  cast: createCast,
  schema: createSchema,
};

function create(r: Reader, from: number, to: number): Step[] {
  let i = from + 1;
  while (i < to && MODIFIERS.has(word(r, i))) i++;
  const what = word(r, i, to);
  if (Object.hasOwn(CREATES, what)) return CREATES[what]!(r, i + 1, to, from);
  // CREATE DATABASE, ROLE and such: no row of ours. The others write catalogs.
  return [ddl(r, from, Math.min(i + 1, to), null)];
}

function routine(r: Reader, from: number, to: number, start: number, kind: 'function' | 'procedure'): Step[] {
  createRoutine(r, from, to, kind, start);
  return [ddl(r, start, from, null)];
}

/** CREATE SCHEMA name [element …]: the elements are made inside of it. */
function createSchema(r: Reader, from: number, to: number, start: number): Step[] {
  const steps: Step[] = [ddl(r, start, from, null)];
  const first = find(r, from, to, 'create');
  if (first >= to) return steps;
  const name = nameAt(r, skipIf(r, from), to)?.parts[0];
  const path = r.scope.searchPath;
  if (name && name !== 'authorization') r.scope.searchPath = [name];
  for (let i = first; i < to; ) {
    const next = find(r, i + 1, to, 'create');
    steps.push(...create(r, i, next));
    i = next;
  }
  r.scope.searchPath = path;
  return steps;
}

const VERBS = new Set(['insert', 'update', 'delete', 'truncate']);

/** CREATE [CONSTRAINT] TRIGGER name BEFORE|AFTER|INSTEAD OF event OR … ON table … EXECUTE FUNCTION f() */
function createTrigger(r: Reader, from: number, to: number, start: number): Step[] {
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
  if (!r.scope.declare || !table?.name || !called?.name) return steps;
  const body: Step[] = [];
  const when = find(r, i, execute, 'when');
  if (when < execute) expression(r, when + 1, execute, { once: body, row: body });
  body.push({ kind: 'call', at: at(r, called.from, called.next), callee: called.name, args: 0 });
  const trigger: Trigger = {
    name: name.parts.join('.'), at: at(r, name.from, name.next), relation: declaredName(r, table)!, verbs, timing, via: 'trigger', body,
    each: hasRow(r, i, execute) ? 'row' : 'statement',
  }; // biome-ignore format: what is known at once
  if (columns.length > 0) trigger.columns = columns;
  if (when < execute) trigger.conditional = true;
  if (find(r, i, execute, 'deferred') < execute) trigger.deferred = true;
  r.scope.declare.triggers.push(trigger);
  return steps;
}

function hasRow(r: Reader, from: number, to: number): boolean {
  for (let i = from; i < to; i++)
    if (word(r, i) === 'for' && (word(r, i + 1) === 'row' || isWords(r, i + 1, 'each', 'row'))) return true;
  return false;
}

/** CREATE EVENT TRIGGER name ON event … EXECUTE FUNCTION f(): fires for definitions of anything. */
function createEventTrigger(r: Reader, from: number, to: number, start: number): Step[] {
  const name = nameAt(r, from + 1, to);
  const execute = find(r, from, to, 'execute');
  const called = nameAt(r, execute + 2, to);
  const event = word(r, (name?.next ?? from) + 1);
  // No statement fires what a new connection does.
  if (!name || !called?.name || !r.scope.declare || event === 'login') return [ddl(r, start, from, null)];
  // Of definitions these fire only for those that drop or rewrite something.
  const conditional =
    event === 'sql_drop' || event === 'table_rewrite' || find(r, name.next, execute, 'when') < execute;
  r.scope.declare.triggers.push({
    name: name.parts.join('.'), at: at(r, name.from, name.next), relation: 'sql:*', verbs: ['ddl'], each: 'statement',
    timing: event === 'ddl_command_end' ? 'after' : 'before', via: 'event trigger', ...(conditional && { conditional }),
    body: [{ kind: 'call', at: at(r, called.from, called.next), callee: called.name, args: 0 }],
  }); // biome-ignore format: a row
  return [ddl(r, start, name.next, null)];
}

/** Views run their query when they are read; materialized ones when they are made and refreshed. */
function createView(r: Reader, from: number, to: number, start: number): Step[] {
  const materialized = word(r, from - 1) === 'materialized';
  const name = nameAt(r, skipIf(r, materialized ? from + 1 : from), to);
  if (!name) return [];
  const relation = declaredName(r, name);
  const steps: Step[] = [ddl(r, start, name.next, relation)];
  let as = find(r, name.next, to, 'as');
  if (as >= to || !relation) return steps;
  if (word(r, from - 2) === 'recursive')
    r.ctes = new Map([[name.parts.join('.'), { rows: 'many', times: null }]]);
  const body = query(r, ++as, to).steps;
  if (materialized && !withNoData(r, to)) steps.push(...body);
  const declare = r.scope.declare;
  if (!declare) return steps;
  const place = at(r, name.from, name.next);
  declare.relations.push({ name: relation, at: place, kind: materialized ? 'materialized view' : 'view' });
  const trigger: Trigger = {
    name: name.parts.join('.'), at: place, relation, verbs: [materialized ? 'truncate' : 'read'], each: 'statement', timing: 'instead', via: 'view', body,
  }; // biome-ignore format: a row
  if (body.length > 0) declare.triggers.push(trigger);
  if (!materialized) writesThrough(r, as, to, trigger);
  return steps;
}

/** As pg_dump makes materialized views, to fill them later. */
export const withNoData = (r: Reader, to: number) => isWords(r, to - 3, 'with', 'no', 'data');

/** A view of one table and nothing else: what is written to it is written to the table. */
function writesThrough(r: Reader, from: number, to: number, { at: place, relation, name }: Trigger): void {
  const parts = clauses(r, from + 1, to, NOT_SIMPLE);
  const table = parts[1]?.word === 'from' ? nameAt(r, parts[1].from, parts[1].to) : null;
  const simple =
    word(r, from) === 'select' &&
    word(r, from + 1) !== 'distinct' &&
    parts.every(
      (part) => part.word === '' || part.word === 'from' || part.word === 'where' || part.word === 'order',
    ) &&
    !hasAggregate(r, parts[0]!.from, parts[0]!.to);
  if (!simple || !table?.name || !parts[1]) return;
  const alias = word(r, table.next) === 'as' ? table.next + 2 : table.next + 1;
  if (parts[1].to > alias || mark(r, table.next, parts[1].to) === '(') return;
  for (const verb of ['insert', 'update', 'delete'] as const)
    r.scope.declare?.triggers.push({
      name: `${name} ${verb}`, at: place, relation, verbs: [verb], each: 'statement', timing: 'instead', via: 'view',
      body: [{ kind: 'write', verb, at: place, relation: table.name, rows: 'unknown', certainty: 'likely' }],
    }); // biome-ignore format: a row
}

const NOT_SIMPLE = new Set(
  'from where group having window order limit offset fetch union intersect except'.split(' '),
);

/** REFRESH MATERIALIZED VIEW [CONCURRENTLY] name: empties it and fills it with what its query gives. */
function refresh(r: Reader, from: number, to: number): Step[] {
  const name = nameAt(r, word(r, from + 3) === 'concurrently' ? from + 4 : from + 3, to);
  if (!name) return [];
  return [{ kind: 'write', verb: 'truncate', at: at(r, from, name.next), relation: name.name, rows: 'many' }];
}

/** CREATE RULE name AS ON event TO table [WHERE …] DO [ALSO|INSTEAD] NOTHING | command | (command; …) */
function createRule(r: Reader, from: number, to: number, start: number): Step[] {
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
  if (body.length > 0)
    r.scope.declare.triggers.push({
      name: name.parts.join('.'), at: at(r, name.from, name.next), relation: declaredName(r, table)!,
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
function createPolicy(r: Reader, from: number, to: number, start: number): Step[] {
  const name = nameAt(r, from, to);
  const table = name && nameAt(r, name.next + 1, to);
  if (!name || !table?.name) return [];
  policyTriggers(
    r,
    name.parts[0] ?? '',
    at(r, name.from, name.next),
    declaredName(r, table)!,
    table.next,
    to,
    false,
  );
  return [ddl(r, start, name.next, table.name)];
}

function policyTriggers(
  r: Reader,
  policy: string,
  place: Trigger['at'],
  relation: Name,
  from: number,
  to: number,
  altered: boolean,
): void {
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
  // ALTER POLICY does not say again which command it is for.
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
    if (!body.some((step) => step.kind !== 'read') || verbs.length === 0) return;
    r.scope.declare?.triggers.push({
      name, at: place, relation, verbs: verbs as Trigger['verbs'], each: 'row', timing: 'before', via: 'policy', conditional: true, body,
    }); // biome-ignore format: a row
  };
  if (using < to) add(using + 1, check < to ? seen : [...new Set([...seen, ...written])], policy);
  if (check < to) add(check + 1, written, `${policy} with check`);
}

/** CREATE OPERATOR === (FUNCTION = f, …) */
function createOperator(r: Reader, from: number, to: number, start: number): Step[] {
  const open = find(r, from, to, '(');
  const named = r.tokens[open - 1];
  if (named?.kind === 'operator')
    for (let i = open; i < to; i++)
      if ((word(r, i) === 'function' || word(r, i) === 'procedure') && mark(r, i + 1) === '=')
        standsFor(r, named.text, at(r, open - 1, open), nameAt(r, i + 2, to));
  return [ddl(r, start, from, null)];
}

/** CREATE CAST (a AS b) WITH FUNCTION f(a): where the text converts to b. WITHOUT FUNCTION and WITH INOUT run none. */
function createCast(r: Reader, from: number, to: number, start: number): Step[] {
  const close = past(r, from, to) - 1;
  const target = nameAt(r, find(r, from + 1, close, 'as') + 1, close);
  // Nearly everything that is converted to a type of the server's has another type than this cast is for.
  if (target?.next === close && isOwnType(target) && isWords(r, close + 1, 'with', 'function'))
    standsFor(r, castTo(target), at(r, from, close + 1), nameAt(r, close + 3, to));
  return [ddl(r, start, from, null)];
}

/** A routine by the operator's name that calls its function. */
function standsFor(r: Reader, operator: string, place: Span, called: Named | null): void {
  if (!called?.name || !r.scope.declare) return;
  const { routines } = r.scope.declare;
  const name: Name = `sql:operator(${operator})`;
  const body: Step[] = [{ kind: 'call', at: at(r, called.from, called.next), callee: called.name }];
  const other = routines.find((routine) => routine.name === name);
  // Which of several is meant depends on types that the text does not say.
  if (other && (other.body[0] as Call).callee !== called.name)
    other.body = [{ kind: 'opaque', at: place, why: 'the operator has several functions' }];
  if (!other)
    routines.push({
      name,
      at: place,
      kind: 'function',
      language: 'internal',
      entry: 'called',
      startsIn: 'caller',
      body,
    });
}

// ---- ALTER and DROP --------------------------------------------------------------------------------------------

function alter(r: Reader, from: number, to: number): Step[] {
  let i = from + 1;
  if (word(r, i) === 'materialized' || word(r, i) === 'foreign') i++;
  const what = word(r, i);
  i = skipIf(r, i + 1);
  if (what === 'table' || (what === 'view' && word(r, i - 1) !== 'trigger'))
    return alterTable(r, from, i, to);
  const name = nameAt(r, i, to);
  if (!name) return [ddl(r, from, Math.min(from + 2, to), null)];
  if (what === 'policy') {
    const table = nameAt(r, name.next + 1, to);
    if (table?.name)
      policyTriggers(
        r,
        name.parts[0] ?? '',
        at(r, name.from, name.next),
        declaredName(r, table)!,
        table.next,
        to,
        true,
      );
  }
  if (what === 'domain') createDomain(r, i, to, from);
  if (what === 'trigger') renameTrigger(r, name, to);
  if (what === 'schema' && name.name && isWords(r, name.next, 'rename', 'to')) {
    const renamed = nameAt(r, name.next + 2, to)?.parts[0];
    const place = at(r, name.from, name.next);
    if (renamed) change(r, { at: place, does: 'rename schema', name: name.name, to: `sql:${renamed}` });
  }
  if (what === 'function' || what === 'procedure' || what === 'routine') {
    const after = mark(r, name.next) === '(' ? past(r, name.next, to) : name.next;
    const renamed = renamedTo(r, name.parts, after, to);
    if (renamed && name.name)
      change(r, {
        at: at(r, name.from, name.next),
        does: 'rename routine',
        name: declaredName(r, name)!,
        to: renamed,
        ...overload(r, name.next, what === 'procedure' ? what : 'function'),
      });
  }
  return [ddl(r, from, name.next, null)];
}

/** ALTER TRIGGER name ON table RENAME TO new */
function renameTrigger(r: Reader, name: Named, to: number): void {
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

/** RENAME TO new, SET SCHEMA new. */
export function renamedTo(r: Reader, parts: string[], from: number, to: number): Name | null {
  if (isWords(r, from, 'rename', 'to')) {
    const name = nameAt(r, from + 2, to)?.parts[0];
    return name ? `sql:${[...parts.slice(0, -1), name].join('.')}` : null;
  }
  if (isWords(r, from, 'set', 'schema')) {
    const schema = nameAt(r, from + 2, to)?.parts[0];
    return schema ? `sql:${schema}.${parts[parts.length - 1]}` : null;
  }
  return null;
}

export function change(r: Reader, what: Change): void {
  r.scope.declare?.changes.push(what);
}

const DROPS: Record<string, Change['does']> = {
  function: 'drop routine', procedure: 'drop routine', routine: 'drop routine', aggregate: 'drop routine', trigger: 'drop trigger',
  table: 'drop relation', view: 'drop relation', 'materialized view': 'drop relation', 'foreign table': 'drop relation',
  index: 'drop index', schema: 'drop schema',
}; // biome-ignore format: a table

function drop(r: Reader, from: number, to: number): Step[] {
  let i = from + 1;
  let what = word(r, i);
  if (what === 'materialized' || what === 'foreign') what = `${what} ${word(r, ++i)}`;
  i++;
  if (what === 'index' && word(r, i) === 'concurrently') i++;
  if (what === 'event' && word(r, i) === 'trigger') i++;
  i = skipIf(r, i);
  if (what === 'trigger' || what === 'policy' || what === 'rule') return dropFromTable(r, from, i, to, what);
  if (what === 'operator' || what === 'cast' || what === 'domain' || what === 'event')
    return dropOther(r, from, i, to, what);
  const steps: Step[] = [];
  const does = DROPS[what];
  for (const [a, b] of split(r, i, to)) {
    const name = nameAt(r, a, b);
    if (!name?.name) continue;
    const place = at(r, name.from, name.next);
    if (does)
      change(r, {
        at: place,
        does,
        name: declaredName(r, name)!,
        ...(does === 'drop routine' && overload(r, name.next, what === 'procedure' ? what : 'function')),
      });
    steps.push(
      ddl(
        r,
        steps.length === 0 ? from : a,
        name.next,
        does === 'drop relation' ? declaredName(r, name) : null,
      ),
    );
  }
  return steps.length > 0 ? steps : [ddl(r, from, Math.min(from + 2, to), null)];
}

/** What stands under a name of ours: the routine of an operator or a cast, the relation of a domain. */
function dropOther(r: Reader, start: number, from: number, to: number, what: string): Step[] {
  const place = at(r, from, from + 1);
  const steps = [ddl(r, start, Math.min(from + 1, to), null)];
  if (what === 'cast') {
    const target = nameAt(r, find(r, from + 1, past(r, from, to), 'as') + 1, to);
    if (target) change(r, { at: place, does: 'drop routine', name: `sql:operator(${castTo(target)})` });
  } else if (what === 'operator') {
    const token = r.tokens[find(r, from, to, '(') - 1];
    if (token?.kind === 'operator')
      change(r, { at: place, does: 'drop routine', name: `sql:operator(${token.text})` });
  } else
    for (const [a, b] of split(r, from, to)) {
      const name = nameAt(r, a, b);
      if (!name?.name) continue;
      if (what === 'event')
        change(r, { at: place, does: 'drop trigger', name: name.parts.join('.'), relation: 'sql:*' });
      else change(r, { at: place, does: 'drop relation', name: domainOf(declaredName(r, name)!) });
    }
  return steps;
}

/** DROP TRIGGER, POLICY or RULE name ON table. */
function dropFromTable(r: Reader, start: number, from: number, to: number, what: string): Step[] {
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

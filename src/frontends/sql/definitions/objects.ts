// Reads definitions: what CREATE, ALTER and DROP declare. Triggers, tables, routines and indexes have files of their own.
import type { Call, Change, Name, Routine, Span, Step, Trigger } from '../../../ir.ts';
import { hasAggregate } from '../queries/aggregates.ts';
import { castTo, isOwnType } from '../queries/meanings.ts';
import { query } from '../queries/query.ts';
import { type Clause, clauses } from '../text/clauses.ts';
import {
  at, declaredName, find, isUnplaced, isWords, mark, type Named, nameAt, past, type Reader, skipIf, split, word,
} from '../text/reader.ts'; // biome-ignore format: one list
import { EVERYTHING } from '../text/switched.ts';
import { alterType, createType } from '../text/types.ts';
import { alterTable } from './altertable.ts';
import { change, ddl, renamedTo } from './changes.ts';
import { createDomain, createIndex } from './indexes.ts';
import { anonymous, createAggregate, createRoutine } from './routines.ts';
import { overload } from './signature.ts';
import { createTable, domainOf, runs, withNoData } from './tables.ts';
import {
  alterEventTrigger,
  createEventTrigger,
  createPolicy,
  createRule,
  createTrigger,
  dropFromTable,
  policyTriggers,
  renameTrigger,
} from './triggers.ts';

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
  type: (r, from, to, start) => {
    createType(r, from, to);
    return [ddl(r, start, from, null)];
  },
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
  const all = query(r, ++as, to, false).steps;
  if (materialized && !withNoData(r, to)) steps.push(...all);
  const declare = r.scope.declare;
  if (!declare) return steps;
  const place = at(r, name.from, name.next);
  const body = all.filter((step) => step.kind !== 'read' || !isSame(step.relation, relation));
  if (body.length === all.length)
    declare.relations.push({ name: relation, at: place, kind: materialized ? 'materialized view' : 'view' });
  const trigger: Trigger = {
    name: name.parts.join('.'), at: place, relation, verbs: [materialized ? 'truncate' : 'read'], each: 'statement', timing: 'instead', via: 'view', body,
  }; // biome-ignore format: a row
  if (body.length > 0) declare.triggers.push(trigger);
  if (!materialized) writesThrough(r, as, to, trigger);
  return steps;
}

/** No view reads itself: what it reads by its own name is in another schema, and of which each is nobody says here. */
const isSame = (one: Name | null, other: Name) =>
  one?.replace(/^sql:public\./, 'sql:') === other.replace(/^sql:public\./, 'sql:');

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
  if (!simple || !table?.name || !parts[1] || isSame(table.name, relation as Name)) return;
  const alias = word(r, table.next) === 'as' ? table.next + 2 : table.next + 1;
  if (parts[1].to > alias || mark(r, table.next, parts[1].to) === '(') return;
  for (const verb of ['insert', 'update', 'delete'] as const)
    r.scope.declare?.triggers.push({
      name: `${name} ${verb}`, at: place, relation, verbs: [verb], each: 'statement', timing: 'instead', via: 'view',
      body: [{ kind: 'write', verb, at: place, relation: table.name, rows: 'unknown', certainty: 'likely' }],
    }); // biome-ignore format: a row
  const where = parts.find((part) => part.word === 'where');
  if (where) asksOfEach(r, where, to, { at: place, relation, name });
}

/** Rows that are found through a view are those that it shows, and with CHECK OPTION those that are written are too. */
function asksOfEach(
  r: Reader,
  where: Clause,
  to: number,
  view: Pick<Trigger, 'at' | 'relation' | 'name'>,
): void {
  const checks = isWords(r, to - 2, 'check', 'option');
  const end = checks ? find(r, where.from, where.to, 'with') : where.to;
  const verbs: Trigger['verbs'] = checks ? ['insert', 'update', 'delete'] : ['update', 'delete'];
  runs(r, where.from, end, { ...view, name: `${view.name} where`, via: 'view', verbs });
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
  const name = nameAt(r, what === 'event' ? i + 1 : i, to);
  if (what === 'event' && name) alterEventTrigger(r, name);
  if (!name) return [ddl(r, from, Math.min(from + 2, to), null)];
  if (what === 'policy') {
    const table = nameAt(r, name.next + 1, to);
    if (table?.name) policyTriggers(r, name, table, to, true);
  }
  if (what === 'domain') createDomain(r, i, to, from);
  if (what === 'type') alterType(r, i, to);
  if (what === 'trigger') renameTrigger(r, name, to);
  if (what === 'schema' && name.name && isWords(r, name.next, 'rename', 'to')) {
    const renamed = nameAt(r, name.next + 2, to)?.parts[0];
    const place = at(r, name.from, name.next);
    if (renamed) change(r, { at: place, does: 'rename schema', name: name.name, to: `sql:${renamed}` });
  }
  if (what === 'function' || what === 'procedure' || what === 'routine') {
    const after = mark(r, name.next) === '(' ? past(r, name.next, to) : name.next;
    const renamed = renamedTo(r, name.parts, after, to);
    const parallel = parallelAmong(r, after, to);
    const meant = () => ({
      at: at(r, name.from, name.next),
      name: declaredName(r, name)!,
      ...overload(r, name.next, what === 'procedure' ? what : 'function'),
    });
    if (renamed && name.name) change(r, { ...meant(), does: 'rename routine', to: renamed });
    if (parallel && name.name) change(r, { ...meant(), does: 'mark parallel', parallel });
  }
  return [ddl(r, from, name.next, null)];
}

/** ALTER FUNCTION … PARALLEL UNSAFE, among other options. */
function parallelAmong(r: Reader, from: number, to: number): Routine['parallel'] {
  const said = word(r, find(r, from, to, 'parallel') + 1, to);
  return said === 'safe' || said === 'restricted' || said === 'unsafe' ? said : undefined;
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
        ...(does === 'drop routine' && isUnplaced(r, name) && { unplaced: true as const }),
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
        change(r, { at: place, does: 'drop trigger', name: name.parts.join('.'), relation: EVERYTHING });
      else change(r, { at: place, does: 'drop relation', name: domainOf(declaredName(r, name)!) });
    }
  return steps;
}

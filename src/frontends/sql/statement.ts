// Lowers one SQL statement, or one expression, to steps: the way in for scripts, bodies and host languages.
import { inside, type Loop, type Step, type Write } from '../../ir.ts';
import type { Source } from '../source.ts';
import { tellIdle } from './definitions/idle.ts';
import { lowerDefinition } from './definitions/objects.ts';
import { tellTag } from './definitions/tags.ts';
import { closeCursor, declareCursor, fetchRows } from './queries/cursors.ts';
import { type Bag, expression } from './queries/expression.ts';
import { narrows } from './queries/from.ts';
import { elementsOf } from './queries/lengths.ts';
import { query } from './queries/query.ts';
import { startsQuery } from './text/clauses.ts';
import { HOLE, type Token } from './text/lexer.ts';
import {
  at,
  COMPUTED,
  find,
  isWords,
  mark,
  nameAt,
  names,
  past,
  type Reader,
  reader,
  type SqlScope,
  split,
  word,
} from './text/reader.ts';
import { copiedRows } from './text/split.ts';
import { setOwn, setRole, tellSwitched } from './text/switched.ts';

export type { SqlScope } from './text/reader.ts';

export const lowerStatement = (source: Source, tokens: Token[], scope: SqlScope): Step[] =>
  lowerWhole(reader(source, tokens, scope));

/** A query that gives a value: one row is asked for. */
export function lowerValue(source: Source, tokens: Token[], scope: SqlScope): Step[] {
  const r = reader(source, tokens, scope);
  r.first = 0;
  return lowerWhole(r);
}

/** All that it has as one statement. */
export function lowerWhole(r: Reader): Step[] {
  let to = r.tokens.length;
  while (to > 0 && r.tokens[to - 1]!.text === ';') to--;
  const steps = statement(r, 0, to);
  if (r.scope.refuses && isRefused(r, steps))
    return [{ kind: 'exit', how: 'raise', at: at(r, 0, Math.min(1, to)), raises: 'feature_not_supported' }];
  tellSwitched(steps, r.scope.switched);
  return steps;
}

/** A function that is not volatile may only read: `INSERT is not allowed in a non-volatile function`. What it calls may write. */
function isRefused(r: Reader, steps: Step[]): boolean {
  const first = word(r, 0, r.tokens.length);
  if (STATEMENTS.has(first) && STATEMENTS.get(first) !== QUERY) return true;
  const changes = (step: Step): boolean =>
    (step.kind === 'write' && step.relation !== null) ||
    (step.kind === 'row lock' && r.scope.refuses === 'writes and row locks') ||
    inside(step).some((inner) => inner.some(changes));
  return steps.some(changes);
}

/** How many elements an array has that is written out, or at most where a query gives them: `ARRAY(SELECT … LIMIT 20)`. */
export function lengthOfArray(
  source: Source,
  tokens: Token[],
  scope: SqlScope,
): Pick<Loop, 'times' | 'atMost'> {
  const r = reader(source, tokens, scope);
  if (word(r, 0) !== 'array' || mark(r, 1) !== '(' || r.closes[1] !== tokens.length - 1)
    return elementsOf(r, 0, tokens.length);
  const { times, atMost } = rowsOfQuery(source, tokens.slice(2, -1), scope);
  return { times, ...(atMost && { atMost }) };
}

/** How many rows a query gives, where that is written in it; null where tables decide, and their keys may. */
export function rowsOfQuery(
  source: Source,
  tokens: Token[],
  scope: SqlScope,
): Pick<Loop, 'times' | 'atMost' | 'picked' | 'each' | 'more' | 'gives'> {
  const r = reader(source, tokens, scope);
  const first = word(r, 0, tokens.length);
  const reads = READS.has(first) || mark(r, 0) === '(';
  if (!reads || !startsQuery(r, 0, tokens.length)) return { times: null };
  const { steps, times, atMost, picked, given } = query(r, 0, tokens.length);
  // A function of one's own may give a set of rows.
  const calls = (some: readonly Step[]): number =>
    some.reduce((sum, step) => sum + (step.kind === 'call' ? 1 : 0) + calls(inside(step).flat()), 0);
  const found = calls(steps);
  if (found > 1 || (found === 1 && !given?.gives)) return { times: null };
  const some = atMost && (times !== null || given) && { atMost };
  if (picked) return { times: null, ...given, ...some, ...(picked.some(narrows) && { picked }) };
  return times === null ? { times, ...given, ...some } : { times, ...some };
}

/** What gives rows to a loop; what writes gives those that it wrote. */
const READS = new Set(['select', 'values', 'with', 'insert', 'update', 'delete']);

/** A scalar expression: what it calls runs once, unless a query inside has rows. */
export function lowerExpression(source: Source, tokens: Token[], scope: SqlScope): Step[] {
  const r = reader(source, tokens, scope);
  const steps: Step[] = [];
  expression(r, 0, tokens.length, { once: steps, row: steps });
  return steps;
}

type Lower = (r: Reader, from: number, to: number) => Step[];

const QUERY: Lower = (r, from, to) => query(r, from, to, false).steps;
const NOTHING: Lower = () => [];

const STATEMENTS = new Map<string, Lower>(Object.entries({
  select: QUERY, with: QUERY, values: QUERY, table: QUERY, insert: QUERY, update: QUERY, delete: QUERY, merge: QUERY,
  begin, start: begin, commit: end, end, rollback, abort: rollback, savepoint, release, prepare, execute, call, do: definition,
  declare: declareCursor, explain, copy, lock, truncate, set, create: definition, alter: definition, drop: definition, refresh: definition,
  comment: definition, grant: ddl, revoke: ddl, analyze: ddl, analyse: ddl, cluster: ddl, reindex: ddl, security: ddl, import: ddl, reassign: ddl, repack: ddl,
  reset, show: NOTHING, fetch: fetchRows, move: fetchRows, close: closeCursor, vacuum: NOTHING, listen: NOTHING, notify: NOTHING,
  unlisten: NOTHING, discard: NOTHING, deallocate: NOTHING, checkpoint: NOTHING, load: NOTHING,
})); // biome-ignore format: a table

/** Whether a statement of PostgreSQL can start with this word. */
export const startsStatement = (text: string) => STATEMENTS.has(text);

export function statement(r: Reader, from: number, to: number): Step[] {
  const steps = lowered(r, from, to);
  tellTag(r, from, to, steps);
  tellIdle(r, from, to, steps);
  return steps;
}

function lowered(r: Reader, from: number, to: number): Step[] {
  const lower = STATEMENTS.get(word(r, from, to));
  if (lower) return lower(r, from, to);
  if (mark(r, from) === '(' && startsQuery(r, from, to)) return QUERY(r, from, to);
  return [];
}

// ---- transactions ----------------------------------------------------------------------------------------------

function begin(r: Reader, from: number, to: number): Step[] {
  const first = word(r, from);
  if (first === 'start' && word(r, from + 1) !== 'transaction') return [];
  const words = first === 'start' || ['transaction', 'work'].includes(word(r, from + 1)) ? 2 : 1;
  return [{ kind: 'begin', at: at(r, from, Math.min(from + words, to)) }];
}

const isNoise = (r: Reader, i: number) => word(r, i) === 'work' || word(r, i) === 'transaction';

function chained(r: Reader, i: number): boolean {
  return isWords(r, i, 'and', 'chain');
}

function end(r: Reader, from: number, to: number): Step[] {
  if (word(r, from + 1, to) === 'prepared') return [];
  const next = isNoise(r, from + 1) ? from + 2 : from + 1;
  const chain = chained(r, next);
  return [{ kind: 'commit', at: at(r, from, chain ? next + 2 : next), ...(chain && { chain }) }];
}

function rollback(r: Reader, from: number, to: number): Step[] {
  if (word(r, from + 1, to) === 'prepared') return [];
  let i = isNoise(r, from + 1) ? from + 2 : from + 1;
  if (word(r, i) === 'to') {
    i++;
    if (word(r, i) === 'savepoint' && i + 1 < to) i++;
    const name = savepointName(r, i, to);
    return name === RETRY ? [] : [{ kind: 'rollback to', at: at(r, from, i + 1), name }];
  }
  const chain = chained(r, i);
  return [{ kind: 'rollback', at: at(r, from, chain ? i + 2 : i), ...(chain && { chain }) }];
}

function savepointName(r: Reader, i: number, to: number): string | null {
  const name = nameAt(r, i, to)?.name;
  return name ? name.slice(4) : null;
}

function savepoint(r: Reader, from: number, to: number): Step[] {
  const name = savepointName(r, from + 1, to);
  if (name === RETRY) return [];
  return [{ kind: 'savepoint', at: at(r, from, Math.min(from + 2, to)), name }];
}

/** CockroachDB's word for a transaction that it may run again; it opens nothing. */
const RETRY = 'cockroach_restart';

function release(r: Reader, from: number, to: number): Step[] {
  const i = word(r, from + 1) === 'savepoint' && from + 2 < to ? from + 2 : from + 1;
  const name = savepointName(r, i, to);
  return name === RETRY ? [] : [{ kind: 'release', at: at(r, from, Math.min(i + 1, to)), name }];
}

/** PREPARE TRANSACTION ends one; PREPARE name AS keeps a statement for EXECUTE. */
function prepare(r: Reader, from: number, to: number): Step[] {
  if (word(r, from + 1) === 'transaction')
    return [{ kind: 'commit', at: at(r, from, from + 2), prepares: true }];
  const name = nameAt(r, from + 1, to);
  const as = find(r, from + 1, to, 'as');
  if (!name || as >= to) return [];
  const steps = statement(r, as + 1, to);
  if (name.name) r.scope.prepared?.set(name.name, steps);
  return [];
}

function execute(r: Reader, from: number, to: number): Step[] {
  const name = nameAt(r, from + 1, to);
  if (!name) return [];
  const steps: Step[] = [];
  expression(r, name.next, to, { once: steps, row: steps });
  const prepared = name.name ? r.scope.prepared?.get(name.name) : undefined;
  return prepared ? [...steps, ...prepared] : steps;
}

// ---- what runs -------------------------------------------------------------------------------------------------

function call(r: Reader, from: number, to: number): Step[] {
  const steps: Step[] = [];
  expression(r, from + 1, to, { once: steps, row: steps });
  return steps;
}

function explain(r: Reader, from: number, to: number): Step[] {
  let i = from + 1;
  let runs = false;
  if (mark(r, i) === '(') {
    const close = r.closes[i]!;
    for (const [a, b] of split(r, i + 1, close))
      if (word(r, a).startsWith('analy'))
        runs = !(b > a + 1 && ['false', 'off', '0'].includes(r.tokens[a + 1]!.text));
    i = past(r, i, to);
  }
  for (; ['analyze', 'analyse', 'verbose'].includes(word(r, i)); i++)
    if (word(r, i) !== 'verbose') runs = true;
  return runs ? lowered(r, i, to) : []; // event triggers do not see what it creates
}

/** COPY table FROM, COPY table TO, COPY (query) TO. */
export function copy(r: Reader, from: number, to: number): Step[] {
  const start = word(r, from + 1) === 'binary' ? from + 2 : from + 1;
  if (mark(r, start) === '(') return query(r, start + 1, Math.min(r.closes[start]!, to)).steps;
  const name = nameAt(r, start, to);
  if (!name) return [];
  let i = name.next;
  const listed = mark(r, i, to) === '(' ? i : null;
  if (listed !== null) i = past(r, i, to);
  const place = at(r, from, name.next);
  if (word(r, i) === 'to') return [{ kind: 'read', at: place, relation: name.name, rows: 'many' }];
  if (word(r, i) !== 'from') return [];
  const steps: Step[] = [];
  const where = find(r, i, to, 'where');
  if (where < to) {
    const bag: Bag = { once: steps, row: [] };
    expression(r, where + 1, to, bag);
    if (bag.row.length > 0)
      steps.push({ kind: 'loop', at: place, over: 'query', times: null, body: bag.row });
  }
  const gives: Write['gives'] = listed === null ? 'all' : names(r, listed);
  const step: Write = { kind: 'write', verb: 'copy', at: place, relation: name.name, rows: 'many', gives };
  if (word(r, i + 1) === 'stdin') writtenOut(r, i + 2, to, step);
  steps.push(step);
  return steps;
}

/** The rows that stand in the script, a line each; of CSV a row may go on, its first may be no row, and WHERE leaves some out. */
function writtenOut(r: Reader, from: number, to: number, step: Write): void {
  const rows = copiedRows(r.source.text, r.tokens[to - 1]!.end);
  if (rows === null) return;
  if (rows < 2) step.rows = rows === 0 ? 'none' : 'one';
  else step.times = rows;
  if (rows > 0 && from < to) step.atMost = true;
}

/** ACCESS EXCLUSIVE, the default, takes a transaction ID; the weaker ones take none. */
function lock(r: Reader, from: number, to: number): Step[] {
  const mode = find(r, from, to, 'in');
  const exclusive = mode >= to || (word(r, mode + 1) === 'access' && word(r, mode + 2) === 'exclusive');
  const steps: Step[] = [];
  if (word(r, to - 1) !== 'nowait') steps.push({ kind: 'wait', at: at(r, from, from + 1), for: 'lock' });
  if (!exclusive) return steps;
  for (const [a] of split(r, word(r, from + 1) === 'table' ? from + 2 : from + 1, mode)) {
    const name = nameAt(r, word(r, a) === 'only' ? a + 1 : a, to);
    const place = name ? at(r, a, name.next) : at(r, from, from + 1);
    steps.push({ kind: 'write', verb: 'ddl', at: place, relation: name?.name ?? null, rows: 'none' });
  }
  return steps;
}

function truncate(r: Reader, from: number, to: number): Step[] {
  const start = word(r, from + 1) === 'table' ? from + 2 : from + 1;
  const cascades = word(r, to - 1) === 'cascade' ? { cascades: true as const } : {};
  const steps: Step[] = [];
  for (const [a, b] of split(r, start, to)) {
    const name = nameAt(r, word(r, a) === 'only' ? a + 1 : a, b);
    if (!name) continue;
    const place = at(r, steps.length === 0 ? from : a, name.next);
    steps.push({
      kind: 'write',
      verb: 'truncate',
      at: place,
      relation: name.name,
      rows: 'many',
      ...cascades,
    });
  }
  return steps;
}

// ---- settings and definitions ------------------------------------------------------------------------------------

/** SET [SESSION|LOCAL] search_path {TO|=} a, b */
function set(r: Reader, from: number, to: number): Step[] {
  let i = from + 1;
  if (word(r, i) === 'session' || word(r, i) === 'local') i++;
  const local = word(r, i - 1) === 'local';
  if (word(r, i) === 'session_replication_role') setRole(r, i + 2, local);
  else if (mark(r, i + 1) === '.' && r.scope.switched) setOwn(r.scope.switched, r, i, to, local);
  if (word(r, i) === 'search_path') r.scope.searchPath = schemas(r, i + 2, to);
  else if (word(r, i) === 'schema' && r.tokens[i + 1]?.kind === 'string')
    r.scope.searchPath = schemas(r, i + 1, to);
  return [];
}

/** The schemas of a search_path; null for DEFAULT. */
export function schemas(r: Reader, from: number, to: number): string[] | null {
  if (word(r, from) === 'default') return null;
  const out: string[] = [];
  for (const [a, b] of split(r, from, to)) {
    const token = r.tokens[a];
    if (!token || b !== a + 1) continue;
    if (token.kind === 'string' && token.inner) {
      const text = token.text.slice(token.inner.start - token.start, token.inner.end - token.start);
      if (text.includes(HOLE)) return out.length > 0 ? out : COMPUTED;
      out.push(/^[a-z_][a-z0-9_$]*$/.test(text) ? text : `"${text}"`);
    } else {
      const name = nameAt(r, a, b);
      if (!name?.parts[0]) return out.length > 0 ? out : COMPUTED;
      out.push(name.parts[0]);
    }
  }
  return out;
}

function reset(r: Reader, from: number): Step[] {
  const what = word(r, from + 1);
  if (what === 'search_path' || what === 'all') r.scope.searchPath = null;
  if (what === 'session_replication_role' || what === 'all') setRole(r, from, false);
  const own = nameAt(r, from + 1, r.tokens.length)?.parts.join('.');
  if (what === 'all') r.scope.switched?.settings.clear();
  else if (own) r.scope.switched?.settings.delete(own);
  return [];
}

function ddl(r: Reader, from: number, to: number): Step[] {
  return [
    { kind: 'write', verb: 'ddl', at: at(r, from, Math.min(from + 1, to)), relation: null, rows: 'unknown' },
  ];
}

function definition(r: Reader, from: number, to: number): Step[] {
  return lowerDefinition(r, from, to);
}

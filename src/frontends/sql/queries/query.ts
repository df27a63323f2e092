// Reads queries and expressions: what they read and lock, which functions they call, once or for each row.

import type { Loop, Picked, Rows, Span, Step } from '../../../ir.ts';
import { type Clause, clauseOf, clauses, isLabel } from '../text/clauses.ts';
import { HOLE, identifier, type Token } from '../text/lexer.ts';
import {
  at, type Cte, find, isNamePart, type Level, mark, nameAt, past, type Reader, word,
} from '../text/reader.ts'; // biome-ignore format: one list
import { OPENS, SET_OPERATION } from '../text/sorts.ts';
import { hasAggregate } from './aggregates.ts';
import { EACH_ROW, takeCompared } from './compared.ts';
import { type Bag, bag, expression } from './expression.ts';
import {
  beforeLateral,
  fromItems,
  type Given,
  mayLack,
  narrow,
  narrows,
  noTables,
  type Tables,
} from './from.ts';
import { setLength } from './lengths.ts';
import { askFor, computed, handsOn, isLazy, limitOf, upTo } from './limits.ts';
import { needNotRun } from './perhaps.ts';
import { predicate } from './predicate.ts';
import { rowLock } from './rowlocks.ts';
import { besideSets, endOfTarget, hasRowSet } from './rowsets.ts';
import { lowerWrite } from './writes.ts';

/** Queries inside queries, deeper than anyone writes; what lies below is not read. */
const DEEPEST = 250;

export interface Result {
  steps: Step[];
  rows: Exclude<Rows, 'none'>;
  times: number | null;
  atMost?: true | undefined;
  given?: Given | undefined;
  /** Its one row need not be there. */
  perhaps?: true | undefined;
  /** What decides whether it is one row, where keys are known. */
  picked?: Picked[];
  /** What turns once for each row that somebody asks for. */
  lazy?: Loop[];
  /** It names something of a query around it, so it runs for each of those rows. */
  correlated?: boolean;
}

/**
 * A query with its WITH clause: SELECT, VALUES, TABLE, or a statement that writes. How many rows it has is worked out
 * where somebody asks for that, or where it says how often something runs.
 */
export function query(r: Reader, from: number, to: number, counted = true): Result {
  if (r.levels.length > DEEPEST)
    return {
      steps: [{ kind: 'opaque', at: at(r, from, from + 1), why: 'nested too deeply' }],
      rows: 'unknown',
      times: null,
    };
  const level: Level = { aliases: new Map(), hasFrom: false, correlated: false };
  const ctes = r.ctes;
  r.levels.push(level);
  const steps: Step[] = [];
  const start = word(r, from) === 'with' ? withClause(r, from, to, steps) : from;
  const first = word(r, start, to);
  const result =
    first === 'insert' || first === 'update' || first === 'delete' || first === 'merge'
      ? lowerWrite(r, start, to)
      : setOperations(r, start, to, counted);
  r.levels.pop();
  r.ctes = ctes;
  if (steps.length > 0) {
    // A CTE that is read goes on for as long as somebody asks for its rows.
    if (find(r, start, to, 'limit') < to || find(r, start, to, 'fetch') < to)
      for (const step of steps) if (reads(step)) atMost(step);
    for (const step of result.steps) steps.push(step);
    result.steps = steps;
  }
  result.correlated = level.correlated;
  return result;
}

function withClause(r: Reader, from: number, to: number, steps: Step[]): number {
  r.ctes = new Map(r.ctes);
  let i = from + 1;
  const recursive = word(r, i) === 'recursive';
  if (recursive) {
    i++;
    forwardNames(r, i, to);
  }
  while (i < to) {
    const name = nameAt(r, i, to);
    if (!name) break;
    i = name.next;
    if (mark(r, i) === '(') i = past(r, i, to);
    if (word(r, i) !== 'as') break;
    i++;
    if (word(r, i) === 'not') i++;
    if (word(r, i) === 'materialized') i++;
    if (mark(r, i) !== '(') break;
    const key = name.parts.join('.');
    const body = query(r, i + 1, Math.min(r.closes[i]!, to));
    i = past(r, i, to);
    const { rows, times, atMost, perhaps, lazy } = body;
    // Where it is made and where it is asked: of several that ask somebody may want all rows.
    const alone = lazy && wordsOf(r).get(key)?.times === 2;
    const some = { ...(atMost && { atMost }), ...(perhaps && { perhaps }) };
    r.ctes.set(key, recursive ? MANY : { rows, times, ...some, ...(alone && { lazy }) });
    if (isUsed(r, key, body.steps, i)) for (const step of body.steps) steps.push(step);
    while (i < to && (word(r, i) === 'search' || word(r, i) === 'cycle')) i = endOfSearch(r, i, to);
    if (mark(r, i) !== ',') break;
    i++;
  }
  return i;
}

const reads = (step: Step): boolean => step.kind !== 'loop' || step.body.every((one) => one.kind !== 'write');

const MANY: Cte = { rows: 'many', times: null };

/** A query that only reads does not run where nothing names it. What a template puts in may name it. */
function isUsed(r: Reader, name: string, steps: Step[], from: number): boolean {
  const words = wordsOf(r);
  const last = Math.max(words.get(name)?.last ?? -1, words.get(HOLE)?.last ?? -1);
  return last >= from || steps.some((step) => step.kind === 'write');
}

function wordsOf(r: Reader): NonNullable<Reader['words']> {
  if (r.words) return r.words;
  r.words = new Map();
  for (const [last, token] of r.tokens.entries()) {
    const word = isComputed(token) ? HOLE : identifier(token);
    r.words.set(word, { times: (r.words.get(word)?.times ?? 0) + 1, last });
  }
  return r.words;
}

const isComputed = ({ kind, text }: Token) => kind === 'variable' || text.includes(HOLE);

/** WITH RECURSIVE: each may name itself and those that come later. */
function forwardNames(r: Reader, from: number, to: number): void {
  for (let i = from; i < to; ) {
    const name = nameAt(r, i, to);
    if (!name) return;
    r.ctes.set(name.parts.join('.'), MANY);
    const body = find(r, name.next, to, 'as');
    let open = find(r, body, to, '(');
    if (open >= to) return;
    open = find(r, past(r, open, to), to, ',');
    i = open + 1;
  }
}

/** SEARCH … SET column, CYCLE … SET column [TO … DEFAULT …] USING column. */
function endOfSearch(r: Reader, from: number, to: number): number {
  const closing = word(r, from) === 'cycle' ? 'using' : 'set';
  const i = find(r, from, to, closing);
  return Math.min(i + 2, to);
}

function setOperations(r: Reader, from: number, to: number, counted: boolean): Result {
  if ((r.sorts & SET_OPERATION) === 0 && from <= to) return selectPart(r, from, to, true, counted);
  const steps: Step[] = [];
  let result: Result | undefined;
  let start = from;
  let last = from;
  let onlyAll = true;
  for (let i = from; i <= to; i++) {
    if (i < to) {
      const { sorts, text } = r.tokens[i]!;
      if ((sorts & OPENS) !== 0 && text === '(') i = Math.min(r.closes[i]!, to - 1);
      if ((sorts & SET_OPERATION) === 0 || isLabel(r, i)) continue;
    }
    last = start;
    const part = selectPart(r, start, i, start === from && i === to, counted);
    for (const step of part.steps) steps.push(step);
    if (result) result = together(result, part);
    else result = part;
    result.steps = steps;
    if (i < to && (word(r, i) !== 'union' || word(r, i + 1) !== 'all')) onlyAll = false;
    if (word(r, i + 1) === 'all' || word(r, i + 1) === 'distinct') i++;
    start = i + 1;
  }
  // After the last of them it speaks of all.
  const parts = last > from ? clauses(r, last, to, CLAUSES) : [];
  const limit = limitOf(r, parts);
  if (limit !== null) for (const step of steps) atMost(step);
  if (result && parts.length > 0) {
    if (!onlyAll || clauseOf(parts, 'order')) result.lazy = undefined;
    askFor(result.lazy, computed(r, parts, limit));
  }
  return result ?? { steps, rows: 'unknown', times: null };
}

/** UNION has the rows of both, or fewer; the others fewer still. */
function together(a: Result, b: Result): Result {
  const known = a.times !== null && b.times !== null && !a.picked && !b.picked;
  const sum = made(a.steps, 'many', known ? a.times! + b.times! : null, known);
  // Added to what there is: a UNION may have thousands of parts.
  if (a.lazy) a.lazy.push(...(b.lazy ?? []));
  sum.lazy = a.lazy ?? b.lazy;
  return sum;
}

/** All have one shape, as tokens do. */
export function made(
  steps: Step[],
  rows: Result['rows'],
  times: number | null,
  atMost = false,
  picked?: Picked[],
): Result {
  return {
    steps,
    rows,
    times,
    atMost: atMost || undefined,
    given: undefined,
    picked,
    lazy: undefined,
    correlated: undefined,
    perhaps: undefined,
  };
}

function selectPart(r: Reader, from: number, to: number, alone: boolean, counted: boolean): Result {
  if (mark(r, from) === '(') {
    const close = Math.min(r.closes[from]!, to);
    const inner = query(r, from + 1, close, counted);
    const bag: Bag = { once: inner.steps, row: inner.steps };
    expression(r, close + 1, to, bag);
    return inner;
  }
  const first = word(r, from, to);
  if (first === 'values') return values(r, from + 1, to);
  if (first === 'table') return table(r, from, to);
  if (first === 'select') return select(r, from, to, alone, counted);
  // Not a query after all: its calls still count.
  const bag: Bag = { once: [], row: [] };
  bag.row = bag.once;
  expression(r, from, to, bag);
  return { steps: bag.once, rows: 'unknown', times: null };
}

/** `TABLE t` is `SELECT * FROM t`: what may follow that may follow this. */
function table(r: Reader, from: number, to: number): Result {
  const steps: Step[] = [];
  const [named, ...rest] = clauses(r, from + 1, to, CLAUSES);
  const tables = fromItems(r, named!.from, named!.to, steps);
  const limit = limitOf(r, rest);
  for (const clause of rest)
    if (clause.word === 'for') rowLock(r, from, clause, tables, null, [], limit, steps);
    else expression(r, clause.from, clause.to, { once: steps, row: steps });
  return limit === null ? made(steps, 'many', null) : made(steps, 'unknown', limit, true);
}

/** Rows in brackets; ORDER BY and LIMIT may follow. */
export function values(r: Reader, from: number, to: number): Result {
  const steps: Step[] = [];
  const bag: Bag = { once: steps, row: steps };
  let rows = 0;
  let i = from;
  let computed = false;
  while (i < to && mark(r, i) !== ';') {
    if (mark(r, i) === '(') {
      rows++;
      expression(r, i + 1, Math.min(r.closes[i]!, to), bag);
      i = past(r, i, to);
    } else if (isNamePart(r.tokens[i]) && rows === 0) {
      // VALUES %s, VALUES :rows: a driver puts rows there.
      computed = true;
      i++;
    } else i++;
  }
  if (computed || rows === 0) return { steps, rows: 'unknown', times: null };
  // INSERT INTO t VALUES (unnest($1)): a row for each element.
  if (hasRowSet(r, from, to)) return { steps, rows: 'many', times: null };
  return { steps, rows: rows === 1 ? 'one' : 'many', times: rows };
}

// ---- SELECT ----------------------------------------------------------------------------------------------------

const CLAUSES = new Set([
  'into',
  'from',
  'where',
  'group',
  'having',
  'window',
  'order',
  'limit',
  'offset',
  'fetch',
  'for',
]);

function select(r: Reader, from: number, to: number, alone: boolean, counted: boolean): Result {
  const parts = clauses(r, from + 1, to, CLAUSES);
  const steps: Step[] = [];
  const level = r.levels[r.levels.length - 1]!;
  // PL/pgSQL fetches one row for INTO.
  const oneRow = alone && (r.first === from || (r.scope.variables && clauseOf(parts, 'into') !== undefined));
  const fromClause = clauseOf(parts, 'from');
  level.hasFrom = fromClause !== undefined;
  const exists = alone && r.exists === from;
  const tables = fromClause ? fromItems(r, fromClause.from, fromClause.to, steps) : noTables();
  const where = clauseOf(parts, 'where');
  const grouped = clauseOf(parts, 'group') !== undefined;
  const having = clauseOf(parts, 'having') !== undefined;
  const targets = parts[0]!;
  const single = !grouped && (having || hasAggregate(r, targets.from, targets.to));
  const scanned = bag(steps);
  for (const step of tables.perRow) scanned.row.push(step);
  const given: Bag = bag([]);
  given.single = single;
  // What is aggregated is asked of each row, what stands beside it once for each group.
  const groups: Bag = { once: given.row, row: scanned.row, single: true, apart: given.once };
  if (where) expression(r, where.from, where.to, scanned);
  const into: string[] = [];
  const asked = !exists || single || having || hasRowSet(r, targets.from, targets.to);
  for (const clause of parts) {
    if (!asked && (clause.word === '' || clause.word === 'group' || clause.word === 'order')) continue;
    if (clause.word === '' || clause.word === 'having' || clause.word === 'order')
      expression(r, clause.from, clause.to, grouped ? groups : given);
    if (clause === targets && !grouped && !single && !oneRow)
      besideSets(r, clause, given.row, alone ? parts : []);
    else if (clause.word === 'into') intoClause(r, clause, given, into);
    else if (clause.word === 'group' || clause.word === 'window')
      expression(r, clause.from, clause.to, scanned);
    else if (clause.word === 'limit' || clause.word === 'offset' || clause.word === 'fetch')
      expression(r, clause.from, clause.to, { once: steps, row: steps });
  }
  const locks = clauseOf(parts, 'for') !== undefined;
  // After a UNION it speaks of all of it.
  const limit = alone ? limitOf(r, parts) : null;
  if (limit !== null) for (const step of steps) atMost(step);
  const most = oneRow || exists ? Math.min(limit ?? 1, 1) : limit;
  const lazy = tables.items.length === 1 && !single && handsOn(r, parts) ? tables.items[0]!.lazy : undefined;
  askFor(lazy, computed(r, parts, most));
  // Where nothing runs for each row it is all the same how many there are.
  if (!counted && !locks && scanned.row.length === 0 && given.row.length === 0) {
    for (const step of given.once) steps.push(step);
    const result = made(steps, 'unknown', null);
    result.lazy = lazy;
    return result;
  }
  const picks = where ? predicate(r, where.from, where.to) : null;
  narrow(tables, picks);
  const result = outputRows(r, tables, where !== undefined, limit, single, targets, steps);
  if (having || (!single && (where || clauseOf(parts, 'offset') || tables.items.some(mayLack))))
    result.perhaps = true;
  const loop = at(r, from, from + 1);
  if (picks?.none) {
    for (const each of [scanned, given]) each.row = never(each.row, loop);
    if (!single && given.once.length > 0) given.once = never(given.once, loop);
  }
  repeat(steps, takeCompared(r, picks, tables, scanned.row), EACH_ROW, true, loop);
  if (single) scanned.row.push(...given.row);
  const around = scanned.row.length > tables.perRow.length ? tables : beforeLateral(tables);
  repeat(steps, scanned.row, around, where !== undefined, loop);
  // PostgreSQL refuses it for a UNION, whose last part it seems to be.
  if (alone)
    for (const clause of parts)
      if (clause.word === 'for') rowLock(r, from, clause, tables, picks, into, limit, steps);
  steps.push(...given.once);
  const fewer = clauseOf(parts, 'limit') ?? clauseOf(parts, 'fetch');
  const some = where !== undefined || fewer !== undefined || (grouped && (tables.times ?? 0) > 1);
  if (!single) repeat(steps, given.row, upTo(r, parts, computed(r, parts, most), tables), some, loop);
  const own = single || given.row.length === 0 ? undefined : steps[steps.length - 1];
  result.lazy =
    own?.kind === 'loop' && own.body === given.row && isLazy(r, parts) ? [own, ...(lazy ?? [])] : lazy;
  return result;
}

/** Whoever asks for no more rows than that stops it. */
export function atMost(step: Step): void {
  if (step.kind === 'loop' && step.over === 'query') step.atMost = true;
}

/** It is there, as a loop that never turns. */
const never = (body: Step[], place: Span): Step[] =>
  body.length === 0 ? body : [{ kind: 'loop', at: place, over: 'query', times: 0, body }];

function outputRows(
  r: Reader,
  tables: Tables,
  filtered: boolean,
  limit: number | null,
  single: boolean,
  targets: Clause,
  steps: Step[],
): Result {
  if (limit === 1) return made(steps, 'one', 1);
  if (single)
    return hasRowSet(r, targets.from, targets.to) ? made(steps, 'unknown', limit) : made(steps, 'one', 1);
  if (limit !== null && tables.rows !== 'one') return made(steps, 'unknown', limit, true);
  if (hasRowSet(r, targets.from, targets.to)) {
    const alone = tables.items.length === 0 && !filtered;
    if (!alone) return made(steps, 'unknown', null);
    const { times, atMost, ...given } = setLength(r, targets.from, endOfTarget(r, targets));
    const sets = made(steps, 'unknown', times, atMost);
    if (given.each || given.of) sets.given = given;
    return sets;
  }
  const isFew = tables.picked?.some(({ few, among }) => few || among);
  const picked = filtered || isFew ? tables.picked : undefined;
  if (tables.rows === 'one') return made(steps, 'one', 1, false, picked);
  const { rows, times, atMost, given } = tables;
  const known = times !== null || given !== undefined;
  const all = made(steps, filtered ? 'unknown' : rows, times, known && (filtered || atMost), picked);
  all.given = given;
  return all;
}

/** In PL/pgSQL the targets, which the target list may follow; in SQL a new table. */
function intoClause(r: Reader, clause: Clause, bag: Bag, into: string[]): void {
  let i = clause.from;
  if (!r.scope.variables) {
    while (['temporary', 'temp', 'unlogged', 'local', 'global', 'table'].includes(word(r, i))) i++;
    const name = nameAt(r, i, clause.to);
    bag.once.push({
      kind: 'write',
      verb: 'ddl',
      at: at(r, clause.from - 1, name?.next ?? i),
      relation: name?.name ?? null,
      rows: 'unknown',
    });
    i = name?.next ?? i;
  } else {
    if (word(r, i) === 'strict') i++;
    i = intoTargets(r, i, clause.to, into);
  }
  expression(r, i, clause.to, bag);
}

/** Names of variables after INTO; returns where they end. */
export function intoTargets(r: Reader, from: number, to: number, into: string[]): number {
  let i = from;
  while (i < to) {
    const name = nameAt(r, i, to);
    if (!name) break;
    if (name.parts[0] !== undefined) into.push(name.parts[0]);
    i = name.next;
    if (mark(r, i, to) === '[') i = past(r, i, to);
    if (mark(r, i, to) !== ',') break;
    i++;
  }
  return i;
}

/** The steps that run for each row: in a loop, unless there is one row or nothing that counts. */
export function repeat(
  steps: Step[],
  body: Step[],
  rows: Pick<Result, 'times' | 'picked' | 'given'> & {
    rows: Rows;
    atMost?: boolean | undefined;
    sure?: boolean;
  },
  filtered: boolean,
  place: Span,
): void {
  if (body.length === 0) return;
  const picked = rows.picked?.some(narrows) ? rows.picked : null;
  if (
    (rows.rows === 'one' && !picked) ||
    body.every((step) => step.kind === 'read' || step.kind === 'cast')
  ) {
    for (const step of body) {
      if (filtered) needNotRun(step);
      steps.push(step);
    }
    return;
  }
  // That it is one row is what names say; the keys may say another thing.
  const times = rows.rows === 'one' && !rows.atMost ? null : rows.times;
  const loop: Loop = {
    kind: 'loop',
    at: place,
    over: 'query',
    times,
    ...(times === null && rows.given),
    body,
  };
  if ((times !== null || loop.each || loop.gives || loop.of) && (filtered || rows.atMost)) loop.atMost = true;
  if (picked) loop.picked = picked;
  if (rows.sure === false) loop.certainty = 'likely';
  steps.push(loop);
}

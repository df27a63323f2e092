// Reads INSERT, UPDATE, DELETE and MERGE: what they write, how many rows, and what runs for each of them.
import type { Name, Picked, Rows, Step, Verb, Write } from '../../../ir.ts';
import { type Clause, clauses } from '../text/clauses.ts';
import { at, find, mark, nameAt, names, past, type Reader, split, word } from '../text/reader.ts';
import { EACH_ROW, takeCompared } from './compared.ts';
import { type Bag, expression } from './expression.ts';
import { fromItems, narrow, push, type Tables } from './from.ts';
import { joinedKey, operand, type Predicate, picking, predicate, setBy } from './predicate.ts';
import { intoTargets, made, query, type Result, repeat } from './query.ts';

export function lowerWrite(r: Reader, from: number, to: number): Result {
  const first = word(r, from);
  if (first === 'insert') return insert(r, from, to);
  if (first === 'merge') return merge(r, from, to);
  return change(r, from, to, first as 'update' | 'delete');
}

interface Target {
  name: Name | null;
  alias: string;
  next: number;
  only?: boolean;
}

/** `[ONLY] name [*] [[AS] alias]` */
function target(r: Reader, from: number, to: number): Target {
  const only = word(r, from) === 'only';
  let i = only ? from + 1 : from;
  const bracket = mark(r, i) === '(';
  const name = nameAt(r, bracket ? i + 1 : i, to);
  if (!name) return { name: null, alias: '', next: Math.min(i + 1, to) };
  i = bracket ? name.next + 1 : name.next;
  if (mark(r, i) === '*') i++;
  let alias = name.parts[name.parts.length - 1] ?? '';
  if (word(r, i) === 'as' || (r.tokens[i]?.kind === 'word' && i < to && !AFTER_TARGET.has(word(r, i)))) {
    if (word(r, i) === 'as') i++;
    alias = nameAt(r, i, to)?.parts[0] ?? alias;
    i++;
  }
  return { name: name.name, alias, next: i, only };
}

const AFTER_TARGET = new Set([
  'set',
  'using',
  'where',
  'returning',
  'values',
  'select',
  'with',
  'default',
  'overriding',
  'on',
  'table',
]);

// ---- INSERT ----------------------------------------------------------------------------------------------------

const AFTER_INSERT = new Set(['on', 'returning']);

function insert(r: Reader, from: number, to: number): Result {
  const header = target(r, from + 2, to);
  let i = header.next;
  const steps: Step[] = [];
  const step: Write = {
    kind: 'write',
    verb: 'insert',
    at: at(r, from, headEnd(r, from + 2)),
    relation: header.name,
    rows: 'unknown',
  };
  const columns = i;
  if (mark(r, i) === '(' && !['select', 'with', 'values'].includes(word(r, i + 1))) i = past(r, i, to);
  if (word(r, i) === 'overriding') i += 3;
  const [source, ...rest] = clauses(r, i, to, AFTER_INSERT);
  let times: number | null = null;
  if (word(r, i) === 'default') {
    step.rows = 'one';
    times = 1;
  } else {
    const given = query(r, source!.from, source!.to);
    for (const inner of given.steps) steps.push(inner);
    step.rows = given.rows;
    if (given.picked) step.picked = given.picked;
    times = given.times;
    if (times !== null && times > 1) step.times = times;
    if ((given.atMost && step.times) || (given.perhaps && given.rows === 'one')) step.atMost = true;
    const keys = given.rows === 'one' ? valuesGiven(r, columns, source!) : [];
    if (keys.length > 0) Object.assign(step, picking(r, keys));
  }
  const gives = columnsGiven(r, columns, i, source!);
  if (gives) step.gives = gives;
  if (rest.length === 0) step.last = at(r, to - 1, to);
  const level = r.levels[r.levels.length - 1]!;
  level.hasFrom = true;
  level.aliases.set(header.alias, header.name).set('excluded', header.name);
  const after: Bag = { once: steps, row: [] };
  for (const clause of rest) if (clause.word === 'on') conflict(r, clause, step, after);
  const atMost = (step.atMost === true && step.rows !== 'one') || step.onConflict !== undefined;
  const result = made(steps, step.rows as Result['rows'], times, atMost, step.picked);
  repeat(steps, after.row, result, false, step.at);
  steps.push(step);
  for (const clause of rest) if (clause.word === 'returning') returning(r, clause, result, step, steps);
  return result;
}

/** By name where they are listed, else by place; those that are DEFAULT in some row are not among them. */
function columnsGiven(r: Reader, columns: number, after: number, source: Clause): Write['gives'] {
  const listed = mark(r, columns) === '(' && after > columns ? names(r, columns) : null;
  const first = word(r, source.from);
  if (first === 'default') return [];
  if (first !== 'values') return listed ?? placesSelected(r, source);
  const rows: [number, number][][] = [];
  for (let i = source.from + 1; i < source.to && mark(r, i) === '('; i = past(r, i) + 1)
    rows.push(split(r, i + 1, Math.min(r.closes[i]!, source.to)));
  if (rows.length === 0) return listed ?? undefined; // a template has them
  const isDefault = (k: number) =>
    rows.some((row) => row[k] && row[k][1] === row[k][0] + 1 && word(r, row[k][0]) === 'default');
  return rows[0]!.flatMap((_, k) => (isDefault(k) ? [] : [listed ? (listed[k] ?? k) : k]));
}

/** What a SELECT gives to columns that are not listed; with a star it is mostly all of them. */
function placesSelected(r: Reader, { from, to }: Clause): Write['gives'] {
  if (word(r, from) !== 'select') return 'all';
  const targets = split(r, from + 1, clauses(r, from + 1, to, AFTER_TARGETS)[0]!.to);
  return targets.some(([, end]) => mark(r, end - 1) === '*') ? 'all' : targets.map((_, k) => k);
}

const AFTER_TARGETS = new Set('from where group having order limit offset union intersect except'.split(' '));

/** `column=value` for each value of the one row that is a constant, a parameter or a variable; by place where no columns are listed. */
function valuesGiven(r: Reader, columns: number, source: Clause): string[] {
  const values = find(r, source.from, source.to, 'values') + 1;
  if (mark(r, values) !== '(') return [];
  const listed = columns < source.from && mark(r, columns) === '(' ? names(r, columns) : null;
  const keys = split(r, values + 1, r.closes[values]!).flatMap(([from, to], i) => {
    const column = listed ? listed[i] : i;
    if (column === undefined) return [];
    const joined = joinedKey(r, String(column), from, to);
    if (joined) return [joined];
    const value = operand(r, from, to);
    return value?.text ? [`${column}=${value.text}`, ...(value.variable ? [value.variable] : [])] : [];
  });
  return [...new Set(keys)];
}

/** ON CONFLICT [(target)] [WHERE …] DO NOTHING | DO UPDATE SET … [WHERE …] */
function conflict(r: Reader, clause: Clause, step: Write, bag: Bag): void {
  const action = find(r, clause.from, clause.to, 'do');
  step.onConflict = word(r, action + 1) === 'update' ? 'update' : 'nothing';
  if (step.onConflict === 'nothing') return;
  const set = find(r, action, clause.to, 'set');
  const where = find(r, set, clause.to, 'where');
  step.columns = assigned(r, set + 1, where);
  Object.assign(step, andResets(reset(r, set + 1, where)));
  if (where < clause.to) step.atMost = true;
  expression(r, set + 1, clause.to, bag);
}

/** RETURNING expressions [INTO variables]; they run after the write, for each of its rows. */
function returning(
  r: Reader,
  clause: Clause,
  rows: { rows: Rows; times: number | null; atMost?: true; picked?: Picked[] },
  step: Write,
  steps: Step[],
): void {
  const into = find(r, clause.from, clause.to, 'into');
  const bag: Bag = { once: steps, row: [] };
  expression(r, clause.from, into, bag);
  repeat(steps, bag.row, rows, false, step.at);
  if (into >= clause.to || !r.scope.variables) return;
  // A second one is an error.
  if (step.rows !== 'one') {
    Object.assign(step, { rows: 'one', ...(step.verb === 'insert' && { atMost: true }) });
    delete step.times;
    delete step.picked;
  }
  const names: string[] = [];
  intoTargets(r, word(r, into + 1) === 'strict' ? into + 2 : into + 1, clause.to, names);
  if (names.length > 0) step.keys = [...new Set([...(step.keys ?? []), ...names.map(setBy(r))])];
}

// ---- UPDATE and DELETE -----------------------------------------------------------------------------------------

const PARTS = {
  update: new Set(['set', 'from', 'where', 'returning']),
  delete: new Set(['using', 'where', 'returning']),
};

function change(r: Reader, from: number, to: number, verb: 'update' | 'delete'): Result {
  const start = verb === 'delete' ? from + 2 : from + 1;
  const header = target(r, start, to);
  const steps: Step[] = [];
  const step: Write = {
    kind: 'write',
    verb,
    at: at(r, from, headEnd(r, start)),
    relation: header.name,
    rows: 'many',
    ...(header.only && { only: true as const }),
  };
  const level = r.levels[r.levels.length - 1]!;
  level.hasFrom = true;
  level.aliases.set(header.alias, header.name);
  const parts = oneUsing(clauses(r, header.next, to, PARTS[verb]));
  const tables: Tables = {
    items: [], perRow: [], rows: 'many', times: null, sure: true,
  }; // biome-ignore format: a row
  push(tables, {
    alias: header.alias,
    lock: { name: header.name, at: step.at },
    rows: 'many',
    times: null,
    sure: true,
  });
  for (const part of parts)
    if (part.word === 'from' || part.word === 'using') joinOthers(r, part, steps, tables);
  const bag: Bag = { once: steps, row: tables.perRow };
  let picks: Predicate | null = null;
  for (const part of parts) {
    if (part.word === 'where') {
      picks = predicate(r, part.from, part.to);
      narrow(tables, picks);
      if (picks.keys.length > 0) Object.assign(step, picking(r, picks.keys));
    } else if (part.word === 'set') {
      step.columns = assigned(r, part.from, part.to);
      const puts = valuesSet(r, part.from, part.to);
      if (puts.length > 0) step.puts = puts;
      Object.assign(step, andResets(reset(r, part.from, part.to)));
    }
    if (part.word === 'where' || part.word === 'set') expression(r, part.from, part.to, bag);
  }
  // A row is written once, however many others it is joined with.
  step.rows = picks?.none ? 'none' : tables.items[0]!.rows === 'one' ? 'one' : picks ? 'unknown' : 'many';
  const picked = picks?.current ? undefined : tables.picked?.slice(0, 1);
  if (picked?.[0] && !picked[0].joined) step.picked = picked;
  const rows = { rows: step.rows, times: step.rows === 'one' ? 1 : null, picked: step.picked };
  repeat(steps, takeCompared(r, picks, tables, bag.row), EACH_ROW, true, step.at);
  repeat(steps, bag.row, rows, true, step.at);
  steps.push(step);
  for (const part of parts) if (part.word === 'returning') returning(r, part, rows, step, steps);
  return { steps, rows: step.rows as Result['rows'], times: rows.times, picked: step.picked };
}

/** Only the first USING of a DELETE starts a clause; the others belong to joins. */
function oneUsing(parts: Clause[]): Clause[] {
  const out: Clause[] = [];
  for (const part of parts) {
    const before = out[out.length - 1];
    if (part.word === 'using' && before?.word === 'using') before.to = part.to;
    else out.push(part);
  }
  return out;
}

function joinOthers(r: Reader, part: Clause, steps: Step[], tables: Tables): void {
  const others = fromItems(r, part.from, part.to, steps);
  tables.items.push(...others.items);
  tables.perRow.push(...others.perRow);
}

/** Those that SET puts back to their defaults: `a = DEFAULT`, `(a, b) = (1, DEFAULT)`. */
function reset(r: Reader, from: number, to: number): string[] {
  return split(r, from, to).flatMap(([a, b]) => {
    if (mark(r, a) !== '(') return b === a + 3 && word(r, b - 1) === 'default' ? assigned(r, a, b) : [];
    const open = find(r, past(r, a, b), b, '(');
    if (open >= b) return [];
    const columns = assigned(r, a, b);
    const values = split(r, open + 1, Math.min(r.closes[open]!, b));
    return columns.filter((_, i) => values[i] && word(r, values[i][0]) === 'default');
  });
}

const andResets = (columns: string[]): Pick<Write, 'resets'> =>
  columns.length > 0 ? { resets: columns } : {};

/** The columns that SET assigns. */
function assigned(r: Reader, from: number, to: number): string[] {
  const columns: string[] = [];
  for (const [a, b] of split(r, from, to)) {
    if (mark(r, a) === '(') {
      for (const [c, d] of split(r, a + 1, Math.min(r.closes[a]!, b)))
        add(nameAt(r, c, d)?.parts[0], columns);
    } else add(nameAt(r, a, b)?.parts[0], columns);
  }
  return columns;
}

/** `column=value` for each that SET gives a constant, a parameter or a variable. */
const valuesSet = (r: Reader, from: number, to: number): string[] =>
  split(r, from, to).flatMap(([a, b]) => {
    const column = nameAt(r, a, b);
    const value = column && mark(r, column.next) === '=' ? operand(r, column.next + 1, b) : null;
    return value?.text ? [`${column!.parts[0]}=${value.text}`] : [];
  });

function add(column: string | undefined, columns: string[]): void {
  if (column && !columns.includes(column)) columns.push(column);
}

// ---- MERGE -----------------------------------------------------------------------------------------------------

function merge(r: Reader, from: number, to: number): Result {
  const start = word(r, from + 1) === 'into' ? from + 2 : from + 1;
  const header = target(r, start, to);
  const level = r.levels[r.levels.length - 1]!;
  level.hasFrom = true;
  level.aliases.set(header.alias, header.name);
  const steps: Step[] = [];
  const when = find(r, header.next, to, 'when');
  const given = fromItems(r, word(r, header.next) === 'using' ? header.next + 1 : header.next, when, steps);
  const bag: Bag = { once: steps, row: given.perRow };
  const output = find(r, when, to, 'returning');
  expression(r, when, output, bag);
  const rows: Rows = given.rows === 'one' ? 'one' : 'unknown';
  const step: Write = {
    kind: 'write',
    verb: 'merge' as Verb,
    at: at(r, from, headEnd(r, start)),
    relation: header.name,
    rows,
  };
  if (rows !== 'one' && given.times !== null) Object.assign(step, { times: given.times, atMost: true });
  repeat(steps, bag.row, { rows, times: given.times }, false, step.at);
  const does = actions(r, when, to);
  const gives = does.includes('insert') ? givenBy(r, when, output) : undefined;
  const more = { does, ...(gives && { gives }), ...andResets(resetBy(r, when, output)) };
  if (does.length > 0) steps.push({ ...step, ...more });
  if (output < to)
    returning(r, { word: 'returning', from: output + 1, to }, { rows, times: null }, step, steps);
  return { steps, rows, times: null };
}

/** Where one arm alone inserts: what that gives values to. */
function givenBy(r: Reader, from: number, to: number): Write['gives'] {
  const arms: number[] = [];
  for (let i = from; i < to; i++) if (word(r, i) === 'insert' && word(r, i - 1) === 'then') arms.push(i);
  const [arm, ...others] = arms;
  if (arm === undefined || others.length > 0) return undefined;
  const end = Math.min(find(r, arm, to, 'when'), to);
  const columns = arm + 1;
  const after = mark(r, columns) === '(' ? past(r, columns, end) : columns;
  const source = Math.min(find(r, after, end, 'values'), find(r, after, end, 'default'));
  return source < end ? columnsGiven(r, columns, after, { word: '', from: source, to: end }) : undefined;
}

function resetBy(r: Reader, from: number, to: number): string[] {
  const out: string[] = [];
  for (let i = from; i < to; i++)
    if (word(r, i) === 'set' && word(r, i - 1) === 'update')
      out.push(...reset(r, i + 1, Math.min(find(r, i, to, 'when'), to)));
  return out;
}

/** A MERGE that only does nothing writes nothing. */
function actions(r: Reader, from: number, to: number): NonNullable<Write['does']> {
  const then = new Set<string | null | undefined>();
  for (let i = from; i < to; i++) if (word(r, i) === 'then') then.add(word(r, i + 1));
  return (['insert', 'update', 'delete'] as const).filter((verb) => then.has(verb));
}

/** The underlined words end with the relation's name. */
function headEnd(r: Reader, from: number): number {
  let i = from;
  if (word(r, i) === 'only') i++;
  return nameAt(r, i)?.next ?? i + 1;
}

// Reads a FROM clause: relations, sub-queries, functions, joins, and how many rows they may give.
import {
  FIRED_ROWS,
  type Loop,
  type Name,
  type Picked,
  type Rows,
  type Span,
  type Step,
} from '../../../ir.ts';
import { givesRows, isBuiltin } from '../text/builtins.ts';
import { isLabel, startsQuery } from '../text/clauses.ts';
import { at, isWords, mark, type Named, nameAt, past, type Reader, split, word } from '../text/reader.ts';
import { asCatalog, givesFew, leavesFew } from './catalogs.ts';
import { expression, NOT_COLUMNS } from './expression.ts';
import { setLength } from './lengths.ts';
import { isKeyByName, type Predicate, predicate } from './predicate.ts';
import { query, type Result } from './query.ts';

interface Item {
  alias: string;
  /** A relation that FOR UPDATE can lock; null for the rest. */
  lock: { name: Name | null; at: Span } | null;
  /** Of a function of the server that tells of its catalogs. */
  catalog?: Name;
  /** Of a sub-query, the relation whose rows it gives; null when it is not known or they are several. */
  of?: Name | null | undefined;
  rows: Exclude<Rows, 'none'>;
  times: number | null;
  atMost?: true;
  /** The body around put all of its rows there. */
  filled?: true;
  /** The parameter that says how many, or the function. */
  given?: Given;
  /** Its one row need not be there. */
  perhaps?: true;
  /** What turns once for each row of it that somebody asks for. */
  lazy?: Loop[] | undefined;
  /** Of one object in a catalog of the server. */
  few?: true;
  /** A function of the repository may give one row or many. */
  sure: boolean;
  /** Columns that are compared with one value, and with columns of other items. */
  columns: Set<string>;
  joined: { column: string; with: Item }[];
  among: { column: string; count: number }[];
}

export type Given = Pick<Loop, 'each' | 'more' | 'gives' | 'of'>;

export interface Tables {
  items: Item[];
  /** Lateral functions and join conditions. */
  perRow: Step[];
  /** How many items stand before the one function that makes all of these; null where others do, too. */
  lateral?: number | null;
  rows: Exclude<Rows, 'none'>;
  times: number | null;
  atMost?: boolean;
  given?: Given | undefined;
  sure: boolean;
  /** What their keys may say of the number of rows; absent where something else than relations gives them. */
  picked?: Picked[];
}

export function noTables(): Tables {
  const items: Item[] = [];
  const perRow: Step[] = [];
  return { items, perRow, rows: 'one', times: 1, sure: true };
}

export function fromItems(r: Reader, from: number, to: number, steps: Step[]): Tables {
  const tables = noTables();
  joined(r, from, to, steps, tables);
  count(tables);
  return tables;
}

export function push(
  tables: Tables,
  item: Omit<Item, 'alias' | 'columns' | 'joined' | 'among'> & { alias?: string },
): void {
  const { alias = '', lock, rows, times, sure } = item;
  const joined: Item['joined'] = [];
  const among: Item['among'] = [];
  const made: Item = { alias, lock, rows, times, sure, columns: new Set(), joined, among };
  if (item.atMost) made.atMost = true;
  if (item.filled) made.filled = true;
  if (item.given) made.given = item.given;
  if (item.perhaps) made.perhaps = true;
  if (item.of !== undefined) made.of = item.of;
  if (item.catalog) made.catalog = item.catalog;
  if (item.lazy) made.lazy = item.lazy;
  tables.items.push(made);
}

/** What a lateral function runs for each row of: the items before it, whatever comes of its own rows. */
export function beforeLateral(tables: Tables): Tables {
  if (typeof tables.lateral !== 'number') return tables;
  const items = tables.items.slice(0, tables.lateral);
  const of = noTables();
  of.items = items.map((item) => ({
    ...item,
    joined: item.joined.filter((other) => items.includes(other.with)),
  }));
  for (const item of of.items)
    item.joined = item.joined.map((other) => ({ ...other, with: of.items[items.indexOf(other.with)]! }));
  of.picked = pickedBy(of.items);
  count(of);
  return of;
}

function count(tables: Tables): void {
  tables.rows = 'one';
  tables.times = 1;
  tables.atMost = false;
  tables.given = undefined;
  let sure = false;
  tables.given = givenBy(tables.items.filter(({ times }) => times !== 1));
  for (const { rows, times, atMost, sure: isSure } of tables.items) {
    tables.times = tables.times === null || times === null ? null : tables.times * times;
    if (atMost) tables.atMost = true;
    if (rows === 'one') continue;
    if (tables.rows !== 'many') tables.rows = rows;
    if (isSure) sure = true;
  }
  tables.sure = sure || tables.rows === 'one';
}

/** The one parameter that says how many; of several tables that each may be the rows of the statement which fired a trigger, all. */
function givenBy([first, ...others]: Item[]): Given | undefined {
  if (first?.times !== null || others.length === 0) return first?.given;
  const all = [first, ...others].map(({ given }) => given?.each);
  return all.every((each) => each?.startsWith(FIRED_ROWS))
    ? { each: FIRED_ROWS + all.map((each) => each!.slice(FIRED_ROWS.length)).join(',') }
    : undefined;
}

/** What the WHERE clause says of how many rows there can be. */
export function narrow(tables: Tables, picks: Predicate | null): void {
  if (picks?.none) tables.items.forEach(once);
  else if (picks?.current && tables.items[0]) once(tables.items[0]);
  compare(tables.items, picks, tables.items);
  byNames(tables.items);
  byCatalogs(tables.items, picks?.keys ?? []);
  tables.picked = picks?.none ? undefined : pickedBy(tables.items);
  count(tables);
}

/** A relation, and what a query or a function gives of which nobody knows that it is one row. */
export const mayLack = ({ lock, rows, times, atMost, perhaps }: Item): boolean =>
  lock !== null || rows !== 'one' || times !== 1 || atMost === true || perhaps === true;

function once(item: Item): void {
  item.rows = 'one';
  item.times = 1;
}

/** Notes for items of `narrowed` which of their columns are given. */
function compare(items: Item[], picks: Predicate | null, narrowed: Item[]): void {
  if (!picks || picks.equals.length === 0) return;
  const relations = items.filter((item) => item.lock);
  const find = (alias: string) =>
    alias === '' ? (items.length === 1 ? items[0] : undefined) : items.find((item) => item.alias === alias);
  for (const { alias, column, to, among } of picks.equals) {
    const item = find(alias) ?? (alias === '' && relations.length === 1 ? relations[0] : undefined);
    if (!item || !narrowed.includes(item)) continue;
    const other = to && find(to.alias);
    if (among !== undefined) item.among.push({ column, count: among });
    else if (!to) item.columns.add(column);
    else if (other && other !== item) item.joined.push({ column, with: other });
  }
}

const isNamed = ({ lock, columns }: Pick<Item, 'lock' | 'columns'>) =>
  lock?.name && [...columns].some((column) => isKeyByName(column, lock.name!));

/** Items that are one row each as far as the names of their columns tell; a row that is one makes others one. */
function byNames(items: Item[]): void {
  const one = (item: Item) =>
    isNamed(item) ||
    item.joined.some(
      (other) => other.with.rows === 'one' && item.lock?.name && isKeyByName(other.column, item.lock.name),
    );
  for (let again = true; again; ) {
    again = false;
    for (const item of items)
      if (item.rows !== 'one' && one(item)) {
        once(item);
        again = true;
      }
  }
}

/** Items that are a few rows of a catalog, by what they are compared with or by others that are few. */
function byCatalogs(items: Item[], keys: string[]): void {
  const few = ({ lock, catalog, columns, among, joined }: Item) => {
    const leaves = (column: string) => lock?.name && leavesFew(column, lock.name);
    return (
      givesFew(catalog, keys) ||
      [...columns].some(leaves) ||
      among.some(({ column }) => leaves(column)) ||
      joined.some((other) => (other.with.few || other.with.rows === 'one') && leaves(other.column))
    );
  };
  for (let again = true; again; ) {
    again = false;
    for (const item of items)
      if (!item.few && few(item)) {
        item.few = true;
        again = true;
      }
  }
}

const nameIt = (one: Item['among'][number], relation: Name) =>
  isKeyByName(one.column, relation) ? { ...one, named: true as const } : one;

/** Whether it says anything of how many rows there are. */
export const narrows = ({ columns, joined, among, few }: Picked): boolean =>
  columns.length > 0 || joined !== undefined || among !== undefined || few === true;

/** What a query gives no more than so many rows of, each for rows of a relation that it is joined with. */
const isCounted = (item: Item, relations: Item[]): boolean =>
  item.times !== null && relations.some(({ joined }) => joined.some((other) => other.with === item));

const nameOf = ({ lock, catalog }: Item): Name | null | undefined => (lock ? lock.name : catalog);

function pickedBy(items: Item[]): Picked[] | undefined {
  const relations = items.filter((item) => item.lock || item.catalog);
  if (relations.every(({ filled }) => filled) || relations.some((item) => !nameOf(item))) return undefined;
  const isKnown = (item: Item) => item.rows === 'one' || isCounted(item, relations);
  if (!items.every((item) => item.lock || item.catalog || isKnown(item))) return undefined;
  return relations.map((item) => {
    const { lock, columns, joined, few } = item;
    const among = [...item.among];
    const relation = nameOf(item)!;
    const others = joined.flatMap((other) => {
      const index = relations.indexOf(other.with);
      // One row of something else, or so many.
      if (index < 0 && other.with.rows === 'one') columns.add(other.column);
      else if (index < 0) among.push({ column: other.column, count: other.with.times! });
      const named = isKeyByName(other.column, relation) && { named: true as const };
      return index < 0 ? [] : [{ column: other.column, with: index, ...named }];
    });
    return {
      relation,
      columns: [...columns],
      ...(others.length > 0 && { joined: others }),
      ...(among.length > 0 && { among: among.map((one) => nameIt(one, relation)) }),
      ...(isNamed({ lock, columns }) && { named: true as const }),
      ...(few && { few }),
    };
  });
}

/** Joins in brackets in brackets; what lies below is not read. */
const DEEPEST = 100;

const JOINS = new Set(['inner', 'left', 'right', 'full', 'cross', 'natural', 'join']);

function isJoin(r: Reader, i: number, to: number): boolean {
  const w = word(r, i, to);
  if (!JOINS.has(w) || isLabel(r, i)) return false;
  return w === 'join' || mark(r, i + 1, to) !== '('; // left(…) is a function
}

function joined(r: Reader, from: number, to: number, steps: Step[], tables: Tables): void {
  let i = from;
  let outer = '';
  while (i < to) {
    const start = i;
    i = fromItem(r, i, to, steps, tables);
    while (i < to) {
      if (mark(r, i) === ',') {
        i++;
        break;
      }
      if (isJoin(r, i, to)) {
        outer = '';
        for (; i < to && (JOINS.has(word(r, i)) || word(r, i) === 'outer'); i++)
          if (OUTER.has(word(r, i))) outer = word(r, i);
        break;
      }
      if (word(r, i) === 'on') i = joinCondition(r, i + 1, to, tables, outer);
      else if (word(r, i) === 'using' && mark(r, i + 1) === '(') i = joinUsing(r, i + 1, to, tables, outer);
      else if (word(r, i) === 'tablesample' || word(r, i) === 'repeatable') i = sample(r, i, to, steps);
      else if (mark(r, i) === '(') i = past(r, i, to);
      else i++; // an alias and such
    }
    if (i === start) i++;
  }
}

/** TABLESAMPLE method (arguments), REPEATABLE (seed): computed once. */
function sample(r: Reader, from: number, to: number, steps: Step[]): number {
  const open = word(r, from) === 'repeatable' ? from + 1 : (nameAt(r, from + 1, to)?.next ?? to);
  if (mark(r, open, to) !== '(') return from + 1;
  expression(r, open + 1, Math.min(r.closes[open]!, to), { once: steps, row: steps });
  return past(r, open, to);
}

/** Joins that keep rows which the condition does not hold for. */
const OUTER = new Set(['left', 'right', 'full']);

/** Which items a join's condition narrows: of LEFT JOIN the right one, of RIGHT and FULL none. */
function narrowedBy(outer: string, items: Item[]): Item[] {
  return outer === '' ? items : outer === 'left' ? items.slice(-1) : [];
}

/** USING (a, b): the last item's columns are those of the one before it. */
function joinUsing(r: Reader, open: number, to: number, { items }: Tables, outer: string): number {
  const [left, right] = items.slice(-2);
  if (left && right)
    for (const [a, b] of split(r, open + 1, Math.min(r.closes[open]!, to))) {
      const column = nameAt(r, a, b)?.parts[0];
      const narrowed = narrowedBy(outer, items);
      if (column && narrowed.includes(right)) right.joined.push({ column, with: left });
      if (column && narrowed.includes(left)) left.joined.push({ column, with: right });
    }
  return past(r, open, to);
}

function joinCondition(r: Reader, from: number, to: number, tables: Tables, outer: string): number {
  let end = from;
  while (end < to && mark(r, end) !== ',' && !isJoin(r, end, to) && word(r, end) !== 'on')
    end = mark(r, end) === '(' || mark(r, end) === '[' ? past(r, end, to) : end + 1;
  const before = tables.perRow.length;
  expression(r, from, end, { once: tables.perRow, row: tables.perRow });
  if (tables.perRow.length > before) tables.lateral = null;
  if (outer !== 'right' && outer !== 'full')
    compare(tables.items, predicate(r, from, end), narrowedBy(outer, tables.items));
  return end;
}

/** One table, sub-query, function or bracketed join; returns the index after it and its alias. */
function fromItem(r: Reader, from: number, to: number, steps: Step[], tables: Tables): number {
  let i = from;
  const lateral = word(r, i) === 'lateral';
  if (lateral) i++;
  if (word(r, i) === 'only') i++;
  if (isWords(r, i, 'rows', 'from') && mark(r, i + 2) === '(') {
    const close = Math.min(r.closes[i + 2]!, to);
    const first = tables.items.length;
    for (const [a, b] of split(r, i + 3, close)) fromFunction(r, a, b, steps, tables);
    // They stand beside each other, and the longest says how many rows there are.
    if (tables.items.length > first) tables.items.push(tables.items.splice(first).reduce(longer));
    if (tables.lateral) tables.lateral = null;
    return alias(r, close + 1, to, tables);
  }
  if (mark(r, i) === '(') {
    const close = Math.min(r.closes[i]!, to);
    if (!startsQuery(r, i + 1, close)) {
      r.joins++;
      if (r.joins < DEEPEST) joined(r, i + 1, close, steps, tables);
      r.joins--;
      return Math.min(close + 1, to);
    }
    const inner = query(r, i + 1, close);
    const depends = lateral && tables.items.length > 0 && refersToColumns(r, i + 1, close);
    for (const step of inner.steps) (depends ? tables.perRow : steps).push(step);
    if (depends) tables.lateral = null;
    const { rows, times, lazy } = inner;
    const of = relationOf(inner.steps);
    push(tables, { lock: null, of, rows, times, lazy, ...few(inner), sure: true });
    return alias(r, close + 1, to, tables);
  }
  const name = nameAt(r, i, to);
  if (!name) return Math.min(i + 1, to);
  if (mark(r, name.next, to) === '(') {
    fromFunction(r, i, past(r, name.next, to), steps, tables);
    return alias(r, past(r, name.next, to), to, tables);
  }
  fromRelation(r, name, steps, tables);
  i = name.next;
  if (mark(r, i, to) === '*') i++;
  return alias(r, i, to, tables, name.parts[name.parts.length - 1]);
}

function relationOf(steps: Step[]): Name | null | undefined {
  const [read, ...others] = steps.filter((step) => step.kind === 'read');
  return others.length > 0 ? null : read?.relation;
}

const longer = (a: Item, b: Item) => (a.times !== null && (b.times ?? a.times + 1) > a.times ? b : a);

const few = ({ atMost, perhaps }: Pick<Result, 'atMost' | 'perhaps'>) => ({
  ...(atMost && { atMost }),
  ...(perhaps && { perhaps }),
});

function fromRelation(r: Reader, name: Named, steps: Step[], tables: Tables): void {
  const key = name.parts.join('.');
  const cte = name.parts.length === 1 ? r.ctes.get(key) : undefined;
  const place = at(r, name.from, name.next);
  if (cte) {
    const { rows, times, lazy } = cte;
    push(tables, { alias: key, lock: null, rows, times, lazy, ...few(cte), sure: true });
    return;
  }
  steps.push({ kind: 'read', at: place, relation: name.name, rows: 'unknown' });
  const filled = name.parts.length === 1 ? r.scope.values?.filled?.(key) : null;
  const given = filled ? { ...filled, filled: true as const } : { times: null, ...fired(r, name) };
  push(tables, { lock: { name: name.name, at: place }, rows: 'many', sure: true, ...given });
}

const fired = (r: Reader, { parts }: Named): { given?: Given } =>
  r.scope.values?.fired && parts.length === 1 && /^[a-z_]\w*$/.test(parts[0]!)
    ? { given: { each: FIRED_ROWS + parts[0] } }
    : {};

function fromFunction(r: Reader, from: number, to: number, steps: Step[], tables: Tables): void {
  const name = nameAt(r, from, to);
  const open = name?.next ?? from;
  // LATERAL is a noise word here: the function is called again where its arguments are columns.
  const depends = tables.items.length > 0 && refersToColumns(r, open + 1, Math.min(r.closes[open] ?? to, to));
  const into = depends ? tables.perRow : steps;
  if (depends) tables.lateral = tables.lateral === undefined ? tables.items.length : null;
  expression(r, from, to, { once: into, row: into });
  const last = name?.parts[name.parts.length - 1] ?? '';
  const { times, atMost, ...given } = setLength(r, from, to);
  const known = givesRows(last);
  const catalog = asCatalog(last);
  const scalar = !known && isBuiltin(last) && (name?.parts.length ?? 0) === 1;
  push(tables, {
    lock: null,
    ...(catalog && { catalog }),
    rows: scalar || times === 1 ? 'one' : known ? 'many' : 'unknown',
    times: scalar ? 1 : times,
    ...(atMost && !scalar && { atMost }),
    ...((given.each || given.of) && { given }),
    ...(!known && !scalar && name?.name && { given: { gives: name.name } }),
    sure: known || scalar,
  });
}

function refersToColumns(r: Reader, from: number, to: number): boolean {
  const level = r.levels[r.levels.length - 1];
  for (let i = from; i < to; i++) {
    const token = r.tokens[i]!;
    if (token.kind !== 'word' || mark(r, i + 1) === '(' || isLabel(r, i)) continue;
    if (mark(r, i + 1) === '.') {
      if (level?.aliases.has(token.text)) return true;
    } else if (
      !NOT_COLUMNS.has(token.text) &&
      !r.scope.variables?.has(token.text) &&
      r.tokens[i - 1]?.text !== '::'
    )
      return true;
  }
  return false;
}

/** Reads `[AS] alias [(columns)]` and gives it to the item last added. */
function alias(r: Reader, from: number, to: number, tables: Tables, own = ''): number {
  const item = tables.items[tables.items.length - 1];
  const level = r.levels[r.levels.length - 1]!;
  let i = from;
  if (isWords(r, i, 'with', 'ordinality')) i += 2;
  let name = own;
  const hasAs = word(r, i, to) === 'as';
  if (hasAs) i++;
  const token = i < to ? r.tokens[i] : undefined;
  if (token?.kind === 'word' && (hasAs || token.quoted || !AFTER_ITEM.has(token.text))) {
    const named = nameAt(r, i, i + 1);
    name = named?.parts[0] ?? own;
    i++;
  }
  if (mark(r, i, to) === '(') i = past(r, i, to);
  if (item && name) item.alias = name;
  if (name) level.aliases.set(name, item?.lock?.name ?? null);
  return i;
}

const AFTER_ITEM = new Set([
  ...JOINS,
  'on',
  'using',
  'tablesample',
  'set',
  'where',
  'returning',
  'outer',
  'with',
  'when',
  'for',
]);

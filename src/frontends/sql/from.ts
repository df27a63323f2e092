// Reads a FROM clause: relations, sub-queries, functions, joins, and how many rows they may give.
import type { Name, Rows, Span, Step } from '../../ir.ts';
import { givesRows, isBuiltin } from './builtins.ts';
import { expression, NOT_COLUMNS } from './expression.ts';
import type { Predicate } from './predicate.ts';
import { isLabel, query, startsQuery } from './query.ts';
import { at, isWords, mark, type Named, nameAt, past, type Reader, split, word } from './reader.ts';

interface Item {
  alias: string;
  /** A relation that FOR UPDATE can lock; null for the rest. */
  lock: { name: Name | null; at: Span } | null;
  rows: Exclude<Rows, 'none'>;
  times: number | null;
  /** A function of the repository may give one row or many. */
  sure: boolean;
}

export interface Tables {
  items: Item[];
  /** Lateral functions and join conditions. */
  perRow: Step[];
  rows: Exclude<Rows, 'none'>;
  times: number | null;
  sure: boolean;
}

export const noTables = (): Tables => ({ items: [], perRow: [], rows: 'one', times: 1, sure: true });

export function fromItems(r: Reader, from: number, to: number, steps: Step[]): Tables {
  const tables = noTables();
  joined(r, from, to, steps, tables);
  count(tables);
  return tables;
}

function count(tables: Tables): void {
  const many = tables.items.filter((item) => item.rows !== 'one');
  tables.rows = many.length === 0 ? 'one' : many.some((item) => item.rows === 'many') ? 'many' : 'unknown';
  tables.times = tables.items.reduce<number | null>(
    (product, item) => (product === null || item.times === null ? null : product * item.times),
    1,
  );
  tables.sure = many.length === 0 || many.some((item) => item.sure);
}

/** What the WHERE clause says of how many rows there can be. */
export function narrow(tables: Tables, picks: Predicate | null): void {
  if (!picks) return;
  for (const key of picks.unique)
    for (const item of tables.items)
      if (
        item.lock &&
        (key.alias === item.alias || (key.alias === '' && tables.items.length === 1)) &&
        key.fits(item.lock.name)
      ) {
        item.rows = 'one';
        item.times = 1;
      }
  count(tables);
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
  while (i < to) {
    const start = i;
    i = fromItem(r, i, to, steps, tables);
    while (i < to) {
      if (mark(r, i) === ',') {
        i++;
        break;
      }
      if (isJoin(r, i, to)) {
        while (i < to && (JOINS.has(word(r, i)) || word(r, i) === 'outer')) i++;
        break;
      }
      if (word(r, i) === 'on') i = joinCondition(r, i + 1, to, tables);
      else if (mark(r, i) === '(') i = past(r, i, to);
      else i++; // an alias, USING, TABLESAMPLE and such
    }
    if (i === start) i++;
  }
}

function joinCondition(r: Reader, from: number, to: number, tables: Tables): number {
  let end = from;
  while (end < to && mark(r, end) !== ',' && !isJoin(r, end, to) && word(r, end) !== 'on')
    end = mark(r, end) === '(' || mark(r, end) === '[' ? past(r, end, to) : end + 1;
  expression(r, from, end, { once: tables.perRow, row: tables.perRow });
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
    for (const [a, b] of split(r, i + 3, close)) fromFunction(r, a, b, lateral, steps, tables);
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
    const others = tables.items.length > 0;
    for (const step of inner.steps) (lateral && others ? tables.perRow : steps).push(step);
    tables.items.push({ alias: '', lock: null, rows: inner.rows, times: inner.times, sure: true });
    return alias(r, close + 1, to, tables);
  }
  const name = nameAt(r, i, to);
  if (!name) return Math.min(i + 1, to);
  if (mark(r, name.next, to) === '(') {
    fromFunction(r, i, past(r, name.next, to), lateral, steps, tables);
    return alias(r, past(r, name.next, to), to, tables);
  }
  fromRelation(r, name, steps, tables);
  i = name.next;
  if (mark(r, i, to) === '*') i++;
  return alias(r, i, to, tables, name.parts[name.parts.length - 1]);
}

function fromRelation(r: Reader, name: Named, steps: Step[], tables: Tables): void {
  const key = name.parts.join('.');
  const cte = name.parts.length === 1 ? r.ctes.get(key) : undefined;
  const place = at(r, name.from, name.next);
  if (cte) {
    tables.items.push({ alias: key, lock: null, rows: cte, times: cte === 'one' ? 1 : null, sure: true });
    return;
  }
  steps.push({ kind: 'read', at: place, relation: name.name, rows: 'unknown' });
  tables.items.push({
    alias: '',
    lock: { name: name.name, at: place },
    rows: 'many',
    times: null,
    sure: true,
  });
}

function fromFunction(
  r: Reader,
  from: number,
  to: number,
  lateral: boolean,
  steps: Step[],
  tables: Tables,
): void {
  const name = nameAt(r, from, to);
  const open = name?.next ?? from;
  const depends =
    tables.items.length > 0 && (lateral || refersToColumns(r, open + 1, Math.min(r.closes[open] ?? to, to)));
  const into = depends ? tables.perRow : steps;
  expression(r, from, to, { once: into, row: into });
  const last = name?.parts[name.parts.length - 1] ?? '';
  const times = last === 'generate_series' ? seriesLength(r, open) : null;
  const known = givesRows(last);
  const scalar = !known && isBuiltin(last) && (name?.parts.length ?? 0) === 1;
  tables.items.push({
    alias: '',
    lock: null,
    rows: scalar || times === 1 ? 'one' : known ? 'many' : 'unknown',
    times: scalar ? 1 : times,
    sure: known || scalar,
  });
}

/** generate_series(1, 100) from literals. */
function seriesLength(r: Reader, open: number): number | null {
  const args = split(r, open + 1, r.closes[open]!);
  const numbers = args.map(([a, b]) =>
    b === a + 1 && r.tokens[a]!.kind === 'number' ? Number(r.tokens[a]!.text) : Number.NaN,
  );
  if (numbers.length < 2 || numbers.some((n) => !Number.isInteger(n))) return null;
  const step = numbers[2] ?? 1;
  return step === 0 ? null : Math.max(0, Math.floor((numbers[1]! - numbers[0]!) / step) + 1);
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
  if (name) level.aliases.add(name);
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

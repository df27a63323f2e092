// Reads a WHERE clause for what picks its rows: keys that name the row, and whether there can be only one.

import { keysOfPlatforms } from '../../../frameworks/platforms.ts';
import { FIRED_ROW, type Name } from '../../../ir.ts';
import { isBuiltin } from '../text/builtins.ts';
import { type Clause, clauseOf, clauses, startsQuery } from '../text/clauses.ts';
import { HOLE, identifier } from '../text/lexer.ts';
import { isNamePart, isWords, mark, type Named, nameAt, type Reader, split, word } from '../text/reader.ts';
import { CASE, EQUALS, LOGIC, OPENS } from '../text/sorts.ts';
import { arrayLength } from './lengths.ts';
import { limitOf } from './limits.ts';

export interface Predicate {
  /** `id=1`, `id=v_id`, `r`: what two statements that speak of the same row have in common. */
  keys: string[];
  /** Columns that are compared with one value, or with a column of another relation. */
  equals: Equal[];
  /** WHERE CURRENT OF. */
  current: boolean;
  /** `WHERE false`: nothing runs for any row. */
  none: boolean;
}

interface Equal {
  alias: string;
  column: string;
  /** IN and ANY: how many values there are. */
  among: number | undefined;
  to: { alias: string; column: string } | undefined;
  /** Where the value stands, if functions are called for it that are not the server's. */
  called?: { from: number; to: number };
}

/** Columns that say one row by their name in nearly every schema. */
const KEYS = new Set(['id', 'uuid', 'guid', 'ctid', 'pk', '"ID"', '"Id"']);

export function predicate(r: Reader, from: number, to: number): Predicate {
  const result: Predicate = { keys: [], equals: [], current: false, none: false };
  if (word(r, from) === 'current' && word(r, from + 1) === 'of') {
    const cursor = nameAt(r, from + 2, to);
    if (cursor?.parts[0]) result.keys.push(cursor.parts[0]);
    result.current = true;
    return result;
  }
  let alternatives = false;
  let start = from;
  for (let i = from; i < to; i++) {
    const { sorts, text } = r.tokens[i]!;
    if ((sorts & OPENS) !== 0) i = r.closes[i]!;
    else if ((sorts & LOGIC) !== 0) {
      if (text === 'or') alternatives = true;
      conjunct(r, start, i, result);
      start = i + 1;
    }
  }
  conjunct(r, start, to, result);
  if (alternatives) {
    result.equals = [];
    result.none = false;
  }
  result.keys = [...new Set(result.keys)];
  return result;
}

/** `column = value`, or the other way round; other conditions only give the variables they name. */
function conjunct(r: Reader, from: number, to: number, result: Predicate): void {
  while (mark(r, from) === '(' && r.closes[from] === to - 1) {
    from++;
    to--;
  }
  if (from === to - 1 && word(r, from) === 'false') result.none = true;
  let equals = -1;
  for (let i = from; i < to && equals < 0; i++) {
    const { sorts } = r.tokens[i]!;
    if ((sorts & OPENS) !== 0) i = r.closes[i]!;
    else if ((sorts & EQUALS) !== 0) equals = i;
  }
  if (equals < 0) {
    isIn(r, from, to, result);
    return;
  }
  // `WHERE 1 = 0`
  const [left, right] = [r.tokens[equals - 1], r.tokens[equals + 1]];
  if (from === equals - 1 && to === equals + 2 && left?.kind === 'number' && right?.kind === 'number')
    if (Math.abs(Number(left.text) - Number(right.text)) > 0) result.none = true;
  if (rowsOf(r, from, equals, to, result)) return;
  const quantified = word(r, equals + 1) === 'any' || word(r, equals + 1) === 'some';
  if (quantified && mark(r, equals + 2) === '(' && r.closes[equals + 2] === to - 1) {
    const column = nameAt(r, from, equals);
    if (column?.next !== equals) return;
    among(r, column, ofArray(r, equals + 3, to - 1), result);
    const array = isVariable(r, column.parts) ? null : operand(r, equals + 3, to - 1);
    if (array?.variable) result.keys.push(`${column.parts.at(-1)}=${array.text}[]`, array.variable);
    return;
  }
  if (!equality(r, from, equals, equals + 1, to, result)) equality(r, equals + 1, to, from, equals, result);
}

/** `(a, b) = (1, 2)`: each of them is what stands in its place. */
function rowsOf(r: Reader, from: number, equals: number, to: number, result: Predicate): boolean {
  if (mark(r, from) !== '(' || r.closes[from] !== equals - 1) return false;
  if (mark(r, equals + 1) !== '(' || r.closes[equals + 1] !== to - 1) return false;
  const [left, right] = [split(r, from + 1, equals - 1), split(r, equals + 2, to - 1)];
  if (left.length < 2 || left.length !== right.length) return false;
  for (const [k, [a, b]] of left.entries())
    if (!equality(r, a, b, ...right[k]!, result)) equality(r, ...right[k]!, a, b, result);
  return true;
}

/** `column IN (1, 2, 3)`, `column IN (SELECT … LIMIT 3)` */
function isIn(r: Reader, from: number, to: number, result: Predicate): void {
  const column = nameAt(r, from, to);
  if (!column || word(r, column.next) !== 'in') return;
  const open = column.next + 1;
  if (mark(r, open) !== '(' || r.closes[open] !== to - 1) return;
  if (startsQuery(r, open + 1, to - 1)) {
    among(r, column, limited(r, open + 1, to - 1), result);
    return;
  }
  const values = split(r, open + 1, to - 1);
  if (column.name && !isVariable(r, column.parts)) {
    const name = column.parts[column.parts.length - 1]!;
    const variables = values.flatMap(([a, b]) => operand(r, a, b)).filter((value) => value?.variable);
    result.keys.push(...variables.map((value) => `${name}=${value!.text}`));
  }
  // What a driver puts in may be several.
  const written = ['string', 'number'];
  if (values.every(([a, b]) => operand(r, a, b)?.text && written.includes(r.tokens[a]!.kind)))
    among(r, column, values.length, result);
}

/** These keys, and those of them of which the loops around change nothing. */
export function picking(r: Reader, keys: string[]): { keys: string[]; same?: string[] } {
  const isGiven = r.scope.same;
  const same = isGiven
    ? keys.filter((key) => key.includes('=') && (isLiteral(valueIn(key)) || isGiven(valueIn(key))))
    : [];
  return { keys, ...(same.length > 0 && { same }) };
}

export const valueIn = (key: string) => key.slice(key.indexOf('=') + 1);

/** `7`, `-1`, `'new'`, `true` */
export const isLiteral = (value: string): boolean => /^(?:[-+]?\d|'|true$|false$)/.test(value);

function among(r: Reader, column: Named, count: number | null, result: Predicate): void {
  if (!column.name || isVariable(r, column.parts) || count === null) return;
  const name = column.parts[column.parts.length - 1]!;
  result.equals.push({ alias: aliasOf(column.parts), column: name, among: count, to: undefined });
}

/** `= ANY (ARRAY[1, 2, 3])`, `= ANY (SELECT … LIMIT 3)`, `= ANY (ARRAY(SELECT … LIMIT 3))`. */
function ofArray(r: Reader, from: number, to: number): number | null {
  if (startsQuery(r, from, to)) return limited(r, from, to);
  const query = word(r, from) === 'array' && mark(r, from + 1) === '(' && r.closes[from + 1] === to - 1;
  return query ? limited(r, from + 2, to - 1) : arrayLength(r, from, to);
}

/**
 * How many rows a query lets through that is the same for each row: it names nothing of the query around. One that locks them
 * may give others when a join runs it again, which is rare.
 */
function limited(r: Reader, from: number, to: number): number | null {
  const around = r.levels[r.levels.length - 1]?.aliases;
  for (let i = from; i + 1 < to; i++)
    if (mark(r, i + 1) === '.' && around?.has(identifier(r.tokens[i]!))) return null;
  if (word(r, from) !== 'select') return null;
  const parts = clauses(r, from + 1, to, PARTS);
  return limitOf(r, parts) ?? rowsOfCte(r, parts);
}

const PARTS = new Set(
  'from where group having order limit offset fetch for union intersect except'.split(' '),
);

/** Of one common table expression and nothing else. */
function rowsOfCte(r: Reader, parts: Clause[]): number | null {
  const from = clauseOf(parts, 'from');
  const name = from && nameAt(r, from.from, from.to);
  const isAlone = name && name.parts.length === 1 && from.to <= name.next + 2 && mark(r, name.next) !== ',';
  if (!isAlone || parts.some((part) => SETS.has(part.word))) return null;
  return r.ctes.get(name.parts[0]!)?.times ?? null;
}

const SETS = new Set(['union', 'intersect', 'except']);

function equality(r: Reader, a: number, b: number, c: number, d: number, result: Predicate): boolean {
  const plain = nameAt(r, a, b);
  const made = plain?.next === b ? null : computedColumn(r, a, b);
  const column = made ?? plain;
  if (!column?.name || (!made && column.next !== b) || isVariable(r, column.parts)) return false;
  const beside = made && computedColumn(r, c, d);
  if (beside && !isVariable(r, beside.parts)) return false;
  const value = operand(r, c, d);
  const name = column.parts[column.parts.length - 1]!;
  const alias = aliasOf(column.parts);
  if (!value) {
    const other = nameAt(r, c, d);
    if (!other?.name || other.next !== d || alias === '' || other.parts.length < 2) return false;
    const to = { alias: aliasOf(other.parts), column: other.parts[other.parts.length - 1]! };
    result.equals.push({ alias, column: name, among: undefined, to });
    result.equals.push({
      alias: to.alias,
      column: to.column,
      among: undefined,
      to: { alias, column: name },
    });
    return true;
  }
  const joined = joinedKey(r, name, c, d);
  if (joined) result.keys.push(joined);
  else if (value.text) result.keys.push(`${name}=${value.text}`);
  if (value.variable) result.keys.push(value.variable);
  const equal: Equal = { alias, column: name, among: undefined, to: undefined };
  if (value.text === '' && callsOthers(r, c, d)) equal.called = { from: c, to: d };
  result.equals.push(equal);
  return true;
}

/** `lower(email)`, `lower((u.email)::text)`: what a function makes of one column, called as an index on it is; casts do not matter. */
export function computedColumn(r: Reader, from: number, to: number): Named | null {
  const called = nameAt(r, from, to);
  if (called?.parts.length !== 1 || mark(r, called.next, to) !== '(' || r.closes[called.next] !== to - 1)
    return null;
  let [a, b] = [called.next + 1, to - 1];
  while (mark(r, b - 2) === '::') b -= 2;
  while (mark(r, a) === '(' && r.closes[a] === b - 1) [a, b] = [a + 1, b - 1];
  const column = nameAt(r, a, b);
  if (!column?.name || column.next !== b) return null;
  const own = column.parts[column.parts.length - 1]!;
  return { ...column, parts: [...column.parts.slice(0, -1), `${called.parts[0]}(${own})`] };
}

/** `key = 'shop_' || name`: who names another makes another of it, so it is said as a column of its own, `'shop_'||key=name`. */
export function joinedKey(r: Reader, column: string, from: number, to: number): string | null {
  const [first, last] = [r.tokens[from], r.tokens[to - 1]];
  const isBefore = first?.kind === 'string' && mark(r, from + 1) === '||';
  const isBehind = last?.kind === 'string' && mark(r, to - 2) === '||';
  if (isBefore === isBehind) return null;
  const constant = isBefore ? first!.text : last!.text;
  if (constant.includes('=') || constant.includes(HOLE)) return null;
  const value = single(r, isBefore ? from + 2 : from, isBefore ? to : to - 2);
  if (!value?.variable) return null;
  return isBefore ? `${constant}||${column}=${value.text}` : `${column}||${constant}=${value.text}`;
}

/** Outside of sub-queries, which run once. */
function callsOthers(r: Reader, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (mark(r, i) === '(' && startsQuery(r, i + 1, to)) i = r.closes[i]!;
    const name = nameAt(r, i, to);
    if (!name) continue;
    const [first, own = first] = name.parts;
    const isServers = first === 'pg_catalog' ? isBuiltin(own!) : name.parts.length === 1 && isBuiltin(first!);
    if (name.name && mark(r, name.next, to) === '(' && !isServers) return true;
    i = name.next - 1;
  }
  return false;
}

const aliasOf = (parts: string[]) => (parts.length > 1 ? parts[parts.length - 2]! : '');

/** Whether a column says one row by its name, in most schemas. */
export function isKeyByName(column: string, relation: Name): boolean {
  if (keysOfPlatforms.get(relation)?.includes(column)) return true;
  return KEYS.has(column) || (column.endsWith('_id') && isKeyOf(column.slice(0, -3), relation));
}

/** order_id of orders, category_id of categories. */
function isKeyOf(stem: string, relation: Name): boolean {
  const table = relation.slice(relation.lastIndexOf('.') + 1).replace(/^sql:/, '');
  return (
    table === stem ||
    table === `${stem}s` ||
    table === `${stem}es` ||
    table === `${stem.replace(/y$/, '')}ies`
  );
}

function isVariable(r: Reader, parts: string[]): boolean {
  const first = parts[0]!;
  if (parts.length > 1 && (first === 'new' || first === 'old' || first === 'excluded'))
    return first !== 'excluded';
  return r.scope.variables?.has(first) ?? false;
}

interface Value {
  text: string;
  variable?: string;
}

/** One value that is no column: a literal, a parameter, a variable, a sub-query, a call, or what is computed of such; casts do not matter. */
export function operand(r: Reader, from: number, to: number, depth = 0): Value | null {
  let end = to;
  while (end - 2 > from && mark(r, end - 2) === '::') end -= 2;
  while (mark(r, from) === '(' && r.closes[from] === end - 1 && word(r, from + 1) !== 'select') {
    from++;
    end--;
  }
  if (from >= end) return null;
  if ((r.tokens[from]!.sorts & CASE) !== 0) return isChosen(r, from, end) ? { text: '' } : null;
  return single(r, from, end) ?? (depth < DEEPEST ? computed(r, from, end, depth + 1) : null);
}

/** Brackets within brackets of what is computed; nobody picks a row by more. */
const DEEPEST = 20;

function single(r: Reader, from: number, end: number): Value | null {
  const token = r.tokens[from]!;
  if (end === from + 1) {
    if (token.kind === 'string' && token.text.includes(HOLE))
      return { text: WHOLE.test(token.text) ? (putAt(r, token.start + 1) ?? '?') : '' };
    if (token.kind === 'string' || token.kind === 'number') return { text: token.text };
    if (token.kind === 'parameter') return { text: putAt(r, token.start) ?? token.text };
    if (token.kind === 'variable') return { text: token.text };
    if (token.kind === 'operator' && token.text === '?') return { text: putAt(r, token.start) ?? '?' };
  }
  if (mark(r, from) === '(') return r.closes[from] === end - 1 ? { text: '' } : null;
  // `date '2026-01-01'`, `interval '1 day'`
  if (end === from + 2 && token.kind === 'word' && r.tokens[from + 1]!.kind === 'string')
    return { text: wordsOf(r, from, end) };
  const name = nameAt(r, from, end);
  if (!name) return null;
  if (name.name === null) return { text: putAt(r, token.start) ?? '?' };
  if (mark(r, name.next, end) === '(') {
    const last = word(r, from);
    return last === 'any' || last === 'all' || last === 'some' || r.closes[name.next] !== end - 1
      ? null
      : { text: '' };
  }
  if (!isNamePart(token)) return null;
  let next = name.next;
  if (isVariable(r, name.parts)) {
    while (mark(r, next, end) === '[') next = r.closes[next]! + 1;
    if (next !== end) return null;
    const [first] = name.parts as [string];
    const text = wordsOf(r, from, end);
    if (first !== 'new' || r.scope.variables?.has('new')) {
      const variable = r.scope.called?.(first) ?? first;
      return { text: variable + text.slice(first.length), variable };
    }
    return { text: FIRED_ROW + text.slice('new'.length), variable: FIRED_ROW };
  }
  return next === end && !token.quoted && SAYS_ITSELF.has(token.text) ? { text: token.text } : null;
}

/** Words that are a value, the same in all of a transaction. */
const SAYS_ITSELF = new Set(
  `true false current_date current_time current_timestamp localtime localtimestamp current_user session_user
   current_role`.split(/\s+/),
);

/** All of it is put in. */
const WHOLE = new RegExp(`^'${HOLE}+'$`);

/** What a program puts there. */
const putAt = (r: Reader, at: number): string | undefined => r.source.value?.(at) ?? r.scope.bind?.(at);

/** `v + 1`, `-v`, `code || '-' || v`: what stands between operators is one value each. */
function computed(r: Reader, from: number, to: number, depth: number): Value | null {
  let text = '';
  let known = true;
  for (let start = from, i = from; i <= to; i++) {
    const token = i < to ? r.tokens[i] : undefined;
    if (token && (token.sorts & OPENS) !== 0) i = r.closes[i]!;
    const zone = token !== undefined && isWords(r, i, 'at', 'time', 'zone');
    if (token && !zone && (token.kind !== 'operator' || NO_OPERATORS.has(token.text))) continue;
    if (start === from && i >= to) return null;
    const part = i > start ? operand(r, start, Math.min(i, to), depth) : null;
    if (!part && (i > start || i >= to)) return null;
    if (part?.text === '' || part?.text === '?') known = false;
    text += (part?.text ?? '') + (token?.text ?? '');
    if (zone) i += 2;
    start = i + 1;
  }
  return { text: known ? `(${text})` : '' };
}

/** What a variable is called that the statement sets. */
export const setBy = (r: Reader) => (name: string) => r.scope.next?.(name) ?? name;

/** CASE … END over values alone. */
function isChosen(r: Reader, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const { kind, text, sorts } = r.tokens[i]!;
    if ((sorts & OPENS) !== 0) i = r.closes[i]!;
    if (kind !== 'word' || CASE_WORDS.has(text)) continue;
    const name = nameAt(r, i, to);
    if (!name || !(isVariable(r, name.parts) || mark(r, name.next, to) === '(')) return false;
    i = name.next - 1;
  }
  return word(r, to - 1) === 'end';
}

const CASE_WORDS = new Set(
  'case when then else end is not null and or true false in between like ilike'.split(' '),
);
const NO_OPERATORS = new Set(['::', ':=', '=>', '?']);

const wordsOf = (r: Reader, from: number, to: number): string =>
  r.tokens
    .slice(from, to)
    .map((token) => (token.quoted ? identifier(token) : token.text))
    .join('');

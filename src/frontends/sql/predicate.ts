// Reads a WHERE clause for what picks its rows: keys that name the row, and whether there can be only one.

import type { Name } from '../../ir.ts';
import { identifier } from './lexer.ts';
import { isNamePart, mark, nameAt, type Reader, split, word } from './reader.ts';
import { EQUALS, LOGIC, OPENS } from './sorts.ts';

export interface Predicate {
  /** `id=1`, `id=v_id`, `r`: what two statements that speak of the same row have in common. */
  keys: string[];
  /** Columns that are compared with one value, or with a column of another relation. */
  equals: Equal[];
  /** WHERE CURRENT OF. */
  current: boolean;
}

interface Equal {
  alias: string;
  column: string;
  /** IN: how many values there are. */
  among?: number;
  to?: { alias: string; column: string };
}

/** Columns that say one row by their name in nearly every schema. */
const KEYS = new Set(['id', 'uuid', 'guid', 'ctid', 'pk', '"ID"', '"Id"']);

export function predicate(r: Reader, from: number, to: number): Predicate {
  const result: Predicate = { keys: [], equals: [], current: false };
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
  if (alternatives) result.equals = [];
  result.keys = [...new Set(result.keys)];
  return result;
}

/** `column = value`, or the other way round; other conditions only give the variables they name. */
function conjunct(r: Reader, from: number, to: number, result: Predicate): void {
  while (mark(r, from) === '(' && r.closes[from] === to - 1) {
    from++;
    to--;
  }
  let equals = -1;
  for (let i = from; i < to && equals < 0; i++) {
    const { sorts } = r.tokens[i]!;
    if ((sorts & OPENS) !== 0) i = r.closes[i]!;
    else if ((sorts & EQUALS) !== 0) equals = i;
  }
  if (equals < 0) among(r, from, to, result);
  if (equals < 0) return;
  if (!equality(r, from, equals, equals + 1, to, result)) equality(r, equals + 1, to, from, equals, result);
}

/** `column IN (1, 2, 3)` */
function among(r: Reader, from: number, to: number, result: Predicate): void {
  const column = nameAt(r, from, to);
  if (!column?.name || isVariable(r, column.parts) || word(r, column.next) !== 'in') return;
  if (mark(r, column.next + 1) !== '(' || r.closes[column.next + 1] !== to - 1) return;
  const values = split(r, column.next + 2, to - 1);
  // What a driver puts in may be several.
  const written = ['string', 'number'];
  if (!values.every(([a, b]) => operand(r, a, b)?.text && written.includes(r.tokens[a]!.kind))) return;
  const name = column.parts[column.parts.length - 1]!;
  result.equals.push({ alias: aliasOf(column.parts), column: name, among: values.length });
}

function equality(r: Reader, a: number, b: number, c: number, d: number, result: Predicate): boolean {
  const column = nameAt(r, a, b);
  if (!column?.name || column.next !== b || isVariable(r, column.parts)) return false;
  const value = operand(r, c, d);
  const name = column.parts[column.parts.length - 1]!;
  const alias = aliasOf(column.parts);
  if (!value) {
    const other = nameAt(r, c, d);
    if (!other?.name || other.next !== d || alias === '' || other.parts.length < 2) return false;
    const to = { alias: aliasOf(other.parts), column: other.parts[other.parts.length - 1]! };
    result.equals.push({ alias, column: name, to });
    result.equals.push({ ...to, to: { alias, column: name } });
    return true;
  }
  if (value.text) result.keys.push(`${name}=${value.text}`);
  if (value.variable) result.keys.push(value.variable);
  result.equals.push({ alias, column: name });
  return true;
}

const aliasOf = (parts: string[]) => (parts.length > 1 ? parts[parts.length - 2]! : '');

/** Whether a column says one row by its name, in most schemas. */
export function isKeyByName(column: string, relation: Name): boolean {
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

/** One value that is no column: a literal, a parameter, a variable, a sub-query, a call; casts do not matter. */
export function operand(r: Reader, from: number, to: number): { text: string; variable?: string } | null {
  let end = to;
  while (end - 2 > from && mark(r, end - 2) === '::') end -= 2;
  while (mark(r, from) === '(' && r.closes[from] === end - 1 && word(r, from + 1) !== 'select') {
    from++;
    end--;
  }
  const token = r.tokens[from];
  if (!token || from >= end) return null;
  if (end === from + 1) {
    if (token.kind === 'string' || token.kind === 'number') return { text: token.text };
    if (token.kind === 'parameter') return { text: token.text };
    if (token.kind === 'variable') return { text: token.text };
    if (token.kind === 'operator' && token.text === '?') return { text: '?' };
  }
  if (mark(r, from) === '(') return r.closes[from] === end - 1 ? { text: '' } : null;
  const name = nameAt(r, from, end);
  if (!name) return null;
  if (name.name === null) return { text: '?' };
  if (mark(r, name.next, end) === '(') {
    const last = word(r, from);
    return last === 'any' || last === 'all' || last === 'some' || r.closes[name.next] !== end - 1
      ? null
      : { text: '' };
  }
  if (name.next !== end || !isNamePart(token)) return null;
  if (isVariable(r, name.parts)) return { text: name.parts.join('.'), variable: identifier(token) };
  return token.text === 'true' || token.text === 'false' ? { text: token.text } : null;
}

// Whether what a query asks for is one row: it says one value of a key, or of columns of which the model's own file may say that they are one. It asks no database.
import type { Picked } from '../../../ir.ts';
import { isKeyByName } from '../../sql/queries/predicate.ts';
import { child, type Syntax } from '../../syntax.ts';
import { keysOf } from '../classes/keys.ts';
import { argument, argumentOf } from '../names/arguments.ts';
import { standing } from '../names/assignments.ts';
import { chained, isKeyOf } from '../names/knowledge.ts';
import { type Place, type Type, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import type { Times } from './lengths.ts';

/** How far a query is followed back. */
const DEEPEST = 20;

/** By a name that is a key's by custom, or of which this file says so. */
export const picksOne = (c: Place, query: Syntax | undefined, of: Type | undefined): boolean =>
  asking(c, query).some((call) => asksForKey(c, call, of));

/** What it asks of the columns of its model, for who knows which of them are keys. */
export function pickedOf(
  c: Place,
  query: Syntax | undefined,
  of: Type | undefined,
  times: Times,
): Picked[] | undefined {
  const path = (of?.item ?? of)?.path;
  if (!path || of?.relation || !/^[\w.]+$/.test(path)) return undefined;
  const columns: string[] = [];
  const among: NonNullable<Picked['among']> = [];
  for (const call of asking(c, query))
    for (const { column, value, how } of conditions(c, call, of)) {
      // A relation to many gives a row for each of those.
      if (how && !LOOKUPS.test(how)) return undefined;
      if (!how || how === 'exact') columns.push(column, column.replace(/_id$/, ''));
      const count = how === 'in' ? times(value) : null;
      if (count !== null && count !== Number.POSITIVE_INFINITY) among.push({ column, count });
    }
  if (columns.length === 0 && among.length === 0) return undefined;
  return [{ relation: `python:${path}`, columns, ...(among.length > 0 && { among }) }];
}

const LOOKUPS =
  /^(?:exact|iexact|in|[gl]te?|isnull|range|i?contains|i?startswith|i?endswith|i?regex|overlap|contained_by|ne)$/;

/** The calls of a chain that say which rows: `Order.objects.filter(pk=pk).order_by("at")`, `session.scalars(select(Order).where(…))`. */
function asking(c: Place, query: Syntax | undefined): Syntax[] {
  const { picks, passes, asks } = chained();
  const out: Syntax[] = [];
  let at = query;
  for (let i = 0; at && i < DEEPEST; i++)
    if (at.type === 'await') at = at.children[0];
    else if (at.type === 'identifier') at = standing(c, at, textOf(c.file, at));
    else {
      const callee = at.type === 'call' ? child(at, 'function') : undefined;
      if (callee?.type !== 'attribute') break;
      const name = textOf(c.file, child(callee, 'attribute'));
      const statement = asks.get(name);
      if (picks.has(name)) out.push(at);
      else if (!passes.has(name) && statement === undefined && !GIVES.test(name)) break;
      at = (statement === undefined ? undefined : argumentOf(at, statement)) ?? child(callee, 'object');
    }
  return out;
}

/** What gives the rows of a result. */
const GIVES = /^(?:all|scalars|unique|yield_per|iterator|order_by|values_list)$/;

/** Of a statement that is put together: what is asked of it further on, `update(Order).where(Order.id == pk)`. */
export function narrowsToOne(c: Place, statement: Syntax): boolean {
  let at = statement;
  for (let up = at.parent; up?.type === 'attribute' && up.parent?.type === 'call'; up = at.parent) {
    at = up.parent;
    if (chained().picks.has(textOf(c.file, child(up, 'attribute'))) && asksForKey(c, at)) return true;
  }
  return false;
}

/** The call that this one is asked of; of a plain name too, where that is all the same. */
export function askedOf(call: Syntax, plain = false): Syntax | undefined {
  const callee = child(call, 'function');
  const object = callee?.type === 'attribute' ? child(callee, 'object') : undefined;
  if (object?.type !== 'call') return undefined;
  return plain || child(object, 'function')?.type === 'attribute' ? object : undefined;
}

/** `pk=pk`, `Order.id == pk`: all that is asked for must hold, so one such is enough. */
const asksForKey = (c: Place, call: Syntax, of?: Type): boolean =>
  conditions(c, call, of).some(({ column, how }) => (!how || how === 'exact') && isKey(c, column, of));

interface Condition {
  column: string;
  value: Syntax | undefined;
  /** Empty: it is that value. */
  how: string;
}

function conditions(c: Place, call: Syntax, of?: Type): Condition[] {
  return (child(call, 'arguments')?.children ?? []).flatMap((one): Condition[] => {
    if (one.type === 'keyword_argument') {
      const [column, ...how] = textOf(c.file, child(one, 'name')).split('__');
      return [{ column: column!, value: child(one, 'value'), how: how.join('__') }];
    }
    const [left, sign, right, more] = one.type === 'comparison_operator' ? one.children : amongOf(c, one);
    // A column that equals another's joins two tables.
    if (left?.type !== 'attribute' || (sign && sign.type !== '==') || more) return [];
    if (!right || COLUMN.test(textOf(c.file, right))) return [];
    // A key of a table that is joined says nothing of how many rows this one has beside it.
    const table = named(c, child(left, 'object'));
    if (table !== ((of?.item ?? of)?.path.replace(LAST, '') ?? named(c, made(call)))) return [];
    return [{ column: textOf(c.file, child(left, 'attribute')), value: right, how: sign ? '' : 'in' }];
  });
}

/** `Order.id.in_(keys)`, as a comparison without its sign. */
function amongOf(c: Place, node: Syntax): (Syntax | undefined)[] {
  const callee = node.type === 'call' ? child(node, 'function') : undefined;
  const isAmong = callee?.type === 'attribute' && textOf(c.file, child(callee, 'attribute')) === 'in_';
  return isAmong ? [child(callee, 'object'), undefined, argument(node, 0)] : [];
}

const LAST = /^.*\./;

/** Whatever it was imported as. */
const named = (c: Place, table: Syntax | undefined): string =>
  table ? (resolve(c, table)?.path ?? textOf(c.file, table)).replace(LAST, '') : '';

/** What a statement is made of: `Order` of `update(Order).where(…)`, of `Order.update(…).where(…)`. */
function made(call: Syntax): Syntax | undefined {
  let first: Syntax | undefined = call;
  for (let above = askedOf(call, true); above; above = askedOf(above, true)) first = above;
  const callee = child(first, 'function');
  if (callee?.type === 'attribute') return child(callee, 'object');
  return child(first, 'arguments')?.children[0];
}

const COLUMN = /^[A-Z]\w*\.\w+$/;

function isKey(c: Place, name: string, of: Type | undefined): boolean {
  const path = (of?.item ?? of)?.path ?? '';
  const table = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (isKeyByName(name, `sql:${table}`) || isKeyOf(path, name)) return true;
  const here = c.file.classes.get(path.replace(/[()^].*$/, ''));
  return here ? keysOf(c, here).some(([one, another]) => one === name && !another) : false;
}

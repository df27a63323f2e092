// Which table a call speaks of, and what picks the rows there. It makes no steps.
import type { Argument, Meaning } from '../../../framework.ts';
import type { Name, Rows } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { given } from '../names/arguments.ts';
import { isModel, isType } from '../names/knowledge.ts';
import { type Place, type Type, textOf } from '../names/scope.ts';
import { constantText, isClassLike, resolve } from '../names/values.ts';
import type { Understood } from './understood.ts';

export const python = (path: string) => `python:${path}` as Name;

/** `session.add(order)`: the model is that of the argument. */
export function handed(c: Place, call: Understood, of: Argument): Name | null {
  const value = call.node.type === 'call' ? resolve(c, given(c, call.node, of)) : undefined;
  if (value?.path && isClassLike(c, value.path)) return python(value.path);
  return value?.type ? relationOf(value.type) : null;
}

/** By custom what a class of such a name stands for is no table. */
const NO_TABLE = /[a-z](Manager|QuerySet|Serializer|Form)\^?$/;

/** A manager, a query, the result of one: whatever a framework gives rows by. */
export const isQueried = (type: Type | undefined): boolean =>
  type !== undefined && isType(type.path) && (type.item !== undefined || type.name !== undefined);

/** The model or table that a receiver stands for. */
export function relationOf(type: Type | undefined): Name | null {
  if (!type) return null;
  if (type.relation) return type.relation as Name;
  if (type.item) return relationOf(type.item);
  if (NO_TABLE.test(type.path)) return null;
  return isType(type.path) && !isModel(type.path) ? null : python(type.path.replace(/\^$/, ''));
}

export function lockedRows(c: Place, node: Syntax): Rows {
  const outer = node.parent?.type === 'attribute' ? textOf(c.file, child(node.parent, 'attribute')!) : '';
  return /^a?(get|first|last)$/.test(outer) ? 'one' : 'unknown';
}

/** Of several tables that are joined only those rows are locked that it lists: `select_for_update(of=("customer",))`. */
export function locksOwn(c: Place, { locksOf }: Meaning, node: Syntax): boolean {
  const list = locksOf !== undefined && node.type === 'call' ? given(c, node, locksOf) : undefined;
  const names = list && LISTED.test(list.type) ? list.children.map((one) => constantText(c, one)) : [];
  return names.length === 0 || names.some((one) => one === undefined || one === 'self');
}

const LISTED = /^(?:tuple|list|set)$/;

/**
 * What picks the row: the receiver's variable, the one it goes to, or the identifiers that the chain filters by. Whatever
 * is handed to `super()`, it is whichever object the method is called on, which tells no two rows alike.
 */
export function keysOf(c: Place, node: Syntax): string[] {
  const out = new Set<string>();
  let at: Syntax | undefined = node;
  for (
    let up = node.parent;
    up && (up.type === 'attribute' || up.type === 'call' || up.type === 'await');
    up = up.parent
  )
    at = up;
  const into = at?.parent;
  if (into?.type === 'assignment' || into?.type === 'for_statement') {
    const variable = child(into, 'left');
    if (variable?.type === 'identifier') out.add(textOf(c.file, variable));
  }
  for (let i = 0; at && i < 40; i++) {
    if (at.type === 'call') {
      if (textOf(c.file, child(at, 'function')) === 'super') return [...out];
      addKeys(c, child(at, 'arguments')?.children ?? [], out);
      at = child(at, 'function');
    } else if (at.type === 'attribute') at = child(at, 'object');
    else if (at.type === 'await') at = at.children[0];
    else break;
  }
  if (at?.type === 'identifier' && !resolve(c, at)?.path) out.add(textOf(c.file, at));
  return [...out];
}

/** `order.pay()`: what the method calls `self` is this variable here; of its own object it is that. */
export function askedOf(c: Place, node: Syntax): string | undefined {
  const called = child(node, 'function');
  const object = called?.type === 'attribute' ? child(called, 'object') : undefined;
  if (object?.type !== 'identifier' || resolve(c, object)?.path) return undefined;
  const name = textOf(c.file, object);
  return /^(self|cls)$/.test(name) ? undefined : name;
}

/** By several references a row is picked together: `user_id=user.id, kind_id=a` is not the row of `user_id=user.id, kind_id=b`. */
function addKeys(c: Place, list: Syntax[], out: Set<string>): void {
  let together: string[] | undefined;
  let alone = false;
  for (const one of list) {
    const equal = compared(c, one);
    const value = one.type === 'keyword_argument' ? child(one, 'value') : (equal?.[1] ?? one);
    if (equal && value?.type === 'integer') out.add(`${equal[0]}=${textOf(c.file, value)}`);
    if (!value || !/^(identifier|attribute)$/.test(value.type) || !isKey(c, one)) continue;
    if (value === one && resolve(c, value)?.path) continue; // `update(Order)`: a class picks no row
    const text = textOf(c.file, value);
    alone ||= one.type !== 'keyword_argument' || ITS_OWN.test(textOf(c.file, child(one, 'name')));
    if (together) together.push(text);
    else together = [text];
  }
  if (!together) return;
  if (alone || together.length === 1) for (const text of together) out.add(text);
  else out.add(together.sort().join(', '));
}

/** `where(Order.id == order_id)`, `get(pk=order_id)` */
function compared(c: Place, node: Syntax): [column: string, value: Syntax] | undefined {
  if (node.type === 'keyword_argument') {
    const [name, value] = [textOf(c.file, child(node, 'name')), child(node, 'value')];
    return value && ITS_OWN.test(name) ? [name.replace('__exact', ''), value] : undefined;
  }
  const [left, sign, right, more] = node.type === 'comparison_operator' ? node.children : [];
  if (!left || !right || more || textOf(c.file, sign) !== '==') return undefined;
  const column = textOf(c.file, child(left, 'attribute'));
  return ITS_OWN.test(column) ? [column, right] : undefined;
}

/** What tells a row by itself, whatever stands beside it. */
const ITS_OWN = /^(pk|id|uuid)(__in|__exact)?$/;

const isKey = (c: Place, one: Syntax): boolean =>
  one.type !== 'keyword_argument' ||
  /(^|_)(pk|id|uuid|slug|key|number|token)(__in|__exact)?$/.test(textOf(c.file, child(one, 'name') ?? one));

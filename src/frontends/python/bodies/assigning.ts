// A statement that is an expression or gives something a value: what that runs, and what the name is from then on.
import type { Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { understand } from '../calls/calls.ts';
import { lineageOf } from '../classes/attributes.ts';
import { flushing } from '../classes/declares.ts';
import { isType } from '../names/knowledge.ts';
import { type Type, textOf } from '../names/scope.ts';
import { nameOf } from '../names/types.ts';
import { resolve } from '../names/values.ts';
import { becomes, bindEach, bindTarget, lengthens, setting } from '../names/variables.ts';
import { heldBack, pickedBy } from './asking.ts';
import { heldScope, isScope } from './entering.ts';
import { type Body, expr, gather, statementCall } from './expressions.ts';
import { unwrapped } from './returned.ts';

export function simple(c: Body, node: Syntax): Step[] {
  if (node.type === 'augmented_assignment')
    return [...expr(c, lengthens(c, node)), ...flushed(c, child(node, 'left'))];
  if (node.type !== 'assignment') return expr(c, node);
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!right) {
    if (left) bindTarget(c, left, undefined, child(node, 'type'));
    return [];
  }
  if (left?.type === 'attribute') {
    const owner = child(left, 'object');
    becomes(c, owner, setting(c, resolve(c, owner)?.type?.path, child(left, 'attribute'), right));
  }
  if (right.type === 'assignment') {
    const steps = simple(c, right);
    if (left) bindTarget(c, left, resolve(c, child(right, 'right')));
    return steps;
  }
  const value = unwrapped(right);
  const chooses = value?.type === 'conditional_expression';
  if (value && (chooses || (value.type === 'call' && /^(identifier|attribute)$/.test(left?.type ?? '')))) {
    const name = textOf(c.file, left);
    const call = chooses ? heldScope(c, value) : understand(c, value);
    if (call && (chooses || isScope(call))) {
      c.pending.set(name, call);
      return [];
    }
    c.pending.delete(name);
  }
  const called =
    value?.type === 'call'
      ? statementCall(c, value, left?.type === 'identifier' ? textOf(c.file, left) : undefined)
      : expr(c, right);
  const name = left?.type === 'identifier' ? textOf(c.file, left) : undefined;
  const type = resolve(c, right)?.type;
  const steps =
    type?.fresh === false || isResult(type) ? pickedBy(called, rowsIn(c, name, type, value)) : called;
  const now = name === undefined ? steps : heldBack(c, value ?? right, name, steps);
  if (left && !bindEach(c, left, right))
    bindTarget(c, left, resolve(c, right) ?? { code: right }, child(node, 'type'));
  if (left?.type === 'attribute') return [...now, ...assigns(c, left), ...flushed(c, left)];
  return left?.type === 'subscript' ? [...now, ...gather(c, left.children)] : now;
}

/** It has rows, and a row has objects. */
const isResult = (type: Type | undefined): boolean => type?.item?.item !== undefined;

/** What tells the rows in a variable: its name, of a result another one each time that it is assigned. */
function rowsIn(
  c: Body,
  name: string | undefined,
  type: Type | undefined,
  value: Syntax | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const before = c.rowsOf.get(name);
  if (isResult(type)) {
    const now = before === undefined ? name : `${before}'`;
    c.rowsOf.set(name, now);
    return now;
  }
  // `order = result.scalar_one()`
  const callee = value?.type === 'call' ? child(value, 'function') : undefined;
  const object = callee?.type === 'attribute' ? child(callee, 'object') : undefined;
  const result = object?.type === 'identifier' ? c.rowsOf.get(textOf(c.file, object)) : undefined;
  if (result !== undefined) c.rowsOf.set(name, result);
  else c.rowsOf.delete(name);
  return name;
}

/** `order.total = 5` of an order that a session read: it writes that, at the latest where the savepoint around ends. */
function flushed(c: Body, left: Syntax | undefined): Step[] {
  const object = left?.type === 'attribute' ? child(left, 'object') : undefined;
  const above = object?.type === 'identifier' ? flushing(c) : [];
  const type = above.length > 0 ? resolve(c, object)?.type : undefined;
  if (type?.fresh !== false || isType(type.path)) return [];
  const attribute = textOf(c.file, child(left!, 'attribute'));
  if (!mayBeColumn(c, type.path, attribute)) return [];
  const at = { start: left!.start, end: left!.end };
  const relation = `python:${type.path}` as Name;
  const name = textOf(c.file, object);
  const result = c.rowsOf.get(name);
  const keys = result === undefined ? [name] : [name, result];
  const steps: Step[] = [{ kind: 'write', at, verb: 'update', relation, rows: 'one', keys }];
  const meanings = above.map((receiver) => ({ receiver: `python:${receiver}` as Name, attribute, steps }));
  return [{ kind: 'call', at, callee: `python:${nameOf(type)}.__setattr__`, meanings }];
}

/** What begins with `_` is mostly kept in the object alone, unless its class has it; of other names the class is asked where all are known. */
function mayBeColumn(c: Body, path: string, name: string): boolean {
  const info = c.file.classes.get(path);
  const line = info ? [...lineageOf(c, info)] : [];
  const declares = new RegExp(`^\\s+(?:def )?${name}\\b\\s*[:=(]`, 'm');
  return !name.startsWith('_') || line.some(({ node }) => declares.test(textOf(c.file, node)));
}

/** `order.total = 5` runs the property's setter, where its class stands in this file. */
function assigns(c: Body, left: Syntax): Step[] {
  const name = textOf(c.file, child(left, 'attribute'));
  const info = c.file.properties.has(name)
    ? c.file.classes.get(resolve(c, child(left, 'object'))?.type?.path ?? '')
    : undefined;
  const own = info && [...lineageOf(c, info)].find((one) => one.setters.has(name));
  const at = child(left, 'attribute')!;
  return own
    ? [
        {
          kind: 'call',
          at: { start: at.start, end: at.end },
          callee: `python:${own.path}.${name}.setter`,
          args: 1,
        },
      ]
    : [];
}

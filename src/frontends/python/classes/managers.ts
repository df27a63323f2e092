// Managers that a call makes of classes: `OrderQuerySet.as_manager()`, `Base.from_queryset(OrderQuerySet)`. No class statement is read here.
import { child, type Syntax } from '../../syntax.ts';
import { argument } from '../names/arguments.ts';
import { canonical } from '../names/knowledge.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** The classes that a class made by `Base.from_queryset(Query)` descends from, nearest first. */
export function madeOf(c: Place, node: Syntax | undefined): string[] | undefined {
  const callee = node?.type === 'call' ? child(node, 'function') : undefined;
  if (callee?.type !== 'attribute' || textOf(c.file, child(callee, 'attribute')) !== 'from_queryset')
    return undefined;
  const bases = [resolve(c, child(callee, 'object'))?.path, resolve(c, argument(node!, 0))?.path];
  return bases.filter((path) => path !== undefined).map(canonical);
}

/** The classes behind a manager that stands in a model: one of its own is made where they are two. */
export function managerOf(c: Place, node: Syntax): string[] | undefined {
  const callee = node.type === 'call' ? child(node, 'function') : undefined;
  if (callee?.type === 'call') return madeOf(c, callee);
  if (callee?.type !== 'attribute' || textOf(c.file, child(callee, 'attribute')) !== 'as_manager')
    return undefined;
  const path = resolve(c, child(callee, 'object'))?.path;
  return path ? [canonical(path)] : undefined;
}

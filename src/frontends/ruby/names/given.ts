// Whose method is called where only who calls this one knows: what is asked of a parameter has it for an owner, `(order)#lines()`, `(orders)[]`. What it is there, the linker says.
import { child, type Syntax } from '../../syntax.ts';
import { textOf } from '../syntax.ts';
import type { Body } from './file.ts';
import { chained, meaningsOf } from './meaning.ts';
import { finds, LISTS, resultOf } from './types.ts';

/** `order` that the method was given, one of `orders`, `order.customer`; null where anything is known of it. */
export function ofCaller(
  body: Pick<Body, 'file' | 'locals'>,
  node: Syntax | undefined,
  depth = 0,
): string | null {
  if (!node || depth > DEEPEST) return null;
  const again = (inner: Syntax | undefined) => ofCaller(body, inner, depth + 1);
  if (node.type === 'identifier') {
    const name = textOf(body.file, node);
    const { given, type, of: list, items, value } = body.locals.get(name) ?? {};
    if (type) return null;
    // A turn may take several of them.
    if (list) return items === undefined ? oneOf(again(list)) : again(list);
    if (given) return `(${name})`;
    return value && value !== node && HOLDS.test(value.type) ? again(value) : null;
  }
  const method = node.type === 'call' ? child(node, 'method') : undefined;
  const owner = method ? again(child(node, 'receiver')) : null;
  if (owner === null) return null;
  const name = textOf(body.file, method!);
  const isAsked = node.children.some(({ type }) => /^(argument_list|block|do_block)$/.test(type));
  if (passes(name, isAsked)) return owner;
  if (finds(name)) return oneOf(owner);
  const its = resultOf({ name: `ruby:${owner}`, kind: 'one' }, name);
  return its && its.kind !== 'builtin' && its.kind !== 'class' ? its.name.slice('ruby:'.length) : null;
}

const DEEPEST = 6;
const HOLDS = /^(call|identifier)$/;

/** What a method gives may be several or one of them: the linker knows. */
export const oneOf = (owner: string | null): string | null =>
  owner === null || owner.endsWith('()') ? owner : `${owner}[]`;

/** It gives the same rows one by one, or some of them: those of a list, and those of a framework; `line.order` is an association. */
const passes = (name: string, isAsked: boolean): boolean =>
  (LISTS.has(name) || (chained.items.has(name) && (isAsked || ALONE.test(name)))) &&
  meaningsOf(name).every(({ chunk }) => !chunk);
const ALONE = /^(all|distinct|unscoped|readonly|find_each)$/;

// Whose method is called where only who calls this one knows: what is asked of a parameter has it for an owner, `(order)`, `(orders)[]`. What it is there, the linker says.
import { child, type Syntax } from '../../syntax.ts';
import { textOf } from '../syntax.ts';
import type { Body } from './file.ts';
import { chained, meaningsOf } from './meaning.ts';

/** `order` that the method was given, one of `orders`; null where anything is known of it. */
export function ofCaller({ file, locals }: Body, node: Syntax | undefined): string | null {
  if (node?.type !== 'identifier') return null;
  const name = textOf(file, node);
  const { given, type, of: list } = locals.get(name) ?? {};
  if (type) return null;
  if (given && !list) return `(${name})`;
  const all = list && asMany({ file, locals }, list);
  return all ? `${all}[]` : null;
}

/** The list that a loop goes over: the parameter itself, or what is asked of it that gives as many. */
function asMany(body: Pick<Body, 'file' | 'locals'>, node: Syntax): string | null {
  const method = node.type === 'call' ? child(node, 'method') : undefined;
  if (method)
    return passes(textOf(body.file, method)) ? asMany(body, child(node, 'receiver') ?? method) : null;
  if (node.type !== 'identifier') return null;
  const { given, type, of: list } = body.locals.get(textOf(body.file, node)) ?? {};
  return given && !type && !list ? `(${textOf(body.file, node)})` : null;
}

/** It gives the same rows one by one, or some of them: those of a framework, and Ruby's own. */
const passes = (name: string): boolean =>
  OWN.test(name) || (chained.items.has(name) && meaningsOf(name).every(({ chunk }) => !chunk));
const OWN = /^(each|each_with_index|to_a|compact|uniq|reverse|shuffle|sort_by|select|reject|filter)$/;

// Whose method it may be where nothing tells but the name of the variable: `order.pay!` is asked of an Order. Whether there is such a class, the linker knows.
import type { Call, Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { textOf } from '../syntax.ts';
import { type Body, resolveConstant, type Type } from './file.ts';
import { camelize, classify, pluralize, underscore } from './inflect.ts';
import { chained } from './meaning.ts';

/** Names of variables that say what they are of: of one letter nobody knows. */
const SAYS = /^@?_?(?:current_|the_|my_)?([a-z][a-z\d]*[a-z](?:_[a-z\d]+)*)$/;

/** `order`, `@order`, `line.order`, `orders.first`; of a list, one of its items. */
export function likeOne(body: Body, node: Syntax | undefined, item = false): Name | undefined {
  if (!node) return undefined;
  const method = node.type === 'call' ? child(node, 'method') : undefined;
  if (method && chained.item.has(textOf(body.file, method)))
    return item ? undefined : likeOne(body, child(node, 'receiver'), true);
  if (method ? node.children.some(({ type }) => type === 'argument_list') : !isVariable(node))
    return undefined;
  const said = SAYS.exec(textOf(body.file, method ?? node))?.[1];
  if (said === undefined) return undefined;
  return `ruby:${item ? classify(said) : camelize(said)}`;
}

const isVariable = ({ type }: Syntax) => type === 'identifier' || type === 'instance_variable';

/** `line_item`, `line_items` of a LineItem: a file that has these may speak of one. */
export function variablesOf(owner: string): string[] {
  const one = underscore(owner.slice(owner.lastIndexOf(':') + 1));
  return one.includes('_') ? [one, pluralize(one)] : [pluralize(one)];
}

/** The class as a constant of that name would be looked up where the variable stands: for what a framework means by the call. */
export function likenedType(body: Body, node: Syntax | undefined, item = false): Type | null {
  const owner = likeOne(body, node, item);
  return owner
    ? { name: resolveConstant(body.file, owner.slice('ruby:'.length), body.owner), kind: 'one' }
    : null;
}

/** What is added to a call on a receiver of which nothing is known. */
export function liken(
  body: Body,
  name: string,
  receiver: Syntax | undefined,
  item = false,
): Pick<Call, 'like'> {
  const owner = likeOne(body, receiver, item);
  return owner ? { like: `${owner}#${name}` } : {};
}

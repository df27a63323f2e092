// Whose method it may be where nothing tells but the name of the variable: `order.pay!` is asked of an Order. Whether there is such a class, the linker knows.
import type { Call, Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { LETTERS } from '../../words.ts';
import { textOf } from '../syntax.ts';
import { type Body, resolveConstant, type Type } from './file.ts';
import { ofMethod } from './held.ts';
import { camelize, classify, pluralize, underscore } from './inflect.ts';
import { chained } from './meaning.ts';
import { isGiven, itemOf, resultOf } from './types.ts';

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
  const text = textOf(body.file, method ?? node);
  const list = method || item ? undefined : body.locals.get(text)?.of;
  if (list && text.length < 3) return likeOne(body, list, true);
  const said = SAYS.exec(text)?.[1];
  if (said === undefined) return undefined;
  return `ruby:${item ? classify(said) : camelize(said)}`;
}

/** `customer.orders.paid` is what that gives of a Customer; of a list, one of its items. */
function likeGiven(body: Body, node: Syntax | undefined, depth = 0): Type | null {
  if (!node || depth > MOST_STEPS) return null;
  if (isVariable(node)) {
    const { of: list, value } = body.locals.get(textOf(body.file, node)) ?? {};
    const held = value?.type === 'call' ? likeGiven(body, value, depth + 1) : null;
    const given = list && !isVariable(list) ? itemOf(likeGiven(body, list, depth + 1)) : held;
    const owner = likeOne(body, node);
    return given ?? (owner ? { name: owner, kind: 'one' } : null);
  }
  const method = node.type === 'call' ? child(node, 'method') : undefined;
  const receiver = method && likeGiven(body, child(node, 'receiver'), depth + 1);
  return receiver ? resultOf(receiver, textOf(body.file, method)) : null;
}

const MOST_STEPS = 10;

/** `@store`, `store` of `attr_reader :store`: what an object was made with, which its makers know. */
export function keptType(body: Body, node: Syntax): Type | null {
  const { file, owner } = body;
  const held = node.type === 'instance_variable' ? node : ofMethod(body, node);
  const written = textOf(file, held).replace(/^self\./, '');
  const isOwn = owner.attributes.has(written);
  const name = VARIABLE.test(written) ? written.slice(1) : isOwn ? written : '';
  if (!name || owner.kind === 'file' || (held.type === 'identifier' && body.locals.has(name))) return null;
  const field = owner.attributes.has(name) ? name : `@${name}`;
  const own =
    Object.values(owner.declaration.keeps?.new ?? {}).some((fields) => fields.includes(field)) ||
    owner.writers.has(name);
  // What a class above keeps, this one does not set.
  if (!own && (owner.superclass === null || owner.assigned?.has(`@${name}`))) return null;
  return { name: `ruby:${owner.name}#${field}()`, kind: 'one' };
}

/** `invoice` of `attr_reader :invoice` that the object was made with. */
export const isKept = (body: Body, node: Syntax | undefined): boolean =>
  node !== undefined && node.type === 'identifier' && keptType(body, node) !== null;

/** Both, as far as they say anything: what a chain gives is surer than what its last word is called. */
function likeAny(body: Body, node: Syntax | undefined, item: boolean): Type[] {
  const given = likeGiven(body, node);
  const called = likeOne(body, node, item);
  const kept = node && !item ? keptType(body, node) : null;
  return [
    ...(kept ? [kept] : []),
    ...(given && isGiven(given) ? [item ? itemOf(given)! : given] : []),
    ...(called ? [{ name: called, kind: 'one' } as const] : []),
  ];
}

const VARIABLE = new RegExp(`^@(?!\\d)[${LETTERS}]+$`);
const isVariable = ({ type }: Syntax) => type === 'identifier' || type === 'instance_variable';

/** `line_item`, `line_items` of a LineItem: a file that has these may speak of one. */
export function variablesOf(owner: string): string[] {
  const one = underscore(owner.slice(owner.lastIndexOf(':') + 1));
  return one.includes('_') ? [one, pluralize(one)] : [pluralize(one)];
}

/** The classes as constants of those names would be looked up where the variable stands: for what a framework means by the call. */
export function likenedTypes(body: Body, node: Syntax | undefined, item = false): Type[] {
  return likeAny(body, node, item).map((type) => {
    const [, first, given] = /^ruby:([^#.]*)(.*)$/.exec(type.name)!;
    return { ...type, name: `${resolveConstant(body.file, first!, body.owner)}${given}` as Name };
  });
}

/** What is added to a call on a receiver of which nothing is known, or only which method gave it. */
export function liken(
  body: Body,
  name: string,
  receiver: Syntax | undefined,
  item = false,
): Pick<Call, 'like'> {
  const like = likeAny(body, receiver, item).map((type): Name => `${type.name}#${name}`);
  return like.length > 0 ? { like } : {};
}

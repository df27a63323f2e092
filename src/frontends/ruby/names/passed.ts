// What a method hands to its block and what it gives at its end: which expressions stand there. Not what they are.
import { child, type Syntax } from '../../syntax.ts';
import { lastPart, parts, type Text, textOf } from '../syntax.ts';

/** What one method yields, by the place, and the variable that it ends with. */
interface Passed {
  yielded: { node: Syntax; place: number }[];
  last: Syntax | undefined;
}

export const METHOD = /^(singleton_)?method$/;

/** Which argument of `yield`, or of the block that the method was given, it is. */
export function yieldedAs(file: Text, one: Syntax, list: Syntax): number | null {
  const call = list.parent;
  if (call?.type !== 'yield' && !(call?.type === 'call' && callsBlock(file, call))) return null;
  const place = parts(list).indexOf(one);
  return place < 0 || parts(list).some(({ type }) => /splat/.test(type)) ? null : place;
}

/** `block.call(order)`, `block.(order)`, `block.yield(order)` in a method that takes `&block`. */
function callsBlock(file: Text, call: Syntax): boolean {
  const [receiver, method] = [child(call, 'receiver'), child(call, 'method')];
  if (receiver?.type !== 'identifier' || !/^(call|yield|)$/.test(method ? textOf(file, method) : ''))
    return false;
  const block = parts(parametersOf(call)).find(({ type }) => type === 'block_parameter');
  const name = block && child(block, 'name');
  return name !== undefined && textOf(file, name) === textOf(file, receiver);
}

function parametersOf(node: Syntax): Syntax | undefined {
  const method = methodOf(node);
  return method ? child(method, 'parameters') : undefined;
}

function methodOf(node: Syntax): Syntax | null {
  let one: Syntax | null = node;
  while (one && !METHOD.test(one.type)) one = one.parent;
  return one;
}

/** `Order.lock.find(id).then { yield _1 }`: the places in which a block yields what it is given. */
export function implicitlyYielded(file: Text, block: Syntax): number[] {
  const method = methodOf(block);
  const all = method ? passedIn(file, method).yielded : [];
  return all.flatMap(({ node, place }) =>
    node.start >= block.start && node.end <= block.end && /^(_1|it)$/.test(textOf(file, node)) ? [place] : [],
  );
}

const known = new WeakMap<Syntax, Passed>();

/** Of the variables that a method has, those that it yields, and the one that it gives. */
export function passedIn(file: Text, routine: Syntax): Passed {
  const found = known.get(routine);
  if (found) return found;
  const out: Passed = { yielded: [], last: METHOD.test(routine.type) ? lastOf(file, routine) : undefined };
  known.set(routine, out);
  const stack = METHOD.test(routine.type) ? [routine] : [];
  for (let node = stack.pop(); node; node = stack.pop())
    for (const one of node.children) {
      if (METHOD.test(one.type)) continue;
      if (one.type === 'identifier' && node.type === 'argument_list') {
        const place = yieldedAs(file, one, node);
        if (place !== null) out.yielded.push({ node: one, place });
      } else if (one.children.length > 0) stack.push(one);
    }
  return out;
}

/** The method, perhaps in a block that it runs last, ends with a variable: `order`, `order || create!(id: id)`. */
function lastOf(file: Text, routine: Syntax): Syntax | undefined {
  for (let one = child(routine, 'body'); one; ) {
    if (one.type === 'identifier') return one;
    if (one.type === 'binary') one = isEither(file, one) ? child(one, 'left') : undefined;
    else if (one.type === 'call') {
      const block = one.children.find(({ type }) => /^(do_)?block$/.test(type));
      one = block && child(block, 'body');
    } else if (one.type === 'return') one = parts(parts(one)[0])[0];
    else
      one = /^(body_statement|block_body|parenthesized_statements)$/.test(one.type)
        ? lastPart(one)
        : undefined;
  }
  return undefined;
}

/** `lock.find_by(id: id) || create!(id: id)`: one of both. */
export const isEither = (file: Text, { type, children }: Syntax): boolean =>
  type === 'binary' &&
  children.some((one) => one.field === 'operator' && /^(\|\||or)$/.test(textOf(file, one)));

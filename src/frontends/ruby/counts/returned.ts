// How many items a method's list has at most, whichever way it ends. What an expression has is asked back.
import { child, type Syntax } from '../../syntax.ts';
import { type Body, newBody } from '../names/file.ts';
import { ownMethod } from '../names/held.ts';
import { lastPart, parts } from '../syntax.ts';

const known = new WeakMap<Syntax, number | null>();

/** `names` of the object itself, which a method of its class gives. */
export function ofOwnMethod(
  body: Body,
  node: Syntax,
  items: (body: Body, node: Syntax) => number | null,
): number | null {
  const method = ownMethod(body, node);
  if (!method) return null;
  const before = known.get(method.node);
  if (before !== undefined) return before;
  known.set(method.node, null); // it may ask itself
  const its = newBody(body.file, body.owner, method.singleton, null);
  const found = longestOf(givenBack(method.node), (one) => items(its, one));
  known.set(method.node, found);
  return found;
}

/** The longest, where all are known. */
export function longestOf(all: Syntax[], items: (node: Syntax) => number | null): number | null {
  let longest: number | null = null;
  for (const one of all) {
    const length = items(one);
    if (length === null) return null;
    longest = Math.max(longest ?? 0, length);
  }
  return longest;
}

/** What it ends with, with each `rescue`, and what stands behind every `return`; of `return` alone nothing. */
export function givenBack(method: Syntax): Syntax[] {
  const body = child(method, 'body');
  if (!body) return [];
  const out = endsOf(body);
  const stack = [...body.children];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (/^(lambda|method|singleton_method|class|module)$/.test(node.type)) continue;
    if (node.type === 'return') out.push(...parts(parts(node)[0]).slice(0, 1));
    else stack.push(...node.children);
  }
  return out;
}

/** The expressions that a body with clauses may end with. */
export function endsOf(body: Syntax): Syntax[] {
  if (!/^(body_statement|begin)$/.test(body.type)) return body.type === 'return' ? [] : [body];
  const last = lastPart(body);
  const rescued = body.children.filter(({ type }) => type === 'rescue');
  const ends = [last, ...rescued.map((one) => lastPart(child(one, 'body')))];
  return ends.filter((one) => one !== undefined && !/^(return|else)$/.test(one.type)) as Syntax[];
}

// Whether a call looks for the same row each time that it runs: a class is asked for it by constants. It lowers nothing.
import type { Syntax } from '../syntax.ts';
import { child } from '../syntax.ts';
import type { Body } from './file.ts';
import { givenAs } from './flags.ts';
import { type Arguments, parts, textOf } from './syntax.ts';

/** The local names that say which row of a class it is, where nothing else but constants does. */
export function sameRow(
  body: Body,
  receiver: Syntax | undefined,
  { positional, keywords, splats }: Arguments,
): { same?: string[] } {
  if (!receiver || !isClass(body, receiver) || positional.length + splats.length > 0) return {};
  const given = [...keywords.values()].map(({ value }) => givenAs(body, value));
  // A list that is written out may hold anything.
  if (given.some((one) => one === 'unknown' || (typeof one === 'object' && one !== null && 'items' in one)))
    return {};
  return {
    same: given.flatMap((one) =>
      typeof one === 'object' && one !== null && 'parameter' in one ? [one.parameter] : [],
    ),
  };
}

const CONSTANT = /^(constant|scope_resolution)$/;

/** A class by its name, or a method here that gives nothing else. */
function isClass(body: Body, node: Syntax): boolean {
  if (CONSTANT.test(node.type)) return true;
  const name = node.type === 'identifier' ? textOf(body.file, node) : '';
  const means = body.locals.has(name) ? undefined : body.owner.methods.find((one) => one.name === name);
  const [first, ...rest] = parts(means && child(means.node, 'body'));
  return first !== undefined && rest.length === 0 && CONSTANT.test(first.type);
}

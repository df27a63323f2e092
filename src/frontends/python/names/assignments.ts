// How often a function gives a variable a value, and which names by custom get one only. It follows no value.
import { child, type Syntax } from '../../syntax.ts';
import { textOf } from './scope.ts';
import type { Place } from './values.ts';

/** By custom nobody gives it another value. */
export const isConstantName = (name: string): boolean => /^_?[A-Z][A-Z0-9_]*$/.test(name);

const known = new WeakMap<Syntax, Map<string, number>>();

/** How often each name is given a value in a piece of code, which is gone over once. */
export function given(c: Place, body: Syntax): Map<string, number> {
  const all = known.get(body) ?? count(c, body);
  known.set(body, all);
  return all;
}

/** How often the functions around give this name a value. */
export function assignments(c: Place, node: Syntax, name: string): number {
  let times = 0;
  for (let at: Syntax | null = node; at; at = at.parent) {
    if (at.type !== 'function_definition') continue;
    times += given(c, child(at, 'body') ?? at).get(name) ?? 0;
  }
  return times;
}

/** Which part of such a node is given a value; empty: all of it. */
const GIVES = new Map([
  ['assignment', 'left'],
  ['augmented_assignment', 'left'],
  ['for_statement', 'left'],
  ['for_in_clause', 'left'],
  ['named_expression', 'name'],
  ['as_pattern_target', ''],
  ['delete_statement', ''],
  ['global_statement', ''],
  ['nonlocal_statement', ''],
  ['case_pattern', ''],
]);

function count(c: Place, body: Syntax): Map<string, number> {
  const out = new Map<string, number>();
  const take = (target: Syntax | undefined): void => {
    if (!target) return;
    if (target.type === 'identifier') {
      const name = textOf(c.file, target);
      out.set(name, (out.get(name) ?? 0) + 1);
    } else if (target.type !== 'attribute' && target.type !== 'subscript')
      for (const one of target.children) take(one);
  };
  const stack = [body];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const part = GIVES.get(node.type);
    if (part !== undefined) take(part === '' ? node : child(node, part));
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
}

// Whether a name stands for what the caller gave. What callers give is said elsewhere.
import type { Yield } from '../../../ir.ts';
import type { Syntax } from '../../syntax.ts';
import { assignments, assignmentsOf } from './assignments.ts';
import { type Place, type Scope, textOf, type Value } from './scope.ts';

/** It holds what the caller gave: nobody gives it another value, or not before. */
export function isParameter(
  c: Place,
  node: Syntax,
  value: Value | undefined,
  given = assignmentsOf,
): boolean {
  if (value?.parameter !== true) return false;
  const name = textOf(c.file, node);
  if (assignments(c, node, name) === 0) return true;
  const all = given(c, node, name);
  return all.length > 0 && all.every(({ start }) => start > node.start) && !isRepeated(node);
}

/** Which parameter of the routine itself a name is; of one around it nobody says. */
export function ofParameter(c: Place, name: string): Pick<Yield, 'parameter'> {
  let at: Scope | null = c.scope;
  // A lambda has a scope of its own in the routine.
  while (at && !at.names.has(name) && at.above?.path === c.scope.path) at = at.above;
  const value = at?.names.get(name);
  if (!value?.parameter) return {};
  return { parameter: value.place === undefined ? { name } : { name, place: value.place } };
}

/** What stands behind it in a loop comes before its next turn. */
function isRepeated(node: Syntax): boolean {
  for (let at: Syntax | null = node; at && at.type !== 'function_definition'; at = at.parent)
    if (/^(for|while)_statement$|_comprehension$|^generator_expression$|^lambda$/.test(at.type)) return true;
  return false;
}

// What is the same in each turn of a routine's loops, by what its caller gave it. Not what it is.
import type { Name, Step } from '../../ir.ts';
import { isLiteral } from '../sql/queries/predicate.ts';
import type { Context } from './context.ts';
import { isGiven } from './survey.ts';

/** Parameters hold in each turn what the caller gave; nothing else is known to. */
export function inTurns<T>(c: Context, body: () => T): T {
  const before = c.scope.same;
  c.scope.same = (name) => isGiven(c, name);
  const found = body();
  c.scope.same = before;
  return found;
}

/**
 * It locks rows that constants or parameters name, and does nothing else. What the transaction holds is locked again for
 * nothing, so each of them counts once.
 */
export function locksAlone(c: Context, body: Step[]): boolean {
  const locked = new Set<Name | null>();
  for (const step of body)
    if (step.kind === 'row lock' && !step.skipLocked && step.keys?.every((key) => isSame(c, key)))
      locked.add(step.relation);
    else if (step.kind !== 'read') return false;
  return locked.size > 0 && body.every((step) => step.kind !== 'read' || locked.has(step.relation));
}

/** `id=7`, `id=_id`, and the variable by itself beside it. */
function isSame(c: Context, key: string): boolean {
  const value = key.slice(key.indexOf('=') + 1);
  return isLiteral(value) || isGiven(c, value);
}

// Whether a trigger function does nothing where a trigger stands around it: it asks for that before all else. Not what it does otherwise.
import { depthAsked } from '../sql/queries/depth.ts';
import type { Context } from './context.ts';
import type { Statement } from './tree.ts';

/** `IF pg_trigger_depth() > 1 THEN RETURN NEW; END IF; …`, or `IF pg_trigger_depth() = 1 THEN … END IF;` and no more. */
export function isOutermost(c: Context, statements: readonly Statement[]): boolean {
  const [first, ...others] = statements;
  if (first?.kind === 'block') return others.length === 0 && isOutermost(c, first.body);
  const arm = first?.kind === 'if' ? first.arms[0] : undefined;
  if (first?.kind !== 'if' || !arm?.condition) return false;
  if (depthAsked(c.tokens, arm.condition, 'or', 1) === 'nested') return isReturn(arm.body[0]);
  return (
    first.arms.length === 1 &&
    others.every(isReturn) &&
    depthAsked(c.tokens, arm.condition, 'and', 1) === 'outermost'
  );
}

const isReturn = (node: Statement | undefined): boolean => node?.kind === 'plain' && node.verb === 'return';

// Where a trigger function does nothing: it asks before all else whether a trigger stands around it, or what a setting is. Not what it does otherwise.
import type { Asking } from '../../ir.ts';
import { depthAsked } from '../sql/queries/depth.ts';
import { otherwise, settingAsked } from '../sql/queries/settings.ts';
import type { Context } from './context.ts';
import type { Range, Statement } from './tree.ts';

/** `IF pg_trigger_depth() > 1 THEN RETURN NEW; END IF; …`, or `IF pg_trigger_depth() = 1 THEN … END IF;` and no more. */
export function isOutermost(c: Context, statements: readonly Statement[]): boolean {
  const head = headOf(statements);
  if (!head) return false;
  if (depthAsked(c.tokens, head.condition, 'or', 1) === 'nested') return head.leaves;
  return head.isAll && depthAsked(c.tokens, head.condition, 'and', 1) === 'outermost';
}

/** `IF current_setting('app.skip', true) = 'on' THEN RETURN NEW; END IF; …`, and the like. */
export function settingFor(c: Context, statements: readonly Statement[]): Asking | null {
  const head = headOf(statements);
  if (!head) return null;
  if (head.isAll) return settingAsked(c.tokens, head.condition, 'and');
  const leaves = head.leaves ? settingAsked(c.tokens, head.condition, 'or') : null;
  return leaves && otherwise(leaves);
}

/** The condition that stands first: whether it leaves the function, or nothing runs where it does not hold. */
function headOf(
  statements: readonly Statement[],
): { condition: Range; leaves: boolean; isAll: boolean } | null {
  const [first, ...others] = statements;
  if (first?.kind === 'block') return others.length === 0 ? headOf(first.body) : null;
  const arm = first?.kind === 'if' ? first.arms[0] : undefined;
  if (first?.kind !== 'if' || !arm?.condition) return null;
  const leaves = isReturn(arm.body[0]);
  return {
    condition: arm.condition,
    leaves,
    isAll: !leaves && first.arms.length === 1 && others.every(isReturn),
  };
}

const isReturn = (node: Statement | undefined): boolean => node?.kind === 'plain' && node.verb === 'return';

// What is the same in each turn of a routine's loops, or runs in one of them alone. Not what it is.
import type { Block, Name, Step } from '../../ir.ts';
import { isLiteral, valueIn } from '../sql/queries/predicate.ts';
import { identifier } from '../sql/text/lexer.ts';
import { type Context, find, mark } from './context.ts';
import { isGiven, literal } from './survey.ts';
import type { Range } from './tree.ts';

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
 * nothing, so each of them counts once: those of constants for whoever comes, those of parameters in each turn of a loop
 * of the routine.
 */
export function locksAlone(c: Context, body: Step[]): Block['once'] {
  const locked = new Set<Name | null>();
  let constant = true;
  for (const step of body)
    if (step.kind === 'row lock' && !step.skipLocked && step.keys?.every((key) => isSame(c, valueIn(key)))) {
      locked.add(step.relation);
      constant &&= step.keys.length > 0 && step.keys.every((key) => isLiteral(valueIn(key)));
    } else if (step.kind !== 'read') return undefined;
  if (locked.size === 0 || body.some((step) => step.kind === 'read' && !locked.has(step.relation)))
    return undefined;
  return constant ? 'ever' : c.around.some(({ turns }) => turns) ? 'in loop' : true;
}

/** Of `id=7`, `id=_id`, and the variable by itself beside it. */
const isSame = (c: Context, value: string): boolean => isLiteral(value) || isGiven(c, value);

/** The arm of `IF i = 3` runs in one turn of the loop that counts by `i`. */
export function inOneTurn(c: Context, condition: Range | undefined, steps: Step[]): Step[] {
  const counter = c.around.findLast(({ turns }) => turns)?.counter;
  if (!condition || counter === undefined || steps.length === 0) return steps;
  if (find(c, condition, 'or', 'between', 'case') < condition.to) return steps;
  for (let { from } = condition; from < condition.to; ) {
    const to = find(c, { from, to: condition.to }, 'and');
    if (
      mark(c, from + 1) === '=' &&
      isCounter(c, from, counter) &&
      literal(c, { from: from + 2, to }) !== null
    )
      return [{ kind: 'block', at: steps[0]!.at, once: 'in loop', body: steps }];
    from = to + 1;
  }
  return steps;
}

const isCounter = ({ tokens }: Context, i: number, counter: string): boolean =>
  tokens[i]?.kind === 'word' && identifier(tokens[i]!) === counter;

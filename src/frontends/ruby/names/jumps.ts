// What `next`, `break`, `return` and `throw` leave: the block or the lambda in which they stand, where Ruby runs that by a call. It lowers nothing.
import { inside, type Span, type Step } from '../../../ir.ts';
import { mapped } from '../../mapped.ts';
import type { Syntax } from '../../syntax.ts';
import { parts } from '../syntax.ts';

type How = 'return' | 'break' | 'continue';

/** A lambda is left by all three, a block that runs once by `next` and `break`, a proc by `next`. */
export const OF_LAMBDA: readonly How[] = ['return', 'break', 'continue'];
export const OF_BLOCK: readonly How[] = ['break', 'continue'];
export const OF_PROC: readonly How[] = ['continue'];

/** These steps as one block that those of its own ways out leave, and no loop around is left by them. */
export function contained(steps: Step[], at: Span, hows: readonly How[]): Step[] {
  const label = `block ${around(steps)}`;
  const changed = relabelled(steps, label, hows);
  return changed === steps
    ? steps
    : [{ kind: 'block', at: { start: at.start, end: at.start }, label, body: changed }];
}

const LABEL = /^block (\d+)$/;

/** One more than of those inside: a name by its place would be another with each line above. */
function around(steps: Step[]): number {
  let most = 0;
  for (const step of steps) {
    if (step.kind === 'block') most = Math.max(most, Number(LABEL.exec(step.label ?? '')?.[1] ?? 0));
    for (const list of inside(step)) most = Math.max(most, around(list) - 1);
  }
  return most + 1;
}

/** `next` of what is a routine for itself returns. */
export function asRoutine(steps: Step[]): Step[] {
  return mapped(steps, (step, inLoop) =>
    step.kind === 'exit' && step.how === 'continue' && step.label === undefined && !inLoop
      ? { ...step, how: 'return' }
      : step,
  );
}

/** A block that a call is given: its `return` leaves the method in which it stands, and not the one that runs it. */
export const handed = (steps: Step[]): Step[] =>
  mapped(steps, (step) =>
    step.kind === 'exit' && step.how === 'return' && step.label === undefined ? { ...step, out: true } : step,
  );

/** Whether a `next` or `break` in it is one of the loop around. */
export function jumpsOut(steps: Step[]): boolean {
  let is = false;
  mapped(steps, (step, inLoop) => {
    is ||= step.kind === 'exit' && /^(break|continue)$/.test(step.how) && step.label === undefined && !inLoop;
    return step;
  });
  return is;
}

/** The same list where nothing leaves it so. What leaves a turn of a loop inside is that loop's. */
function relabelled(steps: Step[], label: string, hows: readonly How[]): Step[] {
  return mapped(steps, (step, within) => {
    if (step.kind !== 'exit' || step.how === 'raise' || step.label !== undefined) return step;
    if (!hows.includes(step.how) || (within && step.how !== 'return')) return step;
    return { ...step, how: 'break', label, ...(within && { leaves: 'loop' as const }) };
  });
}

/** What a condition is that is written out: `true`, `false`, `nil`. */
export function plainly(condition: Syntax | undefined): boolean | null {
  let one = condition;
  while (one && /^(parenthesized_statements|then)$/.test(one.type) && parts(one).length === 1)
    one = parts(one)[0];
  if (one?.type === 'true') return true;
  return one?.type === 'false' || one?.type === 'nil' ? false : null;
}

// What `next`, `break`, `return` and `throw` leave: the block or the lambda in which they stand, where Ruby runs that by a call. It lowers nothing.
import { inside, type Span, type Step } from '../../../ir.ts';
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

/** The same list where nothing leaves it so. What leaves a turn of a loop inside is that loop's. */
function relabelled(steps: Step[], label: string, hows: readonly How[]): Step[] {
  return mapped(steps, (step, within) => {
    if (step.kind !== 'exit' || step.how === 'raise' || step.label !== undefined) return step;
    if (!hows.includes(step.how) || (within && step.how !== 'return')) return step;
    return { ...step, how: 'break', label, ...(within && { leaves: 'loop' as const }) };
  });
}

/** Steps of the same body, with what loops and branches have inside; not what calls are handed, which they run as their own. */
function mapped(steps: Step[], change: (step: Step, inLoop: boolean) => Step, inLoop = false): Step[] {
  let same = true;
  const below = (list: Step[], loop = inLoop) => mapped(list, change, loop);
  const out = steps.map((step): Step => {
    const now = inner(step, below) ?? change(step, inLoop);
    same &&= now === step;
    return now;
  });
  return same ? steps : out;
}

function inner(step: Step, below: (list: Step[], loop?: boolean) => Step[]): Step | null {
  switch (step.kind) {
    case 'loop': {
      const body = below(step.body, true);
      return body === step.body ? step : { ...step, body };
    }
    case 'block': {
      const body = below(step.body);
      return body === step.body ? step : { ...step, body };
    }
    case 'branch': {
      const arms = step.arms.map((arm) => below(arm));
      return arms.every((arm, i) => arm === step.arms[i]) ? step : { ...step, arms };
    }
    case 'scope':
    case 'attempt': {
      const body = below(step.body);
      const handlers = step.handlers?.map((one) => ({ ...one, body: below(one.body) }));
      const last = step.kind === 'attempt' && step.finally ? below(step.finally) : undefined;
      const kept =
        body === step.body &&
        (handlers ?? []).every((one, i) => one.body === step.handlers![i]!.body) &&
        (step.kind !== 'attempt' || last === step.finally);
      if (kept) return step;
      return { ...step, body, ...(handlers && { handlers }), ...(last && { finally: last }) } as Step;
    }
    default:
      return null;
  }
}

/** What a condition is that is written out: `true`, `false`, `nil`. */
export function plainly(condition: Syntax | undefined): boolean | null {
  let one = condition;
  while (one && /^(parenthesized_statements|then)$/.test(one.type) && parts(one).length === 1)
    one = parts(one)[0];
  if (one?.type === 'true') return true;
  return one?.type === 'false' || one?.type === 'nil' ? false : null;
}

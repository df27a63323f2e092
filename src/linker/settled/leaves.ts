// Steps after which a loop does not turn again: what stands before a RETURN runs once, however the loop is written, but for what stands before a CONTINUE.
import type { Exit, Step } from '../../ir.ts';
import { kept } from '../kept.ts';
import { holds } from '../rewrite.ts';

export type Leaving = 'return' | 'break' | 'raise';

const MOST_NESTED = 50;

const known = new WeakMap<readonly Step[], Leaving | null>();

/** How these steps leave the loop around them, when they always do. */
export function leaves(steps: readonly Step[], depth = 0): Leaving | null {
  if (depth > MOST_NESTED) return null;
  const before = known.get(steps);
  if (before !== undefined) return before;
  const how = find(steps, depth);
  known.set(steps, how);
  return how;
}

function find(steps: readonly Step[], depth: number): Leaving | null {
  for (const step of steps) {
    const how = leaving(step, depth);
    if (how) return how;
    if (step.kind === 'exit') return null;
  }
  return null;
}

/** How many of these steps there are up to the last from which the loop around may turn again, nothing having failed. */
export const turning = kept(
  (steps: readonly Step[]): number => steps.findLastIndex((step) => turns(step)) + 1,
);

/** How these steps leave the loop around, when they always do and none goes on with its next turn. */
export const leavesAtOnce = (steps: readonly Step[]): Leaving | null =>
  turning(steps) === 0 ? leaves(steps) : null;

function turns(step: Step, depth = 0): boolean {
  if (depth > MOST_NESTED) return true;
  const among = (list: readonly Step[]) => list.some((one) => turns(one, depth + 1));
  switch (step.kind) {
    case 'exit':
      return step.how === 'continue';
    case 'branch':
      return step.arms.some(among);
    case 'block':
    case 'scope':
    case 'attempt':
      return among(step.body);
    case 'loop':
      // With the label of a loop further out.
      return exits(
        step.body,
        ({ how, label }) => how === 'continue' && label !== undefined && label !== step.label,
      );
    case 'call':
      return exits(step.block, ({ how, out }) => how === 'continue' && out === true);
    default:
      return false;
  }
}

/** Whether some way through these steps leaves the loop around, nothing having failed. */
export const mayLeave = kept((steps: readonly Step[]): boolean => steps.some((step) => endsLoop(step)));

function endsLoop(step: Step, depth = 0, inLoop = false): boolean {
  if (depth > MOST_NESTED) return true;
  const among = (list: readonly Step[], inner = inLoop) =>
    list.some((one) => endsLoop(one, depth + 1, inner));
  switch (step.kind) {
    case 'exit':
      return step.how === 'return' || (step.how === 'break' && (!inLoop || step.label !== undefined));
    case 'branch':
      return step.arms.some((arm) => among(arm));
    case 'block':
    case 'scope':
    case 'attempt':
      return among(step.body);
    case 'loop':
      return among(step.body, true);
    case 'call':
      return exits(step.block, ({ how, leaves }) => how === 'return' || leaves !== undefined);
    default:
      return false;
  }
}

const exits = (steps: Step[] | undefined, is: (exit: Exit) => boolean): boolean =>
  steps !== undefined && holds(steps, (step) => step.kind === 'exit' && is(step));

/**
 * A block that is handed over leaves the loop around who hands it where it returns: what leaves the block alone has a
 * label. A `break` may be that of a loop that runs it, unless it says more.
 */
function through(block: Step[], depth: number): Leaving | null {
  const how = leaves(block, depth);
  const says = how === 'break' && exits(block, (exit) => exit.leaves !== undefined);
  return how === 'return' || says ? how : null;
}

function leaving(step: Step, depth: number): Leaving | null {
  switch (step.kind) {
    case 'exit':
      if (step.leaves) return step.leaves === 'loops' ? 'return' : 'break';
      // No handler goes on from it.
      if (step.past) return 'return';
      // A label may be that of a block inside the loop.
      return step.how === 'continue' || (step.how === 'break' && step.label !== undefined) ? null : step.how;
    case 'branch': {
      if (!step.exhaustive || step.arms.length === 0) return null;
      const ways = step.arms.map((arm) => leaves(arm, depth + 1));
      return ways.every((how) => how !== null) ? (ways.includes('break') ? 'break' : ways[0]!) : null;
    }
    case 'block':
      return leaves(step.body, depth + 1);
    case 'call':
      return step.block ? through(step.block, depth + 1) : null;
    case 'scope':
    case 'attempt': {
      const how = leaves(step.body, depth + 1);
      if (!step.handlers?.length) return how;
      if (how !== 'raise') return null;
      // What is raised goes on as its handlers do.
      const ways = step.handlers.map((handler) => leaves(handler.body, depth + 1));
      return ways.every((way) => way !== null) ? (ways.includes('break') ? 'break' : ways[0]!) : null;
    }
    default:
      return null;
  }
}

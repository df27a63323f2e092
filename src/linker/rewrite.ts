// Copies steps with some of them changed, and finds whether any need to be. It changes none in place.
import { inside, type Step } from '../ir.ts';

/** Generated code nests deeply; what lies below this depth is left as it is. */
const DEPTH = 200;

export function holds(steps: Step[], is: (step: Step) => boolean, depth = 0): boolean {
  if (depth >= DEPTH) return false;
  for (const step of steps) {
    if (is(step)) return true;
    for (const inner of inside(step)) if (holds(inner, is, depth + 1)) return true;
  }
  return false;
}

/** Each step with what is inside of it changed first; one step may become several. The very same list where none is another. */
export function rewrite(steps: Step[], change: (step: Step, before: Step) => Step[], depth = 0): Step[] {
  if (depth >= DEPTH) return steps;
  const again = (inner: Step[]) => rewrite(inner, change, depth + 1);
  let out: Step[] | null = null;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!;
    const now = change(within(step, again), step);
    if (!out && (now.length !== 1 || now[0] !== step)) out = steps.slice(0, i);
    if (out) for (const one of now) out.push(one);
  }
  return out ?? steps;
}

/** A copy of a step with what is inside of it changed; where nothing is, the step itself. */
function within(step: Step, again: (inner: Step[]) => Step[]): Step {
  const lists = inside(step);
  if (lists.length === 0) return step;
  const now = lists.map(again);
  if (now.every((list, i) => list === lists[i])) return step;
  let next = 0;
  return copied(step, () => now[next++]!);
}

/** With other lists inside, which are asked for in the order of `inside`. */
function copied(step: Step, again: () => Step[]): Step {
  switch (step.kind) {
    case 'scope':
      return {
        ...step,
        body: again(),
        ...(step.handlers && { handlers: step.handlers.map((handler) => ({ ...handler, body: again() })) }),
      };
    case 'attempt':
      return {
        ...step,
        body: again(),
        handlers: step.handlers.map((handler) => ({ ...handler, body: again() })),
        ...(step.finally && { finally: again() }),
      };
    case 'loop':
    case 'block':
      return { ...step, body: again() };
    case 'branch':
      return { ...step, arms: step.arms.map(again) };
    case 'call':
      return {
        ...step,
        ...(step.block && { block: again() }),
        ...(step.meanings && { meanings: step.meanings.map((meaning) => ({ ...meaning, steps: again() })) }),
      };
    default:
      return step;
  }
}

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
    const now = change(nests(step) ? within(step, again) : step, step);
    if (!out && (now.length !== 1 || now[0] !== step)) out = steps.slice(0, i);
    if (out) for (const one of now) out.push(one);
  }
  return out ?? steps;
}

/** Most steps have nothing inside, and need no look at what would be copied. */
const nests = ({ kind }: Step): boolean =>
  kind === 'call' ||
  kind === 'loop' ||
  kind === 'branch' ||
  kind === 'scope' ||
  kind === 'block' ||
  kind === 'attempt';

/** A copy of a step with what is inside of it changed; where nothing is, the step itself. */
function within(step: Step, again: (inner: Step[]) => Step[]): Step {
  let same = true;
  const changed = (inner: Step[]): Step[] => {
    const now = again(inner);
    same &&= now === inner;
    return now;
  };
  const copy = copied(step, changed);
  return same ? step : copy;
}

function copied(step: Step, again: (inner: Step[]) => Step[]): Step {
  switch (step.kind) {
    case 'scope': {
      const handlers = step.handlers?.map((handler) => ({ ...handler, body: again(handler.body) }));
      return { ...step, body: again(step.body), ...(handlers && { handlers }) };
    }
    case 'attempt':
      return {
        ...step,
        body: again(step.body),
        handlers: step.handlers.map((handler) => ({ ...handler, body: again(handler.body) })),
        ...(step.finally && { finally: again(step.finally) }),
      };
    case 'loop':
    case 'block':
      return { ...step, body: again(step.body) };
    case 'branch':
      return { ...step, arms: step.arms.map(again) };
    case 'call':
      if (!step.block && !step.meanings) return step;
      return {
        ...step,
        ...(step.block && { block: again(step.block) }),
        ...(step.meanings && {
          meanings: step.meanings.map((meaning) => ({ ...meaning, steps: again(meaning.steps) })),
        }),
      };
    default:
      return step;
  }
}

// Changes the steps of one body one by one; the same list where none changes. It knows no language.
import type { Step } from '../ir.ts';

/** Steps of the same body, with what loops and branches have inside; not what calls are handed, which they run as their own. */
export function mapped(steps: Step[], change: (step: Step, inLoop: boolean) => Step, inLoop = false): Step[] {
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

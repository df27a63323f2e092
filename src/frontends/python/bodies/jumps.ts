// What `return`, `break` and `continue` leave that stand in the block of a context manager: the routine, or the loop around. It lowers nothing.
import type { Step } from '../../../ir.ts';
import { mapped } from '../../mapped.ts';

/** The body of a `with`, whose own routine may run it: a jump in it is none of a loop in there. */
export const inWith = (steps: Step[]): Step[] =>
  mapped(steps, (step, inLoop) => {
    if (step.kind !== 'exit' || step.label !== undefined) return step;
    if (step.how === 'return') return { ...step, out: true };
    if (inLoop) return step;
    if (step.how === 'break') return { ...step, leaves: 'loop', out: true };
    return step.how === 'continue' ? { ...step, out: true } : step;
  });

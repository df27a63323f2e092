// What `break` leaves that stands in the block of a context manager: the loop around. It lowers nothing.
import type { Step } from '../../../ir.ts';
import { mapped } from '../../mapped.ts';

/** The body of a `with`, whose own routine may run it: a `break` in it is none of a loop in there. */
export const inWith = (steps: Step[]): Step[] =>
  mapped(steps, (step, inLoop) =>
    step.kind === 'exit' && step.how === 'break' && step.label === undefined && !inLoop
      ? { ...step, leaves: 'loop' }
      : step,
  );

// Queries and statements that a variable holds: what they lock and write happens when somebody asks for their rows. No other steps.
import type { Step } from '../../../ir.ts';
import type { Syntax } from '../../syntax.ts';
import { isQuery, isStatement } from '../names/knowledge.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

const NOTHING: Step[] = [];

export interface Asking extends Place {
  /** What queries that a variable holds lock and write, of which nobody has asked for the rows yet. */
  asking: Map<string, Step[]>;
}

/** Whoever names a query that a variable holds asks for its rows. */
export function asked(c: Asking, node: Syntax): Step[] {
  if (c.asking.size === 0 || node.type !== 'identifier') return NOTHING;
  const name = textOf(c.file, node);
  const steps = c.asking.get(name) ?? NOTHING;
  c.asking.delete(name);
  return steps;
}

export const isLock = (step: Step): boolean =>
  step.kind === 'row lock' ||
  (step.kind === 'call' &&
    step.meanings?.every(({ steps }) => steps.length > 0 && steps.every(isLock)) === true);

/**
 * `orders = Order.objects.select_for_update()`: nothing is locked before somebody asks for the rows, and nothing is
 * written before `insert(Order)` is executed.
 */
export function heldBack(c: Asking, value: Syntax, name: string, steps: Step[]): Step[] {
  c.asking.delete(name);
  const type = value.type === 'call' && steps.length > 0 ? resolve(c, value)?.type?.path : undefined;
  const waits = (step: Step) => isLock(step) || (step.kind === 'write' && isStatement(type!));
  if (type === undefined || !(isQuery(type) || isStatement(type)) || !steps.some(waits)) return steps;
  c.asking.set(name, steps.filter(waits));
  return steps.filter((step) => !waits(step));
}

/** `for order in orders:` has one locked row after the other in that variable. */
export const pickedBy = (steps: Step[], variable: string | undefined): Step[] =>
  variable === undefined || steps.length === 0
    ? steps
    : steps.map((step): Step => {
        if (step.kind === 'row lock')
          return { ...step, keys: [...new Set([...(step.keys ?? []), variable])] };
        const meanings = step.kind === 'call' && isLock(step) ? step.meanings : undefined;
        return meanings
          ? ({
              ...step,
              meanings: meanings.map((one) => ({ ...one, steps: pickedBy(one.steps, variable) })),
            } as Step)
          : step;
      });

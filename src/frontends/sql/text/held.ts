// What DROP, ALTER and their like do that stand in bodies of functions: nothing, until a script calls the function. Not what they mean.
import { type Change, inside, type Name, type Step } from '../../../ir.ts';
import type { Declarations } from './reader.ts';

/** By the function whose body they stand in. */
export type Held = Map<string, Change[]>;

const key = (name: Name) => name.replace(/^sql:public\./, 'sql:');

/** Takes back what was told since there were so many. */
export function hold(held: Held, name: Name, { changes }: Declarations, since: number): void {
  if (changes.length === since) return;
  const all = changes.splice(since);
  // Somebody calls it sometime.
  changes.push(...all.filter(isLasting));
  held.set(key(name), [...(held.get(key(name)) ?? []), ...all.filter((one) => !isLasting(one))]);
}

const isLasting = ({ does }: Change): boolean => does === 'enable policies';

/** Tells what these scripts do by calling functions, which may call others. */
export function tellHeld(held: Held, { routines, changes }: Declarations, scripts: Step[][]): void {
  if (held.size === 0) return;
  const bodies = new Map<string, Step[][]>();
  for (const { name, body } of routines) bodies.set(key(name), [...(bodies.get(key(name)) ?? []), body]);
  const stack = [...scripts];
  for (let steps = stack.pop(); steps; steps = stack.pop())
    for (const step of steps) {
      stack.push(...inside(step));
      if (step.kind !== 'call') continue;
      const called = key(step.callee);
      changes.push(...(held.get(called) ?? []));
      held.delete(called);
      stack.push(...(bodies.get(called) ?? []));
      bodies.delete(called);
    }
}

// What tells one block that is handed to a callee from another. Not how it is run.
import type { Call, Step } from '../ir.ts';
import type { Graph } from './graph.ts';
import { type Closure, type Env, once } from './run.ts';

/** Wrappers within wrappers that are told apart; more than anybody writes. */
const MOST_AROUND = 8;

export function createClosures(graph: Graph) {
  const known = new WeakMap<Step[], boolean>();

  /** Whether it runs the block that its own routine was given. */
  function yieldsIn(steps: Step[]): boolean {
    let yields = known.get(steps);
    if (yields === undefined) {
      known.set(steps, false); // what holds itself asks no further
      yields = steps.some(
        (step) =>
          step.kind === 'yield' ||
          (step.kind === 'call' && step.block ? [step.block] : graph.inside(step)).some(yieldsIn),
      );
      known.set(steps, yields);
    }
    return yields;
  }

  /** The block that is run where these steps are. */
  const blockIn = (steps: Step[], { block }: Env): Closure | null =>
    block && yieldsIn(steps) ? block : null;

  function closureOf(steps: Step[], { at }: Call, env: Env): Closure {
    const around = once(() => blockIn(steps, env));
    const id = once(() => {
      const site = `${env.linked.index}@${at.start}`;
      return around() ? within(around()!.id(), site) : site;
    });
    return { steps, env, around, id };
  }
  return { closureOf, blockIn };
}

/**
 * A wrapper's block that runs the one which the wrapper was given is another for each. What hands its own block on to
 * itself is told once, or there would be no end of them.
 */
function within(around: string, site: string): string {
  const sites = around.split('<');
  return sites.length === MOST_AROUND || sites.includes(site) ? around : `${site}<${around}`;
}

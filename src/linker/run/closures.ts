// What tells one block that is handed to a callee from another. Not how it is run.
import type { Call, Step } from '../../ir.ts';
import type { Graph } from '../graph/graph.ts';
import { type Closure, type Env, type Given, once } from './run.ts';

/** Wrappers within wrappers that are told apart; more than anybody writes. */
const MOST_AROUND = 8;

/** Whether steps run the block that their own routine was given. */
export function createYields(graph: Graph) {
  const known = new WeakMap<readonly Step[], boolean>();
  const inOne = (step: Step): boolean =>
    step.kind === 'yield' ||
    (step.kind === 'call' && step.block ? [step.block] : graph.inside(step)).some(inSome);
  function inSome(steps: readonly Step[]): boolean {
    let yields = known.get(steps);
    if (yields === undefined) {
      known.set(steps, false); // what holds itself asks no further
      yields = steps.some(inOne);
      known.set(steps, yields);
    }
    return yields;
  }
  return { inOne, inSome };
}

export type Closures = ReturnType<typeof createClosures>;

export function createClosures(graph: Graph) {
  const yields = createYields(graph);

  /** The block that is run where these steps are. */
  const blockIn = (steps: Step[], { block }: Env): Closure | null =>
    block && yields.inSome(steps) ? block : null;

  function closureOf(steps: Step[], { at }: Call, env: Env): Closure {
    // What was given is handed on as it is: methods that hand it to each other would make another block of every way.
    const [first, ...others] = steps;
    if (env.block && first?.kind === 'yield' && !first.certainty && others.length === 0) return env.block;
    const around = once(() => blockIn(steps, env));
    const id = once(() => {
      const site = `${env.linked.index}@${at.start}`;
      return around() ? within(around()!.id(), site) : site;
    });
    return { steps, env, at, around, id };
  }

  /** Which block a transaction runs that begins with this step. */
  function blockOf(step: Step, { block, linked }: Env): Closure | null {
    const runs = step.kind === 'begin' ? yields.inSome(linked.body) : yields.inOne(step);
    return runs ? block : null;
  }
  return { closureOf, blockIn, blockOf };
}

/**
 * A wrapper's block that runs the one which the wrapper was given is another for each. What hands its own block on to
 * itself is told once, or there would be no end of them.
 */
function within(around: string, site: string): string {
  const sites = around.split('<');
  return sites.length === MOST_AROUND || sites.includes(site) ? around : `${site}<${around}`;
}

/** The same, without what only a run needs. */
export function givenBy({ steps, env, at, around }: Closure): Given {
  const by = around();
  return { steps, linked: env.linked, at, by: by && givenBy(by) };
}

export const sameGiven = (a: Given | null, b: Given | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.steps === b.steps &&
    a.linked === b.linked &&
    a.at.start === b.at.start &&
    sameGiven(a.by, b.by));

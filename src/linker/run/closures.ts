// What tells one block that is handed to a callee from another. Not how it is run.
import { type Block, type Call, type Exit, inside, type Step, type Yield } from '../../ir.ts';
import type { Graph } from '../graph/graph.ts';
import { kept } from '../kept.ts';
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

const NOTHING: Step[] = [];

/** What a yield runs of what was handed over: of several callables those for the parameter that it calls. */
export function partFor(steps: Step[], { parameter }: Yield): Step[] {
  if (!parameter) return steps;
  if (!steps.some(handedIn)) return parameter.only ? NOTHING : steps;
  const parts = partsOf(steps);
  const key = `${parameter.name} ${parameter.place}`;
  const known = parts.get(key);
  if (known) return known;
  const part = steps.flatMap((step) => {
    const own = handedIn(step);
    return !own ? step : isFor(own, parameter) ? own.body : [];
  });
  parts.set(key, part);
  return part;
}

/** Lists of steps are told apart by which they are, so that a part has to be the same each time. */
const partsOf = kept((_: readonly Step[]) => new Map<string, Step[]>());

type Handed = Block & { handed: string | number };
/** Where nobody knows whether it runs, it stands in a branch. */
function handedIn(step: Step): Handed | undefined {
  if (step.kind === 'branch') return step.arms.length === 1 ? handedIn(step.arms[0]![0]!) : undefined;
  return step.kind === 'block' && step.handed !== undefined ? (step as Handed) : undefined;
}
const isFor = ({ handed }: Handed, { name, place, rest }: NonNullable<Yield['parameter']>): boolean =>
  typeof handed !== 'number'
    ? handed === name
    : handed === place || (rest === true && place !== undefined && handed > place);

/** Jumps out of a block to somewhere in who hands it, one of each kind. */
const jumpsOf = kept((steps: readonly Step[]): Exit[] => {
  const all = steps.flatMap((step) =>
    step.kind === 'exit' ? (step.out ? [step] : []) : inside(step).flatMap(jumpsOf),
  );
  return all.filter((one, i) => all.findIndex(({ how }) => how === one.how) === i);
});

/**
 * The ways through a block that is handed over, by the jump with which each leaves it; none for its end. The callee goes on in
 * any case, and who hands the block goes on where the jump leads.
 */
export function waysOf(block: Closure): { jump: Exit | null; block: Closure }[] {
  const jumps = block.only ? [] : jumpsOf(block.steps);
  if (jumps.length === 0) return [{ jump: null, block }];
  return [null, ...jumps].map((jump) => {
    const only = jump?.how ?? 'end';
    return { jump, block: { ...block, only, id: once(() => `${block.id()}!${only}`) } };
  });
}

export type Closures = ReturnType<typeof createClosures>;

export function createClosures(graph: Graph) {
  const yields = createYields(graph);

  /** The block that is run where these steps are. */
  const blockIn = (steps: Step[], { block }: Env): Closure | null =>
    block && yields.inSome(steps) ? block : null;

  function closureOf(steps: Step[], { at, hands }: Call, env: Env): Closure {
    // What was given is handed on as it is: methods that hand it to each other would make another block of every way.
    const [first, ...others] = steps;
    if (env.block && first?.kind === 'yield' && !first.certainty && others.length === 0)
      return partOf(env.block, first);
    const around = once(() => blockIn(steps, env));
    const id = once(() => {
      const site = `${env.linked.index}@${at.start}`;
      return around() ? within(around()!.id(), site) : site;
    });
    return { steps, env, at, hands, around, id };
  }

  const closuresOf = kept((_: Closure) => new Map<readonly Step[], Closure>());
  /** What a yield runs of the block that its routine was given. */
  function partOf(block: Closure, step: Yield): Closure {
    const steps = partFor(block.steps, step);
    if (steps === block.steps) return block;
    const all = closuresOf(block);
    const known = all.get(steps);
    if (known) return known;
    const id = once(() => `${block.id()}.${step.parameter!.name}`);
    const part: Closure = { ...block, steps, flat: undefined, id };
    all.set(steps, part);
    return part;
  }

  /** Which block a transaction runs that begins with this step. */
  function blockOf(step: Step, { block, linked }: Env): Closure | null {
    const runs = step.kind === 'begin' ? yields.inSome(linked.body) : yields.inOne(step);
    return runs ? block : null;
  }
  return { closureOf, partOf, blockIn, blockOf };
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
export function givenBy({ steps, env, at, hands, around }: Closure): Given {
  const by = around();
  return { steps, linked: env.linked, at, hands, by: by && givenBy(by) };
}

export const sameGiven = (a: Given | null, b: Given | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.steps === b.steps &&
    a.linked === b.linked &&
    a.at.start === b.at.start &&
    sameGiven(a.by, b.by));

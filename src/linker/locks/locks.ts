// Row locks and changes of the same rows in different subtransactions, which cost a multixact: of all transactions. Not how one of them runs.
import type { ForeignKey, Step, Write } from '../../ir.ts';
import { rank } from '../certainty.ts';
import type { Program } from '../definitions/program.ts';
import type { Graph, Reference } from '../graph/graph.ts';
import { kept } from '../kept.ts';
import { add } from '../lists.ts';
import type { LockConflict } from '../model.ts';
import { sameGiven } from '../run/closures.ts';
import type { Summaries } from '../run/effects.ts';
import { type Begun, isAbove, type Known, lastOf } from '../run/record.ts';
import { once } from '../run/run.ts';
import type { Stretch } from '../transactions/stretch.ts';
import { better, type Found } from './conflicts.ts';
import { createContested } from './contested.ts';
import { run } from './locking.ts';
import { createOwners } from './positions.ts';
import { createTouching, type Touching } from './touching.ts';

const MOST_STEPS = 10_000;
/** Where as many transactions as this reach farther than that, everything reaches everything: the rest look nearby. */
const MOST_LONG = 100;
const NEARBY = 250;

/** What one transaction came to; as long as nothing that it leads to is another it does again, with as many steps left. */
interface Ran {
  begun: Begun;
  budget: number;
  long: boolean;
  found: Found[];
}

/** Looks at the transactions of one base again and again; `above` are the routines that lead to what was changed. */
export function createLocks({ linked }: Program, graph: Graph, summaries: Summaries) {
  const parentsOf = kept((step: Write) => referredTo(step, graph));
  const owners = createOwners();
  let before: Known<Ran> = new Map();
  return (all: Begun[], stretch: Stretch, above: Uint8Array | null): LockConflict[] => {
    const touching = createTouching(graph);
    const contested = once(() => createContested(graph, linked, touching, parentsOf));
    const ranOf = (begun: Begun, steps: Step[], budget: number) => {
      const has = mayConflict(begun, steps, summaries, touching) && contested()(begun, steps);
      return has ? run(begun, steps, budget, graph, summaries, touching, has, parentsOf, owners) : NOTHING;
    };
    const found = new Map<string, Found>();
    const now: typeof before = new Map();
    let long = 0;
    for (const begun of all) {
      const others = now.get(begun.step ?? begun.linked);
      if (others?.some((other) => saysAll(other.begun, begun))) continue;
      const last = above && !isAbove(above, begun) ? lastOf(before, begun) : undefined;
      const budget = long < MOST_LONG ? MOST_STEPS : NEARBY;
      const ran =
        last && last.budget === budget ? last : { begun, budget, ...ranOf(begun, stretch(begun), budget) };
      add(now, begun.step ?? begun.linked, ran);
      if (ran.long) long++;
      // The surest and shortest of each pair.
      for (const one of ran.found) {
        const known = found.get(one.id());
        if (!known || better(one, known)) found.set(one.id(), one);
      }
    }
    before = now;
    return [...found.values()].map((one) => one.tell());
  };
}

/** Both run the same, and nothing that is found would rather be told of the second: it is less sure, farther, or of a test. */
function saysAll(first: Begun, second: Begun): boolean {
  if (first.open !== second.open || !sameGiven(first.block, second.block)) return false;
  const product = ({ role }: Begun) => Number(role === 'product');
  const nearer = (first.trail?.length ?? 0) <= (second.trail?.length ?? 0);
  return (
    rank(first.certainty) <= rank(second.certainty) &&
    (product(first) > product(second) || (product(first) === product(second) && nearer))
  );
}

const NOTHING: ReturnType<typeof run> = { long: false, found: [] };

const REFERRING = new Set<Write['verb']>(['insert', 'copy', 'merge', 'update']);

/** The foreign keys into which this writes, and the relations of which that locks a row. */
function referredTo(step: Write, graph: Graph): Reference[] {
  const relation = graph.relation(step);
  if (relation === null || !REFERRING.has(step.verb)) return [];
  const writes = ({ columns }: ForeignKey) =>
    step.verb !== 'update' || columns?.some((column) => step.columns?.includes(column));
  return (graph.parents.get(relation) ?? []).filter(({ key }) => writes(key));
}

/** It takes locks and opens subtransactions, in which there is anything. */
function mayConflict(begun: Begun, steps: Step[], summaries: Summaries, touching: Touching): boolean {
  const { locks, holds } = summaries.on(begun.step?.on).ofSteps(steps, begun.linked.file, begun.block);
  // What stands in one that nothing joins opens for itself.
  const apart = begun.step?.kind === 'scope' && begun.step.joinable === false;
  // Of a routine in which nobody knows of a transaction, no scope is nested by what is around it.
  return locks && (holds || apart) && (begun.step !== null || begun.open || touching.nests(begun.linked));
}

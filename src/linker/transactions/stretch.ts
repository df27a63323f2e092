// The steps of one transaction, as far as they stand in one list, and what else is asked to tell of it. It counts nothing.
import type { Span, Step } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Graph } from '../graph/graph.ts';
import type { Frame, Subtransaction } from '../model.ts';
import type { Summaries } from '../run/effects.ts';
import type { Begun } from '../run/record.ts';
import type { Given } from '../run/run.ts';
import { nameOf } from '../words.ts';

/** In which routine steps stand, and what their yields run. */
export interface Here {
  linked: Linked;
  block: Given | null;
}

export interface Telling {
  graph: Graph;
  summaries: Summaries;
  stretch: Stretch;
  /** The subtransaction of an origin, once it is told. */
  told(origin: Step): Subtransaction | undefined;
}

export type Stretch = (begun: Begun) => Step[];

export function createStretch(graph: Graph): Stretch {
  const places = new Map<Linked, Map<Step, { list: Step[]; index: number }>>();
  const placesIn = (linked: Linked) => {
    let known = places.get(linked);
    if (!known) {
      known = new Map();
      const stack = [linked.body];
      for (let list = stack.pop(); list; list = stack.pop())
        for (const [index, step] of list.entries()) {
          if (step.kind === 'begin') known.set(step, { list, index });
          stack.push(...graph.inside(step));
        }
      places.set(linked, known);
    }
    return known;
  };
  return ({ step, linked }) => {
    if (step === null) return linked.body;
    if (step.kind === 'scope') return step.body;
    if (step.kind !== 'begin') return [step];
    const place = placesIn(linked).get(step);
    if (!place) return [];
    const { list, index } = place;
    let end = index + 1;
    while (end < list.length && list[end]!.kind !== 'commit' && list[end]!.kind !== 'rollback') end++;
    return list.slice(index + 1, end);
  };
}

export const placeOf = ({ file, routine, trigger }: Linked): { file: string; at: Span } => ({
  file,
  at: (routine ?? trigger)!.at,
});

/** Where a step begins the transaction and says so: one statement is a transaction by itself, and so is what an ORM writes alone. */
export function beginning({ step, linked }: Begun): Frame[] {
  if ((step?.kind !== 'scope' && step?.kind !== 'begin') || step.implied) return [];
  return [{ file: linked.file, at: step.at, says: `${nameOf(linked)} begins a transaction` }];
}

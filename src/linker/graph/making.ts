// Whether what runs where a query found no row makes one, itself or by whom it calls. It says nothing of how often that is.
import type { Block, Call, Step, Verb } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Target } from '../names/names.ts';

/** Lists of steps in which such a row is looked for. */
const MOST_LISTS = 5_000;
const INSERTS = new Set<Verb>(['insert', 'merge', 'copy']);

/** Of a graph, what is asked here. */
interface Edges {
  target(call: Call): Target;
  inside(step: Step): Step[][];
  relation(step: Step): string | null;
  holds(step: Step, file: string): boolean;
  leadsTo(index: number): readonly number[];
}

export function createMaking(graph: Edges) {
  const known = new Map<Block, boolean>();

  function makesRow(block: Block, file: string): boolean {
    let makes = known.get(block);
    if (makes === undefined) {
      const relation = graph.relation(block);
      makes = reaches(
        block.body,
        file,
        (step) =>
          step.kind === 'write' &&
          INSERTS.has(step.verb) &&
          (graph.relation(step) ?? step.relation) === relation,
      );
      known.set(block, makes);
    }
    return makes;
  }

  function reaches(start: Step[], file: string, is: (step: Step) => boolean): boolean {
    const seen = new Set<Linked>();
    const queue = [{ steps: start, file }];
    for (let next = 0; next < queue.length && next < MOST_LISTS; next++) {
      const { steps, file } = queue[next]!;
      for (const step of steps) {
        if (!graph.holds(step, file)) continue;
        if (is(step)) return true;
        for (const { to } of step.kind === 'call' && !step.elsewhere ? graph.target(step).routines : []) {
          if (seen.has(to)) continue;
          seen.add(to);
          graph.leadsTo(to.index); // its steps are known then
          queue.push({ steps: to.body, file: to.file });
        }
        for (const inner of graph.inside(step)) queue.push({ steps: inner, file });
      }
    }
    return false;
  }

  return { makesRow, clear: () => known.clear() };
}

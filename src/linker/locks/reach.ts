// The row locks and waits that some steps reach, through callees and triggers. Each routine is looked at once.
import type { Step } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Graph } from '../graph/graph.ts';
import type { Effects } from '../model.ts';

const MOST_FOUND = 20;
const MOST_LISTS = 5_000;

export function reach(start: Step[], file: string, graph: Graph): Pick<Effects, 'locks' | 'waits'> {
  const found: Pick<Effects, 'locks' | 'waits'> = { locks: [], waits: [] };
  const seen = new Set<Linked>();
  const queue = [{ steps: start, file }];
  for (let next = 0; next < queue.length && next < MOST_LISTS; next++) {
    const { steps, file } = queue[next]!;
    const enter = (to: Linked) => {
      if (!seen.has(to)) queue.push({ steps: to.body, file: to.file });
      seen.add(to);
    };
    for (const step of steps) {
      if (!graph.holds(step, file)) continue;
      if (step.kind === 'row lock' && found.locks.length < MOST_FOUND) found.locks.push({ step, file });
      if (step.kind === 'wait' && found.waits.length < MOST_FOUND) found.waits.push({ step, file });
      if (step.kind === 'call' && !step.elsewhere)
        for (const { to } of graph.target(step).routines) enter(to);
      if (step.kind === 'write' || step.kind === 'read') for (const { to } of graph.fires(step)) enter(to);
      for (const inner of graph.inside(step)) queue.push({ steps: inner, file });
    }
  }
  return found;
}

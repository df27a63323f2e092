// Which steps have a say in what rows are held: those that write, lock, open, end or leave, or lead to such. Not what they do to the rows.
import type { Step } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { CHANGES, type Graph, NESTS, spread, TOUCHES } from '../graph/graph.ts';

export interface Touching {
  routine(to: Linked): boolean;
  /** Whether it leads to what opens a subtransaction even where nothing is open. */
  nests(linked: Linked): boolean;
  /** The steps of a list that have a say, in order; each list is looked through once. */
  among(steps: readonly Step[], file: string): readonly Step[];
}

export function createTouching(graph: Graph): Touching {
  const routines = spread(graph, TOUCHES | CHANGES);
  const nesting = spread(graph, NESTS);
  const lists = new Map<readonly Step[], readonly Step[]>();
  const routine = ({ index }: Linked) => routines[index] === 1;

  function among(steps: readonly Step[], file: string): readonly Step[] {
    let some = lists.get(steps);
    if (!some) {
      some = steps.filter((step) => has(step, file));
      lists.set(steps, some);
    }
    return some;
  }

  const any = (lists: readonly (readonly Step[])[], file: string) =>
    lists.some((list) => among(list, file).length > 0);

  function has(step: Step, file: string): boolean {
    if (!graph.holds(step, file)) return step.kind === 'scope' && any([step.body], file);
    if (graph.tooDeep.has(step)) return false;
    switch (step.kind) {
      case 'opaque':
      case 'wait':
      case 'cast':
        return false;
      case 'read':
        return graph.fires(step).some(({ to }) => routine(to));
      case 'call':
        if (step.elsewhere) return false;
        return graph.target(step).routines.some(({ to }) => routine(to)) || any(graph.inside(step), file);
      case 'scope':
      case 'attempt':
      case 'loop':
      case 'block':
        return any(graph.inside(step), file);
      case 'branch': {
        // An arm that leaves at once has no say where another way goes on as it came.
        const arms = step.arms.map((arm) => among(arm, file));
        const passes = !step.exhaustive || arms.some((arm) => arm.length === 0);
        return !passes || arms.some((arm) => arm.length > 0 && arm[0]!.kind !== 'exit');
      }
      default:
        return true;
    }
  }

  return { routine, nests: ({ index }) => nesting[index] === 1, among };
}

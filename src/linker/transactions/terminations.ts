// COMMIT and ROLLBACK where a subtransaction is open: the server refuses them, and a handler may hide that.
import type { Handler, Scope, Step } from '../../ir.ts';
import type { Graph } from '../graph/graph.ts';
import type { Subtransaction, Termination } from '../model.ts';
import type { Site, Terminated } from '../run/record.ts';
import { frames } from '../run/trail.ts';
import { nameOf } from '../words.ts';

export function termination(
  { step, linked, open, trail, certainty }: Terminated,
  site: (id: number) => Site | undefined,
  told: (origin: Step) => Subtransaction | undefined,
  graph: Graph,
): Termination | null {
  const around = open.map((one) => site(one.site)).filter((one) => one !== undefined);
  const innermost = around.at(-1);
  const inside = innermost && told(innermost.origin);
  if (!inside) return null;
  const says = `${step.kind === 'commit' ? 'COMMIT' : 'ROLLBACK'} in ${nameOf(linked)}`;
  return {
    file: linked.file,
    at: step.at,
    says,
    inside,
    inFunction: linked.server && linked.routine?.kind === 'function',
    afterError: inHandler(linked.body, step, graph),
    silent: swallowed(around.map(({ origin }) => origin).reverse(), graph),
    witness: [...frames(trail), { file: linked.file, at: step.at, says }],
    certainty,
  };
}

/** The innermost handler that catches the error decides: it hides it unless it raises again. */
function swallowed(origins: Site['origin'][], graph: Graph): boolean {
  for (const origin of origins) {
    const handler = (origin as Scope).handlers?.find(catches);
    if (handler) return !raises(handler.body, graph);
  }
  return false;
}

const catches = (handler: Handler) =>
  handler.catches.some((name) => /^(others|invalid_transaction_termination|2D000)$/i.test(name));

function raises(steps: Step[], graph: Graph, depth = 0): boolean {
  return steps.some(
    (step) =>
      (step.kind === 'exit' && step.how === 'raise') ||
      (depth < 100 && graph.inside(step).some((list) => raises(list, graph, depth + 1))),
  );
}

/** Whether it stands in a handler of the routine that says it. */
function inHandler(steps: Step[], sought: Step, graph: Graph, handled = false, depth = 0): boolean {
  if (steps.includes(sought)) return handled;
  return (
    depth < 100 &&
    steps.some((step) => {
      const body = step.kind === 'scope' || step.kind === 'attempt' ? step.body : undefined;
      return graph
        .inside(step)
        .some((list) =>
          inHandler(list, sought, graph, handled || (body !== undefined && list !== body), depth + 1),
        );
    })
  );
}

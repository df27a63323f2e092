// Whether a `return` or `break` leaves the block that it was given the name of. It lowers nothing.
import type { Step } from '../../../ir.ts';
import type { Node } from '../syntax/syntax.ts';

/** Whether a step leaves the block of this name. */
export function leavesTo(step: Step, label: string): boolean {
  switch (step.kind) {
    case 'exit':
      return step.label === label;
    case 'branch':
      return step.arms.some((arm) => arm.some((inner) => leavesTo(inner, label)));
    case 'loop':
    case 'block':
      return step.body.some((inner) => leavesTo(inner, label));
    case 'scope':
      return step.body.some((inner) => leavesTo(inner, label));
    case 'attempt':
      return [step.body, ...step.handlers.map((handler) => handler.body), step.finally ?? []].some((list) =>
        list.some((inner) => leavesTo(inner, label)),
      );
    case 'call':
      return (step.block ?? []).some((inner) => leavesTo(inner, label));
    default:
      return false;
  }
}

/** Where it ends anyway. */
export function withoutLastReturn(steps: Step[]): Step[] {
  const last = steps.at(-1);
  if (last?.kind === 'exit' && last.how === 'return') steps.pop();
  return steps;
}

/** Whether a statement's last word is to leave; a `switch` without cases has none. */
export function leaves(node: Node | undefined): boolean {
  if (node?.kind === 'sequence' || node?.kind === 'several') return leaves(node.items.at(-1));
  return node?.kind === 'leave';
}

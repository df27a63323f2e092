// What a `return` or `break` leaves: a lambda, loops, the block that it was given the name of. It lowers nothing.
import type { Exit, Step } from '../../../ir.ts';
import type { Turning } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Leave, Node } from '../syntax/syntax.ts';

/** A lambda around, and the block that is left with it. */
interface Leaving {
  block: string;
  name?: string | undefined;
  isFunction?: true | undefined;
  /** What it was seen to give where it is left. */
  gives?: Typed;
}

/** What is around a statement that may be left. */
export interface Around {
  /** Innermost last. */
  lambdas: Leaving[];
  /** The block that `break` leaves in a switch. */
  breaksTo: string | null;
  /** How many blocks there were in the body: their names are counted. */
  blocks: number;
}

/**
 * Which lambda a `return` leaves; none where it is the method. Kotlin's leaves all of them unless it says which, up to a
 * `fun`: only who is compiled into the place where it is called may be handed such a one.
 */
export function lambdaLeft(
  { label }: Leave,
  around: Leaving[],
  method: string | undefined,
  isKotlin: boolean,
): Leaving | undefined {
  if (!isKotlin) return around.at(-1);
  if (label === undefined) return around.findLast(({ isFunction }) => isFunction);
  return around.findLast(({ name }) => name === label) ?? (label === method ? undefined : around.at(-1));
}

/** `break outer`, `continue outer`: whether it leaves more than a turn of the loop that it is in, or all that there are. */
export function loopsLeft({ how, label }: Leave, turning: Turning[], isOutside: boolean): Exit['leaves'] {
  const at = turning.findLastIndex((one) => one.label === label);
  if (at < 0 || (how === 'continue' && at === turning.length - 1)) return undefined;
  return how === 'break' && at === 0 && isOutside ? 'loops' : 'loop';
}

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

// What an object of the project's own does when the block ends whose resource it is. Libraries' resources the tables tell.
import type { Span, Step } from '../../../ir.ts';
import type { World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';

/** These steps, and at their end what closes such a resource. */
export function closedBehind(steps: Step[], closes: Step[], at: Span): Step[] {
  return closes.length > 0 && steps.length > 0
    ? [{ kind: 'attempt', at, body: steps, handlers: [], finally: closes }]
    : steps;
}

export function closing(type: Typed | null, at: Span, world: World): Step[] {
  if (!type || world.isForeign(type.name) || /[?^]/.test(type.name)) return [];
  if (world.classes.get(type.name)?.methods.has('close') === false) return [];
  return [{ kind: 'call', callee: `jvm:${type.name}.close`, at, args: 0 }];
}

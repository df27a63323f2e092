// What a setting elsewhere decides about scopes: whether nesting opens a savepoint at all. It changes no unit, it copies.
import { inside, type Scope, type Step, type Unit } from '../ir.ts';

type Decide = (scope: Scope) => Scope;

/** Units whose scopes say what the settings of all of them make of nesting. */
export function settle(units: Unit[]): Unit[] {
  const found = new Map<string, Set<string>>();
  for (const { settings, role } of units)
    for (const { effect, of, value } of settings)
      if (effect === 'nested transactions open savepoints' && role !== 'test')
        found.set(of, (found.get(of) ?? new Set()).add(value));
  const decide: Decide = (scope) => {
    if (!scope.setting) return scope;
    const { of, assumed, otherwise } = scope.setting;
    const said = found.get(of);
    // One place that turns it on is enough: which of them a scope meets is not told.
    const on = said ? said.has('true') : assumed;
    return on ? scope : { ...scope, whenNested: otherwise };
  };
  return units.map((unit) => {
    if (!unit.routines.some(({ body }) => depends(body))) return unit;
    const routines = unit.routines.map((routine) =>
      depends(routine.body) ? { ...routine, body: rewrite(routine.body, decide) } : routine,
    );
    return { ...unit, routines };
  });
}

/** Generated code nests deeply; what lies below this depth is left as it is. */
const DEPTH = 200;

function depends(steps: Step[], depth = 0): boolean {
  return (
    depth < DEPTH &&
    steps.some(
      (step) =>
        (step.kind === 'scope' && step.setting !== undefined) ||
        inside(step).some((inner) => depends(inner, depth + 1)),
    )
  );
}

function rewrite(steps: Step[], decide: Decide, depth = 0): Step[] {
  if (depth >= DEPTH) return steps;
  const again = (inner: Step[]) => rewrite(inner, decide, depth + 1);
  return steps.map((step): Step => {
    switch (step.kind) {
      case 'scope': {
        const handlers = step.handlers?.map((handler) => ({ ...handler, body: again(handler.body) }));
        return decide({ ...step, body: again(step.body), ...(handlers && { handlers }) });
      }
      case 'attempt':
        return {
          ...step,
          body: again(step.body),
          handlers: step.handlers.map((handler) => ({ ...handler, body: again(handler.body) })),
          ...(step.finally && { finally: again(step.finally) }),
        };
      case 'loop':
      case 'block':
        return { ...step, body: again(step.body) };
      case 'branch':
        return { ...step, arms: step.arms.map(again) };
      case 'call':
        return {
          ...step,
          ...(step.block && { block: again(step.block) }),
          ...(step.meanings && {
            meanings: step.meanings.map((meaning) => ({ ...meaning, steps: again(meaning.steps) })),
          }),
        };
      default:
        return step;
    }
  });
}

// What a setting elsewhere decides about scopes: whether nesting opens a savepoint at all. It changes no unit, it copies.
import type { Scope, Step, Unit } from '../ir.ts';
import { asks, SETTING } from './asks.ts';
import { rewrite } from './rewrite.ts';

type Decide = (scope: Scope) => Scope;

/** Of several that one name means, each nests. */
const agree = (said: Set<string> | undefined) => said?.has('true') && !said.has('false');

const depends = (body: Step[]) => asks(body, SETTING);

/** Makes the scopes of a unit say what the settings of all of these make of nesting. */
export function settling(units: Unit[]): (unit: Unit) => Unit {
  const found = new Map<string, Set<string>>();
  for (const { settings, role } of units)
    for (const { effect, of, value } of settings)
      if (effect === 'nested transactions open savepoints' && role !== 'test')
        found.set(of, (found.get(of) ?? new Set()).add(value));
  const decide: Decide = ({ nestedBy, ...written }) => {
    if (nestedBy && !nestedBy.some((name) => agree(found.get(name))))
      return { ...written, setting: undefined };
    const scope: Scope = nestedBy ? { ...written, whenNested: 'savepoint' } : written;
    if (!scope.setting) return scope;
    const { of, assumed, otherwise } = scope.setting;
    const said = found.get(of);
    // One place that turns it on is enough: which of them a scope meets is not told.
    const on = said ? said.has('true') : assumed;
    return on ? scope : { ...scope, whenNested: otherwise };
  };
  return (unit) => {
    if (!unit.routines.some(({ body }) => depends(body))) return unit;
    const routines = unit.routines.map((routine) =>
      depends(routine.body)
        ? {
            ...routine,
            body: rewrite(routine.body, (step) => (step.kind === 'scope' ? [decide(step)] : [step])),
          }
        : routine,
    );
    return { ...unit, routines };
  };
}

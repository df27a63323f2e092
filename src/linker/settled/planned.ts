// What is computed before a query looks at its rows, once and not for each of them: immutable functions of constants, and what no volatile function gives a key to be compared with. It copies, it changes no unit.
import type { Routine, Step, Unit } from '../../ir.ts';
import { canonical, lastPart } from '../definitions/sqlname.ts';
import { answered, CONSTANT } from './asks.ts';

/** Takes such calls out of the loops over a query's rows. */
export function planning(units: Unit[]): (unit: Unit) => Unit {
  // All functions are gone over when the first such call is met, which most programs lack.
  let immutable: Set<string> | undefined;
  let volatile: Set<string> | undefined;
  const isOnce = (step: Step) => {
    if (step.kind !== 'call' || !(step.constant || step.compared)) return false;
    const name = lastPart(canonical(step.callee));
    if (step.constant) {
      immutable ??= alone(units, ({ volatility, givesRows }) => volatility === 'immutable' && !givesRows);
      if (immutable.has(name)) return true;
    }
    if (!step.compared) return false;
    volatile ??= alone(units, ({ volatility = 'volatile' }) => volatility === 'volatile');
    return !volatile.has(name);
  };
  const once = (step: Step): Step[] => {
    if (step.kind !== 'loop' || step.over !== 'query' || !step.body.some(isOnce)) return [step];
    const body = step.body.filter((one) => !isOnce(one));
    return [...step.body.filter(isOnce), ...(body.length > 0 ? [{ ...step, body }] : [])];
  };
  return (unit) => answered(unit, CONSTANT, once);
}

/** Names of functions that are so, and that stand for nothing else in any file. */
function alone(units: Unit[], isSo: (routine: Routine) => boolean): Set<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const { routines, dialect } of units)
    for (const routine of dialect === 'other' ? [] : routines)
      if (routine.kind === 'function' && routine.name.startsWith('sql:'))
        (isSo(routine) ? names : others).add(lastPart(canonical(routine.name)));
  return new Set([...names].filter((name) => !others.has(name)));
}

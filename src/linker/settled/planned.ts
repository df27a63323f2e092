// What the planner computes before a query runs: immutable functions of constants, once and not for each row. It copies, it changes no unit.
import type { Step, Unit } from '../../ir.ts';
import { canonical, lastPart } from '../definitions/sqlname.ts';
import { answered, CONSTANT } from './asks.ts';

/** Takes such calls out of the loops over a query's rows. */
export function planning(units: Unit[]): (unit: Unit) => Unit {
  const immutable = immutableNames(units);
  if (immutable.size === 0) return (unit) => unit;
  const isPlanned = (step: Step) =>
    step.kind === 'call' && step.constant === true && immutable.has(lastPart(canonical(step.callee)));
  const once = (step: Step): Step[] => {
    if (step.kind !== 'loop' || step.over !== 'query' || !step.body.some(isPlanned)) return [step];
    const body = step.body.filter((one) => !isPlanned(one));
    return [...step.body.filter(isPlanned), ...(body.length > 0 ? [{ ...step, body }] : [])];
  };
  return (unit) => answered(unit, CONSTANT, once);
}

/** Names that stand for nothing else in any file. */
function immutableNames(units: Unit[]): Set<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const { routines, dialect } of units)
    for (const { name, kind, volatility, givesRows } of dialect === 'other' ? [] : routines)
      if (kind === 'function' && name.startsWith('sql:'))
        (volatility === 'immutable' && !givesRows ? names : others).add(lastPart(canonical(name)));
  return new Set([...names].filter((name) => !others.has(name)));
}

// Attributes that are read, of objects whose classes are of other files: those that are called as no property anywhere is are left out. Whose property it is, names say.
import type { Step, Unit } from '../../ir.ts';
import { answered, READS } from './asks.ts';
import { lastOf } from './line.ts';

/** A copy of a unit without what surely runs nothing, and without what held nothing else. */
export function reading(units: Unit[]): (unit: Unit) => Unit {
  const names = new Set<string>();
  for (const { routines } of units)
    for (const { property, name } of routines) if (property) names.add(lastOf(name));
  const kept = (step: Step): Step[] => {
    if (step.kind === 'call' && step.reads) return names.has(lastOf(step.callee)) ? [step] : [];
    return isHollow(step) ? [] : [step];
  };
  return (unit) => answered(unit, READS, kept);
}

/** A front end makes no loop and no branch around nothing. */
function isHollow(step: Step): boolean {
  if (step.kind === 'branch') return step.arms.every((arm) => arm.length === 0);
  return step.kind === 'loop' && step.body.length === 0;
}

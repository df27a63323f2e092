// What SQL in strings creates: functions and triggers, which are the unit's as if they stood in a file of SQL. It reads no string.
import type { Unit } from '../../../ir.ts';
import type { World } from '../names/scope.ts';

/** Into the unit, each text once: what a call may mean is read for every type that its receiver may have. */
export function createsIn(unit: Unit): World['creates'] {
  const known = new Set<number>();
  return (from, made) => {
    if (known.has(from)) return;
    known.add(from);
    unit.routines.push(...made.routines);
    unit.triggers.push(...made.triggers);
    unit.changes.push(...made.changes);
  };
}

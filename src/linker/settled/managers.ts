// On which connections a scope is that names who manages its transactions, where a program has several. It changes no unit, it copies.
import type { Routine, Step, Unit } from '../../ir.ts';
import { holds, rewrite } from '../rewrite.ts';

/** Most programs have one, by whatever name, and are left as they are. */
export function managing(units: Unit[]): (unit: Unit) => Unit {
  const names = new Set<string>();
  const preferred = new Set<string>();
  for (const { role, settings, routines } of units) {
    if (role === 'test') continue;
    for (const { effect, key, value } of settings)
      if (effect === 'manages transactions') (value === 'preferred' ? preferred : names).add(key);
    addNames(routines, names);
  }
  for (const name of preferred) names.add(name);
  if (names.size < 2) return (unit) => unit;
  const isApart = (step: Step) =>
    step.kind === 'scope' &&
    step.manager !== undefined &&
    !(preferred.size > 0 ? preferred.has(step.manager) : step.usual);
  const change = (step: Step): Step[] => [
    step.kind === 'scope' && isApart(step) ? { ...step, on: step.manager! } : step,
  ];
  return (unit) => {
    if (!unit.routines.some(({ body }) => holds(body, isApart))) return unit;
    return {
      ...unit,
      routines: unit.routines.map((one) => ({ ...one, body: rewrite(one.body, change) })),
    };
  };
}

/** Whether a file names the same ones as before. */
export function managedAlike(before: Unit, unit: Unit): boolean {
  const [a, b] = [new Set<string>(), new Set<string>()];
  addNames(before.routines, a);
  addNames(unit.routines, b);
  return a.size === b.size && [...a].every((name) => b.has(name));
}

function addNames(routines: Routine[], names: Set<string>): void {
  for (const { body } of routines) {
    const name = managerOf(body);
    if (name !== undefined) names.add(name);
  }
}

/** An annotation stands around all that a method does. */
function managerOf(body: Step[]): string | undefined {
  for (let step = body[0]; step && (step.kind === 'scope' || step.kind === 'loop'); step = step.body[0])
    if (step.kind === 'scope' && step.manager !== undefined) return step.manager;
  return undefined;
}

// A savepoint that is released in the routine that set it, and that nothing there ever rolls back to.

import { type Routine, rule } from '../../src/rule.ts';
import { everyStep, type Placed, roleOf, routineName, weigh } from '../say.ts';

export default rule({
  id: 'savepoint-without-rollback',
  severity: 'note',
  summary: 'A savepoint that is released and never rolled back to',
  check(model) {
    return model.units.flatMap((unit) =>
      unit.routines.flatMap((routine) =>
        useless(routine).map(({ step, name }) => ({
          rule: 'savepoint-without-rollback',
          file: unit.file,
          at: step.at,
          severity: weigh('note', { role: roleOf(model, unit.file) }),
          certainty: step.certainty ?? ('certain' as const),
          message:
            `Nothing rolls back to savepoint ${name} in ${routineName(routine.name)}: an error between it and its release fails the whole transaction all the same. ` +
            'What is written in between takes a transaction ID of its own for nothing.',
          remedy: `Take SAVEPOINT ${name} and its release away, or roll back to it where an error may happen.`,
          trace: [],
          subject: `${routine.name} savepoint ${name}`,
          routine: routine.name,
        })),
      ),
    );
  },
});

function useless(routine: Routine): { step: Placed['step']; name: string }[] {
  const set = new Map<string, Placed['step']>();
  const released = new Set<string>();
  const rolledBack = new Set<string>();
  // In a routine of an application others may release it, or roll back to it, later.
  const wholeScript = routine.kind === 'script' && routine.name.startsWith('sql:');
  for (const { step } of everyStep(routine.body)) {
    if (step.kind === 'savepoint' && step.name !== null) set.set(step.name, set.get(step.name) ?? step);
    if (step.kind === 'release' && step.name !== null) released.add(step.name);
    if (step.kind === 'rollback to' && step.name !== null) rolledBack.add(step.name);
    // Whatever cannot be read may roll back to any savepoint.
    if ((step.kind === 'rollback to' && step.name === null) || step.kind === 'opaque') return [];
  }
  return [...set]
    .filter(([name]) => (released.has(name) || wholeScript) && !rolledBack.has(name))
    .map(([name, step]) => ({ step, name }));
}

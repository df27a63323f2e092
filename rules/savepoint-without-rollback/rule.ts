// A savepoint that is released in the routine that set it, and that nothing there ever rolls back to.

import { holds, kept, type Routine, rule, type Unit } from '../../src/rule.ts';
import { everyStep, type Placed, roleOf, routineName, weigh } from '../say.ts';

export default rule({
  id: 'savepoint-without-rollback',
  severity: 'note',
  summary: 'A savepoint that is released and never rolled back to',
  check(model) {
    return model.units.flatMap((unit) =>
      uselessIn(unit).map(({ step, name, released, routine }) => ({
        rule: 'savepoint-without-rollback',
        file: unit.file,
        at: step.at,
        severity: weigh('note', { role: roleOf(model, unit.file) }),
        certainty: step.certainty ?? ('certain' as const),
        message:
          `Nothing ${released ? 'rolls back to' : 'releases or rolls back to'} savepoint ${name} in ${routineName(routine.name, model)}: an error after it fails the whole transaction all the same. ` +
          'What is written meanwhile takes a transaction ID of its own for nothing.',
        remedy: released
          ? `Take SAVEPOINT ${name} and its release away, or roll back to it where an error may happen.`
          : `Take SAVEPOINT ${name} away, or roll back to it where an error may happen.`,
        trace: [],
        subject: `${routine.name} savepoint ${name}`,
        routine: routine.name,
      })),
    );
  },
});

interface Useless {
  step: Placed['step'];
  name: string;
  released: boolean;
  routine: Routine;
}

const uselessIn = kept((unit: Unit): Useless[] => unit.routines.flatMap((one) => useless(one, unit)));

function useless(routine: Routine, { routines }: Unit): Useless[] {
  if (!holds(routine.body, ({ kind }) => kind === 'savepoint')) return []; // nearly all
  // In a routine of an application others may release it, or roll back to it, later: a field is known to all of them.
  const wholeScript = routine.kind === 'script' && routine.name.startsWith('sql:');
  const set = new Map<string, Useless>();
  const rolledBack = new Set<string>();
  for (const { step } of everyStep(routine.body)) {
    if (step.kind === 'savepoint' && step.name !== null && !set.has(step.name))
      set.set(step.name, { step, name: step.name, released: false, routine });
    // Released before it is set: that is another one.
    const before = step.kind === 'release' && step.name !== null && set.get(step.name);
    if (before) before.released = true;
    // Whatever cannot be read may roll back to any savepoint.
    if ((step.kind === 'rollback to' && step.name === null) || step.kind === 'opaque') return [];
  }
  if (set.size === 0) return [];
  for (const { body } of wholeScript ? [routine] : routines)
    for (const { step } of everyStep(body))
      if (step.kind === 'rollback to' && step.name !== null) rolledBack.add(step.name);
  return [...set.values()].filter(({ name, released }) => (released || wholeScript) && !rolledBack.has(name));
}

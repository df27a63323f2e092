// What never comes back to who calls it: functions that always raise an error, told where they are called. It resolves no name: of the server's all that are called alike must be so, of a program's there must be one.
import { inside, type Name, type Routine, type Step, type Unit } from '../../ir.ts';
import { canonical, lastPart } from '../definitions/sqlname.ts';
import { holds, rewrite } from '../rewrite.ts';
import { leaves } from './leaves.ts';

/** Puts the error behind the calls of such, in a copy of the unit; the unit itself where it calls none. */
export function raising(units: Unit[]): (unit: Unit) => Unit {
  const names = alwaysRaise(units);
  if (names.size === 0) return (unit) => unit;
  const isOne = (step: Step) =>
    step.kind === 'call' &&
    !step.elsewhere &&
    !step.perhaps &&
    !step.decorates &&
    names.has(keyOf(step.callee));
  const after = (step: Step): Step[] =>
    isOne(step) ? [step, { kind: 'exit', how: 'raise', at: step.at }] : [step];
  // psql goes on behind a statement that fails: what follows is done once its transaction has ended.
  const ends = ({ kind, body }: Routine) => kind !== 'script' && holds(body, isOne);
  return (unit) => {
    if (!unit.routines.some(ends)) return unit;
    const routines = unit.routines.map((one) =>
      ends(one) ? { ...one, body: rewrite(one.body, after) } : one,
    );
    return { ...unit, routines };
  };
}

/** Whether other functions than before always raise, so that who calls them does something else. */
export const raiseAlike = (before: Unit[], units: Unit[]): boolean => {
  const [a, b] = [alwaysRaise(before), alwaysRaise(units)];
  return a.size === b.size && [...a].every((name) => b.has(name));
};

/** What they are called: of the server's functions the last part, for a call may leave out the schema. */
const keyOf = (name: Name): string => (name.startsWith('sql:') ? lastPart(canonical(name)) : name);

function alwaysRaise(units: Unit[]): Set<string> {
  const out = new Set<string>();
  for (const { routines } of units) for (const one of routines) if (isRaising(one)) out.add(keyOf(one.name));
  // In most programs there is none.
  if (out.size > 0)
    for (const { routines } of units)
      for (const one of routines) if (one.kind !== 'script' && !isRaising(one)) out.delete(keyOf(one.name));
  return out;
}

/** A function that is strict may not run at all, and in the place of a program's method there may be another one. */
const isRaising = ({ name, body, kind, language, strict }: Routine): boolean =>
  (name.startsWith('sql:') ? language === 'plpgsql' && !strict : kind === 'function') &&
  leaves(body) === 'raise' &&
  !returns(body, 0);

const MOST_NESTED = 50;

const returns = (steps: readonly Step[], depth: number): boolean =>
  depth > MOST_NESTED ||
  steps.some(
    (step) =>
      (step.kind === 'exit' && step.how === 'return') ||
      inside(step).some((list) => returns(list, depth + 1)),
  );

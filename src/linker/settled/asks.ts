// What steps leave to be settled by other files, found in one look at each body. Not what those say.
import { type Given, inside, type Name, type Routine, type Step, type Trigger, type Unit } from '../../ir.ts';
import { kept } from '../kept.ts';
import { rewrite } from '../rewrite.ts';

/**
 * It hands over what runs elsewhere; it has a scope that a setting decides, rows that keys decide, a call of constants, items
 * that another file writes out, columns of a row; it hands over a routine by its name; it reads what may be a property.
 */
export const HANDS_OVER = 1;
export const SETTING = 2;
export const PICKS = 4;
export const CONSTANT = 8;
export const LISTS = 16;
export const COLUMNS = 32;
export const POINTED = 64;
export const READS = 128;

/** Generated code nests deeply; what lies below this depth is left as it is. */
const DEPTH = 200;

const all = kept((body: readonly Step[]) => look(body, 0));

/** Half of all bodies are empty: nothing is kept of those. */
export const asks = (body: readonly Step[], what: number): boolean =>
  body.length > 0 && (all(body) & what) > 0;

/** A copy of a unit whose bodies that ask for it have their answers; where none asks, the unit itself. */
export function answered(
  unit: Unit,
  what: number,
  answer: (step: Step, of: Routine | Trigger) => Step[],
): Unit {
  const asking = ({ body }: { body: Step[] }) => asks(body, what);
  if (!unit.routines.some(asking) && !unit.triggers.some(asking)) return unit;
  const again = <T extends Routine | Trigger>(one: T): T =>
    asking(one) ? { ...one, body: rewrite(one.body, (step) => answer(step, one)) } : one;
  return { ...unit, routines: unit.routines.map(again), triggers: unit.triggers.map(again) };
}

/** It is what one of these names holds. */
export const isHeld = (value: Given): value is { of: Name[] } =>
  typeof value === 'object' && value !== null && 'of' in value;

/** `0=7`: of a column that is only known by its place. */
export const isPlace = (key: string): boolean => /^\d+=/.test(key);

function look(steps: readonly Step[], depth: number): number {
  let found = 0;
  for (const step of steps) {
    found |= of(step);
    if (depth + 1 < DEPTH) for (const inner of inside(step)) found |= look(inner, depth + 1);
  }
  return found;
}

function of(step: Step): number {
  switch (step.kind) {
    case 'call':
      return (
        ((step.elsewhere || step.later) && step.block?.length ? HANDS_OVER : 0) |
        (step.constant || step.compared ? CONSTANT : 0) |
        (step.pointed ? POINTED : 0) |
        (step.reads ? READS : 0) |
        (step.given && Object.values(step.given).some(isHeld) ? LISTS : 0)
      );
    case 'scope':
      return step.setting || step.nestedBy || step.computed || step.asked ? SETTING : 0;
    case 'savepoint':
      return step.setting ? SETTING : 0;
    case 'write':
      return step.picked || step.keys?.some(isPlace) ? PICKS : 0;
    case 'row lock':
      return step.picked ? PICKS : 0;
    case 'loop':
      return (
        (step.picked ? PICKS : 0) |
        (step.gives ? COLUMNS : 0) |
        (step.of ? (step.over === 'columns' ? COLUMNS : LISTS) : 0)
      );
    default:
      return 0;
  }
}

// What is handed over to run elsewhere, in another thread or after the commit, as a routine of its own. It takes none away.
import { inside, type Routine, type Step, type Unit } from '../../ir.ts';
import { asks, HANDS_OVER } from './asks.ts';

/** A unit with those routines beside the ones that hand them over. */
export function apart(unit: Unit): Unit {
  const made = unit.routines.flatMap((one) => (asks(one.body, HANDS_OVER) ? handedOver(one) : []));
  return made.length === 0 ? unit : { ...unit, routines: [...unit.routines, ...made] };
}

const DEPTH = 200;

/** Named by their order: a place in a name would make a new finding of an old one. */
function handedOver(routine: Routine): Routine[] {
  const out: Routine[] = [];
  const add = (body: Step[]) =>
    out.push({
      name: `${routine.name}@${out.length + 1}`, at: routine.at, kind: routine.kind, entry: 'job',
      startsIn: 'autocommit', body,
    }); // biome-ignore format: short
  const look = (steps: Step[], depth: number): void => {
    if (depth >= DEPTH) return;
    for (const step of steps) {
      const isKept = step.kind === 'call' && step.later === true;
      if (step.kind === 'call' && (step.elsewhere || isKept) && step.block?.length) add(step.block);
      // What such a call means where nobody here answers it is that its own block runs elsewhere.
      for (const list of isKept ? [step.block ?? []] : inside(step)) look(list, depth + 1);
    }
  };
  look(routine.body, 0);
  return out;
}

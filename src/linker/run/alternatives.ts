// Arms of which one begins or ends a transaction and the other a savepoint: whoever writes both asks what is open. Not how that is asked.
import type { Branch, Step } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { kept } from '../kept.ts';
import { leaves } from '../settled/leaves.ts';
import type { Connection } from './state.ts';

/** `if (current != null) return nested(current);`, before what begins a transaction: where one is open, it likely runs, and the rest does not. */
export const guardsIn = kept((steps: readonly Step[]): ReadonlySet<Step> => {
  const guards = new Set<Step>();
  let begins = false;
  for (const step of steps.toReversed()) {
    if (begins && step.kind === 'branch' && !step.exhaustive && step.arms.length === 1)
      if (goesAway(step.arms[0]!)) guards.add(step);
    begins ||= kindsIn(step).includes('begin');
  }
  return guards;
});

/** It never comes to what stands behind it. */
function goesAway(steps: Step[]): boolean {
  const last = steps.at(-1);
  if (last?.kind === 'attempt') return [last.body, ...last.handlers.map(({ body }) => body)].every(goesAway);
  return leaves(steps) !== null;
}

type Does = 'begins' | 'nests' | 'ends' | 'releases' | null;

/** The arms that may run in what is open: nobody begins a transaction in one, and a savepoint needs one. */
export function armsIn(step: Branch, { tx, open }: Connection, linked: Linked): readonly Step[][] {
  const does = doing(step);
  if (!does) return step.arms;
  const isInside = open.some(({ flat }) => flat);
  // Where a savepoint is opened in the same routine, one that releases or ends may ask anything.
  if (!does.includes('begins') && opensItself(linked)) return step.arms;
  return step.arms.filter((_, i) => {
    const what = does[i];
    if (what === 'begins') return tx !== 'yes';
    if (what === 'nests') return tx !== 'no';
    return isInside === (what === 'releases');
  });
}

const doing = kept(({ arms, exhaustive }: Branch): Does[] | null => {
  if (!exhaustive || arms.length !== 2) return null;
  const does = arms.map(doneBy);
  const has = (one: Does) => does.includes(one);
  return (has('begins') && has('nests')) || (has('ends') && has('releases')) ? does : null;
});

function doneBy(arm: Step[]): Does {
  const kinds = new Set(arm.flatMap(kindsIn));
  const [opens, leaves] = [kinds.has('savepoint'), kinds.has('release')];
  const [begins, ends] = [kinds.has('begin'), kinds.has('commit') || kinds.has('rollback')];
  if (opens || begins) return opens && begins ? null : opens ? 'nests' : 'begins';
  return leaves && ends ? null : leaves ? 'releases' : ends ? 'ends' : null;
}

const kindsIn = (step: Step): Step['kind'][] =>
  step.kind === 'attempt' || step.kind === 'block' ? step.body.flatMap(kindsIn) : [step.kind];

const opensItself = kept(({ body }: Linked): boolean =>
  body.some(
    (step) => step.kind === 'loop' || kindsIn(step).some((kind) => kind === 'savepoint' || kind === 'begin'),
  ),
);

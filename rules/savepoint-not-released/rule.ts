// Savepoints that pile up in one transaction because nothing releases them.
import { type Finding, type Model, ofEach, rule, type Subtransaction, type Visit } from '../../src/rule.ts';
import { asReleased } from '../mend.ts';
import { about, routineName, weigh } from '../say.ts';

export default rule({
  id: 'savepoint-not-released',
  severity: 'warning',
  summary: 'Savepoints that pile up in one transaction, never released',
  check: ofEach(report),
});

function report(model: Model, one: Subtransaction): Finding[] {
  if (one.onlyLast) return [];
  const visit =
    one.visits.find(pilesUp) ??
    (stays(one) && one.leak && one.origin.kind === 'savepoint' ? one.visits[0] : undefined);
  if (!visit) return [];
  const how = leavesOnError(one)
    ? 'not released after an error'
    : (stays(visit) ? visit : one).ends === 'rolled back'
      ? 'rolled back to but not released'
      : one.leak || one.partly
        ? 'not released on every way'
        : 'never released';
  const more =
    visit.context.repeatedBy !== null
      ? ', and every turn of a loop opens another'
      : visit.context.depth > 0
        ? ', and others are open already'
        : '';
  return [
    {
      ...about(one),
      rule: 'savepoint-not-released',
      severity: weigh(isFew(visit) ? 'note' : 'warning', visit),
      certainty: visit.certainty,
      message:
        `The ${one.label} in ${routineName(one.routine, model)} is ${how}${more}. ` +
        "A savepoint of the same name hides the older one and ROLLBACK TO opens it again: each stays a level, with a lock of its own once anything is written, and each check of whether a row is the transaction's own goes through all of them.",
      remedy: remedyFor(one),
      fixes: asReleased(model, one),
      trace: one.leak ? [...visit.witness, one.leak] : visit.witness,
    },
  ];
}

const stays = ({ ends }: Pick<Visit, 'ends'>) => ends === 'left open' || ends === 'rolled back';

const leavesOnError = ({ origin }: Subtransaction) =>
  origin.kind === 'scope' && origin.releases === 'on success';

/** In the words of whoever opened it: who calls an API does not write RELEASE. */
function remedyFor(one: Subtransaction): string {
  if (leavesOnError(one))
    return `${one.label} releases its savepoint only when the block succeeds: check before writing, so that it does not fail, or end the transaction every few turns.`;
  if (one.origin.kind === 'scope')
    return `${one.label} does not release its savepoint: end the transaction every few turns, or do without it.`;
  return RELEASES[one.routine.slice(0, one.routine.indexOf(':'))] ?? RELEASES.sql!;
}

const RELEASES: Record<string, string> = {
  sql: 'RELEASE it when the work is done, and after ROLLBACK TO as well.',
  jvm: 'Call releaseSavepoint() when the work is done, and after rollback(savepoint) as well.',
  python:
    'Release it when the work is done (RELEASE SAVEPOINT, Django: savepoint_commit()), and after the rollback to it as well.',
  ruby: 'Release it when the work is done (RELEASE SAVEPOINT, ActiveRecord: release_savepoint), and after the rollback to it as well.',
};

/** Attempts that are counted are few: a level for each harms little. */
const isFew = ({ context: { times } }: Visit) => times !== null && times <= 10;
/** What a test leaves open without a loop ends with the test: two levels harm nobody. */
const pilesUp = (visit: Visit) =>
  stays(visit) &&
  (visit.context.repeatedBy !== null ||
    (visit.context.depth > 0 && visit.entry !== 'test' && visit.role !== 'test'));

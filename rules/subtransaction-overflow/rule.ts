// More subtransactions in one transaction than a session can advertise, where no loop or row trigger is to blame.
import { type Finding, type Model, type Place, rule, type Transaction } from '../../src/rule.ts';
import { isTooOften } from '../repeated.ts';
import { everyStep, routineName, weigh } from '../say.ts';

const PLACES = 64;

export default rule({
  id: 'subtransaction-overflow',
  severity: 'error',
  summary: 'A transaction that opens more than 64 subtransactions that write',
  check(model) {
    const told = repetitions(model);
    return model.transactions.flatMap((one) => {
      if (!one.overflow) return one.counts === PLACES ? [justFull(one)] : [];
      const { at, witness } = one.overflow;
      // A row trigger that fires for rows of its own: what it repeats is told where that stands, for all triggers at once.
      if (placeOf(at) === placeOf(one) && witness[0]?.repeats && placeOf(witness[0]) === placeOf(one))
        return [];
      return [at, ...witness].some((frame) => told.has(placeOf(frame))) ? [] : [found(model, one)];
    });
  },
});

const placeOf = ({ file, at }: Place) => `${file}@${at.start}`;

/** What subtransaction-in-loop and subtransaction-per-row tell, and by what it is repeated: that is told once. */
function repetitions(model: Model): Set<string> {
  const told = new Set<string>();
  for (const one of model.subtransactions)
    for (const visit of one.visits)
      if (isTooOften(one, visit)) {
        told.add(placeOf(one));
        for (const frame of visit.witness) if (frame.repeats) told.add(placeOf(frame));
      }
  return told;
}

const shared = (one: Transaction) => ({
  rule: 'subtransaction-overflow',
  file: one.file,
  at: one.at,
  certainty: one.certainty,
  subject: `${one.routine} overflow`,
  routine: one.routine,
});

function found(model: Model, one: Transaction): Finding {
  const { at, witness, unbounded } = one.overflow!;
  const where = routineName(one.routine);
  const surely = unbounded || one.least > PLACES;
  const fact = unbounded
    ? `The number of subtransactions that write in the transaction of ${where} has no bound: ${at.says}.`
    : `The transaction of ${where} opens ${surely ? '' : 'up to '}${one.counts} subtransactions that write; the 65th: ${at.says}.`;
  const prepared = prepares(model, one) ? ' PREPARE TRANSACTION keeps it so until COMMIT PREPARED.' : '';
  return {
    ...shared(one),
    certainty: surely || one.certainty === 'possible' ? one.certainty : 'likely',
    severity: weigh('error', one),
    message: `${fact} A session has 64 places for them; from the 65th on every session must look up pg_subtrans until this transaction ends.${prepared}`,
    remedy:
      'End the transaction earlier, put one subtransaction around several calls, or do without those that only prevent an error which can be checked for.',
    trace: witness,
  };
}

function justFull(one: Transaction): Finding {
  return {
    ...shared(one),
    severity: 'note',
    message: `The transaction of ${routineName(one.routine)} opens 64 subtransactions that write: as many as a session has places for. A standby overflows at 64 already.`,
    remedy: 'End the transaction earlier, or put one subtransaction around several calls.',
    trace: [],
  };
}

function prepares(model: Model, one: Transaction): boolean {
  const routine = model.routine(one.routine)?.routine;
  return [...everyStep(routine?.body ?? [])].some(
    ({ step }) => step.kind === 'commit' && step.prepares === true,
  );
}

// More subtransactions in one transaction than a session can advertise, where no loop or row trigger is to blame.
import { type Finding, type Model, rule, type Transaction } from '../../src/rule.ts';
import { everyStep, routineName, weigh } from '../say.ts';

const PLACES = 64;

export default rule({
  id: 'subtransaction-overflow',
  severity: 'error',
  summary: 'A transaction that opens more than 64 subtransactions that write',
  check(model) {
    const repeated = new Set(
      model.subtransactions
        .filter(({ visits }) => visits.some(({ context }) => context.repeatedBy !== null))
        .map(({ file, at }) => `${file}@${at.start}`),
    );
    return model.transactions.flatMap((one) => {
      const at = one.overflow?.at;
      if (at && repeated.has(`${at.file}@${at.at.start}`)) return []; // told as in-loop or per-row, once
      if (one.overflow) return [found(model, one)];
      return one.counts === PLACES ? [justFull(one)] : [];
    });
  },
});

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
  const fact = unbounded
    ? `The number of subtransactions that write in the transaction of ${where} has no bound: ${at.says}.`
    : `The transaction of ${where} opens ${one.counts} subtransactions that write; the 65th: ${at.says}.`;
  const prepared = prepares(model, one) ? ' PREPARE TRANSACTION keeps it so until COMMIT PREPARED.' : '';
  return {
    ...shared(one),
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

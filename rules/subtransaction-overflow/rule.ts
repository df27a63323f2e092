// More subtransactions in one transaction than a session can advertise, where no loop or row trigger is to blame.
import {
  type Finding,
  kept,
  type Model,
  type Place,
  rule,
  type Subtransaction,
  type Transaction,
} from '../../src/rule.ts';
import { isTooOften } from '../repeated.ts';
import { everyStep, routineName, weigh } from '../say.ts';

const PLACES = 64;

export default rule({
  id: 'subtransaction-overflow',
  severity: 'error',
  summary: 'A transaction that opens more than 64 subtransactions that write',
  check(model) {
    const told = repetitions(model);
    const causes = new Map<string, Transaction[]>();
    const full = new Map<string, Transaction>();
    for (const one of model.transactions) {
      if (!one.overflow && one.counts === PLACES) full.set(placeOf(one), one);
      if (!one.overflow || isTold(one, told)) continue;
      const { at, unbounded } = one.overflow;
      // What has no bound is one cause, whoever begins the transaction; calls that add up do so in each by itself, also for
      // several classes that inherit it.
      const key = unbounded ? placeOf(at) : `from ${placeOf(one)}`;
      causes.set(key, [...(causes.get(key) ?? []), one]);
    }
    return [
      ...[...causes.values()].map((some) => found(model, some)),
      ...[...full.values()].map((one) => justFull(model, one)),
    ];
  },
});

function isTold(one: Transaction, told: Set<string>): boolean {
  const { at, witness, unbounded } = one.overflow!;
  // What a loop repeats is told by what it opens, whichever way leads there.
  if (unbounded && at.repeats) return true;
  // A row trigger that fires for rows of its own: what it repeats is told where that stands, for all triggers at once.
  if (placeOf(at) === placeOf(one) && witness[0]?.repeats && placeOf(witness[0]) === placeOf(one))
    return true;
  return [at, ...witness].some((frame) => told.has(placeOf(frame)));
}

const placeOf = ({ file, at }: Place) => `${file}@${at.start}`;

/** What subtransaction-in-loop and subtransaction-per-row tell, and by what it is repeated: that is told once. */
function repetitions(model: Model): Set<string> {
  const told = new Set<string>();
  for (const one of model.subtransactions) for (const place of repeatedAt(one)) told.add(placeOf(place));
  return told;
}

const repeatedAt = kept((one: Subtransaction): Place[] =>
  one.visits
    .filter((visit) => isTooOften(one, visit))
    .flatMap(({ witness }) => [one, ...witness.filter(({ repeats }) => repeats)]),
);

const shared = (one: Transaction) => ({
  rule: 'subtransaction-overflow',
  file: one.file,
  at: one.at,
  certainty: one.certainty,
  subject: `${one.routine} overflow`,
  routine: one.routine,
});

/** The product first, and what stands beside the cause. */
const rank = ({ role, entry, overflow, file }: Transaction) =>
  (weigh('error', { role, entry }) === 'error' ? 0 : 1000) +
  (file === overflow!.at.file ? 0 : 100) +
  overflow!.witness.length;

function found(model: Model, some: Transaction[]): Finding {
  const [one, ...others] = some.sort((a, b) => rank(a) - rank(b)) as [Transaction, ...Transaction[]];
  const { at, witness, unbounded } = one.overflow!;
  const where = routineName(one.routine, model);
  const surely = unbounded || one.least > PLACES;
  const fact = unbounded
    ? `Nothing in the code bounds how many subtransactions that write the transaction of ${where} opens: ${at.says}.`
    : `The transaction of ${where} ${howMany(one)} subtransactions that write; the 65th: ${at.says}.`;
  const prepared = prepares(model, one)
    ? ' PREPARE TRANSACTION keeps it so until COMMIT PREPARED or ROLLBACK PREPARED.'
    : '';
  const more = others.length > 0 ? ` ${some.length} transactions come to it.` : '';
  return {
    ...shared(one),
    certainty: surely || one.certainty === 'possible' ? one.certainty : 'likely',
    // How deep a recursion goes only its data says.
    severity: weigh(unbounded && !at.repeats ? 'warning' : 'error', one),
    message: `${fact} A session has 64 places for them; from the 65th on every session must look up pg_subtrans until this transaction ends.${prepared}${more}`,
    remedy:
      'End the transaction earlier, put one subtransaction around several calls, or do without those that only prevent an error which can be checked for.',
    trace: witness,
    others: others.length > 0 ? others.map(({ overflow }) => overflow!.witness) : undefined,
  };
}

function howMany({ counts, least }: Transaction): string {
  if (counts === Number.POSITIVE_INFINITY)
    return `${least > PLACES ? 'opens' : 'may open'} more than ${PLACES}`;
  return `opens ${least > PLACES ? '' : 'up to '}${counts}`;
}

function justFull(model: Model, one: Transaction): Finding {
  return {
    ...shared(one),
    severity: 'note',
    message: `The transaction of ${routineName(one.routine, model)} opens ${one.least < PLACES ? 'up to ' : ''}64 subtransactions that write: as many as a session has places for. A standby overflows at 64 already.`,
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

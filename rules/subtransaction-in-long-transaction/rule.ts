// A subtransaction that writes, in a transaction that also waits for something outside the database.
import { type Finding, type Model, rank, rule, type Transaction, weaker } from '../../src/rule.ts';
import { about, routineName, weigh } from '../say.ts';

/** With so many a standby overflows, and with one more the primary does. */
const MANY = 64;

export default rule({
  id: 'subtransaction-in-long-transaction',
  severity: 'warning',
  summary:
    'A subtransaction that writes in a transaction that also sleeps, calls the network or waits for a person',
  check(model) {
    const told = new Map<string, Finding>();
    // A test that waits keeps nobody's transaction open but its own.
    const product = model.transactions.filter(({ entry, role }) => entry !== 'test' && role !== 'test');
    for (const transaction of product)
      for (const wait of transaction.waits) {
        const { file, at, effects } = wait.subtransaction;
        const place = `${file}@${at.start}`;
        // Locks are waited for everywhere, and mostly not for long.
        if (wait.step.for === 'lock' || effects.writes !== 'yes') continue;
        const before = told.get(place);
        const one = found(model, transaction, wait);
        if (!before || rank(one.certainty) < rank(before.certainty)) told.set(place, one);
      }
    return [...told.values()];
  },
});

const WAITS: Record<string, string> = {
  sleep: 'sleeps',
  network: 'calls the network',
  process: 'runs another program',
  thread: 'waits for another thread',
  user: 'waits for a person',
};

function found(model: Model, transaction: Transaction, wait: Transaction['waits'][number]): Finding {
  const one = wait.subtransaction;
  const many = transaction.counts >= MANY;
  return {
    ...about(one),
    rule: 'subtransaction-in-long-transaction',
    severity: weigh(many ? 'warning' : 'note', transaction),
    certainty: many ? weaker(transaction.certainty, wait.certainty) : wait.certainty,
    message:
      `The ${one.label} in ${routineName(one.routine, model)} writes in a transaction that also ${WAITS[wait.step.for]}. ` +
      (many
        ? 'From its 65th subtransaction on every session must look up pg_subtrans, for as long as that takes.'
        : 'Should another transaction open 64 subtransactions meanwhile, queries on standbys look up pg_subtrans until this one ends too.'),
    remedy: 'Do that before the transaction begins or after it ends; or do without the subtransaction.',
    trace: wait.witness,
  };
}

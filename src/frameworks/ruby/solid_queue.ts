// Solid Queue: a job is a row, which its callback makes ready in a savepoint, wherever the queue shares the database. Not who runs it.
import { framework, type Meaning } from '../../framework.ts';

const GEM = 'gem:activerecord';

const insert = { verb: 'insert', rows: 'one', withoutCallbacks: true } as const;
/** `Job.create!`, whose `after_create` is a `create_or_find_by!`: the transaction has sent its INSERT by then. */
const enqueued = (range: string): Meaning => ({
  since: { package: GEM, range },
  scope: {
    opens: 'transaction',
    whenNested: 'join',
    // Where the queue has a database of its own, or jobs wait for the commit.
    setting: { of: 'solid_queue', assumed: true, otherwise: 'elsewhere' },
  },
  write: insert,
  inside: [
    {
      scope: {
        opens: 'transaction',
        whenNested: 'savepoint',
        releases: 'on success',
        label: 'job of Solid Queue',
        instead:
          'Let jobs wait for the commit (enqueue_after_transaction_commit), or enqueue them once the transaction has ended.',
      },
      write: insert,
    },
  ],
});
/** 7.2 waits for the commit, as 8.2 does; 8.0 and 8.1 do not unless they are told. */
const kept: Meaning = { inside: [enqueued('>=7.1 <7.2'), enqueued('>=8.0 <8.2')] };

export default framework({
  name: 'solid queue',
  language: 'ruby',
  packages: ['gem:solid_queue'],
  // What else is set has `transaction` in it.
  needles: ['solid_queue'],
  configures: {
    'active_job.queue_adapter': {
      is: ':solid_queue',
      calls: { perform_later: kept, deliver_later: kept, 'deliver_later!': kept },
    },
    'solid_queue.connects_to': { turnsOff: ['solid_queue'], unless: 'nil' },
  },
});

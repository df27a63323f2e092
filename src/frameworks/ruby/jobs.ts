// Job queues, event stores and mailers of Ruby: what runs elsewhere, and the two that open savepoints by themselves.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';

const later: Meaning = { elsewhere: true };
const activeJob: Meaning = { ...later, configured: 'ActiveJob' };
const mail: Meaning = { ...activeJob, defers: true };
/** The job runs in the caller. */
const now: Meaning = { calls: ['perform'] };
const nested: ScopeMeaning = {
  opens: 'transaction',
  whenNested: 'savepoint',
  releases: 'on success',
  lazy: true,
  restarts: { package: 'gem:activerecord', range: '>=7.1' },
};
const publish: Meaning = {
  scope: nested,
  write: { verb: 'insert', rows: 'many', withoutCallbacks: true },
};

/** GoodJob writes many jobs at once under `transaction(requires_new: true)`; one job is saved as any record is. */
const bulk: Meaning = {
  scope: nested,
  write: { verb: 'insert', rows: 'many', withoutCallbacks: true },
};

/**
 * Those that wait are counted before another one is enqueued, unless that waits for the commit, as it does from Rails 8.2 on. That is always
 * rolled back, which leaves the savepoint open: the job's row is written in it.
 */
const limited: Meaning = {
  since: { package: 'gem:good_job', range: '>=4.1.1' },
  inside: [
    {
      since: { package: 'gem:activerecord', range: '<8.2' },
      swallows: 'ActiveRecord::Rollback',
      undone: true,
      read: { rows: 'many' },
      scope: {
        ...nested,
        label: "count of GoodJob's concurrency",
        setting: { of: 'good_job', assumed: true, otherwise: 'elsewhere' },
        instead:
          'Let jobs wait for the commit (enqueue_after_transaction_commit), or enqueue them once the transaction has ended.',
      },
    },
    { write: { verb: 'insert', rows: 'one', withoutCallbacks: true } },
  ],
};
const LIMITED = 'GoodJob::ActiveJobExtensions::Concurrency::Limited';
const LIMITS = ['total_limit', 'enqueue_limit', 'enqueue_throttle'];

export default framework({
  name: 'ruby jobs',
  language: 'ruby',
  packages: ['gem:good_job', 'gem:sidekiq', 'gem:rails_event_store', 'gem:ruby_event_store-active_record'],
  needles: ['event_store', 'EventStore', 'perform_later', 'perform_all_later', 'GoodJob'],
  apis: {
    // Only an upper bound asks that the package is there at all: it stands in no manifest otherwise.
    'ActiveJob.perform_all_later': { since: { package: 'gem:good_job', range: '<1000' }, ...bulk },
    // The block comes first, and what it enqueued is written after it.
    'GoodJob::Bulk.enqueue': { inside: [{}, bulk] },
    'GoodJob::Batch.enqueue': { inside: [{}, bulk] },
  },
  marks: {
    good_job_control_concurrency_with: { by: LIMITS, is: LIMITED },
    good_job_concurrency_rule: { by: LIMITS, is: LIMITED },
  },
  configures: {
    enqueue_after_transaction_commit: { turnsOff: ['solid_queue', 'good_job'], unless: 'false' },
  },
  types: {
    [LIMITED]: { '.perform_later': limited },
    // A command that is a class: asked of it, it runs an object of it. Those of the first four were seen to do so; Micro::Case,
    // ActiveInteraction and Mutations are as their guides have it.
    Interactor: { '.call': { calls: ['call'] }, '.call!': { calls: ['call'] } },
    Mandate: { '.call': { calls: ['call'] } },
    SimpleCommand: { '.call': { calls: ['call'] } },
    Actor: { '.call': { calls: ['call'] }, '.result': { calls: ['call'] } },
    'Micro::Case': { '.call': { calls: ['call!'] } },
    'ActiveInteraction::Base': {
      '.run': { calls: ['execute'] },
      '.run!': { calls: ['execute'] },
      '#compose': { of: 0, calls: ['execute'] },
    },
    'Trailblazer::Operation': { '.call': { calls: ['call'] }, '.wtf?': { calls: ['call'] } },
    'Trailblazer::Activity::Railway': { '.call': { calls: ['call'] } },
    'Mutations::Command': { '.run': { calls: ['execute'] }, '.run!': { calls: ['execute'] } },
    // `enqueue` writes a row for a worker; `run` of the class is run at once.
    'Que::Job': { '.enqueue': later, '.run': { calls: ['run'] } },
    'RailsEventStore::Client': { '#publish': publish, '#append': publish },
    'RailsEventStore::JSONClient': { '#publish': publish, '#append': publish },
    'RubyEventStore::Client': { '#publish': publish, '#append': publish },
  },
  receivers: {
    'Rails.configuration.event_store': 'RailsEventStore::Client',
    'Rails.application.config.event_store': 'RailsEventStore::Client',
  },
  methods: {
    perform_later: activeJob,
    perform_async: later,
    perform_in: later,
    perform_at: later,
    perform_bulk: later,
    perform_now: now,
    perform_inline: now,
    perform_sync: now,
    deliver_later: mail,
    'deliver_later!': mail,
  },
  entries: {
    'ActiveJob::Base': 'job',
    ApplicationJob: 'job',
    'Sidekiq::Worker': 'job',
    'Sidekiq::Job': 'job',
    ApplicationWorker: 'job',
    'Que::Job': 'job',
  },
  runs: { 'Que::Job': 'run' },
  called: { Job: { is: 'job' }, Worker: { is: 'job' } },
  declares: {
    'around actions': 'around_perform',
    // Of Delayed Job.
    later: 'handle_asynchronously',
    // Of Interactor and Actor, and of Trailblazer and dry-transaction.
    commands: 'organize play',
    step: 'step map tee try check pass',
    'around command': 'around',
  },
  rowless: ['ActiveJob'],
});

// Job queues, event stores and mailers of Ruby: what runs elsewhere, and the two that open savepoints by themselves.
import { framework, type Meaning } from '../framework.ts';

const later: Meaning = { elsewhere: true };
const publish: Meaning = {
  scope: { opens: 'transaction', whenNested: 'savepoint', releases: 'on success', lazy: true },
  write: { verb: 'insert', rows: 'many', withoutCallbacks: true },
};

export default framework({
  name: 'ruby jobs',
  language: 'ruby',
  packages: ['gem:good_job', 'gem:sidekiq', 'gem:rails_event_store', 'gem:ruby_event_store-active_record'],
  needles: ['RailsEventStore', 'RubyEventStore', 'event_store', 'perform_later', 'Sidekiq'],
  types: {
    'RailsEventStore::Client': { '#publish': publish, '#append': publish },
    'RailsEventStore::JSONClient': { '#publish': publish, '#append': publish },
    'RubyEventStore::Client': { '#publish': publish, '#append': publish },
  },
  methods: {
    perform_later: {
      elsewhere: true,
      inside: [
        {
          // Only an upper bound asks that the package is there at all: it stands in no manifest otherwise.
          since: { package: 'gem:good_job', range: '<1000' },
          scope: {
            opens: 'transaction',
            whenNested: 'savepoint',
            releases: 'on success',
            lazy: true,
            label: "GoodJob's enqueue",
          },
          write: { verb: 'insert', rows: 'one', withoutCallbacks: true },
        },
      ],
    },
    perform_async: later,
    perform_in: later,
    perform_at: later,
    perform_bulk: later,
    deliver_later: later,
    'deliver_later!': later,
  },
  entries: {
    'Sidekiq::Worker': 'job',
    'Sidekiq::Job': 'job',
    ApplicationWorker: 'job',
    'Que::Job': 'job',
  },
});

// Flipper with its ActiveRecord adapter: what writes a feature or one of its gates does so in a savepoint each. Asking opens none.
import { framework, type Meaning } from '../../framework.ts';

// Only an upper bound asks that the package is there at all: another adapter keeps them elsewhere.
const since = { package: 'gem:flipper-active_record', range: '<1000' };
const write: Meaning = {
  since,
  scope: {
    opens: 'transaction',
    whenNested: 'savepoint',
    releases: 'on success',
    lazy: true,
    restarts: { package: 'gem:activerecord', range: '>=7.1' },
  },
  write: { verb: 'insert', rows: 'one', withoutCallbacks: true },
};
/** A feature that is there already is only asked for. */
const known: Meaning = { ...write, write: undefined, read: { rows: 'one' } };
const enable: Meaning = { inside: [known, write] };

const ENABLING =
  'enable enable_actor enable_group enable_percentage_of_actors enable_percentage_of_time enable_expression';

export default framework({
  name: 'flipper',
  language: 'ruby',
  packages: ['gem:flipper-active_record'],
  needles: ['Flipper'],
  apis: Object.fromEntries(ENABLING.split(' ').map((name) => [`Flipper.${name}`, enable])),
});

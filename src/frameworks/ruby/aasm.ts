// AASM: an event of a model's state machine that saves it has a savepoint around, unless the machine says otherwise. Not what else an event runs.
import { framework, type ScopeMeaning } from '../../framework.ts';

const joined: ScopeMeaning = { opens: 'transaction', whenNested: 'join' };

export default framework({
  name: 'aasm',
  language: 'ruby',
  packages: ['gem:aasm'],
  needles: ['aasm'],
  declares: { states: 'aasm' },
  types: {
    'ActiveRecord::Base': {
      // `pay!` asks it; the options are those of `aasm do`.
      '#aasm_fire_event': {
        scope: {
          opens: 'transaction',
          whenNested: 'savepoint',
          releases: 'on success',
          lazy: true,
          restarts: { package: 'gem:activerecord', range: '>=7.1' },
        },
        when: [
          { argument: 'requires_new_transaction', is: 'false', then: { scope: joined } },
          { argument: 'use_transactions', is: 'false', then: { scope: joined } },
          { argument: 'requires_lock', is: 'true', then: { rowLock: { strength: 'update' } } },
        ],
      },
    },
  },
});

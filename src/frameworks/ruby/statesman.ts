// Statesman with its ActiveRecord adapter: a transition is a row, written in a savepoint, with what the machine runs around it. Not what that is.
import { framework, type Meaning } from '../../framework.ts';

const transition: Meaning = {
  scope: {
    opens: 'transaction',
    whenNested: 'savepoint',
    releases: 'on success',
    lazy: true,
    restarts: { package: 'gem:activerecord', range: '>=7.1' },
  },
  write: { verb: 'insert', rows: 'one', ofOther: true },
  calls: ['execute'],
  hands: 0,
};

const anywhere: Meaning = {
  ...transition,
  calls: undefined,
  hands: undefined,
  since: { package: 'gem:statesman', range: '<1000' },
};

export default framework({
  name: 'statesman',
  language: 'ruby',
  packages: ['gem:statesman'],
  needles: ['Statesman', 'transition_to'],
  declares: { transition: 'before_transition after_transition' },
  // Of what nobody knows only where the gem is there; without an upper bound it might be in no manifest.
  methods: { 'transition_to!': anywhere, transition_to: anywhere },
  types: { 'Statesman::Machine': { '#transition_to!': transition, '#transition_to': transition } },
});

// The inventory: every place that opens a subtransaction.
import { type Finding, type Model, ofEach, rule, type Subtransaction, type Visit } from '../../src/rule.ts';
import { isAlways, routineName } from '../say.ts';

/** A savepoint is one, however unsure the way that leads to it. */
function certaintyOf(one: Subtransaction): Finding['certainty'] {
  const found = one.visits[0]?.certainty ?? 'likely';
  return isAlways(one) && found === 'possible' ? 'likely' : found;
}

const isOutside = ({ context }: Visit) => context.inTransaction === 'no';

/** A setting opens them where no code says so. */
function set({ file, at, key, value, of, effect, alone, role }: Model['settings'][number]): Finding[] {
  const when = {
    'savepoint per statement': 'every statement of a transaction',
    'savepoint per failing statement': 'many statements of a transaction',
    'nested transactions open savepoints': alone && 'each transaction inside another one',
  }[effect as string];
  if (!when || role === 'example') return [];
  return [
    {
      rule: 'subtransaction',
      file,
      at,
      severity: 'note',
      certainty: 'likely',
      message: `${key}=${value} makes ${of} open a subtransaction for ${when}.`,
      remedy: 'Where the project wants none, turn it off.',
      trace: [],
      subject: `${of} ${key}`,
    },
  ];
}

const placed = ofEach((model, one): Finding[] => {
  const { file, at, label, routine, origin, effects, visits } = one;
  const refused = origin.kind === 'savepoint' && visits.length > 0 && visits.every(isOutside);
  const cost = {
    yes: 'It writes, so it takes a transaction ID and one of the 64 places of its session',
    no: 'Nothing inside writes or locks a row, so it takes no transaction ID and no place',
    unknown: 'Whether it writes could not be read',
  }[effects.writes];
  return [
    {
      rule: 'subtransaction',
      file,
      at,
      severity: 'note',
      certainty: certaintyOf(one),
      message: refused
        ? `The ${label} in ${routineName(routine, model)} runs outside of a transaction, where PostgreSQL refuses it (25P01).`
        : `The ${label} in ${routineName(routine, model)} opens a subtransaction. ${cost}.`,
      remedy: 'Where the project wants none, prevent the error instead of catching it.',
      trace: visits[0]?.witness ?? [],
      subject: `${label} in ${routine}`,
      routine,
    },
  ];
});

export default rule({
  id: 'subtransaction',
  severity: 'off',
  summary: 'Every place that opens a subtransaction',
  check: (model) => [...placed(model), ...model.settings.flatMap(set)],
});

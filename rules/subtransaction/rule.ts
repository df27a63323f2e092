// The inventory: every place that opens a subtransaction.
import { type Finding, rule } from '../../src/rule.ts';
import { routineName } from '../say.ts';

export default rule({
  id: 'subtransaction',
  severity: 'off',
  summary: 'Every place that opens a subtransaction',
  check: (model) =>
    model.subtransactions.map(({ file, at, label, routine, effects, visits }): Finding => {
      const cost = {
        yes: 'It writes, so it takes a transaction ID and one of the 64 places of its session',
        no: 'Nothing inside writes or locks a row, so it takes no transaction ID and no place',
        unknown: 'Whether it writes could not be read',
      }[effects.writes];
      return {
        rule: 'subtransaction',
        file,
        at,
        severity: 'note',
        certainty: visits[0]?.certainty ?? 'likely',
        message: `The ${label} in ${routineName(routine)} opens a subtransaction. ${cost}.`,
        remedy: 'Where the project wants none, prevent the error instead of catching it.',
        trace: visits[0]?.witness ?? [],
        subject: `${label} in ${routine}`,
        routine,
      };
    }),
});

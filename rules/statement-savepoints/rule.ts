// A driver or session setting that opens a savepoint for every statement.
import { rule } from '../../src/rule.ts';
import { weigh } from '../say.ts';

export default rule({
  id: 'statement-savepoints',
  severity: 'error',
  summary: 'A setting of a driver or of psql that opens a savepoint for every statement of a transaction',
  check(model) {
    return model.settings.flatMap((setting) => {
      const every = setting.effect === 'savepoint per statement';
      if (!every && setting.effect !== 'savepoint per failing statement') return [];
      const name = `${setting.key}=${setting.value}`;
      const piles = setting.releases === false ? ', and never releases it' : '';
      return [
        {
          rule: 'statement-savepoints',
          file: setting.file,
          at: setting.at,
          severity: weigh(every ? 'error' : 'warning', { role: setting.role }),
          certainty: 'certain' as const,
          message:
            `${name} makes ${setting.of} open a savepoint for ${every ? 'every statement' : 'many statements'} of a transaction${piles}. ` +
            (setting.releases === false
              ? 'Once 65 of them are open the next write makes every session look up pg_subtrans until the transaction ends, even if the others only read.'
              : 'From the 65th statement that writes on, every session must look up pg_subtrans until the transaction ends.') +
            ' Each one is another round trip.',
          remedy:
            REMEDIES[setting.of] ??
            'Turn it off, and open a savepoint by hand around the one statement that may fail.',
          trace: [],
          subject: `${setting.of} ${setting.key}`,
        },
      ];
    });
  },
});

const REMEDIES: Record<string, string> = {
  pgjdbc:
    'Set autosave=never (the default); against “cached plan must not change result type” set prepareThreshold=0 or reconnect after DDL.',
  psql: 'Set ON_ERROR_ROLLBACK to interactive or off; scripts should run with psql -X.',
  psqlodbc: 'Set Protocol=7.4-1: an error then fails the transaction, as it does everywhere else.',
};

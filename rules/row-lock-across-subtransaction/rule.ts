// A row that is locked in one subtransaction and changed in another of the same transaction.
import { rule } from '../../src/rule.ts';
import { plain, weigh } from '../say.ts';

export default rule({
  id: 'row-lock-across-subtransaction',
  severity: 'error',
  summary: 'A row locked and changed in different subtransactions of one transaction, which makes multixacts',
  check: (model) =>
    model.lockConflicts.map((conflict) => {
      const table = plain(conflict.relation);
      const how = conflict.repeated ? 'one multixact for each turn' : 'a multixact each time';
      return {
        rule: 'row-lock-across-subtransaction',
        file: conflict.change.file,
        at: conflict.change.at,
        severity: weigh('error', conflict),
        certainty: conflict.certainty,
        message:
          `A row of ${table} is locked (${conflict.lock.says}) and changed (${conflict.change.says}) in different subtransactions of one transaction: that makes ${how}, without any other session near. ` +
          'Whoever reads the row later must look its members up in pg_multixact.',
        remedy: `Lock the row of ${table} and change it at the same level: both inside the subtransaction, or both outside.`,
        trace: conflict.witness,
        subject: `${conflict.relation} ${conflict.lock.says} ${conflict.change.says}`,
      };
    }),
});

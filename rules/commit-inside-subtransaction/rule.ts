// COMMIT or ROLLBACK that is reached while a subtransaction is open: an error when it runs, or lost rows.
import { rule } from '../../src/rule.ts';
import { roleOf, routineName } from '../say.ts';

export default rule({
  id: 'commit-inside-subtransaction',
  severity: 'error',
  summary: 'COMMIT or ROLLBACK inside a block with EXCEPTION or after a savepoint, which fails when it runs',
  check: (model) =>
    model.terminations.map((one) => {
      const inside = `the ${one.inside.label} in ${routineName(one.inside.routine, model)}`;
      return {
        rule: 'commit-inside-subtransaction',
        file: one.file,
        at: one.at,
        // In a test it may be just what is tested; a migration that fails is as bad as any.
        severity: roleOf(model, one.file) === 'test' ? ('note' as const) : ('error' as const),
        certainty: one.certainty,
        message:
          `${one.says} is reached inside ${inside}, and fails there with SQLSTATE 2D000. ` +
          (one.silent
            ? `WHEN OTHERS catches that error too: ${one.inside.effects.writes === 'no' ? 'the transaction goes on' : 'the rows of the block are lost'}, and nobody is told.`
            : 'PostgreSQL cannot end a transaction while a subtransaction is open.'),
        remedy: one.inFunction
          ? `Do without ${one.says}: a function cannot end a transaction. A procedure can, behind the block or in its handler, when it is called by itself.`
          : one.inside.label === 'EXCEPTION block'
            ? `Move ${one.says} behind the block, or into its handler, which runs outside the subtransaction.`
            : `Call what says ${one.says} outside of the transaction: without the savepoint it fails there as well.`,
        trace: one.witness,
        subject: `${one.says} inside ${inside}`,
      };
    }),
});

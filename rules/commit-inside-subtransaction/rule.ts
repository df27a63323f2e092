// COMMIT or ROLLBACK that is reached while a subtransaction is open: an error when it runs, or lost rows.
import { type Model, rule, type Severity, type Termination } from '../../src/rule.ts';
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
        // A migration that fails is as bad as any.
        severity: weight(model, one),
        certainty: one.certainty,
        message:
          `${one.says} is reached inside ${inside}${one.afterError ? ' after an error' : ''}, and fails there with SQLSTATE 2D000. ` +
          (one.silent
            ? `The handler catches that too and does not raise it again: ${LOST[one.inside.effects.writes]}the transaction goes on.`
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

const LOST = {
  yes: 'the rows of the block are lost, and ',
  unknown: 'what the block wrote is lost, and ',
  no: '',
};

/** In a test it may be just what is tested. What stands in a handler fails only when something else has failed. */
function weight(model: Model, { file, afterError }: Termination): Severity {
  if (roleOf(model, file) === 'test') return 'note';
  return afterError ? 'warning' : 'error';
}

// Piccolo: a transaction has savepoint(), which only release() ends; nested transactions join. Row S043.
import { framework } from '../../framework.ts';

const TRANSACTION = 'piccolo.engine.postgres.PostgresTransaction';
const ENGINE = 'piccolo.engine.postgres.PostgresEngine';

export default framework({
  name: 'piccolo',
  language: 'python',
  packages: ['pypi:piccolo'],
  needles: ['piccolo', '.savepoint('],
  handles: ['piccolo.engine.postgres.PostgresEngine'],
  types: {
    [ENGINE]: {
      transaction: {
        scope: { opens: 'transaction', whenNested: 'join', label: 'transaction()' },
        returns: TRANSACTION,
      },
      transaction_exists: { tellsOpen: true },
    },
    [TRANSACTION]: {
      savepoint: { flat: 'savepoint', returns: 'piccolo.engine.postgres.Savepoint' },
    },
    'piccolo.engine.postgres.Savepoint': {
      release: { flat: 'release' },
      rollback_to: { flat: 'rollback to' },
    },
  },
  same: { 'piccolo.engine.PostgresEngine': ENGINE, 'piccolo.engine.finder.engine_finder': ENGINE },
});

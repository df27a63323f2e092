// Alembic: a migration runs in one transaction, and op.execute() takes SQL text. Row S025.
import { framework } from '../framework.ts';

export default framework({
  name: 'alembic',
  language: 'python',
  packages: ['pypi:alembic'],
  needles: ['op.execute', 'op.get_bind', 'autocommit_block'],
  apis: {
    'alembic.op.execute': { sql: { position: 0, keyword: 'sqltext' } },
    'alembic.op.get_bind': { returns: 'sqlalchemy.engine.Connection' },
    'alembic.op.get_context': { returns: 'alembic.runtime.migration.MigrationContext' },
  },
  types: {
    'alembic.runtime.migration.MigrationContext': {
      // It commits what is open, runs its block in autocommit and begins anew.
      autocommit_block: { flat: 'commit' },
      begin_transaction: {
        scope: { opens: 'transaction', whenNested: 'join', label: 'begin_transaction()' },
      },
    },
  },
});

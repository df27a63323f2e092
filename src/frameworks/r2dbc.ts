// R2DBC: savepoints by name on a connection.
import { framework } from '../framework.ts';

const connection = {
  createSavepoint: { flat: 'savepoint', name: 0 },
  releaseSavepoint: { flat: 'release', name: 0 },
  rollbackTransactionToSavepoint: { flat: 'rollback to', name: 0 },
  beginTransaction: { flat: 'begin' },
  commitTransaction: { flat: 'commit' },
  rollbackTransaction: { flat: 'rollback' },
  createStatement: { sql: 0 },
} as const;

export default framework({
  name: 'r2dbc',
  language: 'jvm',
  packages: ['maven:org.postgresql:r2dbc-postgresql'],
  needles: ['io.r2dbc'],
  types: {
    'io.r2dbc.spi.Connection': connection,
    'io.r2dbc.postgresql.api.PostgresqlConnection': connection,
  },
});

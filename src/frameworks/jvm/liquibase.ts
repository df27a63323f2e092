// Liquibase: the changes that a project writes in Java or Kotlin, which it runs in the transaction of their changeset. Not its change logs.
import { framework, type Meaning } from '../../framework.ts';

const TASK = 'liquibase.change.custom.CustomTaskChange.execute';
const CONNECTION = 'liquibase.database.jvm.JdbcConnection';
const underneath: Meaning = { returns: 'java.sql.Connection' };

export default framework({
  name: 'liquibase',
  language: 'jvm',
  packages: ['maven:org.liquibase:liquibase-core'],
  needles: ['liquibase.'],
  same: { 'liquibase.database.DatabaseConnection': CONNECTION },
  types: {
    'liquibase.database.Database': { getConnection: { returns: CONNECTION } },
    [CONNECTION]: {
      getUnderlyingConnection: underneath,
      getWrappedConnection: underneath,
      createStatement: { returns: 'java.sql.Statement' },
      prepareStatement: { sql: 0, prepares: true, returns: 'java.sql.PreparedStatement' },
      prepareCall: { sql: 0, prepares: true, returns: 'java.sql.CallableStatement' },
      setSavepoint: { flat: 'savepoint', name: 0, returns: 'java.sql.Savepoint' },
      releaseSavepoint: { flat: 'release', name: 0 },
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback', name: 0, when: [{ argument: 0, then: { flat: 'rollback to' } }] },
      setAutoCommit: {
        when: [
          { argument: 0, is: 'false', then: { flat: 'begin' } },
          { argument: 0, is: 'true', then: { flat: 'commit' } },
        ],
      },
    },
  },
  implemented: {
    [TASK]: { scope: { opens: 'transaction', whenNested: 'join', label: "the changeset's transaction" } },
  },
  entries: { [TASK]: 'migration' },
});

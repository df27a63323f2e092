// Doma: its local transactions and their savepoints, which a name alone releases. Not what its DAOs read.
import { framework, type Meaning } from '../../framework.ts';

const opens = (whenNested: 'join' | 'separate'): Meaning => ({ scope: { opens: 'transaction', whenNested } });
const savepoints: Record<string, Meaning> = {
  setSavepoint: { flat: 'savepoint', name: 0 },
  releaseSavepoint: { flat: 'release', name: 0 },
  rollback: { flat: 'rollback', name: 0, when: [{ argument: 0, then: { flat: 'rollback to' } }] },
};
const write = (verb: 'insert' | 'update' | 'delete', rows: 'one' | 'many'): Meaning => ({
  write: { verb, rows },
  of: 0,
});

export default framework({
  name: 'doma',
  language: 'jvm',
  packages: ['maven:org.seasar.doma:doma-core', 'maven:org.seasar.doma:doma'],
  needles: ['seasar.doma'],
  apis: {
    'org.seasar.doma.Insert': write('insert', 'one'),
    'org.seasar.doma.Update': write('update', 'one'),
    'org.seasar.doma.Delete': write('delete', 'one'),
    'org.seasar.doma.BatchInsert': write('insert', 'many'),
    'org.seasar.doma.BatchUpdate': write('update', 'many'),
    'org.seasar.doma.BatchDelete': write('delete', 'many'),
    'org.seasar.doma.MultiInsert': write('insert', 'many'),
  },
  types: {
    'org.seasar.doma.jdbc.tx.TransactionManager': {
      required: opens('join'),
      requiresNew: opens('separate'),
      notSupported: opens('separate'),
      ...savepoints,
    },
    'org.seasar.doma.jdbc.tx.LocalTransaction': {
      begin: { flat: 'begin' },
      commit: { flat: 'commit' },
      ...savepoints,
    },
    'org.seasar.doma.jdbc.tx.LocalTransactionDataSource': {
      getLocalTransaction: { returns: 'org.seasar.doma.jdbc.tx.LocalTransaction' },
      getConnection: { returns: 'java.sql.Connection' },
    },
    'org.seasar.doma.jdbc.Config': {
      getTransactionManager: { returns: 'org.seasar.doma.jdbc.tx.TransactionManager' },
    },
  },
  same: {
    'org.seasar.doma.jdbc.tx.LocalTransactionManager': 'org.seasar.doma.jdbc.tx.TransactionManager',
    'org.seasar.doma.jdbc.tx.KeepAliveLocalTransaction': 'org.seasar.doma.jdbc.tx.LocalTransaction',
  },
  entities: ['org.seasar.doma.Entity'],
  tableNames: ['org.seasar.doma.Table'],
});

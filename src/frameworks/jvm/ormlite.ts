// ORMLite: each callInTransaction() opens a savepoint, the outermost one too. A failure rolls back to it and leaves it open.
import { framework, type Meaning } from '../../framework.ts';

const transaction: Meaning = {
  scope: { opens: 'transaction', whenNested: 'join', label: 'callInTransaction()' },
  inside: [
    {
      scope: {
        opens: 'subtransaction',
        whenNested: 'savepoint',
        label: 'callInTransaction()',
        releases: 'on success',
      },
    },
  ],
};
const write = (verb: 'insert' | 'update' | 'delete' | 'save'): Meaning => ({
  write: { verb, rows: 'one' },
  of: 0,
});

export default framework({
  name: 'ormlite',
  language: 'jvm',
  packages: ['maven:com.j256.ormlite:ormlite-jdbc', 'maven:com.j256.ormlite:ormlite-core'],
  needles: ['callInTransaction', 'ormlite.dao'],
  types: {
    'com.j256.ormlite.misc.TransactionManager': { callInTransaction: transaction },
    'com.j256.ormlite.dao.Dao': {
      create: write('insert'),
      createIfNotExists: write('insert'),
      createOrUpdate: write('save'),
      update: write('update'),
      refresh: {},
      delete: write('delete'),
      callBatchTasks: { scope: { opens: 'transaction', whenNested: 'join', label: 'callBatchTasks()' } },
    },
  },
  same: { 'com.j256.ormlite.dao.RuntimeExceptionDao': 'com.j256.ormlite.dao.Dao' },
  entities: ['com.j256.ormlite.table.DatabaseTable'],
});

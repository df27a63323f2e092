// Ktorm: a transaction joins the one that is open; its savepoints are those of the connection that it gives.
import { framework, type Meaning, type WriteMeaning } from '../../framework.ts';

const DATABASE = 'org.ktorm.database.Database';
const TRANSACTION = 'org.ktorm.database.Transaction';
const CONNECTION = 'java.sql.Connection';
const into = (verb: WriteMeaning['verb'], rows: WriteMeaning['rows'], onConflict?: 'update'): Meaning => ({
  of: 0,
  write: { verb, rows, ...(onConflict && { onConflict }) },
});
const made = { returns: DATABASE };

export default framework({
  name: 'ktorm',
  language: 'jvm',
  packages: ['maven:org.ktorm:ktorm-core'],
  needles: ['org.ktorm'],
  speaks: ['org.ktorm.'],
  apis: {
    'org.ktorm.dsl.insert': into('insert', 'one'),
    'org.ktorm.dsl.insertAndGenerateKey': into('insert', 'one'),
    'org.ktorm.dsl.batchInsert': into('insert', 'many'),
    'org.ktorm.dsl.update': into('update', 'unknown'),
    'org.ktorm.dsl.batchUpdate': into('update', 'many'),
    'org.ktorm.dsl.delete': into('delete', 'unknown'),
    'org.ktorm.dsl.deleteAll': into('delete', 'many'),
    'org.ktorm.support.postgresql.insertOrUpdate': into('insert', 'one', 'update'),
    'org.ktorm.support.postgresql.insertReturning': into('insert', 'one'),
    'org.ktorm.support.postgresql.insertOrUpdateReturning': into('insert', 'one', 'update'),
    'org.ktorm.support.postgresql.bulkInsert': into('insert', 'many'),
    'org.ktorm.support.postgresql.bulkInsertOrUpdate': into('insert', 'many', 'update'),
  },
  types: {
    [DATABASE]: {
      connect: made,
      connectWithSpringSupport: made,
      useTransaction: { scope: { opens: 'transaction', whenNested: 'join' }, gives: [TRANSACTION] },
      useConnection: { gives: [CONNECTION] },
    },
    [TRANSACTION]: {
      getConnection: { returns: CONNECTION },
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback' },
    },
  },
});

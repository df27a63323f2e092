// Kotliquery: SQL in queries, which its session runs in a transaction or outside of one. It opens no savepoint.
import { framework } from '../../framework.ts';

const SESSION = 'kotliquery.Session';
const gives = [SESSION];

export default framework({
  name: 'kotliquery',
  language: 'jvm',
  packages: ['maven:com.github.seratch:kotliquery'],
  needles: ['kotliquery'],
  apis: {
    'kotliquery.sessionOf': { returns: SESSION },
    'kotliquery.using': { gives },
    // Where a query is made it is run.
    'kotliquery.queryOf': { sql: 0, textOnly: true },
  },
  types: {
    [SESSION]: {
      transaction: { scope: { opens: 'transaction', whenNested: 'join' }, gives },
      run: {},
      execute: {},
      update: {},
      single: {},
      list: {},
      forEach: {},
      getConnection: { returns: 'kotliquery.Connection' },
    },
    'kotliquery.Connection': { getUnderlying: { returns: 'java.sql.Connection' } },
  },
  same: { 'kotliquery.TransactionalSession': SESSION },
});

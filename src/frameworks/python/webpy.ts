// web.py's database: transaction() within a transaction is a savepoint, which a failure leaves open. Not the web part.
import { framework, type Meaning } from '../../framework.ts';

const DATABASE = 'web.db.DB';
/** The table is named by the first argument; what rows it touches is said by the condition. */
const write = (verb: 'insert' | 'update' | 'delete', rows: 'one' | 'many'): Meaning => ({
  write: { verb, rows },
  table: { position: 0, keyword: verb === 'insert' ? 'tablename' : 'table' },
});

export default framework({
  name: 'webpy',
  language: 'python',
  packages: ['pypi:web.py'],
  needles: ['web.database(', 'web.db'],
  apis: { 'web.database': { returns: DATABASE }, 'web.db.database': { returns: DATABASE } },
  same: { 'web.db.PostgresDB': DATABASE, 'web.DB': DATABASE },
  handles: [DATABASE],
  types: {
    [DATABASE]: {
      transaction: {
        scope: {
          opens: 'transaction',
          whenNested: 'savepoint',
          label: 'transaction()',
          releases: 'on success',
          begun: true,
        },
      },
      query: { sql: { position: 0, keyword: 'sql_query' } },
      insert: write('insert', 'one'),
      multiple_insert: write('insert', 'many'),
      update: write('update', 'many'),
      delete: write('delete', 'many'),
    },
  },
});

// encode/databases: transaction() as a context manager, a decorator or a handle. Row S041.
import { framework } from '../../framework.ts';

const sql = { sql: { position: 0, keyword: 'query' } };

export default framework({
  name: 'databases',
  language: 'python',
  packages: ['pypi:databases'],
  needles: ['databases', '.transaction('],
  apis: {
    'databases.Database': { returns: 'databases.Database', address: { position: 0, keyword: 'url' } },
  },
  handles: ['databases.Database'],
  types: {
    'databases.Database': {
      transaction: {
        scope: {
          opens: 'transaction',
          whenNested: 'savepoint',
          label: 'transaction()',
          releases: 'on success',
        },
      },
      execute: sql,
      execute_many: { ...sql, loops: 'items' },
      fetch_all: sql,
      fetch_one: sql,
      fetch_val: sql,
      iterate: sql,
      connection: { returns: 'self' },
    },
  },
  same: { 'databases.core.Database': 'databases.Database' },
  receivers: { database: 'databases.Database', db: 'databases.Database' },
});

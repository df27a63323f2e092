// asyncpg: transaction() inside a transaction is a savepoint, which a failure leaves open. Row S032.
import { framework, type Meaning } from '../framework.ts';

const CONNECTION = 'asyncpg.Connection';
const sql: Meaning = { sql: { position: 0, keyword: 'query' }, textOnly: true };
const copied: Meaning = { write: { verb: 'copy', rows: 'many' } };
const connection: Record<string, Meaning> = {
  transaction: {
    scope: {
      opens: 'transaction',
      whenNested: 'savepoint',
      label: 'transaction()',
      releases: 'on success',
      startedBy: 'start',
    },
  },
  execute: sql,
  executemany: { ...sql, loops: 'items' },
  fetchmany: { ...sql, loops: 'items' },
  fetch: sql,
  fetchrow: sql,
  fetchval: sql,
  cursor: sql,
  copy_records_to_table: copied,
  copy_to_table: copied,
};

export default framework({
  name: 'asyncpg',
  language: 'python',
  packages: ['pypi:asyncpg'],
  needles: ['asyncpg', '.transaction('],
  apis: {
    'asyncpg.connect': { connects: true, returns: CONNECTION },
    'asyncpg.create_pool': { returns: 'asyncpg.Pool' },
  },
  types: {
    [CONNECTION]: connection,
    'asyncpg.Pool': { ...connection, acquire: { connects: true, returns: CONNECTION } },
  },
  same: {
    'asyncpg.connection.Connection': CONNECTION,
    'asyncpg.pool.PoolConnectionProxy': CONNECTION,
    'asyncpg.pool.Pool': 'asyncpg.Pool',
    'asyncpg.pool.create_pool': 'asyncpg.create_pool',
  },
  receivers: { conn: CONNECTION, connection: CONNECTION, con: CONNECTION, pool: 'asyncpg.Pool' },
});

// asyncpg: transaction() inside a transaction is a savepoint, which a failure leaves open. Row S032.
import { framework, type Meaning } from '../../framework.ts';

const CONNECTION = 'asyncpg.Connection';
const sql: Meaning = { sql: { position: 0, keyword: 'query' }, textOnly: true };
/** One transaction of its own where none is open, though nothing begins it: a failure leaves none of its rows. */
const many: Meaning = {
  scope: { opens: 'transaction', whenNested: 'join', label: 'executemany()' },
  inside: [{ ...sql, loops: 'items' }],
};
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
  executemany: many,
  fetchmany: { ...sql, loops: 'items' },
  fetch: sql,
  fetchrow: sql,
  fetchval: sql,
  cursor: sql,
  is_in_transaction: { tellsOpen: true },
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
  handles: [CONNECTION, 'asyncpg.Pool'],
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

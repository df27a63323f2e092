// Peewee: atomic() nests as savepoints, transaction() joins. Rows S036–S039.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';

const ATOMIC: ScopeMeaning = {
  opens: 'transaction',
  whenNested: 'savepoint',
  label: 'atomic()',
  releases: 'on success',
};
const SAVEPOINT: ScopeMeaning = {
  opens: 'subtransaction',
  whenNested: 'savepoint',
  label: 'savepoint()',
  releases: 'on success',
};
const MODEL = 'peewee.Model';
const save: Meaning = { write: { verb: 'save', rows: 'one' } };

/** Put together by the model, and sent by execute(). */
const QUERY = 'peewee.ModelQuery';
const query = (verb: 'insert' | 'update' | 'delete'): Meaning => ({
  write: { verb, rows: verb === 'insert' ? 'one' : 'many', withoutCallbacks: true },
  returns: QUERY,
});
const itself: Meaning = { returns: 'self' };

/** How blocks begin that open a transaction, or a savepoint in one. */
const BLOCKS = ['atomic', 'transaction', 'savepoint'];
/** What `with` gives: ended from within, it begins the next one. */
const ENTERED = 'peewee._transaction';

const database: Record<string, Meaning> = {
  atomic: { scope: ATOMIC, returns: ENTERED },
  savepoint: { scope: SAVEPOINT },
  transaction: {
    scope: { opens: 'transaction', whenNested: 'join', label: 'transaction()' },
    returns: ENTERED,
  },
  manual_commit: {},
  begin: { flat: 'begin' },
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback' },
  execute_sql: { sql: 0 },
  execute: { sql: 0 },
  connection_context: {},
  in_transaction: { tellsOpen: true },
  transaction_depth: { tellsOpen: true },
  // peewee-async's.
  aio_atomic: { scope: { ...ATOMIC, label: 'aio_atomic()' } },
  aio_transaction: { scope: { opens: 'transaction', whenNested: 'refuse', label: 'aio_transaction()' } },
  aio_savepoint: { scope: { ...SAVEPOINT, label: 'aio_savepoint()' } },
  aio_execute_sql: { sql: 0 },
};
const TYPES = [
  'peewee.Database', 'peewee.PostgresqlDatabase', 'playhouse.postgres_ext.PostgresqlExtDatabase', 'playhouse.pool.PooledPostgresqlDatabase',
  'playhouse.pool.PooledPostgresqlExtDatabase', 'playhouse.cockroachdb.CockroachDatabase',
  'peewee_async.PooledPostgresqlDatabase', 'peewee_async.PostgresqlDatabase', 'peewee_async.Psycopg3Database', 'peewee_async.databases.AioDatabase', 'peewee.DatabaseProxy', 'peewee.Proxy',
]; // biome-ignore format: one list

export default framework({
  name: 'peewee',
  language: 'python',
  packages: ['pypi:peewee'],
  needles: ['.atomic(', '.savepoint(', 'get_or_create|', 'peewee'],
  apis: {
    'playhouse.db_url.connect': { returns: 'peewee.Database' },
    'peewee.ForeignKeyField': { related: { position: 0, keyword: 'model' } },
  },
  handles: ['peewee.Database'],
  types: {
    'peewee.Database': database,
    [ENTERED]: {
      commit: { flat: 'commit', unlessInner: BLOCKS },
      rollback: { flat: 'rollback', unlessInner: BLOCKS },
    },
    [QUERY]: {
      execute: {},
      where: { ...itself, picks: true },
      returning: itself,
      on_conflict: { alters: { onConflict: 'update' }, returns: 'self' },
      on_conflict_ignore: { alters: { onConflict: 'nothing' }, returns: 'self' },
    },
    [MODEL]: {
      get_or_create: {
        read: { rows: 'one' },
        scope: { ...ATOMIC, label: 'get_or_create()', onMiss: true },
        inside: [{ write: { verb: 'insert', rows: 'one', through: 'create' } }],
        returns: 'item',
      },
      create: { write: { verb: 'insert', rows: 'one', through: 'save' }, returns: 'item' },
      save,
      delete_instance: { write: { verb: 'delete', rows: 'one' } },
      insert: query('insert'),
      update: query('update'),
      delete: query('delete'),
      replace: query('insert'),
      insert_many: { write: { verb: 'insert', rows: 'many' }, returns: QUERY },
      bulk_create: { write: { verb: 'insert', rows: 'many' } },
    },
  },
  functions: ['peewee.fn'],
  computes: {
    columns: 'select',
    values: 'where order_by group_by update',
    one: 'insert get get_or_none first scalar exists',
  },
  statements: [QUERY],
  extended: ['peewee.Database'],
  bases: Object.fromEntries(TYPES.slice(1).map((type) => [type, ['peewee.Database']])),
  receivers: { db: 'peewee.Database', database: 'peewee.Database' },
  tables: { [MODEL]: { attribute: 'Meta.table_name', otherwise: 'lower case' } },
});

// Exposed, over JDBC and R2DBC: nested transactions join unless useNestedTransactions is on, and then their savepoints are never released.
import { framework, type Meaning } from '../../framework.ts';

const nested: Meaning = {
  scope: {
    opens: 'transaction',
    whenNested: 'savepoint',
    releases: 'never',
    setting: { of: 'exposed', assumed: false, otherwise: 'join' },
  },
};
const separate: Meaning = { scope: { opens: 'transaction', whenNested: 'separate' } };
const write = (verb: 'insert' | 'update' | 'delete', rows: 'one' | 'many' | 'unknown'): Meaning => ({
  write: { verb, rows },
});
/** What asks is executed where it is read; of what it locks, its chain says nothing. */
const QUERY = 'org.jetbrains.exposed.sql.Query';
const asks: Meaning = { read: { rows: 'unknown' }, returns: QUERY };
const asking: Record<string, Meaning> = {
  selectAll: asks, select: asks, slice: { returns: 'self' }, adjustSelect: { returns: 'self' }, adjustWhere: { returns: 'self' },
  innerJoin: { returns: 'self' }, leftJoin: { returns: 'self' }, join: { returns: 'self' }, alias: { returns: 'self' },
}; // biome-ignore format: one list
const same = Object.fromEntries(
  ['where', 'andWhere', 'orWhere', 'orderBy', 'groupBy', 'having', 'limit', 'offset', 'withDistinct', 'copy', 'notForUpdate', 'fetchSize', 'comment'].map((name) => [name, { returns: 'self' } satisfies Meaning]),
); // biome-ignore format: one list
/** What runs it, and does no more. */
const running: Record<string, Meaning> = Object.fromEntries(
  ['count', 'empty', 'first', 'firstOrNull', 'single', 'singleOrNull', 'toList', 'toSet'].map((name) => [
    name,
    {},
  ]),
);
const table: Record<string, Meaning> = {
  ...asking,
  insert: write('insert', 'one'), insertReturning: write('insert', 'one'), upsertReturning: { write: { verb: 'insert', rows: 'one', onConflict: 'update' } },
  insertIgnoreAndGetId: { write: { verb: 'insert', rows: 'one', onConflict: 'nothing' } }, replace: write('insert', 'one'), batchReplace: write('insert', 'many'),
  updateReturning: write('update', 'unknown'), deleteReturning: write('delete', 'unknown'), deleteIgnoreWhere: write('delete', 'unknown'),
  mergeFrom: { write: { verb: 'merge', rows: 'unknown' } }, insertAndGetId: write('insert', 'one'), insertIgnore: { write: { verb: 'insert', rows: 'one', onConflict: 'nothing' } },
  batchInsert: write('insert', 'many'), upsert: { write: { verb: 'insert', rows: 'one', onConflict: 'update' } },
  batchUpsert: { write: { verb: 'insert', rows: 'many', onConflict: 'update' } }, update: write('update', 'unknown'),
  deleteWhere: write('delete', 'unknown'), deleteAll: write('delete', 'many'),
}; // biome-ignore format: one list
const connection: Record<string, Meaning> = {
  setSavepoint: { flat: 'savepoint', name: 0 },
  releaseSavepoint: { flat: 'release', name: 0 },
  rollback: { flat: 'rollback', name: 0, when: [{ argument: 0, then: { flat: 'rollback to' } }] },
  commit: { flat: 'commit' },
};
const CONNECTION = 'org.jetbrains.exposed.sql.statements.api.ExposedConnection';
const TRANSACTION = 'org.jetbrains.exposed.sql.Transaction';
const REACTIVE = 'org.jetbrains.exposed.v1.r2dbc.R2dbcTransaction';
const current: Record<string, Meaning> = {
  current: { returns: TRANSACTION },
  currentOrNull: { returns: TRANSACTION, tellsOpen: true },
};
const reactive: Record<string, Meaning> = {
  current: { returns: REACTIVE },
  currentOrNull: { returns: REACTIVE, tellsOpen: true },
};
const database: Meaning['database'] = ['db', 0, 2];
const inside: Meaning = { ...nested, gives: [`this:${TRANSACTION}`], database };
/** A coroutine that a thread waits for knows nothing of that thread's transaction. */
const BLOCKING = 'kotlinx.coroutines.CoroutineScope.blocking';
const suspended: Meaning = { ...inside, beside: [{ type: BLOCKING, then: separate }] };
const TABLE = 'org.jetbrains.exposed.sql.Table';
/** What projects extend, which all are tables. */
const TABLES = [
  ...['sql.Table', 'v1.core.Table'],
  ...['dao.id', 'v1.core.dao.id'].flatMap((path) =>
    [
      'IdTable',
      'IntIdTable',
      'LongIdTable',
      'UIntIdTable',
      'ULongIdTable',
      'UUIDTable',
      'CompositeIdTable',
    ].map((name) => `${path}.${name}`),
  ),
].map((name) => `org.jetbrains.exposed.${name}`);

const ENTITY = 'org.jetbrains.exposed.dao.Entity';
const FINDER = 'org.jetbrains.exposed.dao.EntityClass';
const KINDS = ['', 'Int', 'Long', 'UInt', 'ULong', 'UUID', 'Composite'];
const kinds = (end: string) =>
  ['dao', 'v1.dao'].flatMap((path) => KINDS.map((kind) => `org.jetbrains.exposed.${path}.${kind}${end}`));
const one: Meaning = { read: { rows: 'one' }, returns: 'of' };
const some: Meaning = { read: { rows: 'unknown' } };
const changed: Meaning = { ...write('update', 'one'), returns: 'of' };

export default framework({
  name: 'exposed',
  language: 'jvm',
  packages: [
    'maven:org.jetbrains.exposed:exposed-core',
    'maven:org.jetbrains.exposed:exposed-jdbc',
    'maven:org.jetbrains.exposed:exposed-r2dbc',
  ],
  needles: ['org.jetbrains.exposed', 'useNestedTransactions'],
  speaks: ['org.jetbrains.exposed.'],
  apis: {
    ...Object.fromEntries(
      ['sql', 'v1.core'].map((path) => [`org.jetbrains.exposed.${path}.CustomFunction`, { expression: 0 }]),
    ),
    'org.jetbrains.exposed.v1.core.transactions.currentTransactionOrNull': { tellsOpen: true },
    'kotlinx.coroutines.runBlocking': { gives: [`this:${BLOCKING}`] },
    'org.jetbrains.exposed.sql.transactions.transaction': inside,
    'org.jetbrains.exposed.v1.jdbc.transactions.transaction': inside,
    'org.jetbrains.exposed.sql.transactions.inTopLevelTransaction': separate,
    'org.jetbrains.exposed.v1.jdbc.transactions.inTopLevelTransaction': separate,
    'org.jetbrains.exposed.sql.transactions.experimental.newSuspendedTransaction': separate,
    'org.jetbrains.exposed.v1.jdbc.transactions.experimental.newSuspendedTransaction': separate,
    'org.jetbrains.exposed.sql.transactions.experimental.suspendedTransactionAsync': separate,
    'org.jetbrains.exposed.v1.jdbc.transactions.experimental.suspendedTransactionAsync': separate,
    'org.jetbrains.exposed.v1.jdbc.transactions.suspendTransaction': suspended,
    'org.jetbrains.exposed.v1.jdbc.transactions.experimental.withSuspendTransaction': suspended,
    'org.jetbrains.exposed.sql.transactions.experimental.withSuspendTransaction': suspended,
    'org.jetbrains.exposed.v1.r2dbc.transactions.suspendTransaction': {
      ...nested,
      gives: [`this:${REACTIVE}`],
    },
    'org.jetbrains.exposed.v1.r2dbc.transactions.inTopLevelSuspendTransaction': separate,
  },
  computes: {
    columns: 'slice',
    values: 'where andWhere orWhere orderBy groupBy having adjustSelect adjustWhere find',
    table: 'selectAll',
    one: 'single singleOrNull first firstOrNull',
  },
  extended: [TABLE, ENTITY],
  comparing: {
    equal: ['eq'],
    within: [
      'where',
      'andWhere',
      'select',
      'update',
      'deleteWhere',
      'deleteIgnoreWhere',
      'updateReturning',
      'deleteReturning',
    ],
    either: ['or', 'orWhere'],
  },
  same: Object.fromEntries([
    ...TABLES.map((name) => [name, TABLE]),
    ...kinds('Entity').map((name) => [name, ENTITY]),
    ...kinds('EntityClass').map((name) => [name, FINDER]),
  ]),
  tracked: [ENTITY],
  finders: [FINDER],
  types: {
    'org.jetbrains.exposed.sql.transactions.TransactionManager': current,
    'org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager': current,
    'org.jetbrains.exposed.v1.r2dbc.transactions.TransactionManager': reactive,
    [TRANSACTION]: {
      exec: { sql: 0 },
      getConnection: { returns: CONNECTION },
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback' },
    },
    [REACTIVE]: { exec: { sql: 0 }, commit: { flat: 'commit' }, rollback: { flat: 'rollback' } },
    [CONNECTION]: connection,
    'org.jetbrains.exposed.v1.jdbc.statements.api.ExposedConnection': connection,
    [TABLE]: table,
    [QUERY]: { ...same, ...running, forUpdate: { rowLock: { strength: 'update' }, returns: 'self' } },
    // What was set is written when the cache is flushed, by which attributes say they were.
    [ENTITY]: { delete: { write: { verb: 'delete', rows: 'one' } } },
    [FINDER]: {
      new: { ...write('insert', 'one'), returns: 'of' }, findById: one, get: one, findByIdAndUpdate: changed, findSingleByAndUpdate: changed,
      reload: one, find: some, all: some, count: some, forEntityIds: some, forIds: some,
    }, // biome-ignore format: one list
  },
});

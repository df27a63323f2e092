// jOOQ: a transaction on the inner context is a savepoint, on the outer one it takes another connection.
import { framework, type Meaning, type WriteMeaning } from '../../framework.ts';
import type { LockStrength, Rows, Verb } from '../../ir.ts';

/** What `configuration.dsl()` gives inside of a transaction. */
const INNER = 'org.jooq.DSLContext.inner';
const CONFIGURATION = 'org.jooq.Configuration';
/** That of a transaction; of one that is injected nobody knows. */
const ITS = `${CONFIGURATION}.inner`;

const onSuccess = { opens: 'transaction', releases: 'on success' } as const;
const itsOwn = { opens: 'transaction', label: "the statement's own transaction" } as const;
const alone: Meaning = {
  scope: { ...onSuccess, whenNested: 'separate' },
  outside: { ...itsOwn, whenNested: 'separate' },
  gives: [ITS],
  // Only what keeps a thread's transaction runs such a block, and knows on the outer context too that one is open.
  when: [
    {
      argument: 0,
      is: 'block without parameters',
      then: { scope: { ...onSuccess, whenNested: 'savepoint' }, outside: undefined, gives: [] },
    },
  ],
};
/** What Spring Boot injects asks Spring's manager for a transaction that is nested, each time; what a project makes itself does not. */
const BOOT = "Spring Boot's jOOQ";
const open: Meaning = {
  ...alone,
  scope: { ...alone.scope!, nestedBy: [BOOT], setting: { of: 'spring', assumed: true, otherwise: 'refuse' } },
  outside: { ...itsOwn, whenNested: 'join', setting: { of: BOOT, assumed: false, otherwise: 'separate' } },
};
const OWN = 'org.jooq.DSLContext.own';
const inner: Meaning = {
  scope: {
    opens: 'subtransaction',
    whenNested: 'savepoint',
    releases: 'on success',
    // `new DefaultTransactionProvider(provider, false)` joins.
    setting: { of: 'jooq', assumed: true, otherwise: 'join' },
  },
  gives: [ITS],
};
/** It goes on to a savepoint, or is executed as it is. */
const ROLLBACK = 'org.jooq.RollbackToSavepointStep';
const sql: Record<string, Meaning> = {
  execute: { sql: 0, textOnly: true }, fetch: { sql: 0 }, query: { sql: 0 }, resultQuery: { sql: 0 }, fetchOne: { sql: 0 },
  connection: { gives: ['java.sql.Connection'] }, connectionResult: { gives: ['java.sql.Connection'] },
  startTransaction: { flat: 'begin', returns: 'org.jooq.Query' }, commit: { flat: 'commit', returns: 'org.jooq.Query' }, rollback: { returns: ROLLBACK },
  savepoint: { flat: 'savepoint', name: 0, returns: 'org.jooq.Query' }, releaseSavepoint: { flat: 'release', name: 0, returns: 'org.jooq.Query' },
}; // biome-ignore format: one list
const statement = (verb: Verb, rows: Rows): Meaning => ({
  table: 0,
  write: { verb, rows },
  returns: 'org.jooq.Query',
});
/** What asks: its chain locks, or only reads. */
const SELECT = 'org.jooq.Select';
const select: Meaning = { returns: SELECT };
const selectFrom: Meaning = { ...select, table: 0 };
const same: Meaning = { returns: 'self' };
const CHAIN =
  'from where and or andNot orderBy groupBy having limit offset join innerJoin leftJoin leftOuterJoin rightJoin crossJoin on onKey using of noWait skipLocked wait seek distinctOn union unionAll'; // biome-ignore format: one list
const chain = Object.fromEntries(CHAIN.split(' ').map((name) => [name, same]));
const locking = (strength: LockStrength): Meaning => ({ rowLock: { strength }, returns: 'self' });
const many = (verb: WriteMeaning['verb']): Meaning => ({
  of: 0,
  write: { verb, rows: 'many' },
  returns: 'org.jooq.Query',
});
const one = (verb: WriteMeaning['verb']): Meaning => ({ write: { verb, rows: 'one' } });
const record: Record<string, Meaning> = {
  store: one('save'),
  insert: one('insert'),
  update: one('update'),
  delete: one('delete'),
  merge: one('merge'),
  refresh: {},
};
const dml: Record<string, Meaning> = {
  selectFrom, select, selectDistinct: select, selectOne: select, selectCount: select, fetchCount: {}, fetchExists: {}, with: same,
  batchInsert: many('insert'), batchUpdate: many('update'), batchStore: many('save'), batchDelete: many('delete'), batchMerge: many('merge'),
  executeInsert: { of: 0, ...one('insert') }, executeUpdate: { of: 0, ...one('update') }, executeDelete: { of: 0, ...one('delete') },
  insertInto: statement('insert', 'one'), update: statement('update', 'unknown'), deleteFrom: statement('delete', 'unknown'),
  delete: statement('delete', 'unknown'), mergeInto: statement('merge', 'unknown'), truncate: statement('truncate', 'many'),
}; // biome-ignore format: one list
const transactions = (meaning: Meaning): Record<string, Meaning> => ({
  transaction: meaning, transactionResult: meaning, transactionAsync: meaning, transactionResultAsync: meaning,
  transactionPublisher: meaning, transactionCoroutine: meaning,
}); // biome-ignore format: one list
const own: Record<string, Meaning> = { ...transactions(alone), ...sql, ...dml };

export default framework({
  name: 'jooq',
  language: 'jvm',
  packages: ['maven:org.jooq:jooq'],
  // A context that another file gives is named by no word of jOOQ's.
  needles: ['DSLContext', 'org.jooq', '.dsl()', '.transaction(', '.transaction {', 'transactionResult'],
  speaks: ['org.jooq.'],
  apis: {
    'org.jooq.impl.DSL.function': { expression: 0 },
    ...Object.fromEntries(['field', 'condition'].map((name) => [`org.jooq.impl.DSL.${name}`, { piece: 0 }])),
    'org.jooq.impl.DSL.using': {
      returns: OWN,
      when: [
        { argument: 0, is: `type ${ITS}`, then: { returns: INNER } },
        ...[CONFIGURATION, 'org.jooq.impl.DefaultConfiguration'].map((type) => ({
          argument: 0,
          is: `type ${type}`,
          then: { returns: 'org.jooq.DSLContext' },
        })),
      ],
    },
  },
  computes: {
    columns: 'select selectDistinct',
    values: 'where and or andNot orderBy groupBy having set',
    table: 'from selectFrom join innerJoin leftJoin update deleteFrom delete',
    one: 'fetchOne fetchOneInto fetchOptional fetchOptionalInto fetchSingle fetchSingleInto fetchAny fetchAnyInto fetchValue',
  },
  instead: Object.fromEntries(
    ['DSLContext', 'DSLContext.own', 'Configuration', 'TransactionProvider', 'impl.DefaultDSLContext', 'impl.DefaultConfiguration'].map((type) => [`org.jooq.${type}`, BOOT]),
  ), // biome-ignore format: one list
  special: { 'org.jooq.DSLContext': INNER, [CONFIGURATION]: ITS },
  rows: { within: '.tables.records.', ending: 'Record', are: 'org.jooq.UpdatableRecord' },
  routines: { above: 'org.jooq.impl.AbstractRoutine', all: ['.Routines', '.routines.references'] },
  extended: ['org.jooq.UpdatableRecord'],
  handles: ['org.jooq.DSLContext', OWN],
  comparing: {
    equal: ['eq', 'equal'],
    within: ['where', 'and'],
    either: ['or', 'orNot', 'orExists'],
    skips: ['skipLocked'],
  },
  same: { 'org.jooq.impl.UpdatableRecordImpl': 'org.jooq.UpdatableRecord' },
  types: {
    [SELECT]: {
      ...chain, from: { ...same, table: 0 }, forUpdate: locking('update'), forNoKeyUpdate: locking('no key update'), forShare: locking('share'), forKeyShare: locking('key share'),
    }, // biome-ignore format: one list
    'org.jooq.UpdatableRecord': record,
    [ROLLBACK]: {
      toSavepoint: { flat: 'rollback to', name: 0, returns: 'org.jooq.Query' },
      execute: { flat: 'rollback' },
    },
    'org.jooq.DSLContext': { ...transactions(open), ...sql, ...dml },
    [INNER]: { ...transactions(inner), ...sql, ...dml },
    [CONFIGURATION]: { dsl: { returns: 'org.jooq.DSLContext' } },
    [ITS]: { dsl: { returns: INNER } },
    [OWN]: own,
    'org.jooq.impl.DefaultDSLContext': own,
  },
});

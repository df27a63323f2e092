// Ebean: nested transactions join unless the outer one was told to use savepoints.
import { framework, type Meaning } from '../../framework.ts';

const DATABASE = 'io.ebean.Database';
const TRANSACTION = 'io.ebean.Transaction';
/** One that was told to, until it ends, and what begins inside. */
const NESTING = `${TRANSACTION}.nesting`;
const NESTED = `${TRANSACTION}.nested`;
/** One that ends nothing. */
const JOINED = `${TRANSACTION}.joined`;
const transaction: Record<string, Meaning> = {
  commit: { flat: 'commit', becomes: TRANSACTION },
  rollback: { flat: 'rollback', becomes: TRANSACTION },
  end: {},
  setNestedUseSavepoint: { becomes: NESTING },
};
const nested = { opens: 'transaction', whenNested: 'savepoint', releases: 'on success' } as const;
const scope = { ...nested, setting: { of: 'ebean', assumed: false, otherwise: 'join' } } as const;
/** A new one is on a connection of its own where nothing was told to nest. */
const separate: Meaning = { scope: { ...scope, setting: { ...scope.setting, otherwise: 'separate' } } };
const none: Meaning = { scope: undefined };
const TYPES = ['MANDATORY', 'SUPPORTS', 'NOT_SUPPORTED', 'NEVER'];
const SCOPE = 'io.ebean.TxScope';
const setters = ['setType', 'setBatch', 'setBatchMode', 'setBatchSize', 'setBatchOnCascade', 'setSkipGeneratedKeys', 'setReadOnly', 'setIsolation', 'setNoRollbackFor', 'setRollbackFor', 'setLabel', 'setProfileLocation', 'setSkipCache', 'setFlushOnQuery', 'setAutoPersistUpdates']; // biome-ignore format: one list
const told = Object.fromEntries(setters.map((name): [string, Meaning] => [name, { returns: 'self' }]));
const asTold: Meaning['when'] = [
  { argument: 0, is: `type ${SCOPE}.new`, then: separate },
  { argument: 0, is: `type ${SCOPE}.none`, then: none },
];
const executes: Meaning = {
  scope,
  // What runs one statement begins nothing.
  when: [
    ...asTold,
    { argument: 1, is: `type ${TRANSACTION}`, then: none },
    ...['SqlUpdate', 'Update', 'CallableSql'].map((type) => ({
      argument: 0,
      is: `type io.ebean.${type}`,
      then: none,
    })),
  ],
};
const save: Meaning = { of: 0, write: { verb: 'save', rows: 'one' } };
const database: Record<string, Meaning> = {
  beginTransaction: {
    flat: 'begin',
    spans: scope,
    returns: TRANSACTION,
    // Of the one around that stands in sight, it is known what it was told.
    beside: [
      { type: NESTING, then: { flat: 'savepoint', spans: nested, returns: NESTED } },
      { type: TRANSACTION, then: { spans: { opens: 'transaction', whenNested: 'join' } } },
    ],
    when: [{ argument: 0, is: `type ${SCOPE}.none`, then: { flat: undefined, returns: JOINED, beside: [] } }],
  },
  commitTransaction: { flat: 'commit' },
  rollbackTransaction: { flat: 'rollback' },
  // What was committed is no more.
  endTransaction: { flat: 'rollback' },
  currentTransaction: { returns: TRANSACTION, tellsOpen: true },
  execute: executes,
  executeCall: executes,
  save,
  saveAll: save,
  insert: { of: 0, write: { verb: 'insert', rows: 'one' } },
  update: { of: 0, write: { verb: 'update', rows: 'one' } },
  delete: { of: 0, write: { verb: 'delete', rows: 'one' } },
  sqlUpdate: { sql: 0, returns: 'io.ebean.SqlUpdate' },
  createUpdate: { returns: 'io.ebean.Update' },
  createCallableSql: { sql: 0, returns: 'io.ebean.CallableSql' },
  sqlQuery: { sql: 0 },
};

export default framework({
  name: 'ebean',
  language: 'jvm',
  packages: ['maven:io.ebean:ebean', 'maven:io.ebean:ebean-postgres'],
  needles: ['io.ebean', 'setNestedUseSavepoint'],
  apis: {
    'io.ebean.annotation.Transactional': {
      scope,
      when: [
        { argument: 'type', is: 'REQUIRES_NEW', then: separate },
        ...TYPES.map((is) => ({ argument: 'type', is, then: none })),
      ],
    },
    [SCOPE]: {
      returns: SCOPE,
      when: [
        { argument: 0, is: 'REQUIRES_NEW', then: { returns: `${SCOPE}.new` } },
        ...TYPES.map((is) => ({ argument: 0, is, then: { returns: `${SCOPE}.none` } })),
      ],
    },
  },
  tableNames: ['io.ebean.annotation.View'],
  extended: ['io.ebean.Model'],
  handles: [DATABASE, TRANSACTION],
  types: {
    'io.ebean.DB': database,
    [DATABASE]: database,
    [TRANSACTION]: transaction,
    [NESTING]: transaction,
    [JOINED]: {},
    [SCOPE]: {
      ...told,
      required: { returns: SCOPE },
      requiresNew: { returns: `${SCOPE}.new` },
      ...Object.fromEntries(
        ['mandatory', 'supports', 'notSupported', 'never'].map((name) => [
          name,
          { returns: `${SCOPE}.none` },
        ]),
      ),
    },
    [`${SCOPE}.new`]: told,
    [`${SCOPE}.none`]: told,
    [NESTED]: { commit: { flat: 'release' }, rollback: { flat: 'rollback to' }, end: {} },
    'io.ebean.Model': {
      save: { write: { verb: 'save', rows: 'one' } },
      insert: { write: { verb: 'insert', rows: 'one' } },
      update: { write: { verb: 'update', rows: 'one' } },
      delete: { write: { verb: 'delete', rows: 'one' } },
    },
  },
});

// Ebean: nested transactions join unless the outer one was told to use savepoints.
import { framework, type Meaning } from '../framework.ts';

const DATABASE = 'io.ebean.Database';
const TRANSACTION = 'io.ebean.Transaction';
/** One that was told to, until it ends, and what begins inside. */
const NESTING = `${TRANSACTION}.nesting`;
const NESTED = `${TRANSACTION}.nested`;
const transaction: Record<string, Meaning> = {
  commit: { flat: 'commit', becomes: TRANSACTION },
  rollback: { flat: 'rollback', becomes: TRANSACTION },
  end: {},
  setNestedUseSavepoint: { becomes: NESTING },
};
const scope = {
  opens: 'transaction',
  whenNested: 'savepoint',
  releases: 'on success',
  setting: { of: 'ebean', assumed: false, otherwise: 'join' },
} as const;
const save: Meaning = { of: 0, write: { verb: 'save', rows: 'one' } };
const database: Record<string, Meaning> = {
  beginTransaction: {
    flat: 'begin',
    returns: TRANSACTION,
    beside: { type: NESTING, then: { flat: 'savepoint', returns: NESTED } },
  },
  currentTransaction: { returns: TRANSACTION },
  execute: { scope },
  executeCall: { scope },
  save,
  saveAll: save,
  insert: { of: 0, write: { verb: 'insert', rows: 'one' } },
  update: { of: 0, write: { verb: 'update', rows: 'one' } },
  delete: { of: 0, write: { verb: 'delete', rows: 'one' } },
  sqlUpdate: { sql: 0 },
  sqlQuery: { sql: 0 },
};

export default framework({
  name: 'ebean',
  language: 'jvm',
  packages: ['maven:io.ebean:ebean', 'maven:io.ebean:ebean-postgres'],
  needles: ['io.ebean', 'setNestedUseSavepoint'],
  apis: { 'io.ebean.annotation.Transactional': { scope } },
  extended: ['io.ebean.Model'],
  types: {
    'io.ebean.DB': database,
    [DATABASE]: database,
    [TRANSACTION]: transaction,
    [NESTING]: transaction,
    [NESTED]: { commit: { flat: 'release' }, rollback: { flat: 'rollback to' }, end: {} },
    'io.ebean.Model': {
      save: { write: { verb: 'save', rows: 'one' } },
      insert: { write: { verb: 'insert', rows: 'one' } },
      update: { write: { verb: 'update', rows: 'one' } },
      delete: { write: { verb: 'delete', rows: 'one' } },
    },
  },
});

// JDBI: nested transactions join; savepoints are asked for by name.
import { framework, type Meaning } from '../../framework.ts';

const HANDLE = 'org.jdbi.v3.core.Handle';
const joined: Meaning = { scope: { opens: 'transaction', whenNested: 'join' }, gives: [HANDLE] };
const separate: Meaning = { scope: { opens: 'transaction', whenNested: 'separate' }, gives: [HANDLE] };
/** The block is given an object of the interface that the call names. */
const attached: Meaning = { of: 0, gives: ['of'] };
const query: Meaning = { sql: 0, returns: 'org.jdbi.v3.core.statement.SqlStatement' };
const savepoints: Record<string, Meaning> = {
  savepoint: { flat: 'savepoint', name: 0, returns: 'self' },
  release: { flat: 'release', name: 0, returns: 'self' },
  releaseSavepoint: { flat: 'release', name: 0, returns: 'self' },
  rollbackToSavepoint: { flat: 'rollback to', name: 0, returns: 'self' },
  begin: { flat: 'begin', returns: 'self' },
  commit: { flat: 'commit', returns: 'self' },
  rollback: { flat: 'rollback', returns: 'self' },
};
const sql: Meaning = { sql: { position: 0, keyword: 'value' } };

export default framework({
  name: 'jdbi',
  language: 'jvm',
  packages: ['maven:org.jdbi:jdbi3-core'],
  needles: ['org.jdbi'],
  apis: {
    'org.jdbi.v3.sqlobject.transaction.Transaction': { scope: { opens: 'transaction', whenNested: 'join' } },
    'org.jdbi.v3.sqlobject.statement.SqlUpdate': sql,
    'org.jdbi.v3.sqlobject.statement.SqlQuery': sql,
    'org.jdbi.v3.sqlobject.statement.SqlBatch': { ...sql, loops: 'items' },
    'org.jdbi.v3.sqlobject.statement.SqlCall': sql,
  },
  extended: ['org.jdbi.v3.sqlobject.transaction.Transactional', 'org.jdbi.v3.core.Jdbi', HANDLE],
  types: {
    'org.jdbi.v3.core.Jdbi': {
      create: { returns: 'org.jdbi.v3.core.Jdbi' },
      installPlugin: { returns: 'self' },
      inTransaction: separate,
      useTransaction: separate,
      withHandle: { gives: [HANDLE] },
      useHandle: { gives: [HANDLE] },
      // Kotlin's, which name no exception.
      inTransactionUnchecked: separate,
      useTransactionUnchecked: separate,
      withHandleUnchecked: { gives: [HANDLE] },
      useHandleUnchecked: { gives: [HANDLE] },
      open: { returns: HANDLE },
      onDemand: { of: 0, returns: 'of' },
      withExtension: attached,
      useExtension: attached,
      withExtensionUnchecked: attached,
      useExtensionUnchecked: attached,
    },
    [HANDLE]: {
      ...savepoints, inTransaction: joined, useTransaction: joined, inTransactionUnchecked: joined, useTransactionUnchecked: joined, execute: { ...query, textOnly: true }, createUpdate: query, createQuery: query, createCall: query,
      createScript: query, prepareBatch: { ...query, loops: 'items' }, select: query, isInTransaction: { tellsOpen: true }, attach: { of: 0, returns: 'of' }, getConnection: { returns: 'java.sql.Connection' },
    }, // biome-ignore format: one list
    'org.jdbi.v3.sqlobject.transaction.Transactional': {
      ...savepoints,
      inTransaction: joined,
      useTransaction: joined,
    },
  },
});

// JDBC, and pgjdbc's own names beside it.
import { framework, type Meaning } from '../../framework.ts';

const run: Meaning = { sql: 0, textOnly: true };
const statement: Record<string, Meaning> = {
  execute: run,
  executeUpdate: run,
  executeLargeUpdate: run,
  executeQuery: { sql: 0, returns: 'java.sql.ResultSet' },
  addBatch: run,
};

const ready: Meaning = { executes: true, textOnly: true };
const prepared: Record<string, Meaning> = {
  ...statement,
  execute: ready,
  executeUpdate: ready,
  executeLargeUpdate: ready,
  executeQuery: { executes: true, returns: 'java.sql.ResultSet' },
  addBatch: ready,
};

const connection: Record<string, Meaning> = {
  setAutoCommit: {
    when: [
      { argument: 0, is: 'false', then: { flat: 'begin' } },
      { argument: 0, is: 'true', then: { flat: 'commit' } },
    ],
  },
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback', name: 0, when: [{ argument: 0, then: { flat: 'rollback to' } }] },
  setSavepoint: { begins: true, flat: 'savepoint', name: 0, returns: 'java.sql.Savepoint' },
  releaseSavepoint: { flat: 'release', name: 0 },
  prepareStatement: { sql: 0, prepares: true, returns: 'java.sql.PreparedStatement' },
  prepareCall: { sql: 0, prepares: true, returns: 'java.sql.CallableStatement' },
  createStatement: { returns: 'java.sql.Statement' },
  unwrap: { returns: 'self' },
  getCopyAPI: { returns: 'org.postgresql.copy.CopyManager' },
};

const own: Meaning = { connects: true, returns: 'java.sql.Connection' };

const copying: Record<string, Meaning> = { copyIn: { sql: 0 }, copyOut: { sql: 0 } };

export default framework({
  name: 'jdbc',
  language: 'jvm',
  packages: ['maven:org.postgresql:postgresql'],
  needles: [
    'Savepoint', 'savepoint', 'SAVEPOINT', 'autosave', 'setAutosave', 'AUTOSAVE', 'prepareStatement', 'createStatement', 'prepareCall', 'setAutoCommit', 'autoCommit', 'jdbc:', 'TransactionAwareDataSourceProxy',
  ], // biome-ignore format: one list
  speaks: ['java.sql.', 'javax.sql.', 'org.postgresql.', 'groovy.sql.', 'org.apache.commons.dbutils.'],
  extended: ['java.sql.Connection', 'javax.sql.DataSource'],
  types: {
    'java.sql.Connection': connection,
    'org.postgresql.PGConnection': connection,
    'org.postgresql.jdbc.PgConnection': connection,
    'java.sql.Statement': statement,
    'java.sql.PreparedStatement': prepared,
    'java.sql.CallableStatement': prepared,
    'javax.sql.DataSource': { getConnection: own },
    'com.zaxxer.hikari.HikariDataSource': { getConnection: own },
    'org.postgresql.ds.PGSimpleDataSource': { getConnection: own },
    'java.sql.DriverManager': { getConnection: { ...own, address: 0 } },
    'org.springframework.jdbc.datasource.DataSourceUtils': {
      getConnection: { returns: 'java.sql.Connection' },
    },
    'org.postgresql.copy.CopyManager': copying,
    'java.sql.ResultSet': {},
  },
  methods: {
    setSavepoint: { begins: true, flat: 'savepoint', name: 0, returns: 'java.sql.Savepoint' },
    releaseSavepoint: { flat: 'release', name: 0 },
    rollback: {
      when: [{ argument: 0, is: 'type java.sql.Savepoint', then: { flat: 'rollback to', name: 0 } }],
    },
    // R2DBC's is given the text.
    createStatement: { sql: 0, returns: 'java.sql.Statement' },
    prepareStatement: { sql: 0, prepares: true, returns: 'java.sql.PreparedStatement' },
    prepareCall: { sql: 0, prepares: true, returns: 'java.sql.CallableStatement' },
  },
});

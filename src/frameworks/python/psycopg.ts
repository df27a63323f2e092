// psycopg 3 and psycopg2: the first statement begins a transaction unless autocommit is on. Rows S027–S031; aiopg: S042.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';

const TRANSACTION: ScopeMeaning = { opens: 'transaction', whenNested: 'savepoint', label: 'transaction()' };
const NAME = { position: 0, keyword: 'savepoint_name' };

// A named outermost transaction() sends BEGIN and a savepoint of that name, which ends with it.
const transaction: Meaning = {
  scope: TRANSACTION,
  swallows: 'Rollback',
  name: NAME,
  when: [
    { argument: { position: 1, keyword: 'force_rollback' }, is: 'True', then: { undone: true } },
    {
      argument: NAME,
      then: {
        outer: { ...TRANSACTION, whenNested: 'join' },
        scope: { opens: 'subtransaction', whenNested: 'savepoint', label: 'transaction(savepoint_name)' },
      },
    },
  ],
};
const plain: Meaning = { sql: { position: 0, keyword: 'query' }, textOnly: true };
const implicit: Meaning = { flat: 'begin', ...plain };
const handedOver: Meaning = { ...plain, opened: true };

const control: Record<string, Meaning> = {
  __exit__: { flat: 'commit' },
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback' },
};
const cursor = (statement: Meaning): Record<string, Meaning> => ({
  execute: statement,
  executemany: { ...statement, loops: 'items' },
  stream: statement,
  callproc: {
    ...(statement.flat && { flat: statement.flat }),
    routine: { position: 0, keyword: 'procname' },
  },
  copy: { ...statement, sql: { position: 0, keyword: 'statement' } },
  copy_expert: { ...statement, sql: { position: 0, keyword: 'sql' } },
  copy_from: { ...(statement.flat && { flat: statement.flat }), write: { verb: 'copy', rows: 'many' } },
  fetchone: {},
  fetchall: {},
  fetchmany: { limits: { position: 0, keyword: 'size' } },
});

/** What makes every statement a transaction of its own. */
const alone = (path: string): Record<string, Meaning> => ({
  'autocommit = True': { becomes: path },
  set_autocommit: { when: [{ argument: 0, is: 'True', then: { becomes: path } }] },
  set_session: { when: [{ argument: 'autocommit', is: 'True', then: { becomes: path } }] },
});

const CONNECTION = 'psycopg.Connection';
const CURSOR = 'psycopg.Cursor';
const AUTOCOMMIT = 'psycopg.AutocommitConnection';
const AUTOCOMMIT_CURSOR = 'psycopg.AutocommitCursor';
/** Of psycopg 3, where nothing has begun, as far as is known: executemany() is a pipeline, and that is one transaction. */
const PIPELINE_CURSOR = 'psycopg.Cursor with pipelines';
const HANDED_CURSOR = 'psycopg.Cursor handed over';
const OLD_HANDED_CURSOR = 'psycopg2.extensions.cursor handed over';
const OLD = 'psycopg2.extensions.connection';
const OLD_CURSOR = 'psycopg2.extensions.cursor';
const OLD_AUTOCOMMIT = 'psycopg2.extensions.autocommit connection';
const HANDED = 'psycopg.Connection handed over';
const OLD_HANDED = 'psycopg2.extensions.connection handed over';
const OFF = [
  '0',
  'ISOLATION_LEVEL_AUTOCOMMIT',
  'psycopg2.extensions.ISOLATION_LEVEL_AUTOCOMMIT',
  'extensions.ISOLATION_LEVEL_AUTOCOMMIT',
];

const isolation: Meaning = {
  when: OFF.map((is) => ({ argument: 0, is, then: { becomes: OLD_AUTOCOMMIT } })),
};

const pipeline: Meaning = {
  scope: { opens: 'transaction', whenNested: 'join', label: 'executemany()' },
  inside: [{ ...plain, loops: 'items' }],
};

const connect: Meaning = {
  connects: true,
  returns: CONNECTION,
  when: [{ argument: 'autocommit', is: 'True', then: { returns: AUTOCOMMIT } }],
};

const POOL = 'psycopg_pool.ConnectionPool';
const AUTOCOMMIT_POOL = 'psycopg_pool.ConnectionPool in autocommit';
const HANDED_POOL = 'psycopg_pool.ConnectionPool of somebody';
const pool: Meaning = {
  returns: POOL,
  when: [
    { argument: 'kwargs', entry: 'autocommit', is: 'True', then: { returns: AUTOCOMMIT_POOL } },
    {
      argument: 'configure',
      does: ['autocommit = True', 'set_autocommit(True)'],
      then: { returns: AUTOCOMMIT_POOL },
    },
    // What its connections are set to, nobody here says.
    { argument: 'kwargs', unread: true, then: { returns: HANDED_POOL } },
    { argument: 'configure', unread: true, then: { returns: HANDED_POOL } },
  ],
};
const lends = (connection: string): Record<string, Meaning> => ({
  connection: { connects: true, returns: connection },
  getconn: { connects: true, returns: connection },
});

export default framework({
  name: 'psycopg',
  language: 'python',
  packages: ['pypi:psycopg', 'pypi:psycopg2', 'pypi:psycopg2-binary', 'pypi:aiopg'],
  needles: ['psycopg', 'aiopg', '.transaction(', '.execute('],
  apis: {
    'psycopg.connect': connect,
    'psycopg.Connection.connect': connect,
    'psycopg.AsyncConnection.connect': connect,
    [POOL]: pool,
    'psycopg_pool.AsyncConnectionPool': pool,
    'psycopg2.connect': { connects: true, returns: OLD },
    'psycopg2.extras.execute_values': { sql: 1 },
    'psycopg2.extras.execute_batch': { sql: 1, loops: 'items' },
    'psycopg.sql.SQL': { returns: 'text 0' },
    'psycopg2.sql.SQL': { returns: 'text 0' },
    'aiopg.connect': { returns: 'aiopg.Connection' },
    'aiopg.create_pool': { returns: 'aiopg.Pool' },
    'aiopg.sa.create_engine': { returns: 'aiopg.sa.Engine' },
  },
  handles: [
    'psycopg.Connection',
    'psycopg.AutocommitConnection',
    POOL,
    AUTOCOMMIT_POOL,
    OLD,
    'aiopg.Cursor',
    'aiopg.sa.SAConnection',
  ],
  types: {
    [CONNECTION]: {
      ...control,
      ...alone(AUTOCOMMIT),
      transaction,
      execute: implicit,
      cursor: { returns: CURSOR },
    },
    // Whether it commits each statement, who made it knows.
    [HANDED]: {
      ...control,
      ...alone(AUTOCOMMIT),
      transaction,
      execute: handedOver,
      cursor: { returns: HANDED_CURSOR },
    },
    [OLD_HANDED]: {
      ...control,
      ...alone(OLD_AUTOCOMMIT),
      set_isolation_level: isolation,
      cursor: { returns: OLD_HANDED_CURSOR },
    },
    [AUTOCOMMIT]: {
      transaction,
      execute: plain,
      cursor: { returns: PIPELINE_CURSOR },
    },
    [CURSOR]: cursor(implicit),
    [AUTOCOMMIT_CURSOR]: cursor(plain),
    [PIPELINE_CURSOR]: { ...cursor(plain), executemany: pipeline },
    [HANDED_CURSOR]: { ...cursor(handedOver), executemany: pipeline },
    [OLD_HANDED_CURSOR]: cursor(handedOver),
    [POOL]: lends(CONNECTION),
    [AUTOCOMMIT_POOL]: lends(AUTOCOMMIT),
    [HANDED_POOL]: lends(HANDED),
    [OLD]: {
      ...control,
      ...alone(OLD_AUTOCOMMIT),
      set_isolation_level: isolation,
      cursor: { returns: OLD_CURSOR },
    },
    [OLD_AUTOCOMMIT]: { cursor: { returns: AUTOCOMMIT_CURSOR } },
    [OLD_CURSOR]: cursor(implicit),
    'aiopg.Pool': {
      acquire: { connects: true, returns: 'aiopg.Connection' },
      cursor: { connects: true, returns: 'aiopg.Cursor' },
    },
    'aiopg.Connection': { cursor: { returns: 'aiopg.Cursor' } },
    'aiopg.Cursor': {
      ...cursor(plain),
      begin: { scope: { opens: 'transaction', whenNested: 'refuse', label: 'begin()', begun: true } },
      // Outermost it is a plain BEGIN.
      begin_nested: {
        scope: { opens: 'transaction', whenNested: 'savepoint', label: 'begin_nested()', begun: true },
      },
    },
    'aiopg.sa.Engine': { acquire: { connects: true, returns: 'aiopg.sa.SAConnection' } },
    'aiopg.sa.SAConnection': {
      in_transaction: { tellsOpen: true },
      execute: plain,
      begin: { scope: { opens: 'transaction', whenNested: 'join', label: 'begin()', begun: true } },
      begin_nested: {
        scope: { opens: 'transaction', whenNested: 'savepoint', label: 'begin_nested()', begun: true },
      },
    },
  },
  handed: {
    [CURSOR]: HANDED_CURSOR,
    [OLD_CURSOR]: OLD_HANDED_CURSOR,
    [CONNECTION]: HANDED,
    [OLD]: OLD_HANDED,
  },
  same: {
    'psycopg.AsyncConnection': CONNECTION,
    'psycopg.AsyncCursor': CURSOR,
    'psycopg_pool.AsyncConnectionPool': POOL,
    'psycopg2.extensions.connect': 'psycopg2.connect',
    'aiopg.pool.create_pool': 'aiopg.create_pool',
  },
  receivers: {
    conn: CONNECTION,
    aconn: CONNECTION,
    connection: CONNECTION,
    cur: CURSOR,
    cursor: CURSOR,
    pool: POOL,
  },
});

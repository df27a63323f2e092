// SQLAlchemy, SQLModel and Flask-SQLAlchemy: sessions, connections and what they send. Rows S018–S024.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';

// The session begins by itself, so that a nested begin is always a savepoint; a failure leaves its level open.
const NESTED: ScopeMeaning = {
  opens: 'subtransaction',
  whenNested: 'savepoint',
  label: 'begin_nested()',
  releases: 'on success',
  begun: true,
};
const beginNested: Meaning = { flat: 'begin', scope: { ...NESTED, lazy: true, flushes: 'flush' } };
const eager: Meaning = { flat: 'begin', scope: NESTED };
const begin: Meaning = {
  scope: { opens: 'transaction', whenNested: 'join', label: 'begin()', begun: true },
  when: [
    { argument: { position: 0, keyword: 'nested' }, is: 'True', then: { ...beginNested, scope: { ...beginNested.scope!, label: 'begin(nested=True)' } } },
  ],
}; // biome-ignore format: one variation

// Where nothing is open, a statement begins a transaction, which stays until somebody ends it.
const statement: Meaning = { flat: 'begin', sql: 0 };
// What it gives, by the query that it is handed.
const RESULT = 'sqlalchemy.engine.Result';
const SCALARS = 'sqlalchemy.engine.ScalarResult';
const executes: Meaning = { ...statement, related: 0, selects: 'rows', returns: RESULT };
const scalars: Meaning = { ...statement, related: 0, selects: 'first', returns: SCALARS };
const scalar: Meaning = { ...statement, related: 0, selects: 'first', returns: 'item' };
const item: Meaning = { related: 0, selects: 'first', returns: 'item' };
const LOCKS = 'with_for_update';
const get: Meaning = {
  ...item,
  of: 0,
  when: [
    { argument: LOCKS, is: 'False', then: {} },
    { argument: LOCKS, then: { flat: 'begin', rowLock: { strength: 'update' } } },
  ],
};

const tells: Record<string, Meaning> = {
  in_transaction: { tellsOpen: true },
  get_transaction: { tellsOpen: true },
};

// At once, and without the events of the objects.
const bulk = (verb: 'insert' | 'update' | 'save'): Meaning => ({
  flat: 'begin',
  write: { verb, rows: 'many', withoutCallbacks: true },
  of: 0,
});

const session: Record<string, Meaning> = {
  ...tells,
  begin_nested: beginNested,
  begin,
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback' },
  close: { flat: 'rollback' },
  execute: executes,
  scalar,
  scalars,
  exec: scalars,
  stream: executes,
  stream_scalars: scalars,
  query: { flat: 'begin', returns: 'sqlalchemy.orm.Query', related: 0 },
  get,
  get_one: get,
  // What is added is written at the next flush, at the latest where the savepoint around it ends.
  add: { flat: 'begin', write: { verb: 'insert', rows: 'one' }, of: 0 },
  add_all: { flat: 'begin', write: { verb: 'insert', rows: 'many' }, of: 0 },
  merge: { write: { verb: 'save', rows: 'one' }, of: 0 },
  delete: { write: { verb: 'delete', rows: 'one' }, of: 0 },
  flush: { flat: 'begin', write: { verb: 'update', rows: 'unknown' } },
  bulk_save_objects: bulk('save'),
  bulk_insert_mappings: bulk('insert'),
  bulk_update_mappings: bulk('update'),
  run_sync: { runs: 0 },
  connection: { returns: 'sqlalchemy.engine.Connection' },
  session: { returns: 'self' },
  // Who calls the registry gets the session that it stands for.
  '()': { returns: 'self' },
  __exit__: { flat: 'rollback' },
};

/** Each statement is a transaction of its own. */
const AUTOCOMMIT = 'sqlalchemy.engine.Connection in autocommit';
const AUTOCOMMIT_ENGINE = 'sqlalchemy.engine.Engine in autocommit';
const autocommits = (then: Meaning): Meaning['when'] => [
  { argument: 'isolation_level', is: 'AUTOCOMMIT', then },
];

const connection: Record<string, Meaning> = {
  ...tells,
  begin_nested: eager,
  begin: { scope: { opens: 'transaction', whenNested: 'join', label: 'begin()', begun: true } },
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback' },
  execute: statement,
  exec_driver_sql: statement,
  scalar: statement,
  scalars: statement,
  execution_options: {
    returns: 'self',
    when: autocommits({ returns: AUTOCOMMIT, becomes: AUTOCOMMIT }),
  },
  run_sync: { runs: 0 },
  __exit__: { flat: 'rollback' },
};

const engine: Meaning = {
  returns: 'sqlalchemy.engine.Engine',
  address: { position: 0, keyword: 'url' },
  when: autocommits({ returns: AUTOCOMMIT_ENGINE }),
};
// A session from a factory as a context manager: whatever it began ends with it.
const closing: Meaning = { connects: true, returns: 'sqlalchemy.orm.Session' };
const engineBegin: Meaning = {
  scope: { opens: 'transaction', whenNested: 'separate', label: 'engine.begin()', begun: true },
  returns: 'sqlalchemy.engine.Connection',
};
const rowLock: Meaning = {
  rowLock: { strength: 'update' },
  returns: 'self',
  when: [
    { argument: 'skip_locked', is: 'True', then: { rowLock: { strength: 'update', skipLocked: true } } },
    { argument: 'key_share', is: 'True', then: { rowLock: { strength: 'no key update' } } },
    { argument: 'read', is: 'True', then: { rowLock: { strength: 'share' } } },
  ],
};

// A statement that is put together; it is sent where it is executed.
/** The function itself. */
const SELECT = 'sqlalchemy.sql.select';
const select: Meaning = { related: 0, returns: 'sqlalchemy.orm.Query' };

const STATEMENT = 'sqlalchemy.sql.expression.UpdateBase';
const built = (write: NonNullable<Meaning['write']>): Meaning => ({
  write: { ...write, withoutCallbacks: true },
  of: { position: 0, keyword: 'table' },
  returns: STATEMENT,
});
const statements: Record<string, Meaning> = {
  insert: built({ verb: 'insert', rows: 'unknown' }),
  update: built({ verb: 'update', rows: 'many' }),
  delete: built({ verb: 'delete', rows: 'many' }),
};
const TABLE = 'sqlalchemy.Table';
const ofTable = Object.fromEntries(
  Object.entries(statements).map(([name, { of: _, ...its }]): [string, Meaning] => [name, its]),
);
const MODULES = ['sqlalchemy', 'sqlalchemy.sql', 'sqlalchemy.sql.expression', 'sqlmodel'];
const DIALECT = ['sqlalchemy.dialects.postgresql', 'sqlalchemy.dialects.postgresql.dml'];
const sameAs = (path: string, names: string): Record<string, Meaning> =>
  Object.fromEntries(
    names.split(' ').map((name) => [`${path}.${name}`, { returns: 'sqlalchemy.orm.Query' }]),
  );
const itself = (names: string): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { returns: 'self' }]));

const BASE = 'sqlalchemy.orm.DeclarativeBase';
const FLASKS = 'flask_sqlalchemy.SQLAlchemy().Model';

const gives = (names: string): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { returns: 'item' }]));

const FETCHMANY: Meaning = { returns: 'self', limits: { position: 0, keyword: 'size' } };
const WIDENS: Meaning = { returns: 'self', widens: true };
const PICKS: Record<string, Meaning> = Object.fromEntries(
  ['filter', 'filter_by', 'where'].map((name) => [name, { returns: 'self', picks: true }]),
);

const query: Record<string, Meaning> = {
  ...itself(
    'join outerjoin join_from select_from options order_by group_by having distinct offset add_columns ' +
      'with_only_columns execution_options correlate prefix_with cte subquery',
  ),
  limit: { returns: 'self', limits: 0 },
  union: WIDENS,
  union_all: WIDENS,
  ...PICKS,
  with_for_update: rowLock,
  ...itself('all yield_per populate_existing'),
  ...gives('one first one_or_none get get_or_404 first_or_404 one_or_404'),
  update: { write: { verb: 'update', rows: 'many', withoutCallbacks: true } },
  delete: { write: { verb: 'delete', rows: 'many', withoutCallbacks: true } },
};
/** `Order.query`: asks the session of its scope, which begins by itself. */
const QUERY_OF_CLASS = 'flask_sqlalchemy.query.Query';
const queryOfClass = Object.fromEntries(
  Object.entries(query).map(([name, its]): [string, Meaning] => [name, { ...its, flat: 'begin' }]),
);

const named = (names: string, type: string): Record<string, string> =>
  Object.fromEntries(names.split(' ').map((name) => [name, type]));

export default framework({
  name: 'sqlalchemy',
  language: 'python',
  packages: ['pypi:sqlalchemy', 'pypi:sqlmodel', 'pypi:flask-sqlalchemy'],
  folders: ['sqlalchemy'],
  needles: [
    'listens_for',
    'event.listen(',
    'begin_nested',
    'nested=True',
    'join_transaction_mode',
    'with_for_update',
    '.begin()',
    'create_engine',
    'create_async_engine',
    'after_create',
    '.execute(',
    'backref=',
  ],
  apis: {
    'sqlalchemy.text': { returns: 'text 0' },
    // It is run when its table is created or dropped, mostly, or where it is executed.
    'sqlalchemy.DDL': { returns: 'text 0', sql: { position: 0, keyword: 'statement' }, only: 'creates' },
    'sqlalchemy.orm.Session': {
      connects: true,
      returns: 'sqlalchemy.orm.Session',
      // It opens one at once, and another after each commit().
      when: [
        {
          argument: 'join_transaction_mode',
          is: 'create_savepoint',
          then: { connects: undefined, flat: 'savepoint', returns: 'sqlalchemy.orm.Session' },
        },
      ],
    },
    'sqlalchemy.create_engine': engine,
    'sqlalchemy.engine_from_config': { returns: 'sqlalchemy.engine.Engine' },
    'sqlalchemy.ext.asyncio.create_async_engine': engine,
    'sqlalchemy.orm.sessionmaker': { returns: 'sqlalchemy.orm.sessionmaker' },
    'sqlalchemy.ext.asyncio.async_sessionmaker': { returns: 'sqlalchemy.orm.sessionmaker' },
    'sqlalchemy.orm.scoped_session': { returns: 'sqlalchemy.orm.Session' },
    'sqlalchemy.select': select,
    ...Object.fromEntries(
      MODULES.flatMap((module) =>
        Object.entries(statements).map(([name, its]) => [`${module}.${name}`, its]),
      ),
    ),
    ...Object.fromEntries(DIALECT.map((module) => [`${module}.insert`, statements.insert!])),
    [TABLE]: { returns: TABLE },
    'sqlalchemy.table': { returns: TABLE },
    ...sameAs('sqlalchemy', 'union union_all exists values'),
    'sqlalchemy.orm.relationship': { related: { position: 0, keyword: 'argument' } },
    'flask_sqlalchemy.SQLAlchemy': { returns: 'flask_sqlalchemy.SQLAlchemy' },
  },
  handles: [
    'sqlalchemy.orm.Session',
    'sqlalchemy.engine.Connection',
    'sqlalchemy.engine.Engine',
    'sqlalchemy.orm.sessionmaker',
  ],
  types: {
    'sqlalchemy.orm.Session': session,
    'sqlalchemy.engine.Connection': connection,
    [AUTOCOMMIT]: {
      begin_nested: eager,
      begin: {}, // the driver sends none
      execute: { sql: 0 },
      exec_driver_sql: { sql: 0 },
      scalar: { sql: 0 },
      scalars: { sql: 0 },
      execution_options: { returns: 'self' },
      run_sync: { runs: 0 },
    },
    'sqlalchemy.engine.Engine': {
      connect: { connects: true, returns: 'sqlalchemy.engine.Connection' },
      begin: engineBegin,
      execute: { sql: 0 },
      execution_options: { returns: 'self', when: autocommits({ returns: AUTOCOMMIT_ENGINE }) },
    },
    [AUTOCOMMIT_ENGINE]: {
      connect: { connects: true, returns: AUTOCOMMIT },
      begin: { connects: true, returns: AUTOCOMMIT },
      execute: { sql: 0 },
      execution_options: { returns: 'self' },
    },
    'sqlalchemy.orm.sessionmaker': {
      '()': closing,
      begin: {
        scope: { opens: 'transaction', whenNested: 'separate', label: 'sessionmaker.begin()', begun: true },
        returns: 'sqlalchemy.orm.Session',
      },
    },
    'sqlalchemy.orm.Query': query,
    [RESULT]: {
      ...itself('all fetchall unique yield_per partitions'),
      fetchmany: FETCHMANY,
      ...gives('one first one_or_none fetchone'),
      scalars: { returns: `${SCALARS} of items` },
      scalar: { returns: 'item of item' },
      scalar_one: { returns: 'item of item' },
      scalar_one_or_none: { returns: 'item of item' },
    },
    [SCALARS]: {
      ...itself('all fetchall unique yield_per partitions'),
      fetchmany: FETCHMANY,
      ...gives('one first one_or_none'),
    },
    [TABLE]: { ...ofTable, select: { returns: 'sqlalchemy.orm.Query' } },
    [STATEMENT]: {
      ...PICKS,
      ...itself('values returning from_select execution_options ordered_values options'),
      on_conflict_do_nothing: { alters: { onConflict: 'nothing' }, returns: 'self' },
      on_conflict_do_update: { alters: { onConflict: 'update' }, returns: 'self' },
    },
    'flask_sqlalchemy.SQLAlchemy': {
      session: { returns: 'sqlalchemy.orm.Session' },
      select,
      get_or_404: item,
      first_or_404: item,
      one_or_404: item,
    },
    [BASE]: {},
    [SELECT]: { '()': select },
    [QUERY_OF_CLASS]: queryOfClass,
  },
  flushed: [BASE],
  lends: ['backref'],
  classes: {
    'sqlalchemy.orm.declarative_base()': BASE,
    'sqlalchemy.ext.automap.automap_base()': BASE,
    [FLASKS]: BASE,
  },
  queries: { query: QUERY_OF_CLASS },
  functions: ['sqlalchemy.func'],
  computes: {
    columns: 'select query with_entities add_columns',
    values: 'values where filter filter_by having order_by group_by update',
    one: 'insert get one first one_or_none scalar scalar_one scalar_one_or_none fetchone',
  },
  vendors: ['dialect.name', 'engine.name', 'drivername'],
  apart: 'django',
  statements: [STATEMENT],
  signals: Object.fromEntries(
    (['insert', 'update', 'delete'] as const).flatMap((verb) =>
      (['before', 'after'] as const).map((timing) => [
        `sqlalchemy.event.listens_for.${timing}_${verb}`,
        { verbs: [verb], timing },
      ]),
    ),
  ),
  same: {
    'sqlalchemy.schema.Table': TABLE,
    'sqlalchemy.sql.schema.Table': TABLE,
    'sqlalchemy.sql.table': 'sqlalchemy.table',
    'sqlalchemy.sql.func': 'sqlalchemy.func',
    'sqlalchemy.sql.expression.func': 'sqlalchemy.func',
    'sqlmodel.func': 'sqlalchemy.func',
    'sqlalchemy.schema.DDL': 'sqlalchemy.DDL',
    'sqlalchemy.sql.ddl.DDL': 'sqlalchemy.DDL',
    'sqlalchemy.sql.text': 'sqlalchemy.text',
    'sqlalchemy.sql.expression.text': 'sqlalchemy.text',
    'sqlmodel.text': 'sqlalchemy.text',
    'sqlmodel.select': 'sqlalchemy.select',
    'sqlalchemy.future.select': 'sqlalchemy.select',
    'sqlalchemy.sql.select': 'sqlalchemy.select',
    'sqlmodel.create_engine': 'sqlalchemy.create_engine',
    'sqlmodel.Session': 'sqlalchemy.orm.Session',
    'sqlmodel.ext.asyncio.session.AsyncSession': 'sqlalchemy.orm.Session',
    'sqlalchemy.orm.session.Session': 'sqlalchemy.orm.Session',
    'sqlalchemy.ext.asyncio.AsyncSession': 'sqlalchemy.orm.Session',
    'sqlalchemy.ext.asyncio.session.AsyncSession': 'sqlalchemy.orm.Session',
    'sqlalchemy.orm.session.sessionmaker': 'sqlalchemy.orm.sessionmaker',
    'sqlalchemy.ext.asyncio.AsyncConnection': 'sqlalchemy.engine.Connection',
    'sqlalchemy.engine.base.Connection': 'sqlalchemy.engine.Connection',
    'sqlalchemy.Connection': 'sqlalchemy.engine.Connection',
    'sqlalchemy.engine.base.Engine': 'sqlalchemy.engine.Engine',
    'sqlalchemy.Engine': 'sqlalchemy.engine.Engine',
    'sqlalchemy.ext.asyncio.AsyncEngine': 'sqlalchemy.engine.Engine',
    'sqlalchemy.ext.declarative.declarative_base': 'sqlalchemy.orm.declarative_base',
    'sqlmodel.SQLModel': BASE,
    'flask.ext.sqlalchemy.SQLAlchemy': 'flask_sqlalchemy.SQLAlchemy',
  },
  // Flask-SQLAlchemy's.
  addresses: ['SQLALCHEMY_DATABASE_URI'],
  receivers: {
    session: 'sqlalchemy.orm.Session',
    db_session: 'sqlalchemy.orm.Session',
    async_session: 'sqlalchemy.orm.Session',
    engine: 'sqlalchemy.engine.Engine',
    'db.session': 'sqlalchemy.orm.Session',
    'db.select': SELECT,
    'request.db': 'sqlalchemy.orm.Session',
    'self.session': 'sqlalchemy.orm.Session',
  },
  nicknames: {
    ...named(
      'SessionDep AsyncSessionDep SessionDependency DbSession DBSession DbSessionDep DatabaseSession AsyncDbSession',
      'sqlalchemy.orm.Session',
    ),
    ...named(
      'SessionLocal AsyncSessionLocal SessionMaker AsyncSessionMaker SessionFactory AsyncSessionFactory session_maker ' +
        'session_factory async_session_maker async_session_factory async_session',
      'sqlalchemy.orm.sessionmaker',
    ),
    ...named('engine async_engine', 'sqlalchemy.engine.Engine'),
  },
  methods: {
    begin_nested: { ...beginNested, anywhere: true, becomes: 'sqlalchemy.orm.Session' },
    with_for_update: rowLock,
  },
  tables: {
    [BASE]: { attribute: '__tablename__', otherwise: 'none' },
    [FLASKS]: { attribute: '__tablename__', otherwise: 'snake case' },
  },
});

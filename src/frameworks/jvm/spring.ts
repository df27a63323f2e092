// Spring: transactions, JDBC templates, Spring Data repositories, what starts a method.
import { framework, type Meaning, type ScopeMeaning, type Variation } from '../../framework.ts';

const transaction = { opens: 'transaction', whenNested: 'join' } as const;
/** Savepoints come from the connection: with JPA's transaction manager NESTED throws. */
const nested: Meaning = {
  scope: {
    opens: 'transaction',
    whenNested: 'savepoint',
    setting: { of: 'spring', assumed: true, otherwise: 'refuse' },
  },
};
const none: Meaning = { scope: undefined, becomes: undefined };
/** What runs has no transaction: one around it waits on its own connection, or is refused. */
const without: Meaning = {
  scope: { opens: 'connection', whenNested: 'separate' },
  becomes: undefined,
};

const propagation = (argument: Variation['argument'], prefix = ''): Variation[] => [
  { argument, is: `${prefix}NESTED`, then: nested },
  {
    argument,
    is: `${prefix}REQUIRES_NEW`,
    then: { scope: { opens: 'transaction', whenNested: 'separate' } },
  },
  { argument, is: `${prefix}NEVER`, then: without },
  { argument, is: `${prefix}NOT_SUPPORTED`, then: without },
  { argument, is: `${prefix}SUPPORTS`, then: none },
  { argument, is: `${prefix}MANDATORY`, then: none },
];

const SUPPORT = 'org.springframework.transaction.support';
const TEMPLATE = `${SUPPORT}.TransactionTemplate`;
const DEFINITION = `${SUPPORT}.DefaultTransactionDefinition`;
const STATUS = 'org.springframework.transaction.TransactionStatus';
const OPERATOR = 'org.springframework.transaction.reactive.TransactionalOperator';

/** NESTED is 6, and people write that too. */
const becoming = (type: string): Meaning => ({
  when: ['PROPAGATION_NESTED', 'NESTED', '6'].map((is) => ({
    argument: 0,
    is,
    then: { becomes: `${type}.nested` },
  })),
});
const NEW = ['PROPAGATION_REQUIRES_NEW', '3'];
const defining = (type: string): Meaning => ({
  returns: type,
  when: [
    ...['PROPAGATION_NESTED', 'NESTED', '6'].map((is) => ({
      argument: 0,
      is,
      then: { returns: `${type}.nested` },
    })),
    ...NEW.map((is) => ({ argument: 0, is, then: { returns: `${type}.new` } })),
  ],
});
const setters = (type: string): Record<string, Meaning> => ({
  setPropagationBehavior: {
    when: [
      ...(becoming(type).when ?? []),
      ...NEW.map((is) => ({
        argument: 0,
        is,
        then: { becomes: `${type}.new` },
      })),
    ],
  },
  setPropagationBehaviorName: becoming(type),
});

/** What is injected may have been set to NESTED where it was made. */
const BEAN = 'spring bean';
const nestedBy: Meaning['nestedBy'] = { of: BEAN, setting: nested.scope!.setting };
const template = (meaning: Meaning): Record<string, Meaning> => ({
  execute: { ...meaning, gives: [STATUS] },
  executeWithoutResult: { ...meaning, gives: [STATUS] },
});
const operator = (meaning: Meaning): Record<string, Meaning> => ({
  execute: meaning,
  transactional: { ...meaning, runs: 0 },
  executeAndAwait: meaning,
});

/** That of JPA refuses it too. */
const status: Record<string, Meaning> = {
  createSavepoint: { flat: 'savepoint', allowedBy: nested.scope!.setting },
  rollbackToSavepoint: { flat: 'rollback to', name: 0 },
  releaseSavepoint: { flat: 'release', name: 0 },
  setRollbackOnly: { dooms: true },
};

/** That of the annotated method which runs. */
const current: Record<string, Meaning> = { currentTransactionStatus: { returns: STATUS } };

/** Spring releases it too. */
const undone: Meaning = { flat: 'rollback to', inside: [{ flat: 'release', name: 0 }] };
const isNested: Variation[] = [
  {
    argument: 0,
    is: `type ${DEFINITION}.nested`,
    then: { flat: 'savepoint', spans: nested.scope, returns: `${STATUS}.nested` },
  },
  {
    argument: 0,
    is: `type ${DEFINITION}.new`,
    then: { spans: { opens: 'transaction', whenNested: 'separate' } },
  },
];
const manager: Record<string, Meaning> = {
  getTransaction: { flat: 'begin', spans: transaction, returns: STATUS, when: isNested },
  commit: {
    flat: 'commit',
    name: 0,
    when: [{ argument: 0, is: `type ${STATUS}.nested`, then: { flat: 'release', name: 0 } }],
  },
  rollback: {
    flat: 'rollback',
    name: 0,
    when: [{ argument: 0, is: `type ${STATUS}.nested`, then: undone }],
  },
};

const sql: Meaning = { sql: 0 };
const written: Meaning = { sql: 0, textOnly: true };
const texts: Meaning[] = Array.from({ length: 10 }, (_, sql) => ({ sql }));
/** pgjdbc asks for one answer to some 250 statements of a batch, which so are one transaction where none is open. */
const sentAsOne: ScopeMeaning = {
  opens: 'transaction',
  whenNested: 'join',
  label: "the batch's transaction",
};
/** Once for each list of parameters, unless those are statements too. */
const batch: Variation[] = [
  {
    argument: 1,
    is: 'type java.lang.String',
    then: { sql: undefined, scope: sentAsOne, inside: texts },
  },
  { argument: 1, then: { sql: undefined, scope: sentAsOne, inside: [{ ...written, loops: 'items' }] } },
];
/** Its callback gets one row after the other; one that asks for the next row itself gets them all at once. */
const eachRow: Meaning = {
  loops: 'rows',
  when: [0, 1, 2, 3].map((argument) => ({
    argument,
    is: 'block that calls next',
    then: { loops: undefined },
  })),
};
const jdbc: Record<string, Meaning> = {
  update: written, batchUpdate: { ...written, when: batch }, query: { ...sql, ...eachRow }, queryForObject: sql, queryForList: sql, queryForMap: sql, queryForRowSet: sql,
  queryForStream: sql, execute: { ...written, gives: ['java.sql.Connection'] },
  getJdbcOperations: { returns: 'org.springframework.jdbc.core.JdbcTemplate' },
  getJdbcTemplate: { returns: 'org.springframework.jdbc.core.JdbcTemplate' },
}; // biome-ignore format: one list
/** The function or procedure whose name it was given runs where it is executed. */
const named: Meaning = { names: 0, returns: 'self' };
const runs: Meaning = { executes: true, routine: 0 };
const procedure: Record<string, Meaning> = {
  withFunctionName: named,
  withProcedureName: named,
  ...Object.fromEntries(
    ['withSchemaName', 'withCatalogName', 'declareParameters', 'useInParameterNames', 'returningResultSet', 'withReturnValue', 'withNamedBinding',
      'withoutProcedureColumnMetaDataAccess'].map((name) => [name, { returns: 'self' }]),
  ),
  execute: runs,
  executeFunction: runs,
  executeObject: runs,
}; // biome-ignore format: one list
const STATEMENT = 'org.springframework.jdbc.core.simple.JdbcClient.StatementSpec';
const client: Record<string, Meaning> = { sql: { sql: 0, returns: STATEMENT } };
const same: Meaning = { returns: 'self' };
/** Into the table whose name it was given. */
const into: Meaning = { executes: true, table: 0, write: { verb: 'insert', rows: 'one' } };
const inserting: Record<string, Meaning> = {
  withTableName: named,
  ...Object.fromEntries(
    ['withSchemaName', 'withCatalogName', 'usingColumns', 'usingGeneratedKeyColumns', 'withoutTableColumnMetaDataAccess', 'includeSynonymsForTableColumnMetaData'].map(
      (name) => [name, { returns: 'self' }]),
  ),
  execute: into,
  executeAndReturnKey: into,
  executeAndReturnKeyHolder: into,
  executeBatch: { executes: true, loops: 'items', inside: [into] },
}; // biome-ignore format: one list
const aggregates: Record<string, Meaning> = {
  insert: { of: 0, returns: 'of', write: { verb: 'insert', rows: 'one' } },
  update: { of: 0, returns: 'of', write: { verb: 'update', rows: 'one' } },
  save: { of: 0, returns: 'of', write: { verb: 'save', rows: 'one' } },
  delete: { of: 0, write: { verb: 'delete', rows: 'one' } },
  insertAll: { of: 0, write: { verb: 'insert', rows: 'many' } },
  updateAll: { of: 0, write: { verb: 'update', rows: 'many' } },
  saveAll: { of: 0, write: { verb: 'save', rows: 'many' } },
  deleteAll: { of: 0, write: { verb: 'delete', rows: 'many' } },
  deleteById: { of: 1, write: { verb: 'delete', rows: 'one' } },
  deleteAllById: { of: 1, write: { verb: 'delete', rows: 'many' } },
};

const own = (meaning: Meaning): Meaning => ({
  scope: { ...transaction, label: "the repository's transaction" },
  inside: [meaning],
});
const save = own({ write: { verb: 'save', rows: 'one' } });
const saveAll = own({ loops: 'items', inside: [{ write: { verb: 'save', rows: 'one' } }] });
const remove = own({ write: { verb: 'delete', rows: 'one' } });
const removeAll = own({ write: { verb: 'delete', rows: 'many' } });
const read: Meaning = { read: { rows: 'unknown' } };
const repository: Record<string, Meaning> = {
  save, saveAndFlush: save, insert: own({ write: { verb: 'insert', rows: 'one' } }), update: own({ write: { verb: 'update', rows: 'one' } }),
  saveAll, saveAllAndFlush: saveAll, delete: remove, deleteById: remove, deleteAll: removeAll, deleteAllInBatch: removeAll,
  deleteAllById: removeAll, deleteInBatch: removeAll, findById: read, findAll: read, findAllById: read, findOne: read,
  existsById: read, count: read, getById: read, getReferenceById: { read: { rows: 'none' } },
}; // biome-ignore format: one list

/** It runs its scripts where it is executed, which mostly is at once. */
const POPULATOR = 'org.springframework.jdbc.datasource.init.ResourceDatabasePopulator';
const REPOSITORY = 'org.springframework.data.repository.Repository';
/** What extends that one. Of others, MongoDB's for one, nothing is in PostgreSQL. */
const REPOSITORIES = [
  ...[
    'CrudRepository', 'ListCrudRepository', 'PagingAndSortingRepository', 'ListPagingAndSortingRepository',
    'reactive.ReactiveCrudRepository', 'reactive.ReactiveSortingRepository', 'reactive.RxJava3CrudRepository',
    'reactive.RxJava3SortingRepository', 'kotlin.CoroutineCrudRepository', 'kotlin.CoroutineSortingRepository',
  ].map((name) => `org.springframework.data.repository.${name}`), // biome-ignore format: one list
  'org.springframework.data.jpa.repository.JpaRepository',
  'org.springframework.data.jpa.repository.support.JpaRepositoryImplementation',
  'org.springframework.data.jpa.repository.support.SimpleJpaRepository',
  'org.springframework.data.r2dbc.repository.R2dbcRepository',
  'org.springframework.data.r2dbc.repository.support.SimpleR2dbcRepository',
];

/** Each chunk is a transaction: items are read and processed one by one in it, and written together. */
const chunk = { opens: 'transaction', whenNested: 'join', label: "the chunk's transaction" } as const;
const BATCH = ['org.springframework.batch', 'org.springframework.batch.infrastructure'];
/** How many items a chunk has. */
const CHUNK = 'org.springframework.batch.chunk';
const STEP_BUILDER = 'org.springframework.batch.core.step.builder.StepBuilder';
const chunked: Meaning = {
  counts: { of: 0, name: CHUNK },
  returns: 'org.springframework.batch.core.step.builder.SimpleStepBuilder',
};
/** Its statement runs for each item, in a batch. */
const eachItem: Meaning = {
  scope: chunk,
  inside: [{ sql: 0, loops: 'items', turns: CHUNK }],
  returns: 'self',
};
const writers = Object.fromEntries(
  BATCH.flatMap((path): [string, Record<string, Meaning>][] => [
    [`${path}.item.Chunk`, { getItems: { returns: 'self' } }],
    [`${path}.item.database.JdbcBatchItemWriter`, { setSql: eachItem }],
    [
      `${path}.item.database.builder.JdbcBatchItemWriterBuilder`,
      {
        ...Object.fromEntries(
          ['dataSource', 'assertUpdates', 'itemSqlParameterSourceProvider', 'itemPreparedStatementSetter', 'namedParametersJdbcTemplate', 'columnMapped', 'beanMapped'].map(
            (name) => [name, { returns: 'self' }]),
        ),
        sql: eachItem,
      },
    ],
  ]),
); // biome-ignore format: one list
const FLYWAY = 'org.flywaydb.core.api.migration';
const migrated: Meaning = { scope: { ...transaction, label: "the migration's transaction" } };
const implemented = Object.fromEntries([
  [`${FLYWAY}.BaseJavaMigration.migrate`, migrated],
  [`${FLYWAY}.JavaMigration.migrate`, migrated],
  [
    'org.springframework.batch.core.step.tasklet.Tasklet.execute',
    { scope: { ...chunk, label: "the step's transaction" } },
  ],
  ...BATCH.flatMap((path): [string, Meaning][] => [
    [`${path}.item.ItemReader.read`, { scope: chunk, loops: 'items', turns: CHUNK }],
    [`${path}.item.ItemProcessor.process`, { scope: chunk, loops: 'items', turns: CHUNK }],
    [`${path}.item.ItemWriter.write`, { scope: chunk, gives: [`${path}.item.Chunk`] }],
  ]),
]);

const publisher: Record<string, Meaning> = { publishEvent: { publishes: 0 } };
/** `context.getBean(Orders.class)`, and with the bean's name before it. */
const beans: Record<string, Meaning> = {
  ...publisher,
  getBean: {
    of: 0,
    returns: 'of',
    when: [{ argument: 0, is: 'type java.lang.String', then: { of: 1 } }],
  },
};
const provider: Record<string, Meaning> = {
  getObject: { returns: 'item' },
  getIfAvailable: { returns: 'item' },
  getIfUnique: { returns: 'item' },
};

const request = Object.fromEntries(
  ['RequestMapping', 'GetMapping', 'PostMapping', 'PutMapping', 'DeleteMapping', 'PatchMapping'].map(
    (name) => [`org.springframework.web.bind.annotation.${name}`, 'request' as const],
  ),
);
export default framework({
  name: 'spring',
  language: 'jvm',
  packages: [
    'maven:org.springframework:spring-tx',
    'maven:org.springframework.boot:spring-boot-starter-jdbc',
  ],
  needles: [
    'Transactional', 'Propagation.NESTED', '|TransactionTemplate', 'TransactionalOperator', 'TransactionManager', 'TransactionDefinition', 'PROPAGATION_', 'JdbcTemplate',
    'JdbcOperations', 'JdbcClient', 'SimpleJdbcCall', 'SimpleJdbcInsert', 'JdbcAggregate', 'DatabaseClient', 'createSavepoint', 'data.repository', 'data.jpa.repository', 'data.jdbc.repository', 'data.r2dbc.repository', 'PanacheRepository', 'StepBuilder', 'springframework.batch', 'publishEvent', '@EventListener', 'ScriptUtils', 'ResourceDatabasePopulator',
  ], // biome-ignore format: one list
  declaring: [
    'Transactional', 'data.repository', 'data.jpa.repository', 'data.jdbc.repository', 'data.r2dbc.repository', 'PanacheRepository',
    'publishEvent', '@EventListener',
  ], // biome-ignore format: one list
  speaks: [
    'org.springframework.jdbc.',
    'org.springframework.data.',
    'org.springframework.r2dbc.',
    'org.springframework.orm.',
  ],
  apis: {
    'org.springframework.transaction.annotation.Transactional': {
      proxied: true,
      scope: transaction,
      managedBy: {
        arguments: [{ position: 0, keyword: 'value' }, 'transactionManager'],
        usual: 'transactionManager',
      },
      when: propagation('propagation'),
    },
    [TEMPLATE]: {
      returns: TEMPLATE,
      when: [{ argument: 1, is: `type ${DEFINITION}.nested`, then: { returns: `${TEMPLATE}.nested` } }],
    },
    [DEFINITION]: defining(DEFINITION),
    'org.springframework.transaction.interceptor.DefaultTransactionAttribute': defining(DEFINITION),
    [`${OPERATOR}.create`]: {
      returns: OPERATOR,
      when: [{ argument: 1, is: `type ${DEFINITION}.nested`, then: { returns: `${OPERATOR}.nested` } }],
    },
    'org.springframework.jdbc.datasource.init.ScriptUtils.executeSqlScript': { sql: 1 },
    [POPULATOR]: { sql: 0, returns: POPULATOR },
    'org.springframework.context.annotation.Bean': { provides: BEAN },
    'org.springframework.context.annotation.Primary': { preferred: true },
    'org.springframework.context.event.EventListener': { listens: true },
    // The others come when the transaction has ended, or has failed.
    'org.springframework.transaction.event.TransactionalEventListener': {
      when: [{ argument: 'phase', is: 'BEFORE_COMMIT', then: { listens: true } }],
    },
    'org.springframework.scheduling.annotation.Async': { elsewhere: true, proxied: true },
    'org.springframework.retry.annotation.Retryable': { loops: 'retry', proxied: true },
    'org.springframework.data.jpa.repository.Query': {
      query: { position: 0, keyword: 'value' },
      when: [
        {
          argument: 'nativeQuery',
          is: 'true',
          then: { query: undefined, sql: { position: 0, keyword: 'value' } },
        },
      ],
    },
    'org.springframework.data.jdbc.repository.query.Query': { sql: { position: 0, keyword: 'value' } },
    'org.springframework.data.r2dbc.repository.Query': { sql: { position: 0, keyword: 'value' } },
    'org.springframework.data.jpa.repository.NativeQuery': { sql: { position: 0, keyword: 'value' } },
    'org.springframework.data.jpa.repository.query.Procedure': {
      routine: { position: 0, keyword: 'value' },
      when: [
        { argument: 'procedureName', then: { routine: 'procedureName' } },
        { argument: 'name', then: { routine: undefined, called: 'name' } },
      ],
    },
    'org.springframework.data.jpa.repository.QueryHints': { skips: ['-2', 'SKIP_LOCKED'] },
    'org.springframework.data.jpa.repository.Lock': {
      when: [
        {
          argument: { position: 0, keyword: 'value' },
          is: 'PESSIMISTIC_WRITE',
          then: { rowLock: { strength: 'no key update' } },
        },
        {
          argument: { position: 0, keyword: 'value' },
          is: 'PESSIMISTIC_FORCE_INCREMENT',
          then: { rowLock: { strength: 'no key update' } },
        },
        {
          argument: { position: 0, keyword: 'value' },
          is: 'PESSIMISTIC_READ',
          then: { rowLock: { strength: 'share' } },
        },
      ],
    },
  },
  counted: Object.fromEntries(BATCH.map((path) => [`${path}.item.Chunk`, CHUNK])),
  special: { [TEMPLATE]: `${TEMPLATE}.nested` },
  handles: [STATUS],
  extended: [
    REPOSITORY,
    'org.springframework.jdbc.core.support.JdbcDaoSupport',
    'org.springframework.transaction.support.TransactionOperations',
    'org.springframework.jdbc.core.JdbcTemplate',
    TEMPLATE,
  ],
  types: {
    ...writers,
    [STEP_BUILDER]: { chunk: chunked },
    'org.springframework.batch.core.configuration.annotation.StepBuilderFactory': {
      get: { returns: STEP_BUILDER },
    },
    [`${FLYWAY}.Context`]: { getConnection: { returns: 'java.sql.Connection' } },
    [POPULATOR]: { addScript: { sql: 0 }, addScripts: { sql: 0 } },
    [TEMPLATE]: { ...template({ scope: transaction, nestedBy }), ...setters(TEMPLATE) },
    [`${SUPPORT}.TransactionOperations`]: template({ scope: transaction, nestedBy }),
    [`${TEMPLATE}.nested`]: { ...template(nested), ...setters(TEMPLATE) },
    [`${TEMPLATE}.new`]: {
      ...template({ scope: { opens: 'transaction', whenNested: 'separate' } }),
      ...setters(TEMPLATE),
    },
    [DEFINITION]: setters(DEFINITION),
    [`${DEFINITION}.nested`]: setters(DEFINITION),
    [OPERATOR]: operator({ scope: transaction, nestedBy }),
    [`${OPERATOR}.nested`]: operator(nested),
    [STATUS]: status,
    [`${STATUS}.nested`]: { setRollbackOnly: status.setRollbackOnly! },
    'org.springframework.transaction.SavepointManager': status,
    'org.springframework.transaction.interceptor.TransactionAspectSupport': current,
    'org.springframework.transaction.interceptor.TransactionInterceptor': current,
    'org.springframework.transaction.support.DefaultTransactionStatus': status,
    'org.springframework.transaction.PlatformTransactionManager': manager,
    'org.springframework.jdbc.datasource.DataSourceTransactionManager': manager,
    'org.springframework.jdbc.support.JdbcTransactionManager': manager,
    'org.springframework.jdbc.core.JdbcTemplate': jdbc,
    'org.springframework.jdbc.core.JdbcOperations': jdbc,
    'org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate': jdbc,
    'org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations': jdbc,
    'org.springframework.jdbc.core.support.JdbcDaoSupport': {
      getJdbcTemplate: { returns: 'org.springframework.jdbc.core.JdbcTemplate' },
    },
    'org.springframework.jdbc.core.simple.SimpleJdbcCall': procedure,
    'org.springframework.jdbc.core.simple.SimpleJdbcCallOperations': procedure,
    'org.springframework.jdbc.core.simple.SimpleJdbcInsert': inserting,
    'org.springframework.jdbc.core.simple.SimpleJdbcInsertOperations': inserting,
    'org.springframework.jdbc.core.simple.JdbcClient': client,
    [STATEMENT]: { param: same, params: same, paramSource: same, query: eachRow },
    'org.springframework.data.jdbc.core.JdbcAggregateTemplate': aggregates,
    'org.springframework.data.jdbc.core.JdbcAggregateOperations': aggregates,
    'org.springframework.r2dbc.core.DatabaseClient': client,
    [REPOSITORY]: repository,
    'org.springframework.context.ApplicationEventPublisher': publisher,
    'org.springframework.context.ApplicationContext': beans,
    'org.springframework.context.ConfigurableApplicationContext': beans,
    'org.springframework.beans.factory.BeanFactory': beans,
    'org.springframework.beans.factory.ListableBeanFactory': beans,
    'org.springframework.beans.factory.ObjectProvider': provider,
    'org.springframework.beans.factory.ObjectFactory': provider,
    'org.springframework.retry.support.RetryTemplate': { execute: { loops: 'retry' } },
    'org.springframework.core.task.TaskExecutor': {
      execute: { elsewhere: true },
      submit: { elsewhere: true },
    },
    'org.springframework.core.task.AsyncTaskExecutor': {
      execute: { elsewhere: true },
      submit: { elsewhere: true },
    },
    'org.springframework.scheduling.TaskScheduler': {
      schedule: { elsewhere: true },
      scheduleAtFixedRate: { elsewhere: true },
    },
    'org.springframework.transaction.support.TransactionSynchronizationManager': {
      registerSynchronization: { elsewhere: true },
      // Of `isSynchronizationActive` nothing is said: it is so in SUPPORTS too, where none is open.
      isActualTransactionActive: { tellsOpen: true },
    },
  },
  tableNames: ['org.springframework.data.relational.core.mapping.Table'],
  repositories: [REPOSITORY],
  same: Object.fromEntries(REPOSITORIES.map((name) => [name, REPOSITORY])),
  managers: [
    'transaction.TransactionManager', 'transaction.PlatformTransactionManager', 'transaction.ReactiveTransactionManager',
    'transaction.jta.JtaTransactionManager', 'jdbc.datasource.DataSourceTransactionManager', 'jdbc.support.JdbcTransactionManager',
    'orm.jpa.JpaTransactionManager', 'orm.hibernate5.HibernateTransactionManager', 'r2dbc.connection.R2dbcTransactionManager',
  ].map((name) => `org.springframework.${name}`), // biome-ignore format: one list
  managed: [
    ...['Component', 'Service', 'Repository', 'Controller'].map(
      (name) => `org.springframework.stereotype.${name}`,
    ),
    'org.springframework.web.bind.annotation.RestController',
  ],
  implemented,
  entries: {
    ...request,
    ...Object.fromEntries(Object.keys(implemented).map((name) => [name, 'job' as const])),
    'org.springframework.scheduling.annotation.Scheduled': 'job',
    'org.springframework.kafka.annotation.KafkaListener': 'job',
    'org.springframework.amqp.rabbit.annotation.RabbitListener': 'job',
    'org.springframework.jms.annotation.JmsListener': 'job',
    'io.awspring.cloud.sqs.annotation.SqsListener': 'job',
    'org.springframework.transaction.event.TransactionalEventListener': 'job',
    'org.springframework.boot.CommandLineRunner.run': 'command',
    'org.springframework.boot.ApplicationRunner.run': 'command',
    'org.quartz.Job.execute': 'job',
    [`${FLYWAY}.BaseJavaMigration.migrate`]: 'migration',
    [`${FLYWAY}.JavaMigration.migrate`]: 'migration',
    'org.junit.jupiter.api.Test': 'test',
    'org.junit.Test': 'test',
    'org.junit.jupiter.params.ParameterizedTest': 'test',
    'org.junit.jupiter.api.RepeatedTest': 'test',
    'org.testng.annotations.Test': 'test',
    'kotlin.test.Test': 'test',
  },
});

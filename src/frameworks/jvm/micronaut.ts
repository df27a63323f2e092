// Micronaut Data: its own @Transactional, whose interceptor also sees calls of an object on itself.
import { framework, type Meaning } from '../../framework.ts';

const transaction = { opens: 'transaction', whenNested: 'join' } as const;
const request = Object.fromEntries(
  ['Get', 'Post', 'Put', 'Delete', 'Patch'].map((name) => [
    `io.micronaut.http.annotation.${name}`,
    'request' as const,
  ]),
);
const DATA = 'maven:io.micronaut.data:micronaut-data-tx';
/**
 * Before 4.14.4 what runs in a transaction takes over the definition of the one that began it, and asks that whether it is
 * nested: in one that NESTED began, whatever joins is a savepoint; in any other NESTED joins.
 */
const nested: Meaning = {
  since: { package: DATA, range: '<4.14.4' },
  scope: { ...transaction, joinable: false },
  inside: [
    { since: { package: DATA, range: '>=4.14.4' }, scope: { opens: 'transaction', whenNested: 'savepoint' } },
  ],
};
const separate: Meaning = { scope: { opens: 'transaction', whenNested: 'separate' } };
/** What runs has no transaction: one around it waits, or is refused. */
const without: Meaning = { scope: { opens: 'connection', whenNested: 'separate' } };
const transactional: Meaning = {
  scope: transaction,
  managedBy: { arguments: [{ position: 0, keyword: 'value' }, 'transactionManager'], usual: 'default' },
  when: [
    { argument: 'propagation', is: 'NESTED', then: nested },
    { argument: 'propagation', is: 'REQUIRES_NEW', then: separate },
    ...['SUPPORTS', 'MANDATORY'].map((is) => ({
      argument: 'propagation',
      is,
      then: { scope: undefined },
    })),
    ...['NOT_SUPPORTED', 'NEVER'].map((is) => ({ argument: 'propagation', is, then: without })),
  ],
};
const DEFINITION = 'io.micronaut.transaction.TransactionDefinition';
const STATUS = 'io.micronaut.transaction.TransactionStatus';
/** Its interceptor does no more than call it with what the annotation says. */
const operations: Record<string, Meaning> = {
  execute: {
    scope: transaction,
    gives: [STATUS],
    when: [
      { argument: 0, is: `type ${DEFINITION}.nested`, then: nested },
      { argument: 0, is: `type ${DEFINITION}.new`, then: separate },
    ],
  },
  executeWrite: { scope: transaction, gives: [STATUS] },
};

export default framework({
  name: 'micronaut',
  language: 'jvm',
  packages: ['maven:io.micronaut.data:micronaut-data-jdbc', 'maven:io.micronaut.data:micronaut-data-tx'],
  sharing: ['io.micronaut.'],
  needles: ['io.micronaut', 'Transactional', 'Propagation.NESTED'],
  declaring: ['io.micronaut', 'Transactional'],
  speaks: ['io.micronaut.data.'],
  apis: {
    'io.micronaut.transaction.annotation.Transactional': transactional,
    [`${DEFINITION}.of`]: {
      returns: DEFINITION,
      when: [
        { argument: 0, is: 'NESTED', then: { returns: `${DEFINITION}.nested` } },
        { argument: 0, is: 'REQUIRES_NEW', then: { returns: `${DEFINITION}.new` } },
      ],
    },
    'io.micronaut.data.annotation.Query': { sql: { position: 0, keyword: 'value' } },
  },
  entities: ['io.micronaut.data.annotation.MappedEntity'],
  tableNames: ['io.micronaut.data.annotation.MappedEntity'],
  repositories: [
    'repository.GenericRepository', 'repository.CrudRepository', 'repository.PageableRepository', 'jpa.repository.JpaRepository',
    'repository.async.AsyncCrudRepository', 'repository.async.AsyncPageableRepository',
    'repository.kotlin.CoroutineCrudRepository', 'repository.kotlin.CoroutinePageableCrudRepository',
    'repository.reactive.ReactiveStreamsCrudRepository', 'repository.reactive.ReactorCrudRepository',
    'repository.reactive.ReactorPageableRepository', 'repository.reactive.RxJavaCrudRepository',
  ].map((name) => `io.micronaut.data.${name}`), // biome-ignore format: one list
  types: {
    [STATUS]: { getConnection: { returns: 'java.sql.Connection' } },
    'io.micronaut.transaction.TransactionOperations': operations,
    'io.micronaut.transaction.SynchronousTransactionManager': operations,
  },
  entries: { ...request, 'io.micronaut.scheduling.annotation.Scheduled': 'job' },
});

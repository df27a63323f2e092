// JPA and Hibernate: entities, locks, the connection underneath. They open no savepoint of their own.
import { framework, type Meaning } from '../../framework.ts';

const insert: Meaning = { of: 0, write: { verb: 'insert', rows: 'one' } };
const update: Meaning = { of: 0, write: { verb: 'update', rows: 'one' } };
const remove: Meaning = { of: 0, write: { verb: 'delete', rows: 'one' } };
/** What is managed is of the class that was given. */
const save: Meaning = { of: 0, returns: 'of', write: { verb: 'save', rows: 'one' } };

/** Hibernate 6 asks for NO KEY UPDATE, 5 for UPDATE. */
const locked = (argument: number): Meaning['when'] =>
  ([
    ['PESSIMISTIC_WRITE', 'no key update'], ['PESSIMISTIC_FORCE_INCREMENT', 'no key update'], ['PESSIMISTIC_READ', 'share'],
    ['UPGRADE', 'no key update'], ['UPGRADE_NOWAIT', 'no key update'], ['UPGRADE_SKIPLOCKED', 'no key update'],
  ] as const).map(([is, strength]) => ({
    argument, is, then: { of: 0, rowLock: { strength, ...(is.endsWith('SKIPLOCKED') && { skipLocked: true }) } },
  })); // biome-ignore format: a table

const entities = (namespace: string): Record<string, Meaning> => ({
  persist: insert,
  merge: save,
  remove,
  find: { of: 0, returns: 'of', when: locked(2) },
  getReference: { of: 0, returns: 'of' },
  refresh: { of: 0, when: locked(1) },
  lock: { of: 0, when: locked(1) },
  createNativeQuery: { sql: 0, of: 1, returns: `${namespace}.Query` },
  createQuery: { query: 0, of: 1, returns: `${namespace}.Query` },
  createNamedQuery: { called: 0, of: 1, returns: `${namespace}.Query` },
  createNamedStoredProcedureQuery: { called: 0 },
  createStoredProcedureQuery: { routine: 0 },
  createStoredProcedureCall: { routine: 0 },
  unwrap: { returns: 'org.hibernate.Session' },
  getCriteriaBuilder: {
    returns: `${namespace.replace(/^org\.hibernate\b.*/, 'jakarta.persistence')}.criteria.CriteriaBuilder`,
  },
});
const query: Record<string, Meaning> = {
  setLockMode: {
    returns: 'self',
    ofItems: true,
    when: locked(0)?.map(({ then, ...one }) => ({ ...one, then: { rowLock: then.rowLock } })),
  },
  ...Object.fromEntries(
    ['setHint', 'setParameter', 'setMaxResults', 'setFirstResult', 'setFlushMode', 'setParameterList', 'setFetchSize', 'setReadOnly', 'setTimeout'].map((name) => [name, { returns: 'self' }]),
  ),
  getSingleResult: { returns: 'item' },
  getSingleResultOrNull: { returns: 'item' },
  uniqueResult: { returns: 'item' },
  getResultList: { returns: 'items' },
  getResultStream: { returns: 'items' },
  list: { returns: 'items' },
  stream: { returns: 'items' },
}; // biome-ignore format: one list
const session: Record<string, Meaning> = {
  ...entities('org.hibernate.query'),
  save: insert,
  saveOrUpdate: save,
  update,
  delete: remove,
  get: { of: 0, returns: 'of', when: locked(2) },
  load: { of: 0, returns: 'of', when: locked(2) },
  insert,
  createNativeMutationQuery: { sql: 0 },
  createMutationQuery: { query: 0 },
  createSelectionQuery: { of: 1, returns: 'org.hibernate.query.Query' },
  createSQLQuery: { sql: 0, returns: 'org.hibernate.query.Query' },
  connection: { returns: 'java.sql.Connection' },
  doWork: { gives: ['java.sql.Connection'] },
  doReturningWork: { gives: ['java.sql.Connection'] },
  beginTransaction: { flat: 'begin', returns: 'org.hibernate.Transaction' },
  getTransaction: { returns: 'org.hibernate.Transaction' },
};
const ENTITIES = ['jakarta.persistence.Entity', 'javax.persistence.Entity'];
const transaction: Record<string, Meaning> = {
  begin: { flat: 'begin' },
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback' },
};
/** On an entity: what stands for it elsewhere. */
const declared = Object.fromEntries(
  ['jakarta.persistence', 'javax.persistence'].flatMap((namespace): [string, Meaning][] => [
    [`${namespace}.NamedQuery`, { called: 'name', query: 'query' }],
    [`${namespace}.NamedNativeQuery`, { called: 'name', sql: 'query' }],
    [`${namespace}.NamedStoredProcedureQuery`, { called: 'name', routine: 'procedureName' }],
  ]),
);
const manager = (namespace: string): Record<string, Meaning> => ({
  ...entities(namespace),
  getTransaction: { returns: `${namespace}.EntityTransaction` },
});

export default framework({
  name: 'hibernate',
  language: 'jvm',
  packages: ['maven:org.hibernate.orm:hibernate-core', 'maven:org.hibernate:hibernate-core'],
  needles: [
    '|EntityManager',
    '|getEntityManager|',
    '|SessionFactory',
    '|getSessionFactory|',
    'org.hibernate',
    'PESSIMISTIC_',
    'LockMode',
    '@Entity|',
    '@Table|',
    'createNativeQuery',
    'createStoredProcedure',
    'doWork',
  ],
  declaring: [
    '|EntityManager',
    '|getEntityManager|',
    '|SessionFactory',
    '|getSessionFactory|',
    'org.hibernate',
    '@Entity|',
    '@Table|',
  ],
  speaks: [
    'jakarta.persistence.',
    'javax.persistence.',
    'jakarta.data.',
    'org.hibernate.',
    'io.quarkus.hibernate.',
  ],
  comparing: { equal: [], within: [], either: [], skips: ['setHint SKIP_LOCKED', 'setHint -2'] },
  apis: {
    'org.springframework.orm.jpa.JpaTransactionManager': {},
    'io.dropwizard.hibernate.UnitOfWork': {
      scope: { opens: 'transaction', whenNested: 'join' },
      when: [{ argument: 'transactional', is: 'false', then: { scope: undefined } }],
    },
    ...declared,
  },
  computes: {
    columns: 'select multiselect',
    values: 'where orderBy groupBy having',
    one: 'getSingleResult getSingleResultOrNull uniqueResult',
    compared:
      'equal notEqual like notLike greaterThan greaterThanOrEqualTo lessThan lessThanOrEqualTo gt ge lt le between in isTrue isFalse isNull isNotNull',
  },
  entities: ENTITIES,
  flushed: ENTITIES,
  tableNames: ['jakarta.persistence.Table', 'javax.persistence.Table'],
  repositories: [
    ...['BasicRepository', 'CrudRepository', 'DataRepository'].map(
      (name) => `jakarta.data.repository.${name}`,
    ),
    ...['PanacheRepository', 'PanacheRepositoryBase'].flatMap((name) => [
      `io.quarkus.hibernate.orm.panache.${name}`,
      `io.quarkus.hibernate.orm.panache.kotlin.${name}`,
    ]),
  ],
  types: {
    'jakarta.persistence.EntityManager': manager('jakarta.persistence'),
    'javax.persistence.EntityManager': manager('javax.persistence'),
    'jakarta.persistence.EntityTransaction': transaction,
    'javax.persistence.EntityTransaction': transaction,
    'jakarta.persistence.Query': query,
    'javax.persistence.Query': query,
    'jakarta.persistence.TypedQuery': query,
    'javax.persistence.TypedQuery': query,
    'org.hibernate.Session': session,
    'org.hibernate.StatelessSession': session,
    'org.hibernate.internal.SessionImpl': session,
    'org.hibernate.engine.spi.SessionImplementor': session,
    'org.hibernate.engine.spi.SharedSessionContractImplementor': session,
    ...Object.fromEntries(
      ['jakarta.persistence', 'javax.persistence'].map((namespace) => [
        `${namespace}.EntityManagerFactory`,
        { createEntityManager: { returns: `${namespace}.EntityManager` } },
      ]),
    ),
    ...Object.fromEntries(
      [
        'jakarta.persistence.criteria.',
        'javax.persistence.criteria.',
        'org.hibernate.query.criteria.Hibernate',
      ].map((start) => [`${start}CriteriaBuilder`, { function: { expression: 0 } }]),
    ),
    'org.hibernate.SessionFactory': {
      createEntityManager: { returns: 'org.hibernate.Session' },
      getCurrentSession: { returns: 'org.hibernate.Session' },
      openSession: { returns: 'org.hibernate.Session' },
      inTransaction: {
        scope: { opens: 'transaction', whenNested: 'separate' },
        gives: ['org.hibernate.Session'],
      },
      fromTransaction: {
        scope: { opens: 'transaction', whenNested: 'separate' },
        gives: ['org.hibernate.Session'],
      },
    },
    'org.hibernate.Transaction': transaction,
    'org.hibernate.query.Query': query,
  },
});

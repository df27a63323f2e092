// Micronaut Data: its own @Transactional, whose interceptor also sees calls of an object on itself.
import { framework, type Meaning } from '../framework.ts';

const transaction = { opens: 'transaction', whenNested: 'join' } as const;
const request = Object.fromEntries(
  ['Get', 'Post', 'Put', 'Delete', 'Patch'].map((name) => [
    `io.micronaut.http.annotation.${name}`,
    'request' as const,
  ]),
);
const savepoint: Meaning = { scope: { opens: 'transaction', whenNested: 'savepoint' } };
const separate: Meaning = { scope: { opens: 'transaction', whenNested: 'separate' } };
const transactional: Meaning = {
  scope: transaction,
  when: [
    { argument: 'propagation', is: 'NESTED', then: savepoint },
    { argument: 'propagation', is: 'REQUIRES_NEW', then: separate },
    ...['NOT_SUPPORTED', 'NEVER', 'SUPPORTS', 'MANDATORY'].map((is) => ({
      argument: 'propagation',
      is,
      then: { scope: undefined },
    })),
  ],
};
const operations: Record<string, Meaning> = {
  execute: { scope: transaction },
  executeWrite: { scope: transaction },
};

export default framework({
  name: 'micronaut',
  language: 'jvm',
  packages: ['maven:io.micronaut.data:micronaut-data-jdbc', 'maven:io.micronaut.data:micronaut-data-tx'],
  needles: ['io.micronaut', 'Transactional'],
  apis: {
    'io.micronaut.transaction.annotation.Transactional': transactional,
    'io.micronaut.data.annotation.Query': { sql: { position: 0, keyword: 'value' } },
  },
  types: {
    'io.micronaut.transaction.TransactionOperations': operations,
    'io.micronaut.transaction.SynchronousTransactionManager': operations,
  },
  entries: { ...request, 'io.micronaut.scheduling.annotation.Scheduled': 'job' },
});

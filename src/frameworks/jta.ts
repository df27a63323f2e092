// Jakarta Transactions, as Quarkus, Jakarta EE and Spring read them: there is no nested type.
import { framework, type Meaning } from '../framework.ts';

const transaction = { opens: 'transaction', whenNested: 'join' } as const;
const types = (argument: string | { position: number; keyword: string }): Meaning['when'] => [
  { argument, is: 'REQUIRES_NEW', then: { scope: { opens: 'transaction', whenNested: 'separate' } } },
  ...['NOT_SUPPORTED', 'NEVER', 'SUPPORTS', 'MANDATORY'].map((is) => ({
    argument,
    is,
    then: { scope: undefined },
  })),
];
const transactional: Meaning = { scope: transaction, when: types({ position: 0, keyword: 'value' }) };
const quarkus: Meaning = { scope: transaction };

const request = Object.fromEntries(
  ['jakarta', 'javax'].flatMap((root) =>
    ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].map((verb) => [`${root}.ws.rs.${verb}`, 'request' as const]),
  ),
);

export default framework({
  name: 'jta',
  language: 'jvm',
  packages: ['maven:jakarta.transaction:jakarta.transaction-api'],
  needles: ['Transactional', 'TransactionAttribute', 'QuarkusTransaction', 'UserTransaction'],
  apis: {
    'jakarta.transaction.Transactional': transactional,
    'javax.transaction.Transactional': transactional,
    'jakarta.ejb.TransactionAttribute': transactional,
    'javax.ejb.TransactionAttribute': transactional,
    'jakarta.ejb.Stateless': { scope: transaction },
    'javax.ejb.Stateless': { scope: transaction },
  },
  types: {
    'io.quarkus.narayana.jta.QuarkusTransaction': {
      requiringNew: { returns: 'io.quarkus.narayana.jta.TransactionRunnerOptions.new' },
      joiningExisting: { returns: 'io.quarkus.narayana.jta.TransactionRunnerOptions' },
    },
    'io.quarkus.narayana.jta.TransactionRunnerOptions': { run: quarkus, call: quarkus },
    'io.quarkus.narayana.jta.TransactionRunnerOptions.new': {
      run: { scope: { opens: 'transaction', whenNested: 'separate' } },
      call: { scope: { opens: 'transaction', whenNested: 'separate' } },
    },
    'jakarta.transaction.UserTransaction': {
      begin: { flat: 'begin' },
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback' },
    },
    'javax.transaction.UserTransaction': {
      begin: { flat: 'begin' },
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback' },
    },
  },
  entries: {
    ...request,
    'io.quarkus.scheduler.Scheduled': 'job',
    'org.eclipse.microprofile.reactive.messaging.Incoming': 'job',
    'jakarta.ejb.Schedule': 'job',
    'javax.ejb.Schedule': 'job',
  },
});

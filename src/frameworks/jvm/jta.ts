// Jakarta Transactions, as Quarkus, Jakarta EE and Spring read them: there is no nested type. And what Jakarta injects.
import { framework, type Meaning } from '../../framework.ts';

const transaction = { opens: 'transaction', whenNested: 'join' } as const;
const without: Meaning = { scope: { opens: 'connection', whenNested: 'separate' } };
const types = (argument: string | { position: number; keyword: string }): Meaning['when'] => [
  { argument, is: 'REQUIRES_NEW', then: { scope: { opens: 'transaction', whenNested: 'separate' } } },
  ...['SUPPORTS', 'MANDATORY'].map((is) => ({ argument, is, then: { scope: undefined } })),
  // What runs has no transaction: one around it waits, or is refused.
  ...['NOT_SUPPORTED', 'NEVER'].map((is) => ({ argument, is, then: without })),
];
const transactional: Meaning = { scope: transaction, when: types({ position: 0, keyword: 'value' }) };
const separate: Meaning = { scope: { opens: 'transaction', whenNested: 'separate' } };
/** Enterprise beans have a transaction around each method, unless they say otherwise; what a bean calls on itself goes past that. */
const beans = (root: string): [string, Meaning][] => {
  const [attribute, management] = [`${root}.TransactionAttribute`, `${root}.TransactionManagement`];
  const usual: Meaning = { scope: transaction, proxied: true, unless: [attribute, management] };
  const byContainer = {
    argument: { position: 0, keyword: 'value' },
    is: 'CONTAINER',
    then: { scope: transaction },
  };
  return [
    [attribute, { ...transactional, proxied: true }],
    [management, { proxied: true, when: [byContainer] }],
    ...['Stateless', 'Stateful', 'Singleton', 'MessageDriven'].map((kind): [string, Meaning] => [
      `${root}.${kind}`,
      usual,
    ]),
  ];
};
const runner = (meaning: Meaning): Record<string, Meaning> => ({
  run: meaning,
  call: meaning,
  timeout: { returns: 'self' },
  exceptionHandler: { returns: 'self' },
});
const RUNNER = 'io.quarkus.narayana.jta.TransactionRunnerOptions';
const control: Record<string, Meaning> = {
  begin: { flat: 'begin' },
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback' },
};
/** Of the thread's transaction, or null. */
const manager: Record<string, Meaning> = { ...control, getTransaction: { tellsOpen: true } };

const request = Object.fromEntries(
  ['jakarta', 'javax'].flatMap((root) =>
    ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].map((verb) => [`${root}.ws.rs.${verb}`, 'request' as const]),
  ),
);

export default framework({
  name: 'jta',
  language: 'jvm',
  packages: ['maven:jakarta.transaction:jakarta.transaction-api'],
  sharing: ['jakarta', 'javax']
    .flatMap((root) =>
      ['ejb.', 'enterprise.', 'inject.', 'transaction.', 'annotation.Resource'].map(
        (rest) => `${root}.${rest}`,
      ),
    )
    .concat('io.quarkus.', 'io.agroal.'),
  needles: ['Transactional', 'TransactionAttribute', 'QuarkusTransaction', 'UserTransaction'],
  declaring: ['Transactional', 'TransactionAttribute'],
  apis: {
    'jakarta.transaction.Transactional': transactional,
    'javax.transaction.Transactional': transactional,
    ...Object.fromEntries(['jakarta.ejb', 'javax.ejb'].flatMap(beans)),
  },
  types: {
    ...Object.fromEntries(
      ['jakarta', 'javax'].flatMap((root) =>
        ['inject.Provider', 'enterprise.inject.Instance'].map((type) => [
          `${root}.${type}`,
          { get: { returns: 'item' } },
        ]),
      ),
    ),
    'io.quarkus.narayana.jta.QuarkusTransaction': {
      ...control,
      isActive: { tellsOpen: true },
      requiringNew: { returns: `${RUNNER}.new` },
      joiningExisting: { returns: RUNNER },
      disallowingExisting: { returns: RUNNER },
      suspendingExisting: { returns: `${RUNNER}.none` },
      runner: {
        returns: RUNNER,
        when: [
          { argument: 0, is: 'REQUIRE_NEW', then: { returns: `${RUNNER}.new` } },
          { argument: 0, is: 'SUSPEND_EXISTING', then: { returns: `${RUNNER}.none` } },
        ],
      },
    },
    [RUNNER]: runner({ scope: transaction }),
    [`${RUNNER}.new`]: runner(separate),
    // What is open waits, and none is open inside.
    [`${RUNNER}.none`]: runner({ elsewhere: true }),
    'jakarta.transaction.UserTransaction': control,
    'javax.transaction.UserTransaction': control,
    'jakarta.transaction.TransactionManager': manager,
    'javax.transaction.TransactionManager': manager,
  },
  entries: {
    ...request,
    'io.quarkus.scheduler.Scheduled': 'job',
    'org.eclipse.microprofile.reactive.messaging.Incoming': 'job',
    'jakarta.ejb.Schedule': 'job',
    'javax.ejb.Schedule': 'job',
  },
});

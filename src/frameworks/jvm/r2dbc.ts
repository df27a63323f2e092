// R2DBC: savepoints by name on a connection.
import { framework, type Meaning } from '../../framework.ts';

const connection = {
  createSavepoint: { flat: 'savepoint', name: 0 },
  releaseSavepoint: { flat: 'release', name: 0 },
  rollbackTransactionToSavepoint: { flat: 'rollback to', name: 0 },
  beginTransaction: { flat: 'begin' },
  commitTransaction: { flat: 'commit' },
  rollbackTransaction: { flat: 'rollback' },
  createStatement: { sql: 0 },
} as const;

const CONNECTION = 'io.r2dbc.spi.Connection';
/** What it publishes stands for the publisher. */
const factory = { create: { returns: CONNECTION } };
const ofConnection = (then: Meaning): Meaning => ({
  when: [{ argument: 0, is: `type ${CONNECTION}`, then }],
});
const reactor = (type: string): [string, Meaning][] => [
  [`reactor.core.publisher.${type}.usingWhen`, ofConnection({ gives: [CONNECTION] })],
  [`reactor.core.publisher.${type}.from`, ofConnection({ returns: CONNECTION })],
];

export default framework({
  name: 'r2dbc',
  language: 'jvm',
  packages: ['maven:org.postgresql:r2dbc-postgresql'],
  needles: ['io.r2dbc'],
  speaks: ['io.r2dbc.'],
  apis: {
    ...Object.fromEntries([...reactor('Mono'), ...reactor('Flux')]),
    'reactor.core.publisher.Flux.fromIterable': { returns: 'reactor.core.publisher.Flux' },
  },
  extended: [CONNECTION],
  types: {
    'io.r2dbc.spi.ConnectionFactory': factory,
    'io.r2dbc.pool.ConnectionPool': factory,
    [CONNECTION]: connection,
    'io.r2dbc.postgresql.api.PostgresqlConnection': connection,
  },
});

// The Vert.x PostgreSQL client, plain and for coroutines, Mutiny and RxJava: it has no savepoints but those in text.
import { framework, type Meaning } from '../../framework.ts';

const query: Meaning = { sql: 0 };
const CLIENT = 'io.vertx.sqlclient.SqlClient';
const POOL = 'io.vertx.sqlclient.Pool';
const CONNECTION = 'io.vertx.sqlclient.SqlConnection';
const TRANSACTION = 'io.vertx.sqlclient.Transaction';
/** What is to come is told as what comes: whoever waits for it, or goes on with it, has that. */
const coming = (type: string): Record<string, Meaning> => {
  const same: Meaning = { returns: 'self' };
  const on: Meaning = { gives: [type] };
  return { coAwait: same, await: same, awaitSuspending: same, compose: on, flatMap: on, onSuccess: on };
};
const client: Record<string, Meaning> = { query, preparedQuery: query };
const connection: Record<string, Meaning> = {
  ...client,
  ...coming(CONNECTION),
  begin: { flat: 'begin', returns: TRANSACTION },
};
const pool: Record<string, Meaning> = {
  ...client,
  getConnection: { returns: CONNECTION },
  withTransaction: { scope: { opens: 'transaction', whenNested: 'separate' }, gives: [CONNECTION] },
  withConnection: { gives: [CONNECTION] },
};
/** Generated of those, for other ways to wait. */
const OTHERS = ['mutiny', 'rxjava3', 'reactivex'];
const others = (name: string, to: string) => OTHERS.map((one) => [`io.vertx.${one}.${name}`, to] as const);

export default framework({
  name: 'vertx',
  language: 'jvm',
  packages: ['maven:io.vertx:vertx-pg-client'],
  needles: [
    'io.vertx.sqlclient', 'io.vertx.pgclient', ...OTHERS.flatMap((one) => [`${one}.sqlclient`, `${one}.pgclient`]),
  ], // biome-ignore format: one list
  speaks: ['io.vertx.sqlclient.', 'io.vertx.pgclient.'],
  same: Object.fromEntries([
    ['io.vertx.pgclient.PgPool', POOL],
    ['io.vertx.pgclient.PgConnection', CONNECTION],
    ...others('sqlclient.SqlClient', CLIENT),
    ...others('sqlclient.Pool', POOL),
    ...others('pgclient.PgPool', POOL),
    ...others('sqlclient.SqlConnection', CONNECTION),
    ...others('sqlclient.Transaction', TRANSACTION),
  ]),
  types: {
    [CLIENT]: client,
    [POOL]: pool,
    [CONNECTION]: connection,
    [TRANSACTION]: {
      ...coming(TRANSACTION),
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback' },
    },
  },
});

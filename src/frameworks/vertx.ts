// The Vert.x PostgreSQL client: it has no savepoints but those in text.
import { framework, type Meaning } from '../framework.ts';

const query: Meaning = { sql: 0 };
const CONNECTION = 'io.vertx.sqlclient.SqlConnection';
const client: Record<string, Meaning> = { query, preparedQuery: query };
const pool: Record<string, Meaning> = {
  ...client,
  withTransaction: { scope: { opens: 'transaction', whenNested: 'separate' }, gives: [CONNECTION] },
  withConnection: { gives: [CONNECTION] },
};

export default framework({
  name: 'vertx',
  language: 'jvm',
  packages: ['maven:io.vertx:vertx-pg-client'],
  needles: ['io.vertx.sqlclient', 'io.vertx.pgclient'],
  speaks: ['io.vertx.sqlclient.', 'io.vertx.pgclient.'],
  types: {
    [CONNECTION]: { ...client, begin: { flat: 'begin' } },
    'io.vertx.sqlclient.SqlClient': client,
    'io.vertx.sqlclient.Pool': pool,
    'io.vertx.pgclient.PgPool': pool,
    'io.vertx.pgclient.PgConnection': { ...client, begin: { flat: 'begin' } },
  },
});

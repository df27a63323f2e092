// How programs with jOOQ are written: a context that is handed on, of which an inner one is used in a transaction.
import { block, type Dialect } from './java.ts';
import { pick } from './spelling.ts';

const START = `package app;

import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

public class Start {
  public static void start(DataSource source) {
    DSLContext dsl = DSL.using(source, SQLDialect.POSTGRES);
    new Run().run(dsl);
  }
}
`;
const READ = 'dsl.fetch("SELECT n FROM item");';
const within = (inner: string, body: string[]) =>
  body.map((line) => line.replaceAll(/(?<!\.)\bdsl\b/g, inner));

export const jooq: Dialect = {
  imports: [
    'org.jooq.Configuration',
    'org.jooq.DSLContext',
    'org.jooq.impl.DSL',
    'org.jooq.exception.DataAccessException',
  ],
  files: { 'app/Start.java': START },
  takes: { parameter: 'DSLContext dsl', argument: 'dsl' },
  throws: '',
  read: READ,
  count: 'dsl.fetchCount(DSL.table("item"))',
  write(how, fires, rows, name) {
    const table = fires ? 'fired' : 'item';
    const insert = `"INSERT INTO ${table} (n) VALUES (?)"`;
    const change = `"UPDATE ${table} SET n = n + 1 WHERE id = 1"`;
    const into = `dsl.insertInto(DSL.table("${table}"), DSL.field("n"))`;
    const k = name('k');
    const many = [
      [`for (int ${k} = 0; ${k} < ${rows}; ${k}++) dsl.execute(${insert}, ${k});`],
      [`dsl.execute("INSERT INTO ${table} (n) SELECT 1 FROM generate_series(1, ${rows})");`],
      [`IntStream.range(0, ${rows}).forEach(${k} -> ${into}.values(${k}).execute());`],
    ];
    const one = [
      [`dsl.execute(${insert}, 1);`],
      [`dsl.execute(${change});`],
      [`dsl.query(${change}).execute();`],
      [`${into}.values(1).execute();`],
      [`dsl.fetch("SELECT n FROM ${table} WHERE id = 1 FOR UPDATE");`, `dsl.execute(${change});`],
    ];
    return pick(rows > 1 ? many : one, how);
  },
  find(how, hits) {
    const named = hits ? '"known"' : 'UUID.randomUUID().toString()';
    const insert = `dsl.execute("INSERT INTO tag (name) VALUES (?)", ${named});`;
    const change = `dsl.execute("UPDATE tag SET n = 2 WHERE name = 'known'");`;
    const tried = block('try', block('dsl.transaction(trx ->', within('trx.dsl()', [insert]), '});'));
    return pick(
      [
        [...tried, ...block('catch (DataAccessException known)', [])],
        [...tried, ...block('catch (RuntimeException known)', [change])],
        [`dsl.execute("INSERT INTO tag (name) VALUES (?) ON CONFLICT DO NOTHING", ${named});`],
      ],
      how,
    );
  },
  scopes: [
    (body, name) => {
      const [trx, inner] = [name('trx'), name('inner')];
      return block(
        `dsl.transaction(${trx} ->`,
        [`DSLContext ${inner} = DSL.using(${trx});`, ...within(inner, body)],
        '});',
      );
    },
    (body, name) => {
      const [trx, inner] = [name('trx'), name('inner')];
      return block(
        `dsl.transaction((Configuration ${trx}) ->`,
        [`DSLContext ${inner} = ${trx}.dsl();`, ...within(inner, body)],
        '});',
      );
    },
    (body, name) => {
      const trx = name('trx');
      return block(`dsl.transaction(${trx} ->`, within(`${trx}.dsl()`, body), '});');
    },
    (body, name) => {
      const [trx, inner] = [name('trx'), name('inner')];
      return block(
        `dsl.transactionResult(${trx} ->`,
        [`DSLContext ${inner} = DSL.using(${trx});`, ...within(inner, body), 'return 1;'],
        '});',
      );
    },
    (body, name) => {
      const trx = name('trx');
      return block(`dsl.transaction(${trx} ->`, within(`DSL.using(${trx})`, body), '});');
    },
    // What is around it is asked inside, on another connection.
    (body, name) => block(`dsl.transaction(${name('trx')} ->`, body, '});'),
    (body, name) => {
      const [trx, inner] = [name('trx'), name('inner')];
      return block(
        `dsl.transaction(${trx} ->`,
        [`DSLContext ${inner} = ${trx}.dsl();`, ...block('Helpers.whole(() ->', within(inner, body), '});')],
        '});',
      );
    },
  ],
  savepoint(how, name) {
    const sql = (text: string) => `dsl.execute("${text} ${name}");`;
    return {
      open: [sql('SAVEPOINT')],
      release: sql(how % 2 ? 'RELEASE SAVEPOINT' : 'RELEASE'),
      back: sql('ROLLBACK TO SAVEPOINT'),
    };
  },
  failure: 'dsl.execute("INSERT INTO item (id) VALUES (1)");',
  annotations: [],
  inClass: (name, members) => block(`public class ${name}`, members),
  object: (name) => `new ${name}()`,
  run: (body) => block('public void run(DSLContext dsl)', body),
};

// How programs with plain JDBC are written: a connection that is handed on, and savepoints by hand.
import { block, type Dialect, type Named } from './java.ts';
import { pick } from './spelling.ts';

const START = `package app;

import javax.sql.DataSource;

public class Start {
  public static void start(DataSource source) throws Exception {
    new Run().run(source);
  }
}
`;
const KNOWN = `package app;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.concurrent.Callable;

public class Known {
  public static int count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery("SELECT count(*) FROM item")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  public static void guarded(Connection connection, Work work) throws Exception {
    Savepoint point = connection.setSavepoint();
    work.run();
    connection.releaseSavepoint(point);
  }

  public static void tried(Connection connection, Work work) throws Exception {
    Savepoint point = connection.setSavepoint();
    try {
      work.run();
      connection.releaseSavepoint(point);
    } catch (SQLException failed) {
      connection.rollback(point);
      throw failed;
    }
  }

  public static <T> T answered(Connection connection, Callable<T> what) throws Exception {
    Savepoint point = connection.setSavepoint();
    T answer = what.call();
    connection.releaseSavepoint(point);
    return answer;
  }
}
`;
const run = (sql: string) =>
  block('try (Statement statement = connection.createStatement())', [`statement.execute("${sql}");`]);
const prepared = (sql: string, lines: string[]) =>
  block(`try (PreparedStatement prepared = connection.prepareStatement("${sql}"))`, lines);
const READ = 'Known.count(connection);';
const released = (body: string[], name: Named) => {
  const s = name('point');
  return [`Savepoint ${s} = connection.setSavepoint();`, ...body, `connection.releaseSavepoint(${s});`];
};

export const jdbc: Dialect = {
  imports: [
    'java.sql.Connection', 'java.sql.PreparedStatement', 'java.sql.ResultSet', 'java.sql.SQLException', 'java.sql.Savepoint', 'java.sql.Statement',
    'javax.sql.DataSource',
  ], // biome-ignore format: one list
  files: { 'app/Start.java': START, 'app/Known.java': KNOWN },
  takes: { parameter: 'Connection connection', argument: 'connection' },
  throws: 'throws Exception',
  read: READ,
  count: 'Known.count(connection)',
  write(how, fires, rows, name) {
    const table = fires ? 'fired' : 'item';
    const insert = `INSERT INTO ${table} (n) VALUES (?)`;
    const change = `UPDATE ${table} SET n = n + 1 WHERE id = 1`;
    const k = name('k');
    const times = (lines: string[]) => block(`for (int ${k} = 0; ${k} < ${rows}; ${k}++)`, lines);
    const many = [
      prepared(insert, times([`prepared.setInt(1, ${k});`, 'prepared.executeUpdate();'])),
      run(`INSERT INTO ${table} (n) SELECT 1 FROM generate_series(1, ${rows})`),
      prepared(insert, [
        ...times([`prepared.setInt(1, ${k});`, 'prepared.addBatch();']),
        'prepared.executeBatch();',
      ]),
      times(run(`INSERT INTO ${table} (n) VALUES (1)`)),
    ];
    const one = [
      prepared(insert, ['prepared.setInt(1, 1);', 'prepared.executeUpdate();']),
      run(change),
      prepared(change, ['prepared.execute();']),
      [
        ...prepared(`SELECT n FROM ${table} WHERE id = 1 FOR UPDATE`, ['prepared.executeQuery().next();']),
        ...run(change),
      ],
      prepared(
        `INSERT INTO ${table} (n) VALUES (1) RETURNING id`,
        block('try (ResultSet rows = prepared.executeQuery())', ['rows.next();']),
      ),
      run(`INSERT INTO ${table} (n) VALUES (1)`),
    ];
    return pick(rows > 1 ? many : one, how);
  },
  find(how, hits) {
    const named = hits ? "'known'" : 'gen_random_uuid()::text';
    const insert = run(`INSERT INTO tag (name) VALUES (${named})`);
    if (how % 3 === 2) return run(`INSERT INTO tag (name) VALUES (${named}) ON CONFLICT DO NOTHING`);
    const guarded = block('Known.guarded(connection, () ->', insert, '});');
    return how % 3 ? guarded : insert;
  },
  leavable: released,
  scopes: [
    released,
    (body, name) => {
      const s = name('point');
      return [
        `Savepoint ${s} = connection.setSavepoint("${s}");`,
        ...block('try', [...body, `connection.releaseSavepoint(${s});`]),
        ...block(`catch (Exception of${s})`, [`connection.rollback(${s});`]),
      ];
    },
    (body) => block('Known.guarded(connection, () ->', body, '});'),
    (body, name) => {
      const s = name('point');
      return [`Savepoint ${s} = connection.setSavepoint();`, ...body, `connection.rollback(${s});`];
    },
    (body, name) => {
      const s = name('point');
      return [
        `Savepoint ${s} = null;`,
        ...block('try', [`${s} = connection.setSavepoint();`, ...body]),
        ...block('finally', [`if (${s} != null) connection.releaseSavepoint(${s});`]),
      ];
    },
    (body, name) => {
      const s = name('point');
      return [
        `final Savepoint ${s} = connection.setSavepoint();`,
        ...block('try', [...body, `connection.releaseSavepoint(${s});`]),
        ...block(`catch (SQLException of${s})`, [
          `connection.rollback(${s});`,
          `connection.releaseSavepoint(${s});`,
          `throw of${s};`,
        ]),
      ];
    },
    (body) => block('Known.tried(connection, () ->', body, '});'),
    (body) => block('Known.answered(connection, () ->', [...body, 'return 1;'], '});'),
    (body) => block('Helpers.whole(() -> Known.guarded(connection, () ->', body, '}));'),
    (body) => block('Known.guarded(connection, () -> Helpers.whole(() ->', body, '}));'),
  ],
  // What begins by itself after a commit is not known yet.
  outermost: (body) => [...body, READ],
  savepoint(how, name) {
    if (how % 2 === 0)
      return {
        open: [`Savepoint ${name} = connection.setSavepoint("${name}");`],
        release: `connection.releaseSavepoint(${name});`,
        back: `connection.rollback(${name});`,
      };
    const sql = (text: string) => `connection.createStatement().execute("${text} ${name}");`;
    return { open: [sql('SAVEPOINT')], release: sql('RELEASE'), back: sql('ROLLBACK TO') };
  },
  failure: 'connection.createStatement().execute("INSERT INTO item (id) VALUES (1)");',
  annotations: [],
  inClass: (name, members) => block(`public class ${name}`, members),
  object: (name) => `new ${name}()`,
  run(body, how) {
    const head = 'public void run(DataSource source) throws Exception';
    return pick(
      [
        () =>
          block(head, [
            ...block('try (Connection connection = source.getConnection())', [
              'connection.setAutoCommit(false);', ...block('try', [...body, 'connection.commit();']),
              ...block('catch (Exception e)', ['connection.rollback();', 'throw e;']),
            ]),
          ]),
        () => [
          ...block(head, [
            'Connection connection = source.getConnection();',
            ...block('try', ['connection.setAutoCommit(false);', 'work(connection);', 'connection.commit();']),
            ...block('finally', ['connection.close();']),
          ]),
          '',
          ...block('private void work(Connection connection) throws Exception', body),
        ],
        () =>
          block(head, [
            ...block('try (Connection connection = source.getConnection())', [
              'connection.setAutoCommit(false);', ...body, READ, 'connection.commit();',
            ]),
          ]),
      ],
      how,
    )(); // biome-ignore format: a table
  },
};

// How programs with psycopg 3 are written: with a connection that commits each statement, and with one that begins by itself.
import { block, type Dialect, loose } from './dialect.ts';
import { pick } from './spelling.ts';

const around = (head: string) => (body: string[]) => block(head, body);

const KNOWN = `import psycopg


def count():
    with psycopg.connect(autocommit=True) as own:
        return own.execute("SELECT count(*) FROM item").fetchone()[0]
`;

const GUARDED = `from contextlib import contextmanager
from functools import wraps

import psycopg


@contextmanager
def guarded(conn: psycopg.Connection):
    with conn.transaction():
        yield


def nested(work):
    @wraps(work)
    def around(conn: psycopg.Connection, *args, **named):
        with conn.transaction():
            return work(conn, *args, **named)

    return around
`;

const READ = 'conn.execute("SELECT n FROM item").fetchone()';

export const psycopg: Dialect = {
  imports: [
    'import psycopg',
    'from psycopg import sql',
    'from psycopg.errors import UniqueViolation',
    'from app.guarded import guarded, nested',
  ],
  files: { 'app/known.py': KNOWN, 'app/guarded.py': GUARDED },
  takes: { parameter: 'conn: psycopg.Connection', argument: 'conn' },
  read: READ,
  write(how, fires, rows) {
    const table = fires ? 'fired' : 'item';
    const insert = `"INSERT INTO ${table} (n) VALUES (%s)"`;
    const change = `"UPDATE ${table} SET n = n + 1 WHERE id = 1"`;
    const lock = `"SELECT n FROM ${table} WHERE id = 1 FOR UPDATE"`;
    const series = `"INSERT INTO ${table} (n) SELECT 1 FROM generate_series(1, ${rows})"`;
    const many = [
      block(`for k in range(${rows}):`, [`conn.execute(${insert}, (k,))`]),
      [`conn.execute(${series})`],
      block('with conn.cursor() as cur:', block(`for k in range(${rows}):`, [`cur.execute(${insert}, [k])`])),
      block(
        'with conn.cursor() as cur:',
        block(`with cur.copy("COPY ${table} (n) FROM STDIN") as copy:`, [
          ...block(`for k in range(${rows}):`, ['copy.write_row((k,))']),
        ]),
      ),
      block('with conn.cursor() as cur:', [`cur.executemany(${insert}, [(k,) for k in range(${rows})])`]),
    ];
    const one = [
      [`conn.execute(${insert}, (1,))`],
      [`conn.execute(${change})`],
      block('with conn.cursor() as cur:', [`cur.execute(${insert}, (1,))`]),
      [`conn.cursor().execute(${change})`],
      ['cur = conn.cursor()', `found = cur.execute(${lock}).fetchone()`, `cur.execute(${change})`],
      [`conn.execute(sql.SQL("INSERT INTO ${table} (n) VALUES ({})").format(sql.Literal(1)))`],
    ];
    return pick(rows > 1 ? many : one, how);
  },
  find(how, hits) {
    const named = hits ? '"known"' : 'str(uuid4())';
    const insert = `conn.execute("INSERT INTO tag (name) VALUES (%s)", (${named},))`;
    const change = `conn.execute("UPDATE tag SET n = 2 WHERE name = 'known'")`;
    return pick(
      [
        [
          ...block('try:', block('with conn.transaction():', [insert])),
          ...block('except UniqueViolation:', ['pass']),
        ],
        [
          ...block('try:', block('with conn.transaction():', [insert])),
          ...block('except UniqueViolation:', [change]),
        ],
        [`conn.execute("INSERT INTO tag (name) VALUES (%s) ON CONFLICT DO NOTHING", (${named},))`],
      ],
      how,
    );
  },
  level: (on) => `${on}.transaction()`,
  levels: ['import psycopg'],
  scopes: [
    around('with conn.transaction():'),
    around('with guarded(conn):'),
    (body, name) => {
      const held = name('held');
      return [`${held} = conn.transaction()`, ...block(`with ${held}:`, body)];
    },
    (body, name) => block(`with conn.transaction("${name('point')}"):`, body),
    around('with conn.transaction(), suppress(ValueError):'),
    around('with suppress(ValueError), conn.transaction():'),
    (body) => block('with ExitStack() as stack:', ['stack.enter_context(conn.transaction())', ...body]),
    around('with conn.transaction() as level:'),
    around('with conn.transaction(savepoint_name="level"):'),
    around('with conn.transaction(force_rollback=True):'),
    around('with conn.transaction(), conn.cursor() as cur:'),
    around('with conn.cursor() as cur, cur.connection.transaction():'),
    (body) => block('with conn.transaction():', [...body, 'raise psycopg.Rollback()']),
    (body, name) => {
      if (!loose(body)) return block('with conn.transaction():', body);
      const f = name('apart');
      return [
        ...block(`def ${f}(conn: psycopg.Connection):`, body),
        ...block('with psycopg.connect() as other, other.transaction():', [`${f}(other)`]),
      ];
    },
  ],
  outermost: (body) => [...body, 'conn.commit()', READ],
  decorators: { functions: ['@nested'], all: [] },
  savepoint: (how, name) =>
    how % 2 === 0
      ? {
          open: `conn.execute("SAVEPOINT ${name}")`,
          release: `conn.execute("RELEASE SAVEPOINT ${name}")`,
          back: `conn.execute("ROLLBACK TO SAVEPOINT ${name}")`,
        }
      : {
          open: `conn.cursor().execute("SAVEPOINT ${name}")`,
          release: `conn.cursor().execute("RELEASE ${name}")`,
          back: `conn.cursor().execute("ROLLBACK TO ${name}")`,
        },
  failure: 'conn.execute("INSERT INTO item (id) VALUES (1)")',
  run(body, how) {
    // Who begins first stands where the connection is made: that a function begins on what it is handed is not known.
    const ways = [
      () => block('with psycopg.connect() as conn:', [READ, ...body]),
      () => [
        'conn = psycopg.connect()',
        ...block('try:', [READ, ...body, 'conn.commit()']),
        ...block('except Exception:', ['conn.rollback()', 'raise']),
        ...block('finally:', ['conn.close()']),
      ],
      () => block('with psycopg.connect(autocommit=True) as conn:', body),
      () => block('with psycopg.connect() as conn, conn.transaction():', body),
      () => block('with psycopg.connect(autocommit=True) as conn:', block('with conn.transaction():', body)),
    ];
    // What a `with` has begun, nothing else may commit.
    return pick(body.some((line) => line.includes('conn.commit()')) ? ways.slice(0, 2) : ways, how)();
  },
};

// What the rule pages claim of standbys, statistics, cost and other sessions, which no example by itself can show.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SOFT } from '../../rules/exception-block-for-cast/rule.ts';
import { givesRows } from '../../src/frontends/sql/text/builtins.ts';
import { type Server, standbyOf, start, VERSIONS } from './servers.ts';

let servers: Server[] = [];
beforeAll(async () => {
  servers = await Promise.all(
    VERSIONS.map((version) => start(version, { shared_preload_libraries: 'pg_stat_statements' })),
  );
  await Promise.all(
    servers.map(async (server) => {
      const client = await server.connect();
      await client.query(
        'CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL DEFAULT 0) WITH (fillfactor = 50); CREATE TABLE log (what text)',
      );
      await client.query('INSERT INTO t SELECT generate_series(1, 1000)');
      await client.end();
    }),
  );
}, 120_000);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** The same on every version, side by side. */
function onAll(name: string, run: (server: Server) => Promise<void>, from: number = VERSIONS[0]): void {
  test(name, async () => {
    await Promise.all(servers.filter(({ version }) => version >= from).map(run));
    // A standby that starts beside other tests takes its time.
  }, 180_000);
}

async function withClients(server: Server, count: number, use: (...clients: pg.Client[]) => Promise<void>) {
  const clients = await Promise.all(Array.from({ length: count }, () => server.connect()));
  try {
    await use(...clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const one = async (client: pg.Client, sql: string) => (await client.query(sql)).rows[0];
const released = (n: number) => `SAVEPOINT a; INSERT INTO log VALUES ('x'); RELEASE a;`.repeat(n);
const open = (n: number) => `SAVEPOINT a; INSERT INTO log VALUES ('x');`.repeat(n);
const rolledBack = (n: number) =>
  `SAVEPOINT a; INSERT INTO log VALUES ('x'); ROLLBACK TO a; RELEASE a;`.repeat(n);

/** What a snapshot taken now says; on a primary, sessions are seen in it once a later transaction has ended. */
async function overflows(client: pg.Client, standby = false): Promise<boolean> {
  if (!standby) await client.query('SELECT pg_current_xact_id()');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const { file } = await one(client, `SELECT pg_read_file('pg_snapshots/' || pg_export_snapshot()) AS file`);
  await client.query('COMMIT');
  return /^sof:1$/m.test(file);
}

describe('the threshold', () => {
  onAll('the 65th overflows the snapshots of other sessions, released or not; the 64th does not', (server) =>
    withClients(server, 2, async (session, other) => {
      for (const [sql, expected] of [
        [released(64), false],
        [released(65), true],
        [open(64), false],
        [open(65), true],
        [rolledBack(70), false],
      ] as const) {
        await session.query(`BEGIN; ${sql}`);
        expect(await overflows(other), `${server.version}: ${sql.length}`).toBe(expected);
        await session.query('COMMIT');
        expect(await overflows(other)).toBe(false);
      }
    }),
  );

  onAll('the flag stays when all of them are rolled back', (server) =>
    withClients(server, 2, async (session, other) => {
      await session.query(`BEGIN; SAVEPOINT all_of_it; ${released(65)} ROLLBACK TO all_of_it`);
      expect(await overflows(other)).toBe(true);
      await session.query('COMMIT');
    }),
  );

  onAll(
    'empty savepoints count when they are open and something writes, not when they were released',
    (server) =>
      withClients(server, 2, async (session, other) => {
        await session.query(`BEGIN; ${'SAVEPOINT a;'.repeat(70)} INSERT INTO log VALUES ('x')`);
        expect(await overflows(other)).toBe(true);
        await session.query(
          `COMMIT; BEGIN; ${'SAVEPOINT a; RELEASE a;'.repeat(70)} INSERT INTO log VALUES ('x')`,
        );
        expect(await overflows(other)).toBe(false);
        await session.query('COMMIT');
      }),
  );

  onAll('a prepared transaction stays overflowed until COMMIT PREPARED', (server) =>
    withClients(server, 2, async (session, other) => {
      await session.query(`BEGIN; ${released(64)} PREPARE TRANSACTION 'sixtyfour'`);
      expect(await overflows(other)).toBe(false);
      await session.query(`COMMIT PREPARED 'sixtyfour'`);
      await session.query(`BEGIN; ${released(65)} PREPARE TRANSACTION 'sixtyfive'`);
      expect(await overflows(other)).toBe(true);
      await session.query(`COMMIT PREPARED 'sixtyfive'`);
      expect(await overflows(other)).toBe(false);
    }),
  );
});

describe('a standby', () => {
  let pairs: { primary: Server; standby: Server }[] = [];
  beforeAll(async () => {
    pairs = await Promise.all(
      servers.map(async (primary) => ({ primary, standby: await standbyOf(primary) })),
    );
  }, 120_000);
  afterAll(() => Promise.all(pairs.map(({ standby }) => standby.stop())));

  async function caughtUp(primary: pg.Client, standby: pg.Client): Promise<void> {
    const { lsn } = await one(primary, 'SELECT pg_current_wal_flush_lsn() AS lsn');
    for (;;) {
      const { there } = await one(standby, `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS there`);
      if (there) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Whether snapshots overflow on the primary and on the standby, while the session's transaction is open. */
  async function both(
    { primary, standby }: (typeof pairs)[number],
    sql: string,
    older = '',
  ): Promise<[boolean, boolean]> {
    let result: [boolean, boolean] = [false, false];
    await withClients(primary, 3, async (session, other, holder) => {
      const there = await standby.connect();
      await holder.query(`BEGIN; ${older}`);
      await session.query(`BEGIN; ${sql}`);
      const here = await overflows(other);
      await other.query('CHECKPOINT'); // so that all of the log is on its way
      await caughtUp(other, there);
      result = [here, await overflows(there, true)];
      if (session) await session.query('COMMIT');
      await holder.query('COMMIT');
      await there.end();
    });
    return result;
  }

  test('overflows at 64, one earlier than the primary', async () => {
    await Promise.all(
      pairs.map(async (pair) => {
        expect(await both(pair, released(63)), `${pair.primary.version}`).toEqual([false, false]);
        expect(await both(pair, released(64)), `${pair.primary.version}`).toEqual([false, true]);
      }),
    );
  });

  test('counts those that were rolled back', async () => {
    await Promise.all(
      pairs.map(async (pair) => {
        expect(await both(pair, rolledBack(64)), `${pair.primary.version}`).toEqual([false, true]);
      }),
    );
  });

  test('stays overflowed by a transaction that is over, while an older one that has written is open', async () => {
    const over = `${released(64)} COMMIT; BEGIN`;
    await Promise.all(
      pairs.map(async (pair) => {
        expect(await both(pair, over, `INSERT INTO log VALUES ('older')`), `${pair.primary.version}`).toEqual(
          [false, true],
        );
        expect(await both(pair, over, 'SELECT 1'), `${pair.primary.version}`).toEqual([false, false]);
      }),
    );
  });
});

describe('a standby that starts', () => {
  onAll('accepts no connection while a transaction with 65 is open on the primary', (primary) =>
    withClients(primary, 2, async (session, other) => {
      await session.query(`BEGIN; ${released(65)}`);
      const standby = standbyOf(primary);
      const soon = (time: number) => new Promise((resolve) => setTimeout(resolve, time, 'still waiting'));
      // It waits for the transaction only once it has read all that there is. Another session looks: in one transaction
      // the view stays as it was.
      const read = `SELECT count(*)::int FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()`;
      while ((await one(other, read)).count === 0)
        expect(await Promise.race([standby, soon(100)])).toBe('still waiting');
      expect(await Promise.race([standby, soon(1500)])).toBe('still waiting');
      await session.query('COMMIT');
      // The next list of what runs lets it in. One that was written while the copy was made may be too early.
      do await session.query('CHECKPOINT');
      while ((await Promise.race([standby, soon(500)])) === 'still waiting');
      await (await standby).stop();
    }),
  );
});

describe('what to look at', () => {
  onAll('pg_stat_slru has the names that the pages give', (server) =>
    withClients(server, 1, async (client) => {
      const { rows } = await client.query('SELECT name FROM pg_stat_slru');
      const names = rows.map(({ name }) => name);
      const old = ['Subtrans', 'MultiXactMember'];
      const now = ['subtransaction', 'multixact_member'];
      expect(names).toEqual(expect.arrayContaining(server.version < 17 ? old : now));
    }),
  );

  onAll(
    'the waits have the names that the pages give',
    (server) =>
      withClients(server, 1, async (client) => {
        const { rows } = await client.query('SELECT name FROM pg_wait_events');
        const waits = ['SubtransSLRU', 'SubtransBuffer', 'MultiXactMemberSLRU', 'MultiXactMemberBuffer', 'MultiXactOffsetSLRU', 'MultiXactOffsetBuffer']; // biome-ignore format: one list
        expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(waits));
      }),
    17,
  );

  onAll('the cache sizes are settings from 17', (server) =>
    withClients(server, 1, async (client) => {
      const { n } = await one(
        client,
        `SELECT count(*)::int AS n FROM pg_settings
          WHERE name IN ('subtransaction_buffers', 'multixact_member_buffers', 'multixact_offset_buffers')`,
      );
      expect(n).toBe(server.version < 17 ? 0 : 3);
    }),
  );

  onAll('pg_get_multixact_members names both levels', (server) =>
    withClients(server, 1, async (client) => {
      await client.query(
        'BEGIN; SELECT 1 FROM t WHERE id = 1 FOR UPDATE; SAVEPOINT a; UPDATE t SET n = 1 WHERE id = 1; COMMIT',
      );
      const { modes } = await one(
        client,
        `SELECT string_agg(mode, '+' ORDER BY mode) AS modes
           FROM pg_get_multixact_members(mxid_age('1'::xid)::text::xid) -- the last one made`,
      );
      expect(modes).toBe('forupd+nokeyupd');
    }),
  );

  onAll('pg_stat_get_backend_subxact() is there from 16', (server) =>
    withClients(server, 1, async (client) => {
      const { there } = await one(
        client,
        `SELECT to_regproc('pg_stat_get_backend_subxact') IS NOT NULL AS there`,
      );
      expect(there).toBe(server.version >= 16);
    }),
  );

  onAll('pg_stat_statements counts savepoints and their releases', (server) =>
    withClients(server, 1, async (client) => {
      await client.query('CREATE EXTENSION pg_stat_statements');
      for (const sql of ['BEGIN', 'SAVEPOINT a', 'RELEASE a', 'COMMIT']) await client.query(sql);
      const { rows } = await client.query('SELECT query FROM pg_stat_statements');
      const kinds = rows.map(({ query }) => query.split(' ')[0]);
      expect(kinds).toEqual(expect.arrayContaining(['SAVEPOINT', 'RELEASE']));
    }),
  );

  onAll('EXPLAIN (ANALYZE) shows how often a trigger ran', (server) =>
    withClients(server, 1, async (client) => {
      await client.query(`CREATE TABLE watched (id int);
        CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE TRIGGER watch BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION watch()`);
      const { rows } = await client.query(
        'EXPLAIN (ANALYZE) INSERT INTO watched SELECT generate_series(1, 100)',
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Trigger watch:.* calls=100/);
    }),
  );

  onAll('pgrowlocks shows both levels on the row', (server) =>
    withClients(server, 2, async (client, other) => {
      await other.query('CREATE EXTENSION pgrowlocks; CREATE TABLE locked AS SELECT 1 AS id');
      await client.query(
        'BEGIN; SELECT 1 FROM locked FOR UPDATE; SAVEPOINT a; UPDATE locked SET id = 1; SELECT 1',
      );
      const { multi, modes } = await one(
        other,
        `SELECT multi, modes::text FROM pgrowlocks('locked') WHERE multi`,
      );
      await client.query('ROLLBACK');
      expect([multi, modes]).toEqual([true, '{"For Update","No Key Update"}']);
    }),
  );

  onAll('failed inserts are dead rows in pg_stat_user_tables', (server) =>
    withClients(server, 1, async (client) => {
      await client.query('CREATE TABLE upserted (id int PRIMARY KEY); INSERT INTO upserted VALUES (1)');
      await client.query(`DO $$ BEGIN FOR i IN 1..10 LOOP
        BEGIN INSERT INTO upserted VALUES (1); EXCEPTION WHEN unique_violation THEN NULL; END; END LOOP; END $$`);
      await client.query('SELECT pg_stat_force_next_flush()');
      const { n } = await one(
        client,
        `SELECT n_dead_tup::int AS n FROM pg_stat_user_tables WHERE relname = 'upserted'`,
      );
      expect(n).toBe(10);
    }),
  );

  onAll('pg_stat_user_functions shows the time of a function', (server) =>
    withClients(server, 1, async (client) => {
      await client.query(`CREATE FUNCTION timed() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
        SET track_functions = pl; SELECT timed(); SELECT pg_stat_force_next_flush()`);
      const { calls } = await one(
        client,
        `SELECT calls::int FROM pg_stat_user_functions WHERE funcname = 'timed'`,
      );
      expect(calls).toBe(1);
    }),
  );

  onAll('each open level holds a lock, a released one does not', (server) =>
    withClients(server, 1, async (client) => {
      const locks = `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'transactionid' AND pid = pg_backend_pid()`;
      await client.query(`BEGIN; ${open(70)}`);
      expect((await one(client, locks)).n).toBe(71);
      await client.query(`COMMIT; BEGIN; ${released(70)}`);
      expect((await one(client, locks)).n).toBe(1);
      await client.query('COMMIT');
    }),
  );

  onAll('tens of thousands of open ones end in out of shared memory', (server) =>
    withClients(server, 1, async (client) => {
      const many = `BEGIN; ${'SAVEPOINT a;'.repeat(30_000)} INSERT INTO log VALUES ('x')`;
      await expect(client.query(many)).rejects.toMatchObject({ code: '53200' });
      await client.query('ROLLBACK');
      await client.query(
        `BEGIN; ${'SAVEPOINT a; RELEASE a;'.repeat(30_000)} INSERT INTO log VALUES ('x'); ROLLBACK`,
      );
    }),
  );
});

describe('what it costs', () => {
  const slru = (server: Server) =>
    `SELECT blks_hit::int AS n FROM pg_stat_slru WHERE name = '${server.version < 17 ? 'Subtrans' : 'subtransaction'}'`;

  /** Lookups in pg_subtrans that one scan by another session makes. */
  async function lookups(server: Server, sql: string): Promise<number> {
    let n = 0;
    await withClients(server, 2, async (session, reader) => {
      await session.query(`BEGIN; ${sql}`);
      await reader.query('SELECT pg_current_xact_id()');
      await reader.query('SELECT pg_stat_force_next_flush()');
      const before = await one(reader, slru(server));
      await reader.query('SELECT count(*) FROM log');
      await reader.query('SELECT pg_stat_force_next_flush()');
      n = (await one(reader, slru(server))).n - before.n;
      await session.query('ROLLBACK');
    });
    return n;
  }

  onAll(
    'others look pg_subtrans up only after the overflow, and far more often for open levels',
    async (server) => {
      await withClients(server, 1, async (client) => void (await client.query('TRUNCATE log')));
      expect(await lookups(server, released(64))).toBe(0);
      const few = await lookups(server, released(200));
      const many = await lookups(server, open(200));
      expect(few).toBeGreaterThan(0);
      expect(many).toBeGreaterThan(10 * few);
    },
  );

  onAll('visibility checks under open savepoints cost more than under released ones', (server) =>
    withClients(server, 1, async (client) => {
      await client.query('CREATE TEMP TABLE many AS SELECT i AS id FROM generate_series(1, 20000) AS i');
      const deletes = (ending: string) =>
        Array.from(
          { length: 200 },
          (_, i) => `SAVEPOINT a; DELETE FROM many WHERE id % 200 = ${i}; ${ending}`,
        ).join('');
      const time = async (sql: string) => {
        const began = performance.now();
        await client.query(`BEGIN; ${sql} ROLLBACK`);
        return performance.now() - began;
      };
      // The quickest of several, in turn: another program may have had the processor meanwhile.
      let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let i = 0; i < 5 && !(i > 1 && long > 1.3 * short); i++) {
        short = Math.min(short, await time(deletes('RELEASE a;')));
        long = Math.min(long, await time(deletes('')));
      }
      expect(long).toBeGreaterThan(1.3 * short);
    }),
  );

  onAll(
    'a block around a cast costs several times what pg_input_is_valid() does',
    (server) =>
      withClients(server, 1, async (client) => {
        await client.query(`
          CREATE FUNCTION as_integer(value text) RETURNS int LANGUAGE plpgsql AS $$
            BEGIN RETURN value::int; EXCEPTION WHEN invalid_text_representation THEN RETURN NULL; END $$;
          CREATE TEMP TABLE lines AS SELECT CASE WHEN i % 2 = 0 THEN 'n/a' ELSE i::text END AS line FROM generate_series(1, 20000) AS i`);
        const time = async (expression: string) => {
          const began = performance.now();
          const { n } = await one(client, `SELECT count(${expression})::int AS n FROM lines`);
          expect(n).toBe(10_000);
          return performance.now() - began;
        };
        // In turn, as above.
        let [asked, caught] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
        for (let i = 0; i < 10 && !(i > 1 && caught > 3 * asked); i++) {
          asked = Math.min(
            asked,
            await time(`CASE WHEN pg_input_is_valid(line, 'integer') THEN line::int END`),
          );
          caught = Math.min(caught, await time('as_integer(line)'));
        }
        expect(caught).toBeGreaterThan(3 * asked);
      }),
    16,
  );
});

describe('what is built in', () => {
  onAll('each function that gives a set of rows is known to', (server) =>
    withClients(server, 1, async (client) => {
      const { rows } = await client.query(
        `SELECT DISTINCT proname AS name FROM pg_proc WHERE proretset AND pronamespace = 'pg_catalog'::regnamespace ORDER BY 1`,
      );
      expect(rows.map(({ name }) => name).filter((name) => !givesRows(name))).toEqual([]);
    }),
  );
});

describe('other servers and other ways', () => {
  onAll(
    'savepoints around writes to foreign tables overflow the remote server',
    (server) =>
      withClients(server, 2, async (session, other) => {
        await session.query(`
          CREATE EXTENSION postgres_fdw;
          CREATE SERVER itself FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${server.socket}', dbname 'postgres');
          CREATE USER MAPPING FOR postgres SERVER itself OPTIONS (user 'postgres');
          CREATE FOREIGN TABLE far (what text) SERVER itself OPTIONS (table_name 'log')`);
        const count = async (mine: boolean) =>
          (
            await one(
              other,
              `SELECT coalesce(bool_or(s.subxact_overflowed), false) AS over
                 FROM pg_stat_get_backend_idset() AS b, LATERAL pg_stat_get_backend_subxact(b) AS s
                WHERE (pg_stat_get_backend_pid(b) = ${(session as unknown as { processID: number }).processID}) = ${mine}`,
            )
          ).over;
        await session.query(`BEGIN; ${`SAVEPOINT a; INSERT INTO far VALUES ('x'); RELEASE a;`.repeat(70)}`);
        expect([await count(true), await count(false)]).toEqual([false, true]);
        await session.query('COMMIT');
      }),
    16,
  );

  onAll('MERGE may meet a duplicate key that another session just inserted, ON CONFLICT does not', (server) =>
    withClients(server, 2, async (first, second) => {
      for (const [sql, code] of [
        [
          'MERGE INTO t USING (SELECT 5000 AS id) AS new ON t.id = new.id WHEN MATCHED THEN UPDATE SET n = 1 WHEN NOT MATCHED THEN INSERT (id) VALUES (new.id)',
          '23505',
        ],
        ['INSERT INTO t (id) VALUES (5000) ON CONFLICT (id) DO UPDATE SET n = 1', null],
      ] as const) {
        await first.query('BEGIN; INSERT INTO t (id) VALUES (5000)');
        const waiting = second.query(sql).then(
          () => null,
          (error) => error.code,
        );
        await new Promise((resolve) => setTimeout(resolve, 100));
        await first.query('COMMIT');
        expect(await waiting).toBe(code);
        await first.query('DELETE FROM t WHERE id = 5000');
      }
    }),
  );

  onAll('LOCK TABLE in ACCESS EXCLUSIVE mode takes a transaction ID also where it fails', (server) =>
    withClients(server, 2, async (holder, client) => {
      await client.query('CREATE TABLE held (id int)');
      await holder.query('BEGIN; LOCK TABLE held IN ACCESS SHARE MODE');
      const burnt = async (mode: string) => {
        const before = await one(client, `SELECT age('3'::xid) AS x`);
        await client.query(`DO $$ BEGIN
          FOR i IN 1..10 LOOP
            BEGIN LOCK TABLE held IN ${mode} MODE NOWAIT; EXCEPTION WHEN lock_not_available THEN NULL; END;
          END LOOP; END $$`);
        return (await one(client, `SELECT age('3'::xid) AS x`)).x - before.x;
      };
      expect(await burnt('ACCESS EXCLUSIVE')).toBe(11);
      await holder.query('COMMIT; BEGIN; LOCK TABLE held IN ACCESS EXCLUSIVE MODE');
      expect(await burnt('SHARE')).toBe(0);
      await holder.query('COMMIT; DROP TABLE held');
    }),
  );

  onAll(
    'pg_input_is_valid answers for each type that the messages recommend it for',
    (server) =>
      withClients(server, 1, async (client) => {
        const texts =
          '{<\\ 99999999999999999999999 n/a 1 t 2001-02-03 12:00 {} $.a a:1 ::1 08:00:2b:01:02:03 08:00:2b:01:02:03:04:05 (1,2) 0/1 1:2: int4eq postgres pg_class public simple || "C" <(1,2),3> {1,2,3} ((1,2),(3,4)) empty 6f6e6c79-0000-4000-8000-000000000000'.split(
            ' ',
          );
        const wrong: string[] = [];
        for (const type of [...SOFT, 'numeric(4,1)'].flatMap((one) => [one, `${one}[]`])) {
          const told = new Set<boolean>();
          for (const text of texts)
            await client
              .query('SELECT pg_input_is_valid($1, $2) AS valid', [
                type.endsWith('[]') ? `{"${text.replace(/["\\]/g, '\\$&')}"}` : text,
                type,
              ])
              .then(({ rows }) => told.add(rows[0].valid))
              .catch((error: Error) => wrong.push(`${type}: ${error.message}`));
          if (told.size < 2) wrong.push(`${type}: tells nothing`);
        }
        expect(wrong).toEqual([]);
        // A precision is refused, a length of bits is not, and bit alone is of one.
        expect(
          await one(
            client,
            `SELECT pg_input_is_valid('12345', 'numeric(4,1)') AS precise, length('10101'::text::bit(3)) AS cut, pg_input_is_valid('101', 'bit') AS bits`,
          ),
        ).toEqual({ precise: false, cut: 3, bits: false });
        await expect(client.query(`SELECT pg_input_is_valid('{', 'regtype')`)).rejects.toMatchObject({
          code: '42601',
        });
        await expect(client.query(`SELECT pg_input_is_valid('a.b.c.d', 'regclass')`)).rejects.toMatchObject({
          code: '42601',
        });
        const { safe } = await one(
          client,
          `SELECT proparallel AS safe FROM pg_proc WHERE proname = 'pg_input_is_valid'`,
        );
        expect(safe).toBe('s');
      }),
    16,
  );

  onAll(
    'COPY leaves bad lines out without a subtransaction',
    (server) =>
      withClients(server, 1, async (client) => {
        const file = join(server.socket, 'lines.csv');
        await writeFile(file, Array.from({ length: 100 }, (_, i) => (i % 2 ? 'n/a' : `${i}`)).join('\n'), {
          mode: 0o644,
        });
        await client.query('CREATE TABLE numbers (n int); BEGIN');
        const before = await one(client, `SELECT age('3'::xid) AS x`);
        await client.query(`COPY numbers FROM '${file}' WITH (ON_ERROR ignore); COMMIT`);
        const after = await one(
          client,
          `SELECT age('3'::xid) AS x, (SELECT count(*)::int FROM numbers) AS rows`,
        );
        expect([after.x - before.x, after.rows]).toEqual([1, 50]);
      }),
    17,
  );
});

// Each safe fix on a real server: the rewritten function does what the old one did, without a subtransaction.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixed } from '../fixes.ts';
import { type Server, start } from './servers.ts';

let server: Server;
beforeAll(async () => {
  server = await start(18);
}, 120_000);
afterAll(() => server.stop());

const TABLE = 'CREATE TABLE seen_ids (id int PRIMARY KEY, turns int NOT NULL DEFAULT 0);';

interface Case {
  name: string;
  old: string;
  title: string;
  /** What is called, and what the table holds afterwards is compared. */
  calls: string[];
}

const CASES: Case[] = [
  {
    name: 'an insert that ignores the duplicate key',
    title: 'Write ON CONFLICT DO NOTHING instead of the EXCEPTION clause',
    old: `CREATE FUNCTION seen(p_id int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    INSERT INTO seen_ids (id) VALUES (p_id);
  EXCEPTION WHEN unique_violation THEN
    NULL;
  END;
  RETURN 'done';
END $$;
`,
    calls: ['SELECT seen(1)', 'SELECT seen(1)', 'SELECT seen(2)', 'SELECT seen(NULL)'],
  },
  {
    name: 'the same in a quoted body with CRLF line ends',
    title: 'Write ON CONFLICT DO NOTHING instead of the EXCEPTION clause',
    old: `CREATE FUNCTION seen(p_id int) RETURNS text LANGUAGE plpgsql AS '
BEGIN
  BEGIN
    INSERT INTO seen_ids (id) SELECT p_id;
  EXCEPTION
    WHEN unique_violation THEN NULL;
  END;
  RETURN ''done'';
END';
`.replaceAll('\n', '\r\n'),
    calls: ['SELECT seen(1)', 'SELECT seen(1)'],
  },
  {
    name: 'a handler that only raises again',
    title: 'Take the EXCEPTION clause away',
    old: `CREATE FUNCTION seen(p_id int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO seen_ids (id, turns) VALUES (p_id, 1);
  RETURN 'done';
EXCEPTION WHEN OTHERS THEN
  RAISE;
END $$;
`,
    calls: ['SELECT seen(1)', 'SELECT seen(1)', 'SELECT seen(NULL)'],
  },
];

/** Results, error codes, rows, and how many subtransactions of the last transaction counted. */
async function play({ calls }: Case, definition: string) {
  const client = await server.connect();
  try {
    await client.query(`DROP TABLE IF EXISTS seen_ids; DROP FUNCTION IF EXISTS seen(int); ${TABLE}`);
    await client.query(definition);
    const said: string[] = [];
    for (const call of calls)
      said.push(
        await client.query(call).then(
          ({ rows }) => JSON.stringify(rows),
          (error: { code: string }) => error.code,
        ),
      );
    const { rows } = await client.query('SELECT * FROM seen_ids ORDER BY id');
    await client.query('BEGIN');
    await client.query('SELECT seen(100 + i) FROM generate_series(1, 5) AS i');
    const counted = await client.query(
      `SELECT s.subxact_count AS n FROM pg_stat_get_backend_idset() AS b, pg_stat_get_backend_subxact(b) AS s
       WHERE pg_stat_get_backend_pid(b) = pg_backend_pid()`,
    );
    await client.query('ROLLBACK');
    return { said, rows, subtransactions: counted.rows[0].n as number };
  } finally {
    await client.end();
  }
}

test.each(CASES)('$name', async (one) => {
  // The table must be known.
  const rewritten = await fixed(TABLE + one.old);
  expect(rewritten.titles).toEqual([one.title]);
  expect(rewritten.text).not.toMatch(/EXCEPTION/);
  const before = await play(one, one.old);
  const after = await play(one, rewritten.text.slice(TABLE.length));
  expect(before.subtransactions).toBe(5);
  expect(after).toEqual({ ...before, subtransactions: 0 });
});

const SCRIPTS: [string, string][] = [
  [
    'the same name again and again',
    `BEGIN;
SAVEPOINT step;
INSERT INTO seen_ids (id) VALUES (1);
SAVEPOINT step;
INSERT INTO seen_ids (id) VALUES (1);
ROLLBACK TO step;
SAVEPOINT step;
INSERT INTO seen_ids (id) VALUES (3);
COMMIT;
`,
  ],
  [
    'rolled back to and not released',
    `BEGIN;
INSERT INTO seen_ids (id) VALUES (1);
SAVEPOINT first;
INSERT INTO seen_ids (id) VALUES (1);
ROLLBACK TO first;
SAVEPOINT second;
INSERT INTO seen_ids (id) VALUES (2);
COMMIT;
`,
  ],
  [
    'an error that nothing rolls back to',
    `BEGIN;
SAVEPOINT first;
INSERT INTO seen_ids (id) VALUES (1);
INSERT INTO seen_ids (id) VALUES (1);
SAVEPOINT second;
INSERT INTO seen_ids (id) VALUES (2);
COMMIT;
`,
  ],
];

/** Statement by statement, as psql would: what holds afterwards, and how many levels were open before the end. */
async function playScript(script: string) {
  const client = await server.connect();
  try {
    await client.query(`DROP TABLE IF EXISTS seen_ids; ${TABLE}`);
    let levels = 0;
    for (const statement of script.split(';').map((one) => one.trim())) {
      if (statement === 'COMMIT') {
        const held = await client
          .query(
            "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'transactionid' AND pid = pg_backend_pid()",
          )
          .catch(() => ({ rows: [{ n: 0 }] }));
        levels = held.rows[0].n;
      }
      await client.query(statement).catch(() => undefined);
    }
    return { rows: (await client.query('SELECT id FROM seen_ids ORDER BY id')).rows, levels };
  } finally {
    await client.end();
  }
}

test.each(SCRIPTS)('a RELEASE before the next savepoint: %s', async (_name, script) => {
  const { text, titles } = await fixed(script, 'script.sql');
  expect(titles.length).toBeGreaterThan(0);
  expect(text).toMatch(/RELEASE SAVEPOINT \w+; SAVEPOINT/);
  const [before, after] = [await playScript(script), await playScript(text)];
  expect(after.rows).toEqual(before.rows);
  expect(after.levels).toBeLessThanOrEqual(before.levels);
  // Once more changes nothing.
  expect((await fixed(text, 'script.sql')).text).toBe(text);
});

test.each([
  ['the older one is rolled back to', 'SAVEPOINT a; SELECT 1; SAVEPOINT b; SELECT 2; ROLLBACK TO a;'],
  ['the older one is released later', 'SAVEPOINT a; SELECT 1; SAVEPOINT b; SELECT 2; RELEASE a;'],
  [
    'two of one name are released one by one',
    'SAVEPOINT a; SELECT 1; SAVEPOINT a; SELECT 2; RELEASE a; ROLLBACK TO a;',
  ],
  [
    'text that could not be read',
    'SAVEPOINT a; SELECT 1; DO $$ BEGIN EXECUTE x; END $$; SAVEPOINT b; SELECT 2;',
  ],
])('no RELEASE where %s', async (_why, body) => {
  expect((await fixed(`BEGIN; ${body} COMMIT;`, 'script.sql')).titles).toEqual([]);
});

test.each([
  [
    'a second handler',
    'INSERT INTO seen_ids (id) VALUES (p_id)',
    'WHEN unique_violation THEN NULL; WHEN others THEN NULL;',
  ],
  ['every error', 'INSERT INTO seen_ids (id) VALUES (p_id)', 'WHEN others THEN NULL;'],
  [
    'RETURNING',
    'INSERT INTO seen_ids (id) VALUES (p_id) RETURNING id INTO p_id',
    'WHEN unique_violation THEN NULL;',
  ],
  [
    'a second statement',
    'INSERT INTO seen_ids (id) VALUES (p_id); PERFORM tell(p_id)',
    'WHEN unique_violation THEN NULL;',
  ],
  [
    'a handler that does something',
    'INSERT INTO seen_ids (id) VALUES (p_id)',
    'WHEN unique_violation THEN PERFORM tell(p_id);',
  ],
  [
    'a handler that sets a variable',
    'INSERT INTO seen_ids (id) VALUES (p_id)',
    'WHEN unique_violation THEN p_id := p_id + 1;',
  ],
  [
    'a handler that says something',
    'INSERT INTO seen_ids (id) VALUES (p_id)',
    "WHEN unique_violation THEN RAISE NOTICE 'seen before';",
  ],
  [
    'a variable that is set where the row is new',
    'INSERT INTO seen_ids (id) VALUES (p_id); p_id := 0',
    'WHEN unique_violation THEN NULL;',
  ],
  [
    'several rows, of which ON CONFLICT keeps the new ones',
    'INSERT INTO seen_ids (id) VALUES (p_id), (p_id + 1)',
    'WHEN unique_violation THEN NULL;',
  ],
  [
    'the rows of a query',
    'INSERT INTO seen_ids (id) SELECT i FROM generate_series(1, p_id) AS i',
    'WHEN unique_violation THEN NULL;',
  ],
])('no fix is called safe with %s', async (_what, statement, handlers) => {
  const text = `CREATE FUNCTION seen(p_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  ${statement};
EXCEPTION ${handlers}
END $$;
`;
  expect((await fixed(TABLE + text)).titles).toEqual([]);
});

test.each(['RETURN found', 'GET DIAGNOSTICS p_id = ROW_COUNT; RETURN p_id > 0'])(
  'nor where the body asks how it went: %s',
  async (asked) => {
    const old = `CREATE FUNCTION seen(p_id int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1;
  BEGIN
    INSERT INTO seen_ids (id) VALUES (p_id);
  EXCEPTION WHEN unique_violation THEN
    NULL;
  END;
  ${asked};
END $$;
`;
    expect((await fixed(TABLE + old)).titles).toEqual([]);
    const one = { name: '', title: '', old, calls: ['SELECT seen(1)', 'SELECT seen(1)'] };
    const without = old.replace(/EXCEPTION[^;]*;/, '').replace('(p_id);', '(p_id) ON CONFLICT DO NOTHING;');
    expect(without).not.toMatch(/EXCEPTION/);
    expect((await play(one, without)).said).not.toEqual((await play(one, old)).said);
  },
);

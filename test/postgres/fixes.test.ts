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
  const rewritten = await fixed(one.old);
  expect(rewritten.titles).toEqual([one.title]);
  expect(rewritten.text).not.toMatch(/EXCEPTION/);
  const before = await play(one, one.old);
  const after = await play(one, rewritten.text);
  expect(before.subtransactions).toBe(5);
  expect(after).toEqual({ ...before, subtransactions: 0 });
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
])('no fix is called safe with %s', async (_what, statement, handlers) => {
  const text = `CREATE FUNCTION seen(p_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  ${statement};
EXCEPTION ${handlers}
END $$;
`;
  expect((await fixed(text)).titles).toEqual([]);
});

// Migration tools run two files each on a server, which says what was one transaction: what we say of these files must fit.
// They come from npm: install.sh.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lower } from '../../../src/analyse.ts';
import { type Server, start } from '../../postgres/servers.ts';

const run = promisify(execFile);
const HOME = 'build/migrations';

let server: Server;
beforeAll(async () => {
  await run('sh', ['test/frameworks/migrations/install.sh']);
  server = await start(15);
}, 300_000);
afterAll(() => server?.stop());

/** Each statement writes down in which transaction it ran. */
const statement = (name: string) => `INSERT INTO ran (what) VALUES ('${name}');`;

interface Case {
  tool: string;
  /** Two migrations, each with two statements, `1a` to `2b`; and what else the tool wants to find. */
  files: Record<string, string>;
  command: (database: string) => string[];
  /** Each letter is a transaction: those of the statements `1a 1b 2a 2b`. */
  server: string;
}

const file = (number: number, between = '\n') =>
  `${statement(`${number}a`)}${between}${statement(`${number}b`)}\n`;

const bin = (name: string, ...args: string[]) => [`node_modules/.bin/${name}`, ...args];

/** Drizzle's own migrator, with one of its drivers; `drizzle-kit migrate` calls the same. */
const drizzle = (driver: string, connect: string, between: string): Omit<Case, 'tool' | 'server'> => ({
  files: {
    'drizzle/0000_round_apple.sql': file(1, between),
    'drizzle/0001_ripe_pear.sql': file(2, between),
    'drizzle/meta/_journal.json': JSON.stringify({
      version: '7',
      dialect: 'postgresql',
      entries: ['0000_round_apple', '0001_ripe_pear'].map((tag, idx) => ({
        idx,
        tag,
        version: '7',
        when: idx + 1,
        breakpoints: between !== '\n',
      })),
    }),
    'run.mjs': `import { drizzle } from 'drizzle-orm/${driver}';
import { migrate } from 'drizzle-orm/${driver}/migrator';
${connect}
await migrate(drizzle(client), { migrationsFolder: 'drizzle' });
await client.end();
`,
  },
  command: () => ['node', 'run.mjs'],
});

const NODE_PG = `import pg from 'pg';
const client = new pg.Pool();`;
const POSTGRES_JS = `import postgres from 'postgres';
const client = postgres({ onnotice() {} });`;
const BREAKPOINT = '--> statement-breakpoint\n';

/** Its files say which one was before, and carry a hash of what they say. */
function graphile(...bodies: string[]): Record<string, string> {
  let previous = '';
  const files: Record<string, string> = {
    '.gmrc': '{}',
    'migrations/current.sql': '',
  };
  for (const [i, body] of bodies.entries()) {
    const hash = `sha1:${createHash('sha1')
      .update(`${`${previous}\n${body.trim()}`.trim()}\n`)
      .digest('hex')}`;
    files[`migrations/committed/00000${i + 1}.sql`] =
      `--! Previous: ${previous || '-'}\n--! Hash: ${hash}\n\n${body.trim()}\n`;
    previous = hash;
  }
  return files;
}

const dbmate = (database: string) => {
  const url = `postgres:///${database}?socket=${server.socket}&user=postgres`;
  return bin('dbmate', '--no-dump-schema', '--url', url, 'migrate');
};

const CASES: Case[] = [
  { tool: 'drizzle, node-postgres', ...drizzle('node-postgres', NODE_PG, BREAKPOINT), server: 'A A A A' },
  { tool: 'drizzle, postgres.js', ...drizzle('postgres-js', POSTGRES_JS, BREAKPOINT), server: 'A A A A' },
  {
    tool: 'drizzle without breakpoints',
    ...drizzle('node-postgres', NODE_PG, '\n'),
    server: 'A A A A',
  },
  {
    tool: 'node-pg-migrate',
    files: {
      'migrations/1700000000001_one.sql': `-- Up Migration\n${file(1)}-- Down Migration\n`,
      'migrations/1700000000002_two.sql': `-- Up Migration\n${file(2)}-- Down Migration\n`,
    },
    command: () => bin('node-pg-migrate', 'up'),
    server: 'A A A A',
  },
  {
    tool: 'dbmate',
    files: {
      'db/migrations/20240101000001_one.sql': `-- migrate:up\n${file(1)}-- migrate:down\n`,
      'db/migrations/20240101000002_two.sql': `-- migrate:up\n${file(2)}-- migrate:down\n`,
    },
    command: dbmate,
    server: 'A A B B',
  },
  {
    tool: 'dbmate without a transaction',
    files: {
      'db/migrations/20240101000001_one.sql': `-- migrate:up transaction:false\n${file(1)}-- migrate:down\n`,
      'db/migrations/20240101000002_two.sql': `-- migrate:up transaction:false\n${file(2)}-- migrate:down\n`,
    },
    command: dbmate,
    server: 'A A B B',
  },
  {
    tool: 'graphile-migrate',
    files: graphile(file(1), file(2)),
    command: () => bin('graphile-migrate', 'migrate'),
    server: 'A A B B',
  },
  {
    tool: 'graphile-migrate without a transaction',
    files: graphile(`--! no-transaction\n${file(1)}`, `--! no-transaction\n${file(2)}`),
    command: () => bin('graphile-migrate', 'migrate'),
    server: 'A A B B',
  },
];

test.each(CASES)('$tool', async ({ tool, files, command, server: says }) => {
  const admin = await server.connect();
  const database = `of_${CASES.findIndex((one) => one.tool === tool)}`;
  await admin.query(`CREATE DATABASE ${database}`);
  const client = await server.connect(database);
  await client.query('CREATE TABLE ran (what text, xid text DEFAULT pg_current_xact_id()::text)');
  const folder = await mkdtemp(join(HOME, 'run-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const [program, ...args] = command(database);
  const url = `postgres://postgres@/${database}?host=${server.socket}`;
  await run(program!.startsWith('node_modules') ? join('..', program!) : program!, args, {
    cwd: folder,
    env: {
      ...process.env,
      PGHOST: server.socket,
      PGUSER: 'postgres',
      PGDATABASE: database,
      DATABASE_URL: url,
      ROOT_DATABASE_URL: `postgres://postgres@/postgres?host=${server.socket}`,
      SHADOW_DATABASE_URL: `${url}&shadow`,
    },
  });
  await rm(folder, { recursive: true });
  const { rows } = await client.query('SELECT what, xid FROM ran ORDER BY what');
  expect(rows.map(({ what }) => what)).toEqual(['1a', '1b', '2a', '2b']);
  const seen = [...new Set(rows.map(({ xid }) => xid))];
  expect(rows.map(({ xid }) => 'ABCD'[seen.indexOf(xid)]).join(' ')).toBe(says);
  await Promise.all([client.end(), admin.end()]);

  const together = says.startsWith('A A') ? 'transaction' : 'autocommit';
  for (const [path, text] of Object.entries(files).filter(([path]) => /\d\w*\.sql$/.test(path))) {
    const unit = await lower(path, text);
    const scripts = unit!.routines.filter(({ kind }) => kind === 'script');
    expect(scripts.map(({ startsIn }) => `${path}: ${startsIn}`)).toEqual([`${path}: ${together}`]);
  }
});

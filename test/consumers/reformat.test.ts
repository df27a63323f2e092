// Formatters that people use write whole projects anew, and the baseline still holds what it held.
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fromNpm, fromPython, LOOP, ROOT, repository, TOOLS, type World } from './world.ts';

const PROJECTS = ['billing', 'members', 'orders-rails', 'shop', 'spring-orders'];
/** SQL in a language's strings, several blocks in a routine, and a name that needs its quotes. */
const MORE = {
  'db/loop.sql': LOOP,
  'db/blocks.sql': `create or replace function "Load all"(p int[]) returns void language plpgsql as $body$
declare i int;
begin
  foreach i in array p loop
    begin insert into a values (i); exception when unique_violation then null; end;
    begin update b set n = n + 1 where id = i; exception when others then raise notice 'no %', i; end;
    begin perform i::text::date; exception when others then null; end;
  end loop;
end $body$;
`,
  'jobs/load.py': `import psycopg


def load(conn, rows):
    with conn.transaction():
        for row in rows:
            with conn.transaction():
                conn.execute("insert into a (id, name) values (%s, %s)  on conflict (id) do update set name = excluded.name", [row.id, row.name])


def by_hand(cur, rows):
    cur.execute("BEGIN")
    for row in rows:
        cur.execute('SAVEPOINT one')
        cur.execute('''update a
                          set name = %s where id = %s''', (row.name, row.id))
        cur.execute('RELEASE SAVEPOINT one')
    cur.execute("COMMIT")
`,
};

function sources(): World {
  const world = repository(MORE);
  for (const project of PROJECTS)
    cpSync(join(ROOT, 'fixtures/projects', project), join(world.folder, project), { recursive: true });
  world.git('add', '.');
  world.git('commit', '-q', '-m', 'all');
  return world;
}

const filesOf = (world: World, ending: string) =>
  readdirSync(world.folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));

const java = (main: string, ...args: string[]) => [
  'java',
  ...['api', 'code', 'file', 'parser', 'tree', 'util'].flatMap((part) => [
    '--add-exports',
    `jdk.compiler/com.sun.tools.javac.${part}=ALL-UNNAMED`,
  ]),
  ...['-cp', join(TOOLS, 'maven/lib/*'), main],
  ...args,
];
const prettier = (plugin: string, ...args: string[]) => [
  ...['node', fromNpm('prettier/bin/prettier.cjs'), '--plugin', fromNpm(plugin), '--print-width', '60'],
  ...[...args, '--write'],
];

/** As a shell takes them; names of files follow where an ending is given. */
const FORMATTERS: [string, string[], string?][] = [
  ['black', [fromPython('black'), '-q', '-l', '50', '.']],
  ['ruff format', [fromPython('ruff'), 'format', '-q', '--isolated', '--line-length', '60', '.']],
  [
    'sqlfluff fix',
    [fromPython('sqlfluff'), 'fix', '--dialect', 'postgres', '--rules', 'layout,capitalisation'],
    '.sql',
  ],
  [
    'prettier for SQL',
    prettier('prettier-plugin-sql/lib/index.cjs', '--language', 'postgresql', '--keyword-case', 'upper'),
    '.sql',
  ],
  ['prettier for Java', prettier('prettier-plugin-java/dist/index.mjs'), '.java'],
  ['google-java-format', java('com.google.googlejavaformat.java.Main', '-i'), '.java'],
  ['ktfmt', java('com.facebook.ktfmt.cli.Main'), '.kt'],
  ['rubocop', ['rubocop', '-A', '--force-default-config', '--cache', 'false', '.']],
  ['pg_format', ['pg_format', '-i', '-s', '2', '-u', '1', '-f', '1', '-k'], '.sql'],
];

test.each(FORMATTERS)('%s', (_, [command, ...args], ending) => {
  const world = sources();
  const held = world.subxact('baseline').out;
  expect(held).toMatch(/holds [23]\d findings/);
  // Some end with 1 when they had something to do, or cannot do it all.
  const { err, out } = world.run(command!, [...args, ...(ending ? filesOf(world, ending) : [])]);
  expect(world.git('diff', '--stat'), err + out).not.toBe('');
  const { code, out: said } = world.subxact('check', '--format', 'gcc');
  expect(said).toBe('');
  expect(code).toBe(0);
  expect(world.subxact('baseline', '--prune').out).toBe(held);
});

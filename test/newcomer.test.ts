// What somebody meets who has not read the manual: mistakes on the command line and what a repository has besides code.
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildCli, LOOP, world } from './world.ts';

let cli = '';
beforeAll(() => {
  cli = buildCli('test-newcomer');
}, 600_000);
const start = () => {
  const made = world(() => cli);
  made.git('init', '-q', '-b', 'main');
  return made;
};

test('an option that a command would pass over is a mistake', () => {
  const { run } = start();
  const refused = (...args: string[]) => {
    const { code, err } = run(args);
    expect(code).toBe(2);
    return err;
  };
  expect(refused('rules', '--format', 'json')).toContain(
    'subxact rules takes no --format, which is for check, inventory',
  );
  expect(refused('--prune')).toContain('subxact check takes no --prune, which is for baseline');
  expect(refused('baseline', '--rule', 'subtransaction')).toContain('subxact baseline takes no --rule');
  expect(refused('explain', '--since', 'HEAD', 'subtransaction')).toContain('explain takes no --since');
  expect(refused('baseline', '--postgres-version', 'new')).toContain('must be a major version');
  expect(run(['rules'])).toMatchObject({ code: 0, err: '' });
});

test('a second configuration in a folder is told not to hold', () => {
  const { write, run, folder } = start();
  write({
    'a/b.sql': 'SELECT 1;\n',
    'a/subxact.json': '{}',
    'subxact.jsonc': '{}',
    'package.json': '{}',
  });
  const told = 'a/subxact.json: does not hold here: a run has one configuration';
  expect(run([])).toMatchObject({ code: 0, out: expect.stringContaining(told) });
  write({ 'b/subxact.json': '{}' });
  expect(run([]).out).toContain('a/subxact.json: does not hold here, nor 1 more');
  expect(run([join(folder, 'a')], { cwd: join(folder, 'a') }).out).not.toContain('does not hold');
});

test('a pointer of Git LFS is no SQL', () => {
  const { write, run } = start();
  write({
    'a.sql': `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`,
    'b.sql': 'version',
  });
  expect(run([]).out).toMatch(/^file: a\.sql: not read: Git LFS has not fetched it$/m);
});

test('a baseline that a merge left half done is told as such; a byte order mark is none of its business', () => {
  const { write, run } = start();
  write({ 'a.sql': 'SELECT 1;\n', 'subxact-baseline.json': '\ufeff{"version":1,"findings":{}}\n' });
  expect(run([]).code).toBe(0);
  write({
    'subxact-baseline.json':
      '{\n"version": 1,\n"findings": {\n<<<<<<< HEAD\n=======\r\n>>>>>>> other\n}\n}\n',
  });
  expect(run([])).toMatchObject({ code: 2, err: expect.stringContaining('a merge left its marks in it') });
});

test('explain outside of a repository reads no folder that the file is not in', () => {
  const { write, run, folder } = world(() => cli);
  write({
    'here/a.sql': 'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ SELECT g() $$;\n',
    'there/b.sql':
      'CREATE FUNCTION g() RETURNS void LANGUAGE plpgsql AS $$ BEGIN\nBEGIN DELETE FROM t; EXCEPTION WHEN OTHERS THEN END;\nEND $$;\n',
  });
  const explained = (cwd: string) =>
    run(['explain', join(folder, 'there/b.sql:2')], { cwd: join(folder, cwd) }).out;
  expect(explained('here')).toContain('no calls lead to it');
  expect(explained('.')).toContain('1 call leads to it');
});

test('an order to us may be in capitals', () => {
  const { write, found, run } = start();
  const comment = '    -- SUBXACT: ALLOW subtransaction-in-loop, BECAUSE few\n';
  write({ 'a.sql': LOOP.replace('    EXCEPTION', `${comment}    EXCEPTION`) });
  expect(found()).toEqual([]);
  write({ 'a.sql': LOOP.replace('    EXCEPTION', `${comment.replace('BECAUSE few', '')}    EXCEPTION`) });
  expect(run([]).out).toContain('a.sql:6: this comment gives no reason');
});

test('a file of variables for psql is no SQL', () => {
  const { write, run } = start();
  write({ '.env.pg': 'PGHOST=x\nPGUSER=y\n', '.psqlrc': '\\set QUIET 1\n\\timing\n' });
  expect(run([]).out).toMatch(/^nothing found in 2 files in [\d.]+ s\n$/);
});

test('programs in languages that nobody reads are told, where they are a good part; of Node only with a driver', () => {
  const { write, run } = start();
  write({ 'a.sql': 'SELECT 1;\n', 'main.go': 'package main\n', 'vendor/modules.txt': '', 'vendor/x.go': '' });
  const told = (what: string) =>
    expect.stringMatching(new RegExp(`^nothing found in \\d+ files? in [\\d.]+ s${what}\n$`));
  expect(run([])).toMatchObject({ code: 0, out: told('; programs in Go are not read \\(1 file\\)') });
  // PHP is searched for settings, and is no less unread; what git ignores is nobody's.
  write({
    'a.php': '',
    'b.php': '',
    '.gitignore': 'out/\n',
    'out/gen.rs': '',
    'app/page.ts': '',
    'app/a.ts': '',
  });
  expect(run([]).out).toEqual(told('; programs in PHP and Go are not read \\(3 files\\)'));
  expect(JSON.parse(run(['-f', 'json']).out).unread).toEqual([
    { language: 'PHP', files: 2 },
    { language: 'Go', files: 1 },
  ]);
  write({ 'package.json': '{\n  "dependencies": {\n    "pg": "^8.0.0"\n  }\n}\n' });
  const all = told('; programs in PHP, TypeScript and Go are not read \\(5 files\\)');
  expect(run([]).out).toEqual(all);
  expect(run([]).out).toEqual(all);
  run(['facts', '.', '-o', 'parts.facts']);
  expect(run(['check', '--facts', 'parts.facts']).out).toContain(
    'PHP, TypeScript and Go are not read (5 files)',
  );
  write(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`app/m${i}.py`, 'x = 1\n'])));
  expect(run([]).out).toEqual(told(''));
});

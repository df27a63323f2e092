// Where Node keeps compiled code for us: in the user's own folder, and never where a repository may have put code of its own.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'subxact-code-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folder that Node is told, where no code was kept by the build; the program itself does nothing. */
function told(cwd: string, cache: string): string {
  const program = join(folder, 'program');
  mkdirSync(join(program, 'dist'), { recursive: true });
  mkdirSync(cwd, { recursive: true });
  cpSync('bin', join(program, 'bin'), { recursive: true });
  writeFileSync(join(program, 'dist/cli.js'), '');
  const preload = join(folder, 'preload.cjs');
  writeFileSync(preload, "require('node:module').enableCompileCache = (path) => console.log(path);");
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const args = ['--require', preload, join(program, 'bin/subxact.js')];
  return spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' }).stdout.trim();
}

test("the user's own folder is used", () => {
  const cache = join(folder, 'home/.cache');
  expect(told(join(folder, 'work'), cache)).toBe(join(cache, 'subxact/code'));
});

test('one in the tree that is read, or in any repository, is not', () => {
  const tree = join(folder, 'tree');
  expect(told(tree, join(tree, '.cache'))).toBe('');
  const repository = join(folder, 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
  expect(told(join(repository, 'sub'), join(repository, '.cache'))).toBe('');
});

// What the consumers' tests stand on: the package as users install it, repositories to use it in, and the programs.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

export const ROOT = resolve('.');
export const TOOLS = resolve('build/consumers');
/** As `npm install` put it there from the packed tarball. */
export const SUBXACT = join(TOOLS, 'project/node_modules/subxact/bin/subxact.js');

export const fromPython = (name: string) => join(TOOLS, 'python/bin', name);
export const fromGo = (name: string) => join(TOOLS, 'go', name);
export const fromNpm = (path: string) => join(TOOLS, 'npm/node_modules', path);

export { LOOP } from '../world.ts';

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface World {
  folder: string;
  write(files: Record<string, string>): void;
  git(...args: string[]): string;
  run(command: string, args: string[], options?: { env?: NodeJS.ProcessEnv; input?: string }): Ran;
  subxact(...args: string[]): Ran;
}

/** A new repository with these files committed, gone when the test is over. */
export function repository(files: Record<string, string>, from?: string): World {
  const folder = mkdtempSync(join(tmpdir(), 'subxact-world-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const home = mkdtempSync(join(tmpdir(), 'subxact-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const settings = {
    XDG_CACHE_HOME: join(home, 'cache'),
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
  };
  writeFileSync(
    settings.GIT_CONFIG_GLOBAL,
    '[user]\n name = a\n email = a@example.org\n[init]\n defaultBranch = main\n[safe]\n directory = *\n[protocol "file"]\n allow = always\n',
  );
  const world: World = {
    folder,
    write(more) {
      for (const [path, text] of Object.entries(more)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
    git: (...args) =>
      execFileSync('git', args, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ...settings },
        stdio: 'pipe',
      }),
    run(command, args, { env, input } = {}) {
      const { status, stdout, stderr, error } = spawnSync(command, args, {
        cwd: folder,
        encoding: 'utf8',
        input: input ?? '',
        env: { ...process.env, ...settings, ...env },
        maxBuffer: 1 << 28,
        timeout: 300_000, // only so that nothing hangs: a busy machine takes minutes
      });
      if (error) throw error;
      return { code: status, out: stdout, err: stderr };
    },
    subxact: (...args) => world.run('node', [SUBXACT, ...args]),
  };
  if (from) cpSync(from, folder, { recursive: true });
  world.write(files);
  world.git('init', '-q');
  world.git('add', '.');
  world.git('commit', '-q', '--allow-empty', '-m', 'one');
  return world;
}

/** The README's snippet whose first line says this. */
export function snippet(first: string): string {
  const blocks = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^```\w*\n([\s\S]*?)^```$/gm);
  const found = [...blocks].map(([, text]) => text!).find((text) => text.split('\n')[0]!.includes(first));
  if (!found) throw new Error(`the README has no snippet ${first}`);
  return found;
}

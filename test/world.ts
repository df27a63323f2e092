// A folder with a repository and the built program, for tests of the command line; each test has its own.
import { execFileSync, type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** Built once by each test file that uses it, in a folder of its own: files run at the same time. */
export function buildCli(name: string): string {
  execFileSync('node', ['scripts/build.mjs', `build/${name}`], { stdio: 'pipe' });
  return resolve(`build/${name}/cli.js`);
}

export const LOOP = `CREATE FUNCTION put_all() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR r IN SELECT * FROM source LOOP
    BEGIN
      INSERT INTO target VALUES (r.id);
    EXCEPTION WHEN check_violation THEN
      NULL;
    END;
  END LOOP;
END $$;
`;

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'subxact-world-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function world(cli: () => string, folder = newFolder()) {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '', XDG_CACHE_HOME: join(folder, '.git/cache') };
  const made = {
    folder,
    env,
    write(files: Record<string, string | Uint8Array>) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
    },
    git: (...args: string[]) =>
      execFileSync(
        'git',
        ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always', ...args],
        { cwd: folder, stdio: 'pipe', encoding: 'utf8' },
      ),
    run(args: string[], options: SpawnSyncOptions = {}) {
      const ran = spawnSync('node', [cli(), ...args], { cwd: folder, env, ...options, encoding: 'utf8' });
      return { code: ran.status, out: ran.stdout, err: ran.stderr };
    },
    /** `file:line:column [rule]`, one for each finding. */
    found: (...args: string[]) =>
      made
        .run([...args, '-f', 'gcc'])
        .out.trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => line.replace(/: .*\[/, ' [')),
  };
  return made;
}

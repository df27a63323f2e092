// What a terminal sees, and what Ctrl-C leaves behind: progress, colours, whole files.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildCli, LOOP, world } from '../world.ts';

let cli = '';
beforeAll(() => {
  cli = buildCli('test-terminal');
}, 120_000);

/** 250 files of so many functions each. */
function large(functions: number) {
  const made = world(() => cli);
  made.git('init', '-q', '-b', 'main');
  const body = Array.from({ length: functions }, (_, i) => LOOP.replace('put_all', `put_${i}`)).join('\n');
  made.write(
    Object.fromEntries(
      Array.from({ length: 250 }, (_, i) => [`db/${i}.sql`, body.replaceAll('put_', `put_${i}_`)]),
    ),
  );
  return made;
}
/** A terminal of its own, by util-linux. */
const onTerminal = (folder: string, env: NodeJS.ProcessEnv, args: string[]) =>
  spawnSync('script', ['-qec', ['node', cli, ...args].map((one) => `'${one}'`).join(' '), '/dev/null'], {
    cwd: folder,
    env: { ...env, TERM: 'xterm' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });

test('a long run shows how far it is on a terminal, takes that away again, and shows nothing in a pipe', () => {
  const { folder, env, run } = large(80);
  const { stdout } = onTerminal(folder, env, ['--no-cache', '--threads', '1', '-f', 'json=/dev/null']);
  const shown = [...stdout.matchAll(/\r\u001b\[Kparsing (\d+) of 250 files, (\d+) a second/g)].map(
    ([, done]) => Number(done),
  );
  expect(shown.length).toBeGreaterThan(0);
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  expect(stdout.endsWith('\r\u001b[K')).toBe(true);
  expect(run(['--no-cache', '-f', 'json=/dev/null']).err).toBe('');
}, 120_000);

test('colours and links on a terminal; NO_COLOR, FORCE_COLOR and TERM=dumb decide', () => {
  const made = world(() => cli);
  made.write({ 'a.sql': LOOP });
  const colour = (env: NodeJS.ProcessEnv) =>
    onTerminal(
      made.folder,
      { ...made.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
      [],
    ).stdout.includes('\u001b[');
  expect(colour({})).toBe(true);
  expect(colour({ NO_COLOR: '1' })).toBe(false);
  expect(colour({ NO_COLOR: '' })).toBe(true);
  expect(colour({ FORCE_COLOR: '0' })).toBe(false);
  const piped = (env: NodeJS.ProcessEnv) =>
    made.run([], { env: { ...made.env, NO_COLOR: undefined, ...env } }).out.includes('\u001b[');
  expect([piped({}), piped({ FORCE_COLOR: '1' })]).toEqual([false, true]);
});

test('Ctrl-C at any moment ends it, and what is there is whole', async () => {
  const { folder, env, run } = large(4);
  const outputs = ['report.json', 'report.sarif', 'report.html'];
  const asked = ['-f', 'json=report.json', '-f', 'sarif=report.sarif', '-f', 'html=report.html'];
  const begun = Date.now();
  run(['--threads', '1', ...asked]);
  const whole = Date.now() - begun;
  for (let i = 0; i < 6; i++) {
    spawnSync('rm', ['-rf', ...outputs, '.git/cache'], { cwd: folder });
    const child = spawn('node', [cli, '--threads', '1', ...asked], { cwd: folder, env, stdio: 'ignore' });
    const ended = new Promise<{ code: number | null; signal: string | null; after: number }>((resolve) => {
      const timer = setTimeout(
        () => {
          const sent = Date.now();
          child.on('close', (code, signal) => resolve({ code, signal, after: Date.now() - sent }));
          child.kill(i % 2 === 0 ? 'SIGINT' : 'SIGTERM');
        },
        (whole * (i + 1)) / 7,
      );
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        resolve({ code, signal, after: 0 });
      });
    });
    const { code, signal, after } = await ended;
    expect([0, 1, 130, 143, null]).toContain(code);
    if (code === null) expect(signal).toMatch(/SIGINT|SIGTERM/);
    expect(after).toBeLessThan(5000);
    const left = readdirSync(folder).filter((name) => !/^(db|\.git)$/.test(name));
    expect(left.filter((name) => !outputs.includes(name))).toEqual([]);
    for (const name of left) {
      const text = readFileSync(join(folder, name), 'utf8');
      if (name.endsWith('.html')) expect(text.trimEnd().endsWith('</html>')).toBe(true);
      else expect(() => JSON.parse(text)).not.toThrow();
    }
  }
  // What the cache holds after all that serves the next run.
  const places = (args: string[]) => run([...args, '-f', 'gcc']).out;
  expect(places([])).toBe(places(['--no-cache']));
}, 120_000);

test('an output may be a pipe or a device', () => {
  const made = world(() => cli);
  made.write({ 'a.sql': LOOP });
  const { stdout } = spawnSync(
    'bash',
    ['-c', `mkfifo p; cat p & node ${cli} -f gcc=p -f json=/dev/null; wait`],
    {
      cwd: made.folder,
      env: made.env,
      encoding: 'utf8',
    },
  );
  expect(stdout).toContain('a.sql:6:5: error:');
});

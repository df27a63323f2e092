// Hard places: pipes, devices, links, huge files and odd names in the tree; full disks, closed pipes, missing folders and other runs beside.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildCli, LOOP, world } from './world.ts';

let cli = '';
beforeAll(() => {
  cli = buildCli('test-places');
}, 600_000);
const start = () => {
  const made = world(() => cli);
  made.git('init', '-q');
  made.write({ 'a.sql': LOOP });
  return made;
};
const FOUND = 'a.sql:6:5 [subtransaction-in-loop]';
const sh = (made: ReturnType<typeof start>, line: string) => {
  const { stdout, stderr, status } = spawnSync('bash', ['-c', line.replaceAll('subxact', `node ${cli}`)], {
    cwd: made.folder,
    env: made.env,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
};

describe('in the tree', () => {
  test('pipes, devices, links in circles and to nowhere are passed by, and named ones are told', () => {
    const made = start();
    sh(made, 'mkfifo pipe.sql');
    for (const [name, to] of [['zero.sql', '/dev/zero'], ['self', '.'], ['gone.sql', 'nowhere'], ['x.sql', 'y.sql'], ['y.sql', 'x.sql']])
      symlinkSync(to!, join(made.folder, name!)); // biome-ignore format: a list
    expect(made.found()).toEqual([FOUND]);
    const { code, out } = made.run(['pipe.sql', 'zero.sql'], { timeout: 20_000 });
    expect(code).toBe(0);
    expect(out).toContain('file: pipe.sql: not read: it is no regular file');
    expect(out).toContain('file: zero.sql: not read: it is no regular file');
    for (const name of ['gone.sql', 'x.sql'])
      expect(made.run([name])).toMatchObject({
        code: 2,
        err: `subxact: no such file or directory: ${name}\n`,
      });
    expect(made.run(['explain', 'pipe.sql:1']).err).toContain('pipe.sql is no file: name a file and a line');
  });
  test('a cache where no folder can be made is none', () => {
    const made = start();
    // Under /proc to make a folder says that the one above is not there, which Node's own way asks for ever.
    for (const folder of ['/proc', '/proc/x/y'])
      expect(made.run(['-f', 'gcc', '--cache-dir', folder], { timeout: 20_000 }).code).toBe(1);
    expect(made.run(['-o', '/proc/x/y.json'], { timeout: 20_000 })).toMatchObject({
      code: 2,
      err: expect.stringContaining('could not be written'),
    });
  });
  test('a file of a gigabyte costs one line', () => {
    const made = start();
    for (const name of ['big.sql', 'big.py', 'big.yml']) {
      made.write({ [name]: '' });
      truncateSync(join(made.folder, name), 1 << 30);
    }
    const { code, out } = made.run([], { timeout: 20_000 });
    expect(code).toBe(1);
    for (const name of ['big.sql', 'big.py', 'big.yml'])
      expect(out).toContain(`file: ${name}: not read: it has 1074 MB`);
  });
  test('names with line ends and control characters stay on their line in every format', () => {
    const made = start();
    made.write({
      'new\nline.sql': LOOP.replace('put_all', 'put_n'),
      '\u001b]0;x\u0007.sql': LOOP.replace('put_all', 'put_c'),
    });
    expect(made.found().length).toBe(3);
    for (const format of ['text', 'gcc', 'github', 'checkstyle', 'junit', 'markdown', 'html', 'sarif', 'json', 'rdjson', 'gitlab'])
      expect(made.run(['-f', format]).out).not.toMatch(/[\u0007\u001b]|new\nline/); // biome-ignore format: a list
  });
  test('an ignore file that is a bomb takes no time', () => {
    const made = start();
    const stars = `${'*a'.repeat(30)}b\n${'**/'.repeat(40)}x\n${'[a-z]*'.repeat(20)}!\n`;
    const long = 'a*'.repeat(10_000);
    made.write({
      '.gitignore': `${stars.repeat(200)}${long}\n\\\n[\n[!]\n!\n/\n//\n**\\\n`,
      [`${'a'.repeat(200)}.sql`]: 'SELECT 1;',
    });
    const { code, out } = made.run(['-f', 'gcc'], { timeout: 20_000 });
    expect([code, out.includes('a.sql:6:5')]).toEqual([1, true]);
  }, 30_000);
  test('a folder in a folder, a thousand deep', () => {
    const made = start();
    made.write({ [`${'d/'.repeat(1000)}b.sql`]: LOOP.replace('put_all', 'put_deep') });
    expect(made.found().length).toBe(2);
  });
});

describe('on the way out', () => {
  test('a full disk is told, with 2 and not with 1, and leaves nothing', () => {
    const made = start();
    for (const command of ['subxact', 'subxact -f json', 'subxact --help', 'subxact rules', 'subxact explain a.sql:6']) {
      const { code, err } = sh(made, `${command} > /dev/full`);
      expect([command, code]).toEqual([command, 2]);
      expect(err).toMatch(/^subxact: standard output could not be written: ENOSPC.*\n$/);
    }
    expect(sh(made, 'subxact -f sarif=/dev/full')).toMatchObject({ code: 2, err: expect.stringContaining('/dev/full could not be written') });
    expect(sh(made, 'subxact --stats 2> /dev/full > /dev/null').code).toBe(1);
    expect(sh(made, 'subxact nope 2> /dev/full').code).toBe(2);
  }); // biome-ignore format: one line each
  test('a closed pipe is quiet, whatever is written to it', () => {
    const made = start();
    for (const command of ['subxact', 'subxact rules', 'subxact explain subtransaction', 'subxact facts', 'subxact --stats 2>&1'])
      expect(sh(made, `${command} | true`).err).toBe(''); // biome-ignore format: a list
    expect(sh(made, 'subxact >&-').err).toBe('');
  });
  test('folders that are missing are made; what is in the way is told', () => {
    const made = start();
    expect(made.run(['-f', 'sarif=no/such/x.sarif']).code).toBe(1);
    expect(JSON.parse(readFileSync(join(made.folder, 'no/such/x.sarif'), 'utf8')).version).toBe('2.1.0');
    for (const [asked, says] of [['a.sql/x', 'a.sql/x could not be written'], ['no', 'no could not be written'], ['', 'which file is sarif for? Write --format sarif=FILE']])
      expect(made.run(['-f', `sarif=${asked}`])).toMatchObject({ code: 2, err: expect.stringContaining(says!) }); // biome-ignore format: a list
    expect(readdirSync(join(made.folder, 'no'))).toEqual(['such']);
  });
  test('a cache that cannot be kept costs time only', () => {
    const made = start();
    mkdirSync(join(made.folder, 'sealed'), { mode: 0o555 });
    for (const XDG_CACHE_HOME of [join(made.folder, 'a.sql/x'), '/dev/null', '/dev/full', join(made.folder, 'sealed')])
      expect(made.run(['-f', 'gcc'], { env: { ...made.env, XDG_CACHE_HOME } })).toMatchObject({ code: 1, err: '' }); // biome-ignore format: a list
  });
});

test('many runs at once on one cache say the same', async () => {
  const made = start();
  const files = Array.from({ length: 60 }, (_, i) => [`${i}.sql`, LOOP.replace('put_all', `put_${i}`)]);
  made.write(Object.fromEntries(files));
  const one = () =>
    new Promise<string>((done) => {
      const child = spawn('node', [cli, '-f', 'gcc'], { cwd: made.folder, env: made.env });
      let out = '';
      child.stdout.on('data', (text) => {
        out += text;
      });
      child.stderr.on('data', (text) => {
        out += `stderr ${text}`;
      });
      child.on('close', () => done(out));
    });
  const said = await Promise.all(Array.from({ length: 12 }, one));
  expect(new Set(said).size).toBe(1);
  expect(said[0]!.trim().split('\n').length).toBe(61);
  const cache = join(made.folder, '.git/cache/subxact');
  const [kept] = readdirSync(cache).filter((name) => name !== 'code');
  expect(existsSync(join(cache, kept!, 'index'))).toBe(true);
  expect(readdirSync(join(cache, kept!)).filter((name) => name.split('.').length > 1)).toEqual([]);
}, 60_000);

test('a baseline of a part leaves the rest as it is', () => {
  const made = start();
  made.write({ 'db/b.sql': LOOP.replace('put_all', 'put_b') });
  made.run(['baseline']);
  const held = (...args: string[]) => made.run(['baseline', ...args]).out;
  expect(held('db')).toContain('holds 2 findings');
  made.write({ 'a.sql': 'SELECT 1;', 'db/b.sql': 'SELECT 1;' });
  expect(held('--prune', 'db')).toContain('holds 1 finding');
  expect(held('db')).toContain('holds 1 finding');
  expect(held('--prune')).toContain('holds 0 findings');
});

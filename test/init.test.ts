// What `subxact init` writes of a repository: read again as a configuration, with nothing in it that it cannot know.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseJsonc } from '../src/project/config/jsonc.ts';
import { plainValue } from '../src/project/config/tree.ts';
import { against } from './schema.ts';
import { buildCli, LOOP, world } from './world.ts';

let cli = '';
beforeAll(() => {
  cli = buildCli('test-init');
}, 600_000);
const start = () => {
  const made = world(() => cli);
  made.git('init', '-q');
  return made;
};

test('guesses stand in comments, and the same is found as without it', () => {
  const { write, run, folder, found } = start();
  write({
    'docker-compose.yml': 'services:\n  db:\n    image: postgres:15\n',
    'scripts/fill.sql': LOOP,
    'db/migrations/1.sql': 'SELECT 1;',
    'src/app/scripts/engine.py': 'x = 1\n',
  });
  const before = found();
  expect(run(['init'], { cwd: join(folder, 'db') }).out).toBe(
    '../subxact.jsonc is written; next: subxact check, or subxact baseline to begin with what is new\n',
  );
  const text = readFileSync(join(folder, 'subxact.jsonc'), 'utf8');
  for (const part of ['It finds 1 error.', 'Without it 15 is taken, as docker-compose.yml says', '["/scripts/"]', '["target"]'])
    expect(text).toContain(part); // biome-ignore format: a list
  const config = plainValue(parseJsonc(text));
  expect(config).toMatchObject({
    rules: {},
    exclude: [],
    oneOff: [],
    assumeInTransaction: [],
    hotTables: [],
  });
  expect(against(JSON.parse(readFileSync('subxact.schema.json', 'utf8')), config)).toEqual([]);
  expect(found()).toEqual(before);
});

test('an empty repository gets one as well', () => {
  const { run, folder } = start();
  expect(run(['init'])).toMatchObject({ code: 0, out: 'subxact.jsonc is written; next: subxact check\n' });
  expect(readFileSync(join(folder, 'subxact.jsonc'), 'utf8')).toContain('no files that subxact reads');
});

test('a configuration that is there is left alone, wherever it stands', () => {
  for (const [file, text] of [
    ['subxact.json', '{}'],
    ['package.json', '{ "subxact": {} }'],
    ['pyproject.toml', '[tool.subxact]\n'],
  ]) {
    const { write, run } = start();
    write({ [file!]: text! });
    expect(run(['init'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${file} has a configuration already`),
    });
  }
});

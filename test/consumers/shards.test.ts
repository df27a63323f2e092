// The README's shards: each part a process of its own, as a CI's matrix runs them, and findings that are the same bytes.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, repository, SUBXACT, snippet, TOOLS, type World } from './world.ts';

/** A monorepo: the code of several projects, whose SQL stands elsewhere. */
function monorepo(): World {
  const world = repository(
    { 'subxact.json': '{ "hotTables": ["shop_order"] }' },
    join(ROOT, 'fixtures/projects'),
  );
  world.run('bash', [
    '-c',
    'mkdir -p db services && cp -r shop/shop/sql db/ && rm -r shop/shop/sql && mkdir -p services/orders services/billing && mv shop services/orders/',
  ]);
  world.git('add', '-A');
  world.git('commit', '-qm', 'moved');
  return world;
}
const report = (world: World, format: string, ...args: string[]) =>
  world.subxact('check', '-f', format, '--no-cache', ...args).out;
/** How long it took stands in some formats. */
const timeless = (text: string) => text.replace(/ in [\d.]+ s\b/g, '').replace(/time="[\d.]+"/g, '');

test('the snippet of the README, as written, and the whole at once say the same', () => {
  const world = monorepo();
  const script = snippet('npx subxact facts').replaceAll('npx subxact', `node '${SUBXACT}'`);
  const whole = report(world, 'text', 'db', 'services');
  const parts = world.run('bash', ['-e', '-c', script]);
  expect(parts.err).toBe('');
  expect(timeless(parts.out)).toBe(timeless(whole));
  expect(whole).toContain('subtransaction-in-loop');
});

test('any parts, in any order, in places of their own, give the same bytes in every format', () => {
  const world = monorepo();
  const folders = world
    .run('ls', [])
    .out.trim()
    .split('\n')
    .filter((name) => !name.endsWith('.json'));
  mkdirSync(join(world.folder, '../parts'), { recursive: true });
  const facts = folders.map((folder) => join(TOOLS, 'parts', `${folder}.facts`));
  for (const [i, folder] of folders.entries())
    expect(world.subxact('facts', folder, '-o', facts[i]!).code).toBe(0);
  const all = (order: string[]) => order.flatMap((file) => ['--facts', file]);
  for (const format of ['json', 'sarif', 'gcc', 'gitlab', 'rdjson', 'checkstyle', 'markdown']) {
    // All parts are the whole: where code scanning keeps the one it keeps the other.
    const whole = report(world, format);
    expect(report(world, format, ...all(facts)), format).toBe(whole);
    expect(report(world, format, ...all([...facts].reverse())), format).toBe(whole);
  }
  expect(JSON.parse(report(world, 'json', ...all(facts))).findings.length).toBeGreaterThan(3);
  expect(readFileSync(facts[0]!, 'utf8')).not.toContain(world.folder);
});

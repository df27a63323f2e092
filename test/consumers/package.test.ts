// The packed package in an empty project: on each Node that it names, without a network, in a folder with odd names.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromNpm, LOOP, ROOT, repository, SUBXACT, TOOLS } from './world.ts';

const PACKAGE = join(TOOLS, 'project/node_modules/subxact');

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

describe('what is packed', () => {
  test('is small, and holds what runs and nothing else', () => {
    const tarball = readdirSync(join(TOOLS, 'project')).find((name) => name.endsWith('.tgz'))!;
    expect(statSync(join(TOOLS, 'project', tarball)).size).toBeLessThan(900_000);
    const strange = files(PACKAGE).filter(
      (name) =>
        !/^(bin\/subxact\.js|dist\/[\w-]+\.js|dist\/package\.json|bin\/package\.json|dist\/THIRD-PARTY-LICENCES\.txt|rules\/[\w-]+\/rule\.md|(report|subxact)\.schema\.json|package\.json|README\.md|LICENSE)$/.test(
          name,
        ),
    );
    expect(strange).toEqual([]);
  });
  test('needs no other package, no compiler and no script when it is installed', () => {
    const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
    expect(manifest.dependencies ?? {}).toEqual({});
    for (const script of ['preinstall', 'install', 'postinstall'])
      expect(manifest.scripts[script]).toBeUndefined();
    expect(readdirSync(join(TOOLS, 'project/node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'subxact',
    ]);
  });
  test('has no name that Windows or macOS would refuse or mix up, and starts as Windows needs it', () => {
    const names = files(PACKAGE);
    expect(names.filter((name) => /[<>:"|?*\\]|[. ]$|(^|\/)(con|nul|aux|prn)(\.|$)/i.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    // npm writes its wrapper for Windows after this line; a carriage return in it would break it elsewhere.
    expect(readFileSync(join(PACKAGE, 'bin/subxact.js'), 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
  });
  test('no path of the machine that built it is inside', () => {
    const told = files(PACKAGE).filter(
      (name) =>
        /\.(js|json|md)$/.test(name) && readFileSync(join(PACKAGE, name), 'utf8').includes(`${ROOT}/`),
    );
    expect(told).toEqual([]);
  });
});

describe.each(['node20', 'node22', 'node24'])('on %s', (name) => {
  const node = fromNpm(`${name}/bin/node`);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

  test('it finds, in all languages, with threads and without', () => {
    const world = repository({}, join(ROOT, 'fixtures/projects'));
    const run = (...args: string[]) => world.run(node, [SUBXACT, 'inventory', '-f', 'gcc', ...args]);
    const one = run('--threads', '1', '--no-cache');
    expect(one.err).toBe('');
    expect(one.out).not.toBe('');
    expect(run('--threads', '3', '--no-cache').out).toBe(one.out);
    console.log(`${version}: ${one.out.trim().split('\n').length} places`);
    expect(one.out).toBe(world.run('node', [SUBXACT, 'inventory', '-f', 'gcc', '--no-cache']).out);
    // The cache gives what parsing gave.
    expect([run().out, run().out]).toEqual([one.out, one.out]);
  });

  test('names with blanks, quotes and letters of all kinds, links, and a working directory below', () => {
    const world = repository({ "a b/it's/übung/日本語.sql": LOOP, 'c/d.sql': 'SELECT 1;\n' });
    const { out, code } = world.run(node, [SUBXACT, '-f', 'gcc']);
    expect(code).toBe(1);
    expect(out).toMatch(/^a b\/it's\/übung\/日本語\.sql:6:5: error/);
    const shell = world.run('bash', ['-c', `cd c && '${node}' '${SUBXACT}' check -f json ..`]);
    expect(JSON.parse(shell.out).findings[0].file).toBe("a b/it's/übung/日本語.sql");
  });
});

test('npx and the command in node_modules/.bin find it', () => {
  const world = repository({ 'a.sql': LOOP });
  const bin = join(TOOLS, 'project/node_modules/.bin/subxact');
  expect(world.run(bin, ['-f', 'gcc']).out).toMatch(/^a\.sql:6:5/);
  const npx = world.run('npx', ['--prefix', join(TOOLS, 'project'), '--no-install', 'subxact', '--version']);
  expect(npx.out).toMatch(/^subxact \d/);
});

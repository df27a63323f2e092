// What npm needs to install us everywhere; not how anything behaves.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { rules } from '../rules/index.ts';

interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>;
}

test('the lock names the packages of every platform: npm ci refuses one that does not', () => {
  // An install through a registry that lacks some of them takes them out of the file, unasked.
  const committed = existsSync('.git')
    ? execFileSync('git', ['show', 'HEAD:package-lock.json'], { encoding: 'utf8' })
    : readFileSync('package-lock.json', 'utf8');
  const { packages }: Lock = JSON.parse(committed);
  const missing = Object.entries(packages).flatMap(([path, one]) =>
    Object.keys(one.optionalDependencies ?? {}).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing.join('\n'), 'bring package-lock.json back: git checkout main -- package-lock.json').toBe('');
});

test('the lock names no host', () => {
  const { packages }: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  expect(Object.values(packages).filter(({ resolved }) => resolved).length).toBe(0);
});

test('the schema, and the tables of rules, say what the program says', () => {
  expect(() => execFileSync('node', ['scripts/docs.mjs', '--check'], { stdio: 'pipe' })).not.toThrow();
  const schema = JSON.parse(readFileSync('subxact.schema.json', 'utf8'));
  expect(Object.keys(schema.properties.rules.properties)).toEqual(rules.map(({ id }) => id));
});

test('a bundle that is asked for with each file is run once', () => {
  const { bring } = createRequire(import.meta.url)('../bin/subxact.js');
  expect(bring(resolve('dist/java.js'))).toBe(bring(resolve('dist/java.js')));
});

// Hooks that run before a commit: pre-commit, prek, lefthook, husky and lint-staged, each blocking a bad commit for real.
import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fromNpm,
  fromPython,
  LOOP,
  type Ran,
  ROOT,
  repository,
  snippet,
  TOOLS,
  type World,
} from './world.ts';

const GOOD = 'CREATE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;\n';
const revision = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const env = {
  // Kept between runs: what pre-commit and prek install of a revision.
  PRE_COMMIT_HOME: join(TOOLS, 'pre-commit'),
  PREK_HOME: join(TOOLS, 'prek'),
  // No colours, no questions.
  PRE_COMMIT_COLOR: 'never',
};

/** The README's, but from this checkout. */
const CONFIG = snippet('# .pre-commit-config.yaml')
  .replace(/repo: .*/, `repo: ${ROOT}`)
  .replace(/rev: .*/, `rev: ${revision}`);

function commit(world: World, files: Record<string, string>): Ran {
  world.write(files);
  world.git('add', '.');
  return world.run('git', ['commit', '-m', 'two'], { env });
}

/** Blocked with words that say what, where and why; what is good passes. */
function blocks(world: World): void {
  const bad = commit(world, { 'db/bad.sql': LOOP });
  expect(bad.code).not.toBe(0);
  expect(bad.out + bad.err).toContain('error subtransaction-in-loop db/bad.sql:6:5');
  expect(bad.out + bad.err).toContain('how it is reached');
  expect(world.git('log', '--oneline').trim().split('\n').length).toBe(1);
  world.git('rm', '-q', '-f', 'db/bad.sql');
  const good = commit(world, { 'db/good.sql': GOOD });
  expect(good.out + good.err).not.toContain('error subtransaction');
  expect(good.code).toBe(0);
  expect(world.git('log', '--oneline').trim().split('\n').length).toBe(2);
}

describe('pre-commit', () => {
  let world: World;
  // The first time it clones this checkout, installs what it builds with, and builds.
  const start = (files: Record<string, string>, program = 'pre-commit') => {
    const made = repository({ '.pre-commit-config.yaml': CONFIG, ...files });
    expect(made.run(fromPython(program), ['install', '--install-hooks'], { env }).code).toBe(0);
    return made;
  };
  test('blocks a bad commit and lets a good one pass', () => {
    world = start({ 'db/old.sql': LOOP.replace('put_all', 'put_old') });
    blocks(world);
  });

  test('a commit of files that it does not read is not delayed', () => {
    world = start({});
    const { code, out, err } = commit(world, { 'logo.png': 'x' });
    expect(out + err).toContain('(no files to check)');
    expect(code).toBe(0);
  });

  test.each(['pre-commit', 'prek'])(
    '%s: in 4,000 files a commit after the first reads what changed',
    (program) => {
      world = start(manyFiles(4000), program);
      const takes = (text: string, more: NodeJS.ProcessEnv = {}) => {
        world.write({ 'new.sql': text });
        world.git('add', '.');
        // Processor time, since the machine may be busy with other things.
        const { code, err } = world.run('bash', ['-c', 'TIMEFORMAT="%U %S"; time git commit -m more'], {
          env: { ...env, ...more },
        });
        expect(err).toContain('Passed');
        expect(code).toBe(0);
        const [user, system] = err.trim().split('\n').at(-1)!.split(' ').map(Number);
        return user! + system!;
      };
      takes(GOOD);
      const later = takes(GOOD.replace('SELECT 1', 'SELECT 2'));
      const anew = takes(GOOD.replace('SELECT 1', 'SELECT 3'), {
        XDG_CACHE_HOME: join(world.folder, '.git/nothing-yet'),
      });
      console.log(
        `a hook of ${program} in 4,000 files: ${later.toFixed(2)} s of processor time, ${anew.toFixed(2)} where nothing is known`,
      );
      // Beside each other, since a slow machine makes both slow.
      expect(later).toBeLessThan(anew * 0.7);
    },
  );
});

/** A repository of four languages, in which most files could matter. */
function manyFiles(count: number): Record<string, string> {
  const kinds: ((i: number) => [string, string])[] = [
    (i) => [
      `sql`,
      `CREATE TABLE t${i} (id int);\nCREATE FUNCTION f${i}() RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n  INSERT INTO t${i} VALUES (1);\nEND $$;\n`,
    ],
    (i) => [
      `py`,
      `from django.db import models, transaction\n\n\nclass M${i}(models.Model):\n    name = models.TextField()\n\n\ndef save_${i}(rows):\n    with transaction.atomic():\n        for row in rows:\n            M${i}.objects.create(name=row)\n`,
    ],
    (i) => [`rb`, `class R${i} < ApplicationRecord\n  def go\n    transaction { save! }\n  end\nend\n`],
    (i) => [`java`, `package m;\n\nclass F${i} {\n  int two() {\n    return 2;\n  }\n}\n`],
  ];
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const [ending, text] = kinds[i % kinds.length]!(i);
      return [`app/part${i % 40}/f${i}.${ending}`, text];
    }),
  );
}

test('prek blocks a bad commit and lets a good one pass', () => {
  const world = repository({ '.pre-commit-config.yaml': CONFIG });
  expect(world.run(fromPython('prek'), ['install', '--install-hooks'], { env }).code).toBe(0);
  blocks(world);
});

describe('hooks of Node projects', () => {
  /** As `npm install --save-dev subxact` leaves it. */
  const project = (files: Record<string, string>) => {
    const world = repository({
      '.gitignore': 'node_modules\n',
      'package.json': '{ "private": true }\n',
      ...files,
    });
    symlinkSync(join(TOOLS, 'project/node_modules'), join(world.folder, 'node_modules'));
    return world;
  };

  test('lefthook', () => {
    const world = project({ 'lefthook.yml': snippet('# lefthook.yml') });
    const lefthook = fromNpm(`lefthook-${process.platform}-${process.arch}/bin/lefthook`);
    expect(world.run(lefthook, ['install']).code).toBe(0);
    blocks(world);
  });

  test('husky', () => {
    const world = project({ '.husky/pre-commit': snippet('# .husky/pre-commit') });
    chmodSync(join(world.folder, '.husky/pre-commit'), 0o755);
    expect(world.run('node', [fromNpm('husky/bin.js')]).code).toBe(0);
    blocks(world);
  });

  test('husky with lint-staged, which would pass files', () => {
    const world = project({
      'lint-staged.config.mjs': snippet('// lint-staged.config.mjs'),
      '.husky/pre-commit': `node '${fromNpm('lint-staged/bin/lint-staged.js')}'\n`,
    });
    chmodSync(join(world.folder, '.husky/pre-commit'), 0o755);
    expect(world.run('node', [fromNpm('husky/bin.js')]).code).toBe(0);
    blocks(world);
  });
});

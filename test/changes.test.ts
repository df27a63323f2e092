// --since, --staged and --changed in repositories as they are: renames, no commit yet, no branch, a part of the history.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildCli, LOOP, newFolder, world } from './world.ts';

let cli = '';
beforeAll(() => {
  cli = buildCli('test-changes');
}, 300_000);
const start = () => {
  const made = world(() => cli);
  made.git('init', '-q', '-b', 'main');
  return made;
};
const loop = (name: string) => LOOP.replace('put_all', name);
const RULE = '[subtransaction-in-loop]';

test('before the first commit all is new', () => {
  const { write, git, found, run } = start();
  write({ 'a.sql': loop('put_a') });
  expect(found('--staged')).toEqual([]);
  expect(found('--changed')).toEqual([`a.sql:6:5 ${RULE}`]);
  git('add', '.');
  expect(found('--staged')).toEqual([`a.sql:6:5 ${RULE}`]);
  expect(run(['--since', 'main'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no revision main here'),
  });
});

describe('with a history', () => {
  const committed = () => {
    const made = start();
    made.write({ 'a.sql': loop('put_a') });
    made.git('add', '.');
    made.git('commit', '-qm', 'one');
    made.write({ 'b.sql': loop('put_b') });
    made.git('add', '.');
    made.git('commit', '-qm', 'two');
    return made;
  };

  test('a file that only moved is not new; what is changed in a moved one is', () => {
    const { git, write, found, run } = committed();
    git('mv', 'a.sql', 'moved.sql');
    expect(found('--staged')).toEqual([]);
    expect(found('--changed')).toEqual([]);
    write({ 'moved.sql': loop('put_a').replace('check_violation', 'division_by_zero') });
    expect(found('--changed')).toEqual([`moved.sql:6:5 ${RULE}`]);
    expect(run(['--staged']).code).toBe(0);
  });

  test('what is staged is read, and not what stands in the file by now', () => {
    const { git, write, found, run, folder } = committed();
    write({ 'c.sql': 'SELECT 1;\n' });
    git('add', '.');
    // Bad is staged and mended since; good is staged and bad since; and more of it stands above.
    write({ 'c.sql': loop('put_c'), 'd.sql': 'SELECT 2;\n', 'ä b.sql': loop('put_u') });
    git('add', '.');
    write({ 'c.sql': 'SELECT 3;\n', 'd.sql': loop('put_d'), 'ä b.sql': `-- a note\n${loop('put_u')}` });
    expect(found('--staged')).toEqual([`c.sql:6:5 ${RULE}`, `ä b.sql:6:5 ${RULE}`]);
    expect(run(['--staged', '--no-cache']).out).toContain('6 |     EXCEPTION WHEN check_violation THEN');
    expect(found('--changed')).toEqual([`d.sql:6:5 ${RULE}`, `ä b.sql:7:5 ${RULE}`]);
    expect(found('--staged', 'd.sql')).toEqual([]);
    const upsert = `CREATE TABLE target (id int PRIMARY KEY);\n${loop('put_c').replace('check', 'unique')}`;
    write({ 'c.sql': upsert });
    git('add', 'c.sql');
    write({ 'c.sql': `-- a note\n${upsert}` });
    expect(run(['--staged', '--fix']).err).toContain(
      'c.sql: not changed: it has changes that are not staged',
    );
    expect(readFileSync(join(folder, 'c.sql'), 'utf8')).toBe(`-- a note\n${upsert}`);
    expect(run(['facts', '-o', 'all.facts']).code).toBe(0);
    expect(run(['--staged', '--facts', 'all.facts']).code).toBe(2);
  });

  test('in a conflict nothing is staged of a file, and it is read as it stands', () => {
    const { git, write, found, run } = committed();
    write({ 'c.sql': 'SELECT 1;\n', 'd.sql': 'SELECT 1;\n' });
    git('add', '.');
    git('commit', '-qm', 'before');
    git('checkout', '-qb', 'other');
    write({ 'c.sql': 'SELECT 2;\n' });
    git('commit', '-qam', 'other');
    git('checkout', '-q', '-');
    write({ 'c.sql': loop('put_c') });
    git('commit', '-qam', 'ours');
    expect(() => git('merge', '-q', 'other')).toThrow();
    write({ 'd.sql': loop('put_d') });
    git('add', 'd.sql');
    write({ 'd.sql': 'SELECT 3;\n' });
    expect(run(['--staged']).err).toBe('');
    expect(found('--staged')).toContain(`d.sql:6:5 ${RULE}`);
  });

  test('in the middle of a merge only what neither side had is new', () => {
    const { git, write, found } = committed();
    write({ 'both.sql': 'SELECT 1;\n' });
    git('add', '.');
    git('commit', '-qm', 'three');
    git('checkout', '-qb', 'branch');
    write({ 'both.sql': 'SELECT 2;\n', 'mine.sql': loop('put_mine') });
    git('add', '.');
    git('commit', '-qm', 'mine');
    git('checkout', '-q', 'main');
    write({ 'both.sql': 'SELECT 3;\n', 'theirs.sql': loop('put_theirs') });
    git('add', '.');
    git('commit', '-qm', 'theirs');
    git('checkout', '-q', 'branch');
    expect(() => git('merge', '-q', 'main')).toThrow();
    write({ 'both.sql': loop('put_both') });
    git('add', '.');
    expect(found('--staged')).toEqual([`both.sql:6:5 ${RULE}`]);
    expect(found('--changed')).toEqual([`both.sql:6:5 ${RULE}`]);
  });

  test('what git is configured to show people changes nothing', () => {
    const { git, write, found } = committed();
    const quiet = 'SELECT 1;\n\n\n\n';
    write({ 'c.sql': `${quiet}${loop('put_c')}${quiet}`, '.gitattributes': '*.sql -diff\n' });
    git('add', '.');
    git('commit', '-qm', 'three');
    write({ 'c.sql': `SELECT 2;\n${quiet}${loop('put_c')}${quiet}SELECT 2;\n` });
    for (const [key, value] of [
      ['diff.interHunkContext', '99'],
      ['diff.noprefix', 'true'],
      ['diff.upper.textconv', 'tr a-z A-Z <'],
      ['color.ui', 'always'],
      ['diff.relative', 'false'],
    ])
      git('config', key!, value!);
    expect(found('--changed')).toEqual([]);
    const changed = `${quiet}${loop('put_c').replace('check_violation', 'division_by_zero')}${quiet}`;
    for (const shown of ['-diff', 'diff=upper', 'binary']) {
      write({ 'c.sql': changed, '.gitattributes': `*.sql ${shown}\n` });
      expect(found('--changed')).toEqual([`c.sql:10:5 ${RULE}`]);
    }
  });

  describe('what a change causes elsewhere', () => {
    const SETTLE = `CREATE PROCEDURE settle() LANGUAGE plpgsql AS $$
BEGIN
  FOR r IN SELECT * FROM source LOOP
    PERFORM put(r.id);
    COMMIT;
  END LOOP;
END $$;
`;
    const PUT = `CREATE FUNCTION put(i int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO target VALUES (i);
EXCEPTION WHEN check_violation THEN
  NULL;
END $$;
`;
    const settled = () => {
      const made = committed();
      made.write({ 'settle.sql': SETTLE, 'put.sql': PUT });
      made.git('add', '.');
      made.git('commit', '-qm', 'three');
      expect(made.found('--since', 'HEAD')).toEqual([]);
      return made;
    };
    const HERE = [`put.sql:4:1 ${RULE}`];

    test('a COMMIT that is taken away, in all of them, with a cache and without', () => {
      const { git, write, found, run } = settled();
      write({ 'settle.sql': SETTLE.replace('COMMIT', 'NULL') });
      const all = [
        ['--changed'],
        ['--since', 'HEAD'],
        ['--changed', '--no-cache'],
        ['--changed', '--threads', '1'],
      ];
      for (const how of all) expect(found(...how)).toEqual(HERE);
      expect(found('--staged')).toEqual([]);
      git('add', '.');
      expect(found('--staged')).toEqual(HERE);
      write({ 'settle.sql': SETTLE });
      expect(found('--staged')).toEqual(HERE);
      expect(found('--changed')).toEqual([]);
      expect(run(['--changed']).err + run(['--changed']).out).toContain('2 outside of the change');
    });

    test('lines that are taken away, a file that is new, gone or called otherwise', () => {
      const { git, write, found, folder } = settled();
      write({ 'settle.sql': SETTLE.replace(/ {4}COMMIT;\n/, '') });
      expect(found('--changed')).toEqual([`settle.sql:4:13 ${RULE}`]); // a neighbour of what is gone
      git('checkout', '-q', '.');
      write({ 'other.sql': 'BEGIN;\nSELECT put(i) FROM generate_series(1, 100) AS i;\nCOMMIT;\n' });
      expect(found('--changed').filter((one) => one.startsWith('put.sql'))).toHaveLength(0); // shown in the new file
      expect(found('--changed')).toHaveLength(1);
      rmSync(join(folder, 'other.sql'));
      git('mv', 'a.sql', 'moved.sql');
      git('rm', '-q', 'b.sql');
      for (const how of ['--changed', '--staged']) expect(found(how)).toEqual([]);
    });

    test('what was allowed, and is no more', () => {
      const { git, write, found } = committed();
      const allow = '-- subxact: allow-file subtransaction-in-loop, because it is few\n';
      write({ 'a.sql': `SELECT 1;\n${'\n'.repeat(20)}${loop('put_a')}${'\n'.repeat(20)}${allow}` });
      git('commit', '-qam', 'three');
      write({ 'a.sql': `SELECT 1;\n${'\n'.repeat(20)}${loop('put_a')}${'\n'.repeat(20)}` });
      expect(found('--changed')).toEqual([`a.sql:27:5 ${RULE}`]);
    });
  });

  test('pre-commit says what it runs for: all files, two revisions, or a commit', () => {
    const { git, write, run, env } = committed();
    const found = (more: Record<string, string>) =>
      run(['--staged', '-f', 'gcc'], { env: { ...env, ...more } })
        .out.split('\n')
        .map((line) => line.replace(/:.*/, ''))
        .filter(Boolean);
    expect(found({})).toEqual([]);
    expect(found({ PRE_COMMIT: '1' })).toEqual(['a.sql', 'b.sql']);
    const between = { PRE_COMMIT: '1', PRE_COMMIT_FROM_REF: 'HEAD~1', PRE_COMMIT_TO_REF: 'HEAD' };
    expect(found(between)).toEqual(['b.sql']);
    write({ 'c.sql': loop('put_c') });
    expect(found(between)).toEqual(['b.sql']);
    git('add', '.');
    expect(found({ PRE_COMMIT: '1' })).toEqual(['c.sql']);
  });

  test('no branch is checked out', () => {
    const { git, found } = committed();
    git('checkout', '-q', '--detach');
    expect(found('--since', 'HEAD~1')).toEqual([`b.sql:6:5 ${RULE}`]);
  });

  test('a second worktree', () => {
    const { git } = committed();
    const folder = join(newFolder(), 'other');
    git('worktree', 'add', '-q', '--detach', folder);
    const other = world(() => cli, folder);
    other.env.XDG_CACHE_HOME = `${folder}-cache`;
    other.write({ 'c.sql': loop('put_c') });
    expect(other.found('--changed')).toEqual([`c.sql:6:5 ${RULE}`]);
  });

  test('a submodule is a repository of its own', () => {
    const inner = committed();
    const outer = start();
    outer.git('submodule', '--quiet', 'add', inner.folder, 'sub');
    const sub = world(() => cli, join(outer.folder, 'sub'));
    sub.env.XDG_CACHE_HOME = join(outer.folder, '.git/cache');
    sub.write({ 'c.sql': loop('put_c') });
    expect(sub.found('--changed')).toEqual([`c.sql:6:5 ${RULE}`]);
  });

  test('submodules belong to the change: new commits, uncommitted lines and new files', () => {
    const inner = committed();
    const outer = start();
    outer.write({ 'x.sql': 'SELECT 1;\n' });
    outer.git('add', '.');
    outer.git('commit', '-qm', 'before');
    outer.git('submodule', '--quiet', 'add', inner.folder, 'lib/the sub');
    expect(outer.found('--staged')).toEqual([
      `lib/the sub/a.sql:6:5 ${RULE}`,
      `lib/the sub/b.sql:6:5 ${RULE}`,
    ]);
    outer.git('commit', '-qm', 'one');
    expect(outer.found('--changed')).toEqual([]);
    const sub = world(() => cli, join(outer.folder, 'lib/the sub'));
    sub.write({ 'c.sql': loop('put_c') });
    expect(outer.found('--changed')).toEqual([`lib/the sub/c.sql:6:5 ${RULE}`]);
    expect(outer.found('--staged')).toEqual([]);
    sub.git('add', '.');
    sub.git('commit', '-qm', 'three');
    sub.write({ 'a.sql': loop('put_a').replace('check_violation', 'division_by_zero') });
    expect(outer.found('--changed')).toEqual([
      `lib/the sub/a.sql:6:5 ${RULE}`,
      `lib/the sub/c.sql:6:5 ${RULE}`,
    ]);
    outer.git('add', 'lib');
    expect(outer.found('--staged')).toEqual([`lib/the sub/c.sql:6:5 ${RULE}`]);
    // As git calls a hook.
    const hook = { ...outer.env, GIT_DIR: '.git', GIT_INDEX_FILE: '.git/index', GIT_PREFIX: '' };
    expect(outer.run(['--staged', '-f', 'gcc'], { env: hook }).out).toContain('lib/the sub/c.sql:6:5');
    outer.git('commit', '-qm', 'two');
    expect(outer.found('--since', 'HEAD~1')).toEqual([
      `lib/the sub/a.sql:6:5 ${RULE}`,
      `lib/the sub/c.sql:6:5 ${RULE}`,
    ]);
    expect(outer.found('--changed')).toEqual([`lib/the sub/a.sql:6:5 ${RULE}`]);
  });

  test('a merge: what both sides brought is not new, what the branch brought is', () => {
    const { git, write, found } = committed();
    git('checkout', '-qb', 'branch', 'HEAD~1');
    write({ 'mine.sql': loop('put_mine') });
    git('add', '.');
    git('commit', '-qm', 'mine');
    git('merge', '-q', '--no-edit', 'main');
    expect(found('--since', 'main')).toEqual([`mine.sql:6:5 ${RULE}`]);
    expect(found('--since', 'HEAD~1')).toEqual([`b.sql:6:5 ${RULE}`]);
  });

  test('lines that look like a header of a diff, names with blanks and umlauts, a user with settings', () => {
    const { git, write, found, folder, run, env } = committed();
    for (const [key, value] of [['diff.noprefix', 'true'], ['diff.mnemonicPrefix', 'true'], ['color.ui', 'always'], ['core.quotePath', 'true'], ['diff.submodule', 'log']])
      git('config', key!, value!); // biome-ignore format: a list
    write({
      'a.sql': `SELECT 1\n++ b/a.sql;\n-- b/nothing.sql\n${loop('put_a').replace('check_violation', 'no_data')}`,
      'für uns/ä b.sql': loop('put_u'),
    });
    const expected = [`a.sql:9:5 ${RULE}`, `für uns/ä b.sql:6:5 ${RULE}`];
    expect(found('--changed')).toEqual(expected);
    git('add', '.');
    expect(found('--staged')).toEqual(expected);
    const inside = run(['--staged', '-f', 'gcc'], {
      cwd: join(folder, 'für uns'),
      env: { ...env, GIT_PAGER: 'cat' },
    });
    expect(inside.out).toContain('ä b.sql:6:5');
  });

  test('a shallow clone says what is missing', () => {
    const { folder } = committed();
    const shallow = start();
    shallow.git('clone', '-q', '--depth', '1', `file://${folder}`, 'clone');
    const { code, err } = shallow.run(['--since', 'HEAD~1'], { cwd: join(shallow.folder, 'clone') });
    expect([code, err]).toEqual([
      2,
      'subxact: what changed is not known: there is no revision HEAD~1 here: this clone is shallow, so fetch more of its history\n',
    ]);
  });

  test('a shallow clone without a common commit says what it compares instead', () => {
    const { folder, git } = committed();
    git('checkout', '-qb', 'topic', 'HEAD~1');
    git('commit', '-q', '--allow-empty', '-m', 'other');
    const shallow = start();
    shallow.git('clone', '-q', '--depth', '1', '--branch', 'topic', `file://${folder}`, 'clone');
    const cwd = join(shallow.folder, 'clone');
    shallow.git('-C', cwd, 'fetch', '-q', '--depth', '1', 'origin', 'main:refs/remotes/origin/main');
    expect(shallow.run(['--since', 'origin/main'], { cwd })).toMatchObject({
      code: 0,
      err: 'subxact: origin/main and HEAD have no common commit here, as this clone is shallow: fetch more of its history; what differs between the two is taken as changed\n',
    });
  });
});

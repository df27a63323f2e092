// The baseline of findings that only their files tell apart: scripts of one shape, methods of one name.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildCli, LOOP, newFolder, world } from './world.ts';

let cli: string;
beforeAll(() => {
  cli = buildCli('test-baseline');
}, 300_000);

const SCRIPT = `BEGIN;
SAVEPOINT sp;
INSERT INTO t VALUES (1);
RELEASE SAVEPOINT sp;
COMMIT;
`;

/** Three equals that are known, committed. */
function start() {
  const made = world(() => cli, newFolder());
  made.git('init', '-q', '-b', 'main');
  made.write({ 'b.sql': SCRIPT, 'c.sql': SCRIPT, 'd.sql': SCRIPT, '.gitignore': '' });
  made.run(['baseline']);
  made.git('add', '.');
  made.git('commit', '-qm', 'one');
  const text = () => readFileSync(join(made.folder, 'subxact-baseline.json'), 'utf8');
  const files = () => Object.values<{ file: string }>(JSON.parse(text()).findings).map(({ file }) => file);
  return { ...made, text, files };
}

test('an equal in a new file is the new one, though its name comes first', () => {
  const { write, git, found } = start();
  write({ 'a.sql': SCRIPT });
  expect(found()).toEqual(['a.sql:2:1 [savepoint-without-rollback]']);
  git('add', '.');
  expect(found('--staged')).toEqual(['a.sql:2:1 [savepoint-without-rollback]']);
});

test('of equals in one file the one that the change brings is new', () => {
  const { write, git, run, found } = start();
  const block = LOOP.slice(LOOP.indexOf('    BEGIN'), LOOP.indexOf('  END LOOP'));
  write({ 'loop.sql': LOOP });
  run(['baseline']);
  git('add', '.');
  git('commit', '-qm', 'two');
  write({ 'loop.sql': LOOP.replace(block, block.replace('r.id', 'r.id + 1') + block) });
  expect(found('--changed')).toEqual(['loop.sql:6:5 [subtransaction-in-loop]']);
});

test('a file that moves away keeps its own, and so do the others', () => {
  const { write, found, folder } = start();
  rmSync(join(folder, 'b.sql'));
  write({ 'moved/z.sql': SCRIPT });
  expect(found()).toEqual([]);
});

test('a path that is written or pruned alone takes nothing from the rest', () => {
  const { run, files, write } = start();
  run(['baseline', 'd.sql']);
  expect(files()).toEqual(['b.sql', 'c.sql', 'd.sql']);
  run(['baseline', '--prune', 'd.sql']);
  expect(files()).toEqual(['b.sql', 'c.sql', 'd.sql']);
  write({ 'd.sql': 'SELECT 1;\n' });
  run(['baseline', '--prune', 'd.sql']);
  expect(files()).toEqual(['b.sql', 'c.sql']);
});

test('what is cured goes, and those that stay keep their files', () => {
  const { run, files, write, found } = start();
  write({ 'b.sql': 'SELECT 1;\n' });
  run(['baseline', '--prune']);
  expect(files()).toEqual(['c.sql', 'd.sql']);
  write({ 'b.sql': SCRIPT });
  expect(found()).toEqual(['b.sql:2:1 [savepoint-without-rollback]']);
});

test('both sides of a merge are kept, though they have one key', () => {
  const { run, write, found, text, folder } = start();
  const ours = text();
  write({ 'e.sql': SCRIPT });
  run(['baseline']);
  const added = /,\s*("\w+:4": \{[^}]*\})/.exec(text())![1]!;
  const both = ours.replace(/\n {2}\}\n\}\n$/, `,\n${added},\n${added.replace('e.sql', 'f.sql')}\n}}\n`);
  write({ 'subxact-baseline.json': both, 'f.sql': SCRIPT });
  expect(found()).toEqual([]);
  write({ 'g.sql': SCRIPT });
  expect(found()).toEqual(['g.sql:2:1 [savepoint-without-rollback]']);
  rmSync(join(folder, 'g.sql'));
  run(['baseline', '--prune']);
  expect(Object.keys(JSON.parse(text()).findings)).toHaveLength(5);
});

test('what is worse by now is told again; a file that does not say how bad it was holds it', () => {
  const { write, run, found, text } = start();
  const once = LOOP.replace(/ {2}FOR.*\n/, '')
    .replace(/ {2}END LOOP;\n/, '')
    .replace('r.id', '1');
  const script = 'BEGIN;\nSELECT put_all();\nCOMMIT;\n';
  const rule = { rules: { 'savepoint-without-rollback': 'error' } };
  write({ 'put.sql': once, 'run.sql': script });
  expect(run(['baseline']).code).toBe(0);
  expect(found()).toEqual([]);
  write({ 'subxact.json': JSON.stringify(rule) });
  const [worse] = [found()];
  expect(worse).toHaveLength(3);
  write({ 'subxact-baseline.json': text().replace(/,\s*"severity": "\w+"/g, '') });
  expect(found()).toEqual([]);
  run(['baseline']);
  write({ 'subxact.json': JSON.stringify({ rules: { 'savepoint-without-rollback': 'note' } }) });
  expect(found()).toEqual([]);
});

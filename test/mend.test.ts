// --fix and --diff on files as people have them: line ends, encodings, overlaps, files that changed or may not be written.
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { analyse, lower } from '../src/analyse.ts';
import { changedFiles } from '../src/project/findings/fixes.ts';
import type { Finding } from '../src/rule.ts';
import { buildCli, newFolder, world } from './world.ts';

let cli = '';
beforeAll(() => {
  cli = buildCli('test-mend');
}, 600_000);
const start = () => {
  const made = world(() => cli);
  made.git('init', '-q', '-b', 'main');
  return made;
};

const UPSERT = `-- größer
CREATE TABLE seen_ids (id int PRIMARY KEY);
CREATE FUNCTION seen(p_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    INSERT INTO seen_ids (id) VALUES (p_id);
  EXCEPTION WHEN unique_violation THEN
    NULL;
  END;
END $$;
`;
const MENDED = UPSERT.replace('(p_id);', '(p_id) ON CONFLICT DO NOTHING;').replace(
  /EXCEPTION WHEN unique_violation THEN\s+NULL;\s*/,
  '',
);
/** What counts is the text without the blanks that the clause leaves behind. */
const squeezed = (text: string) => text.replace(/\s+/g, ' ');

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const ENCODINGS: [string, (text: string) => Buffer, (bytes: Buffer) => string][] = [
  ['UTF-8', (text) => Buffer.from(text), (bytes) => bytes.toString('utf8')],
  [
    'UTF-8 with a byte order mark',
    (text) => Buffer.from(`\ufeff${text}`),
    (bytes) => bytes.toString('utf8').slice(1),
  ],
  ['Latin-1', (text) => Buffer.from(text, 'latin1'), (bytes) => bytes.toString('latin1')],
  ['UTF-16', utf16, (bytes) => bytes.toString('utf16le').slice(1)],
];

describe.each(ENCODINGS)('%s', (encoding, encode, decode) => {
  for (const [ends, text] of [
    ['LF', UPSERT],
    ['CRLF', UPSERT.replaceAll('\n', '\r\n')],
    ['no end of the last line', UPSERT.trimEnd()],
  ] as const)
    test(`${ends}: --fix changes what it must and keeps the rest; twice changes nothing; --diff is the same change`, () => {
      const { write, run, folder } = start();
      const file = join(folder, 'a.sql');
      write({ 'a.sql': encode(text), 'other.sql': 'SELECT 1;\n' });
      const diff = spawnSync('node', [cli, '--diff'], { cwd: folder }).stdout;
      expect(readFileSync(file)).toEqual(encode(text));
      expect(run(['--fix']).err).toContain('1 safe change made in 1 file');
      const fixed = readFileSync(file);
      expect(squeezed(decode(fixed))).toBe(
        squeezed(ends === 'LF' || ends === 'CRLF' ? MENDED : MENDED.trimEnd()),
      );
      expect(decode(fixed).includes('\r')).toBe(ends === 'CRLF');
      expect(fixed).toEqual(encode(decode(fixed)));
      expect(run(['--fix']).err).toContain('0 safe changes made in 0 files');
      expect(readFileSync(file)).toEqual(fixed);
      if (encoding === 'UTF-16') return expect(diff.length).toBe(0);
      for (const command of [
        ['git', 'apply'],
        ['patch', '-p1', '--binary', '-s'],
      ]) {
        write({ 'a.sql': encode(text) });
        const { status, stderr } = spawnSync(command[0]!, command.slice(1), {
          cwd: folder,
          input: diff,
          encoding: 'utf8',
        });
        expect([command[0], status, stderr]).toEqual([command[0], 0, '']);
        expect(readFileSync(file)).toEqual(fixed);
      }
    });
});

test('a diff names files as git does', () => {
  const { write, folder } = start();
  const names = ['a b.sql', 'dir/ü "q".sql', 'tab\there.sql', 'back\\slash.sql'];
  write(Object.fromEntries(names.map((name, i) => [name, UPSERT.replace('seen(', `seen${i}(`)])));
  const diff = spawnSync('node', [cli, '--diff'], { cwd: folder }).stdout;
  expect(spawnSync('git', ['apply', '-'], { cwd: folder, input: diff, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
  for (const name of names)
    expect(readFileSync(join(folder, name), 'utf8')).toContain('ON CONFLICT DO NOTHING');
});

test('a diff has a hunk for each stretch of changes', () => {
  const { write, folder } = start();
  const gap = (lines: number) => '-- nothing\n'.repeat(lines);
  const one = (name: string) => UPSERT.replace(/^.*\n.*\n/, '').replace('seen(', `${name}(`);
  const text = UPSERT + gap(20) + one('b') + one('c') + gap(9) + one('d').trimEnd();
  write({ 'a.sql': text });
  const diff = spawnSync('node', [cli, '--diff'], { cwd: folder, encoding: 'utf8' }).stdout;
  expect(diff.match(/^@@.*@@$/gm)).toEqual(['@@ -3,9 +3,7 @@', '@@ -31,17 +29,13 @@', '@@ -56,8 +50,6 @@']);
  for (const command of [
    ['git', 'apply'],
    ['patch', '-p1', '-s'],
  ]) {
    write({ 'a.sql': text });
    const { status, stderr } = spawnSync(command[0]!, command.slice(1), { cwd: folder, input: diff });
    expect([command[0], status, String(stderr)]).toEqual([command[0], 0, '']);
    const applied = readFileSync(join(folder, 'a.sql'), 'utf8');
    write({ 'a.sql': text });
    spawnSync('node', [cli, '--fix'], { cwd: folder });
    expect(applied).toBe(readFileSync(join(folder, 'a.sql'), 'utf8'));
  }
});

test('a mode and a link stay what they are', () => {
  const { write, run, folder } = start();
  write({ 'real/a.sql': UPSERT });
  chmodSync(join(folder, 'real/a.sql'), 0o750);
  symlinkSync('real/a.sql', join(folder, 'link.sql'));
  expect(run(['--fix', 'link.sql']).err).toContain('1 safe change made');
  expect(lstatSync(join(folder, 'link.sql')).isSymbolicLink()).toBe(true);
  expect(statSync(join(folder, 'real/a.sql')).mode & 0o777).toBe(0o750);
  expect(readFileSync(join(folder, 'real/a.sql'), 'utf8')).toContain('ON CONFLICT');
});

test('a read-only file is left alone and named; others are changed', () => {
  const { write, run, folder } = start();
  write({ 'a.sql': UPSERT, 'b.sql': UPSERT.replace('seen(', 'seen_too(') });
  chmodSync(join(folder, 'a.sql'), 0o444);
  const { code, err } = run(['--fix']);
  expect(err).toContain('a.sql: not changed: it is read-only\n');
  expect(err).toContain('1 safe change made in 1 file');
  expect(code).toBe(1);
  expect(readFileSync(join(folder, 'a.sql'), 'utf8')).toBe(UPSERT);
});

test('a file that changed since it was read is left alone', () => {
  const { write, run, folder } = start();
  write({ 'a.sql': UPSERT });
  const later = Date.now() / 1000 + 3600;
  utimesSync(join(folder, 'a.sql'), later, later);
  expect(run(['--fix']).err).toContain('a.sql: not changed: it changed since it was read');
  expect(readFileSync(join(folder, 'a.sql'), 'utf8')).toBe(UPSERT);
});

test('changes that overlap wait for the next run', () => {
  const folder = newFolder();
  const made = world(() => cli, folder);
  made.write({ 'a.sql': '0123456789' });
  const finding = (...edits: [number, number, string][]) =>
    ({
      file: 'a.sql',
      fixes: [
        {
          title: 'x',
          safe: true,
          edits: edits.map(([start, end, replacement]) => ({
            file: 'a.sql',
            at: { start, end },
            replacement,
          })),
        },
      ],
    }) as Finding;
  const apply = (...findings: Finding[]) => {
    const options = { readAt: Date.now() + 1e6, writes: true };
    const { files, applied, waiting } = changedFiles(findings, (file) => join(folder, file), options);
    return [files[0]?.after.toString(), applied, waiting];
  };
  expect(apply(finding([2, 4, 'AB']), finding([3, 5, 'CD']))).toEqual(['01AB456789', 1, 1]);
  expect(apply(finding([2, 4, 'AB']), finding([4, 5, 'C']))).toEqual(['01ABC56789', 2, 0]);
  expect(apply(finding([2, 2, 'x']), finding([2, 2, 'x']))).toEqual(['01x23456789', 1, 1]);
  expect(apply(finding([0, 1, 'a'], [9, 10, 'z']), finding([9, 10, 'y'], [4, 5, 'm']))).toEqual([
    'a12345678z',
    1,
    1,
  ]);
});

describe('savepoint=False', () => {
  const offered = async (caller: string, inner: string) => {
    const text = `from django.db import DatabaseError, transaction
from shop.models import Item


@transaction.atomic
def outer(rows):
${caller}


def inner(row):
${inner}
`;
    const { findings } = analyse([(await lower('a.py', text))!]);
    return findings.flatMap(({ fixes }) => (fixes ?? []).map(({ safe, title }) => ({ safe, title })));
  };
  const NESTED = '    with transaction.atomic():\n        Item.objects.create(name=row)\n';
  const indented = (text: string) => text.replace(/^(?=.)/gm, '    ');
  test('is safe where both stand in one routine', async () =>
    expect(await offered(`    for row in rows:\n${indented(NESTED)}`, '    pass')).toEqual([
      {
        safe: true,
        title: 'Write savepoint=False, since nothing catches between it and the transaction around it',
      },
    ]));
  test('is a suggestion where a caller begins the transaction, who may catch', async () =>
    expect(await offered('    for row in rows:\n        inner(row)', NESTED)).toEqual([
      {
        safe: false,
        title: 'Write savepoint=False, if no caller catches between it and the transaction around it',
      },
    ]));
  test('is not offered where the routine itself catches', async () =>
    expect(
      await offered(
        '    for row in rows:\n        inner(row)',
        `    try:\n${indented(NESTED)}    except DatabaseError:\n        pass\n`,
      ),
    ).toEqual([]));
  test.each([
    'transaction.set_rollback(True)',
    'transaction.set_rollback(dry_run)',
    'if row:\n            transaction.set_rollback(True)',
    'transaction.get_connection().set_rollback(True)',
    'transaction.savepoint_rollback(sid)',
    'undo()',
  ])('is not offered where the savepoint is rolled back without an error: %s', async (asked) =>
    expect(
      await offered(
        `    for row in rows:\n${indented(`${NESTED}        ${asked}\n`)}`,
        '    pass\n\n\ndef undo():\n    transaction.set_rollback(True)',
      ),
    ).toEqual([]),
  );
  test('is safe where that is taken back', async () =>
    expect(
      await offered(
        `    for row in rows:\n${indented(`${NESTED}        transaction.set_rollback(False)\n`)}`,
        '    pass',
      ),
    ).toMatchObject([{ safe: true }]));
});

const TITLE = 'Write ON CONFLICT DO NOTHING instead of the EXCEPTION clause';
const HELD = `${TITLE}, unless a trigger or an exclusion constraint of the table needs it`;

describe('ON CONFLICT DO NOTHING', () => {
  const offered = async (files: Record<string, string>) => {
    const units = await Promise.all(
      Object.entries(files).map(async ([file, text]) => (await lower(file, text))!),
    );
    return analyse(units)
      .findings.filter(({ rule }) => rule === 'exception-block-for-upsert')
      .flatMap(({ fixes }) =>
        (fixes ?? []).map(({ safe, title }) => `${safe ? 'safe' : 'offered'}: ${title}`),
      );
  };
  const PUT = `CREATE FUNCTION put(i int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO t (id) VALUES (i);
EXCEPTION WHEN unique_violation THEN
  NULL;
END $$;
`;
  const KEPT = `CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log VALUES (new.id);
  RETURN new;
END $$;
`;
  const TABLE = 'CREATE TABLE t (id int PRIMARY KEY, name text);';
  const put = (schema: string) => offered({ 'put.sql': PUT, 'schema.sql': schema });
  test.each([
    ['a table', TABLE],
    [
      'one whose trigger is for something else',
      `${TABLE} ${KEPT} CREATE TRIGGER k AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION kept();`,
    ],
    [
      'a partitioned one',
      `CREATE TABLE t (id int PRIMARY KEY) PARTITION BY HASH (id); CREATE TABLE t_0 PARTITION OF t FOR VALUES WITH (MODULUS 1, REMAINDER 0);`,
    ],
    ['one like another', 'CREATE TABLE o (id int PRIMARY KEY); CREATE TABLE t (LIKE o INCLUDING ALL);'],
    [
      'another schema has a trigger',
      `CREATE TABLE public.t (id int PRIMARY KEY); CREATE TABLE other.o (id int); ${KEPT} CREATE TRIGGER k BEFORE INSERT ON other.o FOR EACH ROW EXECUTE FUNCTION kept();`,
    ],
  ])('is safe: %s', async (_, schema) => expect(await put(schema)).toEqual([`safe: ${TITLE}`]));
  test.each([
    ['nobody knows the table', 'SELECT 1;'],
    ['a model alone says what it is', 'ALTER TABLE t ADD CONSTRAINT one UNIQUE (name);'],
    [
      'a trigger before',
      `${TABLE} ${KEPT} CREATE TRIGGER k BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION kept();`,
    ],
    [
      'a trigger behind, in another spelling',
      `${TABLE} ${KEPT} CREATE TRIGGER k AFTER INSERT OR UPDATE ON public.t FOR EACH ROW EXECUTE FUNCTION kept();`,
    ],
    [
      'a trigger of a partition',
      `CREATE TABLE t (id int PRIMARY KEY) PARTITION BY HASH (id); CREATE TABLE p PARTITION OF t FOR VALUES WITH (MODULUS 1, REMAINDER 0); ${KEPT} CREATE TRIGGER k BEFORE INSERT ON p FOR EACH ROW EXECUTE FUNCTION kept();`,
    ],
    [
      'a trigger of what it is a part of',
      `CREATE TABLE o (id int PRIMARY KEY) PARTITION BY HASH (id); CREATE TABLE t PARTITION OF o FOR VALUES WITH (MODULUS 1, REMAINDER 0); ${KEPT} CREATE TRIGGER k BEFORE INSERT ON o FOR EACH ROW EXECUTE FUNCTION kept();`,
    ],
    [
      'a trigger of a table whose name is computed',
      `${TABLE} ${KEPT} DO $$ BEGIN EXECUTE format('CREATE TRIGGER k BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION kept()', current_setting('x')); END $$;`,
    ],
  ])('is a suggestion: %s', async (_, schema) => expect(await put(schema)).toEqual([`offered: ${HELD}`]));
  test.each([
    [
      'an exclusion constraint',
      'CREATE TABLE t (id int PRIMARY KEY, at int4range, EXCLUDE USING gist (at WITH &&));',
    ],
    [
      'one that is added',
      `${TABLE} ALTER TABLE ONLY public.t ADD CONSTRAINT x EXCLUDE USING gist (id WITH =);`,
    ],
    ['a deferrable key beside another', `CREATE TABLE t (id int PRIMARY KEY, n int UNIQUE DEFERRABLE);`],
    [
      'a deferrable key, by its index',
      `${TABLE} ALTER TABLE t ADD CONSTRAINT x UNIQUE USING INDEX y DEFERRABLE;`,
    ],
    ['a view', 'CREATE TABLE o (id int PRIMARY KEY); CREATE VIEW t AS SELECT id FROM o;'],
    ['a rule', `${TABLE} CREATE RULE r AS ON INSERT TO t DO ALSO INSERT INTO log VALUES (new.id);`],
  ])('is not offered: %s', async (_, schema) => expect(await put(schema)).toEqual([]));
});

test.each([
  ['db/functions/put.sql', true],
  ['src/main/resources/db/migration/R__put.sql', true],
  ['src/main/resources/db/migration/V1__put.sql', false],
  ['prisma/migrations/20240101000000_init/migration.sql', false],
  ['migrations/20240101000000_put.sql', false],
  ['migrations/1_put.up.sql', false],
  ['db/changelog/001.sql', false, '--liquibase formatted sql\n--changeset me:1 splitStatements:false\n'],
  ['deploy/put.sql', false, '-- Deploy put to pg\n'],
  ['db/migrations/2_put.sql', false, '-- +goose Up\n-- +goose StatementBegin\n'],
  ['db/migrations/2_put.sql', false, '-- migrate:up\n'],
])('what a migration tool has run is left alone: %s', async (file, safe, head = '') => {
  const unit = (await lower(file, head + UPSERT))!;
  const [fix] = analyse([unit]).findings.flatMap(({ fixes }) => fixes ?? []);
  expect(fix).toMatchObject({ safe, title: `${safe ? '' : 'In a new migration: '}${TITLE}` });
});

test('a block with a COMMIT in it keeps its EXCEPTION clause', async () => {
  const body = (statement: string) => `CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    UPDATE t SET n = 0;
    ${statement}
  EXCEPTION WHEN OTHERS THEN
    RAISE;
  END;
END $$;
CREATE PROCEDURE ends() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$;
CALL p();
`;
  const offered = async (statement: string) =>
    analyse([(await lower('p.sql', body(statement)))!])
      .findings.filter(({ rule }) => rule === 'exception-block-that-rethrows')
      .map(({ fixes }) => fixes?.map(({ safe }) => safe));
  expect(await offered('')).toEqual([[true]]);
  expect(await offered('COMMIT;')).toEqual([undefined]);
  expect(await offered('CALL ends();')).toEqual([undefined]);
  expect(await offered('EXECUTE x;')).toEqual([[false]]);
});

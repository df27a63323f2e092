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
}, 120_000);
const start = () => {
  const made = world(() => cli);
  made.git('init', '-q', '-b', 'main');
  return made;
};

const UPSERT = `-- größer
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
});

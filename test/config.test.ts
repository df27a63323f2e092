// Every key of the configuration with wrong values and near misses, in each of the three places; the schema and the program agree.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { rules } from '../rules/index.ts';
import { findConfig } from '../src/project/config/config.ts';
import { readBaseline } from '../src/project/findings/baseline.ts';
import { against } from './schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'subxact-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const IDS = rules.map(({ id }) => id);
const SCHEMA = JSON.parse(readFileSync('subxact.schema.json', 'utf8'));

/** The message without the folder, or what was read. */
function read(name: string, text: string): unknown {
  writeFileSync(join(folder, name), text);
  try {
    return findConfig(folder, folder, IDS).config;
  } catch (error) {
    return (error as Error).message.replace(`${folder}/`, '');
  } finally {
    rmSync(join(folder, name));
  }
}
const inline = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(inline).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{ ${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)} = ${inline(one)}`).join(', ')} }`
      : JSON.stringify(value); // biome-ignore format: one thing

/** The three places, each with what people's editors leave: Windows line ends, a byte order mark, comments. */
const PLACES: Record<string, (key: string, value: unknown) => [text: string, line: number]> = {
  'subxact.json': (key, value) => [`{\n  // ours\n  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n}`, 3],
  'package.json': (key, value) => [
    `{\r\n"name": "x",\r\n"subxact": {\r\n${JSON.stringify(key)}: ${JSON.stringify(value)}\r\n}\r\n}`,
    4,
  ],
  'pyproject.toml': (key, value) => [
    `\ufeff[project]\r\nname = "x" # no\r\n[tool.subxact]\r\n${JSON.stringify(key)} = ${inline(value)}\r\n`,
    4,
  ],
};

const WRONG: [key: string, value: unknown, says: string][] = [
  ['rules', [], '"rules" must be a table of rules and severities, not []'],
  ['rules', 'error', '"rules" must be a table of rules and severities, not "error"'],
  ['rules', { subtransaction: 3 }, '"subtransaction" must be one of error, warning, note, off, not 3'],
  ['rules', { subtransaction: false }, '"subtransaction" must be one of error, warning, note, off, not false'],
  ['rules', { subtransaction: 'Error' }, 'there is no severity "Error": did you mean "error"?'],
  ['rules', { subtransaction: 'info' }, 'there is no severity "info": did you mean "note"?'],
  ['rules', { subtransaction: 'disabled' }, 'there is no severity "disabled": did you mean "off"?'],
  ['rules', { subtransaction_in_loop: 'off' }, 'there is no rule "subtransaction_in_loop": did you mean "subtransaction-in-loop"?'],
  ['include', 'a', '"include" must be a list of strings, not "a"'],
  ['include', [''], '"include" must be a list of strings that say something, not ""'],
  ['exclude', true, '"exclude" must be a list of strings, not true'],
  ['exclude', [1], '"exclude" must be a list of strings that say something, not 1'],
  ['postgres', 'new', '"postgres" must be a major version such as 16, not "new"'],
  ['postgres', 16.4, '"postgres" must be a major version such as 16, not 16.4'],
  ['postgres', '16.4', '"postgres" must be a major version such as 16, not "16.4"'],
  ['postgres', [16], '"postgres" must be a major version such as 16, not [16]'],
  ['postgres', 8, '"postgres" must be a major version such as 16, not 8'],
  ['test', {}, '"test" must be a list of strings, not {}'],
  ['oneOff', 5, '"oneOff" must be a list of strings, not 5'],
  ['hotTables', 'orders', '"hotTables" must be a list of strings, not "orders"'],
  ['assumeInTransaction', true, '"assumeInTransaction" must be a list of strings, not true'],
  ['overrides', {}, '"overrides" must be a list of tables with files and rules, not {}'],
  ['overrides', [3], '"overrides" must be tables with files and rules, not 3'],
  ['overrides', [{ files: ['a'] }], 'an override needs files and rules'],
  ['overrides', [{ files: 'a', rules: {} }], '"files" must be a list of strings, not "a"'],
  ['overrides', [{ file: ['a'], rules: {} }], 'there is no setting "file": did you mean "files"?'],
  ['overrides', [{ files: ['a'], rules: { x: 'off' } }], 'there is no rule "x"'],
  ['baseline', '', '"baseline" must be a path, not ""'],
  ['baseline', true, '"baseline" must be a path, not true'],
  ['$schema', 3, '"$schema" must be a string, not 3'],
  ['Rules', {}, 'there is no setting "Rules": did you mean "rules"?'],
  ['files', [], 'there is no setting "files": did you mean "include"?'],
  ['ignore', [], 'there is no setting "ignore": did you mean "exclude"?'],
  ['excluded', [], 'there is no setting "excluded": did you mean "exclude"?'],
  ['severity', {}, 'there is no setting "severity": did you mean "rules"?'],
  ['one-off', [], 'there is no setting "one-off": did you mean "oneOff"?'],
  ['hot_tables', [], 'there is no setting "hot_tables": did you mean "hotTables"?'],
  ['pg', 16, 'there is no setting "pg": did you mean "postgres"?'],
  ['postgresVersion', 16, 'there is no setting "postgresVersion": did you mean "postgres"?'],
  ['base', 'x', 'there is no setting "base": did you mean "baseline"?'],
  ['__proto__', [], 'there is no setting "__proto__"; there are $schema, rules, include'],
  ['toString', [], 'there is no setting "toString"; there are'],
]; // biome-ignore format: a table

const RIGHT: [key: string, value: unknown][] = [
  ['$schema', 'x'],
  ['rules', {}],
  ['rules', { subtransaction: 'note', 'subtransaction-in-loop': 'off' }],
  ['include', ['db/**']],
  ['exclude', []],
  ['postgres', 16],
  ['postgres', '9'],
  ['test', ['qa/']],
  ['oneOff', ['x']],
  ['hotTables', ['a."B"']],
  ['assumeInTransaction', ['*.sql']],
  ['overrides', [{ files: ['a'], rules: { subtransaction: 'error' } }]],
  ['baseline', 'ci/x.json'],
];

for (const [file, text] of Object.entries(PLACES))
  describe(file, () => {
    for (const [key, value, says] of WRONG)
      test(`${key}: ${JSON.stringify(value)} is refused with its line`, () => {
        const [content, line] = text(key, value);
        expect(read(file, content)).toContain(`${file}:${line}: ${says}`);
      });
    for (const [key, value] of RIGHT)
      test(`${key}: ${JSON.stringify(value)} is taken`, () => {
        const expected = key === '$schema' ? {} : { [key]: key === 'postgres' ? Number(value) : value };
        expect(read(file, text(key, value)[0])).toMatchObject(expected);
      });
  });

test('the schema refuses and takes the same', () => {
  for (const [key, value] of WRONG)
    expect([key, value, against(SCHEMA, JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(value)}}`)).length > 0]).toEqual([key, value, true]);
  for (const [key, value] of RIGHT) expect(against(SCHEMA, { [key]: value })).toEqual([]);
}); // biome-ignore format: one thing

describe('what stands in the wrong place or form', () => {
  const cases: [string, string, string, string][] = [
    ['a manifest whose key is no table', 'package.json', '{ "subxact": "off" }', 'package.json:1: expected a table of settings'],
    ['a list of tables', 'pyproject.toml', '\n[[tool.subxact]]\nexclude = []', 'pyproject.toml:2: [tool.subxact] is one table'],
    ['a header without its end', 'pyproject.toml', '[tool.subxact\nexclude = []', 'pyproject.toml:1: expected "]"'],
    ['a key in [tool]', 'pyproject.toml', '[tool]\nsubxact = { excludes = [] }', 'pyproject.toml:2: there is no setting "excludes"'],
    ['a dotted key in [tool]', 'pyproject.toml', '[tool]\nx = 1\nsubxact.excludes = []', 'pyproject.toml:3: there is no setting "excludes"'],
    ['a dotted key', 'pyproject.toml', 'tool.subxact.excludes = []', 'pyproject.toml:1: there is no setting "excludes"'],
    ['an empty file', 'subxact.json', '', 'subxact.json:1: expected a value, found the end'],
    ['a number that JSON does not have', 'subxact.json', '{ "postgres": 016 }', 'subxact.json:1: expected "," or "}", found "1"'],
    ['a list', 'subxact.json', '[]', 'subxact.json:1: expected a table of settings'],
    ['two values', 'pyproject.toml', '[tool.subxact]\npostgres = 16 17', 'pyproject.toml:2: expected'],
  ]; // biome-ignore format: a table
  for (const [name, file, text, says] of cases)
    test(`${name} is told`, () => expect(read(file, text)).toContain(says));
  test('and a configuration of others is none', () => {
    for (const text of ['[tool.subxactly]\nx = 1\n', '[tool.x]\nsubxact = 3\n', 'x = "tool.subxact.a = 1"\n', '[tool.poetry.dependencies]\nsubxact = "*"\n'])
      expect(read('pyproject.toml', text)).toMatchObject({ rules: {} }); // biome-ignore format: a list
    expect(read('package.json', '{ "devDependencies": { "subxact": "^1" } }')).toMatchObject({ rules: {} });
  });
  test('a pipe or a device is refused and not waited for, here and as a baseline', () => {
    const own = mkdtempSync(join(folder, 'special-'));
    execFileSync('mkfifo', [join(own, 'subxact.json'), join(own, 'baseline.json')]);
    expect(() => findConfig(own, own, IDS)).toThrow('could not be read: it is no regular file');
    expect(() => readBaseline(join(own, 'baseline.json'))).toThrow('it is no regular file');
    rmSync(join(own, 'subxact.json'));
    symlinkSync('/dev/zero', join(own, 'package.json'));
    expect(() => findConfig(own, own, IDS)).toThrow('could not be read: it is no regular file');
  });

  test('one that is asked for must be there', () =>
    expect(() => findConfig(folder, folder, IDS, join(folder, 'nope.json'))).toThrow(
      'nope.json: there is no such file',
    ));
});

test('a pattern of what is outside of the folder would never hold', () => {
  for (const one of ['../db', '..', './../db/**', '!../db'])
    for (const text of [{ exclude: ['ok/', one] }, { overrides: [{ files: [one], rules: {} }] }])
      expect(read('subxact.json', JSON.stringify(text))).toContain(
        `${one} is outside of the folder of this file`,
      );
  expect(read('subxact.json', '{ "exclude": ["..db/", "a/..", "*..sql"] }')).toMatchObject({
    exclude: ['..db/', 'a/..', '*..sql'],
  });
});

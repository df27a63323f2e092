// The program as people run it: arguments, exit codes, what is printed where, and what holds a finding back.
import { execFileSync, type SpawnSyncOptions, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LOOP } from './world.ts';

const CLI = resolve('build/test-cli/cli.js');
beforeAll(() => {
  execFileSync('node', ['scripts/build.mjs', 'build/test-cli'], { stdio: 'pipe' });
}, 600_000);

test.each(['', 'one.sql', 'one.py'])('V8 takes the code that was kept from the build: %s', (read) => {
  const said = execFileSync(
    'node',
    [
      '-e',
      `process.argv.push('', '--version');
       const { codeOf, start } = require(${JSON.stringify(resolve('bin/subxact.js'))});
       const kept = require('node:fs').readFileSync(codeOf(${JSON.stringify(CLI)}, ${JSON.stringify(read)}));
       console.log(start(${JSON.stringify(CLI)}, kept).cachedDataRejected);`,
    ],
    { encoding: 'utf8' },
  );
  expect(said).toMatch(/^subxact \S+\nfalse$|^false\nsubxact \S+$/m);
});

test('V8 takes the code that was kept for threads, under the flags that the program sets', () => {
  const said = execFileSync(
    'node',
    [
      '-e',
      `process.argv.push('', 'rules');
       const { bring, codeOf, start, scripts } = require(${JSON.stringify(resolve('bin/subxact.js'))});
       const { readFileSync } = require('node:fs');
       bring(${JSON.stringify(CLI)});
       require('node:worker_threads').parentPort = { on() {} }; // it is no thread
       start(${JSON.stringify(CLI)}, readFileSync(codeOf(${JSON.stringify(CLI)}, '.thread')), { entry: 'worker.js' });
       console.log(scripts.get(${JSON.stringify(CLI)}).cachedDataRejected);`,
    ],
    { encoding: 'utf8' },
  );
  expect(said).toMatch(/^false$/m);
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subxact-cli-'));
  mkdirSync(join(folder, '.git'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function run(args: string[], options: SpawnSyncOptions = {}) {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    FORCE_COLOR: '',
    XDG_CACHE_HOME: join(folder, '.cache'),
    ...options.env,
  };
  const { status, stdout, stderr } = spawnSync('node', [CLI, ...args], {
    cwd: folder,
    ...options,
    env,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}
const lines = (args: string[]) =>
  run([...args, '-f', 'gcc'])
    .out.trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/: .*\[/, ' ['));

describe('exit codes', () => {
  test('0: nothing is found', () => {
    write({ 'a.sql': 'SELECT 1;' });
    expect(run([])).toMatchObject({ code: 0, out: expect.stringContaining('nothing found in 1 file') });
  });
  test('1: something is, shown with its code, its way, its remedy and a link', () => {
    write({ 'a.sql': LOOP });
    const { code, out } = run([]);
    expect(code).toBe(1);
    for (const part of [
      'error subtransaction-in-loop a.sql:6:5',
      '6 |     EXCEPTION WHEN',
      '    ^^^^^^^^^',
      'how it is reached',
      'instead',
      'https://',
    ])
      expect(out).toContain(part);
  });
  const wrong: [string, string[], string][] = [
    ['a path that is not there', ['nope', 'a.sql'], 'no such file or directory: nope'],
    ['standard input', ['-'], 'standard input is not read: name a file'],
    ['an option that is not', ['--colour'], "Unknown option '--colour'"],
    ['a format that is not', ['-f', 'yaml'], 'no format is called yaml'],
    ['a rule that is not', ['--rule', 'x'], 'no rule is called x'],
    ['two formats to one place', ['-f', 'json', '-f', 'text'], 'only one format can be printed'],
    ['neither a rule nor a file', ['explain', 'nothing'], 'neither a rule nor a file'],
    [
      'two formats to one file',
      ['-f', 'json=a', '-f', 'sarif=a'],
      'two formats cannot be written to one file: a',
    ],
    ['a path without a name', [''], 'a path is empty'],
    ['an option whose variable is empty', ['--baseline', ''], '--baseline is empty'],
    ['a file of no name', ['facts', '-o', ''], '--output is empty'],
    ['a version in other digits', ['--postgres-version', '0x10'], 'must be a major version'],
    ['more threads than anybody has', ['--threads', '1e9'], 'must be a number from 1 to 256'],
    ['a value that looks like an option', ['--threads', '-1'], 'argument is ambiguous'],
    ['a path for a command that takes none', ['init', 'x'], 'subxact init takes no path'],
    ['a name that steers a terminal', ['no\u001b[2J\nsuch'], 'directory: no\\u{1b}[2J\\u{a}such'],
    ['facts that are nothing', ['--facts', '/dev/null'], 'could not be read as facts'],
    [
      'facts that are not there',
      ['--facts', 'nope'],
      'nope could not be read as facts: no such file or directory\n',
    ],
    ['a revision that is not', ['--since', 'v0'], 'what changed is not known'],
    ['a change where no repository is', ['--changed'], 'not a git repository'],
    ['what is staged where no repository is', ['--staged'], 'not a git repository'],
  ];
  for (const [name, args, message] of wrong)
    test(`2: ${name}, said in one line`, () => {
      write({ 'a.sql': LOOP });
      const { code, out, err } = run(args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(message);
      expect(err.trim().split('\n').length).toBe(1);
    });
});

test('what steers a terminal is shown as codes, wherever it comes from', () => {
  const steers = '\u001b[2J\u009b';
  write({
    'e\u001b\n.sql': LOOP.replace('FUNCTION ', `FUNCTION "${steers}".`),
    'subxact.json': JSON.stringify({ exclude: [steers] }),
  });
  const said = [
    run(['explain', 'e\u001b\n.sql']),
    run(['explain', 'e\u001b\n.sql:6']),
    run(['--print-config']),
    run(['-f', 'html']),
  ];
  write({ 'subxact.json': JSON.stringify({ [steers]: 1 }) });
  said.push(run([]));
  expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 1, 2]);
  for (const { out, err } of said) expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

test('facts are of the files as they were', () => {
  write({ 'a.sql': LOOP, 'b.sql': 'SELECT 1;\n' });
  run(['facts', '.', '-o', 'f.facts']);
  write({ 'b.sql': 'SELECT 2;\n' });
  expect(run(['--facts', 'f.facts', '-f', 'gcc']).out).toContain('a.sql:6:5');
  write({ 'a.sql': `\n${LOOP}` });
  expect(run(['--facts', 'f.facts'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('a.sql has another text'),
  });
  rmSync(join(folder, 'a.sql'));
  expect(run(['--facts', 'f.facts'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('a.sql is not here'),
  });
});

test.each(['units', 'programs', 'notices', 'marked', 'hashes'])(
  'facts whose %s are damaged are refused',
  (part) => {
    write({ 'a.sql': LOOP });
    run(['facts', '.', '-o', 'f.facts']);
    const whole = JSON.parse(readFileSync(join(folder, 'f.facts'), 'utf8'));
    for (const damaged of [null, 'x', 7, [1], [null], [{}], undefined]) {
      write({ 'f.facts': JSON.stringify({ ...whole, [part]: damaged }) });
      const { code, err } = run(['--facts', 'f.facts']);
      expect(err).not.toContain('fault of the program');
      expect(code).toBeLessThan(3);
    }
  },
);

test('why application code is not judged: settings name another database; also when it is known from before', () => {
  const adapter = (name: string) => `production:\n  adapter: ${name}\n`;
  write({
    'Gemfile.lock': 'GEM\n  specs:\n    rails (7.1.0)\n    activerecord (7.1.0)\n',
    'config/database.yml': adapter('mysql2'),
    'app/models/tag.rb':
      'class Tag < ApplicationRecord\n  def self.all!(names)\n    transaction { names.each { |name| create_or_find_by!(name: name) } }\n  end\nend\n',
  });
  const why =
    /nothing found in \d files in [\d.]+ s; application code is not judged, as settings name mysql and not PostgreSQL \(config\/database\.yml\)\n$/;
  expect(run([]).out).toMatch(why);
  expect(run([]).out).toMatch(why);
  expect(run(['-f', 'markdown']).out).toContain('- application code is not judged, as settings name mysql');
  write({ 'config/database.yml': adapter('postgresql') });
  expect(run([])).toMatchObject({ code: 1, out: expect.not.stringContaining('not judged') });
});

test("which code is not judged: a language's packages say nothing of another language's programs", () => {
  const java = `import java.sql.*;
class Lines {
  void add(Connection connection, java.util.List<String> all) throws SQLException {
    connection.setAutoCommit(false);
    for (String sku : all) {
      Savepoint before = connection.setSavepoint();
      connection.createStatement().executeUpdate("INSERT INTO line (sku) VALUES ('a')");
      connection.releaseSavepoint(before);
    }
  }
}
`;
  const python =
    'from django.db import transaction\n\n@transaction.atomic\ndef f(all):\n    for one in all:\n        with transaction.atomic():\n            one.save()\n';
  write({
    'Lines.java': java,
    'ai/f.py': python,
    'ai/uv.lock': '[[package]]\nname = "aiosqlite"\nversion = "0.21.0"\n',
  });
  const one = run([]);
  expect(one.out).toContain('Lines.java');
  expect(one.out).not.toContain('f.py');
  expect(one.out).toMatch(
    /; Python code is not judged, as settings name sqlite and not PostgreSQL \(ai\/uv\.lock\)\n$/,
  );
  write({ 'ai/uv.lock': '[[package]]\nname = "asyncpg"\nversion = "0.30.0"\n' });
  expect(run([]).out).toContain('f.py');
  // What a configuration says holds for all of them.
  write({ 'ai/uv.lock': '', 'config.properties': 'url=jdbc:mysql://db/shop\n' });
  expect(run([]).out).toMatch(/nothing found.*; application code is not judged, as settings name mysql/);
});

test('which programs of a repository are not judged, and which of them says why; also when it is known from before', () => {
  const program = (name: string, adapter: string) => ({
    [`${name}/config/database.yml`]: `production:\n  adapter: ${adapter}\n`,
    [`${name}/app/models/tag.rb`]:
      'class Tag < ActiveRecord::Base\n  def self.all!(names)\n    transaction { names.each { |name| create_or_find_by!(name: name) } }\n  end\nend\n',
  });
  write({ ...program('ledger', 'postgresql'), ...program('shop', 'mysql2') });
  const why =
    /1 error in \d files in [\d.]+ s; code in shop is not judged, as settings name mysql and not PostgreSQL \(shop\/config\/database\.yml\)\n$/;
  expect(run([]).out).toMatch(why);
  expect(run([]).out).toMatch(why);
  for (const one of ['a', 'b', 'c']) write(program(one, 'mysql2'));
  const { out } = run([]);
  expect(out).toMatch(
    /code in a is not judged.*; code in c is not judged.*; nor is that of 1 other program\n$/,
  );
});

describe('bad files', () => {
  test('are named in one line each, and the run goes on', () => {
    write({
      'a.sql': LOOP,
      'b.sql': new Uint8Array([0, 1, 2]),
      'c.sql': Buffer.from("SELECT 'é';", 'latin1'),
      'd.sql': 'x'.repeat(50_000_000),
      'e.sql': 'foo;\nfoo;\nbar;\nqux;\nquux;\n',
    });
    const { code, out } = run([]);
    expect(code).toBe(1);
    expect(out).toContain('file: b.sql: not read: it is binary\n');
    expect(out).toContain('file: c.sql: is not UTF-8: read as Latin-1\n');
    expect(out).toContain('file: d.sql: not read: it has 50 MB\n');
    const why = 'a statement that starts with foo; a statement that starts with bar; and 2 more';
    expect(out).toContain(`file: e.sql: partly analysed: ${why}\n`);
  });
  test('a name with control characters does not reach the terminal raw', () => {
    write({ 'a\u001b[31m.sql': LOOP });
    const { out } = run([]);
    expect(out).toContain('a\\u{1b}[31m.sql');
    expect(out).not.toContain('\u001b');
  });
  test('Windows line ends and a byte order mark move nothing', () => {
    write({ 'a.sql': `\ufeff${LOOP.replaceAll('\n', '\r\n')}` });
    expect(lines([])).toEqual(['a.sql:6:5 [subtransaction-in-loop]']);
  });
});

describe('colours and pipes', () => {
  test('NO_COLOR and FORCE_COLOR', () => {
    write({ 'a.sql': LOOP });
    expect(run([]).out).not.toContain('\u001b');
    expect(run([], { env: { NO_COLOR: '', FORCE_COLOR: '1' } }).out).toContain('\u001b[31m');
  });
  test('a closed pipe is quiet', () => {
    write(
      Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [`${i}.sql`, LOOP.replace('put_all', `put_${i}`)]),
      ),
    );
    const { stdout, stderr } = spawnSync('bash', ['-c', `node ${CLI} --no-cache | head -1`], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout.split('\n').length).toBe(2);
    expect(stderr).toBe('');
  });
  test('a long report arrives whole through a pipe', () => {
    write(
      Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [`${i}.sql`, LOOP.replace('put_all', `put_${i}`)]),
      ),
    );
    const { stdout } = spawnSync('bash', ['-c', `node ${CLI} -f json | (sleep 0.3; cat)`], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    expect(JSON.parse(stdout).findings.length).toBe(300);
  });
});

describe('outputs', () => {
  test('the answer for a part of a repository takes no other part’s place in code scanning', () => {
    write({ '.git/HEAD': '', 'a.sql': LOOP, 'db/b.sql': LOOP, 'db/c.sql': LOOP });
    const idOf = (...paths: string[]) =>
      JSON.parse(run(['-f', 'sarif', ...paths]).out).runs[0].automationDetails.id;
    expect(idOf()).toBe('subxact/');
    expect(idOf('.')).toBe('subxact/');
    expect(idOf('db/c.sql', './db/b.sql', 'db/c.sql')).toBe('subxact/db/b.sql,db/c.sql/');
    const many = Array.from({ length: 20 }, (_, i) => `db/long-name-${i}.sql`);
    write(Object.fromEntries(many.map((path) => [path, LOOP])));
    expect(idOf(...many)).toMatch(/^subxact\/[0-9a-f]{16}\/$/);
    expect(idOf(...many.slice(1))).not.toBe(idOf(...many));
  });

  test('several at once, each to its file, without leftovers', () => {
    write({ 'a.sql': LOOP });
    const { code, out } = run(['-f', 'gcc', '-f', 'sarif=out/r.sarif', '-f', 'html=out/r.html']);
    expect(code).toBe(1);
    expect(out).toContain('a.sql:6:5: error:');
    expect(JSON.parse(readFileSync(join(folder, 'out/r.sarif'), 'utf8')).version).toBe('2.1.0');
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['r.html', 'r.sarif']);
  });
  test('names are relative to the repository in documents, and to the user on a terminal', () => {
    write({ 'db/a.sql': LOOP });
    expect(run(['a.sql', '-f', 'gcc'], { cwd: join(folder, 'db') }).out).toMatch(/^a\.sql:6/);
    const json = JSON.parse(run([join(folder, 'db/a.sql'), '-f', 'json'], { cwd: tmpdir() }).out);
    expect(json.findings[0].file).toBe('db/a.sql');
  });
});

describe('configuration', () => {
  test('turns rules off, changes their weight and leaves files out', () => {
    write({ 'a.sql': LOOP, 'old/b.sql': LOOP.replace('put_all', 'put_old') });
    write({
      'subxact.jsonc': '// ours\n{ "exclude": ["old/"], "rules": { "subtransaction-in-loop": "warning", }, }',
    });
    expect(run(['-f', 'gcc']).out).toMatch(/^a\.sql:6:5: warning: .*\n$/);
    write({ 'subxact.jsonc': '{ "rules": { "subtransaction-in-loop": "off" } }' });
    expect(run([]).code).toBe(0);
  });
  for (const include of ['b/', 'b/**', 'b/c/*.sql', '**/b.sql', '/b', './b/c'])
    test(`reads only what it includes, at any depth: ${include}`, () => {
      write({ 'a.sql': LOOP, 'b/c/b.sql': LOOP.replace('put_all', 'put_b') });
      write({ 'subxact.json': JSON.stringify({ include: [include] }) });
      expect(lines([])).toEqual(['b/c/b.sql:6:5 [subtransaction-in-loop]']);
    });
  test('the last override that fits wins', () => {
    write({ 'a.sql': LOOP, 'b/b.sql': LOOP.replace('put_all', 'put_b') });
    write({
      'subxact.json':
        '{ "overrides": [{ "files": ["b/**"], "rules": { "subtransaction-in-loop": "off" } }] }',
    });
    expect(lines([])).toEqual(['a.sql:6:5 [subtransaction-in-loop]']);
  });
  test('stands in package.json or pyproject.toml as well', () => {
    write({ 'a.sql': LOOP, 'package.json': '{ "name": "x", "subxact": { "exclude": ["a.sql"] } }' });
    expect(run([]).code).toBe(0);
    rmSync(join(folder, 'package.json'));
    write({
      'pyproject.toml':
        '[project]\nname = "x"\ndependencies = [\n  "a[b]>=1",\n]\n[tool.subxact] # ours\nexclude = [\n  "a.sql", # not this\n]\n[tool.subxact.rules]\nsubtransaction = "note"\n[tool.other]\nx = 1\n',
    });
    expect(run([]).code).toBe(0);
    expect(JSON.parse(run(['--print-config']).out)).toMatchObject({
      exclude: ['a.sql'],
      rules: { subtransaction: 'note' },
    });
  });
  const wrong: [string, string, string, string][] = [
    ['an unknown key', 'subxact.json', '{\n "ruels": {}\n}', 'subxact.json:2: there is no setting "ruels": did you mean "rules"?'],
    ['an unknown rule', 'subxact.json', '{"rules": {\n"subtransaction-in-lop": "off"}}', 'subxact.json:2: there is no rule "subtransaction-in-lop": did you mean "subtransaction-in-loop"?'],
    ['an unknown severity', 'subxact.json', '{"rules": {"subtransaction": "warn"}}', 'did you mean "warning"?'],
    ['a wrong kind', 'subxact.json', '{"exclude": "old"}', '"exclude" must be a list of strings, not "old"'],
    ['no version', 'subxact.json', '{"postgres": "new"}', '"postgres" must be a major version such as 16, not "new"'],
    ['a key twice', 'subxact.json', '{"test": [],\n"test": []}', 'subxact.json:2: "test" is here twice'],
    ['half a file', 'subxact.json', '{"test": [', 'subxact.json:1: expected a value, found the end'],
    ['TOML with a wrong key', 'pyproject.toml', '[tool.subxact]\n\nexcludes = []\n', 'pyproject.toml:3: there is no setting "excludes": did you mean "exclude"?'],
    ['broken TOML', 'pyproject.toml', '[tool.subxact]\nexclude = [', 'pyproject.toml:2: expected a string, number, array or table, found the end'],
  ]; // biome-ignore format: a table
  for (const [name, file, text, message] of wrong)
    test(`says where ${name} is`, () => {
      write({ [file]: text });
      const { code, err } = run([]);
      expect(code).toBe(2);
      expect(err).toContain(message);
    });
});

describe('suppressions', () => {
  const allow = (comment: string, line: number) =>
    LOOP.split('\n')
      .toSpliced(line - 1, 0, comment)
      .join('\n');
  const silent: [string, string][] = [
    [
      'for the next line',
      allow('  -- subxact: allow subtransaction-in-loop, because source has three rows', 6),
    ],
    [
      'for this line',
      LOOP.replace(
        'violation THEN',
        'violation THEN -- subxact: allow subtransaction-in-loop, because it is small',
      ),
    ],
    ['for a file', allow('-- subxact: allow-file subtransaction-in-loop, because it is old', 1)],
    [
      'for a block',
      `-- subxact: allow-begin subtransaction-in-loop, because x\n${LOOP}-- subxact: allow-end subtransaction-in-loop\n`,
    ],
    ['past a second comment', allow('  -- subxact: allow subtransaction-in-loop, because x\n  -- more', 6)],
    ['in a block comment', allow('  /* subxact: allow subtransaction-in-loop, because x */', 6)],
  ];
  for (const [name, text] of silent)
    test(`${name} holds the finding back`, () => {
      write({ 'a.sql': text });
      expect(run([])).toMatchObject({ code: 0 });
      const [result] = JSON.parse(run(['-f', 'sarif']).out).runs[0].results;
      expect(result.suppressions).toMatchObject([{ kind: 'inSource' }]);
    });
  const wrong: [string, string, string][] = [
    [
      'without a reason',
      allow('  -- subxact: allow subtransaction-in-loop', 6),
      'a.sql:6: this comment gives no reason',
    ],
    ['without a rule', allow('  -- subxact: allow, because x', 6), 'a.sql:6: this comment'],
    [
      'of an unknown rule',
      allow('  -- subxact: allow subtransaction-in-loops, because x', 6),
      'did you mean subtransaction-in-loop?',
    ],
    ['of another form', allow('  -- subxact: ignore all', 6), 'a.sql:6: this comment is not understood'],
    [
      'without an end',
      allow('-- subxact: allow-begin subtransaction-in-loop, because x', 1),
      'a.sql:1: this allow-begin has no allow-end',
    ],
    [
      'that nothing needs',
      allow('-- subxact: allow subtransaction-per-row, because x', 1),
      'a.sql:1: nothing here needs this comment',
    ],
  ];
  for (const [name, text, message] of wrong)
    test(`${name} is reported and allows nothing`, () => {
      write({ 'a.sql': text });
      const { code, out } = run([]);
      expect(code).toBe(1);
      expect(out).toContain(message);
      expect(out).toContain('error subtransaction-in-loop');
    });
});

describe('baseline', () => {
  test('only new findings fail; moved, renamed and reformatted ones stay known; cured ones are pruned', () => {
    write({ 'a.sql': LOOP, 'b.sql': LOOP.replace('put_all', 'put_b') });
    expect(run(['baseline']).out).toBe('subxact-baseline.json holds 2 findings\n');
    expect(run([]).code).toBe(0);
    rmSync(join(folder, 'a.sql'));
    write({ 'moved/c.sql': `-- a line\n\n${LOOP.replaceAll('  ', '\t')}` });
    expect(run([]).code).toBe(0);
    write({ 'new.sql': LOOP.replace('put_all', 'put_new') });
    expect(lines([])).toEqual(['new.sql:6:5 [subtransaction-in-loop]']);
    const results = JSON.parse(run(['-f', 'sarif']).out).runs[0].results;
    expect(results.map((one: { baselineState: string }) => one.baselineState).sort()).toEqual([
      'new',
      'unchanged',
      'unchanged',
    ]);
    rmSync(join(folder, 'b.sql'));
    expect(run(['baseline', '--prune']).out).toBe('subxact-baseline.json holds 1 finding\n');
    expect(run(['--no-baseline']).code).toBe(1);
  });
  test('a second finding of the same kind is new', () => {
    write({ 'a.sql': LOOP });
    run(['baseline']);
    const inner = LOOP.slice(LOOP.indexOf('    BEGIN'), LOOP.indexOf('  END LOOP'));
    write({ 'a.sql': LOOP.replace(inner, inner + inner) });
    expect(lines([])).toEqual(['a.sql:11:5 [subtransaction-in-loop]']);
  });
});

describe('a change', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  const INNER = `CREATE FUNCTION put(i int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO target VALUES (i);
EXCEPTION WHEN check_violation THEN
  NULL;
END $$;
`;
  const CALLER = (body: string) =>
    `CREATE FUNCTION caller() RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n${body}END $$;\n`;
  beforeEach(() => {
    rmSync(join(folder, '.git'), { recursive: true });
    git('init', '-q', '-b', 'main');
    write({
      '.gitignore': '.cache\n',
      'old.sql': LOOP,
      'inner.sql': INNER,
      'caller.sql': CALLER('  PERFORM put(1);\n'),
    });
    git('add', '.');
    git('commit', '-qm', 'one');
  });
  test('a new loop around an old function is new, and shown at the loop', () => {
    write({ 'caller.sql': CALLER('  FOR i IN 1..100 LOOP\n    PERFORM put(i);\n  END LOOP;\n') });
    expect(lines(['--changed'])).toEqual(['caller.sql:3:3 [subtransaction-in-loop]']);
    expect(lines(['--staged'])).toEqual([]);
    git('add', '.');
    expect(lines(['--staged'])).toEqual(['caller.sql:3:3 [subtransaction-in-loop]']);
    git('commit', '-qm', 'two');
    expect(lines(['--changed'])).toEqual([]);
    expect(lines(['--since', 'HEAD~1'])).toEqual(['caller.sql:3:3 [subtransaction-in-loop]']);
    const of = (args: string[]) =>
      JSON.parse(run([...args, '-f', 'sarif']).out).runs[0].results.map(
        (one: { partialFingerprints: Record<string, string> }) => one.partialFingerprints['subxact/v1'],
      );
    expect(of([])).toEqual(expect.arrayContaining(of(['--since', 'HEAD~1'])));
  });
  test('a new file that git does not know yet is in the change', () => {
    write({ 'new.sql': LOOP.replace('put_all', 'put_new') });
    expect(lines(['--changed'])).toEqual(['new.sql:6:5 [subtransaction-in-loop]']);
  });
});

describe('a second run', () => {
  const json = (args: string[] = []) => {
    const { out, code } = run([...args, '-f', 'json']);
    return { code, out: out.replace(/"milliseconds": *[\d.]+/, '') };
  };
  /** As it would be with nothing remembered. */
  const afresh = (args: string[] = []) => json([...args, '--no-cache']);
  const answers = () => {
    const all = join(folder, '.cache/subxact');
    return readdirSync(join(all, readdirSync(all)[0]!)).filter((name) => name.startsWith('answer-')).length;
  };

  test('says the same without linking, and anything that changes is taken in', () => {
    write({ 'a.sql': LOOP, 'latin.sql': Buffer.from('-- \xe9\nSELECT 1;\n', 'latin1') });
    const first = json();
    expect(json()).toEqual(first);
    expect(first).toEqual(afresh());
    expect(answers()).toBe(1);
    const changes: [string, () => void, string[]?][] = [
      ['a file more', () => write({ 'b.sql': LOOP.replaceAll('put_all', 'put_more') })],
      ['a file that is binary', () => write({ 'c.sql': new Uint8Array([0, 1]) })],
      ['a file less', () => rmSync(join(folder, 'b.sql'))],
      [
        'a comment that allows',
        () => write({ 'a.sql': `-- subxact: allow-file all, because I say so\n${LOOP}` }),
      ],
      ['another text', () => write({ 'a.sql': LOOP.replace('target', 'tarmac') })],
      ['a configuration', () => write({ 'subxact.json': '{"rules": {"subtransaction-in-loop": "note"}}' })],
      ['an ignore file', () => write({ '.gitignore': 'latin.sql\n' })],
      ['a rule', () => {}, ['--rule', 'subtransaction']],
      ['a version', () => {}, ['--postgres-version', '12']],
    ];
    for (const [name, change, args] of changes) {
      change();
      expect([name, json(args)]).toEqual([name, afresh(args)]);
      expect([name, json(args)]).toEqual([name, afresh(args)]);
    }
    // Some forty runs of the program.
  }, 180_000);

  test('counts calls for who asks, though nobody did before', () => {
    write({ 'a.sql': LOOP });
    run([]);
    expect(json()).toEqual(afresh());
  });

  test('counts calls anew where others are made than before, though no finding depends on them', () => {
    const QUIET = `from django.db import transaction

def place(order):
    with transaction.atomic():
        order.save()

def rest():
    print(1)

def work():
    rest()
`;
    write({ 'a.sql': LOOP, 'quiet.py': QUIET });
    const first = json();
    write({ 'quiet.py': `${QUIET}    rest()\n` });
    // This run asks for no counts, and is answered without a link.
    expect(run(['-f', 'gcc']).code).toBe(1);
    expect(answers()).toBe(2);
    expect(json()).toEqual(afresh());
    expect(json()).not.toEqual(first);
  });

  test('with a baseline made in between holds back what it names', () => {
    write({ 'a.sql': LOOP });
    expect(json().code).toBe(1);
    run(['baseline']);
    expect(json().code).toBe(0);
  });
});

test('what is held back is counted where nothing is left', () => {
  write({ 'a.sql': LOOP });
  run(['baseline']);
  expect(run([]).out).toMatch(/^nothing new in 1 file in \d+\.\d s; 1 in the baseline\n$/);
});

describe('explain', () => {
  test('a place: its steps, contexts and witness', () => {
    write({ 'a.sql': LOOP });
    const { out } = run(['explain', 'a.sql:6']);
    for (const part of [
      'function sql:put_all',
      'loop rows',
      'insert target',
      'other code calls it, in the transaction of its caller',
      'rows are written or locked inside, so it takes a transaction ID',
      'a loop repeats it',
      'finding: error subtransaction-in-loop',
    ])
      expect(out).toContain(part);
  });
  test('from a subfolder it names files as check does', () => {
    write({ 'db/a.sql': LOOP });
    const { out } = run(['explain', 'a.sql:6'], { cwd: join(folder, 'db') });
    expect(out).toMatch(/^a\.sql: sql/);
    expect(out).toContain('    a.sql:3 put_all() loops over rows');
  });
  test('a line with nothing on it, and one that is not there', () => {
    write({ 'a.sql': `${LOOP}\n\nSELECT 1;\n` });
    expect(run(['explain', 'a.sql:12']).out).toContain('nothing that matters was read on line 12');
    expect(run(['explain', 'a.sql:900'])).toMatchObject({ code: 2, err: 'subxact: a.sql has 13 lines\n' });
  });
  test('as configured: weights, what is off, what runs in a transaction', () => {
    write({ 'a.sql': LOOP, 'subxact.json': '{ "rules": { "subtransaction-in-loop": "warning" } }' });
    expect(run(['explain', 'a.sql:6']).out).toContain('finding: warning subtransaction-in-loop');
    write({ 'subxact.json': '{ "rules": { "subtransaction-in-loop": "off" } }' });
    expect(run(['explain', 'a.sql:6']).out).toContain('off: subtransaction-in-loop');
    write({ 'subxact.json': '{ "rules": { "subtransaction-in-loop": "note" }, "hotTables": ["target"] }' });
    expect(run(['explain', 'a.sql:6']).out).toContain('finding: warning subtransaction-in-loop');
  });
  test('a model of another source root is its table', () => {
    write({
      'src/shop/models.py': 'from django.db import models\nclass Order(models.Model):\n    pass\n',
      'src/jobs.py': `from django.db import transaction
from shop.models import Order
@transaction.atomic
def run(names):
    for name in names:
        Order.objects.get_or_create(name=name)
`,
      'subxact.json': '{ "rules": { "subtransaction-in-loop": "note" }, "hotTables": ["shop_order"] }',
    });
    expect(run(['explain', 'src/jobs.py:6']).out).toContain('finding: warning subtransaction-in-loop');
  });
  test('what a comment or the baseline holds back is told as such', () => {
    const block = (says: string) => LOOP.replace('    EXCEPTION', `    -- ${says}\n    EXCEPTION`);
    write({ 'a.sql': block('subxact: allow subtransaction-in-loop, because it has ten rows') });
    expect(run(['explain', 'a.sql']).out).toMatch(
      /^a comment allows: error subtransaction-in-loop .*Because: it has ten rows$/m,
    );
    write({ 'a.sql': LOOP });
    run(['baseline']);
    const { out } = run(['explain', 'a.sql:6']);
    expect(out).toMatch(/^the baseline holds: error subtransaction-in-loop/m);
    expect(out).not.toMatch(/^finding:/m);
    expect(run(['explain', 'a.sql:6', '--no-baseline']).out).toMatch(/^finding: error/m);
  });
  test('a rule: its page', () =>
    expect(run(['explain', 'subtransaction-in-loop']).out).toMatch(/^# subtransaction-in-loop/));
});

test('the program says its name, its version and how to use it', () => {
  expect(run(['--version']).out).toMatch(/^subxact \d+\.\d+\.\d+\n$/);
  expect(run(['--help']).out).toContain('subxact [check] [PATH…]');
  expect(existsSync(join(folder, '.cache'))).toBe(false);
});

describe('what is asked for', () => {
  test('--postgres-version decides where a version does, and must be one', () => {
    write({
      'f.sql': `CREATE FUNCTION as_integer(value text) RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN value::integer;
EXCEPTION WHEN invalid_text_representation THEN
  RETURN NULL;
END $$;
`,
    });
    const rules = (version: string) => run(['--postgres-version', version, '-f', 'gcc']).out;
    expect(rules('16')).toContain('exception-block-in-parallel-safe-function');
    expect(rules('17')).not.toContain('exception-block-in-parallel-safe-function');
    expect(run(['--postgres-version', 'new']).code).toBe(2);
  });

  test('--possible shows what is hidden because a name may mean something else', () => {
    write({
      'requirements.txt': 'django==5.2\npsycopg==3.2\n',
      'app/orders.py': `from django.db import transaction


def save_all(orders, own):
    for order in orders:
        with transaction.atomic(savepoint=own):
            order.save()


@transaction.atomic
def place(orders, own):
    save_all(orders, own)
`,
    });
    expect(run([]).out).not.toContain('subtransaction-in-loop');
    expect(run(['--possible']).out).toContain('subtransaction-in-loop (possible)');
  });
});

test('a finding that speaks for two rules weighs what the heavier one may', () => {
  const upsert = LOOP.replace('check_violation', 'unique_violation');
  const severity = (rules: Record<string, string>) => {
    write({ 'a.sql': upsert, 'subxact.json': JSON.stringify({ rules }) });
    return /(note|warning|error): .*\[(.+)\]/.exec(run(['-f', 'gcc']).out)?.slice(1);
  };
  expect(severity({})).toEqual(['error', 'exception-block-for-upsert']);
  expect(severity({ 'exception-block-for-upsert': 'note' })).toEqual(['error', 'exception-block-for-upsert']);
  expect(severity({ 'exception-block-for-upsert': 'off' })).toEqual(['error', 'subtransaction-in-loop']);
  const both = { 'exception-block-for-upsert': 'note', 'subtransaction-in-loop': 'warning' };
  expect(severity(both)?.[0]).toBe('warning');
});

test('threads and the screen change nothing', () => {
  cpSync(resolve('fixtures/projects/shop'), folder, { recursive: true });
  // More than is lowered without threads.
  const one = (n: number) =>
    `from django.db import transaction\n\n${`def filler_${n}(rows):\n    with transaction.atomic():\n        rows.touch()\n\n`.repeat(130)}`;
  write(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`filler/part${n}.py`, one(n)])));
  const found = (...args: string[]) => {
    const { code, out } = run(['check', '--format', 'json', '--no-cache', ...args, '.']);
    expect(code).toBe(1);
    return JSON.parse(out).findings;
  };
  const alone = found('--threads', '1');
  expect(alone.length).toBeGreaterThan(0);
  expect(found('--threads', '3')).toEqual(alone);
  expect(found('--threads', '3', '--no-screen')).toEqual(alone);
}, 60_000);

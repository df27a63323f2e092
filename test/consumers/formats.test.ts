// Each format as the programs that people have read it: validators, Jenkins' parsers, reviewdog, sarif-tools, junitparser.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complaintsOf } from './gate.ts';
import { fromGo, fromNpm, fromPython, LOOP, ROOT, repository, TOOLS, type World } from './world.ts';

const installed = createRequire(join(TOOLS, 'npm/package.json'));
const [Ajv, Ajv2020, addFormats] = ['ajv', 'ajv/dist/2020', 'ajv-formats'].map(installed);

/** Every complaint of a JSON schema. */
function against(schema: object, data: unknown): unknown[] {
  const newer = '$schema' in schema && String(schema.$schema).includes('2020-12');
  const ajv = new (newer ? Ajv2020 : Ajv)({ strict: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return validate(data) ? [] : validate.errors;
}

/** Findings of all weights, with traces, fixes, a suppression, a baseline, unreadable files, names that must be escaped. */
const ODD: Record<string, string> = {
  'db/a b#é%[1].sql': LOOP.replace('put_all', '"put <all> & \'é\'"'),
  'db/allowed.sql': LOOP.replace('put_all', 'put_allowed').replace(
    '    EXCEPTION',
    '    -- subxact: allow subtransaction-in-loop, because "source" is <small> & fine\n    EXCEPTION',
  ),
  'db/old.sql': LOOP.replace('put_all', 'put_old'),
  'db/upsert.sql': LOOP.replace('put_all', 'put_upsert').replace('check_violation', 'unique_violation'),
  'db/broken.sql': "CREATE FUNCTION x() RETURNS void LANGUAGE plpgsql AS $$ BEGIN FOR r IN SELECT 'x LOOP",
  'db/wrong.sql': '-- subxact: allow all\nSELECT 1;\n',
};

const FORMATS: Record<string, string> = {
  sarif: 'r.sarif',
  json: 'r.json',
  gitlab: 'r.gitlab.json',
  junit: 'r.junit.xml',
  checkstyle: 'r.checkstyle.xml',
  rdjson: 'r.rdjson',
  gcc: 'r.gcc',
};

/** The project of the README, with odd files beside it. */
function odd(): World {
  const world = repository({ 'db/old.sql': ODD['db/old.sql']! }, join(ROOT, 'fixtures/projects/shop'));
  world.subxact('baseline', 'db');
  world.write(ODD);
  const asked = Object.entries(FORMATS).flatMap(([format, file]) => ['--format', `${format}=${file}`]);
  expect(world.subxact('check', ...asked)).toMatchObject({ code: 1, out: '', err: '' });
  return world;
}
const read = (world: World, format: string) => readFileSync(join(world.folder, FORMATS[format]!), 'utf8');

interface Finding {
  rule: string;
  severity: string;
  file: string;
  line: number;
  column: number;
}
const findingsOf = (world: World): Finding[] => JSON.parse(read(world, 'json')).findings;
/** A comment for us that is wrong fails a run, so it stands with the findings where a format lists what fails. */
const WRONG = { rule: 'comment', severity: 'error', file: 'db/wrong.sql', line: 1 };
/** Readers of gcc's lines know no names with blanks in them. */
const plain = (list: Finding[]) => list.filter(({ file }) => !/[^\w./-]/.test(file));
const places = (list: { file: string; line: number }[]) =>
  list.map(({ file, line }) => `${file}:${line}`).sort();

describe('SARIF', () => {
  const schema = JSON.parse(
    readFileSync(fromNpm('@microsoft/sarif-multitool-linux/sarif-2.1.0.json'), 'utf8'),
  );
  const cases: [string, () => string][] = [
    ['odd names, traces, fixes, suppressions, a baseline, notices', () => read(odd(), 'sarif')],
    ['nothing found', () => repository({ 'a.sql': 'SELECT 1;\n' }).subxact('-f', 'sarif').out],
    ['no file at all', () => repository({}).subxact('-f', 'sarif').out],
    [
      'every fixture of a project, with the inventory',
      () => repository({}, join(ROOT, 'fixtures/projects')).subxact('inventory', '-f', 'sarif').out,
    ],
  ];
  for (const [name, make] of cases)
    test(`${name}: the schema, the validator and GitHub's limits have no complaint`, () => {
      const sarif = make();
      expect(against(schema, JSON.parse(sarif))).toEqual([]);
      expect(complaintsOf(sarif)).toEqual([]);
    });

  test('the gate sees what is wrong', () => {
    const log = JSON.parse(read(odd(), 'sarif'));
    log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri = '../outside.sql';
    log.runs[0].tool.driver.rules[0].properties.precision = 'perfect';
    delete log.runs[0].tool.driver.rules[1].help;
    expect(complaintsOf(JSON.stringify(log)).join('\n')).toMatch(
      /precision perfect[\s\S]*no help[\s\S]*not relative/,
    );
    expect(complaintsOf('{ "version": "2.1.0", "runs": [] }')).not.toEqual([]);
  });

  test('what is held back stays in the file', () => {
    const results = JSON.parse(read(odd(), 'sarif')).runs[0].results as {
      suppressions?: { kind: string }[];
      baselineState: string;
    }[];
    const kinds = results.flatMap(({ suppressions = [] }) => suppressions.map(({ kind }) => kind));
    expect(kinds.sort()).toEqual(['external', 'inSource']);
    expect(results.filter(({ baselineState }) => baselineState === 'unchanged').length).toBe(1);
  });

  test('sarif-tools counts what we count', () => {
    const world = odd();
    const { code, out } = world.run(fromPython('sarif'), ['summary', FORMATS.sarif!]);
    expect(code).toBe(0);
    for (const severity of ['error', 'warning', 'note']) {
      const ours = JSON.parse(read(world, 'sarif')).runs[0].results.filter(
        ({ level }: { level: string }) => level === severity,
      ).length;
      expect(out).toMatch(new RegExp(`${severity}: ${ours}\\b`));
    }
    const csv = world.run(fromPython('sarif'), ['csv', FORMATS.sarif!, '-o', 'r.csv']);
    expect(csv.code).toBe(0);
    expect(readFileSync(join(world.folder, 'r.csv'), 'utf8')).toContain('subtransaction-in-loop');
  });
});

test('JSON is as its schema says', () => {
  const schema = JSON.parse(readFileSync('report.schema.json', 'utf8'));
  const world = odd();
  expect(against(schema, JSON.parse(read(world, 'json')))).toEqual([]);
  expect(
    JSON.parse(read(world, 'json'))
      .held.map(({ by }: { by: string }) => by)
      .sort(),
  ).toEqual(['baseline', 'suppression']);
  const inventory = repository({}, join(ROOT, 'fixtures/projects')).subxact('inventory', '-f', 'json').out;
  expect(against(schema, JSON.parse(inventory))).toEqual([]);
  expect(against(schema, { ...JSON.parse(inventory), version: 2 })).not.toEqual([]);
});

test("the configuration's schema takes what init writes and refuses what check refuses", () => {
  const schema = JSON.parse(readFileSync('subxact.schema.json', 'utf8'));
  const world = repository({ 'subxact.json': '{ "ruels": {} }' });
  expect(world.subxact('check').code).toBe(2);
  expect(against(schema, { ruels: {} })).not.toEqual([]);
  const config = { rules: { subtransaction: 'note' }, postgres: 16, exclude: ['a/'], hotTables: ['orders'] };
  world.write({ 'subxact.json': JSON.stringify(config) });
  expect(world.subxact('check').code).toBe(0);
  expect(against(schema, config)).toEqual([]);
});

test("GitLab's code quality report has what GitLab asks for", () => {
  // From GitLab's documentation of the format; its own validator is part of its server.
  const text = { type: 'string', minLength: 1 };
  const schema = {
    type: 'array',
    items: {
      type: 'object',
      required: ['description', 'check_name', 'fingerprint', 'location', 'severity'],
      properties: {
        description: text,
        check_name: text,
        fingerprint: text,
        severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
        location: {
          type: 'object',
          required: ['path', 'lines'],
          properties: {
            path: { type: 'string', pattern: '^(?!\\./|/)' },
            lines: {
              type: 'object',
              required: ['begin'],
              properties: { begin: { type: 'integer', minimum: 1 } },
            },
          },
        },
      },
    },
  };
  const world = odd();
  const issues = JSON.parse(read(world, 'gitlab'));
  expect(against(schema, issues)).toEqual([]);
  expect(new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(
    issues.length,
  );
  // It takes no byte order mark.
  expect(read(world, 'gitlab')[0]).toBe('[');
});

test("Jenkins' Warnings plugin reads all formats, each finding at its place", () => {
  const world = odd();
  // One start of Java for all of them. For Jenkins a rule in brackets behind gcc's line is clang-tidy's form.
  const { code, out, err } = world.run('java', [
    ...['-cp', join(TOOLS, 'maven/lib/*'), join(ROOT, 'test/consumers/Read.java')],
    ...['checkstyle', FORMATS.checkstyle!, 'junit', FORMATS.junit!, 'code-climate', FORMATS.gitlab!],
    ...['sarif', FORMATS.sarif!, 'clang-tidy', FORMATS.gcc!],
  ]);
  expect(err).toBe('');
  expect(code).toBe(0);
  const issues = out
    .trim()
    .split('\n')
    .map((line) => {
      const [tool, file, place, severity, type] = line.split('\t') as [
        string,
        string,
        string,
        string,
        string,
      ];
      const [row, column] = place.split(':').map(Number) as [number, number];
      return { tool, file, line: row, column, severity, type };
    });
  const findings = findingsOf(world);
  const of = (tool: string) => issues.filter((issue) => issue.tool === tool);
  expect(places(of('checkstyle'))).toEqual(places([...findings, WRONG]));
  expect(places(of('code-climate'))).toEqual(places([...findings, WRONG]));
  const lines = places(of('clang-tidy')).filter((place) => !place.includes('#'));
  expect(lines).toEqual(places([...plain(findings), WRONG]));
  // What is held back is there as suppressed, and not shown.
  expect(places(of('sarif'))).toEqual(places(findings));
  const failing = plain(findings.filter(({ severity }) => severity !== 'note'));
  const cases = places(of('junit')).filter((place) => !place.includes('#'));
  expect(cases).toEqual(places([...failing, WRONG]));
  for (const { rule, line, column } of findings)
    expect(of('checkstyle')).toContainEqual(
      expect.objectContaining({ line, column, type: expect.stringContaining(rule) }),
    );
});

describe('reviewdog', () => {
  const errorformat = ['rror', 'arning', 'ote'].map((rest) => `-efm=%f:%l:%c: %t${rest}: %m`);
  const cases: [string, string[]][] = [
    ['rdjson', ['-f=rdjson']],
    ['sarif', ['-f=sarif']],
    ['checkstyle', ['-f=checkstyle']],
    ['gcc', errorformat],
  ];
  for (const [format, options] of cases)
    test(`reads ${format}`, () => {
      const world = odd();
      const { code, out } = world.run(
        fromGo('reviewdog'),
        [...options, '-reporter=rdjsonl', '-diff=git diff', '-filter-mode=nofilter'],
        { input: read(world, format) },
      );
      expect(code).toBe(0);
      const seen = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).location)
        .map(({ path, range }) => `${path}:${range.start.line}:${range.start.column}`);
      // SARIF has what is held back as suppressed, and wrong comments among its notifications.
      const wrong = { ...WRONG, column: format === 'gcc' ? 1 : undefined };
      const others = format === 'sarif' ? JSON.parse(read(world, 'json')).held : [wrong];
      const all: Finding[] = [...findingsOf(world), ...others];
      const ours = (format === 'gcc' ? plain(all) : all).map(
        ({ file, line, column }) => `${file}:${line}:${column}`,
      );
      expect(seen.sort()).toEqual(ours.sort());
    });
});

test('junitparser reads JUnit: one case for each finding that fails, or one that passes', () => {
  const script = `
import sys, json
from junitparser import JUnitXml, Failure
print(json.dumps([[case.classname, case.name, [type(r).__name__ for r in case.result]]
                  for suite in JUnitXml.fromfile(sys.argv[1]) for case in suite]))`;
  const world = odd();
  const cases = (file: string) =>
    JSON.parse(world.run(fromPython('python'), ['-c', script, file]).out) as [string, string, string[]][];
  const failing = [...findingsOf(world).filter(({ severity }) => severity !== 'note'), WRONG];
  expect(cases(FORMATS.junit!)).toEqual(failing.map(({ file, rule }) => [file, rule, ['Failure']]));
  const clean = repository({ 'a.sql': 'SELECT 1;\n' });
  writeFileSync(join(world.folder, 'clean.xml'), clean.subxact('-f', 'junit').out);
  expect(cases('clean.xml')).toEqual([['subxact', '1 file', []]]);
});

test('no program left a file behind in the checkout', () => {
  expect(readdirSync(ROOT).filter((name) => /^r\.|lefthook|\.part$/.test(name))).toEqual([]);
});

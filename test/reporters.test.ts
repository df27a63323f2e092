// What other programs read of us: each format against a small report, SARIF also against GitHub's own rules.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linesOf, lineText, positionAt } from '../src/project/files/lines.ts';
import { formats } from '../src/reporters/index.ts';
import { lineHashes } from '../src/reporters/linehash.ts';
import type { Report } from '../src/reporters/report.ts';
import { statistics } from '../src/reporters/statistics.ts';
import type { Finding } from '../src/rule.ts';

const FILES: Record<string, string> = {
  'db/a b.sql': 'SELECT 1;\n  BEGIN x é EXCEPTION\n',
  'app/view.py': 'for row in rows:\n    save(row)\n',
};
const at = (file: string, word: string) => ({
  file,
  at: { start: FILES[file]!.indexOf(word), end: FILES[file]!.indexOf(word) + word.length },
});
const finding: Finding = {
  rule: 'subtransaction-in-loop',
  severity: 'error',
  certainty: 'certain',
  ...at('db/a b.sql', 'EXCEPTION'),
  message: 'The block in a[1] & <b> costs. It does.',
  remedy: 'Use "ON CONFLICT", 100%.',
  trace: [
    { ...at('app/view.py', 'for'), says: 'place() loops', repeats: true },
    { ...at('db/a b.sql', 'EXCEPTION'), says: 'EXCEPTION block in `a|b`' },
  ],
  subject: 'sql:a EXCEPTION block',
  routine: 'sql:a',
  fixes: [{ title: 'Take it away', safe: true, edits: [{ ...at('db/a b.sql', 'BEGIN'), replacement: '' }] }],
};
const note: Finding = { ...finding, severity: 'note', trace: [], fixes: undefined };

function report(findings: Finding[], more: Partial<Report> = {}): Report {
  const lines = (file: string) => linesOf(FILES[file]!);
  return {
    tool: { name: 'subxact', version: '1.2.3', homepage: 'https://example.org/subxact' },
    rules: [
      {
        id: 'subtransaction-in-loop',
        severity: 'error',
        summary: 'A loop',
        link: 'https://example.org/rule',
        page: () => '# x\n\n## What it finds\n\nA loop.\n',
      },
    ],
    findings,
    held: [],
    baseline: false,
    part: '',
    elsewhere: 0,
    notices: [{ file: 'db/bin.sql', message: 'not read: it is binary', partial: true }],
    counts: { files: 2, parsed: 2, milliseconds: 12 },
    fingerprint: (one) => `f${findings.indexOf(one)}`,
    region({ file, at }) {
      const end = positionAt(lines(file), at.end);
      return { ...positionAt(lines(file), at.start), endLine: end.line, endColumn: end.column };
    },
    line: (file, line) => lineText(lines(file), line),
    raw: (file) => FILES[file]!,
    display: (file) => file,
    ...more,
  };
}
const make = (format: string, findings = [finding, note], more: Partial<Report> = {}) =>
  formats[format]!(report(findings, more), { color: false, links: false });

describe('the hash of a line is the one that GitHub computes', () => {
  const golden: { name: string; text: string; hashes: string[] }[] = JSON.parse(
    readFileSync('test/golden/line-hashes.json', 'utf8'),
  );
  for (const { name, text, hashes } of golden)
    test(name, () => expect([...lineHashes(text)]).toEqual(hashes.map((hash, i) => [i + 1, hash])));
});

describe('sarif', () => {
  const log = () => JSON.parse(make('sarif'));
  test('has what code scanning needs', () => {
    const [run] = log().runs;
    expect(run.automationDetails.id).toMatch(/\/$/);
    const [rule] = run.tool.driver.rules;
    for (const key of [
      'id',
      'name',
      'shortDescription',
      'fullDescription',
      'help',
      'helpUri',
      'defaultConfiguration',
    ])
      expect(rule).toHaveProperty(key);
    expect(rule.properties).not.toHaveProperty('security-severity');
    const [result] = run.results;
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'db/a%20b.sql' },
      region: { startLine: 2, startColumn: 13, endLine: 2, endColumn: 22 },
    });
    expect(result.message.text).toContain('a\\[1\\]');
    expect(result.message.text).toContain('[place() loops](1)');
    expect(result.relatedLocations.map((one: { id: number }) => one.id)).toEqual([1, 2]);
    expect(result.codeFlows[0].threadFlows[0].locations.length).toBe(2);
    expect(Object.keys(result.partialFingerprints)).toEqual(['primaryLocationLineHash', 'subxact/v1']);
    expect(run.invocations[0].toolExecutionNotifications[0].message.text).toContain('db/bin.sql');
  });
  test('says which programs were not read', () => {
    const unread = [{ language: 'Go', files: 2 }];
    const [{ invocations }] = JSON.parse(make('sarif', [], { unread })).runs;
    expect(invocations[0].toolExecutionNotifications.at(-1)).toEqual({
      level: 'note',
      message: { text: 'programs in Go are not read (2 files).' },
    });
    for (const format of ['text', 'markdown', 'html'])
      expect(make(format, [], { unread })).toContain('programs in Go are not read (2 files)');
  });
  test('has results even when there are none', () =>
    expect(JSON.parse(make('sarif', [])).runs[0].results).toEqual([]));
  test('keeps what is held back, with its reason', () => {
    const held = [{ finding: note, by: 'baseline' as const, reason: 'It is in the baseline.' }];
    const { results } = JSON.parse(make('sarif', [finding], { held, baseline: true })).runs[0];
    expect(results.map((one: { baselineState: string }) => one.baselineState)).toEqual(['new', 'unchanged']);
    expect(results[1].suppressions).toEqual([{ kind: 'external', justification: 'It is in the baseline.' }]);
  });
  test('says how many it leaves out, the mildest first', () => {
    const many = [...Array.from({ length: 25_000 }, () => note), finding];
    const [run] = JSON.parse(make('sarif', many)).runs;
    expect(run.results.length).toBe(25_000);
    expect(run.results[0].level).toBe('error');
    expect(run.invocations[0].toolExecutionNotifications.at(-1).message.text).toMatch(/^1 results/);
  });
});

test('github escapes what its commands would read', () => {
  const [first] = make('github').split('\n');
  expect(first).toMatch(
    /^::error file=db\/a b\.sql,line=2,endLine=2,col=13,endColumn=22,title=subtransaction-in-loop::/,
  );
  expect(first).toContain('100%25.%0A');
});

test('gitlab has a fingerprint for each', () => {
  const issues = JSON.parse(make('gitlab'));
  expect(
    issues.map((one: { severity: string; fingerprint: string }) => [one.severity, one.fingerprint]),
  ).toEqual([
    ['major', 'f0'],
    ['info', 'f1'],
  ]);
  expect(issues[0].location).toEqual({ path: 'db/a b.sql', lines: { begin: 2, end: 2 } });
});

test('junit fails for errors and warnings, passes for notes, and is sound XML', () => {
  expect(make('junit')).toContain('tests="1" failures="1"');
  expect(make('junit')).toContain('a[1] &amp; &lt;b&gt; costs');
  expect(make('junit', [note])).toContain('tests="1" failures="0"');
});

test('comments that fail a run are counted as what they are, where nothing is found as well', () => {
  const wrong = { file: 'a.sql', line: 3, message: 'this comment gives no reason', partial: false };
  const last = (text: string) => text.trim().split('\n').at(-1);
  const text = (findings: Finding[], notices = [wrong]) => make('text', findings, { notices });
  expect(text([])).toContain('warning comment a.sql:3: this comment gives no reason\n');
  expect(last(text([]))).toBe('1 wrong comment in 2 files in 0.0 s');
  expect(last(text([finding, note], [wrong, wrong]))).toBe(
    '1 error, 2 wrong comments, 1 note in 2 files in 0.0 s',
  );
  expect(last(text([], []))).toBe('nothing found in 2 files in 0.0 s');
  expect(make('markdown', [], { notices: [wrong] })).toContain('**subxact**: 1 wrong comment in 2 files.');
});

test('what XML cannot hold does not stand in it', () => {
  const odd = { ...finding, message: 'a\u0000 \u000b \ufffe \uffff \u0085 b.' };
  for (const format of ['junit', 'checkstyle']) {
    const text = make(format, [odd]);
    expect(text).toContain('a\\u{0} \\u{b} \\u{fffe} \\u{ffff} \\u{85} b.');
    expect(text).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
  }
});

test('checkstyle groups by file', () => {
  expect(make('checkstyle').match(/<file /g)!.length).toBe(1);
  expect(make('checkstyle').match(/<error /g)!.length).toBe(2);
});

test('rdjson counts columns in bytes', () => {
  const [first] = JSON.parse(make('rdjson')).diagnostics;
  expect(first.location.range.start).toEqual({ line: 2, column: 14 });
  expect(first.suggestions).toEqual([
    { range: { start: { line: 2, column: 3 }, end: { line: 2, column: 8 } }, text: '' },
  ]);
});

test('gcc is one line each', () =>
  expect(make('gcc')).toMatch(
    /^db\/a b\.sql:2:13: error: .* \[subtransaction-in-loop\]\ndb\/a b\.sql:2:13: note: .*\n$/,
  ));

test('the underline stands below what it is about, whatever places the characters before it take', () => {
  FILES['wide.sql'] = '日本 e\u0301 👩 EXCEPTION';
  const wide = { ...finding, ...at('wide.sql', 'EXCEPTION'), trace: [], fixes: undefined };
  expect(make('text', [wide])).toContain(`\n    | ${' '.repeat(10)}^^^^^^^^^\n`);
});

test('who is stopped is told the ways out, and of many findings the one for an old code base', () => {
  const one = 'meant so? a comment on the line before allows it: subxact: allow RULE, because REASON\n';
  const old = 'is all of this old? subxact baseline keeps it, and only what is new fails\n';
  expect(make('text', [note])).not.toContain(one);
  expect(make('text', [finding])).toMatch(new RegExp(`${one.replaceAll('?', '\\?')}1 error in .*\\n$`));
  const many = Array.from({ length: 11 }, () => finding);
  expect(make('text', many)).toContain(one + old);
  expect(make('text', many, { baseline: true })).not.toContain(old);
});

test('markdown has no markup from names', () => {
  expect(make('markdown')).toContain('a\\[1\\] &amp; &lt;b&gt;');
  expect(make('markdown')).toContain('\\`a\\|b\\`');
  expect(make('markdown', [], { notices: [] }).trim()).toBe('**subxact**: nothing found in 2 files.');
  const held = [{ finding, by: 'baseline' as const, reason: 'x' }];
  expect(make('markdown', [], { notices: [], held, elsewhere: 3 }).trim()).toBe(
    '**subxact**: nothing new in 2 files; 1 in the baseline, 3 outside of the change.',
  );
});

test('what a change has no part in is counted, not dropped', () => {
  expect(JSON.parse(make('json', [], { elsewhere: 3 })).outside).toBe(3);
  expect(statistics({ ...report([]), elsewhere: 3 })).toMatch(/^ +3 {2}outside of the change$/m);
});

test('findings are counted by rule', () =>
  expect(statistics(report([finding, finding, note]))).toMatch(
    /^ +3 {2}subtransaction-in-loop \(2 errors, 1 note\)$/m,
  ));

test('markdown fits into a comment', () =>
  expect(
    make(
      'markdown',
      Array.from({ length: 1000 }, () => finding),
    ).length,
  ).toBeLessThan(65_536));

test('html stands alone and asks no network', () => {
  const page = make('html');
  expect(page).toContain('<svg');
  expect(page).toContain('&lt;b&gt; costs');
  expect(page).not.toMatch(/<script|<link|src=|url\(|@import/);
});

test('json has its version', () =>
  expect(JSON.parse(make('json'))).toMatchObject({ version: 1, findings: [{ line: 2, column: 13 }, {}] }));

describe('a comment for us that is wrong fails the run, so it is in every format that lists warnings', () => {
  const more = {
    notices: [
      { file: 'db/a b.sql', line: 2, message: 'this comment gives no reason: <x>', partial: false },
      { file: 'db/bin.sql', message: 'not read: it is binary', partial: true },
    ],
  };
  for (const format of ['gcc', 'github', 'gitlab', 'junit', 'checkstyle', 'rdjson', 'markdown', 'html', 'text', 'sarif', 'json'])
    test(format, () => {
      for (const findings of [[], [finding]]) expect(make(format, findings, more)).toContain('this comment gives no reason');
    });
  test('and what is read in part is counted for people', () => {
    for (const format of ['github', 'markdown', 'text']) expect(make(format, [], more)).toContain('1 file only partly analysed');
  });
  test('junit counts it as a failure', () => expect(make('junit', [finding], more)).toContain('tests="2" failures="2"'));
}); // biome-ignore format: lists

test('markdown of thousands, each with a long way and long names, fits into a comment', () => {
  const long: Finding = { ...finding, message: `${'`x|y` '.repeat(300)}. End.`, trace: Array.from({ length: 40 }, () => finding.trace[0]!) };
  const notices = Array.from({ length: 5000 }, (_, i) => ({ file: `${'d/'.repeat(900)}${i}.sql`, line: 1, message: 'wrong', partial: false }));
  const text = make('markdown', Array.from({ length: 5000 }, (_, i) => (i % 2 ? long : finding)), { notices });
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/\n\d+ more are not shown here\.\n/);
  expect(text).toContain('- 4990 more\n');
  expect(make('markdown', [{ ...long, message: 'x'.repeat(100_000) }])).toContain('1 more are not shown here');
}); // biome-ignore format: one thing

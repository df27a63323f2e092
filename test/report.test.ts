// report.schema.json against the reports of real runs of each kind; nothing in them is undescribed.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { against } from './schema.ts';
import { buildCli, LOOP, world } from './world.ts';

let cli = '';
beforeAll(() => {
  cli = buildCli('test-report');
}, 600_000);
const SCHEMA = JSON.parse(readFileSync('report.schema.json', 'utf8'));
const { place, finding } = SCHEMA.definitions;
const DESCRIBED = [...Object.keys(place.properties), ...Object.keys(finding.properties), 'by', 'reason'];

const UPSERT = LOOP.replace('check_violation', 'unique_violation').replaceAll('put_all', 'put_upsert');
const RETHROW = LOOP.replace('check_violation', 'others')
  .replace('NULL', 'RAISE')
  .replaceAll('put_all', 'put_raise');

const KINDS: [string, Record<string, string | Uint8Array>, string[][], (report: Report) => unknown][] = [
  ['nothing to read', {}, [[]], ({ files }) => files === 0],
  ['nothing found', { 'a.sql': 'SELECT 1;' }, [[]], ({ findings }) => findings.length === 0],
  ['findings', { 'a.sql': LOOP, 'b.sql': UPSERT, 'c.sql': RETHROW }, [[]], ({ findings }) => findings.some(({ also }) => also)],
  ['the inventory', { 'a.sql': LOOP }, [['inventory']], ({ findings }) => findings.length === 1],
  ['files that are not read, or in part', { 'a.sql': new Uint8Array([0]), 'b.sql': Buffer.from("SELECT '\xe9';", 'latin1'), 'c.py': 'def x(:\n  transaction.atomic(' }, [[]], ({ notices }) => notices.length > 1],
  ['comments, wrong ones too', { 'a.sql': `-- subxact: allow-file subtransaction-in-loop, because old\n${LOOP}-- subxact: allow\n` }, [[]], ({ held, notices }) => held[0]?.by === 'suppression' && notices.length === 1],
  ['a baseline', { 'a.sql': LOOP }, [['baseline'], []], ({ held }) => held[0]?.by === 'baseline'],
  ['several folders', { 'a/a.sql': LOOP, 'b/b.sql': UPSERT, 'c/c.sql': RETHROW }, [['a', 'b']], ({ findings }) => findings.length === 2],
  ['other folders than one stands in', { 'a/a.sql': LOOP }, [['--possible', '--stats', 'a/a.sql']], ({ findings }) => findings.length === 1],
  ['safe fixes', { 'a.sql': RETHROW.replace(/ {2}FOR .*\n/, '').replace(/ {2}END LOOP;\n/, '') }, [[]], ({ findings }) => findings[0]?.fixes],
  ['facts', { 'a.sql': LOOP }, [['facts', '-o', 'x.facts'], ['--facts', 'x.facts']], ({ findings }) => findings.length === 1],
]; // biome-ignore format: a table

interface Report {
  files: number;
  findings: { rule: string; also?: string[]; fixes?: object[] }[];
  held: { by: string }[];
  notices: object[];
}

for (const [name, files, runs, fits] of KINDS)
  test(name, () => {
    const made = world(() => cli);
    made.git('init', '-q');
    made.write(files);
    const ran = runs.map((args) => made.run(args[0] === 'baseline' || args[0] === 'facts' ? args : [...args, '-f', 'json']));
    const report = JSON.parse(ran.at(-1)!.out);
    expect(against(SCHEMA, report)).toEqual([]);
    for (const one of [...report.findings, ...report.held])
      expect(Object.keys(one).filter((key) => !DESCRIBED.includes(key))).toEqual([]);
    expect(fits(report), JSON.stringify(report, null, 1)).toBeTruthy();
  }); // biome-ignore format: one thing

test('the check itself sees what is wrong', () => {
  expect(against(SCHEMA, { version: 2 })).toContain('$.version: const 1');
  expect(against(SCHEMA, { version: 1 }).join()).toContain('required');
});

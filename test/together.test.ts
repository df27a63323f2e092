// One block of which several rules speak is one finding, and yet each rule is allowed, known and new by itself.
import { beforeAll, describe, expect, test } from 'vitest';
import { buildCli, LOOP, world } from './world.ts';

let cli = '';
beforeAll(() => {
  cli = buildCli('test-together');
}, 600_000);

const UPSERT = LOOP.replace('check_violation', 'unique_violation');
const [ONCE] = [UPSERT.replace(/ {2}FOR .*\n/, '').replace(/ {2}END LOOP;\n/, '')];
const allow = (rules: string) =>
  UPSERT.replace('    EXCEPTION', `    -- subxact: allow ${rules}, because it is small\n    EXCEPTION`);
const start = () => {
  const made = world(() => cli);
  made.git('init', '-q', '-b', 'main');
  const json = (...args: string[]) => JSON.parse(made.run([...args, '-f', 'json']).out);
  const rules = (...args: string[]) =>
    json(...args).findings.map(({ rule, also = [] }: { rule: string; also?: string[] }) => [rule, ...also]);
  const held = (...args: string[]) =>
    json(...args).held.map(({ rule, by }: { rule: string; by: string }) => `${rule} by ${by}`);
  return { ...made, json, rules, held };
};

describe('a comment', () => {
  const cases: [string, string, string[][], string[]][] = [
    ['that names the part', 'subtransaction-in-loop', [['exception-block-for-upsert']], ['subtransaction-in-loop']],
    ['that names the foremost', 'exception-block-for-upsert', [['subtransaction-in-loop']], ['exception-block-for-upsert']],
    ['that names both', 'exception-block-for-upsert, subtransaction-in-loop', [], ['exception-block-for-upsert', 'subtransaction-in-loop']],
  ]; // biome-ignore format: a table
  for (const [name, rule, left, gone] of cases)
    test(`${name} allows what it names, and is used`, () => {
      const { write, rules, held, json } = start();
      write({ 'a.sql': allow(rule) });
      expect(rules()).toEqual(left);
      expect(held()).toEqual(gone.map((one) => `${one} by suppression`));
      expect(json().notices).toEqual([]);
    });
});

describe('a baseline', () => {
  test('knows each of them', () => {
    const { write, run, rules, held } = start();
    write({ 'a.sql': UPSERT });
    expect(rules()).toEqual([['exception-block-for-upsert', 'subtransaction-in-loop']]);
    run(['baseline']);
    expect(rules()).toEqual([]);
    expect(held().length).toBe(2);
  });
  test('from before there was a rule holds the others back', () => {
    const { write, run, rules } = start();
    write({ 'a.sql': UPSERT, 'subxact.json': '{"rules": {"exception-block-for-upsert": "off"}}' });
    run(['baseline']);
    write({ 'subxact.json': '{}' });
    expect(rules()).toEqual([['exception-block-for-upsert']]);
  });
  test('does not hide a loop that came around a block that was known', () => {
    const { write, run, rules } = start();
    write({ 'a.sql': ONCE });
    expect(rules()).toEqual([['exception-block-for-upsert']]);
    run(['baseline']);
    write({ 'a.sql': UPSERT });
    expect(rules()).toEqual([['subtransaction-in-loop']]);
  });
});

test('a loop that a change adds is shown at the loop, once', () => {
  const { write, git, rules, found } = start();
  write({ 'a.sql': ONCE });
  git('add', '.');
  git('commit', '-qm', 'one');
  write({ 'a.sql': UPSERT });
  expect(found('--changed')).toEqual(['a.sql:3:3 [exception-block-for-upsert]']);
  expect(rules('--changed')).toEqual([['exception-block-for-upsert', 'subtransaction-in-loop']]);
});

test('each weighs what is configured for it, and the finding what the heaviest does', () => {
  const { write, json } = start();
  const severity = (rules: object) => {
    write({ 'a.sql': UPSERT, 'subxact.json': JSON.stringify({ rules }) });
    return json().findings.map((one: { severity: string; rule: string }) => `${one.severity} ${one.rule}`);
  };
  expect(severity({})).toEqual(['error exception-block-for-upsert']);
  expect(severity({ 'subtransaction-in-loop': 'note' })).toEqual(['warning exception-block-for-upsert']);
  expect(severity({ 'subtransaction-in-loop': 'off' })).toEqual(['warning exception-block-for-upsert']);
  expect(severity({ 'exception-block-for-upsert': 'off' })).toEqual(['error subtransaction-in-loop']);
});

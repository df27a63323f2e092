// What nobody would write and somebody will send: units, settings and names made to break the program.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { rules } from '../../rules/index.ts';
import { check, lower } from '../../src/analyse.ts';
import { emptyUnit, type Name, type Step, type Unit } from '../../src/ir.ts';
import { base } from '../../src/linker/graph/base.ts';
import { link } from '../../src/linker/link.ts';
import { ConfigError, findConfig } from '../../src/project/config/config.ts';
import { linesOf } from '../../src/project/files/lines.ts';
import { readBaseline } from '../../src/project/findings/baseline.ts';
import { readSuppressions } from '../../src/project/findings/suppressions.ts';
import { formats } from '../../src/reporters/index.ts';
import type { Finding } from '../../src/rule.ts';

const folder = mkdtempSync(join(tmpdir(), 'subxact-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const IDS = rules.map(({ id }) => id);
const RUNS = { numRuns: Number(process.env.SUBXACT_PROGRAMS ?? 300) };

// ---- the linker

const span = fc.record({ start: fc.nat(90), end: fc.nat(99) });
const relation = fc.constantFrom<Name | null>('sql:a', 'sql:public.a', 'sql:b', 'python:m.C', null);
const callee = fc.constantFrom<Name>(
  'sql:f',
  'sql:g',
  'python:m.C.save',
  'python:?.save',
  'ruby:X#y',
  'sql:nobody',
);
const name = fc.constantFrom<string | null>('a', 'b', null);
const times = fc.constantFrom(null, 0, 1, 64, 65);
const rows = fc.constantFrom('none', 'one', 'many', 'unknown');
const label = fc.option(fc.constantFrom('l', 'm'), { nil: undefined });
const on = fc.option(fc.constantFrom('other'), { nil: undefined, freq: 6 });
const certainty = fc.option(fc.constantFrom('likely', 'possible'), { nil: undefined });
const kind = <K extends Step['kind']>(...kinds: K[]) => fc.constantFrom(...kinds);
const { steps } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => {
  const handlers = fc.array(
    fc.record({ at: span, catches: fc.constantFrom(['others'], ['unique_violation'], []), body: tie('steps') }),
    { maxLength: 2 },
  );
  return {
    steps: fc.array(tie('step'), { maxLength: 4 }),
    step: fc.oneof(
      { depthSize: 'small' },
      fc.record({ kind: kind('begin', 'commit', 'rollback', 'yield', 'opaque'), at: span, on }),
      fc.record({ kind: kind('cast'), at: span, on, to: fc.constantFrom('integer', 'a') }),
      fc.record({ kind: kind('wait'), at: span, for: fc.constantFrom('sleep', 'network', 'lock') }),
      fc.record({ kind: kind('savepoint', 'release', 'rollback to'), at: span, name, on }),
      fc.record({ kind: kind('write', 'read', 'row lock'), at: span, relation, rows, on, certainty,
        verb: fc.constantFrom('insert', 'update', 'delete', 'merge', 'ddl'), strength: fc.constantFrom('share', 'update') }),
      fc.record({ kind: kind('exit'), at: span, label, how: fc.constantFrom('return', 'break', 'continue', 'raise') }),
      fc.record({ kind: kind('call'), at: span, callee, block: fc.option(tie('steps'), { nil: undefined }) }),
      fc.record({ kind: kind('scope'), at: span, on, certainty, opens: fc.constantFrom('transaction', 'subtransaction'),
        whenNested: fc.constantFrom('savepoint', 'join', 'separate', 'refuse'), label: fc.constant('it'),
        releases: fc.constantFrom('always', 'on success', 'never'), handlers, body: tie('steps') }),
      fc.record({ kind: kind('attempt'), at: span, body: tie('steps'), handlers, finally: tie('steps') }),
      fc.record({ kind: kind('loop'), at: span, over: fc.constantFrom('rows', 'query', 'range', 'retry'), times, label, body: tie('steps') }),
      fc.record({ kind: kind('branch'), at: span, exhaustive: fc.boolean(), arms: fc.array(tie('steps'), { maxLength: 3 }) }),
      fc.record({ kind: kind('block'), at: span, label, body: tie('steps') }),
    ) as Arbitrary<Step>,
  };
}); // biome-ignore format: one a line

const routine = fc.record({
  name: fc.constantFrom<Name>('sql:f', 'sql:g', 'python:m.C.save', 'ruby:X#y', 'sql:"run.sql"'),
  at: span,
  kind: fc.constantFrom('function', 'procedure', 'method', 'anonymous', 'script'),
  entry: fc.constantFrom('called', 'script', 'request', 'test', 'job'),
  startsIn: fc.constantFrom('caller', 'transaction', 'autocommit', 'unknown'),
  body: steps,
});
const trigger = fc.record({
  name: fc.constant('t'), at: span, relation: fc.constantFrom<Name>('sql:a', 'sql:b', 'python:m.C'), deferred: fc.boolean(),
  verbs: fc.constant(['insert', 'update', 'read']), each: fc.constantFrom('row', 'statement'),
  timing: fc.constantFrom('before', 'after'), via: fc.constantFrom('trigger', 'view', 'model callback'), body: steps,
}); // biome-ignore format: one record
const unit = fc
  .record({ routines: fc.array(routine, { maxLength: 4 }), triggers: fc.array(trigger, { maxLength: 2 }) })
  .map((parts): Unit => ({ ...emptyUnit('a.sql', 'sql'), ...(parts as unknown as Partial<Unit>) }));

test('the linker and the rules take any steps', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 2 }), (some) => {
      const units = some.map((one, i) => ({ ...one, file: `${i}.sql` }));
      const model = link(units);
      for (const one of model.transactions) {
        expect(one.counts).not.toBeNaN();
        expect(one.least).toBeLessThanOrEqual(one.counts);
      }
      for (const finding of check(model, IDS, true))
        expect(finding.message).not.toMatch(/undefined|NaN|\[object/);
    }),
    // One seed: of some others a hundred programs take five seconds.
    { numRuns: 100, seed: 7 },
  );
}, 120_000);

// ---- files that people or attackers write for us

const value = fc.jsonValue({ maxDepth: 4 });
const entries = fc.dictionary(
  fc.constantFrom(
    'rules',
    'include',
    'exclude',
    'postgres',
    'overrides',
    'baseline',
    '__proto__',
    'constructor',
    'x',
  ),
  value,
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  entries.map((all) => JSON.stringify(all)),
  fc.constantFrom(
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
    '{"rules":{"__proto__":{"x":"error"}}}',
    '\u0000',
    '\uFEFF{}',
  ),
);

test('a configuration is read or refused with its place', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('subxact.json', 'pyproject.toml', 'package.json'), (written, file) => {
      const path = join(folder, file);
      writeFileSync(path, file.endsWith('.toml') ? `[tool.subxact]\n${written}` : written);
      try {
        findConfig(folder, folder, IDS, path);
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
      }
    }),
    RUNS,
  );
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test('a baseline is read or refused', () => {
  fc.assert(
    fc.property(text, (written) => {
      const path = join(folder, 'baseline.json');
      writeFileSync(path, written);
      try {
        readBaseline(path);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toBeInstanceOf(RangeError);
      }
    }),
    RUNS,
  );
});

// ---- names in reports

const dirty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u001b[2J',
      '\u0007',
      '\u009b',
      '\u202e',
      '\n',
      '\r',
      '\u0000',
      '\ud800',
      '<',
      '&',
      '"',
      '|',
      '`',
      ']]>',
      '%0A',
      '::',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
  ),
  maxLength: 12,
});

test('a pointcut of many stars is asked of a name that nearly fits', async () => {
  const xml = `<beans xmlns="http://www.springframework.org/schema/beans">
  <tx:advice id="advice"><tx:attributes><tx:method name="*" propagation="NESTED"/></tx:attributes></tx:advice>
  <aop:config><aop:advisor advice-ref="advice" pointcut="execution(* com.acme.Orders.${'*a'.repeat(20)}b*(..))"/></aop:config>
</beans>`;
  const java = `package com.acme; class Orders { void ${'a'.repeat(60)}() {} void ${'a'.repeat(60)}b() {} }`;
  const units = [await lower('context.xml', xml), await lower('Orders.java', java)];
  const { program } = base(units.filter((unit): unit is Unit => unit !== null));
  const woven = program.linked.filter(({ name, body }) => name.includes('Orders.a') && body.length > 0);
  expect(woven.map(({ name }) => name.endsWith('b'))).toEqual([true]);
});

describe('hostile names', () => {
  test.each(Object.keys(formats))('in %s reach no terminal raw, and it stays valid', (format) => {
    fc.assert(
      fc.property(dirty, dirty, dirty, (file, message, words) => {
        const at = { start: 0, end: 1 };
        const finding: Finding = {
          rule: 'subtransaction-in-loop', severity: 'error', certainty: 'certain', file, at, message, remedy: words,
          trace: [
            { file, at, says: message, repeats: true },
            { file, at, says: words, repeats: false },
          ], subject: message, routine: 'sql:a',
          fixes: [{ title: words, safe: false, edits: [{ file, at, replacement: words }] }],
        }; // biome-ignore format: one record
        const out = formats[format]!(
          {
            tool: { name: 'subxact', version: '1', homepage: 'https://example.org' },
            rules: [
              {
                id: finding.rule,
                severity: 'error',
                summary: 'x',
                link: 'https://example.org',
                page: () => '# x\n',
              },
            ],
            findings: [finding],
            held: [{ finding, by: 'suppression', reason: words }],
            baseline: false,
            part: '',
            elsewhere: 0,
            notices: [{ file, message: words, partial: true }],
            counts: { files: 1, parsed: 1, milliseconds: 1 },
            fingerprint: () => 'f',
            region: () => ({ line: 1, column: 1, endLine: 1, endColumn: 2 }),
            line: () => words,
            raw: () => words,
            display: (one) => one,
          },
          { color: false, links: false },
        );
        expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        if (['json', 'sarif', 'gitlab', 'rdjson'].includes(format)) JSON.parse(out);
      }),
      RUNS,
    );
  });
});

test('a comment for us that has no end of blanks is read at once', () => {
  const line = `-- subxact: allow${' '.repeat(100_000)}because${':'.repeat(100_000)}`;
  const { list, wrong } = readSuppressions('a.sql', linesOf(line), IDS);
  expect([list.length, wrong.length]).toEqual([0, 1]);
});

test('a configuration of one long line is read at once', () => {
  const path = join(folder, 'pyproject.toml');
  writeFileSync(
    path,
    `x = [ ${'1, '.repeat(300_000)}]\n[${' '.repeat(300_000)}\n[tool.subxact]\npostgres = 16\n`,
  );
  expect(findConfig(folder, folder, IDS, path).config.postgres).toBe(16);
});

// ---- texts of great depth

const deep = (n: number, open: string, middle: string, close: string) =>
  open.repeat(n) + middle + close.repeat(n);
/** Each calls the one before it forty times. */
const calls = (names: string[]) =>
  names.map((name, i) => `${name} = -> { ${i === 0 ? 'save!' : `${names[i - 1]}.call\n`.repeat(40)} }\n`);
const chain = (n: number, line: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => line(i)).join('');
/** What is made of one thing after the other, and gone over in a transaction. */
const looped = (what: string, before: string): string =>
  `from django.db import transaction\n\n@transaction.atomic\ndef run(a):\n${before}    for one in ${what}:\n        Order.objects.get_or_create(name=one)\n`;
const TEXTS: Record<string, string> = {
  'parentheses.sql': `SELECT ${deep(100_000, '(', '1', ')')};`,
  'blocks.sql': `DO $$ ${deep(10_000, 'BEGIN ', 'NULL;', 'EXCEPTION WHEN OTHERS THEN NULL; END; ')} $$;`,
  'parentheses.py': `x = ${deep(100_000, '(', '1', ')')}\n`,
  'parentheses.rb': `x = ${deep(100_000, '(', '1', ')')}\n`,
  'Parentheses.java': `class A { int x = ${deep(100_000, '(', '1', ')')}; }`,
  'parentheses.kt': `val x = ${deep(20_000, '(', '1', ')')}\n`,
  'blocks.rb': `def a\n${deep(10_000, 'transaction(requires_new: true) do\n', 'save!\n', 'end\n')}end\n`,
  'lambdas.rb': `def x\n${calls(['a', 'b', 'c', 'd', 'e']).join('')}e.call\nend\n`,
  'application.yml': `postgres: {${'"autosave": always, '.repeat(20_000)}}`,
  'blanks.yml': `${' '.repeat(1_000_000)}\nautosave: always\n`,
  'Mapper.xml': `<mapper namespace="a.B">\n<sql id="s">\n${'<include refid="s"/>\n'.repeat(30)}</sql>\n<insert id="i"><include refid="s"/></insert>\n</mapper>`,
  'siblings.yml': `datasource:\n${'  autosave: always\n'.repeat(20_000)}`,
  'Comments.java': `class A { static final String S = "${'-- '.repeat(40_000)}savepoint"; }`,
  'front.sql': `--- yaml\ntitle: a\n${`${' '.repeat(8)}a: b\n`.repeat(40)}-- and no end\nSAVEPOINT a;`,
  'word.py': `import psycopg2\nTEXT = "${'a'.repeat(100_000)}"\ndef f(conn):\n    conn.cursor().execute(TEXT)\n`,
  'word.rb': `def f(order)\n  text = "${'a'.repeat(100_000)}"\n  order.lines.build\n  order.save!\nend\n`,
  'go.sql': `${'\n'.repeat(100_000)}GO${'\n'.repeat(100_000)}.\nSAVEPOINT a;`,
  'variables.py': looped(
    'x0',
    chain(3000, (i) => `    x${i} = x${i + 1}\n`),
  ),
  'choices.py': looped(
    'x0',
    chain(3000, (i) => `    x${i} = x${i + 1} if a else x${i + 1}\n`),
  ),
  'lists.py': looped('x', `    x = []\n${'    x.append(1)\n'.repeat(20_000)}`),
  'returns.py': `${looped('f0()', '')}${chain(3000, (i) => `def f${i}():\n    return f${i + 1}()\n`)}`,
  'Blocks.java': `class A { void a() ${deep(10_000, '{ ', 'x();', ' }')} }`,
};
/** Not deep but long: those are read whole. */
const LONG = new Set(['variables.py', 'choices.py', 'lists.py', 'returns.py']);
test.each(Object.keys(TEXTS))(
  '%s is read to its end or listed, and does not throw',
  async (file) => {
    const one = await lower(file, TEXTS[file]!);
    if (one) check(link([one]), IDS, true);
    if (LONG.has(file)) expect(one?.problems).toEqual([]);
  },
  120_000,
);

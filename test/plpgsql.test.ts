// PL/pgSQL and the other procedural languages: as libpg_query reads it, tolerant of half-typed text, bounded on any text.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { loadModule } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';
import { describe as says } from '../src/describe.ts';
import { lowerBody } from '../src/frontends/plpgsql/body.ts';
import { plain } from '../src/frontends/source.ts';
import { inside, type Step } from '../src/ir.ts';
import { definitions, ours, theirs } from './plpgsql-outline.ts';

const SAMPLE = readFileSync('test/plpgsql-sample.sql', 'utf8');

function walk(steps: Step[], visit: (step: Step) => void): void {
  for (const step of steps) {
    visit(step);
    for (const list of inside(step)) walk(list, visit);
  }
}

/** All steps, outside in, as text. */
function lowered(text: string, language = 'plpgsql'): string[] {
  const out: string[] = [];
  walk(lowerBody(language, plain(text), {}).steps, (step) => out.push(says(step)));
  return out;
}

test('a body that PostgreSQL could not read is said to be one, but where somebody makes another text of it first', () => {
  const problems = (text: string) =>
    lowerBody('plpgsql', plain(text), {}).problems.map(({ message }) => message);
  expect(problems('BEGIN UPDAT t SET a = 1; END;')).toEqual(['a statement that starts with UPDAT']);
  expect(problems('BEGIN {{ log }} UPDAT t SET a = 1; END;')).toEqual([]);
  expect(problems('BEGIN\n#ifdef FAST\n  TRACE on;\n#endif\nEND;')).toEqual([]);
  expect(problems('BEGIN LOG(a); PERFORM g(); SET ROLE a; NOTIFY b; a.b[1] := 1; END;')).toEqual([]);
  // The last END needs no semicolon, whether a label follows it or not.
  expect(problems('<<all>> BEGIN NULL; END all')).toEqual([]);
  expect(problems('<<all>> BEGIN NULL; END "all"')).toEqual([]);
  expect(problems('<<all>> BEGIN BEGIN NULL; END all UPDAT t SET a = 1; END')).toEqual([
    'a statement that starts with all',
  ]);
});

describe('the sample', () => {
  beforeAll(() => loadModule());
  const all = definitions(SAMPLE);
  test('has its functions', () => expect(all.length).toBe(4));
  for (const one of all)
    test(`line ${one.line} reads as libpg_query reads it`, () =>
      expect(ours(one.body)).toEqual(theirs(one.statement)));
});

describe('half-typed text', () => {
  const block = (body: string) =>
    `BEGIN\n  BEGIN\n    ${body}\n  EXCEPTION WHEN OTHERS THEN\n    NULL;\n  END;\n  PERFORM last();\nEND;`;
  const cases: [string, string][] = [
    ['a statement without its end', 'PERFORM f(1, '],
    ['an assignment without a value', 'x := '],
    ['a string of an expression', "x := 'a' ||"],
    ['IF without THEN', 'IF x '],
    ['IF without END IF', 'IF x THEN\n      PERFORM a();'],
    ['a loop without END LOOP', 'FOR i IN 1..10 LOOP\n      PERFORM a();'],
    ['END without IF', 'IF x THEN\n      PERFORM a();\n    END'],
    ['CASE of an expression without END', 'x := CASE WHEN a THEN'],
    ['a macro', '@MACRO@\n    {{ jinja }};'],
    ['directives', '#ifdef X\n    PERFORM a();\n#else\n    PERFORM b();\n#endif'],
    ['END LOOP without a loop', 'END LOOP;'],
    ['ELSE without IF', 'ELSE PERFORM b();'],
  ];
  for (const [name, body] of cases)
    test(`${name} leaves the block and its handler`, () => {
      const came = lowered(block(body));
      expect(came).toContain('subtransaction (EXCEPTION block) catches others');
      expect(came[came.length - 1]).toBe('call last');
    });
  test('a block whose end is still missing', () => {
    expect(
      lowered(
        'BEGIN\n  FOR r IN SELECT 1 LOOP\n    BEGIN\n      PERFORM f();\n    EXCEPTION WHEN unique_violation',
      ),
    ).toEqual(['loop rows 1 times', 'subtransaction (EXCEPTION block) catches unique_violation', 'call f']);
  });
  test('a declaration without its semicolon', () => {
    expect(lowered('DECLARE\n  x int\nBEGIN\n  PERFORM f();\nEND')).toEqual(['call f']);
  });
});

describe('any text', () => {
  const bodies: [string, string][] = [
    ...definitions(SAMPLE).map((one): [string, string] => ['plpgsql', one.body]),
    [
      'plpython3u',
      'import x\nfor i in [1]:\n  with plpy.subtransaction():\n    plpy.execute("UPDATE t SET a = %s" % i)\n  try:\n    p = plpy.prepare("SELECT 1")\n  except:\n    raise\n',
    ],
    [
      'plperl',
      'my $x = 1;\nfor my $i (1..3) { spi_exec_query("UPDATE t SET a = $x"); eval { die }; }\nmy $q = <<SQL;\nSELECT 1\nSQL\n',
    ],
    [
      'pltcl',
      'foreach x $l {\n  spi_exec -array a "SELECT 1" {\n    subtransaction { spi_exec {DELETE FROM t} }\n  }\n}\n',
    ],
    [
      'plv8',
      'ids.forEach(function (i) { plv8.subtransaction(() => { plv8.execute(`UPDATE t SET a = ` + i) }) });\n',
    ],
  ];
  const scraps = [
    'BEGIN',
    'END',
    'END IF;',
    'LOOP',
    "'",
    '"',
    '$$',
    '$a$',
    '(',
    ')',
    ';',
    'EXCEPTION WHEN',
    'IF',
    'CASE',
    '/*',
    '{',
    '}',
    '[',
    '"""',
    '<<',
    '\n',
    '\\',
    '#',
    'DECLARE',
  ];
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(60),
    put: fc.constantFrom('', ...scraps),
  });
  const runs = Number(process.env.SUBXACT_FUZZ ?? 2000);

  test(`${runs} mutated and truncated bodies are read without a crash, and every place is in the text`, {
    timeout: 3_600_000,
  }, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        fc.array(edit, { maxLength: 6 }),
        fc.boolean(),
        ([language, body], edits, cut) => {
          let text = body;
          for (const one of edits) {
            const place = Math.floor(one.at * text.length);
            text =
              cut && one === edits[0]
                ? text.slice(0, place)
                : text.slice(0, place) + one.put + text.slice(place + one.length);
          }
          walk(lowerBody(language, plain(text), {}).steps, ({ at }) => {
            if (at.start < 0 || at.end < at.start || at.end > text.length)
              throw new Error(`a place outside of the text: ${at.start}–${at.end}`);
          });
        },
      ),
      { numRuns: runs },
    );
  });

  const hostile: [string, string, (n: number) => string][] = [
    [
      'nested blocks',
      'plpgsql',
      (n) => `${'BEGIN '.repeat(n)}NULL; ${'EXCEPTION WHEN OTHERS THEN NULL; END; '.repeat(n)}`,
    ],
    ['nested loops', 'plpgsql', (n) => `${'LOOP '.repeat(n)}NULL; ${'END LOOP; '.repeat(n)}`],
    ['nested ifs that never end', 'plpgsql', (n) => `BEGIN ${'IF a THEN '.repeat(n)}`],
    ['parentheses', 'plpgsql', (n) => `BEGIN x := ${'('.repeat(10 * n)}1${')'.repeat(10 * n)}; END`],
    ['parentheses that never close', 'plpgsql', (n) => `BEGIN x := ${'(f'.repeat(10 * n)}`],
    ['ends without beginnings', 'plpgsql', (n) => 'END; END LOOP; EXCEPTION WHEN x THEN ELSE '.repeat(n)],
    ['statements', 'plpgsql', (n) => `BEGIN ${"x := 'a' || x; EXECUTE x; ".repeat(n)} END`],
    [
      'variables',
      'plpgsql',
      (n) =>
        `DECLARE ${Array.from({ length: n }, (_, i) => `v${i} text := 'SELECT 1'; `).join('')} BEGIN NULL; END`,
    ],
    [
      'branches that set text',
      'plpgsql',
      (n) =>
        `DECLARE s text := 'SELECT 1'; BEGIN ${"IF a THEN s := s || 'x'; END IF; ".repeat(n)} EXECUTE s; END`,
    ],
    [
      'nested dollar quotes',
      'plpgsql',
      (n) => `BEGIN ${Array.from({ length: n }, (_, i) => `EXECUTE $a${i}$ DO $b${i}$ BEGIN `).join('')}`,
    ],
    [
      'Python indentation',
      'plpython3u',
      (n) => Array.from({ length: Math.min(n, 2000) }, (_, i) => `${' '.repeat(i)}if x:\n`).join(''),
    ],
    [
      'Python functions that call each other',
      'plpython3u',
      (n) =>
        `${Array.from({ length: n }, (_, i) => `def f${i + 1}():\n  f${i}()\n  f${i}()\n`).join('')}f9()\n`,
    ],
    ['Python brackets', 'plpython3u', (n) => `plpy.execute(${'['.repeat(10 * n)}`],
    ['Perl braces', 'plperl', (n) => '{ eval { if (1) { '.repeat(n)],
    ['Perl quotes', 'plperl', (n) => 'spi_exec_query(q{ '.repeat(n)],
    ['JavaScript functions', 'plv8', (n) => 'x.map(function () { plv8.execute(`${'.repeat(n)],
    [
      'JavaScript text twice as long each time',
      'plv8',
      (n) => `s = 'x';\n${'s = s + s;\n'.repeat(n)}plv8.execute(s)`,
    ],
    [
      'Perl text twice as long each time',
      'plperl',
      (n) => `$s = 'x';\n${'$s = $s . $s;\n'.repeat(n)}spi_exec_query($s)`,
    ],
    [
      'PL/pgSQL text twice as long each time',
      'plpgsql',
      (n) => `DECLARE s text := 'x'; BEGIN ${'s := s || s; '.repeat(n)} EXECUTE s; END`,
    ],
    [
      'Python text twice as long each time',
      'plpython3u',
      (n) => `s = 'x'\n${'s = s + s\n'.repeat(n)}plpy.execute(s)\n`,
    ],
    [
      'Tcl text twice as long each time',
      'pltcl',
      (n) => `set s x\n${'set s "$s$s"\n'.repeat(n)}spi_exec $s\n`,
    ],
    ['Tcl braces', 'pltcl', (n) => 'if {$a} { catch { '.repeat(n)],
    ['Tcl brackets', 'pltcl', (n) => 'set a [spi_exec "[b '.repeat(n)],
  ];
  for (const [name, language, text] of hostile)
    test(`${name}: the time grows with the length`, { timeout: 60_000 }, () => {
      const time = (n: number) => {
        const source = plain(text(n));
        const start = performance.now();
        JSON.stringify(lowerBody(language, source, {}));
        return performance.now() - start;
      };
      time(1000);
      const small = Math.min(time(2500), time(2500));
      const large = Math.min(time(10_000), time(10_000));
      // Four times the text; ten times the time would be quadratic, and the machine is noisy.
      expect(large).toBeLessThan(Math.max(1000, 12 * small));
    });
});

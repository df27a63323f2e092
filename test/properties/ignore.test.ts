// What random ignore patterns say of random files: the same as git says of them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, test } from 'vitest';
import { ignored, parseIgnore } from '../../src/project/files/ignore.ts';

const SIGNS =
  `a b c ab a.b * * ** *** ? / / / **/ /** # ! \\# \\! \\* \\[ a\\ é ?é ö 😀 . - A + $ ^ {a,b} (a|b) [ab] [!a] [^a] [a-c] [c-a]
  []] []a] [!]a] [a-] [-a] [\\]] [\\a-c] [a-\\c] [a\\] [a [a/b] [é] [[] [+--] [.-0] [!a-c]* [[:alpha:]] [[:digit:]a] [[:upper:]]
  [[:space:]] [[:foo:]]`.split(/\s+/);
const NAMES = 'a b c ab abc a.b aa A é # ! a* [ ] - a- .a {a,b} 😀 \\ a\\ ^ $ + [a 1'.split(' ');

const folder = mkdtempSync(join(tmpdir(), 'subxact-ignore-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = fc
  .tuple(
    fc.constantFrom('', '', '', '!'),
    fc.constantFrom('', '', '/'),
    fc.array(fc.constantFrom(...SIGNS, ' ', '\\ '), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '', '/', ' ', '  ', '\\ ', '\t', '\r'),
  )
  .map(([not, from, signs, end]) => not + from + signs.join('') + end);
const name = fc.constantFrom(...NAMES, 'a b', 'b a', 'a ', ' ');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

test('random patterns ignore what git ignores', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  let round = 0;
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.array(path, { minLength: 10, maxLength: 10 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\n'),
      (lines, folders, between, end) => {
        // A folder of its own, for what stands in one decides what is a folder.
        const base = String(round++);
        for (const one of folders) mkdirSync(join(folder, base, one), { recursive: true });
        const text = lines.join(between) + end;
        writeFileSync(join(folder, base, '.gitignore'), text);
        const asked = folders.flatMap((one) => [one, `${one}/x`, `${one}/ö`]);
        const file = parseIgnore(text, base);
        const isIgnored = (one: string): boolean => {
          const cut = one.lastIndexOf('/');
          const above = cut > 0 && isIgnored(one.slice(0, cut));
          return above || ignored([file], `${base}/${one}`, !/\/[xö]$/.test(one));
        };
        const said = gitIgnores(asked.map((one) => `${base}/${one}`));
        for (const one of asked)
          if (isIgnored(one) !== said.has(`${base}/${one}`))
            throw new Error(`${JSON.stringify(one)} with ${JSON.stringify(text)}: git says otherwise`);
      },
    ),
    { numRuns: Number(process.env.SUBXACT_PROGRAMS ?? 150), seed: Number(process.env.SUBXACT_SEED ?? 1) },
  );
}, 600_000);

/** Of each path the last pattern that fits; it is ignored unless that one begins with `!`. */
function gitIgnores(paths: string[]): Set<string> {
  const asked = ['check-ignore', '-z', '-v', '-n', '--no-index', '--stdin'];
  let out: string;
  try {
    out = execFileSync('git', asked, { cwd: folder, input: `${paths.join('\0')}\0`, encoding: 'utf8' });
  } catch (error) {
    out = (error as { stdout: string }).stdout; // none is ignored
  }
  const fields = out.split('\0');
  const ignores = new Set<string>();
  for (let i = 0; i + 3 < fields.length; i += 4)
    if (fields[i + 2] !== '' && !fields[i + 2]!.startsWith('!')) ignores.add(fields[i + 3]!);
  return ignores;
}

// Repeats each line of each fixture, alone and with those after it, and some sign in its middle, until the text is long: four times the text may not take sixteen times as long.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../rules/index.ts';
import { check } from '../../src/analyse.ts';
import { frontendFor, frontends } from '../../src/frontends/index.ts';
import { link } from '../../src/linker/link.ts';
import { type Example, readPage, readProject } from '../markdown.ts';
import { randomOf } from './mutate.ts';

const [share = '1', seed = '1'] = process.argv.slice(2);
/** What takes less is not measured: a clock says nothing of it. */
const MILLISECONDS = 150;
/** Characters of the text that is looked at first, and of the two that are compared. */
const [FIRST, SHORT, LONG] = [20_000, 10_000, 40_000];
/** A text that takes time in proportion takes four times as long, one that each line goes over takes sixteen times. */
const TOO_MUCH = 12;

const IDS = rules.map(({ id }) => id);
const loaded = new Map(
  await Promise.all(frontends.map(async (one) => [String(one.files), await one.load()] as const)),
);

/** What somebody may write any number of in one line, or instead of one. */
const SIGNS = [
  ...' \n\r\t\u2028a0_.,;:+-*/\\=<>()[]{}"\'`$#@%&|?!~^', 'a ', 'a.', 'a, ', 'a=', '"a" ', '""', "''", '--', '-- a ', '/*', '*/', '//', '<a ', '<!--', '{{', '{%', '{# ', '${', '#{', '$$', 'f(', 'f()', '->', '::', '\\n', '\r\n',
]; // biome-ignore format: a list

const pages = (folder: string): Example[] =>
  readdirSync(folder)
    .filter((one) => one.endsWith('.md'))
    .flatMap((one) => readPage(join(folder, one)));
const examples = [
  ...pages('fixtures/languages'),
  ...pages('fixtures/frameworks'),
  ...rules.flatMap(({ id }) => readPage(`rules/${id}/rule.md`)),
  ...readdirSync('fixtures/projects').map((one) => readProject(join('fixtures/projects', one))),
];

const random = randomOf(Number(seed));
let [tried, slow] = [0, 0];
for (const { files } of examples)
  for (const { path, text } of files) {
    const lines = text.split('\n');
    for (let from = 0; from < lines.length; from++)
      for (const [before, chunk, behind] of places(lines, from)) {
        if (random(1000) >= Number(share) * 1000) continue;
        tried++;
        const spent = (length: number) => {
          const whole = before + chunk.repeat(Math.ceil(length / chunk.length)) + behind;
          return spentOn(files.map((one) => (one.path === path ? { path, text: whole } : one)));
        };
        if (spent(FIRST) < MILLISECONDS) continue;
        // The least of some runs, for a busy machine makes a text seem slower than it is and never faster.
        const least = (length: number) => Math.min(spent(length), spent(length), spent(length));
        const [short, long] = [least(SHORT), least(LONG)];
        if (long < MILLISECONDS * 2 || long < short * TOO_MUCH) continue;
        slow++;
        const times = `${SHORT} characters take ${short.toFixed(0)} ms, ${LONG} ${long.toFixed(0)}`;
        console.log(`${path}:${from + 1}: ${times}, of ${JSON.stringify(chunk)}`);
      }
  }
console.log(`repeats: ${tried} texts, ${slow} take more than their length`);
process.exit(slow ? 1 : 0);

/** What can be repeated at this line, and what stands before and behind it. */
function places(lines: string[], from: number): [before: string, chunk: string, behind: string][] {
  const line = lines[from]!;
  if (line.trim() === '') return [];
  const before = lines.slice(0, from).map((one) => `${one}\n`).join('');
  const chunks = [1, 2, 4].filter((count) => from + count <= lines.length).map((count): [string, string, string] => [
    before, `${lines.slice(from, from + count).join('\n')}\n`, lines.slice(from + count).join('\n'),
  ]);
  const at = random(line.length + 1);
  const behind = [line.slice(at), ...lines.slice(from + 1)].join('\n');
  return [...chunks, [before + line.slice(0, at), SIGNS[random(SIGNS.length)]!, behind]];
} // biome-ignore format: a table

/** Milliseconds of processor time from text to findings. */
function spentOn(files: { path: string; text: string }[]): number {
  const start = process.cpuUsage();
  const units = files.flatMap(({ path, text }) => {
    const entry = frontendFor(path);
    return (entry && loaded.get(String(entry.files))!.lower(path, text)) ?? [];
  });
  if (units.length > 0) check(link(units), IDS, true);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

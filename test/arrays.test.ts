// The bundles' loops over arrays do what the written ones do: both are run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
// @ts-expect-error a script of the build, without types
import { withoutIterators } from '../scripts/arrays.mjs';

const folder = mkdtempSync(join(tmpdir(), 'subxact-arrays-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (text: string) => new Function(`${transformSync(text, { loader: 'ts' }).code}; return out;`)();

const REWRITTEN: [string, string][] = [
  ['a list that grows meanwhile', 'for (const x of list) { out.push(x); if (list.length < 6) list.push(x); }'],
  ['a list that is another one meanwhile', 'for (const x of list) { out.push(x); list = []; }'],
  ['no block', 'for (const x of list) for (const y of list) if (x < y) out.push([x, y]);'],
  ['labels', 'outer: for (const x of list) for (const y of list) { if (y > x) continue outer; out.push(y); }'],
  ['a name that the body takes again', 'for (const x of list) { const y = x; { const x = y + 1; out.push(x); } }'],
  ['what closes over the name', 'const all: (() => number)[] = []; for (const x of list) all.push(() => x); out.push(...all.map((one) => one()));'],
  ['one that is changed', 'for (let x of list) { x *= 2; out.push(x); }'],
  ['pairs', 'for (const [a, , b = 7] of [[1, 2, 3], [4, 5]]) out.push(a, b);'],
  ['objects in a pattern', 'const [{ a }, { a: b }] = [{ a: 1 }, { a: 2 }]; out.push(a, b);'],
  ['a pattern whose value has loops', 'const [a] = list.map((x) => { for (const y of list) x += y; return x; }); out.push(a);'],
]; // biome-ignore format: a table

const STAYS = [
  'for (const x of new Set([1, 2])) out.push(x);',
  'for (const [k, v] of new Map([[1, 2]])) out.push(k, v);',
  'for (const c of "a\u{1F600}b") out.push(c);',
  'for (const [x] of [new Set([1]), new Set([2])]) out.push(x);',
  'const [x] = new Set([1]); out.push(x);',
  'const [x, ...rest] = [1, 2, 3]; out.push(x, rest);',
  'const either: number[] | Set<number> = new Set([1]) as never; for (const x of either) out.push(x);',
];

const before = (body: string) => `let list: number[] = [3, 1, 2]; const out: unknown[] = []; ${body}`;
const files = [...REWRITTEN.map(([, body]) => body), ...STAYS].map((body, i) => {
  const file = join(folder, `${i}.ts`);
  // A module, so that no file sees another's names.
  writeFileSync(file, `${before(body)} export {};`);
  return file;
});
const rewrite = withoutIterators(files);
const after = (i: number): string => rewrite(files[i]!).replace(' export {};', '');

test.each(REWRITTEN.map(([what, body], i) => [what, body, i] as const))('%s', (_, body, i) => {
  const text = after(i);
  expect(text).not.toMatch(/\bof (?:list|\[)|const \[(?!\])/);
  expect(run(text)).toEqual(run(before(body)));
  expect(run(text)).not.toEqual([]);
});

test.each(STAYS.map((body, i) => [body, i] as const))('stays: %s', (body, i) => {
  expect(after(REWRITTEN.length + i)).toBe(before(body));
  expect(run(before(body))).not.toEqual([]);
});

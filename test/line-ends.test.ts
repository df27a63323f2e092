// What a file says depends neither on its line ends nor on empty lines: our pages give the same units, but for places.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lower } from '../src/analyse.ts';
import { readPage, readProject } from './markdown.ts';

const list = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });
const pages = ['rules', 'fixtures/languages', 'fixtures/frameworks'].flatMap((folder) =>
  list(folder).flatMap((file) => (file.endsWith('.md') ? readPage(`${folder}/${file}`) : [])),
);
const projects = readdirSync('fixtures/projects').map((name) => readProject(`fixtures/projects/${name}`));
const files = [...pages, ...projects].flatMap((example) => example.files);

/** A file's unit as text; `place` says where a place would be without what was changed. */
async function said(
  path: string,
  text: string,
  place: (at: number, isEnd: boolean) => number,
): Promise<string> {
  return JSON.stringify(await lower(path, text), (key, value) => {
    if (typeof value === 'string') return value.replaceAll('\r', '');
    return (key === 'start' || key === 'end') && typeof value === 'number'
      ? place(value, key === 'end')
      : value;
  });
}

/** How many carriage returns stand before each place. */
function returnsBefore(text: string): Uint32Array {
  const before = new Uint32Array(text.length + 1);
  for (let i = 0; i < text.length; i++) before[i + 1] = before[i]! + Number(text[i] === '\r');
  return before;
}

function firstDifference(right: string, found: string): string {
  let at = 0;
  while (right[at] === found[at]) at++;
  const from = Math.max(0, at - 80);
  return `…${right.slice(from, at + 60)} became …${found.slice(from, at + 60)}`;
}

test('carriage returns change nothing', async () => {
  expect(files.length).toBeGreaterThan(800);
  const wrong: string[] = [];
  for (const { path, text, page, pageLine } of files) {
    const windows = text.replaceAll('\n', '\r\n');
    const right = await said(path, text, (at) => at);
    const before = returnsBefore(windows);
    // What ends between a carriage return and its line's end has that return still.
    const found = await said(path, windows, (at, isEnd) => {
      const within = isEnd && windows[at - 1] === '\r';
      return at - before[at]! + Number(within);
    });
    if (found !== right) wrong.push(`${page}:${pageLine} ${firstDifference(right, found)}`);
  }
  expect(wrong).toEqual([]);
});

/** The first line, which may say what the file is, and the rows that it brings along: among these an empty line is a row too. */
const firstLine = /^(?:.*\bFROM stdin\b(?:.*\n)*?\\\.|.*)\n/i;

test('empty lines change nothing but places', async () => {
  const wrong: string[] = [];
  for (const { path, text, page, pageLine } of files) {
    const right = await said(path, text, () => 0);
    const found = await said(path, text.replace(firstLine, '$&\n\n\n'), () => 0);
    if (found !== right) wrong.push(`${page}:${pageLine} ${firstDifference(right, found)}`);
  }
  expect(wrong).toEqual([]);
});

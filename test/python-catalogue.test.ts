// Every row of the catalogue for Python has a heading, and every table of a framework a place in the list.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { frameworks } from '../src/frameworks/index.ts';

const FIRST = 1;
const LAST = 46;

test('each row of Python has an example that runs', () => {
  const pages = readdirSync('fixtures/frameworks').map((page) =>
    readFileSync(`fixtures/frameworks/${page}`, 'utf8'),
  );
  const told = new Set(pages.flatMap((page) => [...page.matchAll(/^#+ (S\d{3}) /gm)].map(([, row]) => row!)));
  const rows = Array.from({ length: LAST - FIRST + 1 }, (_, i) => `S${String(i + FIRST).padStart(3, '0')}`);
  expect(rows.filter((row) => !told.has(row))).toEqual([]);
});

test('an option that a table names is one that changes something', () => {
  const empty = frameworks
    .filter((table) => table.language === 'python')
    .flatMap((table) =>
      Object.entries({ ...table.apis, ...table.methods }).flatMap(([name, meaning]) =>
        (meaning.when ?? []).filter(({ then }) => Object.keys(then).length === 0).map(() => name),
      ),
    );
  expect(empty).toEqual([]);
});

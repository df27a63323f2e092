// Every row of the catalogue for Python, Ruby and the JVM has an example that says what is read.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { frameworks } from '../src/frameworks/index.ts';

/** The rows of each language: the first and the last. Three of the JVM's are Scala's, which no front end reads. */
const ROWS = { python: [1, 46], ruby: [47, 66], jvm: [67, 96] } as const;
const OTHERS = ['S091', 'S092', 'S093'];

/** `## S001 …` and `## … (S067)`; what a comment beneath says was compared with what is read. */
const told = new Set(
  readdirSync('fixtures/frameworks')
    .flatMap((page) => readFileSync(`fixtures/frameworks/${page}`, 'utf8').split(/^(?=## )/m))
    .filter((section) => /\bevent: /.test(section))
    .flatMap((section) => section.slice(0, section.indexOf('\n')).match(/S\d{3}/g) ?? []),
);

test.each(Object.entries(ROWS))(
  'each row of %s has an example whose events are compared',
  (_, [first, last]) => {
    const rows = Array.from({ length: last - first + 1 }, (_, i) => `S${String(i + first).padStart(3, '0')}`);
    expect(rows.filter((row) => !told.has(row) && !OTHERS.includes(row))).toEqual([]);
  },
);

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

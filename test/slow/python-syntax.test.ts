// Python's standard library with its tests: our trees are tree-sitter-python's, file by file, but for its known faults.
import { expect, test } from 'vitest';
import { pythonFiles } from '../corpus.ts';
import { compareFiles } from '../parser-oracle.ts';
import { difference } from '../python-oracle.ts';

/** Where the oracle departs from Python, by the text at the difference. */
const FAULTS: [string, RegExp][] = [
  ['`type(a).b = c` is a type alias', /^«type\(/],
  ['`*a.b()` in a list is a call of a splat', /^«\*/],
  ['`{x:=10}` in a string is a walrus', /^«\{\w+:=/],
  ['`with (a as b):` is a tuple', /^«\(.* as /],
];

test('the standard library', () => {
  const { same, wrong } = compareFiles(pythonFiles(), difference, FAULTS);
  expect(wrong).toEqual([]);
  expect(same).toBeGreaterThan(1_000);
}, 600_000);

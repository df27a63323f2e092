// Python's standard library with its tests: our trees are tree-sitter-python's, file by file, but for its known faults.
import { expect, test } from 'vitest';
import { pythonFiles } from '../corpus.ts';
import { difference } from '../python-oracle.ts';

/** Where the oracle departs from Python, by the text at the difference. */
const FAULTS: [string, RegExp][] = [
  ['`type(a).b = c` is a type alias', /^«type\(/],
  ['`*a.b()` in a list is a call of a splat', /^«\*/],
  ['`{x:=10}` in a string is a walrus', /^«\{\w+:=/],
  ['`with (a as b):` is a tuple', /^«\(.* as /],
];

test('the standard library', () => {
  const count = { same: 0, rejected: 0, faults: new Map<string, number>() };
  const wrong: string[] = [];
  for (const { name, text } of pythonFiles()) {
    const found = difference(text);
    if (found === null) count.rejected++;
    else if (found === '') count.same++;
    else {
      const fault = FAULTS.find(([, at]) => at.test(found));
      if (fault) count.faults.set(fault[0], (count.faults.get(fault[0]) ?? 0) + 1);
      else wrong.push(`${name} ${found}`);
    }
  }
  console.log(
    `${count.same} files have the same tree, ${count.rejected} the oracle does not read`,
    Object.fromEntries(count.faults),
  );
  expect(wrong).toEqual([]);
  expect(count.same).toBeGreaterThan(1_000);
}, 600_000);

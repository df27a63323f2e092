// Ruby's own source with its library and its tests: our trees are tree-sitter-ruby's, file by file, but for its known faults.
import { expect, test } from 'vitest';
import { parse } from '../../src/frontends/ruby/syntax/parse.ts';
import { rubyFiles } from '../corpus.ts';
import { difference } from '../ruby-oracle.ts';

/** Where the oracle departs from Ruby, by the text at the difference and by what ours and theirs are. */
const FAULTS: [string, RegExp][] = [
  ['words that begin with a backslash are one word', /^«%[wWiI][^»]*(?:»|\\).*array/],
  ['an empty statement is a body', /^«[^»]*(?:;)[^»]*».*(?:block_body|then)\)/],
  [
    'a variable, or a method without white space, is given an argument',
    /ours is (?:\w+: )?(?:binary|program|unary) .*theirs (?:\w+: )?(?:call|unary|program)/,
  ],
  ['`return +1` adds', /^«return [+-]/],
  ['`foo +1` in a condition adds', /^«\w+ \+\w/],
  [
    'behind the `end` of a block arguments are in parentheses of their own',
    /theirs parenthesized_statements/,
  ],
  ['`#` before code, and escapes behind it, are left out', /ours is (?:\w+: )?(?:heredoc_body|string) /],
  ['`?\\ ` and the like end elsewhere', /character|\?\\ /],
];
/** In other encodings, or no Ruby at all. */
const NO_RUBY = /utf16|diff_enc|bad_syntax|trick20/;

test("Ruby's own source", () => {
  const count = { same: 0, rejected: 0, faults: new Map<string, number>() };
  const wrong: string[] = [];
  for (const { name, text } of rubyFiles()) {
    if (NO_RUBY.test(name)) continue;
    const found = difference(text);
    if (found === '') count.same++;
    else if (found === null) {
      count.rejected++;
      if (parse(text).error) wrong.push(`${name} neither we nor the oracle read`);
    } else {
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
  expect(count.same).toBeGreaterThan(7_500);
}, 600_000);

// Ruby's own source with its library and its tests: our trees are tree-sitter-ruby's, file by file, but for its known faults.
import { expect, test } from 'vitest';
import { parse } from '../../src/frontends/ruby/syntax/parse.ts';
import { rubyFiles } from '../corpus.ts';
import { compareFiles } from '../parser-oracle.ts';
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
  const files = rubyFiles().filter(({ name }) => !NO_RUBY.test(name));
  const { same, wrong } = compareFiles(files, difference, FAULTS, ({ text }, isSame) =>
    !isSame && parse(text).error ? 'neither we nor the oracle read' : '',
  );
  expect(wrong).toEqual([]);
  expect(same).toBeGreaterThan(7_500);
}, 600_000);

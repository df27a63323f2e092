// What tree-sitter-java makes of a text, read into the tree that our own parser makes, so that the two can be compared.
import { parse } from '../src/frontends/java/syntax/parse.ts';
import type { SourceFile } from '../src/frontends/jvm/syntax/syntax.ts';
import { LEAVES, readJava } from './java-reader.ts';
import { compare } from './jvm-shape.ts';
import { loadGrammar } from './treesitter.ts';

const grammar = await loadGrammar('java', LEAVES);

/** What the oracle reads; null when it does not read all of it. */
export function theirs(text: string): SourceFile | null {
  const { root, cut, broken } = grammar.parse(text);
  return cut || broken ? null : readJava(root, text);
}

/** The first difference in words; '' when there is none, null when the oracle itself does not read the text. */
export function difference(text: string): string | null {
  const right = theirs(text);
  if (!right) return null;
  const { file, broken } = parse(text, '');
  const found = compare(file, right, text, 'file', 0);
  if (!found && broken) return 'we say that it is broken';
  return found;
}

// What tree-sitter-kotlin makes of a text, read into the tree that our own parser makes, so that the two can be compared.

import type { SourceFile } from '../src/frontends/jvm/syntax/syntax.ts';
import { parse } from '../src/frontends/kotlin/syntax/parse.ts';
import type { Syntax } from '../src/frontends/syntax.ts';
import { compare } from './jvm-shape.ts';
import { LEAVES, readKotlin } from './kotlin-reader.ts';
import { loadGrammar } from './treesitter.ts';

const grammar = await loadGrammar('kotlin', LEAVES);

const APART =
  /\bclass\s+\w+(?:<[^{}()]*?>)?\s*\n\s*(?:@[\w.]+(?:\([^()]*\))?\s+)*(?:(?:private|protected|internal|public)\s+)?constructor\b/g;

/** The grammar loses a class, and more around it, whose constructor begins on another line than its name. Places stay. */
const onOneLine = (text: string) =>
  text.includes('constructor') ? text.replace(APART, (head) => head.replace(/[\r\n]/g, ' ')) : text;

const LINKS = new Set(['navigation_expression', 'call_expression', 'index_expression', 'unary_expression']);
const isPrefixed = (node: Syntax): boolean =>
  node.type === 'unary_expression' && node.children[0]!.field === 'operator' && node.children.length > 1;

/** `!a.b()` is for the grammar a call of what `!a` gives. */
function mend(parent: Syntax): void {
  for (let i = 0; i < parent.children.length; i++) {
    const node = parent.children[i]!;
    mend(node);
    const outer = node.children[0];
    if (!outer || !LINKS.has(node.type) || isPrefixed(node) || !isPrefixed(outer)) continue;
    // The prefix goes around all of it.
    let last = outer;
    while (isPrefixed(last.children[1]!)) last = last.children[1]!;
    const operand = last.children[1]!;
    node.children[0] = operand;
    last.children[1] = node;
    outer.field = node.field;
    node.field = 'argument';
    operand.field = node.type === 'unary_expression' ? 'argument' : null;
    node.start = operand.start;
    for (let one: Syntax = outer; one !== node; one = one.children[1]!) one.end = node.end;
    parent.children[i] = outer;
  }
}

/** What the oracle reads; null when it does not read all of it. */
export function theirs(text: string): SourceFile | null {
  let parsed: ReturnType<typeof grammar.parse>;
  try {
    parsed = grammar.parse(onOneLine(text));
  } catch {
    return null;
  }
  const { root, cut, broken } = parsed;
  if (cut || broken) return null;
  mend(root);
  return readKotlin(root, text);
}

/** The first difference in words; '' when there is none, null when the oracle itself does not read the text. */
export function difference(text: string): string | null {
  const right = theirs(text);
  if (!right) return null;
  const { file, broken } = parse(text);
  const found = compare(file, right, text, 'file', 0);
  if (!found && broken) return 'we say that it is broken';
  return found;
}

// What tree-sitter-ruby makes of a text, in the shape of our own parser's tree, so that the two can be compared.
import { parse } from '../src/frontends/ruby/syntax/parse.ts';
import type { Syntax } from '../src/frontends/syntax.ts';
import { around, compare, type Plain } from './parser-oracle.ts';
import { loadGrammar } from './treesitter.ts';

/** What stands inside these is never asked for. */
const grammar = await loadGrammar('ruby', [
  'comment',
  'heredoc_content',
  'string_content',
  'regex',
  'uninterpreted',
  'simple_symbol',
  'rational',
  'complex',
  'hash_splat_nil',
]);

/** Nodes that we do not make at all. */
const LEFT_OUT = new Set([
  'comment',
  'heredoc_body',
  'heredoc_content',
  'string_content',
  'empty_statement',
  'uninterpreted',
]);

/** Where these begin and end depends on the comments and line breaks around. */
const LOOSE = /^(?:program|body_statement|block_body|then|do|else|elsif|ensure|rescue|when|in_clause|ERROR)$/;

function plain(node: Syntax): Plain {
  const children = node.children.filter((one) => !LEFT_OUT.has(one.type)).map(plain);
  const { type, field } = node;
  if (LOOSE.test(type)) return { type, field, start: 0, end: 0, children };
  return { type, field, start: node.start, end: node.end, children };
}

/** The first difference in words; '' when there is none, null when the oracle itself does not read the text. */
export function difference(text: string): string | null {
  const theirs = grammar.parse(text);
  if (theirs.broken || theirs.cut) return null;
  const ours = parse(text);
  if (ours.error) return `we read no further than «${around(text, ours.error.start)}»`;
  const found = compare(plain(ours.root), plain(theirs.root), text);
  if (found) return found;
  for (const [at, body] of findHeredocs(theirs.root)) {
    const own = ours.heredocs.get(at);
    if (!own) return `«${around(text, at)}»: a heredoc without its text`;
    const differs = compare(plain(own), plain(body), text);
    if (differs) return differs;
  }
  return '';
}

/** Which `<<~SQL` has which text: both come in the same order. */
function findHeredocs(root: Syntax): Map<number, Syntax> {
  const begins: Syntax[] = [];
  const bodies: Syntax[] = [];
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'heredoc_beginning') begins.push(node);
    else if (node.type === 'heredoc_body') bodies.push(node);
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  begins.sort((a, b) => a.start - b.start);
  bodies.sort((a, b) => a.start - b.start);
  const found = new Map<number, Syntax>();
  for (const [i, begin] of begins.entries()) if (bodies[i]) found.set(begin.start, bodies[i]!);
  return found;
}

// What tree-sitter-python makes of a text, in the shape of our own parser's tree, so that the two can be compared.
import { parse } from '../src/frontends/python/syntax/parse.ts';
import type { Syntax } from '../src/frontends/syntax.ts';
import { around, compare, type Plain } from './parser-oracle.ts';
import { loadGrammar } from './treesitter.ts';

const grammar = await loadGrammar('python');

/** No inside of these is compared: our parser gives them none, for the lowering looks at their text alone. */
const LEAVES = new Set(['dotted_name', 'case_pattern', 'global_statement', 'nonlocal_statement']);
/** Nodes that we do not make at all. */
const LEFT_OUT = new Set(['comment', 'line_continuation', 'string_start', 'string_content', 'string_end']);
/** They end where their last statement does; the oracle counts comments, semicolons and empty lines in. */
const ENDS_WITH_A_BLOCK =
  /^(?:(?:if|for|while|try|with|match)_statement|(?:function|class|decorated)_definition|decorator|\w+_clause|block)$/;

/** Of these we give what stands in the parentheses. */
function alone({ type, children, start, end }: Syntax, text: string): Syntax | undefined {
  const [one, ...more] = children.filter((each) => !LEFT_OUT.has(each.type));
  const isAlone =
    type === 'parenthesized_expression' ||
    (type === 'tuple_pattern' && !text.slice(one?.end ?? start, end).includes(','));
  return isAlone && more.length === 0 && !/splat/.test(one?.type ?? 'splat') ? one : undefined;
}

/** A tuple is one without its parentheses too. */
const BARE: Record<string, string> = { expression_list: 'tuple', pattern_list: 'tuple_pattern' };

function plain(node: Syntax, text: string): Plain {
  const inner = alone(node, text);
  if (inner) return { ...plain(inner, text), field: node.field };
  const children = LEAVES.has(node.type)
    ? []
    : node.children.filter((one) => !LEFT_OUT.has(one.type)).map((one) => plain(one, text));
  const { field } = node;
  const type = BARE[node.type] ?? node.type;
  if (type === 'module') return { type, field, start: 0, end: 0, children };
  const last = children.at(-1);
  const end = last && ENDS_WITH_A_BLOCK.test(type) ? last.end : node.end;
  if (type === 'block' && !last) return { type, field, start: 0, end: 0, children };
  return { type, field, start: type === 'block' ? last!.start : node.start, end, children };
}

/** The first difference in words; '' when there is none, null when the oracle itself does not read the text. */
export function difference(text: string): string | null {
  const theirs = grammar.parse(text);
  if (theirs.error || theirs.cut) return null;
  const ours = parse(text);
  if (ours.error) return `we read no further than «${around(text, ours.error.start)}»`;
  return compare(plain(ours.root, text), plain(theirs.root, text), text);
}

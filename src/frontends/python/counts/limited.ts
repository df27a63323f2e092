// How many rows a query gives at most, where it says so: `orders[:10]`, `select(Order).limit(10)`, `… LIMIT 10`. It asks no database.
import { child, type Syntax } from '../../syntax.ts';
import { argument, argumentOf, given, keyword } from '../names/arguments.ts';
import { functionAround, standing } from '../names/assignments.ts';
import { chained } from '../names/knowledge.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { constantText } from '../names/values.ts';
import { numberOf, sliced } from './counted.ts';
import { collection, growsBy, lengthOf } from './lengths.ts';

/** They give as many rows as what they are asked of, or are given. */
const ROWS_OF =
  /^(all|fetchall|values|values_list|scalars|mappings|tuples|unique|list|tuple|set|sorted|reversed|text)$/;
/** How far a query is followed back. */
const DEEPEST = 20;

export function limitOf(c: Place, node: Syntax | undefined, depth = 0): number | null {
  if (!node || depth > DEEPEST) return null;
  const limit = (one: Syntax | undefined) => limitOf(c, one, depth + 1);
  switch (node.type) {
    case 'await':
    case 'parenthesized_expression':
      return limit(node.children[0]);
    case 'identifier':
      return ofVariable(c, node, limit);
    case 'subscript':
      return node.children.at(-1)?.type === 'slice' ? (sliced(c, node) ?? limit(child(node, 'value'))) : null;
    case 'string':
    case 'concatenated_string':
      return ofText(constantText(c, node));
    case 'call':
      return ofCall(c, node, limit);
    case 'list_comprehension':
    case 'generator_expression': {
      const [, source, ...more] = node.children;
      return source && !more.some(({ type }) => type === 'for_in_clause')
        ? limit(child(source, 'right'))
        : null;
    }
    default:
      return null;
  }
}

type Limit = (node: Syntax | undefined) => number | null;

/** A list that something is added to may have more than it was given. */
function ofVariable(c: Place, node: Syntax, limit: Limit): number | null {
  const name = textOf(c.file, node);
  const value = standing(c, node, name);
  if (value) return growsBy(c, node, name) ? null : limit(value);
  const [only, ...others] = executed(c, functionAround(node) ?? node).get(name) ?? [];
  return only && others.length === 0 ? limit(argument(only, 0)) : null;
}

function ofCall(c: Place, node: Syntax, limit: Limit): number | null {
  const callee = child(node, 'function')!;
  if (callee.type !== 'attribute')
    return ROWS_OF.test(textOf(c.file, callee)) ? limit(argument(node, 0)) : null;
  const name = textOf(c.file, child(callee, 'attribute'));
  if (name === 'text') return limit(argument(node, 0));
  const { limits, asks, picks, passes } = chained();
  const most = limits.get(name);
  const asked = most === undefined ? asks.get(name) : undefined;
  const statement = asked === undefined ? undefined : argumentOf(node, asked);
  if (statement) return limit(statement);
  const size = most === undefined ? undefined : given(c, node, most);
  const own = (size && numberOf(c, size)) ?? (picks.has(name) ? ofKeys(c, node, limit) : null);
  const isPassed = ROWS_OF.test(name) || passes.has(name) || most !== undefined;
  const whole = isPassed ? limit(child(callee, 'object')) : null;
  return own === null || whole === null ? (own ?? whole) : Math.min(own, whole);
}

/** `filter(pk__in=keys)` */
function ofKeys(c: Place, node: Syntax, limit: Limit): number | null {
  const keys = keyword(c, node, 'pk__in') ?? keyword(c, node, 'id__in');
  const list = keys && collection(c, keys);
  return list ? lengthOf(list) : limit(keys);
}

/** The last clause of a statement, but for what it skips and locks. */
const LIMIT = /\blimit\s+(\d+)\s*(?:offset\s+\S+\s*)?(?:for\s+[\w\s]+)?;?\s*$/i;

function ofText(text: string | undefined): number | null {
  const number = text && LIMIT.exec(text.slice(-200))?.[1];
  return number ? Number(number) : null;
}

/** By the variable that it is asked of: `cur.execute("…")` in a function. */
const executed = kept(({ file }, whole: Syntax) => {
  const out = new Map<string, Syntax[]>();
  const stack = [whole];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const callee = node.type === 'call' ? child(node, 'function') : undefined;
    const object = callee?.type === 'attribute' ? child(callee, 'object') : undefined;
    if (object?.type === 'identifier' && textOf(file, child(callee!, 'attribute')).startsWith('execute')) {
      const name = textOf(file, object);
      out.set(name, [...(out.get(name) ?? []), node]);
    }
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
});

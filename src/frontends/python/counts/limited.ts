// How many rows a query gives at most, where it says so: `orders[:10]`, `select(Order).limit(10)`, `… LIMIT 10`. It asks no database.
import { child, type Syntax } from '../../syntax.ts';
import { argument, argumentOf, given, keyword } from '../names/arguments.ts';
import { functionAround } from '../names/assignments.ts';
import { chained } from '../names/knowledge.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { constantText, isClassLike, resolve } from '../names/values.ts';
import { mostOf } from './counted.ts';
import type { Times } from './lengths.ts';
import { least } from './made.ts';

/** They give as many rows as what they are asked of, or are given. */
const ROWS_OF =
  /^(all|fetchall|values|values_list|scalars|mappings|tuples|unique|list|tuple|set|sorted|reversed)$/;

/** Of a query in a chain of calls, of a cursor by what it executed. What holds one, or is made of one, is asked back. */
export function limitOf(c: Place, node: Syntax, times: Times): number | null {
  if (node.type === 'identifier') return ofCursor(c, node, times);
  if (node.type !== 'call') return null;
  const callee = child(node, 'function')!;
  const name = textOf(c.file, callee.type === 'attribute' ? child(callee, 'attribute') : callee);
  if (name === 'text') return ofStatement(c, argument(node, 0), times);
  if (callee.type !== 'attribute') return ROWS_OF.test(name) ? times(argument(node, 0)) : null;
  const { limits, asks, picks, passes, asMany } = chained();
  const most = limits.get(name);
  const asked = most === undefined ? asks.get(name) : undefined;
  const statement = asked === undefined ? undefined : argumentOf(node, asked);
  if (statement) return ofStatement(c, statement, times);
  const size = most === undefined ? undefined : given(c, node, most);
  const isPassed = ROWS_OF.test(name) || passes.has(name) || most !== undefined;
  const whole = isPassed ? times(child(callee, 'object')) : null;
  const handed = asMany.get(name);
  if (handed !== undefined) return times(argumentOf(node, handed));
  return least([size ? mostOf(c, size) : null, picks.has(name) ? ofKeys(c, node, times) : null, whole]);
}

/** One that is executed once: `cur.execute("…"); for row in cur:` */
function ofCursor(c: Place, node: Syntax, times: Times): number | null {
  const name = textOf(c.file, node);
  const [only, ...others] = executed(c, functionAround(node) ?? node).get(name) ?? [];
  return only && others.length === 0 ? ofStatement(c, argument(only, 0), times) : null;
}

/** A text ends in how many rows it gives; as a collection it would be one of letters, and a model one of its members. */
function ofStatement(c: Place, node: Syntax | undefined, times: Times): number | null {
  const path = resolve(c, node)?.path;
  if (path && isClassLike(c, path)) return null;
  const text = node && constantText(c, node);
  return text === undefined ? times(node) : ofText(text);
}

/** `filter(pk__in=keys)` */
const ofKeys = (c: Place, node: Syntax, times: Times): number | null =>
  times(keyword(c, node, 'pk__in') ?? keyword(c, node, 'id__in'));

/** The last clause of a statement, but for what it skips and locks. */
const LIMIT = /\blimit\s+(\d+)\s*(?:offset\s+\S+\s*)?(?:for\s+[\w\s]+)?;?\s*$/i;

function ofText(text: string): number | null {
  const number = LIMIT.exec(text.slice(-200))?.[1];
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

// What a call hands to the placeholders of its SQL: `exec_query(sql, "pay", [order.id])`, `find_by_sql([sql, order.id])`. It reads no SQL.
import type { Bound } from '../../sql/text/holes.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { heldBy, thawed } from '../names/held.ts';
import { variable } from '../names/variables.ts';
import { type Arguments, argumentsOf, lastPart, parts, textOf } from '../syntax.ts';

/** The first argument holds the SQL, alone or with what stands in its placeholders. */
export function boundBy(body: Body, { positional, keywords }: Arguments): Bound | undefined {
  const [first, ...others] = positional;
  if (!first) return undefined;
  const list = listOf(body, first);
  const [, ...rest] = list ? parts(list) : positional;
  const held = (node: Syntax) => thawed(body, heldBy(body, node));
  const binds = others.findLast((one) => held(one).type === 'array');
  const named = new Map([...keywords].map(([name, { value }]) => [name, value] as const));
  const pairs = rest.flatMap((one) =>
    one.type === 'pair' ? [one] : held(one).type === 'hash' ? parts(held(one)) : [],
  );
  for (const pair of pairs) {
    const [key, value] = [child(pair, 'key'), child(pair, 'value')];
    if (key) named.set(textOf(body.file, key).replace(/^[:"']+|["':]+$/g, ''), value ?? key);
  }
  return (which) => {
    if (typeof which === 'number') return value(body, rest[which]);
    if (!which.startsWith('$')) return value(body, named.get(which));
    if (binds) return value(body, parts(held(binds))[Number(which.slice(1)) - 1]);
    const all = others.at(-1);
    return all?.type === 'identifier'
      ? `${variable(body, all, textOf(body.file, all))}[${which}]`
      : undefined;
  };
}

/** `["… ?", id]`, also in `sanitize_sql(…)`, or what a name holds. */
function listOf(body: Body, node: Syntax): Syntax | undefined {
  const method = node.type === 'call' ? child(node, 'method') : undefined;
  if (method && /^sanitize_sql/.test(textOf(body.file, method))) {
    const [given] = argumentsOf(body.file, node).positional;
    return given && listOf(body, given);
  }
  if (node.type === 'array') return node;
  const held = heldBy(body, node);
  return held === node ? undefined : listOf(body, held);
}

const PLAIN =
  /^(identifier|hash_key_symbol|instance_variable|integer|element_reference|constant|scope_resolution)$/;
/** They say in another way which value it is. */
const CASTS = /^(to_i|to_s|to_str|to_sym)$/;

/** A variable, what an object has, an element, or a number: as it is written. Of Rails' and pg's objects for a value, that. */
function value(body: Body, node: Syntax | undefined): string | undefined {
  if (!node) return undefined;
  const { file } = body;
  if (node.type === 'array') return value(body, lastPart(node)); // `[nil, id]`
  if (node.type === 'hash') {
    const pair = parts(node).find((one) => /^:?value:?$/.test(textOf(file, child(one, 'key') ?? one)));
    return value(body, pair && child(pair, 'value'));
  }
  if (PLAIN.test(node.type)) return variable(body, node, textOf(file, node).replace(/:$/, ''));
  const [method, receiver] = [child(node, 'method'), child(node, 'receiver')];
  if (node.type !== 'call' || !method || !receiver) return undefined;
  const name = textOf(file, method);
  if (name === 'new' && /(^|::)QueryAttribute$/.test(textOf(file, receiver)))
    return value(body, argumentsOf(file, node).positional[1]);
  if (parts(node).length > 2 || /[!]$/.test(name)) return undefined;
  const of = value(body, receiver);
  return CASTS.test(name) ? of : of && `${of}.${name}`;
}

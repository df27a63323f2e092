// What a call hands to the placeholders of its SQL: `execute("… WHERE id = %s", [order.id])`. It reads no SQL.
import type { Bound } from '../../sql/text/holes.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';

const NAMES = /^(params|parameters|vars|args|values|query_args|bind)$/;

/** `text` is the argument that holds the SQL. */
export function boundBy(c: Place, text: Syntax): Bound | undefined {
  const first = text.parent?.type === 'keyword_argument' ? text.parent : text;
  const list = first.parent?.type === 'argument_list' ? first.parent.children : undefined;
  if (!list) return undefined;
  const named = list.find(
    (one) => one.type === 'keyword_argument' && NAMES.test(textOf(c.file, child(one, 'name'))),
  );
  const rest = list
    .slice(list.indexOf(first) + 1)
    .filter(({ type }) => !/^(comment|keyword_argument)$/.test(type));
  const all = named ? child(named, 'value') : rest[0];
  if (!all) return undefined;
  const held = all.type === 'identifier' ? (resolve(c, all)?.code ?? all) : all;
  return (which) => {
    if (held.type === 'dictionary') {
      const pair = held.children.find((one) => {
        const key = child(one, 'key');
        return key !== undefined && constantText(c, key) === which;
      });
      return value(c, pair && child(pair, 'value'));
    }
    const number =
      typeof which === 'number' ? which : /^\$\d+$/.test(which) ? Number(which.slice(1)) - 1 : -1;
    if (/^(list|tuple)$/.test(held.type)) return value(c, held.children[number]);
    // asyncpg is handed one value after the other.
    if (typeof which === 'string' && number >= 0) return value(c, rest[number]);
    return all.type === 'identifier' ? `${textOf(c.file, all)}[${which}]` : undefined;
  };
}

/** A variable, what an object has, or a number; `str(order.id)` is the row of `order.id`. */
function value(c: Place, node: Syntax | undefined): string | undefined {
  if (node?.type === 'call') {
    const [only, more] = child(node, 'arguments')?.children ?? [];
    return CASTS.test(textOf(c.file, child(node, 'function'))) && !more ? value(c, only) : undefined;
  }
  return node && /^(identifier|attribute|integer)$/.test(node.type) ? textOf(c.file, node) : undefined;
}

const CASTS = /^(str|int|(uuid\.)?UUID)$/;

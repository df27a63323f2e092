// Gives names their values as statements bind them; it lowers nothing.
import { child, type Syntax } from '../../syntax.ts';
import { fromAnnotation } from './annotations.ts';
import { argument } from './arguments.ts';
import { member } from './knowledge.ts';
import { type Place, textOf, type Value } from './scope.ts';
import { itemOf, ROW } from './types.ts';
import { resolve } from './values.ts';

export function bind(c: Place, name: string, value: Value | undefined): void {
  c.scope.names.set(name, value ?? {});
  c.file.asked = undefined;
}

/** `conn.autocommit = True`, `conn.set_autocommit(True)`: what the receiver is from here on. */
export function becomes(c: Place, owner: Syntax | undefined, path: string | undefined): void {
  const type = path && owner?.type === 'identifier' ? resolve(c, owner)?.type : undefined;
  if (type) bind(c, textOf(c.file, owner), { type: { ...type, path: path! } });
}

/** What setting an attribute to this makes of an object of that type. */
export const setting = (c: Place, type: string | undefined, attribute: Syntax | undefined, value: Syntax) =>
  type ? member(type, `${textOf(c.file, attribute)} = ${textOf(c.file, value)}`)?.becomes : undefined;

/** `orders.append(order)` on a list that was made empty here: it has such orders, unless it was given something else before. */
export function gathers(c: Place, call: Syntax): void {
  const callee = child(call, 'function');
  const object = callee?.type === 'attribute' ? child(callee, 'object') : undefined;
  if (object?.type !== 'identifier') return;
  const how = GATHERS.find((one) => c.file.text.startsWith(one, object.end));
  const name = textOf(c.file, object);
  const list = how ? c.scope.names.get(name) : undefined;
  if (!list?.code || !EMPTY.test(textOf(c.file, list.code))) return;
  const given = resolve(c, argument(call, 0))?.type;
  const item = how === '.extend(' ? given && itemOf(given) : given;
  if (!item) return;
  const isOne = list.type === undefined || list.type.item?.path === item.path;
  bind(c, name, { ...list, type: { path: 'list', ...(isOne && { item }) } });
}

const GATHERS = ['.append(', '.add(', '.extend('];
const EMPTY = /^(?:\[\]|(?:list|set)\(\))$/;

/** `for name, step in [("one", one), ("two", two)]:` */
function part(value: Value | undefined, i: number): Value | undefined {
  const parts = value?.among?.map((one) => (one.type === 'tuple' ? one.children[i] : undefined));
  return parts?.every((one) => one !== undefined) ? { among: parts } : undefined;
}

const known = (value: Value | undefined) => value?.type !== undefined || value?.among !== undefined;

/** `sql += " LIMIT 1"` straight on, behind what gave the name its text. */
export function lengthens(c: Place, node: Syntax): Syntax | undefined {
  const left = child(node, 'left');
  const before = left?.type === 'identifier' ? resolve(c, left)?.code : undefined;
  const statement = before?.type === 'augmented_assignment' ? before : before?.parent;
  if (before && statement?.parent?.parent === node.parent?.parent) {
    c.file.lengthened.set(node, before);
    bind(c, textOf(c.file, left), { code: node });
  }
  return child(node, 'right');
}

/** `taken, put = src.cursor(), dst.cursor()`: each its own. */
export function bindEach(c: Place, left: Syntax, right: Syntax): boolean {
  if (!SEVERAL.test(left.type) || !SEVERAL.test(right.type)) return false;
  const [targets, values] = [left.children, right.children];
  if (targets.length !== values.length || [...targets, ...values].some(({ type }) => /splat/.test(type)))
    return false;
  // All are asked before any name has another value.
  const given = values.map((one) => resolve(c, one));
  if (!given.every((one) => one?.type)) return false;
  for (const [i, one] of targets.entries()) bindTarget(c, one, given[i]);
  return true;
}

const SEVERAL = /^(?:pattern_list|tuple_pattern|list_pattern|expression_list|tuple|list)$/;

/** `position`: which of several names takes the value; the first unless said. */
export function bindTarget(
  c: Place,
  target: Syntax,
  value: Value | undefined,
  annotation?: Syntax,
  position = 0,
): void {
  if (target.type === 'identifier') {
    const typed = annotation && fromAnnotation(c, annotation);
    bind(c, textOf(c.file, target), typed ?? value);
    return;
  }
  if (/^(tuple_pattern|list_pattern|tuple|list)$/.test(target.type)) {
    // `order, created = Order.objects.get_or_create(…)`
    const first = value?.type?.path === ROW ? { type: value.type.item } : value;
    target.children.forEach((one, i) => {
      bindTarget(c, one, part(value, i) ?? (i === position && known(first) ? first : undefined));
    });
  } else if (target.type === 'as_pattern_target' && target.children[0])
    bindTarget(c, target.children[0], value);
  else if (target.type === 'list_splat_pattern' && target.children[0])
    bindTarget(c, target.children[0], undefined);
  else void child(target, 'object');
}

// Whose method is called where only who calls the routine knows: what is asked of a parameter has it for an owner, `(order).lines[]`. What it is there, the linker says.
import { child, type Syntax } from '../../syntax.ts';
import { argument } from '../names/arguments.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { isParameter, ofParameter } from '../names/parameters.ts';
import { gives } from '../names/relations.ts';
import { lookup, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** `order`, `order.customer`, `order.find(3)`, one of `orders`; nothing where anything is known of it. */
export function ofCaller(c: Place, node: Syntax | undefined, depth = 0): string | undefined {
  if (!node || depth > DEEPEST) return undefined;
  const again = (inner: Syntax | undefined) => ofCaller(c, inner, depth + 1);
  switch (node.type) {
    case 'await':
      return again(node.children[0]);
    case 'identifier':
      return named(c, node, again);
    case 'attribute': {
      const owner = again(child(node, 'object'));
      return owner && `${owner}.${textOf(c.file, child(node, 'attribute'))}`;
    }
    case 'call': {
      const callee = child(node, 'function');
      if (callee?.type === 'identifier' && THROUGH.test(textOf(c.file, callee)))
        return again(argument(node, 0));
      const owner = callee?.type === 'attribute' ? again(child(callee, 'object')) : undefined;
      return owner && given(owner, textOf(c.file, child(callee!, 'attribute')!));
    }
    default:
      return undefined;
  }
}

/** What a query is asked for gives the query again, or a row of it. */
const given = (owner: string, asked: string): string =>
  gives(asked, 'query') ? owner : gives(asked, 'row') ? `${owner}[]` : `${owner}.${asked}()`;

const DEEPEST = 6;
/** Of these nobody has a class of his own. */
const NOBODYS = /^(request|args|kwargs)$/;
/** Nobody calls them but who runs tests, with what its fixtures make. */
const TESTS = /\.test_\w+$/;
const OR_CREATE = /_or_create$/;
/** They give what they were given. */
const THROUGH = /^(list|tuple|set|sorted|reversed|iter)$/;

function named(c: Place, node: Syntax, again: (inner: Syntax | undefined) => string | undefined) {
  const name = textOf(c.file, node);
  const found = resolve(c, node);
  if (found?.type || found?.path) return undefined;
  const value = NOBODYS.test(name) ? undefined : lookup(c.file, c.scope, name);
  if (value?.parameter && TESTS.test(c.scope.path)) return undefined;
  if (value?.parameter)
    return ofParameter(c, name).parameter && isParameter(c, node, value) ? `(${name})` : undefined;
  const items = value ? goneOver(c, node, name) : undefined;
  if (items) {
    const all = again(items);
    return all && `${all}[]`;
  }
  const [one, another] = value ? assignmentsOf(c, node, name) : [];
  if (!one || another || one.end > node.start) return undefined;
  const [left, right] = [child(one, 'left'), child(one, 'right')];
  if (left?.type === 'identifier') return again(right);
  // `order, created = customer.orders.get_or_create(number=1)`
  const isFirst = left?.children[0] && textOf(c.file, left.children[0]) === name;
  return isFirst && right && OR_CREATE.test(textOf(c.file, child(right, 'function')))
    ? again(right)
    : undefined;
}

/** What the loop or comprehension around it goes over whose variable it is. */
function goneOver(c: Place, node: Syntax, name: string): Syntax | undefined {
  for (let at = node.parent; at && !/^(function|class)_definition$/.test(at.type); at = at.parent) {
    const isMade = /_(?:comprehension|expression)$/.test(at.type);
    const made = isMade ? at.children.filter(({ type }) => type === 'for_in_clause') : [];
    const loops = at.type === 'for_statement' ? [at] : made;
    for (const one of loops) {
      const [left, right] = [child(one, 'left'), child(one, 'right')];
      if (textOf(c.file, left) === name) return right;
      const place = left?.children.findIndex((part) => textOf(c.file, part) === name) ?? -1;
      if (place >= 0) return amongSeveral(c, right, place);
    }
  }
  return undefined;
}

/** `for i, order in enumerate(orders)`, `for order, price in zip(orders, prices)` */
function amongSeveral(c: Place, over: Syntax | undefined, place: number): Syntax | undefined {
  const called = over?.type === 'call' ? textOf(c.file, child(over, 'function')) : '';
  if (called === 'zip') return argument(over!, place);
  return called === 'enumerate' && place === 1 ? argument(over!, 0) : undefined;
}

// What a call gives: an instance, what a table says of a method, what Python's own functions make of a collection.
import type { Meaning } from '../../../framework.ts';
import { child, type Syntax } from '../../syntax.ts';
import { isOthers } from './addresses.ts';
import { aliasBy, aliasOf } from './aliases.ts';
import { fromAnnotation } from './annotations.ts';
import { argument, argumentOf, keyword, merged } from './arguments.ts';
import {
  another,
  api,
  canonical,
  changed,
  classAttribute,
  classGiven,
  fromAncestors,
  gives,
  isLink,
  isType,
  linksBy,
  lists,
  member,
  queryOf,
} from './knowledge.ts';
import { labelled } from './labels.ts';
import { labelOf } from './links.ts';
import { collected, queried } from './relations.ts';
import { lookup, type Place, type Type, textOf, type Value } from './scope.ts';
import { itemOf, ROW, telling } from './types.ts';
import {
  ancestral,
  connectionHere,
  constantText,
  heldBy,
  instanceOf,
  isClassLike,
  lastPart,
  memberOf,
  resolve,
} from './values.ts';

export function result(c: Place, node: Syntax): Value | undefined {
  const callee = child(node, 'function');
  if (!callee) return undefined;
  if (callee.type === 'identifier' && textOf(c.file, callee) === 'super')
    return c.cls && { type: { path: `${c.cls.path}^` } };
  if (callee.type === 'attribute') {
    const owner = resolve(c, child(callee, 'object'));
    const name = textOf(c.file, child(callee, 'attribute')!);
    const type =
      owner?.type ?? (owner?.path ? (heldBy(owner.path) ?? queryOn(c, owner.path, name)) : undefined);
    if (type) {
      const its = member(type.path, name) ?? ancestral(c, type.path, name);
      if (its?.returns) return value(returned(c, merged(c, its, node), type, node));
      if (isType(type.path) && type.item) return { type: { ...type, certainty: 'likely' } }; // a queryset's own method
      const found = queried(type, name) ?? collected(type, name);
      if (found) return found;
    }
    if (owner?.path && isClassLike(c, owner.path) && !api(canonical(`${owner.path}.${name}`))) {
      const its = ancestral(c, owner.path, name);
      if (its?.returns) return value(returned(c, its, { path: owner.path }, node));
    }
    const manager = owner?.path ? managerOn(c, owner.path, name) : undefined;
    const made = manager && member(manager.path, name);
    if (made?.scope && made.returns) return value(returned(c, made, manager, node));
    // `place.delay()` of a job that is a function of another file.
    const task = owner?.path && fromAncestors(name).find(({ meaning }) => meaning.elsewhere)?.meaning;
    if (task && !c.file.isForeign(owner.path!)) return value(returned(c, task, undefined, node));
    if (owner?.code && /^[lr]?strip$/.test(name)) return { code: node };
    if (!owner) {
      const its = telling(c, name);
      return its?.returns ? value(returned(c, its, undefined, node)) : undefined;
    }
  }
  const through =
    callee.type === 'identifier' &&
    !lookup(c.file, c.scope, textOf(c.file, callee)) &&
    passed(c, textOf(c.file, callee), node);
  if (through) return through;
  const target = resolve(c, callee);
  if (target?.type) {
    const its = member(target.type.path, '()');
    if (its) return value(returned(c, its, target.type, node));
    if (target.type.path === another) return { type: target.type };
    // `self.link().cursor()`: what has that is a connection.
    const name =
      callee.type === 'attribute' && isType(target.type.path) ? child(callee, 'attribute') : undefined;
    const link = name && connectionHere(c, '');
    const asked = link && member(link.path, textOf(c.file, name));
    if (asked?.returns) return value(returned(c, asked, link, node));
    lends(c, callee);
    return { type: { path: callName(target.type.path) } };
  }
  if (!target?.path) return undefined;
  const path = canonical(target.path);
  const given = classGiven(`${path}()`);
  if (given) return { path: given };
  const its = api(path);
  if (its?.returns && isOthers(c, its, node)) return { type: { path: another } };
  if (its) return its.returns ? called(c, merged(c, its, node), node) : undefined;
  if (isType(path)) {
    const on = labelOf(c, node, path);
    return { type: { ...instanceOf(path), ...(on !== undefined && { on }) } };
  }
  if (path === 'typing.cast') return fromAnnotation(c, argument(node, 0));
  if (isClassLike(c, path))
    return { type: { path, fresh: true, ...listed(c, node), ...(target.own && { own: true }) } };
  lends(c, callee);
  const entered = callee.type === 'attribute' && !c.file.isForeign(path) ? gives(lastPart(path)) : undefined;
  return {
    type: entered ? { path: entered, name: callName(path), certainty: 'likely' } : { path: callName(path) },
  };
}

/** `pool.connection()` of what another file has. */
function lends(c: Place, callee: Syntax): void {
  const name = callee.type === 'attribute' ? textOf(c.file, child(callee, 'attribute')) : '';
  if (name && linksBy(name).length > 0) c.file.lent.add(name);
}

const LISTS = /^(list|tuple|set|frozenset|sorted|reversed|iter)$/;

/** `Order.query.filter(…)` */
export function queryOn(c: Place, path: string, name: string): Type | undefined {
  const query = queryOf(path, name);
  const owner = query && path.slice(0, path.lastIndexOf('.'));
  return owner && isClassLike(c, owner) ? { path: query, item: { path: owner } } : undefined;
}

/** `Tag.shown`, asked for what only a manager has: whether it is one, the file of the class says. */
export function managerOn(c: Place, path: string, name: string): Type | undefined {
  const end = path.lastIndexOf('.');
  const [model, manager] = [path.slice(0, end), classAttribute('objects')];
  const its = manager && member(manager, name);
  if (!its || !(its.scope || its.write || its.rowLock)) return undefined;
  const isOther = isClassLike(c, model) && !c.file.classes.has(model) && !c.file.isForeign(model);
  const attribute = `${model}().${path.slice(end + 1)}`;
  return isOther ? { path: manager, item: { path: model }, name: attribute } : undefined;
}

/** What Python's own functions make of their first argument: a collection of the same, or one of it. */
function passed(c: Place, name: string, node: Syntax): Value | undefined {
  if (name === 'getattr') return ofText(c, node);
  if (name === 'type') return argument(node, 1) ? undefined : classAsked(c, argument(node, 0));
  const lists = LISTS.test(name);
  if (!lists && !/^(next|max|min)$/.test(name)) return undefined;
  const type = resolve(c, argument(node, 0))?.type;
  const item = type && itemOf(type);
  return item && { type: lists ? { path: 'list', item } : item };
}

/** `getattr(order, "pay")` */
function ofText(c: Place, node: Syntax): Value | undefined {
  const owner = resolve(c, argument(node, 0));
  const name = argument(node, 1);
  const text = owner && name && constantText(c, name);
  return text !== undefined && /^\w+$/.test(text) ? memberOf(c, owner!, text) : undefined;
}

/** `type(self)` of a class that this file has. */
function classAsked(c: Place, node: Syntax | undefined): Value | undefined {
  const { path, own } = resolve(c, node)?.type ?? {};
  return path && c.file.classes.has(path) ? { path, ...(own && { own }) } : undefined;
}

/** What a comprehension or a literal holds. */
export function collection(c: Place, node: Syntax): Value | undefined {
  const comprehends = /_comprehension$|^generator_expression$/.test(node.type);
  const body = comprehends ? child(node, 'body') : node.children[0];
  if (!body || body.type === 'list_splat') return undefined;
  const inner: Place = comprehends
    ? { ...c, known: new Map(), scope: { ...c.scope, kind: 'function', names: new Map(), above: c.scope } }
    : c;
  if (comprehends)
    for (const clause of node.children.filter((one) => one.type === 'for_in_clause')) {
      const left = child(clause, 'left');
      const over = resolve(inner, child(clause, 'right'))?.type;
      const item = over && itemOf(over);
      if (left?.type === 'identifier')
        inner.scope.names.set(textOf(c.file, left), item ? { type: item } : {});
    }
  const held = resolve(inner, body.type === 'pair' ? child(body, 'value') : body)?.type;
  if (!held) return undefined;
  return { type: { path: body.type === 'pair' ? 'dict' : 'list', item: held } };
}

const callName = (path: string) => `${path}()`;
export const value = (type: Type | undefined): Value | undefined => type && { type };

export function called(c: Place, its: Meaning, node: Syntax): Value | undefined {
  if (its.returns === 'text 0' || its.text) return { code: node };
  if (its.returns === 'callable 0') {
    const value = resolve(c, argument(node, 0));
    return value?.path ? { ...value, given: node } : value;
  }
  if (its.returns?.startsWith('class ')) return { path: its.returns.slice('class '.length) };
  if (its.returns === 'model of 0') {
    const [first, second] = [argument(node, 0), argument(node, 1)].map((one) => one && constantText(c, one));
    const path = labelled(first, second);
    return path ? { path } : undefined;
  }
  if (its.returns === 'labelled') {
    const [house, name] = [argument(node, 0), argument(node, 1)].map((one) => one && constantText(c, one));
    return house && name ? { path: `${house}.${name}` } : undefined;
  }
  if (its.returns === 'item of 0') {
    const given = resolve(c, argument(node, 0));
    const item = given?.type?.item ?? (given?.path ? { path: given.path } : undefined);
    const its = item ? { type: item } : given?.type && queried(given.type, 'get');
    return its && { type: its.type };
  }
  return value(returned(c, its, undefined, node));
}

/** `OrderSerializer(data=rows, many=True)` */
function listed(c: Place, call: Syntax): Pick<Type, 'lists'> {
  const [says] = lists.flatMap(([, { argument, is }]): true | 'perhaps' | [] => {
    const given = textOf(c.file, keyword(c, call, argument));
    return given === is ? true : ASKS_FOR_LIST.test(given) ? 'perhaps' : [];
  });
  return says ? { lists: says } : {};
}

/** `many=isinstance(request.data, list)` */
const ASKS_FOR_LIST = /^isinstance\(.+\blist\b/;

/** `Item`, or one of its columns: `Item.id`. */
function classOf(c: Place, node: Syntax | undefined): string | undefined {
  const owner = node?.type === 'attribute' ? resolve(c, child(node, 'object'))?.path : undefined;
  return owner && isClassLike(c, owner) ? owner : resolve(c, node)?.path;
}

/** `select(Order)`, a variable that holds it, or `Order` itself, for what gives its rows. */
function selected(c: Place, node: Syntax | undefined): Type | undefined {
  const found = resolve(c, node);
  if (found?.path) return isClassLike(c, found.path) ? { path: found.path } : undefined;
  return found?.type && isType(found.type.path) ? found.type.item : undefined;
}

export function returned(
  c: Place,
  its: Meaning,
  receiver: Type | undefined,
  call: Syntax | undefined,
): Type | undefined {
  if (its.returns === 'self') {
    return receiver && its.on !== undefined && call
      ? { ...receiver, on: aliasOf(c, call, its, receiver), onBy: aliasBy(c, call, its) }
      : receiver;
  }
  if (its.selects) {
    const item = call && selected(c, argumentOf(call, its.related!));
    if (its.returns === 'item') return item && { ...item, fresh: false };
    return { path: its.returns!, item: its.selects === 'rows' && item ? { path: ROW, item } : item };
  }
  if (its.returns === 'item of item') return receiver?.item?.item && { ...receiver.item.item, fresh: false };
  if (its.returns?.endsWith(' of items'))
    return { path: its.returns.slice(0, -' of items'.length), item: receiver?.item?.item };
  if (its.returns === 'item')
    return receiver && isType(receiver.path) ? receiver.item && { ...receiver.item, fresh: false } : receiver;
  if (!its.returns) return undefined;
  const made = /^made by (\w+)$/.exec(its.returns)?.[1];
  if (made) {
    const held = c.file.classes.get(receiver?.path ?? '')?.holds.get(made);
    return held && { ...held, ...(call && listed(c, call)) };
  }
  const related = its.related !== undefined && call ? classOf(c, argumentOf(call, its.related)) : undefined;
  const item = related
    ? { path: related }
    : (receiver?.item ?? (receiver && !isType(receiver.path) ? receiver : undefined));
  const says = its.on !== undefined && call;
  const makes = its.connects || !receiver;
  const label = call && makes ? labelOf(c, call, its.returns) : undefined;
  const on = label ?? (says ? aliasOf(c, says, its, receiver) : receiver?.on);
  const onBy = says ? aliasBy(c, says, its) : receiver?.onBy;
  const link = label === undefined && !isLink(its.returns) ? receiver?.link : undefined;
  const by = call && madeBy(c, receiver, call);
  return {
    path: its.returns, item, on, ...(onBy !== undefined && { onBy }), ...(link !== undefined && { link }), ...(by && { by }), certainty: receiver?.certainty,
  }; // biome-ignore format: one type
}

/** `conn.cursor()`, where another file made the connection and may have changed what it is. */
function madeBy(c: Place, receiver: Type | undefined, call: Syntax): Type['by'] {
  const callee = call.type === 'call' ? child(call, 'function') : undefined;
  if (callee?.type !== 'attribute' || !receiver?.name || changed(receiver.path).length === 0)
    return undefined;
  return { name: receiver.name, path: receiver.path, method: textOf(c.file, child(callee, 'attribute')) };
}

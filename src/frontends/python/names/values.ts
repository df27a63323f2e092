// What an expression is: a path of its own, or an object whose type is known. It lowers nothing.
import type { Meaning } from '../../../framework.ts';
import { child, type Syntax } from '../../syntax.ts';
import { argument, argumentOf, given, keyword, merged } from './arguments.ts';
import { usualValue } from './assignments.ts';
import { BUILTINS } from './builtins.ts';
import {
  api, byNickname, byReceiver, canonical, changed, classAttribute, classGiven, fromAncestors, gives, goesOver, handedAs, isReplaced, isType, lineage, lists, member, queryOf,
} from './knowledge.ts'; // biome-ignore format: one list
import { labelled } from './labels.ts';
import { isParameter } from './parameters.ts';
import { collected, queried } from './relations.ts';
import { type ClassInfo, lookup, type Place, type Type, textOf, type Value } from './scope.ts';
import { joined, literal } from './strings.ts';
import { ancestors, isCapital, itemOf, nameOf, ROW, telling } from './types.ts';

const TYPE_OF = ['Type', 'type'];
const WRAPPERS = ['Optional', 'Annotated', 'Awaitable', 'Final', 'ClassVar', 'Mapped', 'Union', 'Self'];

export function resolve(c: Place, node: Syntax | undefined): Value | undefined {
  if (!node) return undefined;
  const known = c.known.get(node);
  if (known !== undefined) return known ?? undefined;
  const value = find(c, node);
  c.known.set(node, value ?? null);
  return value;
}

function find(c: Place, node: Syntax): Value | undefined {
  switch (node.type) {
    case 'identifier':
      return named(c, textOf(c.file, node));
    case 'attribute': {
      const last = child(node, 'attribute');
      return last && attribute(c, node, textOf(c.file, last));
    }
    case 'call':
      return result(c, node);
    case 'await':
    case 'parenthesized_expression':
      return resolve(c, node.children[0]);
    case 'named_expression':
      return resolve(c, child(node, 'value'));
    case 'conditional_expression':
      return resolve(c, node.children[0]) ?? resolve(c, node.children[2]);
    case 'boolean_operator':
      return resolve(c, child(node, 'left')) ?? resolve(c, child(node, 'right'));
    case 'subscript':
      return subscript(c, node);
    case 'list':
    case 'tuple':
    case 'dictionary':
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return collection(c, node);
    case 'lambda':
    case 'string':
    case 'concatenated_string':
    case 'binary_operator':
      return { code: node };
    default:
      return undefined;
  }
}

export function named(c: Place, name: string): Value | undefined {
  const bound = lookup(c.file, c.scope, name);
  if (bound?.type?.path.endsWith(')')) {
    // What a routine returned is known by its name at best.
    const type = byName(c, name);
    if (!type) return bound;
    return { type: changed(type.path).length > 0 ? { ...type, name: bound.type.path } : type };
  }
  if (bound?.path) return nicknamed(c, bound.path, name) ?? bound;
  if (bound && (bound.type || bound.code)) return bound;
  if (!bound) {
    const star = starred(c, name);
    if (star) return star;
  }
  const type = byName(c, name, bound);
  if (!type) return bound?.parameter ? { ...bound, type: calledLike(c, name) } : bound;
  const handed = bound?.parameter && !bound.committed;
  return { ...bound, type: handed ? { ...type, path: handedAs(type.path) } : type };
}

/** `def pay(order)` where the file has a class Order, and nothing else says what it is handed. */
function calledLike(c: Place, name: string): Type | undefined {
  if (MAKERS.test(name)) return undefined;
  const its = name.replace(/(^|_)([a-z])/g, (_, _line, first: string) => first.toUpperCase());
  const path = its === name ? undefined : lookup(c.file, c.scope, its)?.path;
  return path && isClassLike(c, path) && !c.file.isForeign(path) ? { path, certainty: 'likely' } : undefined;
}

/** A class is handed over by such a name, and not one of its objects. */
const MAKERS = /(^|_)(cls|klass|class|model|type|form|serializer|schema)$/;

const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** What another file makes, known by the name that it has there. */
function nicknamed(c: Place, path: string, called: string): Value | undefined {
  const last = lastPart(path);
  const type = byNickname(last);
  // A module may have that name as well.
  if (type && /^[a-z]+$/.test(last) && !new RegExp(`\\b${called}\\.(?:begin|connect)\\(`).test(c.file.text))
    return undefined;
  if (!type || !path.includes('.') || c.file.isForeign(path) || path.startsWith(`${c.file.module}.`))
    return undefined;
  return { type: { path: type, certainty: 'likely' } };
}

/** A name that no statement binds comes from a star import, when there is one. */
function starred(c: Place, name: string): Value | undefined {
  for (const module of c.file.stars) {
    const path = canonical(`${module}.${name}`);
    if (api(path) || isType(path)) return { path };
  }
  const module = c.file.stars.at(-1);
  return module && !BUILTINS.has(name) ? { path: `${module}.${name}` } : undefined;
}

/** A receiver that is known by its name alone. */
function byName(c: Place, name: string, bound?: Value): Type | undefined {
  const all = byReceiver(name);
  if (all.length === 0) return undefined;
  const here = ({ roots }: (typeof all)[number]) =>
    name.includes('.') || [...roots].some((root) => c.file.imported.has(root));
  // Asked last: it looks through all of the file.
  const committed = () => (bound?.parameter ? bound.committed : c.file.text.includes(`${name}.commit()`));
  const one = all.find(here) ?? all.find(({ type }) => handedAs(type) !== type && committed());
  return one && { path: one.type, certainty: 'likely' };
}

export const isClassLike = (c: Place, path: string): boolean => c.file.classes.has(path) || isCapital(path);
function attribute(c: Place, node: Syntax, name: string): Value | undefined {
  const held = c.scope.held?.get(textOf(c.file, node));
  if (held) return { type: held };
  const object = child(node, 'object');
  const owner = resolve(c, object);
  const found = owner && memberOf(c, owner, name);
  const typed = found?.type && !found.type.path.includes(`).${name}`);
  if (typed || (found?.path && c.file.isForeign(found.path))) return found;
  const before = object?.type === 'attribute' ? child(object, 'attribute') : object;
  // `db.session` says what it is, wherever `db` comes from.
  const dotted = before?.type === 'identifier' ? byName(c, `${textOf(c.file, before)}.${name}`) : undefined;
  if (dotted) return { type: dotted };
  if (found?.path) return found;
  const type = byName(c, name);
  return type ? { type } : found;
}

function memberOf(c: Place, owner: Value, name: string): Value | undefined {
  if (owner.path) {
    const path = canonical(`${owner.path}.${name}`);
    if (api(path) || isType(path)) return { path };
    const held = heldBy(owner.path);
    if (held) return memberOf(c, { type: held }, name);
    // `from shop.models import FAQ, book`: what has such an attribute is a class, whatever it is called.
    const imported = owner.path.includes('.') && !c.file.functions.has(owner.path);
    if (isClassLike(c, owner.path) || (imported && name === 'objects')) {
      const field = c.file.classes.get(owner.path)?.fields.get(name);
      if (field) return { type: managed(c, field, owner.path, name) };
      const its = classAttribute(name);
      if (its) return { type: { path: its, item: { path: owner.path }, name: `${owner.path}().${name}` } };
    }
    return nicknamed(c, path, lastPart(path)) ?? { path };
  }
  if (!owner.type) return undefined;
  const { type } = owner;
  const given = classGiven(`${type.path}().${name}`);
  if (given) return { path: given };
  const its = member(type.path, name);
  // What does something is a method: nobody has called it yet.
  if (its?.scope || its?.write) return undefined;
  if (its?.returns) return { type: returned(c, its, type, undefined) };
  const info = c.file.classes.get(type.path);
  if (info?.methods.has(name) && !info.properties.has(name)) return { path: `${type.path}.${name}` };
  for (let at: ClassInfo | undefined = info, i = 0; at && i < 20; i++) {
    const field = at.fields.get(name);
    if (field) return { type: field };
    // A class that an attribute is: `self.service_class(user)`.
    const held = at.holds.get(name)?.path;
    if (held && isClassLike(c, held) && !isType(canonical(held))) return { path: held };
    at = at.bases.map((base) => c.file.classes.get(base)).find(Boolean);
  }
  if (isType(type.path) && !type.name) return undefined;
  return { type: { path: `${nameOf(type)}.${name}`, certainty: type.certainty } };
}

/** A module-level object of a framework, such as `django.db.connection`. */
export function heldBy(path: string): Type | undefined {
  const returns = api(path)?.returns;
  return returns && isType(returns) ? { path: returns } : undefined;
}

/** A manager has the methods of the framework's, beside those of its own class. */
function managed(c: Place, field: Type, owner: string, name: string): Type {
  const its = isType(field.path) ? field.path : queryClass(c, field, name);
  return its
    ? { ...field, path: its, item: field.item ?? { path: owner }, name: `${owner}().${name}` }
    : field;
}

/** The framework's class that a class of the repository's own stands for as an attribute of a model. */
function queryClass(c: Place, field: Type, name: string): string | undefined {
  const usual = classAttribute(name);
  if (usual) return usual;
  const manager = classAttribute('objects');
  const above = manager && ancestors(c, field.path).types;
  return above && lineage(manager).some((type) => above.has(type)) ? manager : undefined;
}

function subscript(c: Place, node: Syntax): Value | undefined {
  const owner = resolve(c, child(node, 'value'));
  const key = node.children.find((one) => one.field === 'subscript');
  const held = owner?.path ? heldBy(owner.path) : undefined;
  if (held) {
    const alias = key && constantText(c, key);
    return { type: alias === 'default' ? held : { ...held, on: alias ?? (key && textOf(c.file, key)) } };
  }
  if (key?.type === 'slice') return owner;
  const item = owner?.type && itemOf(owner.type);
  return item && { type: item };
}

// ---- calls

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
    return its ? value(returned(c, its, target.type, node)) : { type: { path: callName(target.type.path) } };
  }
  if (!target?.path) return undefined;
  const path = canonical(target.path);
  const given = classGiven(`${path}()`);
  if (given) return { path: given };
  const its = api(path);
  if (its) return its.returns ? called(c, merged(c, its, node), node) : undefined;
  if (isType(path)) return { type: instanceOf(path) };
  if (path === 'typing.cast') return fromAnnotation(c, argument(node, 0));
  if (isClassLike(c, path)) return { type: { path, fresh: true, ...listed(c, node) } };
  const entered = callee.type === 'attribute' && !c.file.isForeign(path) ? gives(lastPart(path)) : undefined;
  return { type: entered ? { path: entered, certainty: 'likely' } : { path: callName(path) } };
}

const LISTS = /^(list|tuple|set|frozenset|sorted|reversed|iter)$/;

/** `Order.query.filter(…)` */
export function queryOn(c: Place, path: string, name: string): Type | undefined {
  const query = queryOf(path, name);
  const owner = query && path.slice(0, path.lastIndexOf('.'));
  return owner && isClassLike(c, owner) ? { path: query, item: { path: owner } } : undefined;
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
  const path = resolve(c, node)?.type?.path;
  return path && c.file.classes.has(path) ? { path } : undefined;
}

/** What a comprehension or a literal holds. */
function collection(c: Place, node: Syntax): Value | undefined {
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
const value = (type: Type | undefined): Value | undefined => type && { type };

function called(c: Place, its: Meaning, node: Syntax): Value | undefined {
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
  if (its.returns === 'item of 0') {
    const given = resolve(c, argument(node, 0));
    const item = given?.type?.item ?? (given?.path ? { path: given.path } : undefined);
    return item && { type: item };
  }
  return value(returned(c, its, undefined, node));
}

/** `OrderSerializer(data=rows, many=True)` */
function listed(c: Place, call: Syntax): Pick<Type, 'lists'> {
  const says = lists.some(([, { argument, is }]) => textOf(c.file, keyword(c, call, argument)) === is);
  return says ? { lists: true } : {};
}

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

function returned(
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
  const on = says ? aliasOf(c, says, its, receiver) : receiver?.on;
  const onBy = says ? aliasBy(c, says, its) : receiver?.onBy;
  const by = call && madeBy(c, receiver, call);
  return {
    path: its.returns, item, on, ...(onBy !== undefined && { onBy }), ...(by && { by }), certainty: receiver?.certainty,
  }; // biome-ignore format: one type
}

/** `conn.cursor()`, where another file made the connection and may have changed what it is. */
function madeBy(c: Place, receiver: Type | undefined, call: Syntax): Type['by'] {
  const callee = call.type === 'call' ? child(call, 'function') : undefined;
  if (callee?.type !== 'attribute' || !receiver?.name || changed(receiver.path).length === 0)
    return undefined;
  return { name: receiver.name, path: receiver.path, method: textOf(c.file, child(callee, 'attribute')) };
}

/** Parameters that are handed a function, by their names: `return transaction.atomic(func)`. */
const CALLABLE = /^(fn?|func|function|view|view_func|method|callback|handler|wrapped)$/;

/** `using='reporting'` is another connection. A transaction whose alias is computed is taken for one of its own, a write is not. */
export function aliasOf(c: Place, node: Syntax, its: Meaning, receiver?: Type): string | undefined {
  const at = its.on !== undefined && node.type === 'call' ? given(c, node, its.on) : undefined;
  if (!at || at.type === 'none') return receiver?.on;
  const text = constantText(c, at);
  if (text !== undefined) return text === 'default' ? undefined : text;
  if (!its.scope && !its.flat) return receiver?.on;
  if (/^(identifier|attribute)$/.test(at.type)) {
    const value = resolve(c, at);
    if (value?.parameter && CALLABLE.test(textOf(c.file, at))) return undefined;
    if (value?.parameter && isUsual(c, at)) return receiver?.on;
    // `atomic(view)`: what is wrapped stands where the alias would.
    if (value?.path && !/DEFAULT/.test(value.path) && !/^[A-Z_]+$/.test(value.path.split('.').at(-1)!))
      return undefined;
    if (/DEFAULT/.test(textOf(c.file, at))) return undefined;
    return textOf(c.file, at);
  }
  return at.type === 'lambda' ? undefined : textOf(c.file, at).slice(0, 60);
}

const isUsual = (c: Place, at: Syntax): boolean =>
  /^(None|["']default["']|DEFAULT_DB_ALIAS)$/.test(textOf(c.file, usualValue(c, at, textOf(c.file, at))));

/** `def store(row, using='default')`: the parameter by which a caller names a connection. */
export function aliasBy(c: Place, node: Syntax, its: Meaning): string | undefined {
  const at = its.on !== undefined && node.type === 'call' ? given(c, node, its.on) : undefined;
  if (at?.type !== 'identifier' || !c.keeps || !isParameter(c, at, resolve(c, at))) return undefined;
  const name = textOf(c.file, at);
  if (CALLABLE.test(name)) return undefined;
  c.keeps.flags = true;
  c.keeps.connection = name;
  return name;
}

/** Whether a transaction's alias is one that aliasOf() only has a text for. */
export function isComputed(c: Place, node: Syntax, its: Meaning): boolean {
  const at = its.on !== undefined && node.type === 'call' ? given(c, node, its.on) : undefined;
  return at !== undefined && aliasOf(c, node, its) !== undefined && constantText(c, at) === undefined;
}

/** One of a class of a framework, which a setting may replace by the project's own. */
export const instanceOf = (path: string): Type => (isReplaced(path) ? { path, name: `${path}()` } : { path });

/** What a method has as `self`: a set of records is gone over record by record, and a manager's rows are of its model. */
export function ownInstance(c: Place, path: string): Type {
  const { types } = ancestors(c, path);
  if (types.size === 0) return { path, fresh: undefined };
  if (goesOver(types)) return { path, fresh: undefined, item: { path: `${path}()[]` } };
  const records = ancestral(c, path, '[]')?.returns === 'self';
  return { path, fresh: undefined, ...(records && { item: { path } }) };
}

/** What a framework's class means by this method, for a class that descends from it or may. */
function ancestral(c: Place, path: string, name: string): Meaning | undefined {
  const above = ancestors(c, path);
  for (const type of above.types) {
    const its = member(type, name);
    if (its) return its;
  }
  return fromAncestors(name).find(({ receiver }) => !above.complete || above.types.has(receiver))?.meaning;
}

/** The text of a string or of a constant that holds one. */
export function constantText(c: Place, node: Syntax): string | undefined {
  const code = node.type === 'identifier' || node.type === 'attribute' ? resolve(c, node)?.code : node;
  const pieces = code?.type === 'string' ? literal(code, c.file.text) : null;
  return pieces ? joined(pieces) : undefined;
}

// ---- annotations

export function fromAnnotation(c: Place, node: Syntax | undefined, depth = 0): Value | undefined {
  if (!node || depth > 8) return undefined;
  if (node.type === 'type' || node.type === 'parenthesized_expression')
    return fromAnnotation(c, node.children[0], depth + 1);
  if (node.type === 'string') return quoted(c, constantText(c, node) ?? '');
  if (node.type === 'union_type' || node.type === 'binary_operator')
    return fromAnnotation(
      c,
      node.children.find((one) => textOf(c.file, one) !== 'None' && one.field !== 'operator'),
      depth + 1,
    );
  if (node.type === 'generic_type' || node.type === 'subscript') {
    const [outer, ...rest] = node.children.flatMap((one) =>
      one.type === 'type_parameter' ? one.children : [one],
    );
    const name = outer ? lastPart(textOf(c.file, outer)) : '';
    if (TYPE_OF.includes(name)) return undefined;
    const inner = rest.find((one) => textOf(c.file, one) !== 'None');
    const item = fromAnnotation(c, inner, depth + 1)?.type;
    if (WRAPPERS.includes(name)) return item && { type: item };
    const path = outer && resolve(c, outer)?.path;
    return { type: { path: path ? canonical(path) : name, item } };
  }
  const value = resolve(c, node);
  const known = byNickname(lastPart(textOf(c.file, node)));
  if (known && !(value?.path && c.file.classes.has(value.path)))
    return { type: { path: known, certainty: 'likely' } };
  return value?.path ? { type: { path: canonical(value.path) } } : undefined;
}

function quoted(c: Place, text: string): Value | undefined {
  const match = /^(?:Optional\[)?([A-Za-z_][\w.]*)(?:\[([A-Za-z_][\w.]*)\])?/.exec(text);
  if (!match) return undefined;
  const path = (dotted: string) => {
    const [first, ...rest] = dotted.split('.');
    const value = lookup(c.file, c.scope, first!)?.path;
    return value && canonical([value, ...rest].join('.'));
  };
  const outer = path(match[1]!);
  const item = match[2] ? path(match[2]) : undefined;
  if (!outer && !item) return undefined;
  return { type: { path: outer ?? match[1]!, item: item ? { path: item } : undefined } };
}

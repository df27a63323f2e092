// What an expression is: a path of its own, or an object whose type is known. It lowers nothing.
import type { Meaning } from '../../../framework.ts';
import { child, type Syntax } from '../../syntax.ts';
import { namesBefore } from '../../words.ts';
import { BUILTINS } from './builtins.ts';
import {
  api,
  byNickname,
  byReceiver,
  canonical,
  changed,
  classAttribute,
  classGiven,
  fromAncestors,
  goesOver,
  handedAs,
  isOfLink,
  isReplaced,
  isType,
  lineage,
  lists,
  member,
} from './knowledge.ts';
import { collection, result, returned } from './results.ts';
import {
  type ClassInfo,
  type File,
  kept,
  lookup,
  type Place,
  type Type,
  textOf,
  type Value,
} from './scope.ts';
import { joined, literal } from './strings.ts';
import { ancestors, isCapital, itemOf, nameOf } from './types.ts';

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
  if (bound?.type && /\)(?:\.\w+)?$/.test(bound.type.path)) {
    // What a routine returned, or an object keeps of which nobody says what it is, is known by its name at best.
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
  if (!type) return bound?.parameter ? { ...bound, type: calledLike(c, name), guessed: true } : bound;
  const handed = bound?.parameter && !bound.committed;
  const link = bound?.parameter && isOfLink(type.path) ? { link: name } : {};
  return { ...bound, type: { ...type, ...link, ...(handed && { path: handedAs(type.path) }) } };
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

export const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

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
  if (all.length === 0) return lenders(c, c.file).has(name) ? connectionHere(c, name) : undefined;
  const here = ({ roots }: (typeof all)[number]) =>
    name.includes('.') || [...roots].some((root) => c.file.imported.has(root));
  // Asked last: it looks through all of the file.
  const committed = () => (bound?.parameter ? bound.committed : c.file.text.includes(`${name}.commit()`));
  const one = all.find(here) ?? all.find(({ type }) => handedAs(type) !== type && committed());
  return one && { ...instanceOf(one.type), certainty: 'likely' };
}

/** What is asked for a cursor somewhere in the file, by its last name. */
const lenders = kept((_, { text }: File) => namesBefore(text, '.cursor('));

/** What is mostly called `conn` here; unless this file commits it, nobody knows whether each statement is committed by itself. */
export function connectionHere(c: Place, name: string): Type | undefined {
  const its = byReceiver('conn').find(({ roots }) => [...roots].some((root) => c.file.imported.has(root)));
  if (!its) return undefined;
  const committed = c.file.text.includes(`${name}.commit()`);
  return { path: committed ? its.type : handedAs(its.type), certainty: 'likely' };
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

export function memberOf(c: Place, owner: Value, name: string): Value | undefined {
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
  if (type.lists && lists.some(([, { each }]) => each === name))
    return { type: { ...type, lists: undefined, fresh: true } };
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
  const has = hasRow(c, type, name) ? { fresh: false } : {};
  return { type: { path: `${nameOf(type)}.${name}`, certainty: type.certainty, ...has } };
}

/** What another object refers to is in the database, as long as nobody sets it: `order.customer`. */
const hasRow = (c: Place, owner: Type, name: string): boolean =>
  owner.fresh === false ||
  (owner.fresh === undefined && !owner.own && !MADE_FOR.test(name) && isClassLike(c, owner.path));

/** What forms and serializers make. */
const MADE_FOR = /^(?:_?instance|_?obj(?:ect)?|model|new_\w+)$/;

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
  const field = key && fieldOf(c, child(node, 'value'), key);
  if (field) return field;
  const item = owner?.type && itemOf(owner.type);
  return item && { type: item };
}

/** `self.fields["lines"]` of a serializer that has `lines = LineSerializer(many=True)` */
function fieldOf(c: Place, fields: Syntax | undefined, key: Syntax): Value | undefined {
  if (fields?.type !== 'attribute') return undefined;
  const name = textOf(c.file, child(fields, 'attribute'));
  const its = lists.find(([, one]) => one.fields === name);
  const owner = its && resolve(c, child(fields, 'object'))?.type;
  if (!owner || !ancestors(c, owner.path).types.has(its[0])) return undefined;
  const text = constantText(c, key);
  return text === undefined ? undefined : memberOf(c, { type: owner }, text);
}

/** One of a class of a framework, which a setting may replace by the project's own. */
export const instanceOf = (path: string): Type => (isReplaced(path) ? { path, name: `${path}()` } : { path });

/** What a method has as `self`: a set of records is gone over record by record, and a manager's rows are of its model. */
export function ownInstance(c: Place, path: string): Type {
  const { types } = ancestors(c, path);
  const own: Type = { path, fresh: undefined, own: true };
  if (types.size === 0) return own;
  if (goesOver(types)) return { ...own, item: { path: `${path}()[]` } };
  const records = ancestral(c, path, '[]')?.returns === 'self';
  return records ? { ...own, item: { path } } : own;
}

/** What a framework's class means by this method, for a class that descends from it or may. */
export function ancestral(c: Place, path: string, name: string): Meaning | undefined {
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

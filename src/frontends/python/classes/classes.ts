// Classes of a file: bases, fields, methods, and the table that a model stands for.
import type { Alias, ForeignKey, Name, TypeDeclaration } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { fromAnnotation } from '../names/annotations.ts';
import { argument, given, keyword } from '../names/arguments.ts';
import {
  api,
  canonical,
  handedAs,
  isExtended,
  isType,
  lineage,
  lists,
  tableRule,
  tableRuleOf,
} from '../names/knowledge.ts';
import { inLowerCase } from '../names/labels.ts';
import { bindImport, type ClassInfo, type Place, scope, type Type, textOf } from '../names/scope.ts';
import { ancestors } from '../names/types.ts';
import { constantText, instanceOf, isClassLike, resolve } from '../names/values.ts';
import { setting } from '../names/variables.ts';
import { accessor, calledAs } from './entries.ts';
import { madeOf, managerOf } from './managers.ts';

/** First look at a class: enough for other classes and routines of the file to know it. */
export function declareClass(c: Place, node: Syntax, path: string): ClassInfo {
  const bases = (child(node, 'superclasses')?.children ?? [])
    .filter((one) => one.type !== 'keyword_argument' && one.type !== 'comment')
    .flatMap(
      (one) =>
        madeOf(c, one) ??
        resolve(c, one.type === 'subscript' ? child(one, 'value') : one)?.path ??
        (/^[\w.]+$/.test(textOf(c.file, one)) ? textOf(c.file, one) : []),
    )
    .map(canonical);
  const info: ClassInfo = {
    path,
    bases,
    methods: new Set(),
    properties: new Set(),
    setters: new Set(),
    fields: new Map(),
    holds: new Map(),
    node,
  };
  c.file.classes.set(path, info);
  for (const one of members(node)) {
    const definition = defined(one);
    const name = child(definition, 'name');
    if (definition.type === 'function_definition' && name) {
      info.methods.add(textOf(c.file, name));
      const marks = one.children.filter((part) => part.type === 'decorator');
      const named = marks.map((mark) => mark.children[0]).filter((mark) => mark !== undefined);
      if (accessor(c, named) === 'setter') info.setters.add(textOf(c.file, name));
      if (named.some((mark) => mark.type !== 'call' && PROPERTY.test(calledAs(c, mark)))) {
        info.properties.add(textOf(c.file, name));
        c.file.properties.add(textOf(c.file, name));
      }
      c.file.functions.add(`${path}.${textOf(c.file, name)}`);
      if (manages(c.file, one)) c.file.managers.add(`${path}.${textOf(c.file, name)}`);
    }
  }
  return info;
}

const PROPERTY = /^(cached_)?property$/;

/** A base of a library, and what of a library's own is above it. */
const withKnown = (base: string) => [base, ...lineage(base).filter((one) => one !== base && isExtended(one))];

/** What stands below its decorators. */
export const defined = (node: Syntax): Syntax =>
  node.type === 'decorated_definition' ? (child(node, 'definition') ?? node) : node;

export const manages = (file: Place['file'], node: Syntax): boolean =>
  node.type === 'decorated_definition' &&
  node.children.some((one) => one.type === 'decorator' && /contextmanager\s*$/.test(textOf(file, one)));

export const members = (node: Syntax): Syntax[] => child(node, 'body')?.children ?? [];

export const methodOf = (c: Place, node: Syntax, name: string): Syntax | undefined =>
  members(node)
    .map(defined)
    .find((one) => textOf(c.file, child(one, 'name')) === name);

/** Second look, when all names of the file are known. */
export function readFields(c: Place, info: ClassInfo): void {
  const inner: Place = { ...c, cls: info, scope: scope('class', info.path, c.scope) };
  for (const one of members(info.node)) {
    if (one.type === 'import_statement' || one.type === 'import_from_statement')
      bindImport(c.file, inner.scope, one);
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    if (assignment?.type === 'assignment') field(inner, info, assignment);
  }
  const methods = members(info.node).flatMap((one) => {
    const method = defined(one);
    return method.type === 'function_definition' ? [method] : [];
  });
  // What __init__ says of an attribute holds; of others all methods that set it must agree.
  const isInit = (method: Syntax) => textOf(c.file, child(method, 'name')) === '__init__';
  for (const method of methods.filter(isInit))
    assigned(inner, info, method, (name, type) => info.fields.set(name, type));
  const later = new Map<string, Type | null>();
  for (const method of methods)
    if (!isInit(method))
      assigned(inner, info, method, (name, type) => {
        const known = later.get(name);
        later.set(name, known === undefined || known?.path === type.path ? type : null);
      });
  for (const method of methods) givesClass(inner, info, method);
  for (const [name, type] of later) if (type && !info.fields.has(name)) info.fields.set(name, type);
}

/** `def get_serializer_class(self): return OrderSerializer` says what `serializer_class` would; of several nobody knows which. */
function givesClass(c: Place, info: ClassInfo, method: Syntax): void {
  const name = /^get_(\w+_class)$/.exec(textOf(c.file, child(method, 'name')))?.[1];
  if (!name) return;
  const paths = new Set<string | undefined>();
  const stack = [...members(method)];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (at.type === 'return_statement') paths.add(resolve(c, at.children[0])?.path);
    stack.push(...at.children);
  }
  const [path] = paths;
  if (paths.size === 1 && path && isClassLike(c, path))
    info.holds.set(name, { path, fresh: true, certainty: 'likely' });
  else info.holds.delete(name);
}

function field(c: Place, info: ClassInfo, node: Syntax): void {
  const left = child(node, 'left');
  if (left?.type !== 'identifier') return;
  const name = textOf(c.file, left);
  const right = child(node, 'right');
  const annotated = child(node, 'type');
  const type =
    (right && related(c, info, right)) ??
    (annotated && fromAnnotation(c, annotated)?.type) ??
    (right && manager(c, info, name, right)) ??
    (right && resolve(c, right)?.type);
  if (type && !(type.path.endsWith(')') && !annotated)) info.fields.set(name, type);
  else if (right) {
    const value = resolve(c, right);
    if (value?.path) info.holds.set(name, { path: value.path, fresh: true, certainty: 'likely' });
    c.scope.names.set(name, value ?? { code: right });
  }
}

/** `objects = Base.from_queryset(Query)()`: a class of its own, that descends from both. */
function manager(c: Place, info: ClassInfo, name: string, right: Syntax): Type | undefined {
  const bases = managerOf(c, right);
  if (!bases?.[0]) return undefined;
  if (bases.length === 1) return { path: bases[0], item: { path: info.path } };
  const path = `${info.path}.${name}`;
  c.file.made.set(path, { bases, node: right });
  return { path, item: { path: info.path } };
}

/** `ForeignKey('shop.Order')` makes an attribute that is an Order. */
function related(c: Place, info: ClassInfo, right: Syntax): Type | undefined {
  const callee = right.type === 'call' ? child(right, 'function') : undefined;
  const path = callee && resolve(c, callee)?.path;
  const its = path ? api(canonical(path)) : undefined;
  if (!its?.related) return undefined;
  const target = given(c, right, its.related);
  const text = target && constantText(c, target);
  const named =
    text === undefined
      ? target && resolve(c, target)?.path
      : text === 'self'
        ? info.path
        : modelPath(c, info, text);
  if (!named) return undefined;
  // What a foreign key leads to is there.
  return its.returns
    ? { path: its.returns, item: { path: named } }
    : { ...instanceOf(canonical(named)), fresh: false };
}

/** `'Order'` is a neighbour; `'shop.Order'` is in the models of that app. */
function modelPath(c: Place, info: ClassInfo, text: string): string | undefined {
  const [app, name] = text.split('.');
  if (!name) return info.path.replace(/[^.]+$/, app!);
  return text.split('.').length === 2 && isClassLike(c, text) ? `${app}.models.${name}` : undefined;
}

/** `self.repo = Repo()` and `self.repo = repo` with an annotated parameter. */
function assigned(
  c: Place,
  info: ClassInfo,
  method: Syntax,
  found: (name: string, type: Type) => void,
): void {
  const types = new Map<string, Type>();
  // A parameter is none of the names around it.
  const inner: Place = {
    ...c,
    scope: scope('function', `${info.path}.${textOf(c.file, child(method, 'name'))}`, c.scope),
  };
  for (const one of child(method, 'parameters')?.children ?? []) {
    const name = one.type === 'typed_parameter' ? one.children[0] : child(one, 'name');
    const type = fromAnnotation(
      c,
      child(one, 'type') ?? one.children.find((part) => part.type === 'type'),
    )?.type;
    // Whether something has begun on what one is handed, its maker knows.
    if (name) inner.scope.names.set(textOf(c.file, name), {});
    if (name && type) types.set(textOf(c.file, name), { ...type, path: handedAs(type.path) });
  }
  const known = new Map<string, Type>();
  const look = (nodes: Syntax[], depth: number): void => {
    for (const one of nodes) {
      if (depth < 8 && /^(if|try|with|for)_statement$|_clause$|^block$/.test(one.type))
        look(one.children, depth + 1);
      const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
      const left = assignment?.type === 'assignment' ? child(assignment, 'left') : undefined;
      const right = assignment && child(assignment, 'right');
      if (left?.type !== 'attribute' || !right) continue;
      const held = /^self\.(\w+)$/.exec(textOf(c.file, child(left, 'object')))?.[1];
      const was = held && (known.get(held) ?? info.fields.get(held))?.path;
      const path = was && setting(c, was, child(left, 'attribute'), right);
      // Whatever it was when the object was made, it is this from then on.
      if (path) info.fields.set(held!, { path });
      const owner = textOf(c.file, child(left, 'object'));
      if (owner !== 'self' && owner !== 'cls') continue;
      const isMade = right.type === 'call' && textOf(c.file, child(right, 'function')) === 'cls';
      const type =
        right.type === 'identifier'
          ? types.get(textOf(c.file, right))
          : isMade
            ? { path: info.path, own: true as const }
            : resolve(inner, right)?.type;
      const name = textOf(c.file, child(left, 'attribute'));
      if (!type || type.path.endsWith('?')) continue;
      known.set(name, type);
      found(name, type);
    }
  };
  look(child(method, 'body')?.children ?? [], 0);
}

// ---- what the unit says of it

/** Classes without a class statement. */
export const madeTypes = ({ made }: Place['file']): TypeDeclaration[] =>
  [...made].map(([path, { bases, node }]) => ({
    name: `python:${path}`,
    at: { start: node.start, end: node.end },
    bases: bases.map((base) => `python:${base}` as Name),
  }));

export function typeDeclaration(c: Place, info: ClassInfo, returns: Map<string, Name>): TypeDeclaration {
  const name = child(info.node, 'name')!;
  const fields: Record<string, Name> = {};
  for (const [field, type] of info.fields) {
    if (isType(type.path) || !c.file.isForeign(type.path)) fields[field] = `python:${type.path}`;
    // One of those that it has: `order.tags.all()`, `self.queryset.get(pk=pk)`.
    const item = type.item?.path;
    if (item?.includes('.') && item !== info.path && !isType(item) && !c.file.isForeign(item))
      fields[`${field}[]`] = `python:${item}`;
  }
  for (const [name, { path }] of info.holds)
    if (!Object.hasOwn(fields, name) && path.includes('.') && isClassLike(c, path) && !c.file.isForeign(path))
      fields[name] = `python:${path}`;
  for (const name of info.properties) {
    const type = returns.get(`python:${info.path}.${name}`);
    if (type && !Object.hasOwn(fields, name)) fields[name] = type;
  }
  const relation = tableOf(c, info);
  const gives = givenBack(c, info);
  const structural = isProtocol(info);
  const leaves = members(info.node).flatMap((one) =>
    (structural ? isAsked(c, one) : isLeft(c, one)) ? [textOf(c.file, child(defined(one), 'name'))] : [],
  );
  return {
    name: `python:${info.path}`,
    at: { start: name.start, end: name.end },
    bases: info.bases.flatMap(withKnown).map((base) => `python:${base}` as Name),
    ...(info.bases.length > 1 ? { inOrder: true } : {}),
    ...(relation ? { relation } : {}),
    ...(relation && byFolder(c, info, relation)),
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
    ...(abstract(c, info) ? { abstract: true } : {}),
    ...(structural ? { structural } : {}),
    ...(gives.length > 0 ? { gives } : {}),
    ...(leaves.length > 0 ? { leaves } : {}),
  };
}

/** A method that those that descend from its class must have: it says so, and does nothing else. */
export function isLeft(c: Place, member: Syntax): boolean {
  const method = defined(member);
  if (method.type !== 'function_definition') return false;
  const [first, ...rest] = members(method).filter((one) => one.children[0]?.type !== 'string');
  if (rest.length > 0) return false;
  const marks = member.children.map((one) => one.type === 'decorator' && resolve(c, one.children[0])?.path);
  if (marks.some((path) => path && /(^|\.)overload$/.test(path))) return false;
  if (!first || marks.some((path) => path && /(^|\.)abstract\w+$/.test(path))) return true;
  return /^(raise NotImplementedError\b|\.\.\.$)/.test(textOf(c.file, first));
}

/** A foreign key makes an attribute of the other model, too: `order.lines`, or `order.line_set`; what makes a list of a class has one that stands for all. */
function givenBack(c: Place, info: ClassInfo): NonNullable<TypeDeclaration['gives']> {
  const ofList = lists.flatMap(([, { by, each }]): NonNullable<TypeDeclaration['gives']> => {
    const path = resolve(c, metaOf(c, info, by))?.path;
    return path ? [{ to: `python:${path}` as Name, field: each, alone: true as const }] : [];
  });
  const ofKeys = members(info.node).flatMap((one): typeof ofList => {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const right = assignment?.type === 'assignment' ? child(assignment, 'right') : undefined;
    const callee = right?.type === 'call' ? child(right, 'function') : undefined;
    const kind = callee && /(ForeignKey|OneToOneField|ManyToManyField)$/.exec(textOf(c.file, callee))?.[1];
    if (!kind) return callee ? toManager(c, assignment!, right!) : [];
    const type = related(c, info, right!);
    const to = type && (type.item ?? type).path;
    if (!to) return [];
    const last = info.path.split('.').at(-1)!.toLowerCase();
    const named = keyword(c, right!, 'related_name');
    const written = (named && constantText(c, named))
      ?.replace('%(class)s', last)
      .replace('%(app_label)s', appOf(c) ?? '');
    const single = kind === 'OneToOneField';
    const field = written ?? (single ? last : `${last}_set`);
    return /^\w+$/.test(field) ? [{ to: `python:${to}` as Name, field: single ? field : `${field}[]` }] : [];
  });
  return [...ofList, ...ofKeys];
}

/** `objects = OrderManager()`: what that manager goes over. */
function toManager(c: Place, assignment: Syntax, right: Syntax): NonNullable<TypeDeclaration['gives']> {
  const name = textOf(c.file, child(assignment, 'left'));
  if (!MANAGES.test(name)) return [];
  const path = resolve(c, child(right, 'function'))?.path;
  const all = managerOf(c, right) ?? (path && isClassLike(c, path) ? [path] : []);
  return all.flatMap((one) =>
    c.file.isForeign(one)
      ? []
      : OF_MANAGER.map((field) => ({ to: `python:${one}` as Name, field, alone: true as const })),
  );
}

/** Its rows, and what it calls their class. */
const OF_MANAGER = ['[]', 'model'];
const MANAGES = /(^|_)(objects|manager)(_|$)/;

const isProtocol = (info: ClassInfo): true | undefined =>
  info.bases.some((base) => /(^|\.)Protocol$/.test(base)) || undefined;

/** What a protocol has, whoever is one of it has, whatever stands in it: a method that is called by its name. */
const isAsked = (c: Place, member: Syntax): boolean =>
  defined(member).type === 'function_definition' &&
  !/^__/.test(textOf(c.file, child(defined(member), 'name'))) &&
  !member.children.some((one) => one.type === 'decorator' && /property$/.test(textOf(c.file, one)));

function abstract(c: Place, info: ClassInfo): boolean {
  return (
    isProtocol(info) ||
    info.bases.some((base) => /(^|\.)ABC$/.test(base)) ||
    option(c, info, 'Meta.abstract') === 'True'
  );
}

/** The text of a class attribute: `__tablename__` or `Meta.db_table`. */
function option(c: Place, info: ClassInfo, dotted: string): string | undefined {
  const [first, second] = dotted.split('.');
  const right = second ? metaOf(c, info, second) : attributeOf(c, info.node, first!);
  return right && (constantText(c, right) ?? textOf(c.file, right));
}

/** What stands behind a name in `class Meta` of a class. */
export function metaOf(c: Place, info: ClassInfo, name: string): Syntax | undefined {
  const isMeta = (one: Syntax) =>
    one.type === 'class_definition' && textOf(c.file, child(one, 'name') ?? one) === 'Meta';
  const meta = members(info.node).find(isMeta);
  return meta && attributeOf(c, meta, name);
}

/** What stands behind a name in the body of a class. */
export function attributeOf(c: Place, cls: Syntax, name: string): Syntax | undefined {
  for (const one of members(cls)) {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const left = assignment?.type === 'assignment' ? child(assignment, 'left') : undefined;
    const right = left && textOf(c.file, left) === name ? child(assignment!, 'right') : undefined;
    if (right) return right;
  }
  return undefined;
}

function tableOf(c: Place, info: ClassInfo): Name | undefined {
  const rule = ruleOf(c, info);
  if (!rule) return undefined;
  if (
    /^Meta\./.test(rule.attribute) &&
    (option(c, info, 'Meta.abstract') === 'True' || option(c, info, 'Meta.proxy') === 'True')
  )
    return undefined;
  const written =
    option(c, info, rule.attribute) ??
    (rule.otherwise === 'lower case' ? option(c, info, 'Meta.db_table') : undefined);
  if (written) return relationName(written);
  const last = info.path.split('.').at(-1)!;
  if (rule.otherwise === 'lower case') return `sql:${last.toLowerCase()}`;
  if (rule.otherwise === 'snake case') return hasKey(c, info) ? `sql:${inSnakeCase(last)}` : undefined;
  if (rule.otherwise !== 'app and class') return undefined;
  const app = option(c, info, 'Meta.app_label') ?? appOf(c);
  return app ? `sql:${app.toLowerCase()}_${last.toLowerCase()}` : undefined;
}

/** The folder's name stands before it, and no class says so. */
function byFolder(c: Place, info: ClassInfo, relation: Name): Pick<TypeDeclaration, 'prefix'> {
  const app = appOf(c)?.toLowerCase();
  const written = option(c, info, 'Meta.db_table') ?? option(c, info, 'Meta.app_label');
  return app && !written && relation.startsWith(`sql:${app}_`) ? { prefix: app } : {};
}

/** One without a key of its own shares its parent's table. */
const hasKey = (c: Place, { node }: ClassInfo): boolean =>
  /\bprimary_key\s*=\s*True\b/.test(textOf(c.file, node));

/** `OrderLine` is `order_line`, `HTTPRequest` is `http_request`. */
const inSnakeCase = (name: string): string =>
  name.replace(/(?<=[a-z\d])[A-Z]|(?!^)[A-Z](?=[a-z])/g, '_$&').toLowerCase();

/** `class Order(db.Model)` with `id = db.Column(…)`: the object that gives the class makes its fields. */
function ruleOfOwner(c: Place, { node }: ClassInfo) {
  for (const base of child(node, 'superclasses')?.children ?? []) {
    const rule = base.type === 'attribute' && tableRuleOf(textOf(c.file, child(base, 'attribute')));
    if (rule && textOf(c.file, child(node, 'body')).includes(`= ${textOf(c.file, child(base, 'object'))}.`))
      return rule;
  }
  return undefined;
}

function ruleOf(c: Place, info: ClassInfo) {
  const { types } = ancestors(c, info.path);
  for (const type of types) {
    const rule = tableRule(type);
    if (rule && rule.otherwise !== 'none') return rule;
  }
  const owned = ruleOfOwner(c, info);
  if (owned) return owned;
  for (const type of types) if (tableRule(type)) return tableRule(type);
  // A base of another file: fields tell whose model it is.
  if (option(c, info, '__tablename__') !== undefined) return tableRule('sqlalchemy.orm.DeclarativeBase');
  const hasField = members(info.node).some((one) => {
    const right =
      one.type === 'expression_statement' && one.children[0]?.type === 'assignment'
        ? child(one.children[0], 'right')
        : undefined;
    const callee = right?.type === 'call' ? child(right, 'function') : undefined;
    return (
      callee !== undefined && /^django\.(contrib\.\w+\.)?db\.models\./.test(resolve(c, callee)?.path ?? '')
    );
  });
  return hasField ||
    (/(^|\.)models(\.|$)/.test(c.file.module) &&
      info.bases.some((base) => /Model$|Mixin$/.test(base)) &&
      c.file.imported.has('django'))
    ? tableRule('django.db.models.Model')
    : undefined;
}

/** The app that a models module belongs to: `saleor/order/models.py` is `order`. */
export function appOf(c: Place): string | undefined {
  const parts = c.file.module.split('.');
  const at = parts.findLastIndex((part) => part === 'models' || part === 'migrations');
  return parts[at < 0 ? parts.length - 2 : at - 1];
}

/** `public.orders`, `"Order"`, and Django's trick `audit"."log`. */
export function relationName(text: string): Name {
  const parts = text.replace(/^"|"$/g, '').split(/"?\."?/);
  return `sql:${parts.map((part) => (/^[a-z_][a-z0-9_$]*$/.test(part) ? part : `"${part}"`)).join('.')}`;
}

/** `get_model("shop", "orderline")` is the OrderLine of that app. */
export function byLabel(c: Place, info: ClassInfo): Alias[] {
  const app =
    ruleOf(c, info)?.otherwise === 'app and class' && (option(c, info, 'Meta.app_label') ?? appOf(c));
  const label = app && inLowerCase(app, info.path.slice(info.path.lastIndexOf('.') + 1));
  return label ? [{ from: `python:${label}`, to: `python:${info.path}` }] : [];
}

/** The classes of what a field of it refers to, where it is deleted along with that. */
export function goesWith(c: Place, info: ClassInfo): NonNullable<TypeDeclaration['goesWith']> {
  if (!/_delete\b|\bCASCADE\b/.test(textOf(c.file, info.node))) return [];
  return members(info.node).flatMap((one) => {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const right = assignment?.type === 'assignment' ? child(assignment, 'right') : undefined;
    const callee = right?.type === 'call' ? child(right, 'function') : undefined;
    const along = api(canonical((callee && resolve(c, callee)?.path) ?? ''))?.goesAlong;
    if (
      !right ||
      !along ||
      textOf(c.file, given(c, right, along.argument))
        .split('.')
        .at(-1) !== along.is
    )
      return [];
    const type = related(c, info, right);
    return type ? [{ type: `python:${type.path}`, ...(along.single && { single: true as const }) }] : [];
  });
}

/** Foreign keys whose two tables this file can name. */
export function foreignKeys(c: Place, info: ClassInfo): ForeignKey[] {
  const table = tableOf(c, info);
  if (!table) return [];
  return members(info.node).flatMap((one): ForeignKey[] => {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const right = assignment?.type === 'assignment' ? child(assignment, 'right') : undefined;
    const callee = right?.type === 'call' ? child(right, 'function') : undefined;
    if (!right || !callee || !/(ForeignKey|OneToOneField)$/.test(textOf(c.file, callee))) return [];
    const type = related(c, info, right);
    const local = type && c.file.classes.get(type.path);
    const text = argument(right, 0) && constantText(c, argument(right, 0)!);
    const label = text?.includes('.') ? text.toLowerCase().replace('.', '_') : undefined;
    const parent = local
      ? tableOf(c, local)
      : label && /^\w+$/.test(label)
        ? (`sql:${label}` as Name)
        : undefined;
    if (!parent) return [];
    const name = child(assignment!, 'left')!;
    return [
      {
        at: { start: name.start, end: name.end },
        child: table,
        parent,
        columns: [`${textOf(c.file, name)}_id`],
        deferred: true, // as Django makes all of them on PostgreSQL
      },
    ];
  });
}

// Which classes save a model that their Meta names. What that does is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { argument } from '../names/arguments.ts';
import { canonical, lists, registering, savesOf, serving, viewing } from '../names/knowledge.ts';
import { type ClassInfo, kept, type Place, type Type, textOf } from '../names/scope.ts';
import { ancestors } from '../names/types.ts';
import { lastPart, resolve } from '../names/values.ts';
import { lineageOf } from './attributes.ts';
import { attributeOf, metaOf, methodOf } from './classes.ts';

/** The model, as it is written in the class itself: `class Meta: model = Order`. */
export const modelOf = (c: Place, info: ClassInfo) => metaOf(c, info, 'model');

/** Behind a method's name: it is that of a list of the class's objects. */
export const OF_LIST = '~list';

/** Its methods that save the model, as far as those above it in this file leave that to the framework. */
export function savingMethods(c: Place, info: ClassInfo): string[] {
  const all = savedBy(c, info).flatMap(({ by }) => by);
  if (all.length === 0 || !modelOf(c, info)) return [];
  const above = info.bases.flatMap((base) => c.file.classes.get(base) ?? []);
  return [...new Set(all)].filter((name) => above.every((one) => !one.methods.has(name)));
}

const savedBy = (c: Place, info: ClassInfo) =>
  [...ancestors(c, info.path).types].flatMap((type) => savesOf(type) ?? []);

/** By the methods of a view that the framework calls: what its `serializer_class` is, and which method of that they call. */
export function servedBy(c: Place, info: ClassInfo): Map<string, Type & { only: string }> {
  const out = new Map<string, Type & { only: string }>();
  for (const { by, below, of } of serving) {
    const type = info.holds.get(by);
    for (const [hook, method] of type ? hooksOf(c, info, below, of) : [])
      out.set(hook, { ...type!, only: method });
  }
  return out;
}

function hooksOf(c: Place, info: ClassInfo, below: string[], of: Record<string, Record<string, string>>) {
  const bases = [...lineageOf(c, info)].flatMap((one) => child(one.node, 'superclasses')?.children ?? []);
  return bases.flatMap((base) => {
    const path = resolve(c, base)?.path ?? '';
    if (!below.includes(canonical(path))) return [];
    // As it is called where it is from, whatever it is imported as; of a module's attribute that is how it is written.
    return Object.entries(of[lastPart(path)] ?? of[lastPart(textOf(c.file, base))] ?? {});
  });
}

/** Third look, when all classes of the file are known: of which rows a form or a view is, and which form a framework makes for it. */
export function readViews(c: Place, info: ClassInfo): void {
  for (const { by } of serving) {
    const held = info.holds.get(by);
    if (held && lists.some(([, its]) => mayGive(c, info, its)))
      info.holds.set(by, { ...held, lists: 'perhaps' });
  }
  const model = savingMethods(c, info).length > 0 ? resolve(c, modelOf(c, info))?.path : undefined;
  for (const { row } of model ? savedBy(c, info) : [])
    if (!info.fields.has(row)) info.fields.set(row, { path: model!, fresh: false });
  for (const { called, by, has } of viewing) {
    if (![info.path, ...info.bases].some((one) => called.test(one))) continue;
    const type = by.map((name) => info.holds.get(name) ?? info.fields.get(name)?.item).find((one) => one);
    for (const name of type ? has : [])
      if (!info.methods.has(name) && !info.fields.has(name))
        info.fields.set(name, { path: type!.path, fresh: false });
    for (const { by: makes, below, of, otherwise } of serving) {
      if (!type || !otherwise || info.holds.has(makes) || hooksOf(c, info, below, of).length === 0) continue;
      const path = `${info.path}.Form`;
      c.file.made.set(path, { bases: [otherwise], node: info.node, saves: type.path });
      info.holds.set(makes, { path, fresh: true });
    }
  }
}

/** `kwargs["many"] = True` in `get_serializer()`, of the class itself or one above it in this file. */
function mayGive(c: Place, info: ClassInfo, { maker, argument, is }: (typeof lists)[number][1]): boolean {
  const by = [...lineageOf(c, info)].find(({ methods }) => methods.has(maker));
  const text = by && textOf(c.file, methodOf(c, by.node, maker)).replace(/["'\s]/g, '');
  return [`${argument}]=${is}`, `${argument},${is})`, `${argument}=${is}`].some((one) => text?.includes(one));
}

/** `queryset` and `obj` of a class that is registered for one model: `@admin.register(Order)`, `admin.site.register(Order, OrderAdmin)`. */
export function registeredFor(c: Place, info: ClassInfo, parameter: string): Type | undefined {
  for (const { decorator, call, parameters } of registering) {
    const its = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
    const path = its && (modelBy(c, info, decorator) ?? modelGiven(c, info, call));
    if (path) return its.path ? { path: its.path, item: { path } } : { path };
  }
  return undefined;
}

/** The same of a function that such classes list: `actions = [close]`. They must agree. */
export function listedFor(c: Place, path: string, parameter: string): Type | undefined {
  if (!registering.some(({ parameters }) => Object.hasOwn(parameters, parameter))) return undefined;
  const listing = [...c.file.classes.values()].filter((info) =>
    registering.some(({ lists }) =>
      attributeOf(c, info.node, lists)?.children.some((one) => resolve(c, one)?.path === path),
    ),
  );
  const [type, ...more] = listing.map((info) => registeredFor(c, info, parameter));
  return more.every((one) => one?.item?.path === type?.item?.path && one?.path === type?.path)
    ? type
    : undefined;
}

function modelBy(c: Place, info: ClassInfo, decorator: string): string | undefined {
  const { parent } = info.node;
  for (const mark of parent?.type === 'decorated_definition' ? parent.children : []) {
    const call = mark.type === 'decorator' ? mark.children[0] : undefined;
    if (call?.type !== 'call' || !isIt(c, child(call, 'function'), decorator)) continue;
    return argument(call, 1) ? undefined : resolve(c, argument(call, 0))?.path;
  }
  return undefined;
}

function modelGiven(c: Place, info: ClassInfo, name: string): string | undefined {
  for (const call of callsIn(c, c.file.root)) {
    if (!isIt(c, child(call, 'function'), name)) continue;
    const model = argument(call, 0);
    if (
      resolve(c, argument(call, 1))?.path === info.path &&
      /^(identifier|attribute)$/.test(model?.type ?? '')
    )
      return resolve(c, model)?.path;
  }
  return undefined;
}

/** The calls that are statements of the module: few, of many statements. */
const callsIn = kept((_, root: Syntax): Syntax[] =>
  root.children.flatMap(({ type, children: [call] }) =>
    type === 'expression_statement' && call?.type === 'call' ? [call] : [],
  ),
);

const isIt = (c: Place, node: Syntax | undefined, name: string): boolean => {
  const path = resolve(c, node)?.path;
  return path !== undefined && canonical(path) === name;
};

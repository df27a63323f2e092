// All tables of Python's frameworks as one: asked by full name, by type and method, by method alone.
import type { Argument, Framework, Meaning } from '../../../framework.ts';
import { frameworks as tables } from '../../../frameworks/python/index.ts';
import { computingOf } from '../../computing.ts';

const apis = new Map<string, Meaning>();
const types = new Map<string, Record<string, Meaning>>();
const bases = new Map<string, string[]>();
const same = new Map<string, string>();
const entries = new Map<string, NonNullable<Framework['entries']>[string]>();
const models = new Map<string, NonNullable<Framework['tables']>[string]>();
const keys = new Map<string, string[]>();
const queries = new Map(tables.flatMap((table) => Object.entries(table.queries ?? {})));
const signals = new Map<string, NonNullable<Framework['signals']>[string]>();
export const providers = tables.flatMap((table) => table.providers ?? []);
const objects = new Set(
  tables.flatMap((table) => Object.values(table.signals ?? {}).flatMap(({ object }) => object ?? [])),
);
const methods = new Map<string, { everywhere: boolean; roots: Set<string>; meaning: Meaning }[]>();
const nicknames = new Map<string, string>();
const classes = new Map(tables.flatMap((table) => Object.entries(table.classes ?? {})));
const receivers = new Map<string, { roots: Set<string>; type: string }[]>();
/** Methods of connections and their kin that open a scope, by name; those whose call begins it. */
const scoped = new Map<string, { receiver: string; meaning: Meaning }[]>();
const begun = new Set<string>();
/** What such a scope gives to whom enters it, where only one library's is called so. */
const given = new Map<string, string>();
const handles = new Set(tables.flatMap((table) => table.handles ?? []));
/** Models of frameworks, and the setting that replaces each. */
const replaced = new Map(tables.flatMap((table) => Object.entries(table.replaced ?? {})));
/** How a name begins that is asked of an object of one. */
const ofReplaced = [...replaced.keys()].map((path) => `${path}().`);
/** By method: the base classes whose framework runs it in a transaction. */
const within = new Map<string, string[]>();
const saving = new Map(tables.flatMap((table) => Object.entries(table.saves ?? {})));
/** By method: the framework's classes that repositories derive their own from. */
const inherited = new Map<string, { receiver: string; meaning: Meaning }[]>();
const queues = new Map(tables.flatMap((table) => Object.entries(table.queues ?? {})));
const handed = new Map(tables.flatMap((table) => Object.entries(table.handed ?? {})));
const extended = new Set(tables.flatMap((table) => table.extended ?? []));
const functions = tables.flatMap((table) => table.functions ?? []);
/** Parts of a query that the server computes for each row, as they are called; classes that stand for functions of the database. */
export const computing = computingOf(tables);
export const expressions = new Map(tables.flatMap((table) => Object.entries(table.expressions ?? {})));
const aparts = new Map<string, string>();
const statements = new Set(tables.flatMap((table) => table.statements ?? []));
const flushed: { roots: Set<string>; marks: string[]; types: string[] }[] = [];
/** The first part of each path that a table knows: a package that is not the repository's own. */
export const roots = new Set<string>();

for (const table of tables) {
  const own = new Set<string>();
  const paths = [table.apis, table.types, table.same, table.entries].flatMap((one) => Object.keys(one ?? {}));
  for (const path of paths) own.add(path.slice(0, path.indexOf('.')));
  for (const root of own) roots.add(root);
  if (table.flushed) {
    const dotted = Object.keys(table.receivers ?? {}).filter((name) => name.includes('.'));
    const marks = [...dotted, ...Object.keys(table.queries ?? {}).map((name) => `.${name}.`)];
    flushed.push({ roots: own, marks, types: table.flushed });
  }
  if (table.apart) for (const root of own) aparts.set(root, table.apart);
  for (const [path, meaning] of Object.entries(table.apis ?? {})) apis.set(path, meaning);
  for (const [path, its] of Object.entries(table.types ?? {})) types.set(path, its);
  for (const [path, its] of Object.entries(table.bases ?? {})) bases.set(path, its);
  for (const [path, its] of Object.entries(table.same ?? {})) same.set(path, its);
  for (const [path, its] of Object.entries(table.entries ?? {})) entries.set(path, its);
  for (const [path, its] of Object.entries(table.tables ?? {})) models.set(path, its);
  for (const [name, type] of Object.entries(table.nicknames ?? {})) nicknames.set(name, type);
  for (const [path, its] of Object.entries(table.keys ?? {})) keys.set(path, its);
  for (const [path, its] of Object.entries(table.signals ?? {})) signals.set(path, its);
  for (const [path, its] of Object.entries(table.within ?? {}))
    for (const name of its) push(within, name, path);
  for (const [name, meaning] of Object.entries(table.methods ?? {}))
    push(methods, name, {
      everywhere: table.packages.length === 0 || meaning.anywhere === true,
      roots: own,
      meaning,
    });
  for (const [name, type] of Object.entries(table.receivers ?? {}))
    push(receivers, name, { roots: own, type });
  for (const receiver of table.handles ?? [])
    for (const [name, meaning] of Object.entries(table.types?.[receiver] ?? {})) {
      if (!meaning.scope) continue;
      const shared = push(scoped, name, { receiver, meaning });
      if (shared.length > 1 || !meaning.returns) given.delete(name);
      else given.set(name, meaning.returns);
      if (meaning.scope.begun) begun.add(name);
    }
  for (const path of [...Object.keys(table.tables ?? {}), ...(table.extended ?? [])])
    for (const [name, meaning] of Object.entries(table.types?.[path] ?? {}))
      push(inherited, name, { receiver: path, meaning });
}

/** What opens a scope by its last word, and the modules that have such: a module here may re-export either. */
const openers = new Map<string, { path: string; meaning: Meaning }[]>();
const modules = new Set<string>();
for (const [path, meaning] of apis) {
  if (!meaning.scope) continue;
  const dot = path.lastIndexOf('.');
  modules.add(path.slice(0, dot));
  push(openers, path.slice(dot + 1), { path, meaning });
}

const configured = new Set(tables.flatMap((table) => table.settings ?? []));
/** What has all that the program's own modules of settings say. */
export const isSettings = (path: string | undefined): boolean => path !== undefined && configured.has(path);
/** What each of those is called. */
export const settingsObjects: readonly string[] = [...configured];

export const gives = (name: string): string | undefined => given.get(name);
export const begins = (name: string): boolean => begun.has(name);
/** Of what another file says the type of: whatever opens something by this name, or has it from a framework's class. */
export function opensOrInherits(name: string) {
  const above = fromAncestors(name);
  const opens = scoped.get(name);
  if (!opens) return above;
  return [...above, ...opens.filter((one) => !above.some(({ receiver }) => receiver === one.receiver))];
}
/** A connection, a session, a database. */
export const isHandle = (type: string): boolean => handles.has(type);

/** What speaks to another database, by its type; and all that gives such a one of it again. */
export const another = tables.find((table) => table.another)!.another!;
export const givesAnother = (): string[] => Object.keys(types.get(another)!);

let links: Set<string> | undefined;
/** What is a connection of its own, or has one, for whoever asks for it. */
export function isLink(type: string): boolean {
  if (!links) {
    const made = [...apis.values(), ...[...types.values()].flatMap((its) => Object.values(its))].filter(
      ({ connects }) => connects,
    );
    links = new Set(
      made.flatMap(({ returns, when }) => [returns, ...(when ?? []).map(({ then }) => then.returns)]),
    ) as Set<string>;
    for (const one of links)
      for (const other of [handed.get(one), ...changed(one)]) if (other) links.add(other);
    for (const one of handles) if (isItself(one)) links.add(one);
  }
  return lineage(type).some((one) => links!.has(one));
}

let ofLinks: Set<string> | undefined;
/** A connection, or what one gives: a cursor, which is on it. */
export function isOfLink(type: string): boolean {
  isLink(type);
  ofLinks ??= new Set(
    [...links!]
      .flatMap((one) => Object.values(types.get(one) ?? {}).flatMap(({ returns }) => returns ?? []))
      .filter((one) => Object.values(types.get(one) ?? {}).some(({ sql }) => sql !== undefined)),
  );
  return links!.has(type) || ofLinks.has(type);
}

let linking: Map<string, { of: string; gives: string }[]> | undefined;
/** What a method of this name gives of connections and what lends them, by whose it is: a connection, a cursor. */
export function linksBy(name: string): { of: string; gives: string }[] {
  if (!linking) {
    linking = new Map();
    isOfLink('');
    for (const [of, its] of types)
      for (const [method, { returns, connects }] of Object.entries(its))
        if (returns && types.has(returns) && (connects || (links!.has(of) && ofLinks!.has(returns))))
          push(linking, method, { of, gives: returns });
  }
  return linking.get(name) ?? [];
}

let beginning: Map<string, string[]> | undefined;
/** Whose statement of this name begins a transaction where none is open. */
export function beginnersBy(name: string): string[] {
  if (!beginning) {
    beginning = new Map();
    isOfLink('');
    for (const type of new Set([...links!, ...ofLinks!]))
      for (const [method, { flat, sql }] of Object.entries(types.get(type) ?? {}))
        if (flat === 'begin' && sql !== undefined) push(beginning, method, type);
  }
  return beginning.get(name) ?? [];
}

/** On which scopes nest: who opens a transaction on it again is in the one around. */
const isItself = (type: string): boolean =>
  Object.values(types.get(type) ?? {}).some(({ scope }) => scope?.whenNested === 'savepoint');

interface Chained {
  picks: Set<string>;
  passes: Set<string>;
  finds: Set<string>;
  limits: Map<string, Argument>;
  asks: Map<string, Argument>;
  asMany: Map<string, Argument>;
}
let chains: Chained | undefined;

/**
 * What a query is asked through, by name: what says which rows, and all that gives the query again; what says how many rows at
 * most, and what asks for the rows of the query or the SQL that it is handed; what gives as many as it is handed; all that gives a
 * query, or asks for its rows. Most files ask nothing.
 */
export function chained(): Chained {
  if (chains) return chains;
  chains = {
    picks: new Set(), passes: new Set(), finds: new Set(), limits: new Map(), asks: new Map(), asMany: new Map(),
  }; // biome-ignore format: one list
  for (const its of types.values()) {
    const isQuery = Object.values(its).some(({ picks }) => picks);
    for (const [
      name,
      { picks, returns, widens, limits, selects, related, sql, asMany, read },
    ] of Object.entries(its)) {
      if (picks) chains.picks.add(name);
      if (read || returns?.startsWith('item') || (isQuery && returns)) chains.finds.add(name);
      if (isQuery && returns === 'self' && !widens) chains.passes.add(name);
      if (limits !== undefined) chains.limits.set(name, limits);
      if (asMany !== undefined) chains.asMany.set(name, asMany);
      const asks = selects ? related : sql;
      if (asks !== undefined) chains.asks.set(name, asks);
    }
  }
  return chains;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): T[] {
  const list = map.get(key) ?? [];
  list.push(value);
  map.set(key, list);
  return list;
}

let telling: { names: Set<string>; words: RegExp } | undefined;
/** What tells whether a transaction is open, by name; and whether a file has such a word. Few files ask. */
export function tellsOpen(): NonNullable<typeof telling> {
  if (!telling) {
    const names = new Set<string>();
    for (const its of types.values())
      for (const [name, meaning] of Object.entries(its)) if (meaning.tellsOpen) names.add(name);
    telling = { names, words: new RegExp(`\\b(?:${[...names].join('|')})\\b`) };
  }
  return telling;
}

let vendors: { endings: string[]; words: RegExp } | undefined;
/** How attributes end that say which database is spoken to; and whether a file has such a word. Few files ask. */
export function tellsVendor(): NonNullable<typeof vendors> {
  if (!vendors) {
    const endings = tables.flatMap((table) => table.vendors ?? []);
    const words = new RegExp(endings.map((end) => end.replace(/[.[\]]/g, '\\$&')).join('|'));
    vendors = { endings, words };
  }
  return vendors;
}

let tests: RegExp | undefined;
/** A condition that asks for a setting which is on in tests alone. */
export function asksForTests(condition: string): boolean {
  const names = () => tables.flatMap((table) => table.inTests ?? []).join('|');
  tests ??= new RegExp(
    `^(?:[\\w.]+\\.|getattr\\([\\w.]+, *["'])(?:${names()})(?:["'], *(?:False|None)\\))?$`,
  );
  return tests.test(condition);
}

export const canonical = (path: string): string => same.get(path) ?? path;
export const api = (path: string): Meaning | undefined => apis.get(path);
/** A model that a framework brings, with its table. */
export const isModel = (path: string): boolean => (bases.get(path) ?? []).some((base) => models.has(base));
/** Of a type of this package, what makes its connections others than those of the rest of a file that imports it. */
export const apartFrom = (path: string): string | undefined => aparts.get(path.slice(0, path.indexOf('.')));
/** It reads, and may lock, when somebody asks for its rows, and not where it is put together. */
export const isQuery = (path: string): boolean =>
  Object.values(types.get(path) ?? {}).some(({ rowLock }) => rowLock !== undefined);
/** It does something where it is executed, and not where it is put together. */
export const isStatement = (path: string): boolean => statements.has(path);
export const isType = (path: string): boolean => types.has(path) || bases.has(path);
/** An import of it that another file imports again is still it. */
export const isOpener = (path: string): boolean =>
  modules.has(path) || apis.get(canonical(path))?.scope !== undefined;
export const openersCalled = (name: string) => openers.get(name) ?? [];
/** What a setting replaces is asked for by its name, so that the project's own class is found. */
export const isReplaced = (path: string): boolean => replaced.has(path);
/** Models that a setting of this name replaces. */
export const replacedBy = (setting: string): string[] =>
  [...replaced].flatMap(([path, its]) => (its === setting ? [path] : []));
/** Decorators, however they are imported, that keep a request's transaction away. */
export const keepsApart = new Map(tables.flatMap((table) => Object.entries(table.keepsApart ?? {})));
export const runsWithin = (method: string): string[] | undefined => within.get(method);
/** Classes of which a call may make a list of their objects. */
export const lists = Object.entries(Object.assign({}, ...tables.map((table) => table.lists))) as [
  string,
  NonNullable<Framework['lists']>[string],
][];
export const registering = tables.flatMap((table) => table.registers ?? []);
export const serving = tables.flatMap((table) => table.serves ?? []);
export const viewing = tables.flatMap(({ views }) =>
  views ? [{ ...views, called: new RegExp(views.called) }] : [],
);
export const savesOf = (type: string) => saving.get(type);
export const isKeyOf = (path: string, column: string) => keys.get(canonical(path))?.includes(column) ?? false;
export const isProvider = (path: string) => providers.includes(path);
export const signal = (path: string) => signals.get(path);
/** What callbacks call the object that is written. */
export const isObjectOfCallbacks = (parameter: string) => objects.has(parameter);
export const tableRule = (path: string) => models.get(path);
/** The rule for what descends from such an attribute of an object: `class Order(db.Model)`. */
export const tableRuleOf = (attribute: string) =>
  [...classes.keys()]
    .map((how) => (how.endsWith(`().${attribute}`) ? models.get(how) : undefined))
    .find(Boolean);
export const byMethod = (name: string) => methods.get(name) ?? [];
/** The class that a call or an attribute gives, as tables write those. */
export const classGiven = (how: string) => classes.get(how);
/** The classes that an object of this type has, by its attributes. */
export const classesOf = (type: string): [attribute: string, path: string][] =>
  [...classes].flatMap(([how, path]) =>
    how.startsWith(`${type}().`) ? [[how.slice(type.length + 3), path]] : [],
  );
export const byNickname = (name: string) => nicknames.get(name);
export const byReceiver = (name: string) => receivers.get(name) ?? [];
/** `sqlalchemy.func.stock.take` is the database's `stock.take`. */
export function functionOf(path: string): string | undefined {
  const below = functions.find((one) => path.startsWith(one) && path[one.length] === '.');
  return below && path.slice(below.length + 1).toLowerCase();
}
/** What configurations call the address of their database. */
export const addresses = tables.flatMap((table) => table.addresses ?? []);
/** A type of which projects keep an object in a module, and derive classes. */
export const isExtended = (type: string) => extended.has(type);
/** Of which a module may keep one that others import. */
export const isShared = (type: string) => extended.has(type) || handles.has(type);
/** What an object of this type is to whom a caller handed it. */
export const handedAs = (type: string) => handed.get(type) ?? type;
/** Whoever is handed one runs statements with it; what has scopes of its own may begin with one of those instead. */
export const runsOnly = (type: string) =>
  handed.has(type) && !Object.values(types.get(type) ?? {}).some(({ scope, becomes }) => scope ?? becomes);
/** Classes whose objects, once read, are written when something of them was set: those of the packages that a file imports, or whose objects it has from others. */
export const writtenWhenSet = (imported: ReadonlySet<string>, text: string): string[] =>
  flushed.flatMap(({ roots, marks, types }) =>
    [...roots].some((root) => imported.has(root)) || marks.some((mark) => text.includes(mark)) ? types : [],
  );
/** Arguments by which a class says what objects of another one have. */
export const lending = tables.flatMap((table) => table.lends ?? []);
export const fromAncestors = (name: string) => inherited.get(name) ?? [];

/** What it does happens elsewhere, unless it is asked to do that here. */
export const isJob = (type: string): boolean =>
  Object.values(types.get(type) ?? {}).some(({ elsewhere }) => elsewhere);

/** By custom it is a second one beside `objects`: `all_objects`, `objects_and_trash`. */
const SECOND = /(^|_)objects(_|$)/;

/** `Order.objects`: an attribute of every class of a kind that frameworks know, or of this name. */
export function classAttribute(called: string): string | undefined {
  const name = called.includes('objects') && SECOND.test(called) ? 'objects' : called;
  if (!inherited.has(name) && !methods.has(name)) return undefined;
  let type = attributes.get(name);
  if (type === undefined) {
    type = typeOfAttribute(name) ?? null;
    attributes.set(name, type);
  }
  return type ?? undefined;
}

/** Of the names that tables have. */
const attributes = new Map<string, string | null>();

function typeOfAttribute(name: string): string | undefined {
  const plain = ({ meaning }: { meaning: Meaning }) => Object.keys(meaning).join() === 'returns';
  const its = [...fromAncestors(name), ...byMethod(name)].find(plain)?.meaning.returns;
  return its && isType(its) ? its : undefined;
}

/** `Order.query`: what a class that may be a model's has as such an attribute, if it has this method. */
export function queryOf(path: string, method: string): string | undefined {
  if (queries.size === 0) return undefined;
  const type = queries.get(path.slice(path.lastIndexOf('.') + 1));
  return type && member(type, method)?.returns ? type : undefined;
}

let queryType: string | undefined;
/** Of the types that a class descends from: whether it is a manager, or what one asks. */
export function goesOver(types: ReadonlySet<string>): boolean {
  queryType ??= lineage(classAttribute('objects') ?? '').at(-1);
  return types.has(queryType!);
}

/** What a method of a framework's own type means. */
export function member(type: string, name: string): Meaning | undefined {
  const own = types.get(type)?.[name];
  if (own) return own;
  for (const base of bases.get(type) ?? []) {
    const found = member(base, name);
    if (found) return found;
  }
  return undefined;
}

/** What one of this type may have become, by who made it: `autocommit = True`. */
export function changed(type: string): string[] {
  const its = types.get(type);
  if (!its) return NONE;
  const known = changes.get(its) ?? [
    ...new Set(
      Object.entries(its).flatMap(([name, { becomes }]) =>
        becomes !== undefined && name.includes(' = ') ? [becomes] : [],
      ),
    ),
  ];
  changes.set(its, known);
  return known;
}

const NONE: string[] = [];
/** By what a table says of a type, which does not change: names of programs would keep their files. */
const changes = new Map<Record<string, Meaning>, string[]>();

/** `-> Connection` of one that commits each statement: what is given tells more than what was promised. */
export const promised = (path: string, given: string | undefined): string =>
  given !== undefined && isType(path) ? given : path;

/** The type itself and what it descends from. */
export function lineage(type: string): string[] {
  const above = bases.get(type);
  return above ? [type, ...above.flatMap(lineage)] : [type];
}

export const entry = (path: string): NonNullable<Framework['entries']>[string] | undefined =>
  below(entries, path);
/** What runs at once a function that this decorator puts into a queue. */
export const queue = (path: string): string | undefined => below(queues, path);

/** Of the path itself, or of all that stands below one. */
function below<T>(all: Map<string, T>, path: string): T | undefined {
  const exact = all.get(path);
  if (exact) return exact;
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const found = all.get(`${path.slice(0, dot)}.*`);
    if (found) return found;
  }
  return undefined;
}

const STANDARD = new Set(
  (
    'abc argparse array ast asyncio base64 bisect builtins calendar codecs collections colorsys concurrent configparser contextlib copy csv ' +
    'ctypes dataclasses datetime decimal difflib dis email enum errno fcntl filecmp fnmatch fractions functools gc getpass gettext glob gzip ' +
    'hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma math mimetypes ' +
    'multiprocessing numbers operator os pathlib pickle pkgutil platform pprint queue random re sched secrets select shelve shlex shutil ' +
    'signal smtplib socket sqlite3 ssl stat statistics string struct subprocess sys tarfile tempfile textwrap threading time timeit token ' +
    'traceback types typing unicodedata unittest urllib uuid venv warnings weakref xml zipfile zlib zoneinfo six typing_extensions __future__'
  ).split(' '),
);

const folders = new Set(tables.flatMap((table) => table.folders ?? []));

/** The project's own package around this module, where it is called like one of these: `wagtail` in its own repository, somebody's `web`. */
function ownPackage(module: string): string | null {
  const [first, ...rest] = module.split('.', 3);
  const [root, within] = first === 'src' || first === 'lib' ? rest : [first, rest[0]];
  if (!root || !isKnownRoot(root)) return null;
  if (!STANDARD.has(root) && !folders.has(root)) return root;
  return within ? `${root}.${within}` : null;
}

const isKnownRoot = (root: string): boolean => STANDARD.has(root) || roots.has(root);
const isOthers = (path: string): boolean => {
  const dot = path.indexOf('.');
  return isKnownRoot(dot < 0 ? path : path.slice(0, dot));
};

/** Which paths are surely not of the project that has this module. */
export function foreignTo(module: string): (path: string) => boolean {
  const own = ownPackage(module);
  const isForeign = (path: string) => isOthers(path) && !isOfReplaced(path);
  return own === null ? isForeign : (path) => path !== own && !path.startsWith(`${own}.`) && isForeign(path);
}

/** `request.user.tokens`: what an object has whose class a setting may have replaced by the project's own. */
const isOfReplaced = (path: string): boolean => ofReplaced.some((one) => path.startsWith(one));

// What a name means at a place in a Python file: imports, definitions, variables and their types. It lowers nothing.
import type { Certainty, Given, Name, Span, Step } from '../../../ir.ts';
import type { lowerEmbeddedUnit } from '../../sql/queries/embedded.ts';
import { child, type Syntax } from '../../syntax.ts';

/** The type of a value. `path` is a class, or a chain such as `shop.get_order()` that the linker follows. */
export interface Type {
  /** Of several methods of it that a call may call, the one that it does. */
  only?: string;
  path: string;
  /** What a collection, manager or query holds. */
  item?: Type;
  /** How the linker may find methods that the repository adds: `shop.models.Order().objects`. */
  name?: string;
  /** What gave it, by a method of something that only the linker can tell: a cursor of a connection of another file. */
  by?: { name: string; path: string; method: string };
  /** It may be of another class as well: `Tag | str`. */
  among?: true;
  /** Made here and not read from the database. */
  fresh?: boolean;
  /** A list of such objects, that a call of their class made. */
  lists?: true | 'perhaps';
  /** A table that is named without a class: a historical model. */
  relation?: string;
  /** The connection that it belongs to, when that is not the default one. */
  on?: string;
  /** The parameter that may name another one, or that is it. */
  onBy?: string;
  link?: string;
  certainty?: Certainty;
  /** `self`, or what `cls` makes: of whatever class its method is asked of. */
  own?: true;
}

/** What a name stands for: something with a path of its own, or an object of a type. */
export interface Value {
  path?: string;
  /** `cls` */
  own?: true;
  type?: Type;
  /** The expression that it was given, for constants. */
  code?: Syntax;
  /** The call of `partial` that gives it options. */
  given?: Syntax;
  /** One of these, another in each turn of the loop that gives it. */
  among?: Syntax[];
  /** A part of something: what says how many it has at most. */
  upTo?: Syntax;
  /** A parameter of an enclosing function: calling it runs what the caller handed over. */
  parameter?: boolean;
  /** Of what type it is, nothing but its name tells. */
  guessed?: true;
  /** Its place among what callers give without a name. */
  place?: number;
  /** A parameter that the function commits: a connection that does not do so by itself, wherever it comes from. */
  committed?: true;
}

export interface Scope {
  kind: 'module' | 'class' | 'function';
  path: string;
  names: Map<string, Value>;
  /** What attributes hold, as far as a call told: `uow.session`. */
  held?: Map<string, Type>;
  above: Scope | null;
}

export const scope = (kind: Scope['kind'], path: string, above: Scope | null): Scope => ({
  kind,
  path,
  names: new Map(),
  above,
});

/** `method`: in which it stands; null for the body of the class. */
export interface GivenTo {
  node: Syntax;
  method: Syntax | null;
}

export interface ClassInfo {
  path: string;
  bases: string[];
  methods: Set<string>;
  /** Methods that are read as attributes. */
  properties: Set<string>;
  /** Those that a method of this class is run for when they are assigned. */
  setters: Set<string>;
  fields: Map<string, Type>;
  /** What is made of the classes that its attributes are: `serializer_class = OrderSerializer`. */
  holds: Map<string, Type>;
  /** What attributes are given, the parameters of its maker that it calls, and what makers gave for them; once asked. */
  values?: Map<string, GivenTo[]>;
  takes?: string[];
  handed?: Map<string, Step[][]>;
  node: Syntax;
}

/** SQL that a call hands on, as a routine. */
export interface Handed {
  name: Name;
  at: Span;
  /** `start`: of its first piece. */
  made: (ReturnType<typeof lowerEmbeddedUnit> & { start: number })[];
}

/** One file being read. */
export interface File {
  file: string;
  text: string;
  module: string;
  isPackage: boolean;
  /** Whether a path is surely not the project's own. */
  isForeign: (path: string) => boolean;
  root: Syntax;
  top: Scope;
  /** Modules of `from m import *`. */
  stars: string[];
  /** Top-level packages that are imported. */
  imported: Set<string>;
  classes: Map<string, ClassInfo>;
  /** Classes that a call makes of others, or a framework: a form, which saves that model. */
  made: Map<string, { bases: string[]; node: Syntax; saves?: string }>;
  /** Paths of all routines that the file defines. */
  functions: Set<string>;
  /** Those of them that are context managers. */
  managers: Set<string>;
  /** Names of all properties of its classes. */
  properties: Set<string>;
  /** SQL that calls hand over, by where it begins: routines that nobody wrote. */
  handed: Map<number, Handed>;
  /** What a text was before a statement made it longer. */
  lengthened: Map<Syntax, Syntax>;
  /** SQL that is run where it stands, by where it begins. */
  run: Set<number>;
  /** What is put into a collection of the module, and what classes are given from outside; once asked. */
  registered?: Map<string, Syntax[]>;
  patches?: [path: string, name: string, value: Syntax][];
  /** Methods that are asked of what another file has, and may give a connection or a cursor. */
  lent: Set<string>;
  /** By who finds it (`kept`). */
  kept: Map<unknown, Map<unknown, unknown>>;
  /** The call that was asked about last, and what it is as long as no name is given another value. */
  asked?: { node: Syntax; scope: Scope; call: unknown };
}

/**
 * What is found once for each piece of code, and goes with its file: what a WeakMap of all files holds lives on while V8
 * collects its young generation, and with one node of a tree all of it.
 */
export function kept<Key extends object, Value extends {}>(
  find: (c: { file: File }, key: Key) => Value,
): (c: { file: File }, key: Key) => Value {
  return (c, key) => {
    let all = c.file.kept.get(find) as Map<Key, Value> | undefined;
    if (!all) {
      all = new Map();
      c.file.kept.set(find, all);
    }
    let found = all.get(key);
    if (found === undefined) {
      found = find(c, key);
      all.set(key, found);
    }
    return found;
  };
}

/** A place in a file: whose names are seen, and in which class. */
export interface Place {
  file: File;
  scope: Scope;
  cls?: ClassInfo;
  known: Map<Syntax, Value | null>;
  /** In a routine: whether it asks what its parameters are, or hands one on; `all`: goes over all that it is given by place; `made`: those are of who makes its object; `ofMaker`: attributes that are. */
  keeps?: {
    flags?: boolean;
    all?: string;
    /** What stands for whether the object has its row, and for what its maker may have given it, with what they are where nobody says so. */
    saved?: Map<string, Given | undefined>;
    connection?: string;
    made?: Syntax;
    ofMaker?: Set<string>;
  };
}

export function lookup(file: File, from: Scope, name: string): Value | undefined {
  for (let at: Scope | null = from; at; at = at.above) {
    if (at.kind === 'class' && at !== from) continue; // a method does not see the names of its class
    const found = at.names.get(name);
    if (found) return found;
  }
  void file;
  return undefined;
}

/** `src/shop/orders.py` is `src.shop.orders`. */
export function moduleOf(file: string): { module: string; isPackage: boolean } {
  const parts = file
    .replace(/\.pyi?$/i, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const isPackage = parts.at(-1) === '__init__';
  if (isPackage) parts.pop();
  return { module: parts.join('.'), isPackage };
}

/** Nodes go missing where text is broken or too deep; they say nothing. */
export const textOf = (file: File, node: Syntax | undefined): string =>
  node ? file.text.slice(node.start, node.end) : '';

/** The module that an import names, with its dots resolved. */
function importedModule(file: File, node: Syntax): string {
  if (node.type !== 'relative_import') return textOf(file, node).replace(/\s/g, '');
  const prefix = node.children.find((one) => one.type === 'import_prefix');
  const rest = node.children.find((one) => one.type === 'dotted_name');
  const dots = prefix ? textOf(file, prefix).replace(/[^.]/g, '').length : 1;
  const parts = file.module.split('.').filter(Boolean);
  const up = file.isPackage ? dots - 1 : dots;
  const base = up > 0 ? parts.slice(0, Math.max(0, parts.length - up)) : parts;
  return [...base, ...(rest ? [textOf(file, rest).replace(/\s/g, '')] : [])].join('.');
}

export interface Import {
  name: string;
  path: string;
  relative: boolean;
}

/** The names that an import statement binds; `*` for a star. */
export function imports(file: File, node: Syntax): Import[] {
  const named = node.children.filter((one) => one.field === 'name');
  if (node.type === 'import_statement')
    return named.map((one) => {
      const alias = child(one, 'alias');
      const path = textOf(file, one.type === 'aliased_import' ? child(one, 'name')! : one).replace(/\s/g, '');
      // `import a.b` binds `a`.
      const first = path.split('.', 1)[0]!;
      return alias
        ? { name: textOf(file, alias), path, relative: false }
        : { name: first, path: first, relative: false };
    });
  const from = child(node, 'module_name');
  if (!from) return [];
  const module = importedModule(file, from);
  const relative = from.type === 'relative_import';
  if (node.children.some((one) => one.type === 'wildcard_import'))
    return [{ name: '*', path: module, relative }];
  return named.map((one) => {
    const alias = child(one, 'alias');
    const last = textOf(file, one.type === 'aliased_import' ? (child(one, 'name') ?? one) : one);
    return { name: alias ? textOf(file, alias) : last, path: module ? `${module}.${last}` : last, relative };
  });
}

export function bindImport(file: File, at: Scope, node: Syntax): Import[] {
  const all = imports(file, node);
  for (const one of all) {
    if (!one.relative) file.imported.add(one.path.split('.', 1)[0]!);
    if (one.name === '*') file.stars.push(one.path);
    // The first of `try: import a except ImportError: import b` is the one that is meant.
    else if (!at.names.get(one.name)?.path) at.names.set(one.name, { path: one.path });
  }
  return all;
}

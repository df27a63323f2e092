// The names that a body can see: locals, fields, methods, and what each of them is. It makes no steps.

import type { Meaning } from '../../../framework.ts';
import type { Name, Routine, Unit, Yield } from '../../../ir.ts';
import { isLarge } from '../../words.ts';
import type {
  Annotation,
  Argument,
  Call,
  Method,
  Node,
  Parameter,
  Repeat,
  SourceFile,
  TypeBody,
  TypeParameter,
  TypeRef,
} from '../syntax/syntax.ts';
import { elementOf, partOf, partsOf } from './collections.ts';
import { lazily } from './initial.ts';
import { apis, connectionOf, isMock, mayNest, mockedBy, pure, surest, tracked, types } from './known.ts';
import type { Names } from './names.ts';
import type { Free, Typed } from './typed.ts';

/** Whether a value says that none is open: where it is true or something, and where it is false or null. */
export interface Says {
  yes: boolean;
  no: boolean;
}

export interface Variable {
  type: Typed | null;
  /** A lambda or a constant. */
  value?: Node;
  /** The caller handed this function over: calling it runs the caller's block. */
  callback?: 'surely' | 'maybe';
  /** The parameter that it is, or of whose functions it is one. */
  parameter?: Yield['parameter'];
  /** Kotlin's `A.() -> B`: it is called as a method of what it is given. */
  ofReceiver?: true;
  /** A local that was made as a number or as a collection that stands written out; it may be set again. */
  made?: Node | undefined;
  /** Somebody else gives it: by this name, or by the one that its annotations say. */
  handed?: { name: string; annotations: Annotation[] };
  /** A session has read it, and writes what is set of it. */
  loaded?: true;
  /** A parameter that is true or false from the first line to the last. */
  flag?: true;
  /** One that is asked whether it is null, likewise. */
  mayBeNone?: true;
  /** One of these texts, another in each turn of the loop that gives it. */
  among?: Node[];
  /** A list of these functions. */
  tasks?: Node[];
  /** Whether one is open, by what it was made of. */
  says?: Says | undefined;
  /** The routine that gave it. */
  asked?: Name;
  /** A parameter that is a list, and the same from the first line to the last. */
  listed?: true;
  /** A parameter that is mostly SQL, and the same from the first line to the last. */
  text?: true;
}

export interface Class {
  full: string;
  body: TypeBody;
  /** Full names from the inside out. */
  around: string[];
  free: Free;
  bases: Typed[];
  fields: Map<string, Variable>;
  methods: Map<string, Method[]>;
  outer: Class | null;
  /** Methods whose annotations a call on itself goes past, which have a twin without them: how many parameters those overloads take. */
  proxied: Map<string, number[]>;
  /** Its objects are rows: who sets an attribute writes. */
  tracked: boolean;
  /** Fields that hold a connection: looked for once. */
  connections?: string[];
  /** What the method around it knows that declares it. */
  captured?: Captured;
}

/** What SQL in a string creates that runs code, and what it takes away. */
export type Created = Pick<Unit, 'routines' | 'triggers' | 'changes'>;

export interface World {
  /** The file's text. */
  text: string;
  path: string;
  file: SourceFile;
  names: Names;
  isKotlin: boolean;
  /** Whether a type is of other people, whose code cannot come back here except through a callback. */
  isForeign: (name: string) => boolean;
  /** Kotlin's top level. */
  functions: Map<string, Method[]>;
  constants: Map<string, Variable>;
  classes: Map<string, Class>;
  /** The names of the getters and setters that Kotlin's properties have. */
  accessors: Set<string>;
  /** What a method of this file was seen to give, where that may nest and its type does not say so. */
  gives: (method: Method, owner: Class | null, given: Argument[]) => Typed | null;
  /** Whether text is put together in builders. */
  builds: boolean;
  /** Whether paths of scripts stand in the file. */
  reads: boolean;
  /** Whether each connection that it asks for is another one. */
  separates: boolean;
  /** Where names are set to what a pool gives, and where they are handed on or kept: found when it is first asked. */
  connecting?: Record<'sets' | 'goes', Map<string, { at: number; of: string | undefined }[]>>;
  /** Whether the file is about objects whose attributes are columns. */
  tracks: boolean;
  /** SQL that calls hand over, by where it begins: routines that nobody wrote. */
  handed: Map<number, Routine>;
  /** Told of how many items something has that other files go over. */
  lists: (one: NonNullable<Unit['lists']>[number]) => void;
  /** Told of what SQL in strings creates, and where the string starts. */
  creates: (from: number, made: Created) => void;
}

export type Captured = Pick<Sight, 'locals' | 'outside'>;

/** A loop around, of the same routine: a statement, or what is handed to who goes over something. */
export interface Turning {
  start: number;
  end: number;
  body: Node;
  label?: string | undefined;
  /** None where it is handed over. */
  loop?: Repeat;
  /** What each turn is given. */
  items: string[];
  /** What counts the turns from nothing. */
  index?: string | undefined;
}

/** What one routine sees. */
export interface Sight {
  owner: Class | null;
  locals: Map<string, Variable>;
  /** Kotlin's implicit receivers, innermost last. */
  receivers: Typed[];
  free: Free;
  /** Of the method. */
  name?: string;
  /** Where the method ends. */
  end?: number;
  /** What it sets of what was read is not written. */
  onlyReads?: boolean;
  /** Of what may not run, or more than once: the variables that it sets, innermost last. */
  apart?: Set<Variable>[];
  /** Innermost last. */
  turning?: Turning[];
  /** Where the functions around begin that are handed to somebody, innermost last. */
  handed?: number[];
  /** The databases that the blocks around named, innermost last. */
  databases?: string[];
  /** What the blocks around have no part in, by its name: what surrounds a call on an object of that type. */
  outside?: Map<
    string,
    {
      type: string;
      scope: NonNullable<Meaning['outside']>;
      /** It may be special. */
      parameter: string | undefined;
      /** In how many blocks of such calls it stands. */
      deep: number;
    }
  >;
  /** Of savepoints that were opened under a condition: what it asked. */
  opened?: Map<string, string>;
  /** What the method says that it returns, and what it was seen to. */
  returns?: Typed | null;
  gives?: Typed | null;
}

export function inTurns<T>(sight: Sight, turning: Turning, run: () => T): T {
  const before = sight.turning ?? [];
  sight.turning = [...before, turning];
  const result = run();
  sight.turning = before;
  return result;
}

/** For how many of the loops around it holds, from the innermost on. */
export function outward(turning: Turning[], holds: (around: Turning) => boolean): number {
  let count = 0;
  while (count < turning.length && holds(turning.at(-1 - count)!)) count++;
  return count;
}

export function group(methods: Method[]): Map<string, Method[]> {
  const out = new Map<string, Method[]>();
  for (const method of methods) {
    const all = out.get(method.name);
    if (all) all.push(method);
    else out.set(method.name, [method]);
  }
  return out;
}

export const freeIn = (outer: Free | undefined, own: TypeParameter[]): Free =>
  own.length === 0 && outer
    ? outer
    : new Map([...(outer ?? []), ...own.map(({ name, bound }) => [name, bound] as const)]);

export function describeClass(world: World, body: TypeBody, full: string, outer: Class | null): Class {
  const around = [full, ...(outer?.around ?? [])];
  const free = freeIn(outer?.free, body.typeParameters);
  // Of whom a base is generic, an heir may say better than the bound.
  const unbound: Free = new Map([...free.keys()].map((name) => [name, undefined]));
  const type = (ref: TypeRef | undefined, of = free) => (ref ? world.names.type(ref, around, of) : null);
  const described: Class = {
    full,
    body,
    around,
    free,
    bases: body.bases.flatMap((base) => type(base, unbound) ?? []),
    fields: new Map(),
    methods: group(body.methods.filter(({ isConstructor }) => !isConstructor)),
    outer,
    proxied: new Map(),
    tracked: false,
  };
  described.tracked = described.bases.some(({ name }) => tracked.has(name));
  for (const field of body.fields)
    described.fields.set(field.name, {
      type:
        mocked(field, world, around) ??
        connectionOf(type(field.type), field.name) ??
        created(field.value && lazily(field.value), (ref) => type(ref)) ??
        (world.isKotlin ? givenFirst(field.value && lazily(field.value), world.names, around, free) : null),
      value: isSetAgain(field, body, world) ? undefined : field.value,
      ...(!field.value && { handed: field }),
    });
  world.classes.set(full, described);
  noteAccessors(world, body.methods);
  return described;
}

/** `@Mock Connection connection;`, `Connection connection = mock();` */
function mocked(
  { annotations, value }: TypeBody['fields'][number],
  { names }: World,
  around: string[],
): Typed | null {
  for (const { name } of annotations) {
    const full = names.typeNamed(name, around);
    const mock = full && mockedBy(full);
    if (mock) return mock;
  }
  const made = givenFirst(value, names, around);
  return isMock(made) ? made : null;
}

/** What a library's function gives: `= DSL.using(source)`. */
function givenFirst(value: Node | undefined, names: Names, around: string[], free?: Free): Typed | null {
  if (value?.kind !== 'call' || value.creates) return null;
  const { object, name } = value;
  const owner = object?.kind === 'name' ? names.typeNamed(object.text, around) : null;
  const path = object ? owner && `${owner}.${name}` : names.function(name);
  const returns = path ? apis.get(path)?.returns : undefined;
  const [named] = value.typeArguments ?? [];
  if (returns === 'of') return named ? names.type(named, around, free) : null;
  return returns ? { name: returns, arguments: [] } : null;
}

/** Text that the class sets to something else later may be anything. */
function isSetAgain(
  { name, value }: TypeBody['fields'][number],
  { start, end }: TypeBody,
  { text }: World,
): boolean {
  if (value?.kind !== 'text' && value?.kind !== 'concat') return false;
  const sets = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}\\s*(?::\\s*\\w+\\s*)?[+]?=(?!=)`, 'g');
  return (text.slice(start, end).match(sets)?.length ?? 0) > 1;
}

export function noteAccessors({ accessors }: World, methods: Method[]): void {
  for (const { isAccessor, name } of methods) if (isAccessor) accessors.add(name);
}

/** `= new Order()`, `= Order()` and `= Order().apply { … }` in Kotlin. */
export function created(value: Node | undefined, type: (ref: TypeRef) => Typed | null): Typed | null {
  if (value?.kind === 'cast') return type(value.type);
  if (value?.kind !== 'call') return null;
  if (value.creates) return type(value.creates);
  if (/^(apply|also)$/.test(value.name)) return created(value.object ?? undefined, type);
  return !value.object && isLarge(value.name)
    ? type({ name: value.name, arguments: value.typeArguments ?? [] })
    : null;
}

/** What a variable holds that is called: a lambda, or an object of a class without a name that has one method. */
export const holdsCode = (value: Node | null | undefined): boolean =>
  value?.kind === 'lambda' || value?.kind === 'reference' || methodHeld(value) !== null;

/** The name of that one method. */
export function methodHeld(value: Node | null | undefined): string | null {
  if (value?.kind !== 'call' || !value.body || value.arguments.length > 0) return null;
  const { methods, initialisers, fields } = value.body;
  const [only, ...more] = methods.filter((method) => method.body);
  const isPlain = more.length === 0 && initialisers.length === 0 && fields.length === 0;
  return only && isPlain ? only.name : null;
}

const FUNCTIONAL =
  /^(java\.util\.function\.\w+|java\.util\.concurrent\.Callable|java\.lang\.Runnable|Runnable|Callable|.*\.(Runnable|Callable|Supplier|Consumer|BiConsumer|Function|BiFunction|Predicate|UnaryOperator|CheckedSupplier|CheckedRunnable|ThrowingSupplier|ThrowingRunnable|ThrowingConsumer))$/;
const PERHAPS =
  /(Callback|Function|Action|Work|Task|Supplier|Consumer|Operation|Runnable|Callable|Closure|Block|Command|Handler|Extractor|Lambda|Procedure|Body)$/;

/** By its name: what is handed over is run. */
const isCallback = (type: string) => FUNCTIONAL.test(type) || PERHAPS.test(type);

export function parameterVariable(parameter: Parameter, type: Typed | null): Variable {
  if (parameter.type?.ofReceiver) return { type, callback: 'surely', ofReceiver: true };
  if (parameter.type?.isFunction || (type && FUNCTIONAL.test(type.name))) return { type, callback: 'surely' };
  return type && PERHAPS.test(type.name) ? { type, callback: 'maybe' } : { type };
}

/** A local, a field of this class or of those around it. */
export function variable(name: string, sight: Sight, world: World): Variable | undefined {
  const local = sight.locals.get(name);
  if (local) return local;
  for (let owner = sight.owner; owner; owner = owner.outer) {
    const field = owner.fields.get(name);
    if (field) return field;
  }
  return world.constants.get(name);
}

/** Lombok makes the field. */
const LOGGER: Typed = { name: 'org.slf4j.Logger', arguments: [] };

export function typeOfName(name: string, sight: Sight, world: World): Typed | null {
  // What is extended, or what a lambda speaks to, comes before the class around.
  if (name === 'this') return sight.receivers.at(-1) ?? (sight.owner ? itself(sight.owner) : null);
  if (name === 'log' && !sight.locals.has(name)) return LOGGER;
  if (name === 'super') return sight.owner ? { name: `${sight.owner.full}^`, arguments: [] } : null;
  const found = variable(name, sight, world);
  if (found) return found.type;
  if (isLarge(name)) {
    const full = world.names.typeNamed(name, sight.owner?.around ?? []);
    return full ? { name: full, arguments: [] } : null;
  }
  // A property of what is extended, whose class stands in another file.
  const extended = sight.receivers.at(-1);
  if (extended && !world.isForeign(extended.name) && !world.classes.has(extended.name))
    return { name: `${extended.name}.${name}`, arguments: [] };
  // A field that an ancestor in another file declares.
  for (let owner = sight.owner; owner; owner = owner.outer)
    if (owner.bases.length > 0) return { name: `${owner.full}.${name}`, arguments: [] };
  return null;
}

export const itself = (owner: Class): Typed => ({ name: owner.full, arguments: [] });

export function typeOfMember(object: Typed | null, name: string, world: World): Typed | null {
  if (!object) return null;
  const owner = world.classes.get(object.name);
  const field = owner?.fields.get(name);
  if (field) return field.type;
  const nested = `${object.name}.${name}`;
  if (world.classes.has(nested)) return { name: nested, arguments: [] };
  // An enum's constant: `TimeUnit.SECONDS`.
  if (types.has(object.name) && /^[A-Z_]+$/.test(name)) return object;
  if (/^(java|kotlin)\./.test(object.name)) return partOf(name, object) ?? elementOf(object);
  return { name: nested, arguments: [] };
}

/** `(id, job)` of a pair, or of an object of a class of this file, whose parameters these are. */
export const componentsOf = (type: Typed | null, world: World): (Typed | null)[] | null =>
  partsOf(type) ??
  (world.isKotlin && type && world.classes.has(type.name)
    ? [...world.classes.get(type.name)!.fields.values()].map((field) => field.type)
    : null);

/** What a method says that it returns. */
export function declaredOf(
  { returns, typeParameters }: Method,
  owner: Class | null,
  world: World,
): Typed | null {
  return returns ? world.names.type(returns, owner?.around ?? [], freeIn(owner?.free, typeParameters)) : null;
}

/** Objects of a framework's, one of which may be told to nest: a template, or a definition that is handed to one. */
const isVaried = (type: string, { isForeign }: World) =>
  mayNest(type) || (isForeign(type) && !/^(?:java|javax|kotlin)\./.test(type));

/** What a method that this file declares returns: of several of that name one that takes as much, if those agree. */
export function returned(
  methods: Method[] | undefined,
  owner: Class | null,
  world: World,
  { arguments: given }: Call,
): Typed | null {
  const all = methods ?? [];
  const fit = all.length > 1 ? all.filter((one) => takes(one, given.length)) : all;
  const [method, ...others] = fit.length > 0 ? fit : all;
  if (!method) return null;
  const declared = declaredOf(method, owner, world);
  const agree = others.every((one) => declaredOf(one, owner, world)?.name === declared?.name);
  if (others.length > 0 || (declared && !isVaried(declared.name, world))) return agree ? declared : null;
  return surest(declared, world.gives(method, owner, given));
}

/** Kotlin gives some of them where the caller does not. */
export const isAsked = ({ usual, otherwise }: Parameter) => usual === undefined && otherwise === undefined;

/** A list, or as many as the caller gives. */
export const isListed = ({ type }: Parameter) => type?.name === '[]';

const takes = ({ parameters }: Method, given: number) =>
  parameters.filter((one) => isAsked(one) && !isListed(one)).length <= given &&
  (given <= parameters.length || parameters.some(isListed));

export const isAnnotated = (described: Class, such: Set<string>, world: World): boolean =>
  annotatedAs(described, such, world).length > 0;

export const annotatedAs = ({ body, around }: Class, such: Set<string>, { names }: World): string[] =>
  body.annotations.flatMap(({ name }) => {
    const full = names.annotation(name, around, (one) => such.has(one));
    return full !== null && such.has(full) ? [full] : [];
  });

/** Whoever implements it may do anything; what takes nothing mostly tells what an object has. */
export function isOpen({ abstract, parameters }: Method, owner: Class | null, world: World): boolean {
  if (!abstract || !owner || parameters.length === 0 || owner.body.is === 'annotation') return false;
  return !isCallback(owner.full) && !isAnnotated(owner, pure, world);
}

/** Finds the value of a constant that an expression names. */
export type Constants = (node: Node) => Node | null;

/** What a class's constants stand for, and those of the classes that it names. */
export function constantsOf(owner: Class | null, world: World): Constants {
  return (node) => {
    if (node.kind === 'name') {
      for (let around = owner; around; around = around.outer) {
        const field = around.fields.get(node.text);
        if (field?.value) return field.value;
      }
      return world.constants.get(node.text)?.value ?? null;
    }
    if (node.kind !== 'member' || node.object.kind !== 'name') return null;
    const full = world.names.typeNamed(node.object.text, owner?.around ?? []);
    return (full ? world.classes.get(full)?.fields.get(node.name)?.value : null) ?? null;
  };
}

const withoutConnection = (type: Typed | null): Typed | null =>
  type?.on === undefined ? type : { ...type, on: undefined };

/** What a class knows of the method that declares it; what callers hand over there is another's. */
export const captured = ({ locals, outside }: Sight): Captured => ({
  locals: new Map(
    [...locals].map(([name, { type, value }]) => [name, { type: withoutConnection(type), value }]),
  ),
  outside,
});

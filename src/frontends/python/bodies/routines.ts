// Functions, methods, decorators and module code as routines. What statements mean is in body.ts.
import type { Name, Routine, Span, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { methodOn, understand } from '../calls/calls.ts';
import { compiled } from '../calls/computed.ts';
import { flagsOf } from '../calls/flags.ts';
import type { Understood } from '../calls/understood.ts';
import { apartOn } from '../classes/apart.ts';
import { usually } from '../classes/chosen.ts';
import { declareClass, defined, isLeft, members } from '../classes/classes.ts';
import { accessor, calledAs, entryOf, isWithin, pathOf } from '../classes/entries.ts';
import { listedFor, registeredFor, servedBy } from '../classes/metas.ts';
import { onlyQueues, queued, queuedBy } from '../classes/queues.ts';
import { isCache, once, remembers } from '../conditions/once.ts';
import { fromAnnotation } from '../names/annotations.ts';
import { argument, keyword, merged } from '../names/arguments.ts';
import { forwardedBy } from '../names/forwarded.ts';
import { api, byReceiver, canonical, entry, handedAs, isOfLink, promised } from '../names/knowledge.ts';
import {
  bindImport,
  type ClassInfo,
  type Place,
  type Scope,
  scope,
  type Type,
  textOf,
} from '../names/scope.ts';
import { isCapital, returnedName } from '../names/types.ts';
import { isClassLike, ownInstance, resolve } from '../names/values.ts';
import { bind } from '../names/variables.ts';
import { statements } from './body.ts';
import { type Body, calling, dispatching } from './expressions.ts';
import { entersAndExits, likeFunction, routineOf } from './managers.ts';
import { isProvided, provided } from './provided.ts';
import { opensNothing } from './tests.ts';
import { heldMark, takenIn, type Wraps, wrapsOf } from './wrappers.ts';

/** Where routines go, and what all of a file's routines share. */
export interface Maker {
  out: Routine[];
  role: 'product' | 'test' | 'migration' | 'example';
  /** Without what belongs to one routine. */
  shared: Pick<Body, 'callbacksOf' | 'sql' | 'exit'>;
  isCommand: boolean;
}

const MANAGES = /(^|\.)(async)?contextmanager$|(^|\.)fixture$/;

export function newBody(place: Place, maker: Maker, at: Scope, yields: boolean): Body {
  return {
    callbacksOf: maker.shared.callbacksOf,
    sql: maker.shared.sql,
    exit: maker.shared.exit,
    file: place.file,
    cls: place.cls,
    known: new Map(),
    scope: at,
    yields,
    handling: false,
    keeps: { block: false },
    returned: new Set(),
    pending: new Map(),
    asking: new Map(),
    rowsOf: new Map(),
    unsure: 0,
    closing: new Set(),
    define: (c, node) => nested(c, maker, node),
  };
}

/** A function definition with the decorators over it, nearest last; `around`: of the decorator that gives it. */
export function routine(
  place: Place,
  maker: Maker,
  node: Syntax,
  decorators: Syntax[],
  path: string,
  around?: Body['keeps'],
): Routine {
  const name = child(node, 'name')!;
  const inner = scope('function', path, place.scope);
  const marks = decorators.map((one) => one.children[0]).filter((one) => one !== undefined);
  const c = newBody(
    place,
    maker,
    inner,
    marks.some((one) => MANAGES.test(pathOf(place, one) ?? textOf(place.file, one))) ||
      isProvided(place, textOf(place.file, name)),
  );
  const leading = child(node, 'parameters')?.children.find(({ type }) => type !== 'comment');
  // What has a value of its own is nobody's `self`: it is asked of the class, as a static method is.
  const staticMethod =
    /default/.test(leading?.type ?? '') ||
    marks.some((one) => textOf(place.file, one) === 'staticmethod') ||
    // A function in a method has parameters of its own.
    (place.scope.kind === 'function' && !/^(self|cls)\b/.test(leading ? textOf(place.file, leading) : ''));
  const count = parameters(c, node, place.cls, staticMethod);
  const wraps = wrapsOf(c, node);
  const idle = maker.role === 'test' && opensNothing(place, textOf(place.file, name), decorators, node);
  const list = idle ? [] : hoisted(c, child(node, 'body'));
  if (wraps)
    c.define = (inner, one) => {
      if (!wraps.gives.includes(one)) nested(inner, maker, one);
    };
  let steps = statements(c, wraps?.besides ?? list);
  if (wraps) steps.push(...wrapped(c, maker, node, wraps));
  steps = provided(place, node, steps);
  for (const mark of marks.reverse()) steps = decorated(c, place, mark, steps);
  const called = textOf(place.file, name);
  const within = maker.role !== 'test' && isWithin(place, node, called);
  const by = within ? 'request' : entryOf(place, maker, node, marks, called);
  // Django refuses to put an asynchronous view into a transaction.
  const alone = by === 'request' && place.file.text.startsWith('async', node.start);
  const apart = by === 'request' && !within ? apartOn(place, marks) : [];
  const own =
    place.cls !== undefined &&
    !staticMethod &&
    (OWN.test(textOf(place.file, child(node, 'return_type'))) || c.keeps.own === true);
  const promise = own ? { path: place.cls!.path } : fromAnnotation(place, child(node, 'return_type'))?.type;
  // `-> Iterator[Connection]` of what is entered: who enters it gets one.
  const annotated = promise?.item && c.yields && isOfLink(promise.item.path) ? promise.item : promise;
  const sure = () => marks.every((one) => !GIVES.test(calledAs(place, one)));
  if (around) {
    // `@in_tx(savepoint=False)`: what that is given, the functions in it ask for.
    around.flags = true;
    around.connection ??= c.keeps.connection;
  }
  const all =
    c.keeps.flags || forwardedBy(c, node).length > 0
      ? flagsOf(c, c.keeps.made ?? node, place.cls !== undefined && !staticMethod, sure())
      : undefined;
  const taken = wraps && all && takenIn(c, wraps.gives);
  const flags = taken ? all.filter((flag) => !taken.has(flag.name)) : all;
  const [first] = c.returned;
  const returns = annotated
    ? (returnedName(annotated) ?? promised(annotated.path, c.keeps.given))
    : c.returned.size === 1
      ? first
      : null;
  const its: Routine = {
    name: `python:${path}`,
    at: { start: name.start, end: name.end },
    kind: place.cls ? 'method' : 'function',
    entry: by,
    ...(place.cls?.properties.has(called) && path.endsWith(`.${called}`) ? { property: true } : {}),
    startsIn: within ? 'transaction' : alone || by === 'command' || by === 'job' ? 'autocommit' : 'caller',
    parameters: count,
    ...(apart.length > 0 ? { apart } : {}),
    ...(returns ? { returns: `python:${returns}` as Name } : {}),
    ...(own ? { returnsOwn: true } : {}),
    ...(c.keeps.block ? { keepsBlock: true } : {}),
    ...(flags && flags.length > 0 ? { flags } : {}),
    body: steps,
  };
  const runs = by === 'job' ? queuedBy(place, marks) : undefined;
  if (runs === undefined) return its;
  const [caller, job] = queued(its, runs);
  maker.out.push(job);
  return caller;
}

/** Who has one of these takes more, or fewer, than are written. */
const OPEN = new Set([
  'list_splat', 'list_splat_pattern', 'dictionary_splat', 'dictionary_splat_pattern', 'keyword_separator', 'positional_separator',
]); // biome-ignore format: words

function parameters(c: Body, node: Syntax, cls: ClassInfo | undefined, isStatic: boolean) {
  let required = 0;
  let total: number | null = 0;
  let place: number | null = 0;
  let own = cls !== undefined && !isStatic;
  const links = new Set<string>();
  for (const one of child(node, 'parameters')?.children ?? []) {
    if (one.type === 'comment') continue;
    const plain =
      one.type === 'identifier' ? one : one.type === 'typed_parameter' ? one.children[0] : child(one, 'name');
    const first = own;
    own = false;
    if (!plain || OPEN.has(one.type) || OPEN.has(plain.type)) {
      total = null;
      if (one.type !== 'positional_separator') place = null;
      if (plain?.type === 'identifier') bind(c, textOf(c.file, plain), undefined);
      continue;
    }
    const name = textOf(c.file, plain);
    if (first) {
      const { path } = cls!;
      bind(c, name, /^(cls|klass|mcs)$/.test(name) ? { path, own: true } : { type: ownInstance(c, path) });
      continue;
    }
    if (total !== null) total++;
    if (one.type !== 'default_parameter' && one.type !== 'typed_default_parameter') required++;
    const typed = fromAnnotation(c, child(one, 'type') ?? one.children.find((part) => part.type === 'type'));
    const known = typed?.type !== undefined || byReceiver(name).length > 0;
    const committed = known && textOf(c.file, node).includes(`${name}.commit()`);
    const path = typed?.type && (committed ? typed.type.path : handedAs(typed.type.path));
    const handed = cls && total === 1 && servedBy(c, cls).get(textOf(c.file, child(node, 'name')));
    const registered = () => (cls ? registeredFor(c, cls, name) : listedFor(c, c.scope.path, name));
    const type = path ? { ...typed!.type!, path } : handed || registered();
    const usual = usually(c, one);
    const linked = type && isOfLink(type.path) ? linkedBy(name, type, links) : type;
    bind(c, name, {
      ...typed,
      ...(linked && { type: linked }),
      ...usual,
      parameter: true,
      ...(place !== null && { place: place++ }),
      ...(committed && { committed }),
    });
  }
  return { required, total };
}

/** A connection that a caller hands over is his; of two of a kind the second one is another. */
function linkedBy(name: string, type: Type, links: Set<string>): Type {
  const isSecond = links.has(type.path);
  links.add(type.path);
  return isSecond ? { ...type, on: name } : { ...type, link: name };
}

/** Names of nested definitions are known from the first line on. */
function hoisted(c: Body, node: Syntax | undefined): Syntax[] {
  const list = node?.children ?? [];
  declares(c, list, 0);
  return list;
}

/** Its names are those of the whole routine, also under `if`, `match`, `try` and `with`. */
function declares(c: Body, list: Syntax[], depth: number): void {
  for (const one of list) {
    if (one.type === 'import_statement' || one.type === 'import_from_statement')
      bindImport(c.file, c.scope, one);
    const definition = defined(one);
    const name = definition && /_definition$/.test(definition.type) ? child(definition, 'name') : undefined;
    if (name) {
      const path = `${c.scope.path}.${textOf(c.file, name)}`;
      bind(c, textOf(c.file, name), { path });
      c.file.functions.add(path);
    } else if (depth < 24 && /^(if|try|with|for|while|match)_statement$|_clause$|^block$/.test(one.type))
      declares(c, one.children, depth + 1);
  }
}

// ---- decorators of the repository's own

/** What it returns is what runs. */
function wrapped(c: Body, maker: Maker, node: Syntax, { gives, itself }: Wraps): Step[] {
  const { start, end } = child(node, 'name')!;
  const at = { start, end };
  const arms: Step[][] = [];
  for (const one of gives) {
    const definition = defined(one);
    const path = `${c.scope.path}.${textOf(c.file, child(definition, 'name')!)}`;
    const marks = one.children.filter(({ type }) => type === 'decorator');
    const its = routine(c, maker, definition, marks, path, c.keeps);
    arms.push(its.body);
    if (its.keepsBlock || onlyQueues(c, node, one)) c.keeps.block = true;
  }
  // Who queues it gives it as it is where no queue runs.
  if (itself && !c.keeps.block) arms.unshift([{ kind: 'yield', at }]);
  return arms.length === 1 ? arms[0]! : [{ kind: 'branch', at, arms, exhaustive: true }];
}

/** `-> Self` */
const OWN = /^["']?(typing\.|typing_extensions\.|t\.)?Self["']?$/;
const PLAIN =
  /^(property|staticmethod|classmethod|abstractmethod|override|final|overload|no_type_check|deprecated|wraps)$/;
/** By what they are called: decorators that give what they decorate an argument of their own. */
const GIVES =
  /^(?!with_?out)(provide|inject|with|pass|patch|give|needs?|uses?|using|autowire|depends?)(_|$)|session|connection|cursor/i;

function decorated(c: Body, place: Place, mark: Syntax, steps: Step[]): Step[] {
  const outer: Body = { ...c, scope: place.scope };
  const path = pathOf(outer, mark);
  if (path && METHOD.test(path)) {
    const inner = mark.type === 'call' ? argument(mark, 0) : undefined;
    return inner ? decorated(c, place, inner, steps) : steps;
  }
  if (mark.type === 'list' || mark.type === 'tuple')
    return mark.children.reduceRight((inner, one) => decorated(c, place, one, inner), steps);
  const written = calledAs(outer, mark);
  if (isCache(written)) return once(steps, remembers(c, written));
  if (PLAIN.test(written) || /\.(setter|getter|deleter)$/.test(textOf(c.file, mark))) return steps;
  const call = understand(outer, mark);
  const held = call ? undefined : heldMark(outer, mark);
  if (held) return decorated(c, place, held, steps);
  if (!call) {
    // `retry = Retry(3)` of this file; that of another one is known there.
    const made = mark.type === 'identifier' ? resolve(outer, mark)?.type?.path : undefined;
    const isOurs = made !== undefined && place.file.classes.has(made) && steps.length > 0;
    return isOurs ? ofObject(made, { start: mark.start, end: mark.end }, steps) : steps;
  }
  if (call.meaning && !call.callee) {
    if (!isAround(call)) return steps;
    // What stands over a generator is over when that is made, before its body runs.
    const [block, rest] = c.keeps.yields ? [[], steps] : [steps, []];
    return [...calling(outer, call, { block, callbacks: [] }), ...rest];
  }
  if (
    call.yields ||
    !call.callee ||
    (path && (entry(path) || place.file.isForeign(path))) ||
    call.callee.includes('?')
  )
    return steps;
  if (path && isClassLike(c, path)) return steps.length === 0 ? steps : ofObject(path, call.at, steps);
  const calls = steps.length === 0 ? steps : calling(outer, call, { block: steps, callbacks: [] });
  return calls.map((step) => (step.kind === 'call' ? { ...step, decorates: true } : step));
}

/** `@Guard` or `@Guard(times=3)`: calling the object runs, or gives what runs, what it stands over; that of a ContextDecorator enters it. */
function ofObject(path: string, at: Span, steps: Step[]): Step[] {
  const callee = (name: string) => `python:${path}.${name}` as Name;
  const runs: Step[] = [{ kind: 'yield', at }];
  const enters: Step = {
    kind: 'call',
    at,
    callee: callee('__enter__'),
    block: runs,
    meanings: [{ steps: runs }],
  };
  const calls: Step = {
    kind: 'call',
    at,
    callee: callee('__call__'),
    block: steps,
    decorates: true,
    meanings: [{ steps: [enters] }],
  };
  return [calls];
}

const isAround = ({ meaning }: Understood): boolean =>
  Boolean(meaning?.scope || meaning?.loops === 'retry' || meaning?.swallows);

// ---- where routines stand

/** Definitions inside a routine. */
function nested(c: Body, maker: Maker, node: Syntax): void {
  const definition = defined(node);
  const name = definition && child(definition, 'name');
  if (!definition || !name) return;
  const path = `${c.scope.path}.${textOf(c.file, name)}`;
  if (definition.type === 'class_definition') {
    declareClass(c, definition, path);
    classRoutines(c, maker, node, path);
    return;
  }
  const made = routine(
    c,
    maker,
    definition,
    node.children.filter((one) => one.type === 'decorator'),
    path,
  );
  maker.out.push({ ...made, kind: 'function' });
}

/** All routines of a class; `node` may carry its decorators. */
export function classRoutines(place: Place, maker: Maker, node: Syntax, path: string): void {
  const definition = defined(node);
  const cls = place.file.classes.get(path);
  if (!cls) return;
  const inner: Place = {
    ...place,
    cls,
    scope:
      place.scope.kind === 'class' && place.scope.path === path
        ? place.scope
        : scope('class', path, place.scope),
  };
  const made = new Map<string, Routine>();
  for (const one of members(definition)) {
    const what = defined(one);
    const name = what && child(what, 'name') ? textOf(place.file, child(what, 'name')!) : undefined;
    if (what?.type === 'function_definition' && name) {
      const marks = one.children.filter((part) => part.type === 'decorator');
      const by = accessor(place, marks.map((mark) => mark.children[0]!).filter(Boolean));
      const its = routine(inner, maker, what, marks, `${path}.${name}${by ? `.${by}` : ''}`);
      if (isLeft(place, one)) its.body = [];
      if (!by) made.set(name, its);
      maker.out.push(its);
    } else if (what?.type === 'class_definition' && name && name !== 'Meta') {
      const below = `${path}.${name}`;
      declareClass(inner, what, below);
      classRoutines(inner, maker, one, below);
    } else if (one.type === 'import_statement' || one.type === 'import_from_statement')
      bindImport(place.file, inner.scope, one);
  }
  entersAndExits(made);
  const called = isCapital(path) ? undefined : likeFunction(cls, made);
  const expression = compiled(inner, cls);
  for (const one of [called, expression]) if (one) maker.out.push(one);
  inheritsScope(inner, maker, cls, made);
  for (const mark of node.children.filter((one) => one.type === 'decorator'))
    methodDecorator(place, maker, mark.children[0], path, made);
  dispatches(place, maker, path, made);
}

/** Another name of what opens a scope, which other files may use: `in_transaction = transaction.atomic`. */
export function renamed(place: Place, maker: Maker, node: Syntax, path: string): void {
  const steps = opening(place, maker, node, (at) => [{ kind: 'yield', at }]);
  if (steps) maker.out.push(routineOf(node, path, steps));
}

/** A class that descends from Atomic is entered as that is, around what its own __enter__ and __exit__ do. */
function inheritsScope(place: Place, maker: Maker, cls: ClassInfo, made: Map<string, Routine>): void {
  const own = made.get('__enter__');
  for (const base of child(cls.node, 'superclasses')?.children ?? []) {
    const steps = opening(place, maker, base, (at) => own?.body ?? [{ kind: 'yield', at }]);
    if (steps && own) own.body = steps;
    else if (steps) maker.out.push(routineOf(base, `${cls.path}.__enter__`, steps));
    if (steps) return;
  }
}

/** The scope that this name of a library opens; what it is given where it is called is not seen. */
function opening(
  place: Place,
  maker: Maker,
  node: Syntax,
  block: (at: Step['at']) => Step[],
): Step[] | undefined {
  const decorator = node.type === 'call' && METHOD.test(pathOf(place, node) ?? '');
  if (decorator) return opening(place, maker, argument(node, 0) ?? node, block);
  const call = node.type === 'call' ? held(place, node) : named(place, node);
  if (!call?.meaning?.scope || call.callee || call.receiver || call.meaning.scope.onMiss) return undefined;
  const c = newBody(place, maker, place.scope, false);
  return calling(c, { ...call, certainty: 'likely' }, { block: block(call.at), callbacks: [] });
}

const METHOD = /(^|\.)method_decorator$/;

const named = (place: Place, node: Syntax) =>
  /^(identifier|attribute)$/.test(node.type) ? understand(place, node) : undefined;

/** `partial(transaction.atomic, savepoint=False)`, and `transaction.atomic(savepoint=False)` itself. */
function held(place: Place, node: Syntax): Understood | undefined {
  const value = resolve(place, node);
  const meaning = value?.given && value.path ? api(canonical(value.path)) : undefined;
  if (!meaning) return value ? undefined : understand(place, node);
  return { at: { start: node.start, end: node.end }, node, meaning: merged(place, meaning, node) };
}

/** A mutation comes in by its schema. */
const NOT_DISPATCHED = /\.(dispatch|mutate|perform_mutation)$/;

/** A request comes in by `dispatch`, which this class or one above may wrap: what handles it is the block that it is given. */
function dispatches(place: Place, maker: Maker, path: string, made: Map<string, Routine>): void {
  const handlers = [...made.values()].filter(
    ({ entry: by, name }) => by === 'request' && !NOT_DISPATCHED.test(name),
  );
  const first = handlers[0];
  const bases = place.file.classes.get(path)?.bases ?? [];
  if (!first || !(made.has('dispatch') || bases.some((base) => !place.file.isForeign(base)))) return;
  const { start, end } = child(place.file.classes.get(path)!.node, 'name') ?? first.at;
  const at = { start, end };
  const apart = (first.apart ?? []).filter((on) => handlers.every((one) => one.apart?.includes(on)));
  const arms = handlers.map(({ name }): Step[] => [{ kind: 'call', at, callee: name }]);
  maker.out.push({
    name: `python:${path}.as_view`,
    at,
    kind: 'method',
    entry: 'request',
    startsIn: handlers.every((one) => one.startsIn === 'autocommit') ? 'autocommit' : 'caller',
    ...(apart.length > 0 ? { apart } : {}),
    implied: true,
    body: dispatching(`${path}()`, at, [{ kind: 'branch', at, arms, exhaustive: true }]),
  });
}

/** `@method_decorator(transaction.atomic, name='dispatch')` over a class. */
function methodDecorator(
  place: Place,
  maker: Maker,
  mark: Syntax | undefined,
  path: string,
  made: Map<string, Routine>,
): void {
  if (mark?.type !== 'call' || !/(^|\.)method_decorator$/.test(pathOf(place, mark) ?? '')) return;
  const which = keyword(place, mark, 'name');
  const inner = argument(mark, 0);
  if (!which || !inner) return;
  const name = textOf(place.file, which).replace(/['"]/g, '');
  const c = newBody(place, maker, place.scope, false);
  if (!made.has(name)) {
    const its = ofAncestors(c, maker, mark, path, name);
    made.set(name, its);
    maker.out.push(its);
  }
  const one = made.get(name);
  if (one) one.body = decorated(c, place, inner, one.body);
}

/** A method that nobody wrote here: the ancestors' own, by that name. */
function ofAncestors(c: Body, maker: Maker, mark: Syntax, path: string, name: string): Routine {
  const { start, end } = mark;
  const at = { start, end };
  const above = methodOn(c, mark, at, { path: `${path}^` }, name);
  const implied = { ...routineOf(mark, `${path}.${name}`, []), kind: 'method', implied: true } as const;
  if (name === 'dispatch') return { ...implied, body: dispatching(`${path}^`, at, [{ kind: 'yield', at }]) };
  const its = { ...implied, body: above ? calling(c, above, { callbacks: [] }) : [] };
  const cls = c.file.classes.get(path);
  return { ...its, entry: cls ? entryOf({ ...c, cls }, maker, mark, [], name) : 'called' };
}

/** The module's own statements, when they do anything. */
export function script(place: Place, maker: Maker, root: Syntax): Routine | undefined {
  const c = newBody(place, maker, place.scope, false);
  c.define = () => {};
  const body = statements(
    c,
    root.children.filter((one) => !/definition|import/.test(one.type)),
  );
  if (!matters(body)) return undefined;
  return {
    name: `python:${place.file.module}`,
    at: { start: 0, end: Math.min(1, place.file.text.length) },
    kind: 'script',
    entry: maker.role === 'test' ? 'test' : 'script',
    startsIn: 'autocommit',
    body,
  };
}

/** Registrations and constants say nothing; `main()` under the usual guard and database work do. */
function matters(steps: Step[]): boolean {
  return steps.some(
    (step) =>
      !/^(call|exit|attempt|branch|wait)$/.test(step.kind) ||
      (step.kind === 'branch' &&
        step.arms.some((arm) => arm.some((one) => one.kind === 'call') || matters(arm))) ||
      (step.kind === 'attempt' && matters(step.body)),
  );
}

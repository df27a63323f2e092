// Expressions of Python as steps, in the order in which they are evaluated.

import type { Meaning } from '../../../framework.ts';
import type { Name, Span, Step } from '../../../ir.ts';
import { isLater } from '../../later.ts';
import { createPlacing } from '../../placing.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Given, repeat, stepsOf } from '../calls/applied.ts';
import { SOMETHING, underline, understand } from '../calls/calls.ts';
import { computed } from '../calls/computed.ts';
import { decidedBy } from '../calls/flags.ts';
import type { Understood } from '../calls/understood.ts';
import { constructed } from '../classes/attributes.ts';
import { type Chosen, chosen, makes } from '../classes/chosen.ts';
import { asksItself } from '../counts/same.ts';
import { argument, isCalled, keyword } from '../names/arguments.ts';
import { isOfLink, runsOnly } from '../names/knowledge.ts';
import { ofParameter } from '../names/parameters.ts';
import { type File, kept, lookup, type Place, scope, type Type, textOf } from '../names/scope.ts';
import { itemOf, returnedName } from '../names/types.ts';
import { isClassLike, resolve } from '../names/values.ts';
import { becomes, bind, bindTarget, gathers } from '../names/variables.ts';
import { type Asking, asked, isLock } from './asking.ts';
import { heldIn, iterated, turnsOf } from './loops.ts';
import { streamed } from './streamed.ts';

/** The inside of one routine. */
export interface Body extends Asking {
  /** A generator that is a context manager: what it yields to is the caller's block. */
  yields: boolean;
  handling: boolean;
  /** Whether the routine hands what its caller gave it to something that runs elsewhere. */
  keeps: {
    block: boolean;
    /** It is a generator. */
    yields?: true;
    flags?: boolean;
    saved?: NonNullable<Place['keeps']>['saved'];
    /** All that it returns is of the class that it is asked of. */
    own?: boolean;
    given?: string;
    connection?: string;
    made?: Syntax;
  };
  /** The types of what it returns, null for one that is not known. */
  returned: Set<string | null>;
  /** Scopes that a variable holds and that nothing has entered yet. */
  pending: Map<string, Understood>;
  /** What tells the rows of a result, by the variables that hold it and those that hold one of its rows. */
  rowsOf: Map<string, string>;
  /** In how many blocks this stands of which a condition decides what they enter. */
  unsure: number;
  /** Receivers whose commit() or rollback() ends the scope that surrounds them. */
  closing: Set<string>;
  define(c: Body, node: Syntax): void;
  callbacksOf(c: Body, call: Syntax): Step[];
  sql(c: Body, node: Syntax | undefined, only?: Meaning['only']): Step[] | null;
  /** How an object of this type ends its transaction when it is closed. */
  exit(type: Type): 'commit' | 'rollback' | undefined;
}

/** What most expressions do. Shared: never changed. */
const NOTHING: Step[] = [];

/** The steps of all of these in turn. Most have none, so no list is made before it is needed. */
export function gather(c: Body, nodes: Syntax[], read: (c: Body, node: Syntax) => Step[] = expr): Step[] {
  let all = NOTHING;
  let own = false;
  for (let i = 0; i < nodes.length; i++) {
    const steps = read(c, nodes[i]!);
    if (steps.length === 0) continue;
    if (all.length === 0) all = steps;
    else {
      if (!own) all = all.slice();
      own = true;
      for (let k = 0; k < steps.length; k++) all.push(steps[k]!);
    }
  }
  return all;
}

export function expr(c: Body, node: Syntax | undefined): Step[] {
  // Most nodes are names and constants.
  if (!node) return NOTHING;
  if (node.children.length === 0 && node.type !== 'yield') return asked(c, node);
  switch (node.type) {
    case 'call':
      return statementCall(c, node);
    case 'attribute':
      return readAttribute(c, node);
    case 'type':
    case 'lambda':
      return NOTHING;
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return comprehension(c, node);
    case 'conditional_expression': {
      const [yes, condition, no] = node.children;
      return [...expr(c, condition), ...arms(c, node, [expr(c, yes), expr(c, no)], true, condition)];
    }
    case 'boolean_operator':
      return [...expr(c, child(node, 'left')), ...arms(c, node, [expr(c, child(node, 'right'))], false)];
    case 'named_expression': {
      const steps = expr(c, child(node, 'value'));
      const name = child(node, 'name');
      if (name) bind(c, textOf(c.file, name), resolve(c, child(node, 'value')));
      return steps;
    }
    case 'yield': {
      const inner = gather(c, node.children);
      c.keeps.yields = true;
      if (!c.yields) {
        yielded(c, node);
        return inner;
      }
      // What `with` binds.
      const type = resolve(c, node.children[0])?.type?.path;
      c.returned.add(type && isOfLink(type) ? type : null);
      return [...inner, { kind: 'yield', at: { start: node.start, end: node.start + 5 } }];
    }
    default:
      return gather(c, node.children);
  }
}

/** A generator gives several of what it yields. */
function yielded(c: Body, node: Syntax): void {
  const [value] = node.children;
  const type = resolve(c, value)?.type;
  const isFrom = value && FROM.test(c.file.text.slice(node.start, value.start));
  const item = type && isFrom ? itemOf(type) : type;
  c.returned.add(item ? returnedName({ path: 'list', item }) : null);
}

const FROM = /\bfrom\b/;

/** `row.order` runs the property of that name: surely where its class stands in this file, and where it is of another one perhaps. */
function readAttribute(c: Body, node: Syntax): Step[] {
  const before = expr(c, node.children[0]);
  const at = child(node, 'attribute');
  const type = at && resolve(c, child(node, 'object'))?.type;
  if (!type) return before;
  const { path, certainty } = type;
  const name = textOf(c.file, at);
  const isHere = c.file.properties.has(name) && hasProperty(c, path, name);
  if (!isHere && !isOfOther(c, path)) return before;
  const read: Step = {
    kind: 'call',
    at: { start: at.start, end: at.end },
    callee: `python:${path}.${name}`,
    args: 0,
    ...(asksItself(c, node) && { own: true }),
    ...(!isHere && { reads: true }),
    ...(!isHere && certainty && { certainty }),
  };
  return [...before, read];
}

function hasProperty(c: Place, path: string, name: string): boolean {
  const queue = [path];
  for (let i = 0; i < queue.length && i < 20; i++) {
    const info = c.file.classes.get(queue[i]!);
    if (info?.properties.has(name)) return true;
    queue.push(...(info?.bases ?? []));
  }
  return false;
}

/** Who goes over an object runs its `__iter__`, if it has one. */
export function iterating(c: Body, node: Syntax | undefined): Step[] {
  const type = node && resolve(c, node)?.type;
  if (!type || type.item || !(c.file.classes.has(type.path) || isOfOther(c, type.path))) return [];
  const callee = `python:${type.path}.__iter__` as Name;
  const sure = type.certainty && { certainty: type.certainty };
  return [{ kind: 'call', at: underline(c, node), callee, args: 0, ...sure, meanings: [{ steps: [] }] }];
}

/** A class of another file, none of a library's. */
const isOfOther = (c: Place, path: string): boolean =>
  !c.file.classes.has(path) && /^[\w.]+$/.test(path) && !c.file.isForeign(path) && isClassLike(c, path);

function arms(c: Body, node: Syntax, list: Step[][], exhaustive: boolean, condition?: Syntax): Step[] {
  if (list.every((arm) => arm.length === 0)) return [];
  const when = decidedBy(c, condition);
  return [
    {
      kind: 'branch',
      at: { start: node.start, end: node.end },
      arms: list,
      exhaustive,
      ...(when && { when }),
    },
  ];
}

function comprehension(c: Body, node: Syntax): Step[] {
  const inner: Body = { ...c, scope: scope('function', c.scope.path, c.scope) };
  const clauses = node.children.filter((one) => one.type === 'for_in_clause');
  const turn = (i: number): Step[] => {
    const clause = clauses[i];
    if (!clause) {
      const conditions = node.children
        .filter((one) => one.type === 'if_clause')
        .flatMap((one) => expr(inner, one));
      return [...conditions, ...expr(inner, child(node, 'body'))];
    }
    const right = child(clause, 'right');
    const left = child(clause, 'left');
    const what = iterated(inner, right);
    const before = [...expr(inner, right), ...iterating(inner, right)];
    if (left) bindTarget(inner, left, heldIn(what), undefined, what.position);
    const body = turn(i + 1);
    return [
      ...before,
      ...(body.length > 0
        ? [
            ...what.reads,
            {
              ...repeat(
                { start: clause.start, end: clause.start + 3 },
                what.over,
                body,
                what.times,
                what.certainty,
              ),
              ...turnsOf(what),
            },
          ]
        : []),
    ];
  };
  return turn(0);
}

// ---- calls

/** `variable`: what the result is assigned to. */
export function statementCall(c: Body, node: Syntax, variable?: string): Step[] {
  const callee = child(node, 'function');
  if (!callee) return NOTHING;
  const some = callee.type === 'attribute' ? undefined : chosen(c, callee);
  const call = some ? undefined : understand(c, node);
  constructed(c, node, (one) => callable(c, one, true));
  gathers(c, node);
  const before = callee.type === 'attribute' ? ofReceiver(c, call, child(callee, 'object')) : NOTHING;
  const alters = call?.meaning?.alters;
  const out = alters
    ? before.map((step) => (step.kind === 'write' ? { ...step, ...alters } : step))
    : before.slice();
  const read =
    call?.meaning?.sql ?? call?.meant?.find(({ meaning }) => meaning.sql !== undefined)?.meaning.sql;
  const given = child(node, 'arguments');
  const generator = given?.type === 'generator_expression';
  const handed = call ? callbacks(c, node, call) : NOTHING;
  for (const one of (!generator && given?.children) || NO_NODES) {
    // SQL text and callables are read by who takes them.
    const value = one.type === 'keyword_argument' ? child(one, 'value') : one;
    if (!value || (value.children.length === 0 && c.asking.size === 0)) continue;
    if (read !== undefined && value.type === 'identifier') append(out, asked(c, value));
    else if (
      !(read !== undefined && value.type !== 'call') &&
      !(isCallable(c, value) && !runsFirst(c, call, value))
    )
      append(
        out,
        computed(
          c,
          node,
          callee,
          streamed(c, call, value, () => expr(c, value)),
        ),
      );
  }
  if (call && lends(c, given)) out.push({ kind: 'begin', at: call.at, implied: true });
  if (generator && call?.meaning?.streams === undefined) append(out, comprehension(c, given));
  if (some) append(out, oneOf(c, callee, some));
  else if (callee.type === 'call' && !call)
    append(out, makes(c, callee) ? madeOf(c, callee)! : calledResult(c, callee));
  else if (callee.type === 'subscript') append(out, unknownIn(c, callee));
  else if (!NAMED.has(callee.type)) append(out, callable(c, callee, true) ?? NOTHING);
  else if (!call || ofFrame(c, node)) append(out, mapped(c, node));
  else if (call.meaning?.becomes && !call.meaning.scope)
    becomes(c, child(callee, 'object'), call.meaning.becomes);
  else if (call.callee?.endsWith('^.dispatch')) {
    const yielded: Step = { kind: 'yield', at: call.at };
    append(out, dispatching(call.callee.slice('python:'.length, -'.dispatch'.length), call.at, [yielded]));
  } else if (!endsScope(c, callee)) {
    const steps = calling(c, call, { callbacks: handed, variable });
    // What its arguments put together is sent in the transaction that it begins.
    const first = steps[0]?.kind === 'begin' && steps[0].implied === true;
    append(out, first ? [steps[0]!, ...out.splice(0), ...steps.slice(1)] : steps);
  }
  return out;
}

const NO_NODES: Syntax[] = [];
/** What stands in parentheses before those of a call may be anything else: `(lambda: …)()`. */
const NAMED = new Set(['identifier', 'attribute', 'call']);

/** `save(cur, row)`: whoever is handed a cursor runs statements with it, which begin what they would begin here. */
const lends = (c: Body, given: Syntax | undefined): boolean =>
  (given?.children ?? NO_NODES).some((one) => {
    const type = one.type === 'identifier' && resolve(c, one)?.type?.path;
    return type && runsOnly(type);
  });

/** `select_for_update().update_or_create()` locks in its own subtransaction, `.count()` not at all. */
function ofReceiver(c: Body, call: Understood | undefined, object: Syntax | undefined): Step[] {
  const all = call ? [call.meaning, ...(call.meant ?? []).map((one) => one.meaning)] : [];
  const unlocked = all.some((its) => its?.unlocked);
  const inside = all.some((its) => its?.inside?.some(({ rowLock }) => rowLock !== undefined));
  // Who asks a variable's query without its lock leaves that to the next.
  const waiting = unlocked && c.asking.size > 0 ? [...c.asking] : [];
  const steps = expr(c, object);
  for (const [name, held] of waiting) c.asking.set(name, held);
  return unlocked || inside ? steps.filter((step) => !isLock(step)) : steps;
}

/** A view is asked to handle a request: where the repository does not say how, it does so at once. */
export const dispatching = (view: string, at: Span, block: Step[]): Step[] => [
  {
    kind: 'call',
    at,
    callee: `python:${view}.dispatch`,
    block,
    meanings: [{ steps: [{ kind: 'yield', at }] }],
  },
];

function append(out: Step[], steps: Step[]): void {
  for (let i = 0; i < steps.length; i++) out.push(steps[i]!);
}

export function calling(c: Body, call: Understood, given: Partial<Given> & { callbacks: Step[] }): Step[] {
  return stepsOf(c, call, {
    block: given.block,
    callbacks: given.callbacks,
    variable: given.variable,
    sql: (at, only) => c.sql(c, at, only),
    kept: () => {
      c.keeps.block = true;
    },
  });
}

/** `t.commit()` of a scope that the block stands for. */
function endsScope(c: Body, callee: Syntax): boolean {
  if (c.closing.size === 0 || callee.type !== 'attribute') return false;
  const name = textOf(c.file, child(callee, 'attribute')!);
  return /^(commit|rollback|close)$/.test(name) && c.closing.has(textOf(c.file, child(callee, 'object')!));
}

/** What a function of the repository gives for the one that it is handed: as if it stood above that. */
function madeOf(c: Body, node: Syntax): Step[] | null {
  const callee = child(node, 'function');
  const call = understand(c, callee?.type === 'call' ? callee : node);
  const block = c.callbacksOf(c, node);
  if (!call || call.meaning || !call.callee) return calledResult(c, node);
  return calling(c, call, { block, callbacks: [] }).map((step) =>
    step.kind === 'call' ? { ...step, decorates: true } : step,
  );
}

/** `atomic(work)()`, `sync_to_async(work)()`: what the inner call was given runs. */
function calledResult(c: Body, inner: Syntax): Step[] {
  const value = resolve(c, inner);
  if (value?.path && !isClassLike(c, value.path))
    return c.file.isForeign(value.path)
      ? []
      : [{ kind: 'call', at: underline(c, inner), callee: `python:${value.path}` }];
  const deeper = child(inner, 'function');
  const call = understand(c, deeper?.type === 'call' ? deeper : inner);
  if (!call?.meaning?.scope && call?.meaning?.loops !== 'retry')
    return [...expr(c, inner), ...(MADE.test(textOf(c.file, deeper)) ? [] : something(c, inner))];
  return calling(c, call, { callbacks: c.callbacksOf(c, inner) });
}

/** `type(order)(…)`, `get_model_class(name)(…)`: it gives a class. */
const MADE = /(^|[._])(type|class|model|Model|super|partial)$/;

const something = (c: Body, callee: Syntax): Step[] => [
  { kind: 'call', at: underline(c, callee), callee: SOMETHING },
];

/** `Order[int](row)` of a generic class makes one; of anything else nobody knows what it is. */
function unknownIn(c: Body, callee: Syntax): Step[] {
  const holder = resolve(c, child(callee, 'value'));
  const isGeneric = holder?.path !== undefined && isClassLike(c, holder.path);
  return isGeneric ? expr(c, callee) : [...expr(c, callee), ...something(c, callee)];
}

/** `HANDLERS[kind](row)`, `for step in [one, two]: step()`, `(first if found else second)(row)`: one of them is called. */
function oneOf(c: Body, callee: Syntax, { of, condition }: Chosen): Step[] {
  const at = underline(c, callee);
  const isClass = (one: Syntax) => one.type === 'none' || isClassLike(c, resolve(c, one)?.path ?? '');
  const calls = of.map((one): Step[] => {
    if (typeof one === 'string') return [{ kind: 'call', at, callee: `python:${one}` }];
    return called(c, one) ?? (isClass(one) ? NOTHING : something(c, callee));
  });
  return [...expr(c, condition ?? callee), ...arms(c, callee, calls, true, condition)];
}

/** What calling this value does, where that is known: a function, a method of an object, what another call makes of one. */
export function called(c: Body, node: Syntax): Step[] | null {
  const its = callable(c, node, true);
  if (its) return its;
  if (makes(c, node)) return madeOf(c, node);
  if (node.type !== 'attribute') return null;
  const call = understand(c, node);
  return call?.callee && !call.meaning ? calling(c, call, { callbacks: [] }) : null;
}

const MAPS = /^(map|filter|(itertools\.)?starmap|(functools\.)?reduce)$/;
const SORTS = /^(sorted|max|min)$/;

/** `frame.apply(f, axis=1)` of pandas, which is not how anything else is called. */
const ofFrame = (c: Body, node: Syntax): boolean =>
  /\.(?:progress_)?apply$/.test(textOf(c.file, child(node, 'function'))) &&
  /^(?:1|["']columns["'])$/.test(textOf(c.file, keyword(c, node, 'axis')));

/** `map(f, rows)`, `sorted(rows, key=f)`, `frame.apply(f, axis=1)` */
function mapped(c: Body, node: Syntax): Step[] {
  const callee = child(node, 'function')!;
  const written = textOf(c.file, callee);
  const list = child(node, 'arguments');
  const key = SORTS.test(written) && list ? named(c, list, 'key') : undefined;
  const isOfFrame = ofFrame(c, node);
  if (!key && !isOfFrame && !MAPS.test(written)) return [];
  const body = callable(c, key ?? argument(node, 0), true) ?? [];
  const what = iterated(c, isOfFrame ? child(callee, 'object') : argument(node, key ? 0 : 1));
  return body.length > 0
    ? [{ ...repeat(underline(c, callee), what.over, body, what.times), ...turnsOf(what) } as Step]
    : [];
}

export function callbacks(c: Body, node: Syntax, call = understand(c, node)): Step[] {
  const strict = call?.callee !== undefined && !call.meaning;
  const runs = call?.meaning?.runs;
  const gives = (call?.meaning ?? call?.meant?.[0]?.meaning)?.gives?.[0];
  const given =
    gives === 'item' ? resolve(c, child(child(node, 'function') ?? node, 'object'))?.type?.item : undefined;
  const list = child(node, 'arguments');
  if (list?.type !== 'argument_list') return [];
  const at =
    runs === undefined
      ? list.children
      : [
          typeof runs === 'object'
            ? (named(c, list, runs.keyword) ?? argument(node, runs.position))
            : argument(node, Number(runs)),
        ];
  const all: { handed?: string | number; steps: Step[] }[] = [];
  let place: number | undefined = 0;
  let others = 0;
  for (const one of at) {
    if (one?.type === 'comment') continue;
    const name = one?.type === 'keyword_argument' ? child(one, 'name') : undefined;
    const value = name ? child(one!, 'value') : one;
    // Behind `*rest` nobody knows the places.
    if (one?.type === 'list_splat') place = undefined;
    const handed = name ? textOf(c.file, name) : place;
    if (place !== undefined && !name) place++;
    if (runsFirst(c, call, value)) continue;
    const its = callable(c, value, !strict, given);
    if (its?.[0]?.kind === 'yield' && call?.meaning && !runsSome(call.meaning)) continue;
    if (its && its.length > 0) all.push({ handed, steps: its });
    else if (value?.type === 'identifier' && lookup(c.file, c.scope, textOf(c.file, value))?.parameter)
      others++;
  }
  if (all.length === 0) return NOTHING;
  const whose = strict && all.length + others > 1 && all.every(({ handed }) => handed !== undefined);
  if (!whose) return all.length > 1 ? all.flatMap(({ steps }) => steps) : all[0]!.steps;
  return all.map(({ handed, steps: [first, ...rest] }) => ({
    kind: 'block',
    at: first!.at,
    handed,
    body: [first!, ...rest],
  }));
}

/** Others are given values: the `stmt` of `session.execute(stmt)` is nobody's callable. */
const runsSome = ({ runs, scope, loops, elsewhere }: Meaning): boolean =>
  runs !== undefined || scope !== undefined || loops !== undefined || elsewhere !== undefined;

const named = (c: Body, list: Syntax, name: string): Syntax | undefined => {
  const found = list.children.find(
    (one) => one.type === 'keyword_argument' && textOf(c.file, child(one, 'name') ?? one) === name,
  );
  return found && child(found, 'value');
};

/** `queue.put(made(row))`: what is kept is made first, unless it is the callable itself: `partial(work, row)`. */
const runsFirst = (c: Body, call: Understood | undefined, value: Syntax | undefined): boolean =>
  value?.type === 'call' &&
  call?.callee !== undefined &&
  isLater(call.callee.slice(call.callee.lastIndexOf('.') + 1)) &&
  resolve(c, value)?.given === undefined;

const isCallable = (c: Body, node: Syntax): boolean =>
  node.type === 'lambda' || (node.type === 'call' && resolve(c, node)?.path !== undefined);

const placing = kept((_, __: File) => createPlacing());

function inPlace(c: Body, lambda: Syntax, given: Type | undefined): Step[] {
  const inner: Body = { ...c, scope: scope('function', c.scope.path, c.scope) };
  for (const one of child(lambda, 'parameters')?.children ?? []) {
    const name = one.type === 'identifier' ? one : (child(one, 'name') ?? one.children[0]);
    if (name) bind(inner, textOf(c.file, name), given && { type: given });
  }
  return placing(c, c.file)(lambda, () => expr(inner, child(lambda, 'body')));
}

/** What calling this value does; `loose` takes any function of another module too. */
export function callable(c: Body, node: Syntax | undefined, loose: boolean, given?: Type): Step[] | null {
  if (!node) return null;
  if (node.type === 'lambda') return inPlace(c, node, given);
  if (node.type === 'call') {
    const path = resolve(c, node)?.path;
    return path && !isClassLike(c, path) && !c.file.isForeign(path)
      ? [{ kind: 'call', at: underline(c, child(node, 'function')!), callee: `python:${path}` }]
      : null;
  }
  if (node.type === 'identifier') {
    const value = lookup(c.file, c.scope, textOf(c.file, node));
    if (value?.parameter)
      return loose || isCalled(textOf(c.file, node)) || /(^|\.)Callable$/.test(value.type?.path ?? '')
        ? [
            {
              kind: 'yield',
              at: { start: node.start, end: node.end },
              ...ofParameter(c, textOf(c.file, node)),
            },
          ]
        : null;
  }
  if (node.type !== 'identifier' && node.type !== 'attribute') return null;
  const path = resolve(c, node)?.path;
  if (!path && !loose) return ending(c, node);
  if (!path || c.file.isForeign(path) || !/(^|\.)[a-z_]\w*$/.test(path)) return null;
  if (!loose && !c.file.functions.has(path) && node.type === 'attribute') return null;
  return [{ kind: 'call', at: underline(c, node), callee: `python:${path}` }];
}

/** `each(rows, put, after=session.commit)` */
function ending(c: Body, node: Syntax): Step[] | null {
  const its = node.type === 'attribute' ? understand(c, node) : undefined;
  return its && !its.callee && /^(?:commit|rollback)$/.test(its.meaning?.flat ?? '')
    ? calling(c, its, { callbacks: [] })
    : null;
}

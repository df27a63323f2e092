// Turns statements and expressions of a body into steps; what a call means is decided in calls.ts.
import type { Step } from '../../../ir.ts';
import { closed, spanned } from '../../spans.ts';
import type { Body } from '../calls/body.ts';
import { createCalls } from '../calls/calls.ts';
import { closedBehind, closing } from '../calls/closing.ts';
import { expresses } from '../calls/computed.ts';
import { filled, isHeld, isSetLater, ownFrom } from '../calls/connections.ts';
import { neverReturns } from '../calls/ending.ts';
import { beforeFail, catchName, failing } from '../calls/failing.ts';
import { elementOf, isMany, SEVERAL } from '../names/collections.ts';
import { lazily } from '../names/initial.ts';
import { isOfBeans } from '../names/injected.ts';
import { connectionOf, surest } from '../names/known.ts';
import { isLoaded } from '../names/loaded.ts';
import { isSavepoint } from '../names/parameters.ts';
import {
  captured, componentsOf, created, holdsCode, inTurns, parameterVariable, type Sight, typeOfName, type Variable, type World,
} from '../names/scope.ts'; // biome-ignore format: one list
import type { Typed } from '../names/typed.ts';
import type {
  Choice,
  Concat,
  Leave,
  Local,
  Member,
  Node,
  Parameter,
  Repeat,
  Try,
  TypeRef,
} from '../syntax/syntax.ts';
import { type Bound, boundsBehind, boundsIn } from '../texts/bounds.ts';
import { createTold } from '../texts/constants.ts';
import { toldElsewhere } from '../texts/elsewhere.ts';
import { namesScript } from '../texts/resources.ts';
import { apart } from '../texts/retold.ts';
import { textOf } from '../texts/text.ts';
import { everySo, stepIn, turnsIn } from '../texts/turns.ts';
import { chunkOf, isOfEnum, isRange, isWritten, itemsOf, listOfSize, piecesOf } from '../texts/written.ts';
import { type Asks, createAsks } from './asks.ts';
import {
  asksForNone,
  asksItself,
  behind,
  decidedBy,
  everTaken,
  notesOpening,
  whereOpened,
} from './conditions.ts';
import { givenIn, indexIn } from './items.ts';
import { createLambdas } from './lambdas.ts';
import { type Around, lambdaLeft, leavesTo, loopsLeft } from './leaves.ts';
import { untilThere } from './once.ts';
import { triesAgain } from './retried.ts';
import { inSomeTurns, type Seldom } from './seldom.ts';
import { restIn, runsAll, tasksOf, turnsOf } from './tasks.ts';
import { ofOurs } from './vendors.ts';

/** A body as it is here: it knows all that is asked of open transactions. */
interface Whole extends Body {
  asks: Asks;
}

export type Hooks = Pick<Body, 'onText' | 'onType' | 'onCall' | 'onSetting'>;

const STRING: Typed = { name: 'java.lang.String', arguments: [] };
const word = (node: { start: number }, length: number) => ({ start: node.start, end: node.start + length });

export function createBody(sight: Sight, world: World, hooks: Hooks): Whole {
  const around: Around = { lambdas: [], breaksTo: null, blocks: 0 };
  /** The variable of the handler that runs. */
  let caught: string | null = null;

  const asks = createAsks(sight, world.text);
  const { constants, unchanging, constant, begun } = createTold(sight, world);
  const seldom: Seldom = { sight, world, constants: unchanging, begun };
  const body: Whole = {
    run,
    lambda: (node, given, receiver, handed) => lambdas.lambda(node, given, receiver, handed),
    anonymous: (own, given) => lambdas.anonymous(own, given),
    gave: null,
    type,
    constants,
    unchanging,
    sight,
    world,
    asks,
    ...hooks,
  };
  const lambdas = createLambdas(body, around, bind);
  const calls = createCalls(body);
  return body;

  function run(node: Node, out: Step[], handle?: string): Typed | null {
    switch (node.kind) {
      case 'name':
        return calls.property(node, out) ?? typeOfName(node.text, sight, world);
      case 'member':
        if (isClassOf(node)) return run(node.object, out);
        return calls.member(node, out);
      case 'call':
        return calls.call(node, out, handle);
      case 'text':
        hooks.onText(node, constants);
        for (const hole of node.holes) run(hole, out);
        return STRING;
      case 'concat':
        hooks.onText(node, constants);
        return concat(node, out);
      case 'several': {
        let last: Typed | null = null;
        const alone = node.items.length === 1;
        for (const item of node.items) last = run(item, out, alone ? handle : undefined);
        if (!alone && world.isKotlin && isRange(node, world.text)) return SEVERAL;
        return alone ? last : null;
      }
      case 'sequence':
        return sequence(node.items, out, handle);
      case 'assign':
        return calls.assign(node, out);
      case 'cast':
        run(node.value, out, handle);
        return type(node.type);
      case 'choice':
        return choice(node, out, handle);
      case 'repeat':
        repeat(node, out);
        return null;
      case 'try':
        return attempt(node, out);
      case 'leave':
        leave(node, out);
        return null;
      case 'local':
        local(node, out);
        return null;
      case 'type':
        if (sight.owner) world.names.declare(node.name, sight.owner.full);
        hooks.onType(node, sight.owner, captured(sight));
        return null;
      default:
        return null;
    }
  }

  /** Kotlin's `xs + ys` are as many as both; what is put together with a text is one. */
  function concat({ parts }: Concat, out: Step[]): Typed | null {
    const [first] = parts.map((part) => (part.kind === 'text' ? STRING : run(part, out)));
    if (world.isKotlin && isMany(first ?? null)) return first!;
    return parts.some(({ kind }) => kind === 'text') ? STRING : null;
  }

  function sequence(items: Node[], out: Step[], handle?: string): Typed | null {
    let last: Typed | null = null;
    const from = out.length;
    let bounds: Bound[] = [];
    const all = (from: number): void => {
      for (let i = from; i < items.length; i++) {
        const item = items[i]!;
        last = run(item, out, i === items.length - 1 ? handle : undefined);
        bounds = boundsBehind(item, leavesIt, world.text);
        if (bounds.length === 0) continue;
        within(bounds, () => all(i + 1));
        return;
      }
    };
    all(0);
    spanned(out, from);
    asks.behindAsking(items, out, from);
    if (out.length > from) behind(items, out, from, seldom);
    filled(out, from);
    return last;
  }

  /** Whether nothing comes behind it. */
  function leavesIt(arm: Node): boolean {
    const last = arm.kind === 'sequence' || arm.kind === 'several' ? arm.items.at(-1) : arm;
    if (last?.kind === 'sequence' || last?.kind === 'several') return leavesIt(last);
    return last?.kind === 'leave' || (last?.kind === 'call' && neverReturns(last, sight, world));
  }

  /** Where a variable is known to have no more items than that. */
  function within<T>(bounds: Bound[], inside: () => T): T {
    const before = bounds.map(({ name }) => [sight.locals.get(name), sight.locals.get(name)?.made] as const);
    for (const { name, most } of bounds) {
      const local = sight.locals.get(name);
      if (local) local.made ??= most;
    }
    const result = inside();
    for (const [local, made] of before) if (local) local.made = made;
    return result;
  }

  function steps(node: Node): Step[] {
    const out: Step[] = [];
    run(node, out);
    return out;
  }

  function type(ref: TypeRef): Typed | null {
    return world.names.type(ref, sight.owner?.around ?? [], sight.free);
  }

  function local(node: Local, out: Step[]): void {
    const value = node.value && lazily(node.value);
    const isFunction = holdsCode(value);
    const tasks = tasksOf(node, sight, world);
    const place = out.length;
    const given = value && !isFunction && !tasks ? run(value, out, node.name) : null;
    const isOwn = given?.own === true && isHeld(node, sight, world);
    const found = given?.own ? { ...given, own: undefined, on: isOwn ? node.name : undefined } : given;
    const isSet = !isOwn && isSetLater(node, sight, world, (name) => typeOfName(name, sight, world));
    if (isOwn || isSet) ownFrom(out, place, word(node, 1), node.name);
    const asked = node.type ? type(node.type) : null;
    const declared = isSet ? connectionOf(asked, node.name) : asked;
    const held = value && asks.held(value, out, node.type?.name);
    const of = surest(declared, found) ?? created(value, type);
    const isCopied = value?.kind === 'name' && isSavepoint(of);
    const made: Variable = {
      type: of,
      ...held,
      value: isFunction || isCopied || (value && (saysText(value) || expresses(value))) ? value : undefined,
      ...(isLoaded(value, sight, world) && { loaded: true }),
      ...(tasks && { tasks }),
      ...(value && isWritten(value, world.text) && { made: value }),
    };
    sight.locals.set(node.name, made);
  }

  function isText(value: Node): boolean {
    return textOf(value, constants) !== null || namesScript(value, world);
  }

  function saysText(value: Node): boolean {
    return isText(value) || (value.kind === 'choice' && value.arms.every(isText));
  }

  function choice(node: Choice, out: Step[], handle?: string): Typed | null {
    const taken = everTaken(node, constant, world);
    if (taken !== undefined) return taken && run(taken, out, handle);
    if (asksForNone(node, sight, world)) return null;
    let asked: Typed | null = null;
    for (const test of node.tests) asked = run(test, out);
    let last: Typed | null = null;
    const arms = node.arms.map((arm) => {
      const inner: Step[] = [];
      apart(sight, () => {
        if (arm.kind === 'sequence' && arm.isSwitchArm) last ??= switchArm(arm.items, arm.start, inner);
        else last = within(boundsIn(node, arm, world.text), () => run(arm, inner, handle)) ?? last;
      });
      return inner;
    });
    const when = decidedBy(node, sight, world);
    const ours = untilThere(node, inSomeTurns(node, ofOurs(node, arms, world), seldom), sight, world);
    const told = asks.whereNoneIsOpen(node, ours, out);
    const [arm, ...others] = node.arms;
    const [test, ...tests] = node.tests;
    const every =
      test && arm && others.length + tests.length === 0 ? everySo(test, arm, world.text, unchanging) : null;
    notesOpening(node, ours.flat(), sight, world);
    const open = whereOpened(node, ours, sight, world);
    const left = open === null ? told : told.filter((_, i) => i !== open);
    const ends = asksItself(node, ours.flat(), sight, world);
    if (ends) out.push(...ends);
    else if (left.some((arm) => arm.length > 0))
      out.push({
        kind: 'branch',
        at: word(node, 2),
        arms: left,
        exhaustive: node.exhaustive && left === told,
        ...(when && { when }),
        ...(every !== null && { every }),
      });
    if (open !== null) out.push(...ours[open]!);
    return node.isElse ? (asked ?? last) : last;
  }

  function switchArm(items: Node[], start: number, out: Step[]): Typed | null {
    const before = around.breaksTo;
    const label = `switch ${++around.blocks}`;
    around.breaksTo = label;
    const inner: Step[] = [];
    const last = sequence(items, inner);
    around.breaksTo = before;
    const tail = inner.at(-1);
    if (tail?.kind === 'exit' && tail.label === label) inner.pop();
    if (inner.some((step) => leavesTo(step, label)))
      out.push({ kind: 'block', at: { start, end: start + 4 }, label, body: inner });
    else out.push(...inner);
    return last;
  }

  function repeat(node: Repeat, out: Step[]): void {
    const { variable: task } = node;
    const tasks = task && turnsOf(node, sight, world);
    for (const value of tasks ?? []) {
      sight.locals.set(task!.name, { type: task!.type ? type(task!.type) : null, value });
      run(node.body, out);
    }
    if (tasks) return;
    let over: Typed | null = null;
    for (const first of node.first) over = run(first, out);
    const element = elementOf(over, world.isForeign);
    if (node.variable) bind(node.variable, element, isLoaded(node.first.at(-1), sight, world));
    const parts = node.parts && componentsOf(element, world);
    for (const [i, name] of (node.parts ?? []).entries()) bind({ name }, parts?.[i] ?? null);
    const list = node.how === 'each' ? node.first.at(-1) : null;
    const items = itemsOf(list, world.text, unchanging);
    const variable = node.variable && sight.locals.get(node.variable.name);
    const rest = variable && restIn(list, sight, world);
    if (rest) variable.parameter = rest;
    const pieces = variable && piecesOf(list, world.text, unchanging);
    if (variable && pieces) variable.made = listOfSize(pieces);
    if (variable && items?.every(isText)) variable.among = items;
    const before = around.breaksTo;
    around.breaksTo = null;
    const inner: Step[] = [];
    for (const each of node.every) run(each, inner);
    const walksRows = node.every.some(isNext);
    const turning = { ...node, loop: node, items: givenIn(node), index: indexIn(node, world.text) };
    inTurns(sight, turning, () => apart(sight, () => run(node.body, inner)));
    around.breaksTo = before;
    if (inner.length === 0) return;
    const kind = triesAgain(node, world.text, sight)
      ? 'retry'
      : node.how === 'each'
        ? 'items'
        : node.how === 'count'
          ? 'range'
          : walksRows
            ? 'rows'
            : 'unknown';
    const length = node.how === 'while' ? 5 : 3;
    out.push({
      kind: 'loop',
      at: word(node, length),
      over: kind,
      ...(rest && runsAll(inner, rest)
        ? { times: 1 }
        : toldElsewhere(turnsIn(node, world.text, unchanging, begun), list, over, sight, world)),
      ...((isOfEnum(list, world.text, unchanging) || isOfBeans(list, sight, world)) && {
        certainty: 'possible',
      }),
      ...chunkOf(pieces ?? stepIn(node, world.text), world.text, unchanging),
      label: node.label,
      body: inner,
    });
  }

  /** `while (rs.next())` */
  function isNext(node: Node): boolean {
    return (
      node.kind === 'call' &&
      node.name === 'next' &&
      node.object?.kind === 'name' &&
      typeOfName(node.object.text, sight, world)?.name === 'java.sql.ResultSet'
    );
  }

  function bind(parameter: Parameter, found: Typed | null, loaded = false): void {
    const declared = parameter.type ? type(parameter.type) : null;
    sight.locals.set(parameter.name, {
      ...parameterVariable(parameter, declared),
      type: surest(declared, found?.own ? { ...found, own: undefined, on: parameter.name } : found),
      ...(loaded && { loaded }),
    });
  }

  function attempt(node: Try, out: Step[]): Typed | null {
    const expected = node.handlers.length > 0 ? beforeFail(node.body) : null;
    const tried: Step[] = [];
    for (const resource of node.resources) run(resource, tried);
    const resources = tried.length;
    const last = expected ? sequence(expected, tried) : run(node.body, tried);
    const ends = node.resources.flatMap(closes).reverse();
    tried.push(...closedBehind(tried.splice(resources), ends, word(node, 3)));
    // Before any handler runs.
    closed(tried, resources);
    spanned(tried, 0);
    filled(tried, 0);
    const inner = expected ? failing(tried) : tried;
    const handlers = node.handlers.map((handler) => {
      const before = caught;
      caught = handler.name;
      sight.locals.set(handler.name, { type: null });
      const steps_ = apart(sight, () => steps(handler.body));
      caught = before;
      return { at: handler.at, catches: handler.catches.map(catchName), body: steps_ };
    });
    const finally_ = node.finally ? steps(node.finally) : [];
    // What is no step may fail as well: a number that is read from a text.
    const mayFail = node.body.kind !== 'sequence' || node.body.items.length > 0;
    const handles = mayFail && handlers.some(({ body }) => body.length > 0);
    if (inner.length === 0 && finally_.length === 0 && (expected || !handles)) {
      if (expected) out.push(...handlers[0]!.body);
      return last;
    }
    // Where ending a savepoint fails, so does all that follows: no way leads on from there with it open.
    const onlyEnds =
      finally_.length === 0 &&
      inner.length > 0 &&
      inner.every(({ kind }) => kind === 'release' || kind === 'rollback to');
    if (onlyEnds) {
      out.push(...inner);
      const arms = handlers.map((one) => one.body).filter((arm) => arm.length > 0);
      if (arms.length > 0) out.push({ kind: 'branch', at: word(node, 3), arms, exhaustive: false });
    } else if (handlers.length === 0 && finally_.length === 0) out.push(...inner);
    else
      out.push({
        kind: 'attempt',
        at: word(node, 3),
        body: inner,
        handlers,
        ...(finally_.length > 0 && { finally: finally_ }),
      });
    return last;
  }

  /** What a resource of the project's own does when the block ends. */
  function closes(node: Node): Step[] {
    const name = node.kind === 'local' ? node.name : node.kind === 'name' ? node.text : null;
    return closing(name === null ? null : typeOfName(name, sight, world), word(node, 1), world);
  }

  function leave(node: Leave, out: Step[]): void {
    if (node.value && node.how === 'return') lambdas.given(node.value, out);
    const value: Typed | null = node.value ? run(node.value, out) : null;
    const left =
      node.how === 'return' ? lambdaLeft(node, around.lambdas, sight.name, world.isKotlin) : undefined;
    if (left && value) left.gives ??= value;
    if (node.how === 'return' && !left) {
      sight.gives ??= value;
      asks.returned(node.value);
    }
    const base = { kind: 'exit' as const, at: word(node, node.how.length) };
    if (left) out.push({ ...base, how: 'break', label: left.block });
    else if (node.how === 'break' && !node.label && around.breaksTo !== null)
      out.push({ ...base, how: 'break', label: around.breaksTo });
    else if (node.how === 'raise') {
      const again = node.value?.kind === 'name' && node.value.text === caught;
      const raises = value ? value.name.slice(value.name.lastIndexOf('.') + 1) : undefined;
      out.push({
        ...base,
        at: word(node, 5),
        how: 'raise',
        ...(again ? { again } : raises ? { raises } : {}),
      });
    } else {
      const leaves = node.label && loopsLeft(node, sight.turning ?? [], around.lambdas.length === 0);
      const label = node.how !== 'return' && node.label ? { label: node.label } : undefined;
      // Kotlin's leaves whoever runs the lambda, too.
      const isOut = node.how === 'return' && around.lambdas.length > 0;
      out.push({ ...base, how: node.how, ...label, ...(leaves && { leaves }), ...(isOut && { out: true }) });
    }
  }
}

/** `Order::class`, `Order::class.java` */
const isClassOf = ({ name, object }: Member): boolean =>
  name === 'class' ||
  (/^java(ObjectType)?$/.test(name) && object.kind === 'member' && object.name === 'class');

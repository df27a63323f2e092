// What functions of the languages' standard libraries do with the block that they are handed: loops over collections, and what runs here.
import type { Step } from '../../../ir.ts';
import {
  ALWAYS,
  collectedOf,
  elementOf,
  givenOf,
  givingOf,
  holding,
  isMany,
  isOptional,
  loops,
  mappedOf,
  resultOf,
  SEVERAL,
} from '../names/collections.ts';
import { isOfBeans } from '../names/injected.ts';
import { flushed, isLoaded } from '../names/loaded.ts';
import { isSavepoint } from '../names/parameters.ts';
import { AS_RECEIVER, AT_ONCE, isParallel, SCOPE, SETS, WITH_RECEIVER } from '../names/runs.ts';
import { inTurns } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Argument, Call, Node } from '../syntax/syntax.ts';
import { toldElsewhere } from '../texts/elsewhere.ts';
import { chunkOf, isOfEnum, piecesOf, repeated, type Turns, turnsOver } from '../texts/written.ts';
import type { Body } from './body.ts';
import type { Callbacks } from './callbacks.ts';
import { closedBehind, closing } from './closing.ts';
import { expectsError, failing } from './failing.ts';
import { onceForKey } from './kept.ts';
import { isOutcome, type Outcome, settled } from './outcomes.ts';
import { collects, turningOf } from './turning.ts';

interface Standard {
  /** Loops over collections and functions that run their callback here; null where it is none of them. */
  plainly(
    node: Call,
    receiver: Typed | null,
    callbacks: Argument[],
    types: (Typed | null)[],
    out: Step[],
  ): { returns: Typed | null } | null;
  /** What may run what it is handed here. */
  perhaps(node: Call, callbacks: Argument[], given: (Typed | null)[], out: Step[]): void;
  /** Reads what `collect()` of a stream is handed. */
  collecting<T>(node: Call, receiver: Typed | null, read: () => T): T;
}

/** `List(3) { … }`: its items, one after the other. */
const MADE = /^((Mutable)?List|(Int|Long)?Array)$/;
/** What they hand over is what they are called on. */
const THE_SAME = new Set(['use', 'let', 'also']);
/** They give back what they are called on. */
const RECEIVERS = new Set(['also', 'filter', 'takeIf', 'takeUnless']);

export function createStandard(body: Body, { callback, handing }: Callbacks): Standard {
  const { sight, world } = body;
  /** The stream whose collectors are read. */
  let stream: { object: Node | null; receiver: Typed | null } | null = null;
  /** What a result's one outcome does, for the other to stand beside it. */
  let outcome: Outcome | null = null;
  return { plainly, perhaps, collecting };

  function collecting<T>(node: Call, receiver: Typed | null, read: () => T): T {
    const before = stream;
    if (node.name === 'collect' && isMany(receiver)) stream = { object: node.object, receiver };
    const out = read();
    stream = before;
    return out;
  }

  function plainly(
    node: Call,
    receiver: Typed | null,
    callbacks: Argument[],
    types: (Typed | null)[],
    out: Step[],
  ): { returns: Typed | null } | null {
    const { name } = node;
    const foreign = !receiver || world.isForeign(receiver.name) || /[()?]$/.test(receiver.name);
    if (!foreign && !(callbacks.length > 0 && (ALWAYS.has(name) || (world.isKotlin && SCOPE.has(name)))))
      return null;
    const element = elementOf(receiver, world.isForeign);
    if (name === 'repeat' && callbacks.length > 0 && !node.object) {
      loop(
        node,
        callbacks,
        [],
        'range',
        repeated(node.arguments[0]!.value, world.text, body.unchanging),
        out,
      );
      return { returns: null };
    }
    if (callbacks.length > 0)
      handing({
        made: THE_SAME.has(name) && node.object?.kind === 'call' ? node.object : undefined,
        loaded: isLoaded(node.object, sight, world),
        pieces:
          ALWAYS.has(name) || name === 'map' ? piecesOf(node.object, world.text, body.unchanging) : undefined,
      });
    if (world.isKotlin && callbacks.length > 0 && !node.object && MADE.test(name)) {
      const turns = repeated(node.arguments[0]!.value, world.text, body.unchanging);
      loop(node, callbacks, [], 'range', turns, out);
      return { returns: SEVERAL };
    }
    if (name === 'useLines' && callbacks.length > 0) {
      perhaps(node, callbacks, [SEVERAL], out);
      return { returns: null };
    }
    if (stream && callbacks.length > 0 && collects(node)) {
      const turns = turnsOver(stream.object, world.text, body.unchanging);
      const over = { ...node, object: stream.object };
      loop(over, callbacks, [elementOf(stream.receiver)], 'items', turns, out, stream.receiver);
      return { returns: mappedOf(node, stream.receiver, body.gave) };
    }
    if (callbacks.length > 0 && loops(name, receiver)) {
      const turns = turnsOver(node.object, world.text, body.unchanging);
      loop(node, callbacks, givenOf(name, receiver, world.isForeign), 'items', turns, out, receiver);
      return { returns: givingOf(name, receiver, body.gave, world.isForeign) };
    }
    if (callbacks.length > 0 && WITH_RECEIVER.has(name)) {
      const isScope = world.isKotlin && SCOPE.has(name);
      const run: Step[] = [];
      if (isSavepoint(receiver)) ofSavepoint(node, callbacks, receiver, run);
      else perhaps(node, callbacks, [isScope ? receiver : (element ?? receiver)], run);
      const ends = isScope && name === 'use' ? closing(receiver, node.at, world) : [];
      out.push(...closedBehind(run, ends, node.at));
      if (RECEIVERS.has(name)) return { returns: receiver };
      return { returns: isOptional(receiver) ? givingOf(name, receiver, body.gave, world.isForeign) : null };
    }
    if (world.isKotlin && callbacks.length > 0 && isOutcome(node)) {
      const arms = callbacks.map(({ value }) => callback(value, []));
      outcome = settled(node, arms, out, outcome);
      return { returns: null };
    }
    if (callbacks.length > 0 && AS_RECEIVER.has(name)) return asReceiver(node, receiver, callbacks, out);
    if (callbacks.length > 0 && AT_ONCE.has(name)) {
      perhaps(node, callbacks, [], out);
      return { returns: resultOf(name, receiver) ?? element };
    }
    const [into] = name === 'collect' ? node.arguments : [];
    const collected =
      into?.value.kind === 'call' ? collectedOf(into.value.name, receiver, types[0] ?? null) : null;
    const held = callbacks.length === 0 ? holding(name, receiver, types) : null;
    const result = held ?? collected ?? resultOf(name, receiver, world.isForeign);
    if (!result || callbacks.length > 0) return null;
    return { returns: result };
  }

  /** `savepoint?.let { connection.rollback(it) }`: wherever there is one, and by its own name. */
  function ofSavepoint({ object }: Call, callbacks: Argument[], type: Typed | null, out: Step[]): void {
    const called = object?.kind === 'name' ? object : null;
    for (const { value } of callbacks) {
      if (value.kind === 'reference' && called) {
        const { object, name, at, start, end } = value;
        body.run({ kind: 'call', object, name, at, start, end, arguments: [{ value: called }] }, out);
        continue;
      }
      const given = value.kind === 'lambda' ? value.parameters[0]?.name : undefined;
      for (const step of callback(value, [type])) {
        const isIts = step.kind === 'release' || step.kind === 'rollback to';
        out.push(isIts && called && step.name === given ? { ...step, name: called.text } : step);
      }
    }
  }

  function asReceiver(node: Call, receiver: Typed | null, callbacks: Argument[], out: Step[]) {
    let self = receiver;
    if (node.name === 'with' && node.arguments[0]) self = body.run(node.arguments[0].value, []);
    const isRow = isLoaded(node.object, sight, world);
    for (const { value } of callbacks) {
      out.push(...(value.kind === 'lambda' ? body.lambda(value, [], self) : callback(value, [])));
      if (self && isRow && SETS.test(world.text.slice(value.start, value.end)))
        out.push(...flushed(self, node.at, world));
    }
    return { returns: node.name === 'apply' ? self : null };
  }

  function loop(
    node: Call,
    callbacks: Argument[],
    given: (Typed | null)[],
    over: 'items' | 'range',
    turns: Turns,
    out: Step[],
    receiver: Typed | null = null,
  ): void {
    const inner = callbacks.flatMap(({ value }) =>
      inTurns(sight, turningOf(node, value), () => callback(value, given)),
    );
    if (inner.length === 0) return;
    const isSeldom =
      isOfEnum(node.object, world.text, body.unchanging) ||
      isParallel(node.object) ||
      isOfBeans(node.object, sight, world);
    const few = isSeldom && { certainty: 'possible' as const };
    const told = toldElsewhere(turns, node.object, receiver, sight, world);
    const chunk = chunkOf(piecesOf(node.object, world.text, body.unchanging), world.text, body.unchanging);
    out.push({ kind: 'loop', at: node.at, over, ...told, ...few, ...chunk, body: inner });
  }

  function perhaps(node: Call, callbacks: Argument[], given: (Typed | null)[], out: Step[]): void {
    const run = callbacks.map(({ value }) => onceForKey(node, callback(value, given), sight, world));
    const arms = (expectsError(node.name) ? run.map(failing) : run).filter((arm) => arm.length > 0);
    if (node.name === 'use' || node.name === 'also') out.push(...arms.flat());
    else if (arms.length > 0) out.push({ kind: 'branch', at: node.at, arms, exhaustive: false });
  }
}

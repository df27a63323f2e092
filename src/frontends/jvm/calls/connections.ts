// Which connection of several a step of a routine is on, and from where to where it has one of its own. What gives one, the tables say.
import { inside, type Scope, type Step } from '../../../ir.ts';
import { givesConnections } from '../names/known.ts';
import type { Sight, World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Local } from '../syntax/syntax.ts';

/** What decides whether a source gives such: one that gives the connection of the transaction says so. */
export const OWN_CONNECTIONS = 'connections of their own';

/** Scopes whose body follows them yet. */
const unfilled = new WeakSet<Step>();

const scope = (at: Step['at'], on: string | undefined, body: Step[]): Scope => ({
  kind: 'scope', at, ...(on !== undefined && { on }), opens: 'connection', whenNested: 'separate', label: 'connection',
  setting: { of: OWN_CONNECTIONS, assumed: true, otherwise: 'join' }, body,
}); // biome-ignore format: short

/** All behind this place, as far as its block goes, has a connection of its own. */
export function ownFrom(out: Step[], place: number, at: Step['at'], on: string | undefined): void {
  const step = scope(at, on, []);
  unfilled.add(step);
  out.splice(place, 0, step);
}

/** At the end of the block that declares them. */
export function filled(out: Step[], from: number): void {
  for (let i = out.length - 1; i >= from; i--) {
    const step = out[i]!;
    if (!unfilled.delete(step)) continue;
    const body = out.splice(i + 1);
    if (body.length > 0) (step as Scope).body = body;
    else out.pop();
  }
}

/** `source.connection.use { … }`, with all that the chain has done before on it. */
export function ownIn(out: Step[], from: number, at: Step['at'], on: string | undefined): void {
  if (out.length > from) out.push(scope(at, on, out.splice(from)));
}

/** Whether its end is where the block ends: whoever is handed it on may go on with it. */
export const isHeld = (node: Local, sight: Sight, world: World): boolean =>
  !connecting(world)
    .goes.get(node.name)
    ?.some(({ at }) => isBehind(at, node, sight));

/** `Connection own = null;` which a pool gives later. */
export function isSetLater(
  node: Local,
  sight: Sight,
  world: World,
  typeOf: (name: string) => Typed | null,
): boolean {
  if (node.value && !(node.value.kind === 'literal' && node.value.text === 'null')) return false;
  const all = connecting(world).sets.get(node.name);
  const isSet = all?.some(({ at, of }) => isBehind(at, node, sight) && connects(typeOf(of!)));
  return isSet === true && isHeld(node, sight, world);
}

const isBehind = (at: number, { end }: Local, sight: Sight) =>
  at >= end && at < (sight.end ?? Number.POSITIVE_INFINITY);

/** Found once for a file, which may have many of either. */
const connecting = (world: World) =>
  (world.connecting ??= { sets: named(world.text, SETS), goes: named(world.text, GOES) });

function named(text: string, pattern: RegExp): NonNullable<World['connecting']>['sets'] {
  const out = new Map<string, { at: number; of: string | undefined }[]>();
  for (const { index: at, 1: name, 2: of } of text.matchAll(pattern)) {
    const all = out.get(name!);
    if (all) all.push({ at, of });
    else out.set(name!, [{ at, of }]);
  }
  return out;
}

const SETS = /(?<![\w.])(\w+)\s*=\s*(?:this\s*\.\s*)?(\w+)\s*\.\s*getConnection\s*\(/g;
/** It is returned, kept, or given to what keeps it. */
const GOES =
  /(?:\breturn\s+|[=:>]\s*|\b(?:set|put|add|push|offer|bind|attach|register)\w*\s*\(\s*(?:[\w.]+\s*,\s*)?)(\w+)\s*[;,)}\n]/g;

const connects = (type: Typed | null): boolean => type !== null && givesConnections(type.name);

/** The only connection that is among these, or that one of them speaks to. */
export function onlyOf(types: readonly (Typed | null)[]): string | undefined {
  let found: string | undefined;
  for (const type of types) {
    if (type?.on === undefined || type.on === found) continue;
    if (found !== undefined) return undefined;
    found = type.on;
  }
  return found;
}

/** What was made for a call is on this connection. */
export function place(steps: readonly Step[], on: string | undefined): void {
  if (on === undefined) return;
  for (const step of steps) {
    if (step.kind === 'loop' || step.kind === 'block') place(step.body, on);
    else if (step.kind === 'branch') for (const arm of step.arms) place(arm, on);
    else if (step.kind === 'call' && !step.callee.startsWith('sql:') && step.runs === undefined) continue;
    else if (step.kind !== 'exit' && step.kind !== 'attempt') step.on ??= on;
  }
}

/**
 * Most routines know one connection, and its name says nothing. Of several that one is the routine's own which its caller
 * hands over alone, or which the only field is; the others go by their names.
 */
export function settleConnections(steps: Step[], own: { parameters: string[]; fields: string[] }): void {
  const names = new Set(own.parameters);
  each(steps, ({ on }) => on !== undefined && names.add(on));
  if (names.size === 0) return;
  const several = own.fields.length > 1 && own.fields.some((name) => names.has(name));
  const [parameter, ...parameters] = own.parameters;
  const field = own.fields.length === 1 ? own.fields[0] : undefined;
  const main =
    parameter !== undefined
      ? parameters.length === 0 ? parameter : undefined
      : names.size === 1 && !several ? [...names][0] : field; // biome-ignore format: a choice of three
  each(steps, (step) => {
    if (step.on === main) delete step.on;
  });
}

function each(steps: Step[], visit: (step: Step) => unknown): void {
  const lists = [steps];
  for (let list = lists.pop(); list; list = lists.pop())
    for (const step of list) {
      visit(step);
      for (const inner of inside(step)) lists.push(inner);
    }
}

/**
 * Where autocommit is off the next statement begins another transaction behind a COMMIT or a ROLLBACK. Whether the routine
 * goes on with that, the next one tells that ends a transaction on the same connection.
 */
export function goesOn(steps: Step[]): void {
  const followed = new Set<Step>();
  lookBack(steps, createEnding(), followed);
  if (followed.size > 0) chain(steps, followed, new Set());
}

/** What ends a transaction that has begun is chained where another one follows. */
function chain(steps: Step[], followed: Set<Step>, begun: Set<string | undefined>): void {
  for (const step of steps) {
    if (step.kind === 'begin') begun.add(step.on);
    else if (step.kind === 'commit' || step.kind === 'rollback') {
      if (followed.has(step) && begun.has(step.on)) step.chain = true;
    } else if (step.kind === 'attempt') {
      chain(step.body, followed, begun);
      if (step.finally) chain(step.finally, followed, begun);
    } else if (step.kind === 'branch') for (const arm of step.arms) chain(arm, followed, begun);
    else chain(innerOf(step) ?? [], followed, begun);
  }
}

/** What is in these goes on as what is around them: a transaction of its own does not. */
const innerOf = (step: Step): Step[] | null =>
  step.kind === 'loop' || step.kind === 'block' || (step.kind === 'scope' && step.opens === 'connection')
    ? step.body
    : null;

/** Which connections' transactions end in what was looked at. */
interface Ending {
  has(on: string | undefined): boolean;
  add(on: string | undefined): void;
  /** What `look` adds, which is gone again after. */
  within(look: () => void): (string | undefined)[];
}

function createEnding(): Ending {
  const all = new Set<string | undefined>();
  const added: (string | undefined)[] = [];
  return {
    has: (on) => all.has(on),
    add(on) {
      if (all.has(on)) return;
      all.add(on);
      added.push(on);
    },
    within(look) {
      const before = added.length;
      look();
      const its = added.splice(before);
      for (const on of its) all.delete(on);
      return its;
    },
  };
}

/** From the end on: what ends a transaction in front of what is looked at already. What a handler ends is another way. */
function lookBack(steps: Step[], ending: Ending, followed: Set<Step> | null): void {
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i]!;
    if (step.kind === 'commit' || step.kind === 'rollback') {
      if (ending.has(step.on)) followed?.add(step);
      ending.add(step.on);
    } else if (step.kind === 'attempt') {
      const last = step.finally;
      if (last) ending.within(() => lookBack(last, ending, followed));
      lookBack(step.body, ending, followed);
    } else if (step.kind === 'scope' || step.kind === 'loop' || step.kind === 'block')
      lookBack(step.body, ending, innerOf(step) && followed);
    else if (step.kind === 'branch') {
      const arms = step.arms.map((arm) => ending.within(() => lookBack(arm, ending, followed)));
      const [first = [], ...others] = step.exhaustive ? arms : [];
      for (const on of first) if (others.every((arm) => arm.includes(on))) ending.add(on);
    }
  }
}

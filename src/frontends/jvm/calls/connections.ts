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
export const isHeld = ({ name, end }: Local, sight: Sight, { text }: World): boolean =>
  !namesIn(text.slice(end, sight.end), GOES).has(name);

/** `Connection own = null;` which a pool gives later. */
export function isSetLater(
  node: Local,
  sight: Sight,
  world: World,
  typeOf: (name: string) => Typed | null,
): boolean {
  if (node.value && !(node.value.kind === 'literal' && node.value.text === 'null')) return false;
  const rest = world.text.slice(node.end, sight.end);
  for (const [, name, object] of rest.matchAll(SETS))
    if (name === node.name && connects(typeOf(object!))) return isHeld(node, sight, world);
  return false;
}

const SETS = /(?<![\w.])(\w+)\s*=\s*(?:this\s*\.\s*)?(\w+)\s*\.\s*getConnection\s*\(/g;
/** It is returned, kept, or given to what keeps it. */
const GOES =
  /(?:\breturn\s+|[=:>]\s*|\b(?:set|put|add|push|offer|bind|attach|register)\w*\s*\(\s*(?:[\w.]+\s*,\s*)?)(\w+)\s*[;,)}\n]/g;

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set([...text.matchAll(pattern)].map(([, name]) => name!));
}

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
  const begun = new Set<string | undefined>();
  each(steps, (step) => step.kind === 'begin' && begun.add(step.on));
  for (const on of begun) chained(steps, on, false, { begun: false });
}

/** `ends`: something behind this list ends one. */
function chained(steps: Step[], on: string | undefined, ends: boolean, known: { begun: boolean }): void {
  const later = new Array<boolean>(steps.length);
  let isEnded = ends;
  for (let i = steps.length - 1; i >= 0; i--) {
    later[i] = isEnded;
    isEnded ||= endsOne(steps[i]!, on);
  }
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'begin' && step.on === on) known.begun = true;
    else if ((step.kind === 'commit' || step.kind === 'rollback') && step.on === on) {
      if (known.begun && later[i]) step.chain = true;
    } else if (step.kind === 'attempt') {
      chained(step.body, on, later[i]!, known);
      if (step.finally) chained(step.finally, on, later[i]!, known);
    } else if (step.kind === 'scope' && step.opens !== 'connection') continue;
    else if (step.kind === 'scope' || step.kind === 'loop' || step.kind === 'block')
      chained(step.body, on, later[i]!, known);
    else if (step.kind === 'branch') for (const arm of step.arms) chained(arm, on, later[i]!, known);
  }
}

/** What a handler ends is another way. */
function endsOne(step: Step, on: string | undefined): boolean {
  if (step.kind === 'commit' || step.kind === 'rollback') return step.on === on;
  if (step.kind === 'attempt') return step.body.some((one) => endsOne(one, on));
  if (step.kind === 'loop' || step.kind === 'block' || step.kind === 'scope')
    return step.body.some((one) => endsOne(one, on));
  return (
    step.kind === 'branch' && step.exhaustive && step.arms.every((arm) => arm.some((one) => endsOne(one, on)))
  );
}

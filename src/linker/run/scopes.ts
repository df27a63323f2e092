// Scopes and attempts: what opens around their steps, and what an error leaves. Not what the steps do.
import { type Attempt, type Handler, inside, type Savepoint, type Scope, type Step } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { kept } from '../kept.ts';
import { leavesAtOnce } from '../settled/leaves.ts';
import { catchesAll, type Env, fail, later, type Out, returning, together } from './run.ts';
import {
  begun, contextOf, get, idle, isRepeated, join, leftLoop, lessSure, type Open, outOfLoops, pushed, repeatedAs, type State, set, unrepeated, withoutLone,
} from './state.ts'; // biome-ignore format: one list
import { beginsAt, push } from './trail.ts';

/** What runs the steps inside. */
export interface Machine {
  run(steps: Step[], states: State[], env: Env): Out;
  /** Whether these steps may change what is open for what follows. */
  isFlat(steps: Step[], env: Env): boolean;
  inStatement(state: State, on: string | undefined, step: Step, env: Env): State[];
  siteOf(origin: Scope | Savepoint, linked: Linked): number;
  /** Whether these versions are in use there. */
  holds(versions: Pick<Step, 'since'>, file: string): boolean;
}

export function scope(machine: Machine, step: Scope, state: State, env: Env): Out {
  const on = step.on;
  const outs: Out[] = [];
  const unsure = step.onMiss || step.certainty !== undefined;
  // One that succeeds only by leaving the loop counts once, however often it is tried.
  const how = leavesAtOnce(step.body);
  const missed = step.same === 'always' ? unrepeated(state) : step.same ? outOfLoops(state, env.home) : state;
  const tried = how && how !== 'raise' ? leftLoop(missed, how, env.outer) : missed;
  if (joins(step, tried)) return joined(machine, step, tried, env);
  for (const { kind, inner } of entered(machine, step, tried, env)) {
    const before = get(state, on);
    const leftOpen = () => ({
      site: kind === 'subtransaction' ? machine.siteOf(step, env.linked) : -1,
      name: step.name ?? null,
      under: contextOf(get(tried, on)),
      flat: true,
      failed: true as const,
      ...(step.lazy && isOneStatement(step.body) && { lone: true as const }),
      ...(isUndone(body) && { undone: true as const }),
    });
    const close = (after: State, failed: boolean): State => {
      // What was open goes on, on its own connection.
      if (kind === 'connection' || (kind === 'transaction' && step.whenNested === 'separate'))
        return set(after, on, before);
      if (kind === 'nothing') return after;
      const stays =
        kind === 'subtransaction' &&
        (step.releases === 'never' || (step.releases === 'on success' && failed));
      return set(
        after,
        on,
        stays ? pushed(before, leftOpen()) : { ...before, fresh: before.fresh || get(after, on).fresh },
      );
    };
    const failing: State[] = [];
    const caught = env.caught || (step.handlers?.length ?? 0) > 0;
    const trail = kind === 'transaction' && !step.implied ? beginsAt(step, env) : env.trail;
    const first = kind === 'nothing' ? env.first : kind === 'connection' ? null : step;
    const body = machine.run(step.body, [inner], { ...env, trail, failing, caught, first });
    if (kind === 'transaction')
      for (const after of returning(body))
        env.see?.ended(
          // Of another one a handle may have gone to somebody who releases it.
          get(after, on).open.filter(({ alone, flat, emptied }) => alone || (flat && emptied)),
          'left open',
          null,
        );
    if (kind === 'subtransaction')
      for (const after of returning(body)) endsInside(get(after, on).open, get(inner, on).open, env);
    const failed = join((failing.length > 0 ? failing : [inner]).map((after) => close(after, true)));
    // Whether it was opened says nothing of what comes behind it.
    const { certainty } = state;
    const sure = unsure && kind !== 'nothing';
    outs.push({
      normal: body.normal.map((after) => ({ ...close(after, false), ...(sure && { certainty }) })),
      exits: body.exits
        .filter(({ step: exit }) => exit.how !== 'raise' || exit.past || !step.handlers?.length)
        .map((exit) => ({ ...exit, state: close(exit.state, exit.step.how === 'raise') })),
    });
    for (const handler of handlersOf(step, env)) {
      if (isUnexpected(step, handler) && failed.some(isRepeated))
        for (const state of failed)
          outs.push(seldom(machine, handler.body, state, unrepeated(state), later(env)));
      else outs.push(machine.run(handler.body, failed, later(env)));
    }
    if (!step.handlers?.some(catchesAll)) for (const after of failed) fail(after, env);
  }
  return together(outs);
}

/** What is open when a subtransaction around it ends goes with that. */
function endsInside(open: readonly Open[], inner: readonly Open[], env: Env): void {
  const at = inner.length - 1;
  if (open[at]?.site !== inner[at]!.site) return; // somebody has ended what is around by hand
  const inside = open.slice(at + 1).filter(({ flat }) => flat);
  if (inside.length > 0) env.see?.ended(inside, 'inside', null);
}

/** An error ends it, on every way. */
const isUndone = ({ normal, exits }: Out): boolean =>
  normal.length === 0 && exits.every(({ step }) => step.how === 'raise');

/** It surely finds a transaction that it may join, and handles nothing itself: most of what an ORM writes alone. */
function joins(step: Scope, state: State): boolean {
  if (step.whenNested !== 'join' || step.opens !== 'transaction' || step.handlers !== undefined) return false;
  const connection = get(state, step.on);
  return connection.tx === 'yes' && (connection.joinable || step.implied === true || step.joinsAny === true);
}

/** Its steps run as if they stood there alone. */
function joined(machine: Machine, step: Scope, state: State, env: Env): Out {
  const inner = lessSure(state, step.certainty);
  if (!env.failing) return machine.run(step.body, [inner], env);
  const failing: State[] = [];
  const out = machine.run(step.body, [inner], { ...env, failing });
  for (const after of failing.length > 1 ? join(failing) : failing) fail(after, env);
  if (failing.length === 0) fail(inner, env);
  return out;
}

/** Of what repeats these steps nobody knows how often it comes to them: `alone` is sure, each time is possible. */
export function seldom(machine: Machine, steps: Step[], state: State, alone: State, env: Env): Out {
  const { normal, exits } = machine.run(steps, [alone, lessSure(state, 'possible')], env);
  const back = (after: State): State => ({ ...repeatedAs(after, state), certainty: state.certainty });
  return {
    normal: join(normal.map(back)),
    exits: exits.map((exit) => ({ ...exit, state: back(exit.state) })),
  };
}

/**
 * A handler runs only where something failed: nobody knows how often, unless the block raises it itself, the handler tries
 * another way, or a row that is there, or is not, is what it asks for.
 */
export const isUnexpected = ({ body }: Scope, handler: Handler): boolean =>
  !asksForRow(handler) && !raises(body) && !tries(handler.body);

const asksForRow = ({ catches }: Handler) => catches.some((name) => OF_ROWS.has(name.toLowerCase()));

const OF_ROWS = new Set([
  'unique_violation', '23505', 'exclusion_violation', '23p01', 'no_data_found', 'p0002', '02000', 'too_many_rows', 'p0003',
]); // biome-ignore format: one list

/** Those that may run. */
const handlersOf = ({ body, handlers }: Scope | Attempt, { smooth }: Env): readonly Handler[] =>
  handlers === undefined || (smooth && !raises(body)) ? [] : handlers;

const MOST_NESTED = 50;

/** One write at most, whichever way is taken. */
const isOneStatement = kept((body: readonly Step[]) => statements(body) <= 1);

function statements(body: readonly Step[], depth = 0): number {
  const each = body.map((step) => {
    if (step.kind === 'write') return 1;
    if (depth === MOST_NESTED || !/^(scope|branch|call)$/.test(step.kind)) return 2;
    const ways = inside(step).map((list) => statements(list, depth + 1));
    return ways.length > 0 ? Math.max(...ways) : 1;
  });
  return each.reduce((sum, one) => sum + one, 0);
}

const raises = kept((body: readonly Step[]) =>
  some(body, (step) => step.kind === 'exit' && step.how === 'raise' && !step.past),
);
const tries = kept((body: readonly Step[]) => some(body, ({ kind }) => kind === 'scope'));

export function some(steps: readonly Step[], is: (step: Step) => boolean, depth = 0): boolean {
  return steps.some(
    (step) => is(step) || (depth < MOST_NESTED && inside(step).some((list) => some(list, is, depth + 1))),
  );
}

interface Entered {
  kind: 'transaction' | 'subtransaction' | 'connection' | 'nothing';
  inner: State;
}

function entered(machine: Machine, step: Scope, state: State, env: Env): Entered[] {
  const connection = get(state, step.on);
  const sure = lessSure(state, step.certainty);
  if (step.opens === 'subtransaction') return [opened(machine, step, sure, env)];
  if (step.opens === 'connection')
    return step.whenNested === 'join'
      ? [{ kind: 'nothing', inner: sure }]
      : [{ kind: 'connection', inner: set(sure, step.on, { ...idle('no'), fresh: true }) }];
  const nested = (inner: State): Entered[] => {
    switch (step.whenNested) {
      case 'savepoint':
        return [
          restarts(machine, step, env) && connection.joinable
            ? { kind: 'nothing', inner }
            : opened(machine, step, inner, env),
        ];
      case 'join':
        return [
          connection.joinable || step.implied || step.joinsAny
            ? { kind: 'nothing', inner }
            : opened(machine, step, inner, env),
        ];
      case 'separate':
        return fresh;
      case 'refuse':
        return [];
    }
  };
  const fresh: Entered[] = [
    {
      kind: 'transaction',
      inner: set(sure, step.on, { ...begun(), joinable: step.joinable ?? true }),
    },
  ];
  if (connection.tx === 'yes') {
    if (step.whenNested === 'separate') env.see?.transaction(step, state, env);
    return nested(sure);
  }
  const within = () => nested(lessSure(set(sure, step.on, { ...connection, tx: 'yes' }), 'possible'));
  if (step.beginsNone) return [{ kind: 'nothing', inner: sure }, ...(connection.tx === 'no' ? [] : within())];
  env.see?.transaction(step, state, env);
  if (connection.tx === 'no' || step.whenNested === 'refuse' || step.whenNested === 'separate') return fresh;
  if (step.implied && connection.repeatedBy === null) return fresh;
  // Nobody knows whether one is open: both ways, the second not sure.
  return [...fresh, ...within()];
}

/** It takes the place of the scope around, in which it is the first that runs. */
const restarts = (machine: Machine, step: Scope, { first, linked }: Env): boolean =>
  first !== null &&
  first.on === step.on &&
  step.restarts !== undefined &&
  machine.holds({ since: step.restarts }, linked.file);

function opened(machine: Machine, step: Scope, state: State, env: Env): Entered {
  const sure = step.onMiss || step.lazy ? lessSure(state, 'likely') : state;
  env.see?.subtransaction(step, sure, env);
  const open = { site: machine.siteOf(step, env.linked), name: step.name ?? null, flat: false };
  const inside = pushed(get(sure, step.on), open);
  const joinable = step.joinable ?? true;
  const asked = inside.joinable === joinable ? inside : { ...inside, joinable };
  return { kind: 'subtransaction', inner: set(sure, step.on, asked) };
}

export function attempt(machine: Machine, step: Attempt, states: State[], env: Env): Out {
  const failing: State[] = [];
  const caught = env.caught || step.handlers.length > 0;
  const body = machine.run(step.body, states, { ...env, failing, caught });
  const raised = body.exits.filter(({ step: exit }) => exit.how === 'raise').map((exit) => exit.state);
  const entry = join(failing, raised, failing.length + raised.length === 0 ? states : []);
  const outs: Out[] = [
    {
      normal: body.normal,
      exits:
        step.handlers.length > 0 ? body.exits.filter(({ step: exit }) => exit.how !== 'raise') : body.exits,
    },
  ];
  for (const handler of handlersOf(step, env)) {
    const from = handler.early ? join(entry.map(withoutLone)) : entry;
    const out = machine.run(handler.body, from, later(env));
    leaks(handler, out.normal, body.normal, states, env);
    outs.push(out);
  }
  const thrown = step.handlers.some(catchesAll) ? [] : entry;
  const before = together(outs);
  if (!step.finally) {
    for (const state of thrown) fail(state, env);
    return before;
  }
  // Where every way leaves the body, it runs on the way out.
  const out = before.normal.length > 0 ? before.normal : join(before.exits.map(({ state }) => state));
  const after = machine.run(step.finally, out, later(env));
  const quiet = { ...later(env), see: null };
  // Who handles the error farther out does so after it.
  for (const state of machine.run(step.finally, thrown, quiet).normal) fail(state, env);
  const exits = before.exits.flatMap(({ step: exit, state }) =>
    machine.run(step.finally!, [state], quiet).normal.map((end) => ({ step: exit, state: end })),
  );
  return { normal: before.normal.length > 0 ? after.normal : [], exits: [...exits, ...after.exits] };
}

/** What the body opened and released, and this handler leaves open, more of it than before: where nobody knows of a transaction around, that is none. */
function leaks(handler: Handler, after: State[], success: State[], before: State[], env: Env): void {
  if (!env.see) return;
  const sure = after.filter(({ certainty }) => certainty !== 'possible');
  const [left, released, known] = [sure, success, before].map(openAt);
  const stays = (site: number) =>
    [0, 1].some((i) => left!(site)[i]! > Math.max(released!(site)[i]!, known!(site)[i]!));
  for (const state of sure) {
    const open = state.main.open.filter((o) => o.flat && stays(o.site));
    const says = () => 'an error is handled, and the savepoint stays open';
    if (open.length > 0)
      env.see.ended(
        open,
        open.some((o) => o.emptied) ? 'rolled back' : 'left open',
        push(env, handler.at, says),
        isRepeated(state),
      );
  }
}

/** How many of a place are open, on the way with the fewest and on the one with the most. */
function openAt(states: State[]): (site: number) => [number, number] {
  return (site) => {
    const counts = states.map(({ main }) =>
      main.open.reduce((sum, o) => sum + (o.site === site ? (o.many ? 2 : 1) : 0), 0),
    );
    return counts.length > 0 ? [Math.min(...counts), Math.max(...counts)] : [0, 0];
  };
}

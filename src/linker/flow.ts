// Runs a body over states: what is open before each step and after it, on every way through. It tells a listener, and keeps nothing.
import type { Attempt, Call, Exit, Handler, Loop, Read, Savepoint, Scope, Span, Step, Write } from '../ir.ts';
import type { Summaries } from './effects.ts';
import type { Graph } from './graph.ts';
import type { Linked } from './program.ts';
import {
  begun, type Connection, ended, get, join, key, lessSure, type Open, pushed, released, repeated, rolledBack, type State, set,
} from './state.ts'; // biome-ignore format: one list
import { saysCall, saysLoop, saysTrigger, saysWrite } from './words.ts';

/** A trace under construction, innermost first. */
export interface Trail {
  file: string;
  at: Span;
  says: string;
  repeats?: boolean;
  up: Trail | null;
  length: number;
}

/** A block handed to a callee: its steps, and where it was written. */
export interface Closure {
  steps: Step[];
  env: Env;
  id: string;
}

export interface Env {
  linked: Linked;
  trail: Trail | null;
  block: Closure | null;
  /** Null when only the states that come out matter. */
  see: Listener | null;
  /** Where the states are put at which something may fail; null when nobody catches. */
  failing: State[] | null;
}

export interface Listener {
  subtransaction(origin: Scope | Savepoint, state: State, env: Env): void;
  transaction(at: Step, state: State, env: Env, to: Linked | null): void;
  enter(to: Linked, state: State, env: Env, trail: Trail | null, block: Closure | null): void;
  /** Something writes while these are open. */
  wrote(open: readonly Open[], how: 'yes' | 'unknown'): void;
  ended(gone: readonly Open[], how: 'released' | 'rolled back' | 'left open', leak: Trail | null): void;
  terminated(step: Step, state: State, connection: Connection, env: Env): void;
}

export interface Out {
  normal: State[];
  exits: { step: Exit; state: State }[];
}

const NO_EXITS: Out['exits'] = [];
const MOST_INLINED = 40;
const MOST_LOOPS = 4;

export interface Flow {
  run(steps: Step[], states: State[], env: Env): Out;
  siteOf(origin: Scope | Savepoint, linked: Linked): number;
  /** It may change what is open for its caller. */
  isFlat(linked: Linked): boolean;
}

export function createFlow(
  graph: Graph,
  summaries: Summaries,
  flat: (linked: Linked) => boolean,
  siteOf: (origin: Scope | Savepoint, linked: Linked) => number,
): Flow {
  const flatLists = new Map<Step[], boolean>();
  const exitsOf = new Map<string, State[]>();
  let inlined = 0;
  let loops = 0;

  function run(steps: Step[], states: State[], env: Env): Out {
    let now = states;
    let exits = NO_EXITS;
    for (const step of steps) {
      if (now.length === 0) break;
      const out = all(step, now, env);
      now = out.normal;
      if (out.exits.length > 0) exits = [...exits, ...out.exits];
    }
    return { normal: now, exits };
  }

  function all(step: Step, states: State[], env: Env): Out {
    if (!graph.holds(step, env.linked.file))
      return step.kind === 'scope' ? run(step.body, states, env) : { normal: states, exits: NO_EXITS };
    if (graph.tooDeep.has(step)) return { normal: states, exits: NO_EXITS };
    if (step.kind === 'loop') return loop(step, states, env);
    if (step.kind === 'attempt') return attempt(step, states, env);
    if (states.length === 1) return one(step, states[0]!, env);
    const outs = states.map((state) => one(step, state, env));
    return together(outs);
  }

  function one(step: Step, state: State, env: Env): Out {
    switch (step.kind) {
      case 'begin':
      case 'commit':
      case 'rollback':
      case 'savepoint':
      case 'release':
      case 'rollback to':
        return go(control(step, state, env));
      case 'write':
      case 'read':
        fail(state, env);
        statement(step, state, env);
        return go(state);
      case 'row lock':
        fail(state, env);
        env.see?.wrote(get(state, step.on).open, 'yes');
        return go(state);
      case 'opaque':
        fail(state, env);
        env.see?.wrote(get(state, step.on).open, 'unknown');
        return go(state);
      case 'wait':
      case 'cast':
        fail(state, env);
        return go(state);
      case 'call':
        return call(step, state, env);
      case 'yield':
        return env.block ? runBlock(env.block, state, env) : go(state);
      case 'scope':
        return scope(step, state, env);
      case 'branch': {
        const outs = step.arms.map((arm) => run(arm, [state], env));
        if (!step.exhaustive || outs.length === 0) outs.push(go(state));
        return together(outs);
      }
      case 'block':
        return caught(
          run(step.body, [state], env),
          (exit) => exit.how === 'break' && exit.label !== undefined && exit.label === step.label,
        );
      case 'exit':
        if (step.how === 'raise') fail(state, env);
        return { normal: [], exits: [{ step, state }] };
      default:
        return go(state);
    }
  }

  // ---- flat control

  function control(step: Step, state: State, env: Env): State {
    const connection = get(state, step.on);
    switch (step.kind) {
      case 'begin':
        if (connection.tx !== 'yes') env.see?.transaction(step, state, env, null);
        return set(state, step.on, begun(connection));
      case 'commit':
      case 'rollback': {
        if (state.server && connection.open.length > 0) env.see?.terminated(step, state, connection, env);
        env.see?.ended(
          connection.open.filter((o) => o.flat),
          step.kind === 'commit' ? 'left open' : 'rolled back',
          null,
        );
        return set(state, step.on, ended(connection, step.chain === true || state.server));
      }
      case 'savepoint': {
        env.see?.subtransaction(step, state, env);
        const site = siteOf(step, env.linked);
        return set(state, step.on, pushed(connection, { site, name: step.name, flat: true }));
      }
      case 'release': {
        const { now, gone } = released(connection, step.name);
        env.see?.ended(gone, 'released', null);
        return set(state, step.on, now);
      }
      case 'rollback to': {
        const { now, gone } = rolledBack(connection, step.name);
        env.see?.ended(gone.slice(1), 'rolled back', null);
        return set(state, step.on, now);
      }
      default:
        return state;
    }
  }

  // ---- statements

  /**
   * The states in which one statement runs: without a transaction it is one by itself. Where that is unknown, what
   * repeats it counts only if a transaction was open.
   */
  function inStatement(state: State, on: string | undefined, step: Step, env: Env): State[] {
    const connection = get(state, on);
    if (connection.tx === 'yes') return [state];
    const alone = set(state, on, begun({ ...connection, tx: 'no' }));
    env.see?.transaction(step, state, env, null);
    if (connection.tx === 'no' || connection.repeatedBy === null) return [alone];
    return [alone, lessSure(set(state, on, { ...connection, tx: 'yes' }), 'possible')];
  }

  function statement(step: Read | Write, state: State, env: Env): void {
    if (!env.see) return;
    if (step.kind === 'write' && step.rows !== 'none') env.see.wrote(get(state, step.on).open, 'yes');
    const fired = graph.fires(step);
    if (fired.length === 0) return;
    const relation = graph.relation(step) ?? 'its table';
    const trail = push(env, step.at, saysWrite(step, env.linked, relation));
    for (const during of inStatement(state, step.on, step, env))
      for (const { to, trigger, certainty } of fired) {
        const perRow = trigger.each === 'row' && step.rows !== 'one';
        let inner = lessSure(lessSure(during, certainty), step.certainty);
        if (perRow) {
          const by =
            trigger.via === 'trigger' || trigger.via === 'model callback' ? 'row trigger' : 'query rows';
          inner = set(inner, step.on, repeated(get(inner, step.on), by, null));
          if (step.rows === 'unknown') inner = lessSure(inner, 'likely');
        }
        const says = saysTrigger(trigger, relation);
        enter(to, inner, step.on, env, pushOn(trail, to.file, trigger.at, says, perRow), null);
      }
  }

  function enter(
    to: Linked,
    state: State,
    on: string | undefined,
    env: Env,
    trail: Trail | null,
    block: Closure | null,
  ): void {
    const inner =
      to.server && !state.server
        ? { ...state, main: get(state, on), others: new Map(), server: true }
        : state;
    env.see?.enter(to, inner, env, trail, block);
  }

  // ---- calls

  function call(step: Call, state: State, env: Env): Out {
    fail(state, env);
    if (step.elsewhere) return go(state);
    const target = graph.target(step);
    const block = step.block ? { steps: step.block, env, id: `${env.linked.index}@${step.at.start}` } : null;
    if (target.routines.length === 0) {
      if (!target.meaning) {
        env.see?.wrote(get(state, step.on).open, 'unknown');
        return block ? runBlock(block, lessSure(state, 'likely'), env) : go(state);
      }
      return run(target.meaning, [lessSure(state, step.certainty)], { ...env, block: block ?? env.block });
    }
    const outs: Out[] = [];
    for (const { to, certainty } of target.routines) {
      const sure = lessSure(lessSure(state, certainty), step.certainty);
      const here = env.linked.trigger ? env.trail : push(env, step.at, saysCall(step, env.linked, to));
      const { writes, yields } = summaries.of(to);
      if (env.see && writes !== 'no') env.see.wrote(get(state, step.on).open, writes);
      for (const during of to.server && !state.server ? inStatement(sure, step.on, step, env) : [sure])
        enter(to, during, step.on, env, here, block);
      if (flat(to) && to.server === state.server) outs.push(...exits(to, sure, block).map(go));
      else if (block && yields === 0) outs.push(runBlock(block, lessSure(sure, 'likely'), env));
      else if (block && isFlatList(block.steps)) outs.push(...exits(to, sure, block).map(go));
      else outs.push(go(state));
    }
    return together(outs);
  }

  /** The states after a routine that may change them; found by running it unseen. */
  function exits(to: Linked, state: State, block: Closure | null): State[] {
    const id = `${to.index} ${block?.id ?? ''} ${exactKey(state)}`;
    const known = exitsOf.get(id);
    if (known) return known;
    if (inlined >= MOST_INLINED) return [state];
    exitsOf.set(id, [state]); // what a recursion finds
    inlined++;
    const out = run(to.body, [state], { linked: to, trail: null, block, see: null, failing: null });
    inlined--;
    const returned = out.exits.filter(({ step }) => step.how === 'return').map((exit) => exit.state);
    const after = join(out.normal, returned);
    exitsOf.set(id, after);
    return after;
  }

  /** `next` and `return` of a block go back to who called it. */
  function runBlock(block: Closure, state: State, env: Env): Out {
    const inner: Env = { ...block.env, trail: env.trail, see: env.see, failing: env.failing };
    const out = run(block.steps, [state], inner);
    return caught(out, (exit) => exit.how !== 'raise');
  }

  // ---- structure

  function scope(step: Scope, state: State, env: Env): Out {
    const on = step.on;
    const outs: Out[] = [];
    for (const { kind, inner } of entered(step, state, env)) {
      const before = get(state, on);
      const leftOpen = {
        site: kind === 'subtransaction' ? siteOf(step, env.linked) : -1,
        name: step.name ?? null,
        flat: true,
      };
      const close = (after: State, failed: boolean): State => {
        if (kind === 'nothing') return after;
        const stays =
          kind === 'subtransaction' &&
          (step.releases === 'never' || (step.releases === 'on success' && failed));
        return set(
          after,
          on,
          stays ? pushed(before, leftOpen) : { ...before, fresh: before.fresh || get(after, on).fresh },
        );
      };
      const failing: State[] = [];
      const body = run(step.body, [inner], { ...env, failing });
      const failed = join((failing.length > 0 ? failing : [inner]).map((after) => close(after, true)));
      outs.push({
        normal: body.normal.map((after) => close(after, false)),
        exits: body.exits
          .filter(({ step: exit }) => exit.how !== 'raise' || !step.handlers?.length)
          .map((exit) => ({ ...exit, state: close(exit.state, exit.step.how === 'raise') })),
      });
      for (const handler of step.handlers ?? []) outs.push(run(handler.body, failed, env));
      if (!step.handlers?.some(catchesAll)) for (const after of failed) fail(after, env);
    }
    return together(outs);
  }

  interface Entered {
    kind: 'transaction' | 'subtransaction' | 'nothing';
    inner: State;
  }

  function entered(step: Scope, state: State, env: Env): Entered[] {
    const connection = get(state, step.on);
    const sure = lessSure(state, step.certainty);
    if (step.opens === 'subtransaction') return [opened(step, sure, env)];
    const nested = (inner: State): Entered[] => {
      switch (step.whenNested) {
        case 'savepoint':
          return [opened(step, inner, env)];
        case 'join':
          return [connection.joinable ? { kind: 'nothing', inner } : opened(step, inner, env)];
        case 'separate':
          return fresh;
        case 'refuse':
          return [];
      }
    };
    const fresh: Entered[] = [
      {
        kind: 'transaction',
        inner: set(sure, step.on, { ...begun({ ...connection, tx: 'no' }), joinable: step.joinable ?? true }),
      },
    ];
    if (connection.tx === 'yes') {
      if (step.whenNested === 'separate') env.see?.transaction(step, state, env, null);
      return nested(sure);
    }
    env.see?.transaction(step, state, env, null);
    if (connection.tx === 'no' || step.whenNested === 'refuse' || step.whenNested === 'separate')
      return fresh;
    // Nobody knows whether one is open: both ways, the second not sure.
    return [...fresh, ...nested(lessSure(set(sure, step.on, { ...connection, tx: 'yes' }), 'possible'))];
  }

  function opened(step: Scope, state: State, env: Env): Entered {
    const sure = step.onMiss || step.lazy ? lessSure(state, 'likely') : state;
    env.see?.subtransaction(step, sure, env);
    const open = { site: siteOf(step, env.linked), name: step.name ?? null, flat: false };
    const inside = { ...pushed(get(sure, step.on), open), joinable: step.joinable ?? true };
    return { kind: 'subtransaction', inner: set(sure, step.on, inside) };
  }

  function attempt(step: Attempt, states: State[], env: Env): Out {
    const failing: State[] = [];
    const body = run(step.body, states, { ...env, failing });
    const raised = body.exits.filter(({ step: exit }) => exit.how === 'raise').map((exit) => exit.state);
    const entry = join(failing, raised, failing.length + raised.length === 0 ? states : []);
    const outs: Out[] = [
      {
        normal: body.normal,
        exits:
          step.handlers.length > 0 ? body.exits.filter(({ step: exit }) => exit.how !== 'raise') : body.exits,
      },
    ];
    for (const handler of step.handlers) {
      const out = run(handler.body, entry, env);
      leaks(handler, out.normal, body.normal, states, env);
      outs.push(out);
    }
    if (!step.handlers.some(catchesAll)) for (const state of entry) fail(state, env);
    const before = together(outs);
    if (!step.finally) return before;
    const after = run(step.finally, before.normal, env);
    const quiet = { ...env, see: null };
    const exits = before.exits.flatMap(({ step: exit, state }) =>
      run(step.finally!, [state], quiet).normal.map((end) => ({ step: exit, state: end })),
    );
    return { normal: after.normal, exits: [...exits, ...after.exits] };
  }

  /** What the body opened and released, and this handler leaves open. */
  function leaks(handler: Handler, after: State[], success: State[], before: State[], env: Env): void {
    if (!env.see || success.length === 0) return;
    const sites = (states: State[]) => new Set(states.flatMap(({ main }) => main.open.map((o) => o.site)));
    const [closed, known] = [sites(success), sites(before)];
    for (const state of after) {
      const open = state.main.open.filter((o) => o.flat && !closed.has(o.site) && !known.has(o.site));
      const says = 'an error is handled, and the savepoint stays open';
      if (open.length > 0)
        env.see.ended(
          open,
          open.some((o) => o.emptied) ? 'rolled back' : 'left open',
          push(env, handler.at, says),
        );
    }
  }

  // ---- loops

  function loop(step: Loop, states: State[], env: Env): Out {
    const { on } = step;
    const mine = (exit: Exit) => exit.label === undefined || exit.label === step.label;
    const inner: Env = {
      ...env,
      trail: push(env, step.at, saysLoop(step, env.linked), step.over !== 'retry' && step.times !== 1),
    };
    if (step.times === 0) return { normal: states, exits: NO_EXITS };
    const by = step.over === 'query' ? 'query rows' : 'loop';
    const again = (state: State) =>
      step.over === 'retry' ? state : set(state, on, repeated(get(state, on), by, step.times));
    const heads =
      step.over === 'query' && !env.linked.server
        ? states.flatMap((state) => inStatement(state, on, step, env))
        : states;
    if (!isFlatList(step.body)) {
      const out = run(step.body, heads.map(again), inner);
      return { normal: states, exits: out.exits.filter(({ step: exit }) => !(isJump(exit) && mine(exit))) };
    }
    // Turns unseen tell whether the transaction lasts longer than a turn. Of loops deep inside loops one must do.
    const marked = heads.map((state) => set(state, on, { ...get(state, on), fresh: false }));
    const quiet: Env = { ...inner, see: null };
    let first: Out | null = null;
    let seen: State[] = [];
    loops++;
    for (let i = 0, turn = marked; i < (loops > MOST_LOOPS ? 1 : 2) && turn.length > 0; i++) {
      const out = run(step.body, turn, quiet);
      first ??= out;
      const continued = out.exits.filter(({ step: exit }) => exit.how === 'continue' && mine(exit));
      const next = join(
        out.normal,
        continued.map((exit) => exit.state),
      );
      seen = join(
        seen,
        next.map((state) => (get(state, on).fresh ? state : again(state))),
      );
      turn = seen;
    }
    // The first turn is shown only when no later one is worse.
    const lasting = seen.some((state) => !get(state, on).fresh);
    const entry = lasting && step.times !== 1 ? seen : join(marked, seen);
    const out = env.see || !first ? run(step.body, entry, inner) : first;
    loops--;
    const left = out.exits
      .filter(({ step: exit }) => exit.how === 'break' && mine(exit))
      .map((exit) => exit.state);
    const restored = (state: State) => {
      const before = get(states[0]!, on);
      const now = get(state, on);
      // Repetition ends with the loop, unless it is a transaction of one of its turns that goes on.
      return now.fresh
        ? set(state, on, { ...now, repeatedBy: null, times: 1 })
        : set(state, on, { ...now, repeatedBy: before.repeatedBy, times: before.times, fresh: before.fresh });
    };
    return {
      normal: join(states, [...out.normal, ...(first?.normal ?? []), ...seen, ...left].map(restored)),
      exits: out.exits.filter(({ step: exit }) => !(isJump(exit) && mine(exit))),
    };
  }

  // ---- what is flat

  function isFlatList(steps: Step[]): boolean {
    const known = flatLists.get(steps);
    if (known !== undefined) return known;
    flatLists.set(steps, false);
    const found = steps.some(
      (step) =>
        changesState(step) ||
        (step.kind === 'call' && graph.target(step).routines.some(({ to }) => flat(to))) ||
        graph.inside(step).some(isFlatList),
    );
    flatLists.set(steps, found);
    return found;
  }

  return { run, siteOf, isFlat: flat };
}

export function changesState(step: Step): boolean {
  switch (step.kind) {
    case 'begin':
    case 'commit':
    case 'rollback':
    case 'savepoint':
    case 'release':
    case 'rollback to':
      return true;
    case 'scope':
      return step.releases !== undefined && step.releases !== 'always';
    default:
      return false;
  }
}

const go = (state: State): Out => ({ normal: [state], exits: NO_EXITS });
const isJump = ({ how }: Exit) => how === 'break' || how === 'continue';
const catchesAll = ({ catches }: Handler) =>
  catches.some((name) => /^(others|Exception|BaseException|StandardError|Throwable)$/i.test(name));
const exactKey = (state: State) => key(state, true);

function together(outs: Out[]): Out {
  if (outs.length === 1) return outs[0]!;
  return { normal: join(...outs.map((out) => out.normal)), exits: outs.flatMap((out) => out.exits) };
}

/** Exits that end here go on normally. */
function caught(out: Out, here: (exit: Exit) => boolean): Out {
  if (out.exits.length === 0) return out;
  const [mine, rest]: [State[], Out['exits']] = [[], []];
  for (const exit of out.exits)
    if (here(exit.step)) mine.push(exit.state);
    else rest.push(exit);
  return { normal: join(out.normal, mine), exits: rest };
}

function fail(state: State, env: Env): void {
  if (env.failing && env.failing.at(-1) !== state && env.failing.length < 16) env.failing.push(state);
}

function push(env: Env, at: Span, says: string, repeats = false): Trail {
  return pushOn(env.trail, env.linked.file, at, says, repeats);
}

function pushOn(up: Trail | null, file: string, at: Span, says: string, repeats: boolean): Trail {
  return { file, at, says, repeats, up, length: (up?.length ?? 0) + 1 };
}

// Runs a body over states: what is open before each step and after it, on every way through. It tells a listener, and keeps nothing.
import type { Call, Read, Savepoint, Scope, Step, Write } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { type Fired, isPerRow, rowsOf } from '../graph/fired.ts';
import { isInstead } from '../graph/firing.ts';
import { changesState, type Graph } from '../graph/graph.ts';
import { sureOf } from '../names/names.ts';
import { leaves, turning } from '../settled/leaves.ts';
import { armsIn, guardsIn } from './alternatives.ts';
import { type Closures, waysOf } from './closures.ts';
import type { Summaries } from './effects.ts';
import { loop } from './loops.ts';
import {
  type Closure, caught, type Env, fail, go, type Listener, later, NO_EXITS, type Out, together, type Way,
} from './run.ts'; // biome-ignore format: one list
import { attempt, type Machine, scope, seldom } from './scopes.ts';
import {
  againIn, backIn, begun, closed, ended, entering, everySo, get, inLoop, isRepeated, join, key, leftLoop, lessSure, NO_OTHERS, openAs, pushed, released, repeated, repeatedAs, rolledBack, type State, set, stale, unrepeated,
} from './state.ts'; // biome-ignore format: one list
import { isKept } from './summary.ts';
import { beginsAt, NOWHERE, type Trail } from './trail.ts';
import { handedOn } from './ways.ts';

const MOST_INLINED = 40;
/**
 * In a program whose every part begins and commits, each routine would be run for every state of each caller. Beyond
 * this number a callee is taken to leave things as they were, as one is whose name means nothing to us.
 */
export const MOST_UNSEEN = 2_000;
/** A body with more steps than this counts as several: of a thousand calls of each other, each run makes a thousand. */
const MOST_LONG = 100;
/** Wrappers that each run their block twice, in the block of the next, run it as often as there are leaves of a tree. */
const MOST_BLOCKS = 2_000;
const MOST_BLOCKS_DEEP = 100;

/** Whether the nearest loop is more than one call away, or one of what an object calls on itself. */
function away(trail: Trail | null): boolean {
  return !isFresh(trail) && trail?.repeats === false && (trail.own || trail.up?.repeats === false);
}

/** Whether the object is made anew each time: nothing but calls of its own class lead from there to here. */
function isFresh(trail: Trail | null): boolean {
  let one = trail;
  for (; one?.into && !one.fresh; one = one.up)
    if (one.up?.into === undefined || classOf(one.into) !== classOf(one.up.into)) return false;
  return one?.fresh === true;
}

const classOf = ({ name }: Linked): string => name.slice(0, name.lastIndexOf('#'));

/** Nothing that follows is in doubt because it was. */
const asSureAs = ({ certainty }: State, { normal, exits }: Out): Out => ({
  normal: normal.map((after) => ({ ...after, certainty })),
  exits,
});

/** Of the ways through a block those alone that come to its end, or that jump out of it so; and its errors. */
const wayOf = ({ normal, exits }: Out, only: NonNullable<Closure['only']>): Out => ({
  normal: only === 'end' ? normal : [],
  exits: exits.filter(({ step }) => step.how === 'raise' || (step.out ? step.how === only : only === 'end')),
});

const USUAL: Pick<Step, 'on'> = {};

/** What was run unseen, and whether something was left out because of that: then it depends on what was run before. */
export interface Budget {
  runs: number;
  cut: boolean;
}

/** A state as if nothing repeated it, and what tells it from others. */
interface Alone {
  state: State;
  alone: State;
  known: string;
}

/** What a routine leaves that was entered so; the same state where it changes nothing. */
interface Left {
  alone: State;
  after: State[];
}

/** What a run asks its walk. */
export interface Walking {
  /** It may change what is open for its caller. */
  flat(linked: Linked): boolean;
  /** It opens a subtransaction, itself or by whom it surely calls. */
  opens(linked: Linked): boolean;
  siteOf(origin: Scope | Savepoint, linked: Linked): number;
}

/** `end` lets go of the walk: what is said of traces outlives it. */
export function createRun(
  graph: Graph,
  summaries: Summaries,
  { closureOf, partOf, blockIn }: Closures,
  walking: Walking,
): { run: Machine['run']; budget: Budget; end(): void } {
  let asked: Walking | null = walking;
  const flat: Walking['flat'] = (linked) => asked!.flat(linked);
  const siteOf: Walking['siteOf'] = (origin, linked) => asked!.siteOf(origin, linked);
  const flatLists = new Map<Step[], boolean>();
  const exitsOf = new Map<string, Left>();
  let last: Alone | null = null;
  const running = new Set<string>();
  const budget: Budget = { runs: 0, cut: false };
  let inlined = 0;
  let blocks = 0;
  let deep = 0;

  function run(steps: Step[], states: State[], env: Env): Out {
    const behind = runsOnce(steps, states, env);
    let now = states;
    let exits = NO_EXITS;
    let around = env;
    const guards = guardsIn(steps);
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]!;
      if (i === behind) now = outsideLoops(steps, now, env);
      if (now.length === 0) break;
      const out = guards.has(step) ? guarded(step, now, around) : all(step, now, around);
      if (around.first) around = later(around);
      now = out.normal;
      if (out.exits.length > 0) exits = [...exits, ...out.exits];
    }
    return { normal: now, exits };
  }

  /** What is behind it begins a transaction, and so is not for one that is open; what the condition asks was not read. */
  function guarded(step: Step, states: State[], env: Env): Out {
    const [arm] = step.kind === 'branch' ? step.arms : [];
    if (!arm || !summaries.ofSteps(arm, env.linked.file, null).opens) return all(step, states, env);
    return together(
      states.map((state) => {
        const { tx } = state.main;
        return tx === 'yes' ? run(arm, [lessSure(state, 'likely')], env) : one(step, state, env);
      }),
    );
  }

  /** In an arm that always leaves the loop nothing runs twice, behind what may go on to its next turn: where that begins. */
  function runsOnce(steps: Step[], states: State[], env: Env): number | null {
    if (states.length === 1 ? !inLoop(states[0]!) : !states.some(inLoop)) return null;
    const how = leaves(steps);
    return how && !(how === 'raise' && env.caught) ? turning(steps) : null;
  }

  const outsideLoops = (steps: Step[], states: State[], env: Env): State[] =>
    states.map((state) => leftLoop(state, leaves(steps)!, env.outer));

  function all(step: Step, states: State[], env: Env): Out {
    if (!graph.holds(step, env.linked.file))
      return step.kind === 'scope' ? run(step.body, states, env) : { normal: states, exits: NO_EXITS };
    if (graph.tooDeep.has(step)) return { normal: states, exits: NO_EXITS };
    if (step.kind === 'loop') return loop(machine, step, states, env);
    if (step.kind === 'attempt') return attempt(machine, step, states, env);
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
        wrote(state, step, 'yes', env);
        return go(state);
      case 'opaque':
        fail(state, env);
        wrote(state, step, 'unknown', env);
        return go(state);
      case 'wait':
      case 'cast':
        fail(state, env);
        return go(state);
      case 'call':
        return call(step, state, env);
      case 'yield':
        if (env.block)
          return runBlock(partOf(env.block, step), state, { ...env, trail: handedOn(env.trail, env.linked) });
        wrote(state, step, 'unknown', env);
        return go(state);
      case 'scope':
        return scope(machine, step, state, env);
      case 'branch': {
        const all = armsIn(step, state.main, env.linked);
        const arms = env.smooth && step.failed ? all.filter((arm) => arm !== step.arms[0]) : all;
        // What the condition asks was not read.
        const picked = all.length < step.arms.length ? 'likely' : undefined;
        const inner = lessSure(lessSure(state, step.certainty), picked);
        const outs = arms.map((arm) => {
          if (arm !== step.arms[0] || !step.every || step.every < 2) return run(arm, [inner], env);
          const { normal, exits } = run(arm, [everySo(inner)], env);
          return { normal: normal.map((after) => repeatedAs(after, inner)), exits };
        });
        if (!step.exhaustive || outs.length === 0) outs.push(go(state));
        return together(inner === state ? outs : outs.map((out) => asSureAs(state, out)));
      }
      case 'block': {
        const how = graph.once(step, env.linked.file);
        if (env.smooth && how === 'in loop') return go(state);
        // What leaves its result behind runs once for each object. A loop that calls it has another object in each turn;
        // of a loop farther away that is only possible, and of any where the same key may be asked for again.
        if ((how === 'in loop' || how === 'in loops') && inLoop(state)) {
          const alone = leftLoop(state, how === 'in loop' ? 'break' : 'return', env.outer);
          return seldom(machine, step.body, state, withoutOwn(step.body, alone, env), env);
        }
        // What runs once in the routine does so in a block that a callee of it runs many times.
        const afar =
          how === 'in loops' ||
          (how === 'by key'
            ? env.trail?.repeats === false
            : how === 'ever' || (how === true && away(env.trail)));
        if (afar && isRepeated(state)) return seldom(machine, step.body, state, unrepeated(state), env);
        const out = caught(
          run(step.body, [lessSure(state, step.certainty)], env),
          (exit) => exit.how === 'break' && exit.label !== undefined && exit.label === step.label,
        );
        return step.certainty ? asSureAs(state, out) : out;
      }
      case 'exit':
        if (step.how === 'raise' && !step.past) fail(state, env);
        return { normal: [], exits: [{ step, state }] };
      default:
        return go(state);
    }
  }

  // ---- flat control

  /** What these steps opened in an earlier turn and left open they do not open again. */
  function withoutOwn(steps: Step[], state: State, env: Env): State {
    let now = state;
    for (const step of steps) {
      if (step.kind !== 'savepoint') continue;
      const site = siteOf(step, env.linked);
      const connection = get(now, step.on);
      const open = connection.open.filter((one) => one.site !== site);
      if (open.length < connection.open.length) now = set(now, step.on, { ...connection, open });
    }
    return now;
  }

  function control(step: Step, state: State, env: Env): State {
    const connection = get(state, step.on);
    switch (step.kind) {
      case 'begin':
        if (connection.tx === 'yes') return state; // the server warns, and does nothing else
        env.see?.transaction(step, state, env);
        return set(state, step.on, {
          ...begun(),
          ...(!step.implied && { begun: beginsAt(step, env) }),
        });
      case 'commit':
      case 'rollback': {
        if (state.server && connection.open.length > 0) env.see?.terminated(step, state, connection, env);
        // What one failure left open goes with the transaction that it ends; what piled up before was there.
        env.see?.ended(
          connection.open.filter((o) => o.flat && (step.kind === 'commit' || o.many || !o.failed)),
          step.kind === 'commit' ? 'left open' : 'over',
          null,
        );
        return set(state, step.on, ended(connection, step.chain === true || state.server));
      }
      case 'savepoint': {
        const begins = connection.tx === 'no' && step.begins;
        const from = begins ? begun() : connection;
        env.see?.subtransaction(step, begins ? set(state, step.on, from) : state, env);
        const site = siteOf(step, env.linked);
        // The server refuses it, and nothing is open.
        if (from.tx === 'no') return state;
        return set(state, step.on, pushed(from, { site, name: step.name, flat: true, alone: step.alone }));
      }
      case 'release': {
        const { now, gone } = released(connection, step.name);
        env.see?.ended(gone, 'released', null);
        return set(state, step.on, now);
      }
      case 'rollback to': {
        const { now, gone } = rolledBack(connection, step.name);
        // Those inside are gone, as after a release.
        env.see?.ended(gone.slice(1), 'released', null);
        return set(state, step.on, now);
      }
      default:
        return state;
    }
  }

  // ---- statements

  function wrote(state: State, step: Pick<Step, 'on'>, how: 'yes' | 'unknown', env: Env): void {
    env.see?.wrote(get(state, step.on).open, how);
    // A program may say elsewhere which database a table is in.
    if (step.on === undefined) for (const { open } of state.others.values()) env.see?.wrote(open, 'unknown');
  }

  /**
   * The states in which one statement runs: without a transaction it is one by itself. Where that is unknown, what
   * repeats it counts only if a transaction was open.
   */
  function inStatement(state: State, on: string | undefined, step: Step, env: Env): State[] {
    const connection = get(state, on);
    if (connection.tx === 'yes') return [state];
    const alone = set(state, on, begun());
    env.see?.transaction(step, state, env);
    if (connection.tx === 'no' || connection.repeatedBy === null) return [alone];
    return [alone, lessSure(set(state, on, { ...connection, tx: 'yes' }), 'possible')];
  }

  function statement(step: Read | Write, state: State, env: Env): void {
    if (!env.see) return;
    const fired = graph.fires(step);
    const done = step.kind === 'write' ? isDone(step, fired) : 'no';
    if (done !== 'no') wrote(state, step, done, env);
    if (fired.length === 0) return;
    const inside = inStatement(state, step.on, step, env);
    for (const one of fired) {
      const { to, certainty } = one;
      const trigger = to.trigger!;
      for (const during of trigger.beside ? [state] : inside) {
        let inner = lessSure(lessSure(during, certainty), step.certainty);
        if (isPerRow(one, step)) {
          const by =
            trigger.via === 'trigger' || trigger.via === 'model callback' ? 'row trigger' : 'query rows';
          inner = set(inner, step.on, repeated(get(inner, step.on), by, rowsOf(one, step)));
          if (step.rows === 'unknown') inner = lessSure(inner, 'likely');
        }
        // What is deferred runs at COMMIT, outside of every subtransaction.
        if (trigger.deferred) inner = set(inner, step.on, { ...get(inner, step.on), open: [] });
        enter({ env, step, to, fired: one, trail: undefined }, inner, null, env.see);
      }
    }
  }

  /** Whether anything is written: what a rule or a trigger does instead of a statement is all that it does. */
  function isDone(step: Write, fired: readonly Fired[]): 'yes' | 'no' | 'unknown' {
    if (step.rows === 'none' && step.verb !== 'ddl') return 'no';
    if (!fired.some(({ to, certainty }) => certainty === 'certain' && isInstead(step, to.trigger!)))
      return 'yes';
    const done = fired.map(({ to }) => summaries.of(to).writes);
    return done.includes('yes') ? 'yes' : done.includes('unknown') ? 'unknown' : 'no';
  }

  function enter(way: Way, state: State, block: Closure | null, see: Listener): void {
    const crosses = way.to.server && !state.server;
    const inner = crosses
      ? { ...state, main: get(state, way.step.on), others: NO_OTHERS, server: true }
      : state;
    see.enter(way, entering(inner), block);
  }

  // ---- calls

  function call(step: Call, state: State, env: Env): Out {
    fail(state, env);
    if (step.elsewhere) return go(state);
    const target = graph.target(step);
    const block = step.block ? closureOf(step.block, step, env) : null;
    if (target.routines.length === 0) {
      if (!target.meaning) {
        wrote(state, step, 'unknown', env);
        return block ? runBlock(block, lessSure(state, 'likely'), env, state) : go(state);
      }
      return run(target.meaning, [lessSure(state, step.certainty)], { ...env, block: block ?? env.block });
    }
    const sure = lessSure(
      lessSure(
        state,
        sureOf(target, (to) => asked!.opens(to)),
      ),
      step.certainty,
    );
    if (target.routines.length === 1) return callee(target.routines[0]!.to, step, sure, state, block, env);
    return together(target.routines.map(({ to }) => callee(to, step, sure, state, block, env)));
  }

  /** A routine that is handed a connection works on that: it is the usual one there, and back in its caller it has its name again. */
  function callee(to: Linked, step: Call, sure: State, state: State, handed: Closure | null, env: Env): Out {
    const { on } = step;
    if (on === undefined || to.server) return called(to, step, sure, state, handed, env);
    const there = (one: State): State => ({ ...one, main: get(one, on), others: NO_OTHERS });
    const back = (after: State): State => ({ ...set(state, on, after.main), certainty: after.certainty });
    const { normal, exits } = called(to, step, there(sure), there(state), handed, env);
    return { normal: normal.map(back), exits: exits.map((exit) => ({ ...exit, state: back(exit.state) })) };
  }

  function called(to: Linked, step: Call, sure: State, state: State, handed: Closure | null, env: Env): Out {
    const summary = summaries.of(to);
    const { writes, yields, apart: onItsOwn } = summary;
    // What a decorator keeps runs later, where nothing of this is open.
    const apart = step.decorates && state.main.tx === 'no';
    const block = isKept(step, summary, to.routine?.keepsBlock) && !apart ? null : handed;
    if (writes !== 'no') wrote(state, to.server ? step : USUAL, writes, env);
    if (env.see) {
      const way: Way = { env, step, to, trail: undefined };
      if (to.server && !state.server)
        for (const during of inStatement(sure, step.on, step, env)) enter(way, during, block, env.see);
      else enter(way, sure, block, env.see);
    }
    const leaves = flat(to) && to.server === state.server;
    if (!leaves && block && yields === 0 && !onItsOwn) return runBlock(block, lessSure(sure, 'likely'), env);
    const ways = block ? waysOf(block) : [{ jump: null, block }];
    if (!leaves && !(block && (ways.length > 1 || isFlatBlock(block)))) return go(state);
    const outs = ways.map(({ jump, block }): Out => {
      const after = exits(to, sure, block).map((one) => backIn(one, state));
      if (jump) return { normal: [], exits: after.map((state) => ({ step: jump, state })) };
      return { normal: after.length > 1 ? join(after) : after, exits: NO_EXITS };
    });
    return together(outs);
  }

  /**
   * The states after a routine that may change them; found by running it unseen. What repeats its caller makes no
   * difference to what it leaves open, so it is run as if nothing did.
   */
  function exits(to: Linked, state: State, block: Closure | null): State[] {
    const { alone, known: itsKey } = aloneIn(state);
    // With the blocks that it hands itself it would be run for each of them, in each of those runs.
    const own = block?.env.linked === to;
    if (own) budget.cut = true;
    const id = `${to.index} ${own ? 'own' : (block?.id() ?? '')} ${itsKey}`;
    let left = exitsOf.get(id);
    if (running.has(id)) budget.cut = true;
    if (!left) {
      if (inlined >= MOST_INLINED || budget.runs >= MOST_UNSEEN) {
        budget.cut = true;
        return [state];
      }
      left = { alone, after: [alone] };
      exitsOf.set(id, left); // what a recursion finds
      running.add(id);
      left = { alone, after: unseen(to, alone, block) };
      running.delete(id);
      exitsOf.set(id, left);
    }
    const { alone: found, after } = left;
    const back = state.server ? openAs : againIn;
    return after.map((one) =>
      one === found ? lessSure(state, one.certainty) : lessSure(back(one, state), state.certainty),
    );
  }

  /** One call after another is made in the same state. How sure it is, is of its caller: another one may be surer. */
  function aloneIn(state: State): Alone {
    if (last?.state !== state) {
      const from = state.server ? closed(state) : state;
      const alone: State = { ...stale(unrepeated(from)), certainty: 'certain' };
      last = { state, alone, known: key(alone, true) };
    }
    return last;
  }

  function unseen(to: Linked, state: State, block: Closure | null): State[] {
    budget.runs += 1 + Math.floor(to.body.length / MOST_LONG);
    inlined++;
    const out = run(to.body, [entering(state)], {
      linked: to,
      trail: NOWHERE,
      block,
      see: null,
      failing: null,
      caught: false,
      loops: inlined,
      outer: [],
      first: null,
    });
    inlined--;
    const returned = out.exits.filter(({ step }) => step.how === 'return').map((exit) => exit.state);
    return join(out.normal, returned);
  }

  /** `next` and `return` of a block go back to who called it. */
  function runBlock(block: Closure, state: State, env: Env, home?: State): Out {
    if (deep === 0) blocks = 0;
    if (++blocks > MOST_BLOCKS || deep === MOST_BLOCKS_DEEP) {
      budget.cut = true;
      return go(state);
    }
    deep++;
    const inner: Env = {
      ...block.env,
      trail: env.trail,
      see: env.see,
      failing: env.failing,
      loops: env.loops,
      first: null,
      caught: false,
      home: home && inLoop(home) ? home : block.env.home,
    };
    const all = run(block.steps, [entering(state)], inner);
    const { normal, exits } = caught(
      block.only ? wayOf(all, block.only) : all,
      (exit) => exit.how !== 'raise',
    );
    deep--;
    return { normal: normal.map((after) => backIn(after, state)), exits };
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

  function isFlatBlock(block: Closure): boolean {
    block.flat ??= isFlatList(block.steps) || isFlatAround(block.around());
    return block.flat;
  }

  const isFlatAround = (block: Closure | null) => block !== null && isFlatBlock(block);

  const isFlatHere = (steps: Step[], env: Env): boolean => {
    if (isFlatList(steps)) return true;
    return isFlatAround(blockIn(steps, env));
  };

  const machine: Machine = { run, isFlat: isFlatHere, inStatement, siteOf, holds: graph.holds };
  const end = () => {
    asked = null;
    last = null;
    exitsOf.clear();
    flatLists.clear();
  };
  return { run, budget, end };
}

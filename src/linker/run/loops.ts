// Loops: whether a transaction lasts longer than a turn, and what is open after the last one.
import type { Exit, Loop } from '../../ir.ts';
import { saysLoop } from '../words.ts';
import { batchOf } from './batches.ts';
import { type Env, fail, isJump, NO_EXITS, type Out, push } from './run.ts';
import type { Machine } from './scopes.ts';
import {
  type Connection, connections, eachConnection, get, join, lessSure, repeated, type State, set, withoutFailures,
} from './state.ts'; // biome-ignore format: one list

/** How many turns are tried unseen; loops deep inside loops get fewer. */
const turnsTried = (loops: number) => (loops <= 3 ? 2 : loops <= 12 ? 1 : 0);

export function loop(machine: Machine, step: Loop, states: State[], env: Env): Out {
  const { on } = step;
  const failing: State[] | null = env.failing && [];
  const mine = (exit: Exit) => exit.label === undefined || exit.label === step.label;
  const inner: Env = {
    ...env,
    failing,
    loops: env.loops + 1,
    caught: false,
    first: null,
    trail: push(env, step.at, () => saysLoop(step, env.linked), step.over !== 'retry' && step.times !== 1),
  };
  if (step.times === 0) return { normal: states, exits: NO_EXITS };
  const executor = step.over === 'query' || step.over === 'columns';
  const by = executor ? 'query rows' : step.chunk === undefined ? 'loop' : 'chunks';
  const restored = (state: State) =>
    eachConnection(state, (now, which) => {
      const { repeatedBy, times, outside, fresh } = get(states[0]!, which);
      // Repetition ends with the loop, unless it is a transaction of one of its turns that goes on.
      return now.fresh
        ? { ...now, repeatedBy: null, times: 1, outside }
        : { ...now, repeatedBy, times, outside, fresh };
    });
  /** An error that is caught outside leaves the loop as well. */
  const leaving = (exits: Out['exits']): Out['exits'] => {
    for (const state of join(failing?.map(restored) ?? [])) fail(state, env);
    return exits
      .filter(({ step: exit }) => !(isJump(exit) && mine(exit)))
      .map((exit) => (exit.step.how === 'raise' ? { ...exit, state: restored(exit.state) } : exit));
  };
  /** One of a loop further out, or of a recursion. */
  const wasAround = (outside: Connection['outside']) =>
    states.some((state) => connections(state).some((one) => one.outside === outside));
  const repeat = (state: State, turns: number | null) =>
    step.over === 'retry'
      ? withoutFailures(state, states[0])
      : eachConnection(state, (one) =>
          // A later turn of the same loop does not multiply again.
          one.outside !== null && !wasAround(one.outside) ? one : repeated(one, by, turns),
        );
  const again = (state: State) => lessSure(repeat(state, step.times), step.certainty);
  const heads =
    executor && !env.linked.server
      ? states.flatMap((state) => machine.inStatement(state, on, step, env))
      : states;
  if (!machine.isFlat(step.body, env)) {
    const out = machine.run(step.body, heads.map(again), inner);
    return { normal: states, exits: leaving(out.exits) };
  }
  const batch = batchOf(step);
  const batched = (state: State) =>
    batch === null ? lessSure(again(state), 'possible') : repeat(state, Math.min(batch, step.times ?? batch));
  // Turns unseen tell whether the transaction lasts longer than a turn. Of loops deep inside loops one must do.
  const atHead = (state: State) => set(state, on, { ...get(state, on), fresh: false });
  const marked = heads.map(atHead);
  const quiet: Env = { ...inner, see: null };
  const after = (turn: State[], as = quiet) => {
    const out = machine.run(step.body, turn, as);
    const continued = out.exits.filter(({ step: exit }) => exit.how === 'continue' && mine(exit));
    const next = join(
      out.normal,
      continued.map((exit) => exit.state),
    );
    return { out, next };
  };
  const isOpen = (state: State) => get(state, on).tx === 'yes';
  /**
   * What a turn leaves fresh may only have begun in it, or ended where something failed: whether a turn ends one, a
   * turn tells in which one is open and nothing fails.
   */
  const ends = (turn: State[]) =>
    after(
      turn.map((state) => (isOpen(state) ? state : set(state, on, { ...get(state, on), tx: 'yes' }))),
      { ...quiet, failing: null, smooth: true },
    ).next.some((state) => get(state, on).fresh);
  let first: Out | null = null;
  let seen: State[] = [];
  for (let i = 0, turn = marked; i < turnsTried(inner.loops) && turn.length > 0; i++) {
    const { out, next } = after(turn);
    first ??= out;
    // Where only some ways end the transaction, a condition says how often, or nobody knows.
    const lasts = next.filter((state) => !get(state, on).fresh);
    const unsure = batch === null && lasts.every(({ certainty }) => certainty === 'possible');
    const some = lasts.length < next.length && !unsure && ends(turn);
    seen = join(
      seen,
      next.map((state) => (get(state, on).fresh ? state : some ? batched(state) : again(state))),
    );
    turn = seen.map(atHead);
  }
  // The first turn is shown only when no later one is worse.
  const lasting = seen.some((state) => !get(state, on).fresh);
  const entry = lasting && step.times !== 1 && !step.certainty ? seen : join(marked, seen);
  const out = env.see || !first ? machine.run(step.body, entry, inner) : first;
  const left = out.exits
    .filter(({ step: exit }) => exit.how === 'break' && mine(exit))
    .map((exit) => exit.state);
  return {
    normal: join(states, [...out.normal, ...(first?.normal ?? []), ...seen, ...left].map(restored)),
    exits: leaving(out.exits),
  };
}

// Loops: whether a transaction lasts longer than a turn, and what is open after the last one.
import type { Exit, Loop } from '../../ir.ts';
import { saysLoop } from '../words.ts';
import { batchOf } from './batches.ts';
import { type Env, fail, isJump, NO_EXITS, type Out } from './run.ts';
import type { Machine } from './scopes.ts';
import {
  connections, eachConnection, freshAs, get, join, lessSure, repeated, type State, stale, withoutFailures,
} from './state.ts'; // biome-ignore format: one list
import { push } from './trail.ts';

/** A loop, as it is come to. */
interface Entered {
  machine: Machine;
  step: Loop;
  env: Env;
  before: State[];
  /** For its body. */
  inner: Env;
}

export function loop(machine: Machine, step: Loop, before: State[], env: Env): Out {
  if (step.times === 0) return { normal: before, exits: NO_EXITS };
  const entered: Entered = { machine, step, env, before, inner: insideOf(step, env, before) };
  const { inner } = entered;
  const heads =
    isOfExecutor(step) && !env.linked.server
      ? before.flatMap((state) => machine.inStatement(state, step.on, step, env))
      : before;
  if (!machine.isFlat(step.body, env)) {
    // Of turns after the first nobody may be sure.
    const turns = heads.flatMap((state) =>
      step.certainty ? [state, again(entered, state)] : again(entered, state),
    );
    return { normal: before, exits: leaving(entered, machine.run(step.body, turns, inner).exits) };
  }
  const marked = heads.map(stale);
  const { first, seen } = turnsUnseen(entered, marked);
  // The first turn is shown only when no later one is worse.
  const lasting = seen.some((state) => !isFresh(state));
  const entry = lasting && step.times !== 1 && !step.certainty ? seen : join(marked, seen);
  const out = env.see || !first ? machine.run(step.body, entry, inner) : first;
  const after = [...out.normal, ...(first?.normal ?? []), ...seen, ...jumped(step, out, 'break')];
  return {
    normal: join(
      before,
      after.map((state) => restored(entered, state)),
    ),
    exits: leaving(entered, out.exits),
  };
}

const insideOf = (step: Loop, env: Env, before: State[]): Env => ({
  ...env,
  failing: env.failing && [],
  loops: env.loops + 1,
  outer: before.flatMap(connections).map(({ outside }) => outside),
  caught: false,
  // What failed was rolled back: what tries again is the first once more.
  first: step.over === 'retry' ? env.first : null,
  trail: push(env, step.at, () => saysLoop(step, env.linked), step.over !== 'retry' && step.times !== 1),
});

/** The server turns, not the program. */
const isOfExecutor = ({ over }: Loop) => over === 'query' || over === 'columns';

// ---- turns

/** How many turns are tried unseen; loops deep inside loops get fewer, but where one leaves open what piles up. */
const turnsTried = (loops: number, piles: boolean) =>
  loops <= 3 || (loops <= 12 && piles) ? 2 : loops <= 12 ? 1 : 0;

const mostOpen = (states: State[]): number =>
  Math.max(...states.map((state) => connections(state).reduce((sum, { open }) => sum + open.length, 0)));

/** Of each connection a transaction has ended in the turn, or begun. */
const isFresh = (state: State): boolean => connections(state).every(({ fresh }) => fresh);

/** Turns that nobody is told of: whether the transaction lasts longer than one. Of loops deep inside loops one must do. */
function turnsUnseen(entered: Entered, marked: State[]): { first: Out | null; seen: State[] } {
  const { step, inner } = entered;
  const batch = batchOf(step);
  const batched = (state: State) =>
    batch === null
      ? lessSure(again(entered, state), 'possible')
      : repeat(entered, state, Math.min(batch, step.times ?? batch));
  let first: Out | null = null;
  let seen: State[] = [];
  const piles = (turn: State[]) => turn !== marked && mostOpen(turn) > mostOpen(marked);
  for (let i = 0, turn = marked; turn.length > 0 && i < turnsTried(inner.loops, piles(turn)); i++) {
    const { out, next } = unseen(entered, turn, {});
    first ??= out;
    // Where only some ways end the transaction, a condition says how often, or nobody knows.
    const lasts = next.filter((state) => !isFresh(state));
    const unsure = batch === null && lasts.every(({ certainty }) => certainty === 'possible');
    const some = lasts.length < next.length && !unsure && endsOne(entered, turn);
    const later = (state: State) => (some ? batched(state) : again(entered, state));
    seen = join(
      seen,
      next.map((state) => (isFresh(state) ? state : freshAs(later(state), state))),
    );
    turn = seen.map(stale);
  }
  return { first, seen };
}

function unseen({ machine, step, inner }: Entered, turn: State[], as: Partial<Env>) {
  const out = machine.run(step.body, turn, { ...inner, see: null, ...as });
  return { out, next: join(out.normal, jumped(step, out, 'continue')) };
}

/**
 * What a turn leaves fresh may only have begun in it, or ended where something failed: whether a turn ends one, a
 * turn tells in which one is open and nothing fails.
 */
function endsOne(entered: Entered, turn: State[]): boolean {
  const open = turn.map((state) =>
    eachConnection(state, (one) => (one.tx === 'yes' ? one : { ...one, tx: 'yes' })),
  );
  return unseen(entered, open, { failing: null, smooth: true }).next.some(isFresh);
}

/** As it stands in a later turn. */
const again = (entered: Entered, state: State): State =>
  lessSure(repeat(entered, state, entered.step.times), entered.step.certainty);

function repeat({ step, before, inner }: Entered, state: State, turns: number | null): State {
  if (step.over === 'retry') return withoutFailures(state, before[0]);
  const by = isOfExecutor(step) ? 'query rows' : step.chunk === undefined ? 'loop' : 'chunks';
  return eachConnection(state, (one) =>
    // A later turn of the same loop does not multiply again.
    one.outside !== null && !inner.outer.includes(one.outside) ? one : repeated(one, by, turns),
  );
}

// ---- ways out

const isOwn = ({ label }: Exit, step: Loop) => label === undefined || label === step.label;

const jumped = (step: Loop, { exits }: Out, how: 'break' | 'continue'): State[] =>
  exits.filter(({ step: exit }) => exit.how === how && isOwn(exit, step)).map(({ state }) => state);

/** Repetition ends with the loop, unless it is a transaction of one of its turns that goes on. */
const restored = ({ before }: Entered, state: State): State =>
  eachConnection(state, (now, which) => {
    const { repeatedBy, times, outside, fresh } = get(before[0]!, which);
    return now.fresh
      ? { ...now, repeatedBy: null, times: 1, outside }
      : { ...now, repeatedBy, times, outside, fresh };
  });

/** An error that is caught outside leaves the loop as well. */
function leaving(entered: Entered, exits: Out['exits']): Out['exits'] {
  const { step, env, inner } = entered;
  for (const state of join(inner.failing?.map((one) => restored(entered, one)) ?? [])) fail(state, env);
  return exits
    .filter(({ step: exit }) => !(isJump(exit) && isOwn(exit, step)))
    .map((exit) => (exit.step.how === 'raise' ? { ...exit, state: restored(entered, exit.state) } : exit));
}

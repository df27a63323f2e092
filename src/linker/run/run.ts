// The words of a run: what it carries along, what it tells, what comes out. Not how steps are run.
import type { Call, Exit, Handler, Read, Savepoint, Scope, Span, Step, Write } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Fired } from '../graph/fired.ts';
import { type Connection, join, type Open, type State } from './state.ts';
import type { Trail } from './trail.ts';

/** A block handed to a callee: its steps, where it was written, and what tells it from others. */
export interface Closure {
  steps: Step[];
  env: Env;
  /** Where it was handed over. */
  at: Span;
  /** Its parameters, as who hands it over says them. */
  hands: Call['hands'];
  /** The block that it runs in turn, handed to the routine where it was written. */
  around(): Closure | null;
  id(): string;
  /** Whether it changes what is open; once asked. */
  flat?: boolean;
  /** Only the ways in it that come to its end, or that leave it by such a jump to somewhere in who hands it. */
  only?: 'end' | Exit['how'];
}

/** What the yields of a routine run: a block's steps, where they stand and were handed over, and what their own yields run. */
export interface Given {
  steps: Step[];
  linked: Linked;
  at: Span;
  hands?: Call['hands'];
  by: Given | null;
}

/** A call, or a statement that fires a trigger. Most come where somebody was in such a state, and are never told. */
export interface Way {
  env: Env;
  step: Call | Read | Write;
  to: Linked;
  /** What of a statement's doing that is. */
  fired?: Fired;
  /** Once it is told it stays the same. */
  trail: Trail | null | undefined;
}

export interface Env {
  linked: Linked;
  trail: Trail | null;
  block: Closure | null;
  /** Null when only the states that come out matter. */
  see: Listener | null;
  /** Where the states are put at which something may fail; null when nobody catches. */
  failing: State[] | null;
  /** A handler stands around within the loop, so an error does not leave it. */
  caught: boolean;
  /** Only ways in which nothing fails that does not say so: handlers are passed by. */
  smooth?: true;
  /** How many loops are around. */
  loops: number;
  /** What loops further out, or a recursion, had set where the innermost loop began: whoever leaves that one leaves those not. */
  outer: readonly Connection['outside'][];
  /** The scope around in which this is the first that runs: nothing was sent since it began. */
  first: Scope | null;
  /** In a block that nobody here is seen to run: where it stands, loops are around. */
  home?: State | undefined;
}

export interface Listener {
  subtransaction(origin: Scope | Savepoint, state: State, env: Env): void;
  transaction(at: Step, state: State, env: Env): void;
  enter(way: Way, state: State, block: Closure | null): void;
  /** Something writes while these are open. */
  wrote(open: readonly Open[], how: 'yes' | 'unknown'): void;
  /** `over`: with the transaction, which nothing of it outlives; `inside`: with a subtransaction around. `often`: what leaks comes to that again and again. */
  ended(
    gone: readonly Open[],
    how: 'released' | 'over' | 'inside' | 'left open' | 'rolled back',
    leak: Trail | null,
    often?: boolean,
  ): void;
  terminated(step: Step, state: State, connection: Connection, env: Env): void;
}

export interface Out {
  normal: State[];
  exits: { step: Exit; state: State }[];
}

/** What runs after something else did. */
export const later = (env: Env): Env => (env.first ? { ...env, first: null } : env);

export const NO_EXITS: Out['exits'] = [];

export const go = (state: State): Out => ({ normal: [state], exits: NO_EXITS });
export const isJump = ({ how }: Exit) => how === 'break' || how === 'continue';
export const catchesAll = ({ catches }: Handler) => catches.some((name) => ALL.has(name.toLowerCase()));

const ALL = new Set(['others', 'exception', 'baseexception', 'standarderror', 'throwable']);

export function together(outs: Out[]): Out {
  if (outs.length === 1) return outs[0]!;
  return { normal: join(...outs.map((out) => out.normal)), exits: outs.flatMap((out) => out.exits) };
}

/** What is open where it ends well: at its last step, or where it returns. */
export const returning = ({ normal, exits }: Out): State[] => [
  ...normal,
  ...exits.filter(({ step }) => step.how === 'return').map(({ state }) => state),
];

/** Exits that end here go on normally. */
export function caught(out: Out, here: (exit: Exit) => boolean): Out {
  if (out.exits.length === 0) return out;
  const [mine, rest]: [State[], Out['exits']] = [[], []];
  for (const exit of out.exits)
    if (here(exit.step)) mine.push(exit.state);
    else rest.push(exit);
  return { normal: join(out.normal, mine), exits: rest };
}

export function fail(state: State, env: Env): void {
  if (env.failing && env.failing.at(-1) !== state && env.failing.length < 16) env.failing.push(state);
}

/** Found when it is asked for, and then kept. */
export function once<T>(find: () => T): () => T {
  let known: { value: T } | undefined;
  return () => {
    known ??= { value: find() };
    return known.value;
  };
}

// What is open at one point of a run: the transaction and its savepoints, for each connection. Values, never changed in place.

import { type Certainty, PLACES, type RollbackTo, type Routine } from '../../ir.ts';
import { rank, weaker } from '../certainty.ts';
import type { Context } from '../model.ts';
import type { Trail } from './trail.ts';

/** One open subtransaction. */
export interface Open {
  site: number;
  /** Savepoints have names; blocks of a language have none that SQL could use. */
  name: string | null;
  /** How what was opened elsewhere ends says nothing of it. */
  under: Context;
  flat: boolean;
  /** It stands for more of the same place, of which none has ended. */
  many: boolean;
  /** ROLLBACK TO ended it and opened it again. */
  emptied: boolean;
  /** Nobody else than the routine that opened it can release it. */
  alone?: true;
  /** It stays after a failure of its block. */
  failed?: true;
  /** … which never comes to its end: whatever is written behind it is written in it. */
  undone?: true;
  /** It is sent with the first statement inside, and there is one alone. */
  lone?: true;
}

type Often = Pick<Connection, 'repeatedBy' | 'times'>;

export interface Connection {
  tx: Context['inTransaction'];
  repeatedBy: Context['repeatedBy'];
  times: number | null;
  /** How often it ran outside of the loops around: of the innermost, for what leaves it, and of all. */
  outside: { inner: Often; all: Often } | null;
  /** A transaction ended since the innermost loop began. */
  fresh: boolean;
  open: readonly Open[];
  /** What would join the innermost scope does; else it opens a savepoint. */
  joinable: boolean;
  /** Where a step began it that has no body, for those who are told the way. */
  begun?: Trail;
}

export interface State {
  main: Connection;
  /** Other connections by name; what is missing is as `idle`. */
  others: ReadonlyMap<string, Connection>;
  idle: Connection;
  certainty: Certainty;
  /** Inside the server a transaction is always open: after COMMIT the next one has begun. */
  server: boolean;
}

export const NO_OTHERS: ReadonlyMap<string, Connection> = new Map();
const MOST_OPEN = 12;
/** A savepoint within one of the same place, as a wrapper within itself opens it; more are a pile. */
const MOST_ALIKE = 3;

export const idle = (tx: Context['inTransaction']): Connection => ({
  tx,
  repeatedBy: null,
  times: 1,
  fresh: false,
  outside: null,
  open: [],
  joinable: true,
});

export function start(startsIn: Routine['startsIn'], server: boolean): State {
  const tx = startsIn === 'transaction' || server ? 'yes' : startsIn === 'autocommit' ? 'no' : 'unknown';
  return {
    main: idle(tx),
    others: NO_OTHERS,
    idle: idle(tx === 'unknown' ? 'unknown' : 'no'),
    certainty: 'certain',
    server,
  };
}

export function get(state: State, on: string | undefined): Connection {
  return on === undefined ? state.main : (state.others.get(on) ?? state.idle);
}

export function set(state: State, on: string | undefined, connection: Connection): State {
  if (on === undefined) return { ...state, main: connection };
  return { ...state, others: new Map(state.others).set(on, connection) };
}

export function lessSure(state: State, certainty: Certainty | undefined): State {
  const sure = weaker(state.certainty, certainty);
  return sure === state.certainty ? state : { ...state, certainty: sure };
}

// ---- keys: equal states are visited once

const turns = (times: number | null) => (times === null ? 'n' : times > PLACES ? 'm' : times > 1 ? 'f' : '1');

export const connections = ({ main, others }: State): Connection[] => [main, ...others.values()];

function connectionKey({ tx, repeatedBy, times, fresh, open, joinable }: Connection, exact: boolean): string {
  const levels = exact
    ? open.map((o) => `${o.site}${o.many ? '*' : ''}${o.emptied ? '-' : ''}`).join()
    : Math.min(open.length, 3);
  return `${tx[0]}${repeatedBy?.[0] ?? '-'}${turns(times)}${exact && fresh ? 'f' : ''}${joinable ? '' : 'j'}${levels}`;
}

/** `exact` where flat control may look at single savepoints; else their number says enough. */
export function key(state: State, exact: boolean): string {
  let out = connectionKey(state.main, exact);
  if (state.server) out += 's';
  for (const name of [...state.others.keys()].sort())
    out += `|${name}:${connectionKey(state.others.get(name)!, exact)}`;
  return out;
}

const TX = { yes: 0, no: 1, unknown: 2 };
const BY = { loop: 0, 'row trigger': 1, 'query rows': 2, chunks: 3 };
/** Below this number are all that `code` gives. */
export const CODES = 1024;

/** What `key` says where savepoints and other connections are no concern, as a number; null where they are. */
export function code({ main, others, server }: State): number | null {
  if (others.size > 0) return null;
  const { tx, repeatedBy, times, open, joinable } = main;
  const turn = times === null ? 3 : times > PLACES ? 2 : times > 1 ? 1 : 0;
  const by = repeatedBy === null ? 4 : BY[repeatedBy];
  return (
    ((((TX[tx] * 5 + by) * 4 + turn) * 4 + Math.min(open.length, 3)) * 2 + Number(joinable)) * 2 +
    Number(server)
  );
}

const MOST_STATES = 8;

/** Joins sets of states: equal ones once, the surest kept, and no more than a few. */
export function join(...sets: (readonly State[])[]): State[] {
  let out: State[] | null = null;
  for (const set of sets)
    for (const state of set) {
      if (!out) {
        out = [state];
        continue;
      }
      const known = out.findIndex((one) => one === state || alike(one, state));
      if (known < 0) {
        if (out.length < MOST_STATES) out.push(state);
        else makeRoom(out, state);
      } else if (rank(state.certainty) < rank(out[known]!.certainty)) out[known] = state;
    }
  return out ?? [];
}

/** Of states that differ in what is open alone one goes for one that repeats, or stands in a transaction, as none of them does. */
function makeRoom(states: State[], state: State): void {
  if (states.some((one) => alikeButOpen(one, state))) return;
  const spare = states.findLastIndex((one, i) => states.findIndex((other) => alikeButOpen(other, one)) < i);
  if (spare > 0) states[spare] = state;
}

/** Of what is open on other connections nobody asks here. */
const alikeButOpen = (a: State, b: State): boolean =>
  a.server === b.server && alikeOn({ ...a.main, open: NONE_OPEN }, { ...b.main, open: NONE_OPEN });
const NONE_OPEN: Open[] = [];

/** Whether `key` says the same of both, all savepoints told apart. */
function alike(a: State, b: State): boolean {
  if (a.server !== b.server || a.others.size !== b.others.size || !alikeOn(a.main, b.main)) return false;
  if (a.others === b.others) return true;
  for (const [on, one] of a.others) {
    const other = b.others.get(on);
    if (!other || !alikeOn(one, other)) return false;
  }
  return true;
}

const alikeOn = (a: Connection, b: Connection): boolean =>
  a === b ||
  (a.tx === b.tx &&
    a.repeatedBy === b.repeatedBy &&
    turns(a.times) === turns(b.times) &&
    a.fresh === b.fresh &&
    a.joinable === b.joinable &&
    (a.open === b.open ||
      (a.open.length === b.open.length && a.open.every((o, i) => alikeOpen(o, b.open[i]!)))));

const alikeOpen = (a: Open, b: Open): boolean =>
  a === b || (a.site === b.site && a.many === b.many && a.emptied === b.emptied);

// ---- transitions

export const begun = (): Connection => ({ ...idle('yes'), fresh: true });

export function ended(connection: Connection, opensNext: boolean): Connection {
  return { ...idle(opensNext ? 'yes' : connection.tx === 'unknown' ? 'unknown' : 'no'), fresh: true };
}

export const contextOf = ({ tx, repeatedBy, times, open }: Connection): Context => ({
  inTransaction: tx,
  repeatedBy,
  times,
  depth: open.length,
});

/** What is told apart of that. */
export const wayOf = ({ inTransaction, repeatedBy, times, depth }: Context): string =>
  `${inTransaction} ${repeatedBy} ${times !== null && times <= PLACES} ${Math.min(depth, 3)}`;

type Opening = Omit<Open, 'many' | 'emptied' | 'under'> & Partial<Pick<Open, 'under'>>;

export function pushed(connection: Connection, open: Opening): Connection {
  const alike = connection.open.filter((o) => o.site === open.site && o.name === open.name);
  if (alike.length === MOST_ALIKE) {
    // The same place again and again, the former ones still open: they pile up. The newest entry stands for the rest of them.
    const newest = alike.at(-1)!;
    const rest = connection.open.filter((o) => o !== newest);
    return { ...connection, open: [...rest, { ...newest, many: true }] };
  }
  const more = [...connection.open, { under: contextOf(connection), ...open, many: false, emptied: false }];
  return { ...connection, tx: 'yes', open: more.length > MOST_OPEN ? more.slice(-MOST_OPEN) : more };
}

/** The innermost savepoint of this name, or of one that is computed; a computed name means the innermost of all. */
function find({ open }: Connection, name: string | null): number {
  const exact = name === null ? -1 : open.findLastIndex((o) => o.flat && o.name === name);
  return exact < 0 ? open.findLastIndex((o) => o.flat && (name === null || o.name === null)) : exact;
}

/** RELEASE ends the named one and all inside it. Of a pile it takes the newest, which leaves the pile. */
export function released(connection: Connection, name: string | null): { now: Connection; gone: Open[] } {
  const index = find(connection, name);
  if (index < 0) return { now: connection, gone: [] };
  const target = connection.open[index]!;
  const kept = connection.open.slice(0, target.many ? index + 1 : index);
  return { now: { ...connection, open: kept }, gone: connection.open.slice(index) };
}

/** ROLLBACK TO ends those inside, and the named one is there again, empty. */
export function rolledBack(
  connection: Connection,
  name: RollbackTo['name'],
): { now: Connection; gone: Open[] } {
  const index = find(connection, name);
  if (index < 0) return { now: connection, gone: [] };
  const kept = connection.open.slice(0, index);
  const again = { ...connection.open[index]!, emptied: true };
  return { now: { ...connection, open: [...kept, again] }, gone: connection.open.slice(index) };
}

/** One turn of a loop, or one row, after another. */
export function repeated(
  connection: Connection,
  by: NonNullable<Context['repeatedBy']>,
  turns: number | null,
): Connection {
  if (turns !== null && turns <= 1) return connection;
  if (connection.tx === 'no') return connection;
  const { repeatedBy, times, outside } = connection;
  const product = times === null || turns === null ? null : times * turns;
  // A loop over chunks is the mildest, whatever stands around it or inside.
  const kept = repeatedBy === 'chunks' && by !== 'chunks' ? null : repeatedBy;
  const often = { repeatedBy: by === 'loop' ? by : (kept ?? by), times: product };
  if (by !== 'loop' && by !== 'chunks') return { ...connection, ...often };
  return {
    ...connection,
    ...often,
    outside: { inner: { repeatedBy, times }, all: outside?.all ?? { repeatedBy, times } },
  };
}

/** What leaves the loop does so once in it: `outer` is of the loops further out, which it does not leave. */
export const leftLoop = (
  state: State,
  how: 'return' | 'break' | 'raise',
  outer: readonly Connection['outside'][] = [],
): State =>
  inLoop(state)
    ? eachConnection(state, (one) => {
        if (!one.outside || (how === 'break' && outer.includes(one.outside))) return one;
        return { ...one, ...(how === 'break' ? one.outside.inner : one.outside.all) };
      })
    : state;

/** As if no loop of the routine turned, nor one around the block in which it is. */
export function outOfLoops(state: State, home: State | undefined): State {
  const out = leftLoop(state, 'return');
  return home ? eachConnection(out, (one, on) => ({ ...one, ...get(home, on).outside?.all })) : out;
}

/** A loop of the routine is around. */
export const inLoop = ({ main, others }: State): boolean =>
  main.outside !== null || (others.size > 0 && [...others.values()].some(({ outside }) => outside !== null));

/** Nothing is open that its end could touch, and what would join does: where nothing opens, nothing is to be told. */
export const isPlain = ({ main, others }: State): boolean =>
  main.open.length === 0 &&
  main.joinable &&
  (others.size === 0 || [...others.values()].every(({ open, joinable }) => open.length === 0 && joinable));

export const isRepeated = ({ main, others }: State): boolean =>
  main.repeatedBy !== null ||
  (others.size > 0 && [...others.values()].some(({ repeatedBy }) => repeatedBy !== null));

/** The very same state where nothing is changed. */
export function eachConnection(
  state: State,
  change: (connection: Connection, on?: string) => Connection,
): State {
  const main = change(state.main);
  let others: Map<string, Connection> | null = null;
  for (const [on, one] of state.others) {
    const other = change(one, on);
    if (other !== one) others = (others ?? new Map(state.others)).set(on, other);
  }
  if (main === state.main && others === null) return state;
  return { ...state, main, others: others ?? state.others };
}

/** With such loops around; the very same where they are around already. */
function within(
  one: Connection,
  { repeatedBy, times, outside, fresh }: Pick<Connection, 'repeatedBy' | 'times' | 'outside' | 'fresh'>,
): Connection {
  const is =
    one.repeatedBy === repeatedBy && one.times === times && one.outside === outside && one.fresh === fresh;
  return is ? one : { ...one, repeatedBy, times, outside, fresh };
}

/** Whoever tries again does so a few times: what the tries since `before` left open when they failed is no pile. */
export const withoutFailures = (state: State, before: State | undefined): State =>
  connections(state).some(({ open }) => open.some(({ failed }) => failed))
    ? eachConnection(state, (one, on) => {
        const known = before ? get(before, on).open : [];
        return { ...one, open: one.open.filter((o) => !o.failed || known.includes(o)) };
      })
    : state;

/** What failed before it was sent: a savepoint that waits for its one statement was not sent either. */
export const withoutLone = (state: State): State =>
  connections(state).some(({ open }) => open.some(({ lone }) => lone))
    ? eachConnection(state, (one) => ({ ...one, open: one.open.filter(({ lone }) => !lone) }))
    : state;

/** As if no loop stood around. */
export const unrepeated = (state: State): State =>
  eachConnection(state, (one) =>
    within(one, { repeatedBy: null, times: 1, outside: null, fresh: one.fresh }),
  );

/** Repeated as it was before; what began meanwhile is not. */
export const repeatedAs = (state: State, before: State): State =>
  eachConnection(state, (one, on) => (one.fresh ? one : within(one, { ...get(before, on), fresh: false })));

/** In an arm that runs once in so many turns of the loop around, as in a loop over chunks of its items. */
export const everySo = (state: State): State =>
  eachConnection(state, (one) => (one.repeatedBy === 'loop' ? { ...one, repeatedBy: 'chunks' } : one));

/** As if nothing had ended since the innermost loop began. */
export const stale = (state: State): State =>
  eachConnection(state, (one) => (one.fresh ? { ...one, fresh: false } : one));

/** What is fresh of the connections, as it was before: it began meanwhile, and nothing repeats it yet. */
export const freshAs = (after: State, before: State): State =>
  before.others.size === 0 ? after : eachConnection(after, (one, on) => (one.fresh ? get(before, on) : one));

/** After a callee that was run without its caller's loops: they are around again for what did not begin in it. */
export const againIn = (after: State, before: State): State =>
  eachConnection(after, (one, on) => {
    const around = get(before, on);
    return one.fresh ? one : within(openedIn(one, around), around);
  });

/** What a callee opened the loops around its caller repeat. */
function openedIn(one: Connection, { repeatedBy, times, open }: Connection): Connection {
  if (repeatedBy === null || one.open.length <= open.length) return one;
  const again = ({ under, ...more }: Open): Open => ({
    ...more,
    under: {
      ...under,
      repeatedBy: under.repeatedBy ?? repeatedBy,
      times: times === null || under.times === null ? null : times * under.times,
    },
  });
  return { ...one, open: one.open.map((o, i) => (i < open.length ? o : again(o))) };
}

const NO_OPEN: Connection['open'] = [];
/** As if no subtransaction were open: inside the server a routine leaves those of its callers as they are. */
export const closed = (state: State): State =>
  state.main.open.length === 0 ? state : { ...state, main: { ...state.main, open: NO_OPEN } };

/** As `againIn`, after a callee that was run as if none were open. */
export function openAs(after: State, before: State): State {
  const { main, ...rest } = againIn(after, before);
  return { ...rest, main: main.fresh ? main : { ...main, open: before.main.open } };
}

/** Back in the caller its loops are around again. */
export const backIn = (state: State, before: State): State =>
  state !== before && (inLoop(state) || inLoop(before))
    ? eachConnection(state, (one, on) => within(one, { ...one, outside: get(before, on).outside }))
    : state;

/** A routine's own loops are what its RETURN leaves. */
export const entering = (state: State): State =>
  inLoop(state) ? eachConnection(state, (one) => within(one, { ...one, outside: null })) : state;

// What steps come to, and what two, a loop or a subtransaction of such come to: an algebra. Not which steps do what.
import type { Call, Exit, Step } from '../../ir.ts';
import type { Effects } from '../model.ts';
import type { Leaving } from '../settled/leaves.ts';
import { type Counts, each, following, NONE, plus, times, turns, undone } from './counts.ts';

/** What some steps do, once through. */
export interface Summary {
  writes: Effects['writes'];
  /** As far as it writes where nothing fails: not in a handler of WHEN OTHERS, which notes what nobody expected. */
  normally: Effects['writes'];
  /** Subtransactions that take one of the places, in the worst way through. */
  most: Counts;
  /** And those that do in every way through, where nothing fails that does not say so. */
  least: Counts;
  /** It ends the transaction; or does so on some ways. */
  resets: boolean;
  mayReset: boolean;
  /** It writes on every way through. */
  sure: boolean;
  /** Ways to leave the steps before their end. */
  ways: number;
  /** What counts on ways that leave the loop around, and once whoever repeats it: a loop does not multiply it. */
  leaving: Record<Way, number>;
  /** How often it runs the block it was given, and inside how many subtransactions that write nothing themselves. */
  yields: number;
  yieldsInside: number;
  /** How often it runs that block in every way through. */
  surely: number;
  /** It runs that block on a connection of its own. */
  apart: boolean;
  /** It may lock rows: explicitly, by an upsert, a foreign key, or a trigger that comes before. */
  locks: boolean;
  /** It opens subtransactions, whether they count or not. */
  opens: boolean;
  /** It opens such as may have anything inside: what writes, the block that it is given, or what follows where they stay open. */
  holds: boolean;
  /** Savepoints that are open at its end and count only once something behind it writes: at most, and on every way. */
  bare: Bare;
  /** It may release a savepoint that was open before it. */
  releases: boolean;
  waits: boolean;
  opaque: boolean;
}

interface Bare {
  most: number;
  least: number;
}

const BREAK = 1;
const CONTINUE = 2;
/** A RETURN, or EXIT with the label of something further out. */
const RETURN = 4;
export const RAISE = 8;
export const JUMPS = BREAK | CONTINUE | RETURN;

/** Besides those that leave: what runs once, in a loop, in all those of the routine, or wherever. */
type Way = Leaving | 'loop' | 'loops' | 'once';

/** All that counts in it, whoever calls it. */
export const worstOf = ({ most, leaving }: Summary): number => most.peak + leaving.once;

const NONE_BARE: Bare = { most: 0, least: 0 };
const bareOf = (most: number, least: number): Bare => (most + least === 0 ? NONE_BARE : { most, least });
const STAYS: Summary['leaving'] = { return: 0, break: 0, raise: 0, loop: 0, loops: 0, once: 0 };
export const NOTHING: Summary = {
  writes: 'no', normally: 'no', most: NONE, least: NONE, resets: false, mayReset: false, sure: false, ways: 0, leaving: STAYS,
  yields: 0, yieldsInside: 0, surely: 0, apart: false, locks: false, opens: false, holds: false, bare: NONE_BARE,
  releases: false, waits: false, opaque: false,
}; // biome-ignore format: the zero

/** A copy with something else in it. It has the shape of all: V8 gives each that is spread another one. */
export function but(a: Summary, other: Partial<Summary>): Summary {
  const { writes, normally, most, least, resets, mayReset, sure, ways, leaving } = a;
  const { yields, yieldsInside, surely, apart, locks, opens, holds, bare, releases, waits, opaque } = a;
  const copy: Summary = {
    writes, normally, most, least, resets, mayReset, sure, ways, leaving, yields, yieldsInside, surely, apart, locks, opens, holds,
    bare, releases, waits, opaque,
  }; // biome-ignore format: as the zero
  return Object.assign(copy, other);
}

export const UNGIVEN = { yields: 0, yieldsInside: 0, surely: 0 };
export const NO_PLACES = {
  most: NONE,
  least: NONE,
  leaving: STAYS,
  resets: false,
  mayReset: false,
  bare: NONE_BARE,
};
export const WRITES: Summary = but(NOTHING, { writes: 'yes', normally: 'yes' });
export const SURELY_WRITES: Summary = but(WRITES, { sure: true });
export const LOCKS: Summary = but(WRITES, { locks: true });
export const SURELY_LOCKS: Summary = but(LOCKS, { sure: true });
export const WAITS: Summary = but(NOTHING, { waits: true });
export const UNKNOWN: Summary = but(NOTHING, { writes: 'unknown', normally: 'unknown' });
export const OPAQUE: Summary = but(UNKNOWN, { opaque: true });
export const RESET: Summary = but(NOTHING, { resets: true, mayReset: true });
export const OPENS: Summary = but(NOTHING, { opens: true });
export const RELEASES: Summary = but(NOTHING, { releases: true });
export const YIELD: Summary = but(NOTHING, { yields: 1, surely: 1 });
export const EXITS: Record<Exit['how'], Summary> = {
  break: but(NOTHING, { ways: BREAK }),
  continue: but(NOTHING, { ways: CONTINUE }),
  return: but(NOTHING, { ways: RETURN }),
  raise: but(NOTHING, { ways: RAISE }),
};

const either = (a: Effects['writes'], b: Effects['writes']): Effects['writes'] =>
  a === 'yes' || b === 'yes' ? 'yes' : a === 'unknown' || b === 'unknown' ? 'unknown' : 'no';

function both(
  a: Summary['leaving'],
  b: Summary['leaving'],
  how: (x: number, y: number) => number,
): Summary['leaving'] {
  if (a === STAYS && b === STAYS) return STAYS;
  return {
    return: how(a.return, b.return),
    break: how(a.break, b.break),
    raise: how(a.raise, b.raise),
    loop: how(a.loop, b.loop),
    loops: how(a.loops, b.loops),
    once: how(a.once, b.once),
  };
}

type Flow = Pick<Summary, 'most' | 'least' | 'resets' | 'sure' | 'surely' | 'bare'>;

function merged(a: Summary, b: Summary, { most, least, resets, sure, surely, bare }: Flow): Summary {
  return {
    writes: either(a.writes, b.writes),
    normally: either(a.normally, b.normally),
    most,
    least,
    resets,
    mayReset: a.mayReset || b.mayReset,
    sure,
    ways: a.ways | b.ways,
    leaving: both(a.leaving, b.leaving, (x, y) => x + y),
    yields: a.yields + b.yields,
    yieldsInside: a.yieldsInside + b.yieldsInside,
    surely,
    apart: a.apart || b.apart,
    locks: a.locks || b.locks,
    opens: a.opens || b.opens,
    holds: a.holds || b.holds,
    bare,
    releases: a.releases || b.releases,
    waits: a.waits || b.waits,
    opaque: a.opaque || b.opaque,
  };
}

export function andThen(a: Summary, b: Summary): Summary {
  if (a === NOTHING) return b;
  if (b === NOTHING || addsNothing(a, b)) return a;
  const goesOn = (a.ways & JUMPS) === 0;
  const { most, least } = behind(a.bare, b);
  const flows = following(a.most, most, a.resets, b.resets);
  return merged(a, b, {
    most: b.resets && !a.resets ? orLeft(a, flows) : flows,
    // Where a way leaves before it, nobody knows whether `b` runs.
    least: following(a.least, goesOn ? least : NONE, a.mayReset, b.mayReset),
    bare: stillBare(a, b),
    resets: a.resets || b.resets,
    sure: a.sure || (goesOn && b.sure),
    surely: a.surely + (goesOn ? b.surely : 0),
  });
}

/** What has left before an end of the transaction has taken its places in what that ends. */
function orLeft({ leaving, most }: Summary, flows: Counts): Counts {
  if (leaving === STAYS) return flows;
  const gone = WHOLE.reduce((sum, way) => sum + leaving[way], most.tail);
  return { ...flows, head: Math.max(flows.head, gone), peak: Math.max(flows.peak, gone) };
}

/** What comes to count with it: savepoints around that nothing had written in. What may release them asks for none. */
const behind = (bare: Bare, b: Summary): Pick<Summary, 'most' | 'least'> =>
  bare === NONE_BARE
    ? b
    : {
        most: b.writes === 'yes' ? around(b.most, bare.most, b.resets) : b.most,
        least: b.sure && !b.releases ? around(b.least, bare.least, b.mayReset) : b.least,
      };

/** So many more that are open around it, up to its first end of a transaction. */
function around(a: Counts, more: number, ends: boolean): Counts {
  if (!ends) return plus(a, more);
  const head = a.head + more;
  return { ...a, head, peak: Math.max(a.peak, head) };
}

function stillBare(a: Summary, b: Summary): Bare {
  if (a.bare === NONE_BARE) return b.bare;
  const gone = b.releases || b.resets;
  const most = gone || b.writes === 'yes' ? 0 : a.bare.most;
  const least = gone || b.mayReset || b.writes !== 'no' || a.ways & JUMPS ? 0 : a.bare.least;
  return bareOf(most + b.bare.most, least + b.bare.least);
}

/** It takes no places and leads nowhere, and what else it does `a` does too: of a script most is so. */
function addsNothing(a: Summary, b: Summary): boolean {
  return (
    either(a.writes, b.writes) === a.writes &&
    either(a.normally, b.normally) === a.normally &&
    b.most === NONE &&
    b.least === NONE &&
    !b.resets &&
    !b.mayReset &&
    (!b.sure || a.sure) &&
    b.ways === 0 &&
    b.leaving === STAYS &&
    b.yields === 0 &&
    b.yieldsInside === 0 &&
    !b.apart &&
    (!b.locks || a.locks) &&
    (!b.opens || a.opens) &&
    (!b.holds || a.holds) &&
    a.bare === NONE_BARE &&
    b.bare === NONE_BARE &&
    (!b.releases || a.releases) &&
    (!b.waits || a.waits) &&
    (!b.opaque || a.opaque)
  );
}

export function or(a: Summary, b: Summary): Summary {
  const resets = a.resets && b.resets;
  const most = each(a.most, b.most, Math.max);
  const sum = merged(a, b, {
    // Where only one of them ends the transaction, the other way goes on.
    most: resets || !(a.resets || b.resets) ? most : { ...most, head: Math.max(most.head, most.peak) },
    least: each(a.least, b.least, Math.min),
    resets,
    sure: a.sure && b.sure,
    surely: Math.min(a.surely, b.surely),
    bare: eitherBare(a.bare, b.bare),
  });
  sum.leaving = both(a.leaving, b.leaving, Math.max);
  sum.yields = Math.max(a.yields, b.yields);
  sum.yieldsInside = Math.max(a.yieldsInside, b.yieldsInside);
  return sum;
}

const eitherBare = (a: Bare, b: Bare): Bare =>
  a === b ? a : bareOf(Math.max(a.most, b.most), Math.min(a.least, b.least));

const BREAKS: readonly Way[] = ['break', 'loop'];
export const RAISES: readonly Way[] = ['raise'];
const ALL: readonly Way[] = ['return', 'break', 'raise', 'loop', 'loops'];
export const WHOLE: readonly Way[] = [...ALL, 'once'];

/** What ran once went on: its places are still taken where the rest is at its worst, which may give its own back. */
const WENT_ON: ReadonlySet<Way> = new Set(['loop', 'loops', 'once']);

/** Outside of loops a way that leaves is a way like others. */
export function settled(a: Summary, hows: readonly Way[] = ALL): Summary {
  if (a.leaving === STAYS) return a;
  let [taken, more] = [0, 0];
  for (const how of hows)
    if (WENT_ON.has(how)) taken += a.leaving[how];
    else more += a.leaving[how];
  if (taken + more === 0) return a;
  const leaving = { ...a.leaving };
  for (const how of hows) leaving[how] = 0;
  const behind = (count: number): Counts => ({ head: count, peak: count, tail: count });
  const most = following(a.most, behind(a.resets ? more + taken : more), a.resets, false);
  return but(a, { most: a.resets ? most : plus(most, taken), leaving });
}

/** What stands before a RETURN, a way out of the loop. */
export function left(a: Summary, how: Way): Summary {
  if (a.resets) return a;
  return but(a, {
    most: NONE,
    bare: NONE_BARE,
    leaving: { ...a.leaving, [how]: a.leaving[how] + a.most.peak },
  });
}

export function loop(a: Summary, count: number | null, atMost = false): Summary {
  if (a === NOTHING || count === 0) return NOTHING;
  const n = count ?? Number.POSITIVE_INFINITY;
  // What leaves the loop may do so in its first turn; and what has no number may have no turn at all.
  const sure = count === null || atMost ? 0 : (a.ways & (BREAK | RETURN)) > 0 ? Math.min(n, 1) : n;
  const again = behind(a.bare, a);
  const whole = but(a, {
    most: inTurns(a.most, again.most, n, a.resets),
    least: inTurns(a.least, again.least, sure, a.mayReset),
    bare: bareOf(
      a.writes === 'yes' || a.resets || a.releases ? a.bare.most : times(a.bare.most, n),
      a.writes === 'no' && !a.mayReset && !a.releases ? times(a.bare.least, sure) : 0,
    ),
    resets: a.resets && n > 0,
    sure: a.sure && sure > 0,
    ways: a.ways & ~(BREAK | CONTINUE),
    yields: times(a.yields, n),
    yieldsInside: times(a.yieldsInside, n),
    surely: times(a.surely, sure),
  });
  return settled(whole, BREAKS);
}

/** The first turn, and those that follow where what it left open is around them. */
const inTurns = (first: Counts, again: Counts, n: number, ends: boolean): Counts =>
  first === again || n < 2 ? turns(first, n, ends) : following(first, turns(again, n - 1, ends), ends, ends);

export function subtransaction(a: Summary, surely: boolean): Summary {
  const inside = a.yields > 0 && a.writes !== 'yes' ? 1 : 0;
  return but(a, {
    most: plus({ ...a.most, head: a.most.peak }, a.writes === 'yes' ? 1 : 0),
    least: plus(a.least, a.sure && surely ? 1 : 0),
    resets: false,
    yieldsInside: a.yieldsInside + inside,
    opens: true,
    holds: a.holds || a.writes === 'yes' || a.yields > 0,
    bare: NONE_BARE,
    releases: false,
  });
}

/** One that nobody ends here: what follows runs in it, and it counts once something writes. */
function leftOpen(a: Summary): Summary {
  const { bare, releases, yields, writes, sure } = a;
  const known = releases || yields > 0;
  return but(subtransaction(a, true), {
    holds: true,
    bare: bareOf(bare.most + (known || writes === 'yes' ? 0 : 1), bare.least + (known || sure ? 0 : 1)),
  });
}

/** Savepoints that are open within one list of steps, over its ground. */
export interface Level {
  name: string | null;
  sum: Summary;
}

/** Ends the savepoints above this level as RELEASE does: those that wrote count, and so do the ones around them. */
export function folded(open: Level[], level: number, end = (a: Summary) => subtransaction(a, true)): Summary {
  while (open.length > level + 1) {
    const { sum } = open.pop()!;
    const below = open.at(-1)!;
    below.sum = andThen(below.sum, end(sum));
  }
  return open[level]!.sum;
}

/** What the list comes to: those that are open at its end stay so. */
export const listed = (open: Level[]): Summary => folded(open, 0, leftOpen);

/** Whether the step ended savepoints of this list. */
export function control(open: Level[], step: Step): boolean {
  if (step.kind === 'savepoint') open.push({ name: step.name, sum: NOTHING });
  else if (step.kind === 'commit' || step.kind === 'rollback') folded(open, 0);
  else if (step.kind === 'begin') {
    if (!step.implied) folded(open, 0);
  } else if (step.kind === 'release' || step.kind === 'rollback to') {
    const index = open.findLastIndex((one, i) => i > 0 && (step.name === null || one.name === step.name));
    if (index < 0) return false;
    if (step.kind === 'release') folded(open, index - 1);
    else {
      const name = open[index]!.name;
      const gone = subtransaction(folded(open, index), true);
      open.length = index;
      // The transaction ID that those around it got for its sake stays with them.
      open[index - 1]!.sum = andThen(open[index - 1]!.sum, rolledBack(gone));
      open.push({ name, sum: NOTHING });
    }
    return true;
  }
  return false;
}

/** Its places are free again; that it was there stays, and so does the flag of an overflow. */
export const rolledBack = (a: Summary): Summary => {
  const { most, least } = settled(a, WHOLE);
  return but(a, { most: undone(most), least: undone(least), leaving: STAYS, resets: false, bare: NONE_BARE });
};

const sameCounts = (a: Counts, b: Counts): boolean =>
  a.head === b.head && a.peak === b.peak && a.tail === b.tail;

export function same(a: Summary, b: Summary): boolean {
  const keys = Object.keys(a) as (keyof Summary)[];
  return keys.every((key) => {
    if (key === 'most' || key === 'least') return sameCounts(a[key], b[key]);
    if (key === 'bare') return a.bare.most === b.bare.most && a.bare.least === b.bare.least;
    if (key === 'leaving') return WHOLE.every((way) => a.leaving[way] === b.leaving[way]);
    return a[key] === b[key];
  });
}

/** Somebody may end what it leaves open. */
export const maybeBare = (a: Summary): Summary =>
  a.bare.least === 0 ? a : but(a, { bare: bareOf(a.bare.most, 0) });

/** It may not run. */
export const unsure = (a: Summary): Summary =>
  a.least === NONE && !a.sure && a.surely === 0 && a.bare.least === 0
    ? a
    : but(a, { least: NONE, sure: false, surely: 0, bare: bareOf(a.bare.most, 0) });

export const UNBOUNDED: Counts = { head: Infinity, peak: Infinity, tail: Infinity };

/** A callee does not run the block that it is given, or it says that it runs it later and does not on all its ways. */
export const isKept = (
  { later }: Pick<Call, 'later'>,
  { yields, surely }: Summary,
  keepsBlock?: boolean,
): boolean => (later && keepsBlock !== false ? surely === 0 : keepsBlock === true && yields === 0);

/** What is given to somebody who runs it so often: in the worst way through, and in every one. */
export function given(a: Summary, most: number, surely: number): Summary {
  if (a === NOTHING || most === surely) return loop(a, most);
  const least = turns(a.least, surely, a.mayReset);
  return but(loop(a, most), { least, sure: a.sure && surely > 0, surely: times(a.surely, surely) });
}

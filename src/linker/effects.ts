// What a stretch of steps does, bottom up through callees and triggers: whether it writes, how many subtransactions count. Not in which context.

import type { Attempt, Exit, Loop, Read, Scope, Step, Write } from '../ir.ts';
import { batchOf } from './batches.ts';
import { components } from './components.ts';
import { type Counts, each, following, NONE, plus, times, turns, undone } from './counts.ts';
import { closure, type Fired, firings, type Graph } from './graph.ts';
import { type Leaving, leaves } from './leaves.ts';
import type { Effects } from './model.ts';
import type { Linked, Program } from './program.ts';
import { catchesAll } from './run.ts';

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
  /** It runs that block on a connection of its own. */
  apart: boolean;
  /** It may lock rows: explicitly, by an upsert, a foreign key, or a trigger that comes before. */
  locks: boolean;
  /** It opens subtransactions, whether they count or not. */
  opens: boolean;
  waits: boolean;
  opaque: boolean;
}

const BREAK = 1;
const CONTINUE = 2;
/** A RETURN, or EXIT with the label of something further out. */
const RETURN = 4;
const RAISE = 8;
const JUMPS = BREAK | CONTINUE | RETURN;

type Way = Leaving | 'once';

/** All that counts in it, whoever calls it. */
export const worstOf = ({ most, leaving }: Summary): number => most.peak + leaving.once;

const STAYS: Summary['leaving'] = { return: 0, break: 0, raise: 0, once: 0 };
const NOTHING: Summary = {
  writes: 'no', normally: 'no', most: NONE, least: NONE, resets: false, mayReset: false, sure: false, ways: 0, leaving: STAYS,
  yields: 0, yieldsInside: 0, apart: false, locks: false, opens: false, waits: false, opaque: false,
}; // biome-ignore format: the zero

/** A copy with something else in it. It has the shape of all: V8 gives each that is spread another one. */
function but(a: Summary, other: Partial<Summary>): Summary {
  const { writes, normally, most, least, resets, mayReset, sure, ways, leaving } = a;
  const { yields, yieldsInside, apart, locks, opens, waits, opaque } = a;
  const copy: Summary = {
    writes, normally, most, least, resets, mayReset, sure, ways, leaving, yields, yieldsInside, apart, locks, opens, waits, opaque,
  }; // biome-ignore format: as the zero
  return Object.assign(copy, other);
}

const UNGIVEN = { yields: 0, yieldsInside: 0 };
const NO_PLACES = { most: NONE, least: NONE, leaving: STAYS, resets: false, mayReset: false };
const WRITES: Summary = but(NOTHING, { writes: 'yes', normally: 'yes' });
const SURELY_WRITES: Summary = but(WRITES, { sure: true });
const LOCKS: Summary = but(WRITES, { locks: true });
const SURELY_LOCKS: Summary = but(LOCKS, { sure: true });
const WAITS: Summary = but(NOTHING, { waits: true });
const UNKNOWN: Summary = but(NOTHING, { writes: 'unknown', normally: 'unknown' });
const OPAQUE: Summary = but(UNKNOWN, { opaque: true });
const RESET: Summary = but(NOTHING, { resets: true, mayReset: true });
const OPENS: Summary = but(NOTHING, { opens: true });
const YIELD: Summary = but(NOTHING, { yields: 1 });
const EXITS: Record<Exit['how'], Summary> = {
  break: but(NOTHING, { ways: BREAK }),
  continue: but(NOTHING, { ways: CONTINUE }),
  return: but(NOTHING, { ways: RETURN }),
  raise: but(NOTHING, { ways: RAISE }),
};

/** Which routines an edit concerns, by index. */
export interface Concerned {
  /** They lead to what was changed: what they do may be something else. */
  above: Uint8Array;
  /** What they come to is something else now. */
  other: Set<number>;
}

export interface Summaries {
  of(linked: Linked): Summary;
  /** Of what they do on this connection; absent: on the default one. */
  ofSteps(steps: readonly Step[], file: string): Summary;
  /** The same for another connection than the default one. */
  on(connection: string | undefined): Summaries;
  /** After bodies were changed: what they and those above them come to now. */
  renew(changed: readonly Linked[]): Concerned;
}

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
    once: how(a.once, b.once),
  };
}

type Flow = Pick<Summary, 'most' | 'least' | 'resets' | 'sure'>;

function merged(a: Summary, b: Summary, { most, least, resets, sure }: Flow): Summary {
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
    apart: a.apart || b.apart,
    locks: a.locks || b.locks,
    opens: a.opens || b.opens,
    waits: a.waits || b.waits,
    opaque: a.opaque || b.opaque,
  };
}

function then(a: Summary, b: Summary): Summary {
  if (a === NOTHING) return b;
  if (b === NOTHING || addsNothing(a, b)) return a;
  const goesOn = (a.ways & JUMPS) === 0;
  return merged(a, b, {
    most: following(a.most, b.most, a.resets, b.resets),
    // Where a way leaves before it, nobody knows whether `b` runs.
    least: following(a.least, goesOn ? b.least : NONE, a.mayReset, b.mayReset),
    resets: a.resets || b.resets,
    sure: a.sure || (goesOn && b.sure),
  });
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
    (!b.waits || a.waits) &&
    (!b.opaque || a.opaque)
  );
}

function or(a: Summary, b: Summary): Summary {
  const resets = a.resets && b.resets;
  const most = each(a.most, b.most, Math.max);
  const sum = merged(a, b, {
    // Where only one of them ends the transaction, the other way goes on.
    most: resets || !(a.resets || b.resets) ? most : { ...most, head: Math.max(most.head, most.peak) },
    least: each(a.least, b.least, Math.min),
    resets,
    sure: a.sure && b.sure,
  });
  sum.leaving = both(a.leaving, b.leaving, Math.max);
  sum.yields = Math.max(a.yields, b.yields);
  sum.yieldsInside = Math.max(a.yieldsInside, b.yieldsInside);
  return sum;
}

const BREAKS: readonly Way[] = ['break'];
const RAISES: readonly Way[] = ['raise'];
const ALL: readonly Way[] = ['return', 'break', 'raise'];
const WHOLE: readonly Way[] = [...ALL, 'once'];

/** Outside of loops a way that leaves is a way like others. */
function settled(a: Summary, hows: readonly Way[] = ALL): Summary {
  if (a.leaving === STAYS) return a;
  let more = 0;
  for (const how of hows) more += a.leaving[how];
  if (more === 0) return a;
  const leaving = { ...a.leaving };
  for (const how of hows) leaving[how] = 0;
  const gone = { head: more, peak: more, tail: more };
  return but(a, { most: following(a.most, gone, a.resets, false), leaving });
}

/** What stands before a RETURN, a way out of the loop. */
function left(a: Summary, how: Way): Summary {
  if (a.resets) return a;
  return but(a, { most: NONE, leaving: { ...a.leaving, [how]: a.leaving[how] + a.most.peak } });
}

function loop(a: Summary, count: number | null, atMost = false): Summary {
  if (a === NOTHING) return a;
  const n = count ?? Number.POSITIVE_INFINITY;
  // What leaves the loop may do so in its first turn; and what has no number may have no turn at all.
  const sure = count === null || atMost ? 0 : (a.ways & (BREAK | RETURN)) > 0 ? Math.min(n, 1) : n;
  const whole = but(a, {
    most: turns(a.most, n, a.resets),
    least: turns(a.least, sure, a.mayReset),
    resets: a.resets && n > 0,
    sure: a.sure && sure > 0,
    ways: a.ways & ~(BREAK | CONTINUE),
    yields: times(a.yields, n),
    yieldsInside: times(a.yieldsInside, n),
  });
  return settled(whole, BREAKS);
}

function subtransaction(a: Summary, surely: boolean): Summary {
  const inside = a.yields > 0 && a.writes !== 'yes' ? 1 : 0;
  return but(a, {
    most: plus({ ...a.most, head: a.most.peak }, a.writes === 'yes' ? 1 : 0),
    least: plus(a.least, a.sure && surely ? 1 : 0),
    resets: false,
    yieldsInside: a.yieldsInside + inside,
    opens: true,
  });
}

/** Savepoints that are open within one list of steps, over its ground. */
interface Level {
  name: string | null;
  sum: Summary;
}

/** Ends the savepoints above this level as RELEASE does: those that wrote count, and so do the ones around them. */
function folded(open: Level[], level: number): Summary {
  while (open.length > level + 1) {
    const { sum } = open.pop()!;
    const below = open.at(-1)!;
    below.sum = then(below.sum, subtransaction(sum, true));
  }
  return open[level]!.sum;
}

function control(open: Level[], step: Step): void {
  if (step.kind === 'savepoint') open.push({ name: step.name, sum: NOTHING });
  else if (step.kind === 'commit' || step.kind === 'begin' || step.kind === 'rollback') folded(open, 0);
  else if (step.kind === 'release' || step.kind === 'rollback to') {
    const index = open.findLastIndex((one, i) => i > 0 && (step.name === null || one.name === step.name));
    if (index < 0) return;
    if (step.kind === 'release') folded(open, index - 1);
    else {
      const name = open[index]!.name;
      const gone = subtransaction(folded(open, index), true);
      open.length = index;
      // The transaction ID that those around it got for its sake stays with them.
      open[index - 1]!.sum = then(open[index - 1]!.sum, rolledBack(gone));
      open.push({ name, sum: NOTHING });
    }
  }
}

/** Its places are free again; that it was there stays, and so does the flag of an overflow. */
const rolledBack = (a: Summary): Summary =>
  but(a, { most: undone(a.most), least: undone(a.least), leaving: STAYS, resets: false });

const sameCounts = (a: Counts, b: Counts): boolean =>
  a.head === b.head && a.peak === b.peak && a.tail === b.tail;

function same(a: Summary, b: Summary): boolean {
  const keys = Object.keys(a) as (keyof Summary)[];
  return keys.every((key) => {
    if (key === 'most' || key === 'least') return sameCounts(a[key], b[key]);
    if (key === 'leaving') return WHOLE.every((way) => a.leaving[way] === b.leaving[way]);
    return a[key] === b[key];
  });
}

/** It may not run. */
const unsure = (a: Summary): Summary =>
  a.least === NONE && !a.sure ? a : but(a, { least: NONE, sure: false });

const UNBOUNDED: Counts = { head: Infinity, peak: Infinity, tail: Infinity };

/** The number of rows, where it is known. */
const rowsOf = (step: Write): number | null => (step.rows === 'one' ? 1 : (step.times ?? null));

export function summarise(program: Program, graph: Graph): Summaries {
  const known: (Summary | undefined)[] = new Array(program.linked.length);
  const of = (linked: Linked) => known[linked.index] ?? NOTHING;
  /** What single steps come to, once all routines are known. */
  let final: WeakMap<Step, Summary> | null = null;
  /** Whose places are counted. */
  let connection: string | undefined;
  /** A callee opens what it opens on the default connection, as far as anybody keeps. */
  const called = (linked: Linked): Summary =>
    connection === undefined ? of(linked) : but(of(linked), NO_PLACES);

  function list(steps: readonly Step[], file: string): Summary {
    let sum = NOTHING;
    let open: Level[] | null = null;
    for (const step of steps) {
      const summary = one(step, file);
      if (step.kind === 'savepoint' && summary === OPENS) open ??= [{ name: null, sum }];
      if (open) {
        if (step.on === connection) control(open, step);
        const top = open.at(-1)!;
        top.sum = then(top.sum, summary);
      } else sum = then(sum, summary);
      if (step.kind === 'exit') break; // what follows is never reached
    }
    if (open) sum = folded(open, 0);
    const how = sum.most.peak > 0 ? leaves(steps) : null;
    return how ? left(sum, how) : sum;
  }

  function one(step: Step, file: string): Summary {
    if (connection !== undefined) return found(step, file);
    let summary = final?.get(step);
    if (!summary) {
      summary = found(step, file);
      final?.set(step, summary);
    }
    return summary;
  }

  function found(step: Step, file: string): Summary {
    if (!graph.holds(step, file)) return step.kind === 'scope' ? list(step.body, file) : NOTHING;
    if (graph.tooDeep.has(step)) return OPAQUE;
    switch (step.kind) {
      case 'begin':
      case 'commit':
      case 'rollback':
        return step.on === connection ? RESET : NOTHING;
      case 'savepoint':
        return step.on === connection ? OPENS : NOTHING;
      case 'write':
        return written(step);
      case 'read':
        return graph.fires(step).reduce((sum, one) => then(sum, fired(one, step)), NOTHING);
      case 'row lock':
        return step.rows === 'none' ? NOTHING : LOCKS;
      case 'wait':
        return WAITS;
      case 'opaque':
        return OPAQUE;
      case 'yield':
        return YIELD;
      case 'exit':
        return step.label !== undefined && step.how !== 'raise' ? EXITS.return : EXITS[step.how];
      case 'call':
        return call(step, file);
      case 'scope':
        return scope(step, file);
      case 'attempt':
        return attempt(step, file);
      case 'loop':
        return repeated(step, list(step.body, file));
      case 'branch': {
        const arms = step.arms.map((arm) => list(arm, file));
        return step.exhaustive && arms.length > 0 ? arms.reduce(or) : arms.reduce(or, NOTHING);
      }
      case 'block':
        if (!step.once) return list(step.body, file);
        return unsure(left(settled(list(step.body, file)), step.once === true ? 'once' : 'break'));
      default:
        return NOTHING;
    }
  }

  function repeated(step: Loop, body: Summary): Summary {
    if (step.over === 'retry') return loop(body, 1);
    const batch = body.mayReset && !body.resets ? batchOf(step) : null;
    if (batch === null || (step.times !== null && step.times <= batch))
      return loop(body, step.times, step.atMost);
    return but(loop(body, step.times, step.atMost), { most: turns(body.most, batch, false) });
  }

  function written(step: Write): Summary {
    const triggers = graph.fires(step);
    // A trigger that comes before each row may take the row away.
    const kept = !triggers.some(({ to }) => to.trigger!.each === 'row' && to.trigger!.timing !== 'after');
    // DO UPDATE changes the row that it does not insert.
    const sureRows = step.onConflict !== 'nothing' && !step.atMost && rowsOf(step) !== null;
    const inserts = step.verb === 'insert' && sureRows;
    const sure = kept && (inserts || step.verb === 'ddl' || step.verb === 'truncate');
    const first = graph.locksFirst(step);
    let sum = first ? (sure ? SURELY_LOCKS : LOCKS) : sure ? SURELY_WRITES : WRITES;
    // LOCK … ACCESS EXCLUSIVE changes no row, and takes a transaction ID.
    if (step.rows === 'none' && step.verb !== 'ddl') sum = NOTHING;
    for (const one of triggers) {
      const summary = fired(one, step);
      const runs = one.certainty === 'certain' && (kept || one.to.trigger!.each === 'statement');
      sum = then(sum, runs ? summary : unsure(summary));
      for (let more = firings(step, one.to.trigger!); more > 1; more--) sum = then(sum, unsure(summary));
    }
    return sum;
  }

  function fired({ to }: Fired, step: Read | Write): Summary {
    return to.trigger!.each === 'row'
      ? loop(called(to), step.kind === 'write' ? rowsOf(step) : null, step.kind === 'write' && step.atMost)
      : called(to);
  }

  function call(step: Extract<Step, { kind: 'call' }>, file: string): Summary {
    if (step.elsewhere) return NOTHING;
    const { routines, meaning } = graph.target(step);
    const given = step.block ? list(step.block, file) : NOTHING;
    const one = ({ to }: { to: Linked }) =>
      handed(called(to), to.routine?.keepsBlock && of(to).yields === 0 ? NOTHING : given);
    if (routines.length === 1) return one(routines[0]!);
    if (routines.length > 0) return routines.map(one).reduce(or);
    if (meaning) return handed(list(meaning, file), given);
    return then(UNKNOWN, given);
  }

  /** A callee with the block that it was given. A callee that never yields may keep the block for later, or run it. */
  function handed(callee: Summary, given: Summary): Summary {
    if (callee.apart)
      return but(callee, { apart: given.yields > 0 || given.apart, waits: callee.waits || given.waits });
    if (given === NOTHING) return callee.yields > 0 ? but(callee, UNGIVEN) : callee;
    const open = given.writes === 'yes' ? callee.yieldsInside : 0;
    const own = but(callee, UNGIVEN);
    const whole = then(own, loop(given, callee.yields || 1));
    return but(whole, { most: plus(whole.most, open) });
  }

  function attempt(step: Attempt, file: string): Summary {
    const caught = step.handlers.length > 0;
    const body = settled(list(step.body, file), caught ? RAISES : []);
    const handled = step.handlers.map((handler) => list(handler.body, file)).reduce(or, NOTHING);
    const whole = then(body, unsure(handled));
    return then(
      caught && body.ways & RAISE ? unsure(whole) : whole,
      step.finally ? list(step.finally, file) : NOTHING,
    );
  }

  function scope(step: Scope, file: string): Summary {
    const body = list(step.body, file);
    const fails =
      (step.handlers ?? []).length > 0 &&
      step.body.some((last) => last.kind === 'exit' && last.how === 'raise');
    const handled = (step.handlers ?? []).map((handler) => {
      const sum = list(handler.body, file);
      return fails || sum.normally === 'no' || !catchesAll(handler) ? sum : but(sum, { normally: 'unknown' });
    });
    const apart = step.opens !== 'subtransaction' && /^(separate|refuse)$/.test(step.whenNested);
    if (apart || step.on !== connection) {
      // Another connection: what it opens takes no place of this one.
      const { waits, opaque, yields } = body;
      const own = apart ? but(NOTHING, { waits, opaque, apart: yields > 0 }) : body;
      return handled.reduce(or, own);
    }
    const surely = step.opens === 'subtransaction' && !step.onMiss && !step.lazy && !step.certainty;
    const nested = step.opens === 'subtransaction' || step.whenNested === 'savepoint';
    const each = nested ? subtransaction(body, surely) : body;
    const whole = step.same ? unsure(left(settled(each), 'once')) : each;
    // One that succeeds only by leaving the loop counts once, however often it is tried.
    const how = leaves(step.body);
    const out = how ? left(whole, how) : whole;
    const opened = handled.length > 0 ? settled(out, RAISES) : out;
    const done = fails ? rolledBack(opened) : opened;
    // Nobody knows how far it came.
    const failed = unsure(rolledBack(whole));
    const caught = handled.reduce((sum, handler) => or(sum, then(failed, handler)), done);
    // A handler runs only where something fails; what fails without saying so is not counted on.
    return handled.length === 0 || body.ways & RAISE
      ? caught
      : { ...caught, least: done.least, sure: done.sure };
  }

  /** Whether a loop stands around a call by which these routines reach each other. */
  function repeats(component: number[]): boolean {
    const members = new Set(component);
    const leads = (step: Step): boolean =>
      (step.kind === 'call' && graph.target(step).routines.some(({ to }) => members.has(to.index))) ||
      ((step.kind === 'write' || step.kind === 'read') &&
        graph.fires(step).some(({ to }) => members.has(to.index)));
    const inLoop = (steps: readonly Step[], within: boolean): boolean =>
      steps.some(
        (step) =>
          (within && leads(step)) ||
          graph
            .inside(step)
            .some((inner) => inLoop(inner, within || (step.kind === 'loop' && step.over !== 'retry'))),
      );
    return component.some((index) => inLoop(program.linked[index]!.body, false));
  }

  function findOf(component: number[]): void {
    const again = component.length > 1 || graph.leadsTo[component[0]!]!.includes(component[0]!);
    const round = () => {
      for (const index of component) {
        const { body, file } = program.linked[index]!;
        const sum = settled(list(body, file));
        known[index] = sum.ways & JUMPS ? but(sum, { ways: sum.ways & RAISE }) : sum;
      }
    };
    round();
    if (!again) return;
    const first = component.map((index) => known[index]!.most.peak);
    round();
    const deep = component.some((index) => program.linked[index]!.server) || repeats(component);
    component.forEach((index, i) => {
      // What grows with each turn of a recursion has no bound. A program that calls itself without a loop asks a flag
      // first and ends soon: a model's save() that saves what it made.
      const summary = known[index]!;
      if (deep && summary.most.peak > first[i]! && !summary.resets)
        known[index] = but(summary, { most: UNBOUNDED });
    });
    round();
  }

  for (const component of components(graph.leadsTo)) findOf(component);
  final = new WeakMap();

  /** A routine is looked at again where it was changed, or one that it leads to comes to something else. */
  function renew(changed: readonly Linked[]): Concerned {
    const now = new Set(changed.map(({ index }) => index));
    const above = closure(now, graph.calledFrom);
    const other = new Set<number>();
    const steps = final!;
    final = null;
    for (const component of components(graph.leadsTo, above)) {
      if (!component.some((index) => now.has(index) || graph.leadsTo[index]!.some((to) => other.has(to))))
        continue;
      const before = component.map((index) => known[index]!);
      for (const index of component) {
        known[index] = undefined;
        forget(program.linked[index]!.body, steps);
      }
      findOf(component);
      component.forEach((index, i) => {
        if (same(known[index]!, before[i]!)) known[index] = before[i]!;
        else other.add(index);
      });
    }
    final = steps;
    return { above, other };
  }

  function forget(body: readonly Step[], known: WeakMap<Step, Summary>): void {
    const stack = [body];
    for (let steps = stack.pop(); steps; steps = stack.pop())
      for (const step of steps) {
        known.delete(step);
        stack.push(...graph.inside(step));
      }
  }

  const summaries = (on: string | undefined): Summaries => ({
    of: (linked) => (on === undefined ? of(linked) : but(of(linked), NO_PLACES)),
    ofSteps(steps, file) {
      connection = on;
      const sum = settled(list(steps, file), WHOLE);
      connection = undefined;
      return sum;
    },
    on: (other) => (other === undefined ? main : summaries(other)),
    renew,
  });
  const main = summaries(undefined);
  return main;
}

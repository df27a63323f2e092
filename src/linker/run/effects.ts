// What a stretch of steps does, bottom up through callees and triggers: whether it writes, how many subtransactions count. Not in which context.
import type { Attempt, Block, Loop, Read, Scope, Step, Write, Yield } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { components } from '../graph/components.ts';
import { type Fired, rowsOf } from '../graph/fired.ts';
import { firings, isInstead } from '../graph/firing.ts';
import { ASKS, closure, type Graph } from '../graph/graph.ts';
import { leaves, leavesAtOnce, turning } from '../settled/leaves.ts';
import { batchOf } from './batches.ts';
import { createYields, partFor } from './closures.ts';
import { NONE, plus, turns } from './counts.ts';
import { catchesAll, type Given } from './run.ts';
import {andThen,
  but, control, EXITS, given, isKept, JUMPS, type Level, LOCKS, left, listed, loop, maybeBare, NO_PLACES, NOTHING, OPAQUE, OPENS, or, RAISE,
  RAISES, RELEASES, RESET, rolledBack, SURELY_LOCKS, SURELY_WRITES, type Summary, same, settled, subtransaction, 
  UNBOUNDED, UNGIVEN, UNKNOWN, unsure, WAITS, WHOLE, WRITES, YIELD,
} from './summary.ts'; // biome-ignore format: one list

/** Which routines an edit concerns, by index. */
export interface Concerned {
  /** They lead to what was changed: what they do may be something else. */
  above: Uint8Array;
  /** What they come to is something else now. */
  other: Set<number>;
}

export interface Summaries {
  of(linked: Linked): Summary;
  /** Of what they do on this connection; absent: on the default one. Their yields run what is given, if anything is. */
  ofSteps(steps: readonly Step[], file: string, block?: Given | null): Summary;
  /** What opens a subtransaction writes nothing as a caller comes to it, for what its arguments decided or for the block that it hands over. */
  isIdle(step: Step, file: string, block: Given | null): boolean;
  /** The same for another connection than the default one. */
  on(connection: string | undefined): Summaries;
  /** After bodies were changed: what they and those above them come to now. */
  renew(changed: readonly Linked[]): Concerned;
}

/** What runs in one turn is counted once, beside what the loop repeats. */
const RUNS_ONCE: Record<string, 'loop' | 'loops'> = { 'in loop': 'loop', 'in loops': 'loops' };

/** What stays open is around all that follows, and that writes. */
const counted = (a: Summary): Summary =>
  a.bare.most === 0 ? a : but(a, { most: plus(a.most, a.bare.most) });

export function summarise(program: Program, graph: Graph): Summaries {
  const known: (Summary | undefined)[] = new Array(program.linked.length);
  const of = (linked: Linked) => known[linked.index] ?? asked(linked.index);
  /** The components below a routine of which nothing is known, callees first; until somebody leads elsewhere. */
  let below: ((root: number) => number[][]) | null = null;
  /** What single steps come to, where what they lead to is known. */
  let final: WeakMap<Step, Summary> | null = new WeakMap();
  /** Whose places are counted. */
  let connection: string | undefined;
  /** What yields run, where that is known. */
  let block: Given | null = null;
  const yields = createYields(graph);
  /** A callee opens what it opens on the connection that it is handed, or the default one, as far as anybody keeps. */
  const called = (linked: Linked, on: string | undefined): Summary =>
    on === connection ? of(linked) : but(of(linked), NO_PLACES);

  function list(steps: readonly Step[], file: string): Summary {
    const all = steps.some(leavesOpen) ? steps.flatMap(opened) : steps;
    const sum = sumOf(all, file);
    const how = sum.most.peak > 0 ? leaves(all) : null;
    if (!how) return sum;
    const again = turning(all);
    return again === 0
      ? left(sum, how)
      : andThen(sumOf(all.slice(0, again), file), left(sumOf(all.slice(again), file), how));
  }

  /** As if the loop around turned again behind them. */
  function sumOf(steps: readonly Step[], file: string): Summary {
    let sum = NOTHING;
    let open: Level[] | null = null;
    for (const step of steps) {
      const summary = one(step, file);
      if (step.kind === 'savepoint' && summary === OPENS) open ??= [{ name: null, sum }];
      if (open) {
        const own = step.on === connection && control(open, step);
        const top = open.at(-1)!;
        if (!own) top.sum = andThen(top.sum, summary);
      } else sum = andThen(sum, summary);
      if (step.kind === 'exit') break; // what follows is never reached
    }
    return open ? listed(open) : sum;
  }

  function one(step: Step, file: string): Summary {
    if (connection !== undefined || (block && yields.inOne(step))) return found(step, file);
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
        return step.on === connection && !step.implied ? RESET : NOTHING;
      case 'commit':
      case 'rollback':
        return step.on === connection ? RESET : NOTHING;
      case 'savepoint':
        return step.on === connection ? OPENS : NOTHING;
      case 'release':
        return step.on === connection ? RELEASES : NOTHING;
      case 'write':
        return written(step);
      case 'read':
        return graph.fires(step).reduce((sum, one) => andThen(sum, fired(one, step)), NOTHING);
      case 'row lock':
        return step.rows === 'none' ? NOTHING : LOCKS;
      case 'wait':
        return WAITS;
      case 'opaque':
        return OPAQUE;
      case 'yield':
        return block ? yielded(block, step) : YIELD;
      case 'exit':
        // Out of a block that a callee runs it does more than end that.
        return step.past || step.leaves || step.out || (step.label !== undefined && step.how !== 'raise')
          ? EXITS.return
          : EXITS[step.how];
      case 'call':
        return step.perhaps ? or(NOTHING, call(step, file)) : call(step, file);
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
        return once(step, graph.once(step, file), file);
      default:
        return NOTHING;
    }
  }

  function within<T>(given: Given | null, find: () => T): T {
    const around = block;
    block = given;
    const value = find();
    block = around;
    return value;
  }

  function yielded({ steps, linked, by }: Given, step: Yield): Summary {
    const sum = settled(within(by, () => list(partFor(steps, step), linked.file)));
    return sum.ways & JUMPS ? but(sum, { ways: sum.ways & RAISE }) : sum;
  }

  function once(step: Block, how: Block['once'], file: string): Summary {
    const body = list(step.body, file);
    return how ? unsure(left(counted(settled(body)), RUNS_ONCE[how as string] ?? 'once')) : body;
  }

  function repeated(step: Loop, body: Summary): Summary {
    if (step.over === 'retry') return loop(body, step.times === 0 ? 0 : 1);
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
    const sureRows =
      step.onConflict !== 'nothing' && !step.atMost && (step.rows === 'one' || step.times !== undefined);
    const inserts = step.verb === 'insert' && sureRows;
    const instead = triggers.find(({ to }) => isInstead(step, to.trigger!));
    const written = inserts || (step.verb === 'ddl' && !step.atMost) || step.verb === 'truncate';
    const sure = kept && !instead && written;
    const first = graph.locksFirst(step);
    let sum = first ? (sure ? SURELY_LOCKS : LOCKS) : sure ? SURELY_WRITES : WRITES;
    // LOCK … ACCESS EXCLUSIVE changes no row, and takes a transaction ID.
    if (step.rows === 'none' && step.verb !== 'ddl') sum = NOTHING;
    // What a rule or a trigger does instead is all that is done.
    if (instead?.certainty === 'certain') sum = NOTHING;
    for (const one of triggers) {
      const summary = fired(one, step);
      // What is deferred is forgotten where the statement is rolled back before COMMIT; an UPDATE may find no row.
      const { each, deferred } = one.to.trigger!;
      const runs = one.certainty === 'certain' && !deferred && (each === 'statement' || (kept && inserts));
      sum = andThen(sum, runs ? summary : unsure(summary));
      for (let more = firings(step, one.to.trigger!); more > 1; more--) sum = andThen(sum, unsure(summary));
    }
    return sum;
  }

  function fired(one: Fired, step: Read | Write): Summary {
    const sum = called(one.to, step.on);
    return one.to.trigger!.each === 'row'
      ? loop(sum, rowsOf(one, step), step.kind === 'write' && step.atMost)
      : sum;
  }

  function call(step: Extract<Step, { kind: 'call' }>, file: string): Summary {
    if (step.elsewhere) return NOTHING;
    const { routines, meaning } = graph.target(step);
    const inner = step.block ? list(step.block, file) : NOTHING;
    const one = ({ to }: { to: Linked }) =>
      to.routine?.declared
        ? andThen(UNKNOWN, inner)
        : handed(called(to, step.on), isKept(step, of(to), to.routine?.keepsBlock) ? NOTHING : inner);
    if (routines.length === 1) return one(routines[0]!);
    if (routines.length > 0) return routines.map(one).reduce(or);
    if (meaning)
      return handed(step.block ? within(null, () => list(meaning, file)) : list(meaning, file), inner);
    return andThen(UNKNOWN, inner);
  }

  /** A callee with the block that it was given. A callee that never yields may keep the block for later, or run it. */
  function handed(callee: Summary, block: Summary): Summary {
    if (callee.apart)
      return but(callee, { apart: block.yields > 0 || block.apart, waits: callee.waits || block.waits });
    if (block === NOTHING) return callee.yields > 0 ? but(callee, UNGIVEN) : callee;
    const own = but(callee, UNGIVEN);
    // What ends a savepoint around the block ends those that the block has left open.
    const inside = callee.opens ? maybeBare(block) : block;
    const whole = andThen(own, given(inside, callee.yields || 1, callee.surely));
    if (block.writes === 'yes') return but(whole, { most: plus(whole.most, callee.yieldsInside) });
    // A wrapper's block that runs the one which the wrapper was given: whether that writes, its caller knows.
    return block.yields > 0 ? but(whole, { yieldsInside: whole.yieldsInside + callee.yieldsInside }) : whole;
  }

  function attempt(step: Attempt, file: string): Summary {
    const caught = step.handlers.length > 0;
    const body = settled(list(step.body, file), caught ? RAISES : []);
    const handled = step.handlers.map((handler) => list(handler.body, file)).reduce(or, NOTHING);
    // Who names an error, and goes on, knows that it happens.
    const expects = step.handlers.some((one) => !catchesAll(one) && leaves(one.body) !== 'raise');
    const done = expects ? but(body, { least: NONE, sure: false }) : body;
    const whole = andThen(done, unsure(handled));
    return andThen(
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
    const how = leavesAtOnce(step.body);
    const out = how ? left(whole, how) : whole;
    const opened = handled.length > 0 ? settled(out, RAISES) : out;
    const done = fails ? rolledBack(opened) : opened;
    // Nobody knows how far it came.
    const failed = unsure(rolledBack(whole));
    const caught = handled.reduce((sum, handler) => or(sum, andThen(failed, handler)), done);
    // A handler runs only where something fails; what fails without saying so is not counted on.
    return handled.length === 0 || body.ways & RAISE
      ? caught
      : { ...caught, least: done.least, sure: done.sure, surely: done.surely };
  }

  /** Whether a loop stands around a call by which these routines reach each other. */
  function repeats(component: number[]): boolean {
    const members = new Set(component);
    const leads = (step: Step): boolean =>
      (step.kind === 'call' &&
        !step.elsewhere &&
        graph.target(step).routines.some(({ to }) => members.has(to.index))) ||
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

  /** Nobody asks for most routines, for they lead to nothing that matters: the others are found then, with those below. */
  function asked(index: number): Summary {
    below ??= components(graph.traits.length, graph.leadsTo, (to) => known[to] === undefined);
    const [steps, on] = [final, connection];
    final = null;
    connection = undefined;
    within(null, () => below!(index).forEach(findOf));
    final = steps;
    connection = on;
    return known[index]!;
  }

  /** Of routines that reach each other; what they lead to besides is known. In one order, whoever asked first. */
  function findOf(members: readonly number[]): void {
    const component = [...members].sort((a, b) => a - b);
    for (const index of component) known[index] = NOTHING;
    const again = component.length > 1 || graph.leadsTo(component[0]!).includes(component[0]!);
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

  /**
   * A routine is looked at again where it was changed, or one that it leads to comes to something else. For whom nobody
   * asked nobody knows anything.
   */
  function renew(changed: readonly Linked[]): Concerned {
    const now = new Set(changed.map(({ index }) => index));
    const above = closure(now, graph.calledFrom, graph.traits.length);
    // Whether those make what they asked for, they may say otherwise now.
    for (let index = 0; index < above.length; index++)
      if (above[index] && graph.traits[index]! & ASKS) now.add(index);
    const other = new Set<number>();
    const steps = final!;
    final = null;
    below = null;
    const among = components(graph.traits.length, graph.leadsTo, (to) => above[to] === 1);
    for (const component of program.linked.flatMap(({ index }) => (above[index] ? among(index) : []))) {
      if (!component.some((index) => now.has(index) || graph.leadsTo(index).some((to) => other.has(to))))
        continue;
      const before = component.map((index) => known[index]);
      for (const index of component) forget(program.linked[index]!.body, steps);
      if (before.every((one) => !one)) continue;
      for (const index of component) known[index] = NOTHING;
      for (const index of component) for (const to of graph.leadsTo(index)) of(program.linked[to]!);
      findOf(component);
      component.forEach((index, i) => {
        if (before[i] && same(known[index]!, before[i])) known[index] = before[i];
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
    ofSteps(steps, file, given = null) {
      connection = on;
      const sum = settled(
        within(given, () => list(steps, file)),
        WHOLE,
      );
      connection = undefined;
      return sum;
    },
    isIdle(step, file, block) {
      // What follows a savepoint that is never released is inside of it too.
      if (step.kind !== 'scope' || step.releases === 'never') return false;
      const given = block && yields.inOne(step) ? block : null;
      if (!given && graph.original(step) === step) return false;
      return main.on(step.on).ofSteps(step.body, file, given).writes === 'no';
    },
    on: (other) => (other === undefined ? main : summaries(other)),
    renew,
  });
  const main = summaries(undefined);
  return main;
}

/** A scope that joins what is around it ends no savepoint: what it leaves open, what follows runs in. */
const leavesOpen = (step: Step): step is Scope =>
  step.kind === 'scope' &&
  step.opens === 'transaction' &&
  step.whenNested === 'join' &&
  !step.handlers &&
  step.body.some(({ kind }) => kind === 'savepoint');
const opened = (step: Step): readonly Step[] => (leavesOpen(step) ? step.body.flatMap(opened) : [step]);

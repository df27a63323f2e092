// Runs one transaction in order, once, and finds where rows locked in one subtransaction are changed in another. Not which transactions there are.
import type { Certainty, ForeignKey, Loop, Savepoint, Scope, Step, Trigger, Write } from '../../ir.ts';
import { weaker } from '../certainty.ts';
import type { Linked } from '../definitions/program.ts';
import { isPerRow } from '../graph/fired.ts';
import type { Graph, Reference } from '../graph/graph.ts';
import type { Target } from '../names/names.ts';
import { partFor } from '../run/closures.ts';
import type { Summaries } from '../run/effects.ts';
import type { Begun } from '../run/record.ts';
import { catchesAll } from '../run/run.ts';
import { isKept } from '../run/summary.ts';
import { pushOn } from '../run/trail.ts';
import { leavesAtOnce, mayLeave } from '../settled/leaves.ts';
import { isSilent, saysCall, saysFired, saysLoop, saysOpening, saysWrite } from '../words.ts';
import { better, conflict, type Found } from './conflicts.ts';
import { type Contested, changes, KEY_SHARE, locksOwn, NO_KEY_UPDATE, STRENGTH } from './contested.ts';
import { type Held, type Level, type Locking, MOST_HELD, type Row, union, unionInDoubt } from './held.ts';
import {
  type Blocks,
  blocksOf,
  createSelves,
  isNewer,
  isSame,
  keysFor,
  type Owners,
  type Position,
  push,
  referring,
  startIn,
  yielded,
} from './positions.ts';
import { picksAlways, sameParent, sameRows } from './rows.ts';
import { inTermsOf, OWN_TERMS, termsOf } from './terms.ts';
import type { Touching } from './touching.ts';

const POSSIBLE: Certainty = 'possible';

type Leaving = Extract<Step, { kind: 'exit' }>;

const FLAT = /^(begin|commit|rollback|savepoint|release|rollback to|row lock|write)$/;

/** Loops over what there is, which may be nothing. */
const SOME = new Set<Loop['over']>(['rows', 'query', 'items', 'range']);

const MOST_DEPTH = 60;
/** How often one transaction looks into one routine: loops in loops come to it again and again. */
const MOST_TIMES = 200;
/** A recursion's second turn has all that there is between one turn and the next. */
const MOST_WITHIN = 2;
/** Deferred triggers that fire deferred triggers, which end somewhere. */
const MOST_ROUNDS = 4;

/** Runs one transaction; after `most` steps it stops. */
export function run(
  begun: Begun,
  steps: Step[],
  most: number,
  graph: Graph,
  summaries: Summaries,
  touching: Touching,
  contested: Contested,
  parentsOf: (step: Write) => Reference[],
  owners: Owners,
): { long: boolean; found: Found[] } {
  const found = new Map<string, Found>();
  const { on } = begun.step ?? {};
  let held: readonly Held[] = [];
  let levels: Level[] = [];
  /** What is held where a way leaves a loop, a block or a routine. */
  let left: { exit: Leaving; held: readonly Held[] }[] = [];
  let waiting: readonly { to: Linked; at: Position }[] = [];
  /** Nothing was sent since the transaction or the subtransaction began, which others may join. */
  let first = begun.step?.kind === 'scope' && begun.step.joinable !== false;
  let joinable = begun.step?.kind !== 'scope' || begun.step.joinable !== false;
  let ids = 0;
  let budget = most;
  let depth = 0;
  const selves = createSelves(owners);
  const inlined = new Map<number, number>();
  /** The blocks with which each routine is around the step that runs: what leads to another one each time is no recursion. */
  const within = new Map<number, readonly Blocks[]>();
  const level = (step: Savepoint | Scope, { linked, trail }: Position): Level => ({
    id: ++ids,
    name: step.name ?? null,
    flat: step.kind === 'savepoint',
    before: held,
    waiting: waiting.length,
    trail,
    told: () => ({ file: linked.file, at: step.at, says: saysOpening(step, linked) }),
  });

  function list(all: readonly Step[], at: Position): boolean {
    for (const step of touching.among(all, at.linked.file)) {
      if (step !== all[0]) first = false;
      if (budget-- <= 0 || !one(step, at)) return false;
      first = false;
    }
    return true;
  }

  /** False when nothing follows: an exit. */
  function one(step: Step, at: Position): boolean {
    if (!graph.holds(step, at.linked.file)) return step.kind === 'scope' ? list(step.body, at) : true;
    if (graph.tooDeep.has(step) || depth > MOST_DEPTH) return true;
    depth++;
    const certainty = weaker(at.certainty, step.certainty);
    const goesOn = act(step, certainty === at.certainty ? at : { ...at, certainty });
    depth--;
    return goesOn;
  }

  function act(step: Step, at: Position): boolean {
    // What another connection does is no part of this transaction.
    if (step.on !== on && FLAT.test(step.kind)) return true;
    switch (step.kind) {
      case 'begin':
        if (!step.implied) ends(false);
        return true;
      case 'commit':
      case 'rollback':
        ends(step.kind === 'commit');
        return true;
      case 'savepoint':
        levels = [...levels, level(step, at)];
        return true;
      case 'release':
      case 'rollback to':
        end(step.name, step.kind === 'rollback to');
        return true;
      case 'row lock':
        if (step.rows !== 'none') take(step, graph.relation(step), STRENGTH[step.strength], at);
        return true;
      case 'write':
        write(step, at);
        return true;
      case 'read':
        fires(step, at);
        return true;
      case 'call':
        call(step, at);
        return true;
      case 'yield':
        if (at.block) list(partFor(at.block.steps, step), yielded(at, at.block));
        return true;
      case 'scope':
        scope(step, at);
        return true;
      case 'attempt':
        attempt(step, at);
        return step.finally ? list(step.finally, at) : true;
      case 'loop': {
        if (step.times === 0) return true;
        const again = step.times !== 1 && step.over !== 'retry' && leavesAtOnce(step.body) === null;
        if (step.over !== 'retry') first = false;
        const trail = push(at, step, () => saysLoop(step, at.linked), again);
        const inside = { ...at, trail, repeated: at.repeated || again };
        // Where some way leaves the loop the first turn may be the last.
        const sure = mayLeave(step.body) ? weaker(at.certainty, 'likely') : at.certainty;
        const turns = () => {
          const turn = (as: Partial<Position>) =>
            list(step.body, { ...inside, ...as, turns: [...at.turns, ++ids] });
          if (leavesAny(() => turn({})) && again) turn({ certainty: sure, again: true });
          arrive(({ how, label }) => how !== 'return' && (label === undefined || label === step.label));
          return true;
        };
        // Where there are no rows and no items it does not turn.
        const mayNot = (step.times === null || step.atMost) && SOME.has(step.over);
        return mayNot ? either([turns, () => true], 'likely') : turns();
      }
      case 'branch': {
        const inside = at.again ? { ...at, certainty: weaker(at.certainty, 'likely') } : at;
        const ways = step.arms.map((arm) => () => list(arm, inside));
        return either(step.exhaustive && ways.length > 0 ? ways : [...ways, () => true], 'likely');
      }
      case 'block':
        list(step.body, at);
        if (step.label !== undefined) arrive(({ label }) => label === step.label);
        return true;
      case 'exit':
        if (step.how !== 'raise' && left.length < MOST_HELD) left.push({ exit: step, held });
        return false;
      default:
        return true;
    }
  }

  /** What leaves nothing behind meets nothing of itself when it runs again. */
  function leavesAny(once: () => void): boolean {
    const before = [held, levels, waiting];
    once();
    return held !== before[0] || levels !== before[1] || waiting !== before[2];
  }

  /** The ways that left end here, with what they hold. */
  function arrive(mine: (exit: Leaving) => boolean): void {
    for (const way of left) if (mine(way.exit)) held = union(held, way.held);
    left = left.filter((way) => !mine(way.exit));
  }

  /** Deferred triggers run at COMMIT, outside of every subtransaction, and those that they fire after them. */
  function ends(commits: boolean): void {
    levels = [];
    for (let rounds = 0; commits && waiting.length > 0 && rounds < MOST_ROUNDS; rounds++) {
      const due = waiting;
      waiting = [];
      for (const { to, at } of due) inline(to, at);
    }
    waiting = [];
    held = [];
  }

  /** Each way starts alike; what any of them holds is held after, in `doubt` where not all do. */
  function either(ways: (() => boolean)[], doubt?: Certainty): boolean {
    const [heldBefore, levelsBefore, waitingBefore, firstBefore] = [held, levels, waiting, first];
    let waitingAfter = waiting;
    let [heldAfter, levelsAfter]: [readonly Held[], Level[] | null] = [[], null];
    let heldByLeavers: readonly Held[] = [];
    for (const way of ways) {
      [held, levels, waiting, first] = [heldBefore, levelsBefore, waitingBefore, firstBefore];
      const goesOn = way();
      if (waiting !== waitingBefore) waitingAfter = [...waitingAfter, ...waiting.slice(waitingBefore.length)];
      if (!goesOn) {
        heldByLeavers = union(heldByLeavers, held);
        continue;
      }
      heldAfter =
        levelsAfter && doubt ? unionInDoubt(heldAfter, held, heldBefore, doubt) : union(heldAfter, held);
      levelsAfter ??= levels;
    }
    held = levelsAfter ? heldAfter : heldByLeavers;
    [levels, waiting] = [levelsAfter ?? levelsBefore, waitingAfter];
    return levelsAfter !== null;
  }

  function end(name: string | null, back: boolean): void {
    const index = levels.findLastIndex((level) => level.flat && (name === null || level.name === name));
    if (index < 0) return;
    const ended = levels[index]!;
    levels = levels.slice(0, index);
    if (!back) return;
    held = ended.before;
    waiting = waiting.slice(0, ended.waiting);
    levels = [...levels, { ...ended, id: ++ids }];
  }

  function scope(step: Extract<Step, { kind: 'scope' }>, at: Position): void {
    if (step.opens === 'connection') return;
    if (step.on !== on) {
      list(step.body, at);
      return;
    }
    const inTransaction = begun.open || levels.length > 0;
    const restarts =
      first && step.restarts !== undefined && graph.holds({ since: step.restarts }, at.linked.file);
    const nests = step.whenNested === 'savepoint' ? !restarts : step.whenNested === 'join' && !joinable;
    const nested = step.opens === 'subtransaction' || (inTransaction && nests && !step.implied);
    const apart = step.opens === 'transaction' && (!inTransaction || step.whenNested === 'separate');
    const [heldBefore, levelsBefore, joinableBefore] = [held, levels, joinable];
    const body = () => {
      // A transaction of its own holds nothing yet, and leaves nothing.
      if (apart) [held, levels] = [[], []];
      if (nested) levels = [...levels, level(step, at)];
      if (apart || nested) first = joinable = step.joinable !== false;
      const goesOn = list(step.body, at);
      [levels, joinable] = [levelsBefore, joinableBefore];
      // What an error rolls back holds no lock; what returned has said what it holds.
      if (apart || (nested && !goesOn)) held = heldBefore;
      return goesOn;
    };
    const handlers = (step.handlers ?? []).map((handler) => () => list(handler.body, at));
    // What a handler goes on from was rolled back. After a lock it is another statement that fails.
    const locking = step.body.findIndex(({ kind }) => kind === 'row lock' || kind === 'write');
    either([body, ...handlers], locking === step.body.length - 1 ? 'possible' : 'likely');
  }

  /** An error may come at any point, and takes nothing back. */
  function attempt(step: Extract<Step, { kind: 'attempt' }>, at: Position): void {
    const before = held;
    let tried = held;
    const body = () => {
      const goesOn = list(step.body, at);
      tried = held;
      return goesOn;
    };
    // An error of one kind comes from one place, and nobody knows whether that is behind the lock.
    const doubtful = () =>
      tried.map((one) => (before.includes(one) ? one : { ...one, certainty: POSSIBLE, doubts: one }));
    const handlers = step.handlers.map((handler) => () => {
      held = union(before, catchesAll(handler) ? tried : doubtful());
      return list(handler.body, at);
    });
    either([body, ...handlers]);
  }

  function call(step: Extract<Step, { kind: 'call' }>, at: Position): void {
    if (step.elsewhere) return;
    const { routines, meaning } = graph.target(step);
    const block = step.block ? { steps: step.block, position: at } : at.block;
    if (meaning) list(meaning, { ...at, block });
    else if (routines.length === 0 && step.block)
      list(step.block, { ...at, certainty: weaker(at.certainty, 'likely') });
    // Interfaces have hundreds of implementations, of which few have a say.
    const some = step.block ? routines : routines.filter(({ to }) => matters(to));
    if (some.length === 0) return;
    const enter = ({ to, certainty }: Target['routines'][number]) => {
      const run = ++ids;
      const self = selves.called(step, at);
      const summary = summaries.of(to);
      const given = step.block && !isKept(step, summary, to.routine?.keepsBlock) ? block : null;
      inline(to, {
        linked: to,
        trail: isSilent(at.linked, to)
          ? at.trail
          : { ...push(at, step, () => saysCall(step, at.linked, to)), into: to },
        certainty: weaker(at.certainty, certainty),
        block: given,
        repeated: at.repeated,
        again: at.again,
        turns: at.turns,
        run,
        self,
        born: at.born,
        row: at.linked.trigger ? at.row : null,
        terms: termsOf(step, to, at, run, self === at.self),
      });
      // Nobody sees it run.
      if (given && summary.yields === 0)
        list(given.steps, { ...at, certainty: weaker(at.certainty, 'likely') });
      return true;
    };
    if (routines.length === 1) enter(some[0]!);
    else {
      const ways = some.map((one) => () => enter(one));
      either(some.length < routines.length ? [...ways, () => true] : ways);
    }
  }

  /** It has a say in what is held, or runs a block that may; and this transaction has not looked into it too often. */
  function matters(to: Linked): boolean {
    if (!touching.routine(to) || (inlined.get(to.index) ?? 0) > MOST_TIMES) return false;
    return contested.routine(to) || summaries.of(to).yields > 0;
  }

  function inline(to: Linked, at: Position): void {
    const around = within.get(to.index) ?? [];
    const blocks = blocksOf(at.block);
    const turns = around.filter((one) => isSame(one, blocks)).length;
    if (turns >= MOST_WITHIN || !matters(to)) return;
    inlined.set(to.index, (inlined.get(to.index) ?? 0) + 1);
    within.set(to.index, [...around, blocks]);
    const outer = left;
    left = [];
    // Of a recursion nobody says how deep it goes, and it may end at once.
    const again = turns > 0 || (to === begun.linked && at.block?.steps === begun.block?.steps);
    list(to.body, again ? { ...at, certainty: weaker(at.certainty, 'likely') } : at);
    arrive(({ how }) => how === 'return');
    left = outer;
    within.set(to.index, around);
  }

  function fires(
    step: Extract<Step, { kind: 'read' | 'write' }>,
    at: Position,
    due: (timing: Trigger['timing']) => boolean = () => true,
    row: Row | null = null,
  ): void {
    for (const one of graph.fires(step)) {
      const { to, certainty, along } = one;
      const trigger = to.trigger!;
      if (!due(trigger.timing)) continue;
      const relation = graph.relation(step);
      const repeats = isPerRow(one, step);
      const writes = push(at, step, () => saysWrite(step, at.linked, relation ?? 'its table'));
      const trail = pushOn(writes, to.file, trigger.at, () => saysFired(one, relation), repeats);
      const repeated = at.repeated || repeats;
      const sure = weaker(at.certainty, certainty);
      const self = selves.fired(trigger, step, at);
      const inner = {
        ...at,
        linked: to,
        trail,
        block: null,
        repeated,
        certainty: sure,
        self,
        born: row && bears(step) && !along ? { self, id: row.id } : at.born,
        // What goes along has rows of its own, whatever the callbacks call them.
        row: along ? null : row,
        terms: along ? { ...OWN_TERMS, own: ++ids } : OWN_TERMS,
      };
      const rowAfterRow = () => {
        const one = () => {
          const each = { ...inner, run: ++ids, ...(repeats && { turns: [...at.turns, ids] }) };
          if (trigger.deferred) waiting = [...waiting, { to, at: each }].slice(-MOST_HELD);
          else inline(to, each);
        };
        if (leavesAny(one) && repeats) one();
        return true;
      };
      // There may be no row, and a condition may not hold.
      if (certainty === 'certain' && !repeats) rowAfterRow();
      else either([rowAfterRow, () => true], 'likely');
    }
  }

  // ---- rows

  function write(step: Write, at: Position): void {
    const relation = graph.relation(step);
    if (step.rows === 'none') return;
    const hit = step.onConflict === 'update' ? { ...at, certainty: weaker(at.certainty, 'likely') } : at;
    const row = { step, run: at.run, id: ++ids, terms: at.terms };
    if (locksOwn(step, relation, graph)) take(step, relation, NO_KEY_UPDATE, hit);
    fires(step, at, (timing) => timing === 'before', row);
    first = false;
    if (relation !== null && changes(step)) change(step, relation, hit);
    for (const { parent, key } of parentsOf(step)) take(step, parent, KEY_SHARE, { ...at, row }, key);
    fires(step, at, (timing) => timing !== 'before', row);
  }

  function take(
    step: Locking,
    relation: string | null,
    strength: number,
    at: Position,
    refers: ForeignKey | null = null,
  ): void {
    if (relation === null || !contested.relation(relation)) return;
    const mine = ownerOf(levels);
    const next: Held[] = [];
    let most = strength;
    let { certainty } = at;
    const now = inTermsOf(step, at.terms);
    for (const lock of held) {
      const same = lock.relation === relation ? alike(lock, now, step, at, refers) : null;
      const doubt = strength <= lock.strength ? lock.sometimes : undefined;
      if (same && lock.faded && strength > KEY_SHARE && ownerOf(lock.under) !== mine)
        tell({ ...lock, carriedBy: lock.faded }, step, relation, at, 'possible');
      if (same === null || same === 'possible' || doubt) {
        next.push(lock);
        if (same && strength > lock.strength && ownerOf(lock.under) !== mine)
          tell(lock, step, relation, at, same);
        // Where that one is held, this one takes nothing.
        if (same) certainty = weaker(certainty, doubt);
        continue;
      }
      if (strength <= lock.strength) return; // held already: nothing happens
      if (ownerOf(lock.under) !== mine) tell(lock, step, relation, at, same);
      most = Math.max(most, lock.strength);
    }
    const { linked, turns, run, self, row } = at;
    const told = referring(now, row, refers);
    next.push({
      step, told, linked, relation, refers, under: levels, strength: most, turns, run, taken: ++ids, self, certainty, trail: at.trail,
    }); // biome-ignore format: short
    held = next.slice(-MOST_HELD);
  }

  /** A change of rows that carry a lock of another owner; the lock goes on to their new version. */
  function change(step: Write, relation: string, at: Position): void {
    const mine = ownerOf(levels);
    if (held.every((lock) => lock.relation !== relation)) return;
    const now = inTermsOf(step, at.terms);
    held = held.map((lock) => {
      if (lock.relation !== relation) return lock;
      const same = alike(lock, now, step, at);
      if (same === null) return lock;
      if (ownerOf(lock.under) !== mine) tell(lock, step, relation, at, same);
      const says = () => saysWrite(step, at.linked, relation);
      if (same === 'possible')
        return lock.strength > KEY_SHARE && !lock.faded ? { ...lock, faded: says } : lock;
      return { ...lock, strength: KEY_SHARE, carriedBy: says };
    });
  }

  function alike(
    lock: Held,
    told: Locking,
    step: Locking,
    at: Position,
    refers: ForeignKey | null = null,
  ): Certainty | null {
    if (!refers && isNewer(step, at, lock)) return null;
    const apart = lock.turns.some((turn, i) => i < at.turns.length && at.turns[i] !== turn);
    // One text that is run in two places, as a plan is, is given another row as one routine is that is called twice.
    const twice = lock.step !== step && lock.step.at.start === step.at.start;
    const again = textOf(lock.linked) === textOf(at.linked) && (twice || lock.run !== at.run);
    const mine = keysFor<Locking>(lock.told, told, lock, at);
    const now = keysFor<Locking>(told, lock.told, lock, at);
    const here = lock.run === at.run || lock.run === at.row?.run;
    const always = apart && !again && here && picksAlways(mine, lock.refers !== null);
    const held = always ? { ...mine, keys: mine.same } : mine;
    const when = (apart && !always) || again ? 'another turn' : 'same turn';
    // The row that is referred to is told by the one that refers to it.
    const [child, parent, key] = refers && !lock.refers ? [now, held, refers] : [held, now, lock.refers];
    return key && graph.relation(child === now ? step : lock.step) === lock.relation
      ? sameParent(child, parent, key, when)
      : sameRows(child, parent, when, key);
  }

  function tell(lock: Held, step: Locking, relation: string, at: Position, same: Certainty): void {
    const one = conflict(graph, begun, { lock, step, relation, at, same, under: levels });
    const pair = one.id();
    const known = found.get(pair);
    if (!known || better(one, known)) found.set(pair, one);
  }

  list(steps, startIn(begun.linked, begun.block));
  ends(true);
  return { long: budget < 0, found: [...found.values()] };
}

const bears = (step: Step): boolean => step.kind === 'write' && step.verb === 'insert' && !step.onConflict;

/** The transaction itself is 0. */
const ownerOf = (levels: readonly Level[]): number => levels.at(-1)?.id ?? 0;

/** What the arguments of a caller leave of a routine has that routine's variables. */
const textOf = (linked: Linked): Linked => linked.original ?? linked;

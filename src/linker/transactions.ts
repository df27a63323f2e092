// What each transaction costs from begin to end: how many subtransactions count, which is the 65th, what it waits for. Not where it begins.
import type { Certainty, Span, Step, Wait } from '../ir.ts';
import { batchOf } from './batches.ts';
import type { Counts } from './counts.ts';
import type { Summaries } from './effects.ts';
import type { Graph } from './graph.ts';
import type { Frame, Subtransaction, Transaction } from './model.ts';
import type { Linked } from './program.ts';
import type { Begun } from './record.ts';
import { frames, once } from './run.ts';
import { isUnexpected } from './scopes.ts';
import { SLOTS, weaker } from './state.ts';
import { worstOf } from './summary.ts';
import { labelOf, nameOf, saysCall, saysLoop, saysTrigger, saysWrite } from './words.ts';

export interface Telling {
  graph: Graph;
  summaries: Summaries;
  stretch: Stretch;
  /** The subtransaction of an origin, once it is told. */
  told(origin: Step): Subtransaction | undefined;
}

export function transaction(begun: Begun, telling: Telling): Transaction | null {
  if (!begun.open) return null;
  const { linked, entry, role } = begun;
  const steps = telling.stretch(begun);
  const summaries = telling.summaries.on(begun.step?.on);
  const summary = summaries.ofSteps(steps, linked.file);
  // A stretch of steps ends where it ends; a routine that ends several is as bad as its worst.
  const how = begun.step?.kind === 'begin' ? 'head' : 'peak';
  const first = summary.most[how];
  // A trigger that begins by nature: where rows come one by one, as to a view, it is not repeated.
  const perRow = begun.step === null && begun.trail?.repeats === true;
  const counts = first === 0 ? 0 : perRow ? Number.POSITIVE_INFINITY : first;
  if (counts === 0) return null;
  const least = perRow ? 0 : summary.least[how];
  const { file, at } = begun.step ? { file: linked.file, at: begun.step.at } : placeOf(linked);
  const found = once(() => (counts > SLOTS ? sixtyFifth(steps, linked, { ...telling, summaries }) : null));
  return {
    file,
    at,
    routine: linked.name,
    counts,
    least,
    get overflow() {
      const path = found();
      const trail = frames(begun.trail);
      // Calls may add up to the 65th before what has no bound comes.
      if (path) return { at: path.at, witness: [...trail, ...path.witness], unbounded: path.unbounded };
      return perRow ? { at: trail.at(-1)!, witness: trail, unbounded: true } : undefined;
    },
    waits: summary.waits ? waits(steps, linked, opening(begun), telling) : [],
    get certainty() {
      const path = found();
      // How deep a recursion goes is known when it runs; what it does once through is not in doubt.
      const deep = path?.recursion && least <= SLOTS ? 'possible' : undefined;
      return weaker(weaker(begun.certainty, path?.certainty), deep);
    },
    entry,
    role,
  };
}

const placeOf = ({ file, routine, trigger }: Linked): { file: string; at: Span } => ({
  file,
  at: (routine ?? trigger)!.at,
});

/** The steps of one transaction, as far as they stand in one list. */
export type Stretch = (begun: Begun) => Step[];

export function createStretch(graph: Graph): Stretch {
  const places = new Map<Linked, Map<Step, { list: Step[]; index: number }>>();
  const placesIn = (linked: Linked) => {
    let known = places.get(linked);
    if (!known) {
      known = new Map();
      const stack = [linked.body];
      for (let list = stack.pop(); list; list = stack.pop())
        for (const [index, step] of list.entries()) {
          if (step.kind === 'begin') known.set(step, { list, index });
          stack.push(...graph.inside(step));
        }
      places.set(linked, known);
    }
    return known;
  };
  return ({ step, linked }) => {
    if (step === null) return linked.body;
    if (step.kind === 'scope') return step.body;
    if (step.kind !== 'begin') return [step];
    const place = placesIn(linked).get(step);
    if (!place) return [];
    const { list, index } = place;
    let end = index + 1;
    while (end < list.length && list[end]!.kind !== 'commit' && list[end]!.kind !== 'rollback') end++;
    return list.slice(index + 1, end);
  };
}

interface Found {
  /** Nothing but calls that lead back to their caller. */
  recursion: boolean;
  /** A loop, rows or a recursion come to the 65th, and say no number. */
  unbounded: boolean;
  at: Frame;
  witness: Frame[];
  certainty: Certainty;
}

/** Follows the counting to the subtransaction that is one too many, or to the loop that has no bound. */
function sixtyFifth(start: Step[], from: Linked, { graph, summaries }: Telling): Found {
  const witness: Frame[] = [];
  let reason: Frame | null = null;
  let certainty: Certainty = 'certain';
  let recursion = false;
  let linked = from;
  let steps: readonly Step[] = start;
  let left = SLOTS;
  // A recursion says nothing new in its second turn.
  const entered = new Set([from]);
  const say = (at: Span, says: string, repeats?: boolean, file = linked.file): Frame => {
    const frame: Frame = { file, at, says, ...(repeats && { repeats }) };
    witness.push(frame);
    return frame;
  };
  for (let depth = 0; depth < 100; depth++) {
    const { index, before } = passes(steps, left, linked, summaries);
    const step = steps[index];
    if (!step) break;
    left -= before;
    if (summaries.ofSteps([step], linked.file).most.peak <= left) {
      // Not by itself: it writes inside a savepoint that stands before it.
      const opened = steps.slice(0, index + 1).findLast((other) => other.kind === 'savepoint');
      if (opened) say(opened.at, `${labelOf(opened)} in ${nameOf(linked)}`);
      break;
    }
    certainty = weaker(certainty, step.certainty);
    if (step.kind === 'scope') {
      if (step.opens === 'subtransaction' || step.whenNested === 'savepoint') {
        const peak = (list: readonly Step[]) => summaries.ofSteps(list, linked.file).most.peak;
        const inner = peak(step.body);
        const handled = (step.handlers ?? []).some(({ body }) => peak(body) > left);
        if (inner <= left && !handled) {
          const at = say(step.at, `${labelOf(step)} in ${nameOf(linked)}`);
          return { at: reason ?? at, witness, certainty, recursion: false, unbounded: reason !== null };
        }
      }
      const handlers = step.handlers ?? [];
      steps = worst([step.body, ...handlers.map(({ body }) => body)], linked, summaries);
      const handler = handlers.find(({ body }) => body === steps);
      // How often it fails nobody knows.
      if (handler && isUnexpected(step, handler) && witness.some(({ repeats }) => repeats))
        certainty = 'possible';
    } else if (step.kind === 'loop') {
      const frame = say(step.at, saysLoop(step, linked), true);
      if (step.times === null) reason ??= frame;
      const { mayReset, resets } = summaries.ofSteps(step.body, linked.file);
      if (mayReset && !resets && batchOf(step) === null) certainty = 'possible';
      left = rest(step.times, left, summaries.ofSteps(step.body, linked.file).most);
      steps = step.body;
    } else if (step.kind === 'call') {
      const target = graph.target(step);
      const to = most(target.routines, summaries)?.to;
      if (to && worstOf(summaries.of(to)) > left) {
        if (!linked.trigger) say(step.at, saysCall(step, linked, to));
        if (entered.has(to)) {
          recursion = true;
          break;
        }
        entered.add(to);
        linked = to;
        steps = to.body;
      } else {
        steps = worst([target.meaning ?? [], step.block ?? []], linked, summaries);
        if (summaries.ofSteps(steps, linked.file).most.peak <= left) {
          // Not the block by itself: the callee runs it again and again.
          const repeating = target.routines[0]?.to;
          if (repeating) reason ??= say(step.at, saysCall(step, linked, repeating), true);
          left = 0;
        }
      }
    } else if (step.kind === 'write' || step.kind === 'read') {
      const relation = graph.relation(step) ?? 'its table';
      const fired = most(graph.fires(step), summaries);
      if (!fired) break;
      say(step.at, saysWrite(step, linked, relation));
      linked = fired.to;
      const trigger = linked.trigger!;
      const many = trigger.each === 'row' && step.rows !== 'one';
      const frame = say(trigger.at, saysTrigger(trigger, relation), many);
      certainty = weaker(
        weaker(certainty, fired.certainty),
        many && step.rows === 'unknown' ? 'likely' : undefined,
      );
      if (many) {
        const rows = step.kind === 'write' ? (step.times ?? null) : null;
        if (rows === null) reason ??= frame;
        left = rest(rows, left, summaries.of(linked).most);
      }
      if (entered.has(linked)) {
        recursion = true;
        break;
      }
      entered.add(linked);
      steps = linked.body;
    } else {
      const lists = graph.inside(step);
      if (lists.length === 0) break;
      steps = worst(lists, linked, summaries);
    }
  }
  const last = witness.at(-1) ?? { ...placeOf(linked), says: nameOf(linked) };
  return {
    at: reason ?? last,
    witness,
    certainty,
    recursion: recursion && reason === null,
    unbounded: recursion || reason !== null,
  };
}

/** The one with the most subtransactions, the first of equals. */
function most<One extends { to: Linked }>(all: readonly One[], summaries: Summaries): One | undefined {
  let best = all[0];
  for (const one of all) if (worstOf(summaries.of(one.to)) > worstOf(summaries.of(best!.to))) best = one;
  return best;
}

/** The first step at which the count passes what is left. */
function passes(
  steps: readonly Step[],
  left: number,
  { file }: Linked,
  summaries: Summaries,
): { index: number; before: number } {
  const most = (some: readonly Step[]) => summaries.ofSteps(some, file).most;
  if (steps.some(({ kind }) => kind === 'savepoint')) {
    // Savepoints count by what follows them: halve.
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (most(steps.slice(0, middle + 1)).peak > left) high = middle;
      else low = middle + 1;
    }
    return { index: low, before: most(steps.slice(0, low)).tail };
  }
  let before = 0;
  for (let index = 0; index < steps.length; index++) {
    const { most: more, resets } = summaries.ofSteps([steps[index]!], file);
    if (before + more.head > left || more.peak > left) return { index, before };
    before = resets ? more.tail : before + more.tail;
  }
  return { index: steps.length, before };
}

/** How many of the places are left in the turn of a loop, or at the row, in which they run out. */
function rest(times: number | null, left: number, { peak, tail }: Counts): number {
  if (times === null || peak > left || tail === 0) return times === null ? 0 : left;
  return left - (Math.floor((left - peak) / tail) + 1) * tail;
}

function worst(lists: readonly (readonly Step[])[], { file }: Linked, summaries: Summaries): readonly Step[] {
  const peaks = lists.map((list) => summaries.ofSteps(list, file).most.peak);
  return lists[peaks.indexOf(Math.max(...peaks))] ?? [];
}

// ---- waits

const MOST_WAITS = 10;

/** The way to where a transaction begins, and its begin where a step says it. */
function opening({ step, linked, trail }: Begun): Frame[] {
  const says = `${nameOf(linked)} begins a transaction`;
  return step ? [...frames(trail), { file: linked.file, at: step.at, says }] : frames(trail);
}

/** What it waits for while a subtransaction that wrote is open, or was opened earlier: the way to the one, then to the other. */
function waits(start: Step[], from: Linked, trail: Frame[], telling: Telling): Transaction['waits'] {
  const { graph, summaries, told } = telling;
  const out: Transaction['waits'] = [];
  const seen = new Set<number>();
  let wrote: { one: Subtransaction; path: Frame[] } | undefined;

  function scan(steps: readonly Step[], linked: Linked, path: Frame[], depth: number): void {
    for (const step of steps) {
      if (out.length >= MOST_WAITS || depth > 60) return;
      if (!graph.holds(step, linked.file)) continue;
      const opens = step.kind === 'savepoint' || step.kind === 'scope' ? step : undefined;
      const one = opens && told(opens);
      if (opens && one?.effects.writes === 'yes')
        wrote ??= { one, path: [...path, frame(opens.at, `${labelOf(opens)} in ${nameOf(linked)}`, linked)] };
      // What wrote before is over with its transaction.
      if (step.kind === 'commit' || step.kind === 'rollback') wrote = undefined;
      if (step.kind === 'wait' && wrote) {
        const between = path.slice(inCommon(wrote.path, path));
        out.push({
          step,
          witness: [
            ...trail,
            ...wrote.path,
            ...between,
            frame(step.at, `${nameOf(linked)} ${WAITS[step.for]}`, linked),
          ],
          subtransaction: wrote.one,
        });
      }
      if (step.kind === 'call' && !step.elsewhere)
        for (const { to } of graph.target(step).routines) {
          // What its block does is not in its own count.
          const { waits: waiting, opens } = summaries.of(to);
          if (!(waiting || opens) || seen.has(to.index)) continue;
          seen.add(to.index);
          scan(to.body, to, [...path, frame(step.at, saysCall(step, linked, to), linked)], depth + 1);
        }
      const lists = graph.inside(step);
      for (const list of lists) scan(list, linked, path, depth + 1);
      // In the next turn of a loop what stands before comes after.
      if (step.kind === 'loop' && wrote && out.length === 0)
        for (const list of lists) scan(list, linked, path, depth + 1);
    }
  }
  scan(start, from, [], 0);
  return out;
}

const frame = (at: Span, says: string, { file }: Linked): Frame => ({ file, at, says });

/** How many frames two ways share from their start. */
function inCommon(one: Frame[], other: Frame[]): number {
  const parts = one.findIndex((frame, index) => frame !== other[index]);
  return parts === -1 ? one.length : parts;
}

const WAITS: Record<Wait['for'], string> = {
  sleep: 'sleeps',
  network: 'waits for the network',
  process: 'waits for another process',
  thread: 'waits for another thread',
  user: 'waits for a person',
  lock: 'waits for a lock',
};

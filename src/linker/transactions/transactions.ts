// What each transaction costs from begin to end: how many subtransactions count, which is the 65th, what it waits for. Not where it begins.
import type { Certainty, Span, Step } from '../../ir.ts';
import { weaker } from '../certainty.ts';
import type { Linked } from '../definitions/program.ts';
import type { Graph } from '../graph/graph.ts';
import type { Frame, Subtransaction, Transaction } from '../model.ts';
import { batchOf } from '../run/batches.ts';
import type { Counts } from '../run/counts.ts';
import type { Summaries } from '../run/effects.ts';
import type { Begun } from '../run/record.ts';
import { frames, type Given, once } from '../run/run.ts';
import { isUnexpected } from '../run/scopes.ts';
import { SLOTS } from '../run/state.ts';
import { isKept, type Summary, worstOf } from '../run/summary.ts';
import { labelOf, nameOf, saysCall, saysLoop, saysTrigger, saysWrite } from '../words.ts';
import { waits } from './waiting.ts';

/** In which routine steps stand, and what their yields run. */
export interface Here {
  linked: Linked;
  block: Given | null;
}

export interface Telling {
  graph: Graph;
  summaries: Summaries;
  stretch: Stretch;
  /** The subtransaction of an origin, once it is told. */
  told(origin: Step): Subtransaction | undefined;
}

export function transaction(begun: Begun, telling: Telling): Transaction | null {
  if (!begun.open) return null;
  const { linked, block, entry, role } = begun;
  const steps = telling.stretch(begun);
  const summaries = telling.summaries.on(begun.step?.on);
  const summary = summaries.ofSteps(steps, linked.file, block);
  // A stretch of steps ends where it ends; a routine that ends several is as bad as its worst.
  const how = begun.step?.kind === 'begin' ? 'head' : 'peak';
  const first = summary.most[how];
  // A trigger that begins by nature: where rows come one by one, as to a view, it is not repeated.
  const perRow = begun.step === null && begun.trail?.repeats === true;
  const counts = first === 0 ? 0 : perRow ? Number.POSITIVE_INFINITY : first;
  if (counts === 0) return null;
  const least = perRow ? 0 : summary.least[how];
  const place = startOf(begun);
  const found = once(() => (counts > SLOTS ? sixtyFifth(steps, begun, { ...telling, summaries }) : null));
  return {
    ...place,
    counts,
    least,
    get overflow() {
      const path = found();
      const trail = frames(begun.trail);
      // Calls may add up to the 65th before what has no bound comes.
      if (path) return { at: path.at, witness: [...trail, ...path.witness], unbounded: path.unbounded };
      return perRow ? { at: trail.at(-1)!, witness: trail, unbounded: true } : undefined;
    },
    waits: summary.waits ? waits(steps, begun, opening(begun), telling) : [],
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

/** What a wrapper begins is told where it is handed what runs in it. */
function startOf({ step, linked, block }: Begun): Pick<Transaction, 'file' | 'at' | 'routine'> {
  let outer = block;
  while (outer?.by) outer = outer.by;
  if (outer && (outer.linked !== linked || outer !== block))
    return { file: outer.linked.file, at: outer.at, routine: outer.linked.name };
  const { file, at } = step ? { file: linked.file, at: step.at } : placeOf(linked);
  return { file, at, routine: linked.name };
}

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
function sixtyFifth(start: Step[], from: Here, { graph, summaries }: Telling): Found {
  const witness: Frame[] = [];
  let reason: Frame | null = null;
  let certainty: Certainty = 'certain';
  let recursion = false;
  let { linked, block } = from;
  let steps: readonly Step[] = start;
  let left = SLOTS;
  // A recursion says nothing new in its second turn.
  const entered = new Set([linked]);
  const sum = (some: readonly Step[], inside: Here = { linked, block }) =>
    summaries.ofSteps(some, inside.linked.file, inside.block);
  const say = (at: Span, says: string, repeats?: boolean, file = linked.file): Frame => {
    const frame: Frame = { file, at, says, ...(repeats && { repeats }) };
    witness.push(frame);
    return frame;
  };
  for (let depth = 0; depth < 100; depth++) {
    const { index, before } = passes(steps, left, sum);
    const step = steps[index];
    if (!step) break;
    left -= before;
    if (sum([step]).most.peak <= left) {
      // Not by itself: it writes inside a savepoint that stands before it.
      const opened = steps.slice(0, index + 1).findLast((other) => other.kind === 'savepoint');
      if (opened) say(opened.at, `${labelOf(opened)} in ${nameOf(linked)}`);
      break;
    }
    certainty = weaker(certainty, step.certainty);
    if (step.kind === 'scope') {
      if (step.opens === 'subtransaction' || step.whenNested === 'savepoint') {
        const peak = (list: readonly Step[]) => sum(list).most.peak;
        const inner = peak(step.body);
        const handled = (step.handlers ?? []).some(({ body }) => peak(body) > left);
        if (inner <= left && !handled) {
          const at = say(step.at, `${labelOf(step)} in ${nameOf(linked)}`);
          return { at: reason ?? at, witness, certainty, recursion: false, unbounded: reason !== null };
        }
      }
      const handlers = step.handlers ?? [];
      steps = worst([step.body, ...handlers.map(({ body }) => body)], sum);
      const handler = handlers.find(({ body }) => body === steps);
      // How often it fails nobody knows.
      if (handler && isUnexpected(step, handler) && witness.some(({ repeats }) => repeats))
        certainty = 'possible';
    } else if (step.kind === 'loop') {
      const frame = say(step.at, saysLoop(step, linked), true);
      if (step.times === null) reason ??= frame;
      const { mayReset, resets } = sum(step.body);
      if (mayReset && !resets && batchOf(step) === null) certainty = 'possible';
      left = rest(step.times, left, sum(step.body).most);
      steps = step.body;
    } else if (step.kind === 'call') {
      const target = graph.target(step);
      const handed = step.block ? { steps: step.block, linked, at: step.at, by: block } : null;
      const to = most(target.routines, summaries)?.to;
      if (to && worstOf(summaries.of(to)) > left) {
        if (!linked.trigger) say(step.at, saysCall(step, linked, to));
        if (entered.has(to)) {
          recursion = true;
          break;
        }
        entered.add(to);
        steps = to.body;
        [linked, block] = [to, isKept(step, summaries.of(to), to.routine?.keepsBlock) ? null : handed];
      } else {
        steps = worst([target.meaning ?? [], step.block ?? []], sum);
        if (sum(steps).most.peak <= left) {
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
      [linked, block] = [fired.to, null];
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
    } else if (step.kind === 'yield' && block) {
      // Its own yields run what its routine was given.
      steps = block.steps;
      [linked, block] = [block.linked, block.by];
    } else {
      const lists = graph.inside(step);
      if (lists.length === 0) break;
      steps = worst(lists, sum);
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
  sum: (some: readonly Step[]) => Summary,
): { index: number; before: number } {
  const most = (some: readonly Step[]) => sum(some).most;
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
    const { most: more, resets } = sum([steps[index]!]);
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

function worst(
  lists: readonly (readonly Step[])[],
  sum: (some: readonly Step[]) => Summary,
): readonly Step[] {
  const peaks = lists.map((list) => sum(list).most.peak);
  return lists[peaks.indexOf(Math.max(...peaks))] ?? [];
}

/** The way to where a transaction begins, and its begin where a step says it. */
function opening({ step, linked, trail }: Begun): Frame[] {
  const says = `${nameOf(linked)} begins a transaction`;
  return step ? [...frames(trail), { file: linked.file, at: step.at, says }] : frames(trail);
}

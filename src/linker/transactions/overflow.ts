// Which subtransaction of a transaction is the 65th, and what leads there. How many there are is counted before.
import {
  type Call,
  type Certainty,
  type Loop,
  PLACES,
  type Read,
  type Scope,
  type Span,
  type Step,
  type Write,
  type Yield,
} from '../../ir.ts';
import { weaker } from '../certainty.ts';
import type { Linked } from '../definitions/program.ts';
import { type Fired, isPerRow, rowsOf } from '../graph/fired.ts';
import type { Frame } from '../model.ts';
import { batchOf } from '../run/batches.ts';
import { partFor } from '../run/closures.ts';
import type { Counts } from '../run/counts.ts';
import type { Summaries } from '../run/effects.ts';
import type { Given } from '../run/run.ts';
import { isUnexpected } from '../run/scopes.ts';
import { isKept, type Summary, worstOf } from '../run/summary.ts';
import { labelOf, nameOf, saysCall, saysFired, saysLoop, saysWrite } from '../words.ts';
import { type Here, placeOf, type Telling } from './stretch.ts';

interface Found {
  /** Nothing but calls that lead back to their caller. */
  recursion: boolean;
  /** A loop, rows or a recursion come to the 65th, and say no number. */
  unbounded: boolean;
  at: Frame;
  witness: Frame[];
  certainty: Certainty;
}

/** How far the counting has been followed. */
interface Path extends Here, Pick<Telling, 'graph' | 'summaries'> {
  /** Where it goes on, and how many of the places are left there. */
  steps: readonly Step[];
  left: number;
  witness: Frame[];
  /** The first that repeats all that follows, and says no number. */
  reason: Frame | null;
  certainty: Certainty;
  /** What was entered so far: a recursion says nothing new in its second turn. */
  entered: Set<Linked>;
  recursion: boolean;
}

const DEEPEST = 100;

/** Follows the counting to the subtransaction that is one too many, or to the loop that has no bound. */
export function sixtyFifth(
  steps: Step[],
  { linked, block }: Here,
  { graph, summaries }: Pick<Telling, 'graph' | 'summaries'>,
): Found {
  const path: Path = {
    linked,
    block,
    graph,
    summaries,
    steps,
    left: PLACES,
    witness: [],
    reason: null,
    certainty: 'certain',
    entered: new Set([linked]),
    recursion: false,
  };
  for (let depth = 0; depth < DEEPEST && goesOn(path); depth++);
  const { witness, reason, certainty, recursion } = path;
  const last = witness.at(-1) ?? { ...placeOf(path.linked), says: nameOf(path.linked) };
  return {
    at: reason ?? last,
    witness,
    certainty,
    recursion: recursion && reason === null,
    unbounded: recursion || reason !== null,
  };
}

/** Finds the step in which the places run out, and goes into it; false where that is as far as it goes. */
function goesOn(path: Path): boolean {
  const { index, before } = passes(path);
  const step = path.steps[index];
  if (!step) return false;
  path.left -= before;
  if (peakOf(path, [step]) <= path.left) {
    // Not by itself: it writes inside savepoints that stand before it.
    path.steps = path.steps.slice(0, index + 1);
    for (let depth = 0; depth < DEEPEST && intoOpen(path); depth++);
    return false;
  }
  path.certainty = weaker(path.certainty, step.certainty);
  switch (step.kind) {
    case 'scope':
      return intoScope(path, step);
    case 'loop':
      return intoLoop(path, step);
    case 'call':
      return intoCall(path, step);
    case 'write':
    case 'read':
      return intoTrigger(path, step);
    case 'yield':
      if (path.block) return intoBlock(path, path.block, step);
  }
  const lists = path.graph.inside(step);
  path.steps = worst(path, lists);
  return lists.length > 0;
}

/** Goes to the savepoint that was opened last and stays open; false where it stands. */
function intoOpen(path: Path): boolean {
  const step = path.steps.findLast((one) => isLeftOpen(path, one));
  if (!step) return false;
  if (step.kind === 'savepoint') {
    say(path, step.at, `${labelOf(step)} in ${nameOf(path.linked)}`);
    return false;
  }
  if (step.kind === 'loop') {
    const frame = say(path, step.at, saysLoop(step, path.linked), true);
    if (step.times === null) path.reason ??= frame;
  }
  const to =
    step.kind === 'call' &&
    path.graph.target(step).routines.find((one) => path.summaries.of(one.to).bare.most > 0)?.to;
  if (to) {
    say(path, step.at, saysCall(step, path.linked, to));
    return enter(path, to, null);
  }
  path.steps = path.graph.inside(step).find((list) => list.some((one) => isLeftOpen(path, one))) ?? [];
  return true;
}

const isLeftOpen = (path: Path, step: Step): boolean => sum(path, [step]).bare.most > 0;

function intoScope(path: Path, step: Scope): boolean {
  const handlers = step.handlers ?? [];
  if (step.opens === 'subtransaction' || step.whenNested === 'savepoint') {
    // Where what it holds is not too much by itself, this is the one too many.
    const holds = [step.body, ...handlers.map(({ body }) => body)];
    if (holds.every((body) => peakOf(path, body) <= path.left)) {
      say(path, step.at, `${labelOf(step)} in ${nameOf(path.linked)}`);
      return false;
    }
  }
  path.steps = worst(path, [step.body, ...handlers.map(({ body }) => body)]);
  const handler = handlers.find(({ body }) => body === path.steps);
  // How often it fails nobody knows.
  if (handler && isUnexpected(step, handler) && path.witness.some(({ repeats }) => repeats))
    path.certainty = 'possible';
  return true;
}

function intoLoop(path: Path, step: Loop): boolean {
  const frame = say(path, step.at, saysLoop(step, path.linked), true);
  const { mayReset, resets, most } = sum(path, step.body);
  const some = mayReset && !resets;
  const batch = some ? batchOf(step) : null;
  const times = batch === null ? step.times : Math.min(batch, step.times ?? batch);
  if (times === null) path.reason ??= frame;
  if (some && batch === null) path.certainty = 'possible';
  path.left = rest(times, path.left, most);
  path.steps = step.body;
  return true;
}

function intoCall(path: Path, step: Call): boolean {
  const { graph, summaries, linked, block } = path;
  const target = graph.target(step);
  const to = heaviest(target.routines, summaries)?.to;
  const keeps = to && isKept(step, summaries.of(to), to.routine?.keepsBlock);
  const given = step.block && !keeps ? { steps: step.block, linked, at: step.at, by: block } : null;
  if (to && worstOf(summaries.of(to)) > path.left) {
    if (!linked.trigger) say(path, step.at, saysCall(step, linked, to));
    return enter(path, to, given);
  }
  path.steps = worst(path, [target.meaning ?? [], step.block ?? []]);
  if (peakOf(path, path.steps) <= path.left) {
    // Not the block by itself: what the callee opens around it counts too, or it runs it again and again.
    if (to) say(path, step.at, saysCall(step, linked, to));
    if (to && given && summaries.ofSteps(to.body, to.file, given).most.peak > path.left)
      return enter(path, to, given);
    path.left = 0;
  }
  return true;
}

function intoTrigger(path: Path, step: Read | Write): boolean {
  const { graph, summaries } = path;
  const relation = graph.relation(step);
  const perRow = (one: Fired) => (isPerRow(one, step) ? (rowsOf(one, step) ?? Number.POSITIVE_INFINITY) : 1);
  const fired = heaviest(graph.fires(step), summaries, perRow);
  if (!fired) return false;
  say(path, step.at, saysWrite(step, path.linked, relation ?? 'its table'));
  const { to, certainty } = fired;
  const trigger = to.trigger!;
  const many = isPerRow(fired, step);
  const frame = say(path, trigger.at, saysFired(fired, relation), many, to.file);
  path.certainty = weaker(path.certainty, certainty);
  if (many) {
    if (step.rows === 'unknown') path.certainty = weaker(path.certainty, 'likely');
    const rows = rowsOf(fired, step);
    if (rows === null) path.reason ??= frame;
    path.left = rest(rows, path.left, summaries.of(to).most);
  }
  return enter(path, to, null);
}

function enter(path: Path, to: Linked, block: Given | null): boolean {
  if (path.entered.has(to)) {
    path.recursion = true;
    return false;
  }
  path.entered.add(to);
  path.steps = to.body;
  [path.linked, path.block] = [to, block];
  return true;
}

/** Its own yields run what its routine was given. */
function intoBlock(path: Path, { steps, linked, by }: Given, step: Yield): boolean {
  path.entered.delete(path.linked);
  path.steps = partFor(steps, step);
  [path.linked, path.block] = [linked, by];
  return true;
}

function say(path: Path, at: Span, says: string, repeats = false, file = path.linked.file): Frame {
  const frame: Frame = { file, at, says, ...(repeats && { repeats }) };
  path.witness.push(frame);
  return frame;
}

const sum = ({ summaries, linked, block }: Path, steps: readonly Step[]): Summary =>
  summaries.ofSteps(steps, linked.file, block);
const peakOf = (path: Path, steps: readonly Step[]): number => sum(path, steps).most.peak;

/** The one with the most subtransactions; of several that are as heavy the one that is surest. */
function heaviest<One extends { to: Linked; certainty: Certainty }>(
  all: readonly One[],
  summaries: Summaries,
  times: (one: One) => number = () => 1,
): One | undefined {
  let best: { one: One; weight: number } | undefined;
  for (const one of all) {
    const worst = worstOf(summaries.of(one.to));
    const weight = worst && worst * times(one);
    const isSurer = weight === best?.weight && weaker(one.certainty, best.one.certainty) !== one.certainty;
    if (!best || weight > best.weight || isSurer) best = { one, weight };
  }
  return best?.one;
}

/** The first step at which the count passes what is left. */
function passes(path: Path): { index: number; before: number } {
  const { steps, left } = path;
  if (steps.some((step) => isLeftOpen(path, step))) {
    // Savepoints count by what follows them: halve.
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (peakOf(path, steps.slice(0, middle + 1)) > left) high = middle;
      else low = middle + 1;
    }
    return { index: low, before: sum(path, steps.slice(0, low)).most.tail };
  }
  let before = 0;
  for (let index = 0; index < steps.length; index++) {
    const { most, resets } = sum(path, [steps[index]!]);
    if (before + most.head > left || most.peak > left) return { index, before };
    before = resets ? most.tail : before + most.tail;
  }
  return { index: steps.length, before };
}

/** How many of the places are left in the turn of a loop, or at the row, in which they run out. */
function rest(times: number | null, left: number, { peak, tail }: Counts): number {
  if (times === null || peak > left || tail === 0) return times === null ? 0 : left;
  return left - (Math.floor((left - peak) / tail) + 1) * tail;
}

function worst(path: Path, lists: readonly (readonly Step[])[]): readonly Step[] {
  const peaks = lists.map((list) => peakOf(path, list));
  return lists[peaks.indexOf(Math.max(...peaks))] ?? [];
}

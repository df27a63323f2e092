// What a transaction waits for while a subtransaction of it that wrote is open or was opened before, on each way through. Not where it begins.
import type { Certainty, Exit, Handler, Scope, Span, Step, Wait } from '../../ir.ts';
import { rank, weaker } from '../certainty.ts';
import type { Linked } from '../definitions/program.ts';
import type { Frame, Subtransaction, Transaction } from '../model.ts';
import { sureOf } from '../names/names.ts';
import { partFor } from '../run/closures.ts';
import { catchesAll, type Given } from '../run/run.ts';
import { isKept } from '../run/summary.ts';
import { labelOf, nameOf, saysCall } from '../words.ts';
import type { Here, Telling } from './stretch.ts';

const MOST_WAITS = 10;
const MOST_STEPS = 20_000;
const MOST_DEPTH = 60;

/** The first subtransaction that wrote on the way to a step, and the way to it. */
interface Wrote {
  one: Subtransaction;
  path: Frame[];
  certainty: Certainty;
}

interface Position extends Here {
  path: Frame[];
  depth: number;
  /** It runs after any error: a message about that is no part of what the transaction does. One that is expected, as that a row is not there, is a way as well as others. */
  failed?: true;
  /** Another transaction than the one that is looked at has begun around: what writes there, writes for that. */
  apart: boolean;
  /** How surely calls lead here, and from what wrote on no condition. */
  certainty: Certainty;
}

/** The way to the subtransaction, then to where it waits. */
export function waits(
  start: Step[],
  from: Here & { step: Step | null; open: boolean; certainty: Certainty },
  trail: Frame[],
  { graph, summaries, told }: Telling,
): Transaction['waits'] {
  const out: Transaction['waits'] = [];
  const on = from.step?.on;
  /** Routines that were looked into as they are, and those that were so after something wrote. */
  const seen = new Set<string>();
  let wrote: Wrote | null = null;
  let left: { exit: Exit; wrote: Wrote | null }[] = [];
  let budget = MOST_STEPS;

  /** False where nothing follows. */
  function scan(steps: readonly Step[], at: Position): boolean {
    for (const step of steps) {
      if (out.length >= MOST_WAITS || at.depth > MOST_DEPTH || budget-- <= 0) return false;
      if (graph.holds(step, at.linked.file)) {
        if (!one(step, { ...at, depth: at.depth + 1 })) return false;
      } else if (step.kind === 'scope' && !scan(step.body, at)) return false;
    }
    return true;
  }

  function one(step: Step, at: Position): boolean {
    switch (step.kind) {
      case 'commit':
      case 'rollback':
        // What wrote before is over with its transaction.
        if (step.on === on && !at.apart) wrote = null;
        return true;
      case 'savepoint':
        opens(step, at);
        return true;
      case 'wait':
        if (wrote && !(at.failed && step.for === 'network')) tell(step, wrote, at);
        return true;
      case 'call':
        return call(step, at);
      case 'yield': {
        const { block } = at;
        return (
          block === null || returning(() => scan(partFor(block.steps, step), { ...at, ...within(block) }))
        );
      }
      case 'scope':
        return scope(step, at);
      case 'attempt': {
        const body = () => scan(step.body, at);
        // An error may come after anything in it.
        const handlers = step.handlers.map((one) => () => scan(one.body, handling(one, perhaps(at))));
        const goesOn = either([body], handlers);
        return step.finally ? scan(step.finally, at) && goesOn : goesOn;
      }
      case 'loop': {
        if (step.times === 0) return true;
        const before = wrote;
        const turn = () => {
          if (!scan(step.body, at)) wrote = before;
          arrive(({ how, label }) => how === 'continue' && (label === undefined || label === step.label));
        };
        turn();
        // In the next turn what stands before comes after.
        if (wrote && step.times !== 1 && step.over !== 'retry') turn();
        arrive(({ how, label }) => how !== 'return' && (label === undefined || label === step.label));
        return true;
      }
      case 'branch': {
        const within = perhaps(at);
        const arms = step.arms.map((arm) => () => scan(arm, within));
        return either(step.exhaustive && arms.length > 0 ? arms : [...arms, () => true]);
      }
      case 'block': {
        const goesOn = scan(step.body, at);
        return arrive(({ label }) => step.label !== undefined && label === step.label) || goesOn;
      }
      case 'exit':
        if (step.how !== 'raise') left.push({ exit: step, wrote });
        return false;
      default:
        return true;
    }
  }

  /** Ways that start alike; after them what wrote on any of them wrote. What comes after an error starts as any of them ended. */
  function either(ways: (() => boolean)[], after: (() => boolean)[] = []): boolean {
    const before = wrote;
    let [goesOn, then]: [boolean, Wrote | null] = [false, null];
    let tried = before;
    const run = (way: () => boolean, start: Wrote | null) => {
      wrote = start;
      const on = way();
      tried ??= wrote;
      if (!on) return;
      goesOn = true;
      then = surer(then, wrote);
    };
    for (const way of ways) run(way, before);
    for (const way of after) run(way, tried);
    wrote = then;
    return goesOn;
  }

  /** Whether a way that left ends here. */
  function arrive(mine: (exit: Exit) => boolean): boolean {
    const here = left.filter(({ exit }) => mine(exit));
    if (here.length === 0) return false;
    left = left.filter(({ exit }) => !mine(exit));
    wrote = here.reduce((so, way) => surer(so, way.wrote), wrote);
    return true;
  }

  /** RETURN goes back to who called it. False where it comes back on no way. */
  function returning(body: () => boolean): boolean {
    const outer = left;
    left = [];
    const goesOn = body();
    const raised = wrote;
    if (!goesOn) wrote = null;
    const back = arrive(() => true) || goesOn;
    if (!back) wrote = raised;
    left = outer;
    return back;
  }

  function scope(step: Scope, at: Position): boolean {
    const apart =
      step.on !== on ||
      step.opens === 'connection' ||
      (step.opens === 'transaction' && /^(separate|refuse)$/.test(step.whenNested));
    const inner = apart ? { ...at, apart: true } : at;
    if (!apart) opens(step, at);
    const body = () => scan(step.body, inner);
    return either(
      [body],
      (step.handlers ?? []).map((one) => () => scan(one.body, handling(one, perhaps(at)))),
    );
  }

  /** What stands on a condition after something wrote, which may not be so whenever that runs. */
  const perhaps = (at: Position): Position =>
    wrote && at.certainty === 'certain' ? { ...at, certainty: 'likely' } : at;

  function opens(step: Extract<Step, { kind: 'savepoint' | 'scope' }>, at: Position): void {
    if (at.apart || step.on !== on || (wrote && rank(wrote.certainty) <= rank(at.certainty))) return;
    const one = told(step);
    if (one?.effects.writes !== 'yes' || summaries.isIdle(step, at.linked.file, at.block)) return;
    const says = `${labelOf(step)} in ${nameOf(at.linked)}`;
    wrote = { one, path: [...at.path, frame(step.at, says, at.linked)], certainty: at.certainty };
  }

  function call(step: Extract<Step, { kind: 'call' }>, at: Position): boolean {
    if (step.elsewhere) return true;
    const target = graph.target(step);
    const { routines, meaning } = target;
    const { linked } = at;
    const handed: Given | null = step.block ? { steps: step.block, linked, at: step.at, by: at.block } : null;
    if (routines.length === 0) {
      if (meaning) return returning(() => scan(meaning, { ...at, block: handed ?? at.block }));
      return handed === null || returning(() => scan(handed.steps, at));
    }
    const after = leftAfterWriting() ? perhaps(at) : at;
    const sure = sureOf(target, (to) => summaries.of(to).waits || summaries.of(to).opens);
    const certainty = weaker(weaker(after.certainty, sure), step.certainty);
    const ways = routines.map(({ to }) => () => {
      const summary = summaries.of(to);
      const block = isKept(step, summary, to.routine?.keepsBlock) ? null : handed;
      const path = [...at.path, frame(step.at, saysCall(step, linked, to), linked)];
      // Nobody sees it run.
      if (block && summary.yields === 0) returning(() => scan(block.steps, { ...at, path }));
      const { waits: waiting, opens } = summary;
      const mine = block !== null && summary.yields > 0;
      const id = `${to.index} ${wrote ? 'after' : 'before'} ${at.apart} ${at.failed} ${certainty}`;
      if (!(waiting || opens || mine) || (!mine && seen.has(id))) return true;
      if (!mine) seen.add(id);
      return returning(() => scan(to.body, { ...at, linked: to, block, path, certainty }));
    });
    return either(ways);
  }

  const leftAfterWriting = () => left.some(({ wrote }) => wrote);

  function tell(step: Wait, { one, path, certainty: sure }: Wrote, at: Position): void {
    const here = leftAfterWriting() ? perhaps(at) : at;
    const certainty = weaker(weaker(here.certainty, sure), step.certainty);
    const before = out.findIndex((other) => other.step === step);
    if (before >= 0 && rank(out[before]!.certainty) <= rank(certainty)) return;
    const last = frame(step.at, `${nameOf(at.linked)} ${WAITS[step.for]}`, at.linked);
    const between = at.path.slice(inCommon(path, at.path));
    const told = { step, witness: [...trail, ...path, ...between, last], subtransaction: one, certainty };
    if (before >= 0) out[before] = told;
    else out.push(told);
  }

  scan(start, {
    linked: from.linked,
    block: from.block,
    path: [],
    depth: 0,
    apart: false,
    certainty: from.certainty,
  });
  return out;
}

const surer = (one: Wrote | null, other: Wrote | null) =>
  one && (!other || rank(one.certainty) <= rank(other.certainty)) ? one : other;

const handling = (handler: Handler, at: Position): Position =>
  catchesAll(handler) ? { ...at, failed: true } : at;

const within = ({ linked, by }: Given): Here => ({ linked, block: by });

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

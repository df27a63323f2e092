// What a stretch of steps does, bottom up through callees and triggers: whether it writes, how many subtransactions count. Not in which context.
import type { Scope, Step } from '../ir.ts';
import type { Fired, Graph } from './graph.ts';
import { type Leaving, leaves } from './leaves.ts';
import type { Effects } from './model.ts';
import type { Linked, Program } from './program.ts';

/**
 * Counts are per transaction. Without a reset `head`, `peak` and `tail` are one number; with one, the first stretch,
 * the worst and the last.
 */
export interface Summary {
  writes: Effects['writes'];
  head: number;
  peak: number;
  tail: number;
  resets: boolean;
  /** What counts on ways that leave the loop around: a loop does not multiply it. */
  leaving: Record<Leaving, number>;
  /** How often it runs the block it was given, and inside how many subtransactions that write nothing themselves. */
  yields: number;
  yieldsInside: number;
  /** It may lock rows: explicitly, by an upsert, a foreign key, or a trigger that comes before. */
  locks: boolean;
  /** It opens subtransactions, whether they count or not. */
  opens: boolean;
  waits: boolean;
  opaque: boolean;
}

const STAYS: Summary['leaving'] = { return: 0, break: 0, raise: 0 };
const NOTHING: Summary = {
  writes: 'no', head: 0, peak: 0, tail: 0, resets: false, leaving: STAYS, yields: 0, yieldsInside: 0, locks: false, opens: false, waits: false, opaque: false,
}; // biome-ignore format: the zero
const WRITES: Summary = { ...NOTHING, writes: 'yes' };
const LOCKS: Summary = { ...WRITES, locks: true };
const WAITS: Summary = { ...NOTHING, waits: true };
const UNKNOWN: Summary = { ...NOTHING, writes: 'unknown' };
const OPAQUE: Summary = { ...UNKNOWN, opaque: true };
const RESET: Summary = { ...NOTHING, resets: true };
const OPENS: Summary = { ...NOTHING, opens: true };
const YIELD: Summary = { ...NOTHING, yields: 1 };

export interface Summaries {
  of(linked: Linked): Summary;
  ofSteps(steps: readonly Step[], file: string): Summary;
}

const either = (a: Effects['writes'], b: Effects['writes']): Effects['writes'] =>
  a === 'yes' || b === 'yes' ? 'yes' : a === 'unknown' || b === 'unknown' ? 'unknown' : 'no';

function both(
  a: Summary['leaving'],
  b: Summary['leaving'],
  how: (x: number, y: number) => number,
): Summary['leaving'] {
  if (a === STAYS && b === STAYS) return STAYS;
  return { return: how(a.return, b.return), break: how(a.break, b.break), raise: how(a.raise, b.raise) };
}

function merged(a: Summary, b: Summary, counts: Pick<Summary, 'head' | 'peak' | 'tail' | 'resets'>): Summary {
  return {
    writes: either(a.writes, b.writes),
    ...counts,
    leaving: both(a.leaving, b.leaving, (x, y) => x + y),
    yields: a.yields + b.yields,
    yieldsInside: a.yieldsInside + b.yieldsInside,
    locks: a.locks || b.locks,
    opens: a.opens || b.opens,
    waits: a.waits || b.waits,
    opaque: a.opaque || b.opaque,
  };
}

function then(a: Summary, b: Summary): Summary {
  if (a === NOTHING) return b;
  if (b === NOTHING) return a;
  const head = a.resets ? a.head : a.tail + b.head;
  const tail = b.resets ? b.tail : a.tail + b.tail;
  const resets = a.resets || b.resets;
  const peak = resets
    ? Math.max(a.resets ? a.peak : 0, b.resets ? b.peak : 0, a.tail + b.head, head, tail)
    : tail;
  return merged(a, b, { head, peak, tail, resets });
}

function or(a: Summary, b: Summary): Summary {
  const sum = merged(a, b, {
    head: Math.max(a.head, b.head),
    peak: Math.max(a.peak, b.peak),
    tail: Math.max(a.tail, b.tail),
    resets: a.resets && b.resets,
  });
  sum.leaving = both(a.leaving, b.leaving, Math.max);
  sum.yields = Math.max(a.yields, b.yields);
  sum.yieldsInside = Math.max(a.yieldsInside, b.yieldsInside);
  // Where only one of them ends the transaction, the other way goes on.
  if (!sum.resets) sum.head = sum.tail = sum.peak = Math.max(sum.head, sum.peak, sum.tail);
  return sum;
}

const BREAKS: readonly Leaving[] = ['break'];
const RAISES: readonly Leaving[] = ['raise'];
const ALL: readonly Leaving[] = ['return', 'break', 'raise'];

/** Outside of loops a way that leaves is a way like others. */
function settled(a: Summary, hows: readonly Leaving[] = ALL): Summary {
  if (a.leaving === STAYS) return a;
  let more = 0;
  for (const how of hows) more += a.leaving[how];
  if (more === 0) return a;
  const leaving = { ...a.leaving };
  for (const how of hows) leaving[how] = 0;
  return { ...a, head: a.head + more, peak: a.peak + more, tail: a.tail + more, leaving };
}

/** What stands before a RETURN, a way out of the loop. */
function left(a: Summary, how: Leaving): Summary {
  if (a.resets) return a;
  return { ...a, head: 0, peak: 0, tail: 0, leaving: { ...a.leaving, [how]: a.leaving[how] + a.peak } };
}

const times = (count: number, turns: number) => (count === 0 || turns === 0 ? 0 : count * turns);

function loop(a: Summary, turns: number | null): Summary {
  const n = turns ?? Number.POSITIVE_INFINITY;
  if (a === NOTHING || n === 1) return settled(a, BREAKS);
  const yields = { yields: times(a.yields, n), yieldsInside: times(a.yieldsInside, n) };
  if (a.resets) return settled({ ...a, ...yields, peak: Math.max(a.peak, a.tail + a.head) }, BREAKS);
  const count = times(a.peak, n);
  return settled({ ...a, ...yields, head: count, peak: count, tail: count }, BREAKS);
}

function subtransaction(a: Summary): Summary {
  const count = a.peak + (a.writes === 'yes' ? 1 : 0);
  const inside = a.yields > 0 && a.writes !== 'yes' ? 1 : 0;
  const yieldsInside = a.yieldsInside + inside;
  return { ...a, head: count, peak: count, tail: count, resets: false, yieldsInside, opens: true };
}

/** Savepoints that are open within one list of steps, over its ground. */
interface Level {
  name: string | null;
  sum: Summary;
  wrote: boolean;
}

const COUNTS: Summary = { ...NOTHING, head: 1, peak: 1, tail: 1 };

/** Ends the savepoints above this level as RELEASE does: those that wrote count, and so do the ones around them. */
function folded(open: Level[], level: number): Summary {
  while (open.length > level + 1) {
    const { sum, wrote } = open.pop()!;
    const below = open.at(-1)!;
    below.sum = then(below.sum, wrote ? then(sum, COUNTS) : sum);
    below.wrote ||= wrote;
  }
  return open[level]!.sum;
}

function control(open: Level[], step: Step): void {
  if (step.kind === 'savepoint') open.push({ name: step.name, sum: NOTHING, wrote: false });
  else if (step.kind === 'commit' || step.kind === 'begin') folded(open, 0);
  else if (step.kind === 'rollback') {
    const kept = open[0]!.sum;
    open[0]!.sum = then(kept, undone(folded(open, 0)));
  } else if (step.kind === 'release' || step.kind === 'rollback to') {
    const index = open.findLastIndex((one, i) => i > 0 && (step.name === null || one.name === step.name));
    if (index < 0) return;
    if (step.kind === 'release') folded(open, index - 1);
    else {
      const sum = undone(folded(open, index));
      // The transaction ID that those around it got for its sake stays with them.
      open[index - 1]!.wrote ||= open[index]!.wrote;
      Object.assign(open[index]!, { sum, wrote: false });
    }
  }
}

/** What failed is rolled back: it wrote nothing that stays, and its subtransactions do not count. */
const undone = (a: Summary): Summary => ({ ...a, head: 0, peak: 0, tail: 0, leaving: STAYS, resets: false });

export function summarise(program: Program, graph: Graph): Summaries {
  const known: (Summary | undefined)[] = new Array(program.linked.length);
  const of = (linked: Linked) => known[linked.index] ?? NOTHING;

  function list(steps: readonly Step[], file: string): Summary {
    let sum = NOTHING;
    let open: Level[] | null = null;
    for (const step of steps) {
      const summary = one(step, file);
      if (open === null && !(step.kind === 'savepoint' && summary === OPENS)) {
        sum = then(sum, summary);
        continue;
      }
      open ??= [{ name: null, sum, wrote: false }];
      control(open, step);
      const top = open.at(-1)!;
      top.sum = then(top.sum, summary);
      top.wrote ||= summary.writes === 'yes';
    }
    if (open) sum = folded(open, 0);
    const how = sum.peak > 0 ? leaves(steps) : null;
    return how ? left(sum, how) : sum;
  }

  function one(step: Step, file: string): Summary {
    if (!graph.holds(step, file)) return step.kind === 'scope' ? list(step.body, file) : NOTHING;
    if (graph.tooDeep.has(step)) return OPAQUE;
    switch (step.kind) {
      case 'begin':
      case 'commit':
      case 'rollback':
        return RESET;
      case 'savepoint':
        return OPENS;
      case 'write':
        return fired(
          step.rows === 'none' ? NOTHING : graph.locksFirst(step) ? LOCKS : WRITES,
          graph.fires(step),
          step.rows,
        );
      case 'read':
        return fired(NOTHING, graph.fires(step), step.rows);
      case 'row lock':
        return step.rows === 'none' ? NOTHING : LOCKS;
      case 'wait':
        return WAITS;
      case 'opaque':
        return OPAQUE;
      case 'yield':
        return YIELD;
      case 'call':
        return call(step, file);
      case 'scope':
        return scope(step, file);
      case 'attempt': {
        const handled = step.handlers.map((handler) => list(handler.body, file)).reduce(or, NOTHING);
        return then(
          then(settled(list(step.body, file), step.handlers.length > 0 ? RAISES : []), handled),
          step.finally ? list(step.finally, file) : NOTHING,
        );
      }
      case 'loop':
        return loop(list(step.body, file), step.over === 'retry' ? 1 : step.times);
      case 'branch': {
        const arms = step.arms.map((arm) => list(arm, file));
        return step.exhaustive && arms.length > 0 ? arms.reduce(or) : arms.reduce(or, NOTHING);
      }
      case 'block':
        return list(step.body, file);
      default:
        return NOTHING;
    }
  }

  function fired(own: Summary, list: readonly Fired[], rows: 'none' | 'one' | 'many' | 'unknown'): Summary {
    let sum = own;
    for (const { to, trigger } of list)
      sum = then(sum, trigger.each === 'row' && rows !== 'one' ? loop(of(to), null) : of(to));
    return sum;
  }

  function call(step: Extract<Step, { kind: 'call' }>, file: string): Summary {
    if (step.elsewhere) return NOTHING;
    const { routines, meaning } = graph.target(step);
    const given = step.block ? list(step.block, file) : NOTHING;
    if (routines.length > 0)
      return routines
        .map(({ to }) => handed(of(to), to.routine?.keepsBlock && of(to).yields === 0 ? NOTHING : given))
        .reduce(or);
    if (meaning) return handed(list(meaning, file), given);
    return then(UNKNOWN, given);
  }

  /** A callee with the block that it was given. A callee that never yields may keep the block for later, or run it. */
  function handed(callee: Summary, given: Summary): Summary {
    if (given === NOTHING) return callee.yields > 0 ? { ...callee, yields: 0, yieldsInside: 0 } : callee;
    const open = given.writes === 'yes' ? callee.yieldsInside : 0;
    const own = { ...callee, yields: 0, yieldsInside: 0 };
    const whole = then(own, loop(given, callee.yields || 1));
    return { ...whole, head: whole.head + open, peak: whole.peak + open, tail: whole.tail + open };
  }

  function scope(step: Scope, file: string): Summary {
    const body = list(step.body, file);
    const handled = (step.handlers ?? []).map((handler) => list(handler.body, file));
    if (step.opens === 'transaction' && (step.whenNested === 'separate' || step.whenNested === 'refuse'))
      return handled.reduce(or, { ...NOTHING, waits: body.waits, opaque: body.opaque });
    const nested = step.opens === 'subtransaction' || step.whenNested === 'savepoint';
    const fails =
      handled.length > 0 && step.body.some((last) => last.kind === 'exit' && last.how === 'raise');
    const whole = nested ? subtransaction(body) : body;
    // One that succeeds only by leaving the loop counts once, however often it is tried.
    const how = leaves(step.body);
    const out = how ? left(whole, how) : whole;
    const opened = handled.length > 0 ? settled(out, RAISES) : out;
    const done = fails ? undone(opened) : opened;
    return handled.reduce((sum, handler) => or(sum, then(undone(body), handler)), done);
  }

  for (const component of components(graph.leadsTo)) {
    const again = component.length > 1 || graph.leadsTo[component[0]!]!.includes(component[0]!);
    const round = () => {
      for (const index of component) {
        const { body, file } = program.linked[index]!;
        known[index] = settled(list(body, file));
      }
    };
    round();
    if (!again) continue;
    const first = component.map((index) => known[index]!.peak);
    round();
    component.forEach((index, i) => {
      // What grows with each turn of a recursion has no bound.
      const summary = known[index]!;
      if (summary.peak > first[i]! && !summary.resets)
        known[index] = { ...summary, head: Infinity, peak: Infinity, tail: Infinity };
    });
    round();
  }
  return { of, ofSteps: (steps, file) => settled(list(steps, file)) };
}

/** Strongly connected components, callees first; without recursion of our own. */
function components(edges: number[][]): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const onStack = new Uint8Array(edges.length);
  const stack: number[] = [];
  const out: number[][] = [];
  let next = 0;
  for (let root = 0; root < edges.length; root++) {
    if (order[root] !== -1) continue;
    const work: { node: number; edge: number }[] = [{ node: root, edge: 0 }];
    order[root] = low[root] = next++;
    stack.push(root);
    onStack[root] = 1;
    while (work.length > 0) {
      const top = work.at(-1)!;
      const { node } = top;
      const to = edges[node]![top.edge++];
      if (to !== undefined) {
        if (order[to] === -1) {
          order[to] = low[to] = next++;
          stack.push(to);
          onStack[to] = 1;
          work.push({ node: to, edge: 0 });
        } else if (onStack[to]) low[node] = Math.min(low[node]!, order[to]!);
        continue;
      }
      work.pop();
      const above = work.at(-1);
      if (above) low[above.node] = Math.min(low[above.node]!, low[node]!);
      if (low[node] !== order[node]) continue;
      const component: number[] = [];
      for (let member = -1; member !== node; ) {
        member = stack.pop()!;
        onStack[member] = 0;
        component.push(member);
      }
      out.push(component);
    }
  }
  return out;
}

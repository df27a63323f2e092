// Calls and the blocks that they are handed, beside the same steps written out where they run: the linker says the same of both.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Call, Name, Span, Step } from '../../src/ir.ts';
import { link } from '../../src/linker/link.ts';
import type { Model } from '../../src/linker/model.ts';
import {
  afresh,
  atomic,
  attempt,
  block,
  branch,
  call,
  flat,
  lock,
  loop,
  read,
  release,
  rollbackTo,
  routine,
  savepoint,
  script,
  unit,
  wait,
  write,
  yields,
} from '../linker-build.ts';

type Node =
  | { k: 'write' | 'yield' | 'open' | 'wait' | 'lock' | 'change'; body?: undefined }
  | { k: 'atomic' | 'block' | 'loop' | 'turns' | 'branch' | 'attempt' | 'mark' | 'guard'; body: Node[] }
  | { k: 'call'; to: number; body: Node[] };

const ROUTINES = 5;
const { list } = fc.letrec<{ list: Node[]; node: Node }>((tie) => ({
  list: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Node>(
      { k: 'write' },
      { k: 'yield' },
      { k: 'write' },
      { k: 'yield' },
      { k: 'open' },
      { k: 'wait' },
      { k: 'lock' },
      { k: 'change' },
    ),
    fc.record({ k: fc.constant('call'), to: fc.nat(ROUTINES), body: fc.oneof(fc.constant([]), tie('list')) }),
    fc.record({
      k: fc.constantFrom('atomic', 'block', 'loop', 'turns', 'branch', 'attempt', 'mark', 'guard'),
      body: tie('list'),
    }),
  ) as fc.Arbitrary<Node>,
}));
const programs = fc.array(list, { minLength: ROUTINES, maxLength: ROUTINES });

const nameOf = (i: number): Name => `python:m.r${i}`;

/** Calls go to routines further down, so that there is an end of them; only one that yields is handed a block. */
function stepsOf(nodes: Node[], own: number, given: boolean[]): Step[] {
  return nodes.flatMap((node): Step[] => {
    if (node.k === 'write') return [write('sql:t')];
    if (node.k === 'yield') return own === 0 ? [] : [yields()];
    if (node.k === 'open') return [savepoint('o')];
    if (node.k === 'wait') return [wait()];
    if (node.k === 'lock') return [lock('sql:u', { strength: 'key share', keys: ['id=1'] })];
    if (node.k === 'change') return [write('sql:u', { verb: 'update', keys: ['id=1'] })];
    const body = stepsOf(node.body ?? [], own, given);
    if (node.k === 'call') {
      const to = own + 1 + (node.to % ROUTINES);
      if (to >= ROUTINES) return body;
      return [call(nameOf(to), given[to] && body.length > 0 ? { block: body } : {})];
    }
    if (body.length === 0) return [];
    if (node.k === 'atomic') return [atomic(body)];
    if (node.k === 'block') return [block(body)];
    if (node.k === 'loop') return [loop(body, { over: 'items' })];
    if (node.k === 'turns') return [loop(body, { over: 'range', times: 3 })];
    if (node.k === 'branch') return [branch(body)];
    if (node.k === 'mark') return [savepoint('s'), ...body, release('s')];
    if (node.k === 'guard')
      return [attempt([savepoint('s'), ...body, release('s')], [rollbackTo('s'), release('s')])];
    return [attempt(body, [])];
  });
}

interface Given {
  steps: Step[];
  by: Given | null;
}

/** Copies of one step stand in one line, and each has a place of its own in it. */
const LINE = 10_000;
const lineOf = ({ at }: { at: Span }) => Math.floor(at.start / LINE);
let copies = 0;
const copied = <One extends { at: Span }>(one: One): One => {
  const start = one.at.start * LINE + (copies++ % LINE);
  return { ...one, at: { start, end: start + 1 } };
};

/** The same steps, in the same lines, with nothing called. */
function written(steps: Step[], bodies: Map<Name, Step[]>, given: Given | null): Step[] {
  return steps.flatMap((step): Step[] => {
    if (step.kind === 'yield') return given ? written(given.steps, bodies, given.by) : [];
    if (step.kind === 'call') return calledHere(step, bodies, given);
    if (step.kind === 'branch')
      return [{ ...copied(step), arms: step.arms.map((arm) => written(arm, bodies, given)) }];
    if (step.kind === 'attempt') {
      const handlers = step.handlers.map((one) => ({ ...one, body: written(one.body, bodies, given) }));
      return [{ ...copied(step), body: written(step.body, bodies, given), handlers }];
    }
    if ('body' in step) return [{ ...copied(step), body: written(step.body, bodies, given) } as Step];
    return [copied(step)];
  });
}

/** The same, called as they are. */
const inLines = (steps: Step[]): Step[] =>
  JSON.parse(JSON.stringify(steps), (_, value) =>
    typeof value?.start === 'number' ? { start: value.start * LINE, end: value.start * LINE + 1 } : value,
  );

/** A call may fail as a read may. */
const calledHere = (step: Call, bodies: Map<Name, Step[]>, by: Given | null): Step[] => [
  read('sql:t'),
  ...written(bodies.get(step.callee)!, bodies, step.block ? { steps: step.block, by } : null),
];

const has = (steps: Step[], kind: Step['kind']): boolean =>
  JSON.stringify(steps).includes(`"kind":"${kind}"`);

const SURE = ['certain', 'likely', 'possible'];

/**
 * By place, how surely each is reached in which way. Of the turns of a loop only those that repeat, for the first is told where
 * no other is worse.
 */
function told({ subtransactions }: Model): Record<string, Record<string, string>> {
  const out: Record<string, Record<string, string>> = {};
  for (const { at, label, visits } of subtransactions)
    for (const { context, certainty } of visits) {
      out[`${label} ${lineOf({ at })}`] ??= {};
      const ways = out[`${label} ${lineOf({ at })}`]!;
      const way = `${context.inTransaction} ${context.repeatedBy ?? 'once'}`;
      if (SURE.indexOf(certainty) < SURE.indexOf(ways[way] ?? 'possible') || !ways[way])
        ways[way] = certainty;
    }
  for (const ways of Object.values(out))
    if (Object.keys(ways).some((way) => !way.endsWith('once')))
      for (const way of Object.keys(ways)) if (way.endsWith('once')) delete ways[way];
  return out;
}

const WORST = ['left open', 'unknown', 'rolled back', 'released'];

/** By place, what the worst copy does. */
function inside({ subtransactions }: Model) {
  const out: Record<string, { writes: string; ends: string }> = {};
  for (const { at, label, effects, ends, visits } of subtransactions) {
    if (visits.length === 0) continue;
    const one = out[`${label} ${lineOf({ at })}`] ?? { writes: 'no', ends: 'released' };
    out[`${label} ${lineOf({ at })}`] = one;
    if (effects.writes !== 'no' && one.writes !== 'yes') one.writes = effects.writes;
    if (WORST.indexOf(ends) < WORST.indexOf(one.ends)) one.ends = ends;
  }
  return out;
}

/** What the worst transaction comes to, what any of them waits for, and which rows are locked and changed. */
function costs({ transactions, lockConflicts }: Model) {
  const waits = new Set(transactions.flatMap((one) => one.waits.map(({ step }) => lineOf(step))));
  const conflicts = new Set(lockConflicts.map(({ lock, change }) => `${lineOf(lock)} ${lineOf(change)}`));
  return {
    counts: Math.max(0, ...transactions.map(({ counts }) => counts)),
    least: Math.max(0, ...transactions.map(({ least }) => least)),
    waits: [...waits].sort((a, b) => a - b),
    conflicts: [...conflicts].sort(),
  };
}

test('what is called and handed on is told as if it were written out', () => {
  fc.assert(
    fc.property(programs, (trees) => {
      afresh();
      const given: boolean[] = [];
      const bodies = new Map<Name, Step[]>();
      for (let i = ROUTINES - 1; i >= 0; i--) {
        const body = stepsOf(trees[i]!, i, given);
        given[i] = has(body, 'yield');
        bodies.set(nameOf(i), body);
      }
      const [main, ...others] = [...bodies].reverse();
      // A savepoint that stays open wants a transaction around.
      if (JSON.stringify(trees).includes('"open"')) main![1] = [flat('begin'), ...main![1], flat('commit')];
      const reached = new Set<Name>();
      const reach = (steps: Step[]): void => {
        for (const [, callee] of JSON.stringify(steps).matchAll(/"callee":"([^"]+)"/g))
          if (!reached.has(callee as Name)) {
            reached.add(callee as Name);
            reach(bodies.get(callee as Name)!);
          }
      };
      reach(main![1]);
      const routines = others
        .filter(([name]) => reached.has(name))
        .map(([name, body]) => routine(name, inLines(body)));
      const whole = written(main![1], bodies, null);
      const text = JSON.stringify(whole);
      fc.pre(text.length < 40_000);
      // Of many states only some are followed.
      fc.pre(text.split('"kind":"savepoint"').length <= 4);
      const called = link([unit('m.py', { routines: [script(nameOf(0), inLines(main![1])), ...routines] })]);
      const inline = link([unit('m.py', { routines: [script(nameOf(0), whole)] })]);
      expect(told(called)).toEqual(told(inline));
      // Missed: what a callee leaves open counts with what its caller writes.
      if (!JSON.stringify(trees).includes('"open"')) {
        const [{ least, ...cost }, { least: same, ...costsHere }] = [costs(called), costs(inline)];
        expect(cost).toEqual(costsHere);
        expect(least).toBeLessThanOrEqual(same);
      }
      // What an error leaves open inside of a block that was handed on, nobody sees who catches it farther out.
      const shape = JSON.stringify(trees);
      if (/"attempt"|"guard"/.test(shape) && shape.includes('"mark"')) return;
      const [a, b] = [inside(called), inside(inline)];
      // Less may be known across calls, and nothing else.
      for (const [place, { writes, ends }] of Object.entries(a)) {
        if (writes !== 'unknown') expect(`${place} ${writes}`).toBe(`${place} ${b[place]!.writes}`);
        if (ends === 'left open') expect(`${place} ${b[place]!.ends}`).toBe(`${place} left open`);
      }
    }),
    { numRuns: Number(process.env.SUBXACT_PROGRAMS ?? 300), seed: Number(process.env.SUBXACT_SEED ?? 1) },
  );
});

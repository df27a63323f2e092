// Which relations steps lead to, and how: by what locks of their rows, by changes. Not in which subtransactions.
import type { LockStrength, Step, Write } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { components } from '../graph/components.ts';
import { may } from '../graph/firing.ts';
import { CHANGES, type Graph, type Reference, spread } from '../graph/graph.ts';
import type { Begun } from '../run/record.ts';
import type { Touching } from './touching.ts';

export const STRENGTH: Record<LockStrength, number> = {
  'key share': 1,
  share: 2,
  'no key update': 3,
  update: 4,
};
/** What a write takes of the rows that it refers to, and of its own where it locks them first. */
export const KEY_SHARE = STRENGTH['key share'];
export const NO_KEY_UPDATE = STRENGTH['no key update'];
/** No lock, and yet of the same kind of thing: what is done to the rows of a relation. */
const CHANGE = 5;

/** Where there are more relations some share a number: then too much is taken for contested, and never too little. */
const NUMBERS = 256;
/** By number of the relation a bit for each strength, and one for changes. */
type Done = Uint32Array;
const NOTHING: Done = new Uint32Array(NUMBERS / 4);

/** What this statement changes of the rows that there are. */
export function changes(step: Write): boolean {
  const merges = step.verb === 'merge' && (may(step, 'update') || may(step, 'delete'));
  return step.verb === 'update' || step.verb === 'delete' || merges || step.onConflict === 'update';
}

/** Whether it locks rows of its own relation before it changes them. */
export const locksOwn = (step: Write, relation: string | null, { lockedFirst }: Graph): boolean =>
  step.onConflict === 'update' || (step.verb === 'update' && relation !== null && lockedFirst.has(relation));

/** Where a row may be held in one way and asked for in another. */
export interface Contested {
  /** It has a say in that. */
  routine(to: Linked): boolean;
  /** It has such rows. */
  relation(name: string): boolean;
}

/** Null of a transaction that has no such row. */
export function createContested(
  graph: Graph,
  linked: readonly Linked[],
  touching: Touching,
  parentsOf: (step: Write) => Reference[],
): (begun: Begun, steps: readonly Step[]) => Contested | null {
  const numbers = new Map<string, number>();
  const known: (Done | undefined)[] = [];
  const open = spread(graph, CHANGES);
  const below = components(
    graph.traits.length,
    graph.leadsTo,
    (to) => known[to] === undefined && touching.routine(linked[to]!),
  );

  function of({ index }: Linked): Done {
    for (const members of known[index] ? [] : below(index)) {
      const done: Done = new Uint32Array(NOTHING.length);
      for (const member of members) {
        for (const to of graph.leadsTo(member)) add(done, known[to] ?? NOTHING);
        own(linked[member]!.body, done);
      }
      for (const member of members) known[member] = done.some((word) => word !== 0) ? done : NOTHING;
    }
    return known[index]!;
  }

  /** What these steps do themselves. */
  function own(steps: readonly Step[], done: Done, led?: (to: Linked) => void): void {
    const stack: (readonly Step[])[] = [steps];
    for (let top = stack.pop(); top; top = stack.pop())
      for (const step of top) {
        if (step.kind === 'row lock') mark(done, graph.relation(step), STRENGTH[step.strength]);
        else if (step.kind === 'write') written(step, done);
        if (led && step.kind === 'call') for (const { to } of graph.target(step).routines) led(to);
        if (led && (step.kind === 'write' || step.kind === 'read'))
          for (const { to } of graph.fires(step)) led(to);
        if (step.kind !== 'write' && step.kind !== 'row lock')
          for (const inner of graph.inside(step)) stack.push(inner);
      }
  }

  function written(step: Write, done: Done): void {
    const relation = graph.relation(step);
    if (locksOwn(step, relation, graph)) mark(done, relation, NO_KEY_UPDATE);
    if (changes(step)) mark(done, relation, CHANGE);
    for (const { parent } of parentsOf(step)) mark(done, parent, KEY_SHARE);
  }

  function mark(done: Done, relation: string | null, how: number): void {
    if (relation === null) return;
    let number = numbers.get(relation);
    if (number === undefined) {
      number = numbers.size % NUMBERS;
      numbers.set(relation, number);
    }
    done[number >> 2]! |= 1 << ((number & 3) * 8 + how);
  }

  return (begun, steps) => {
    const all: Done = new Uint32Array(NOTHING.length);
    own(steps, all, (to) => add(all, of(to)));
    for (let at = begun.block; at; at = at.by) {
      add(all, of(at.linked));
      own(at.steps, all);
    }
    const some = all.map(inTwoWays);
    if (some.every((word) => word === 0)) return null;
    const says = new Map<Linked, boolean>();
    return {
      routine(to) {
        let answer = says.get(to);
        if (answer === undefined) {
          answer = open[to.index] === 1 || meet(of(to), some);
          says.set(to, answer);
        }
        return answer;
      },
      relation(name) {
        const number = numbers.get(name);
        return number === undefined || (some[number >> 2]! & (0xff << ((number & 3) * 8))) !== 0;
      },
    };
  };
}

function add(to: Done, more: Done): void {
  if (more !== NOTHING) for (let i = 0; i < to.length; i++) to[i]! |= more[i]!;
}

const meet = (a: Done, b: Done): boolean => a.some((word, i) => (word & b[i]!) !== 0);

/** All bits of the numbers of which more than one is set. */
function inTwoWays(word: number): number {
  if (word === 0) return 0;
  let out = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const bits = (word >>> shift) & 0xff;
    if (bits & (bits - 1)) out |= 0xff << shift;
  }
  return out;
}

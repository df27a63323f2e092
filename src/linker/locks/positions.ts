// Where a run that looks for row locks is: in which routine, on whose object, in which turn. Not what it holds there.
import type { Call, Certainty, ForeignKey, Read, Step, Trigger, Write } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { kept } from '../kept.ts';
import { ownerOf } from '../names/dotted.ts';
import type { Given } from '../run/run.ts';
import { pushOn, type Trail } from '../run/trail.ts';
import { handedOn } from '../run/ways.ts';
import type { Held, Locking, Row, Self, Terms } from './held.ts';
import { IN_ROW } from './rows.ts';
import { BY_SELF, OWN_TERMS, ofRow, yieldedTo } from './terms.ts';

export interface Position {
  linked: Linked;
  trail: Trail | null;
  certainty: Certainty;
  block: { steps: Step[]; position: Position } | null;
  repeated: boolean;
  /** In a later turn of a loop: that a condition holds in both nobody knows. */
  again: boolean;
  /** Which turn of each loop around; a variable means another row in each. */
  turns: readonly number[];
  /** Which run of the routine: called twice, it has other arguments, and a row trigger another row. */
  run: number;
  self: Self;
  /** In a callback of an INSERT, and what that calls: the object whose row it makes, and when that was. */
  born: Born | null;
  /** In a trigger: the row that it runs for. */
  row: Row | null;
  terms: Terms;
}

interface Born {
  self: Self;
  id: number;
}

export function startIn(linked: Linked, given: Given | null, self: Self = { by: null }): Position {
  const block = given && { steps: given.steps, position: startIn(given.linked, given.by, self) };
  const terms = block && given.hands ? yieldedTo(given.hands, block.position.terms) : OWN_TERMS;
  return {
    linked, trail: null, certainty: 'certain', block, repeated: false, again: false, turns: [], run: 0, self, born: null, row: null, terms,
  }; // biome-ignore format: short
}

/** A block that runs the one which its routine was given, and what that runs: each once, for a recursion hands on more and more. */
export type Blocks = readonly Step[][];

export function blocksOf(block: Position['block']): Blocks {
  if (!block) return NO_BLOCKS;
  const all = [block.steps];
  for (let one = block.position.block; one; one = one.position.block)
    if (!all.includes(one.steps)) all.push(one.steps);
  return all;
}
const NO_BLOCKS: Blocks = [];

export const isSame = (a: Blocks, b: Blocks): boolean =>
  a.length === b.length && a.every((steps) => b.includes(steps));

/** In the block that the routine here was given. */
export function yielded(at: Position, { position }: NonNullable<Position['block']>): Position {
  const { linked, block, run, self, row, terms } = position;
  return { ...at, linked, block, run, self, row, terms, trail: handedOn(at.trail, at.linked) };
}

/** Whose methods steps call and routines are, found once for all runs. */
export interface Owners {
  called(step: Call): string | undefined;
  of(linked: Linked): string | null;
}

export const createOwners = (): Owners => ({
  called: kept(({ callee }) => ownerOf(callee)?.replace(/\^$/, '')),
  // What a callback of a model calls on the model is a method of the object that it runs for.
  of: kept(({ as, name, trigger }) =>
    trigger?.via === 'model callback' ? trigger.relation : (as ?? ownerOf(name)),
  ),
});

/** The objects of one run. */
export function createSelves(owners: Owners) {
  const known = new Map<Self, Map<string, Self>>();
  const reached = (by: Self, how: string): Self => {
    const all = known.get(by) ?? new Map<string, Self>();
    known.set(by, all);
    const self = all.get(how) ?? { by };
    all.set(how, self);
    return self;
  };
  return {
    /** What a method calls on its own object is a method of the same one; by another name it is another's. */
    called(step: Call, { linked, self, run }: Position): Self {
      // What runs in a database has no object.
      if (step.as || step.callee.startsWith('sql:')) return self;
      const owner = owners.called(step);
      return owner === owners.of(linked) ? self : reached(self, `${run} ${owner}`);
    },
    /** A callback of a model runs on the object that is written. */
    fired({ via }: Trigger, step: Read | Write, { self, run }: Position): Self {
      if (via !== 'model callback') return self;
      const itself = step.kind === 'write' && step.keys?.includes('self');
      return itself ? self : reached(self, `${run} ${step.at.start}`);
    },
  };
}

/** Its row was not there yet when that was locked. */
export const isNewer = ({ keys }: Locking, { born, self }: Position, lock: Held): boolean =>
  born !== null && born.self === self && lock.taken < born.id && keys?.includes('self') === true;

const isOfSelf = (key: string): boolean =>
  key.startsWith('self') || key.startsWith('this') || (key.startsWith('@') && key[1] !== '@');

/** Two objects that one method has are two; what has come from an object may lead back to it. */
const isAnother = (a: Self, b: Self): boolean => !isFrom(a, b) && !isFrom(b, a);

function isFrom(one: Self, other: Self): boolean {
  for (let at: Self | null = one; at; at = at.by) if (at === other) return true;
  return false;
}

/** With the columns by which the row that is written refers to the one that is locked. */
export function referring<One extends Locking>(step: One, row: Row | null, refers: ForeignKey | null): One {
  if (!row || !refers?.columns) return step;
  const puts = step.kind === 'write' ? (step.puts ?? []) : [];
  const own = refers.columns.flatMap((column) => [
    `${column}=${ofRow(column, row)}`,
    ...puts.filter((key) => key.startsWith(`${column}=`)).map((key) => IN_ROW + key),
  ]);
  return { ...step, keys: [...(step.keys ?? []), ...own] };
}

/**
 * What picks the rows, without what is of another object. What an object is called that is asked is its name; two that
 * are asked by one name in two runs of a method are two.
 */
export function keysFor<One extends { keys?: string[] }>(
  step: One,
  other: One,
  held: Held,
  at: Position,
): One {
  if (!step.keys?.some(isOfSelf)) return step;
  const another = isAnother(held.self, at.self);
  const keys = step.keys.flatMap((key) => {
    if (key.startsWith(BY_SELF))
      return another && other.keys?.includes(key) ? [] : [key.slice(BY_SELF.length)];
    return another && isOfSelf(key) ? [] : [key];
  });
  return { ...step, keys };
}

export const push = ({ trail, linked }: Position, { at }: Step, says: () => string, repeats = false): Trail =>
  pushOn(trail, linked.file, at, says, repeats);

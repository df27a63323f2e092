// By how much each turn of a loop moves a counter, on whichever way through. Not what is made of that.
import { type Context, mark, nameAt } from './context.ts';
import { literal, setters } from './survey.ts';
import type { PlainNode, Statement } from './tree.ts';

/** By how much a turn moves a counter at most and at least, and whether each does by so much; where it starts again, and in how many places that is set. */
export interface Growth {
  per: number;
  least: number;
  sure: boolean;
  from: number;
  starts: number;
}

export const isSet = (c: Context, body: Statement[], name: string): boolean =>
  setters(c, body, name).length > 0;

/** A list of statements is gone over once for each name, however many conditions ask. */
const growthIn = new WeakMap<Statement[], Map<string, Growth | null>>();

export function growth(c: Context, body: Statement[], name: string): Growth | null {
  const known = growthIn.get(body) ?? new Map<string, Growth | null>();
  growthIn.set(body, known);
  let found = known.get(name);
  if (found === undefined) {
    const way = movedIn(c, body, name);
    const starts = setters(c, body, name).flatMap((one) => startsAt(c, one) ?? []);
    found = !way || way.most === 0 ? null : {
      per: way.most, least: way.least, sure: way.least === way.most, from: Math.max(0, ...starts), starts: starts.length,
    }; // biome-ignore format: a row
    known.set(name, found);
  }
  return found;
}

/** By how much one way through these statements moves it at most, and another at least. */
interface Moved {
  least: number;
  most: number;
}

/** Null where something else is done to it, or a loop moves it. */
function movedIn(c: Context, statements: Statement[], name: string): Moved | null {
  let sum: Moved = { least: 0, most: 0 };
  if (!isSet(c, statements, name)) return sum;
  for (const one of statements) {
    const moved = movedBy(c, one, name);
    if (!moved) return null;
    sum = { least: sum.least + moved.least, most: sum.most + moved.most };
  }
  return sum;
}

function movedBy(c: Context, node: Statement, name: string): Moved | null {
  if (node.kind === 'plain') {
    if (!isSet(c, [node], name)) return { least: 0, most: 0 };
    const by = moves(c, node, name) ?? (startsAt(c, node) === null ? null : 0);
    return by === null ? null : { least: by, most: by };
  }
  if (node.kind === 'loop') return isSet(c, node.body, name) ? null : { least: 0, most: 0 };
  const ways: (Moved | null)[] = [];
  if (node.kind === 'block') {
    const body = movedIn(c, node.body, name);
    ways.push(body);
    // What its last statement does is not done where one of them failed.
    const failed = node.exception && body && movedIn(c, node.body.slice(0, -1), name);
    for (const { body: handler } of node.exception?.handlers ?? []) {
      const moved = movedIn(c, handler, name);
      ways.push(failed && moved ? { least: moved.least, most: failed.most + moved.most } : null);
    }
  } else {
    for (const { body } of node.arms) ways.push(movedIn(c, body, name));
    if (!node.arms.some(({ condition }) => !condition)) ways.push({ least: 0, most: 0 });
  }
  let all: Moved | null = ways[0] ?? null;
  for (const way of ways)
    all = all && way && { least: Math.min(all.least, way.least), most: Math.max(all.most, way.most) };
  return all;
}

const isWhole = (c: Context, { verb, from }: PlainNode): boolean =>
  verb === 'assign' && /^:?=$/.test(mark(c, from + 1));

/** The constant that it is set to. */
export const startsAt = (c: Context, node: Statement): number | null =>
  node.kind === 'plain' && isWhole(c, node) ? literal(c, { from: node.from + 2, to: node.to }) : null;

/** `n := n + 1`. */
function moves(c: Context, node: PlainNode, name: string): number | null {
  if (!isWhole(c, node) || nameAt(c, node.from + 2) !== name || mark(c, node.from + 3) !== '+') return null;
  const by = literal(c, { from: node.from + 4, to: node.to });
  return by !== null && by > 0 ? by : null;
}

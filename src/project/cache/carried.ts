// What was found before a small change that changes no meaning: it is found again, at its new places. Nothing is linked, and what is not sure is not carried.
import { readFileSync } from 'node:fs';
import type { Span, Unit } from '../../ir.ts';
import type { Finding, Place } from '../../rule.ts';
import { decode } from '../files/decode.ts';
import { type Candidate, type Loader, type Survey, treeOf } from '../load.ts';
import { looksLikeTest } from '../screen/tests.ts';
import { type Cache, hashOf, type Lowered } from './cache.ts';

/** After more than these a run over all costs little more. */
const MOST_CHANGED = 20;

export interface Carried {
  /** Some have other bodies than before: they call others, perhaps. */
  bodies: boolean;
  /** The same findings in the files as they are now; null where one stands at a place that says nothing by itself. */
  move(findings: Finding[]): Finding[] | null;
}

/** Whether these routines of a file may have other bodies now, and every finding is what it was. */
export type Harmless = (before: Unit, now: Unit, changed: number[]) => boolean;

/** Null where more changed than the places of what the files say, and bodies that are harmless. */
export async function carried(
  seen: Survey,
  loader: Loader,
  cache: Cache,
  harmless: Harmless = () => false,
): Promise<Carried | null> {
  const { last } = cache;
  const changed = seen.candidates.filter((one) => last.known(one.path)?.hash !== one.hash);
  if (changed.length === 0 || changed.length > MOST_CHANGED) return null;
  if (changed.some((one) => !last.known(one.path))) return null;
  const before = seen.candidates.map(({ path }) => ({ path, hash: last.known(path)!.hash }));
  if (treeOf(before) !== last.tree) return null;
  const moved = new Map<string, Moves>();
  let bodies = false;
  for (const one of changed) {
    const old = last.known(one.path)!;
    if (old.loud && !one.loud) return null;
    if (!old.loud && !last.selected.has(one.path)) {
      // A test that opens nothing itself is never looked at; what else says nothing may be wanted now.
      if (one.loud || !looksLikeTest(one.path)) return null;
      continue;
    }
    const known = cache.lowered(one.path, old.hash);
    const now = known && (await lowered(one, loader));
    const same = now && movesBetween(known, now, harmless);
    if (!same) return null;
    moved.set(one.path, same.moves);
    bodies ||= same.bodies;
    cache.keep(one.path, one.hash, now);
  }
  cache.select(seen.tree, [...last.selected]);
  return { bodies, move: (findings) => carry(findings, moved) };
}

async function lowered(one: Candidate, loader: Loader): Promise<Lowered | null> {
  const bytes = one.bytes ?? readFileSync(one.full);
  const decoded = hashOf(bytes) === one.hash ? decode(bytes) : null;
  if (!decoded) return null;
  return { unit: await loader.lower(one.path, decoded.text), latin1: decoded.encoding === 'latin-1' };
}

/** From each place that an old unit names to where it is now. */
type Moves = Map<number, number>;

/** Null where two units differ in more than places and harmless bodies, or their places are in another order. */
function movesBetween(
  before: Lowered,
  now: Lowered,
  harmless: Harmless,
): { moves: Moves; bodies: boolean } | null {
  const [old, one] = [before.unit, now.unit];
  const changed = old && one ? changedBodies(old, one) : [];
  const moves: Moves = new Map();
  if (!alike(without(before, changed), without(now, changed), moves)) return null;
  if (changed.length > 0 && !harmless(old!, one!, changed)) return null;
  const places = [...moves].sort(([a], [b]) => a - b);
  const inOrder = places.every(([, to], i) => i === 0 || to > places[i - 1]![1]);
  return inOrder ? { moves, bodies: changed.length > 0 } : null;
}

/** A routine without a body says that somebody else has one. */
const changedBodies = (before: Unit, now: Unit): number[] =>
  before.routines.flatMap(({ body }, i) => {
    const other = now.routines[i]?.body;
    const differ = other && body.length > 0 && other.length > 0 && !alike(body, other, new Map());
    return differ ? [i] : [];
  });

function without({ unit, latin1 }: Lowered, changed: number[]): Lowered {
  if (!unit || changed.length === 0) return { unit, latin1 };
  const routines = unit.routines.map((one, i) => (changed.includes(i) ? { ...one, body: [] } : one));
  return { unit: { ...unit, routines }, latin1 };
}

function alike(a: unknown, b: unknown, moves: Moves): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (isSpan(a) && isSpan(b) && isFile(a)) return isFile(b);
  if (isSpan(a) && isSpan(b)) return goes(a.start, b.start, moves) && goes(a.end, b.end, moves);
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return keys.every((key) => Object.hasOwn(other, key) && alike(one[key], other[key], moves));
}

const isSpan = (value: object): value is Span => 'start' in value && 'end' in value;
/** A script's place is where its file begins, whatever is written there. */
const isFile = ({ start, end }: Span) => start === 0 && end <= 1;

function goes(from: number, to: number, moves: Moves): boolean {
  const known = moves.get(from);
  moves.set(from, to);
  return known === undefined || known === to;
}

/** All places in a finding stand beside the name of their file. */
function carry<T>(value: T, moved: Map<string, Moves>): T | null {
  if (typeof value !== 'object' || value === null) return value;
  const out = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const moves = isPlace(value) ? moved.get(value.file) : undefined;
  for (const [key, inner] of Object.entries(value)) {
    const now = key === 'at' && moves ? moveTo(inner as Span, moves) : carry(inner, moved);
    if (now === null && inner !== null) return null;
    out[key] = now;
  }
  return out as T;
}

const isPlace = (value: object): value is Place => 'file' in value && 'at' in value;

function moveTo(span: Span, moves: Moves): Span | null {
  if (isFile(span)) return span;
  const { start, end } = span;
  const [from, to] = [moves.get(start), moves.get(end)];
  return from === undefined || to === undefined ? null : { start: from, end: to };
}

// What a text says that is wrong as long as somebody types: outside of what is typed, what it said when it was whole. It parses nothing.
import type { Span, Unit } from '../ir.ts';

/** The last text of a document that was whole, and what it said. */
export interface Whole {
  text: string;
  unit: Unit;
}

/** A parser that is lost takes what follows for something else, and may lose the class around all of it. */
export function mended(whole: Whole, text: string, broken: Unit): Unit {
  const [from, to] = typed(whole.text, text);
  const by = text.length - whole.text.length;
  const now: Now = ({ start, end }) =>
    end <= from ? { start, end } : start >= to - by ? { start: start + by, end: end + by } : null;
  const kept = <One>(old: One[]): One[] => old.flatMap((one) => moved(one, now) ?? []);
  // What is typed may seem to hold what follows.
  const taken = kept(whole.unit.routines)
    .filter(({ kind }) => kind !== 'script')
    .map(extent);
  const isTyped = (one: unknown): boolean => {
    const spans = [...spansIn(one)];
    // What has no place may have been typed.
    if (spans.length > 0 && !spans.some(({ start, end }) => start <= to && end >= from)) return false;
    const isScript = (one as { kind?: string }).kind === 'script';
    return isScript || !spans.some((at) => taken.some((its) => its.start <= at.start && at.end <= its.end));
  };
  const both = <One>(old: One[], next: One[]): One[] => {
    const still = kept(old);
    const known = new Set(still.map(nameOf));
    return [...still, ...next.filter((one) => !known.has(nameOf(one)) && isTyped(one))];
  };
  return {
    ...whole.unit,
    routines: both(whole.unit.routines, broken.routines),
    triggers: both(whole.unit.triggers, broken.triggers),
    relations: both(whole.unit.relations, broken.relations),
    foreignKeys: both(whole.unit.foreignKeys, broken.foreignKeys),
    types: both(whole.unit.types, broken.types),
    aliases: both(whole.unit.aliases, broken.aliases),
    changes: both(whole.unit.changes, broken.changes),
    settings: both(whole.unit.settings, broken.settings),
    packages: both(whole.unit.packages, broken.packages),
    problems: broken.problems,
  };
}

/** Where in the new text it differs from the old one: one stretch, as far as anybody can tell. */
function typed(old: string, next: string): [number, number] {
  const most = Math.min(old.length, next.length);
  let same = 0;
  while (same < most && old[same] === next[same]) same++;
  let tail = 0;
  while (tail < most - same && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
  return [same, next.length - tail];
}

/** Where a place of the old text is now; null where somebody typed. */
type Now = (at: Span) => Span | null;

/** A copy at the new places; undefined where any of them was typed in. */
function moved<Value>(value: Value, now: Now): Value | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (isSpan(value)) return (now(value) ?? undefined) as Value | undefined;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const its = moved(inner, now);
    if (its === undefined && inner !== undefined) return undefined;
    copy[key] = its;
  }
  return (Array.isArray(value) ? Object.values(copy) : copy) as Value;
}

function extent(value: unknown): Span {
  const all = [...spansIn(value)];
  return { start: Math.min(...all.map(({ start }) => start)), end: Math.max(...all.map(({ end }) => end)) };
}

function* spansIn(value: unknown): Generator<Span> {
  if (typeof value !== 'object' || value === null) return;
  if (isSpan(value)) yield value;
  else for (const inner of Object.values(value)) yield* spansIn(inner);
}

const isSpan = (value: object): value is Span =>
  typeof (value as Span).start === 'number' && typeof (value as Span).end === 'number';

const nameOf = (one: unknown): string => (one as { name?: string }).name ?? JSON.stringify(one);

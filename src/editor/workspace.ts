// One folder as the editor sees it: units, open texts, findings; relinks when meaning changes. It reads no disk.
import { lower } from '../analyse.ts';
import { emptyUnit, type Span, type Unit } from '../ir.ts';
import type { Model } from '../linker/model.ts';
import type { Lines } from '../project/files/lines.ts';
import { speaksToUs } from '../project/findings/suppressions.ts';
import type { Finding } from '../rule.ts';
import { mended } from './half-typed.ts';

/** What units come to: linked, checked, and settled as the configuration and the comments in the files say. */
export interface Assessment {
  model: Model;
  findings: Finding[];
  /** Comments for us that are wrong. */
  notices: { file: string; line: number; message: string }[];
}

/** `marked` files have a comment for us in their open text. */
export type Assess = (
  units: Unit[],
  lines: (file: string) => Lines | undefined,
  marked: string[],
) => Assessment;

export interface Workspace extends Assessment {
  units: Map<string, Unit>;
  /** Texts of open documents; they count before what is on the disk. */
  open: Map<string, string>;
  /** Of each open document the last text that was whole; what it said is read again when it is asked for. */
  whole: Map<string, { text: string; unit?: Unit }>;
  assess: Assess;
  /** The lines of a file, open or on the disk; undefined when it is gone. */
  lines(file: string): Lines | undefined;
  /** The edits so far; a reader can tell whether its answer is stale. */
  version: number;
}

export function emptyWorkspace(assess: Assess, lines: Workspace['lines']): Workspace {
  return {
    units: new Map(),
    open: new Map(),
    whole: new Map(),
    assess,
    lines,
    ...assess([], lines, []),
    version: 0,
  };
}

/** New units from the disk; open documents keep what the editor has. */
export async function refill(workspace: Workspace, units: Unit[]): Promise<void> {
  const next = new Map(units.map((unit) => [unit.file, unit]));
  for (const [file, text] of workspace.open) next.set(file, await read(workspace, file, text));
  workspace.units = next;
  relink(workspace);
}

/**
 * Takes a document's new text. When the edit moved things but changed no meaning (a comment, a blank line), positions
 * are moved and nothing is linked again; that is most keystrokes.
 */
export async function edit(
  workspace: Workspace,
  file: string,
  text: string,
): Promise<'moved' | 'relinked' | 'stale'> {
  const before = workspace.open.get(file);
  workspace.open.set(file, text);
  const version = ++workspace.version;
  const unit = await read(workspace, file, text);
  if (version !== workspace.version && workspace.open.get(file) !== text) return 'stale';
  const old = workspace.units.get(file);
  // A comment for us changes what is shown, though it means nothing to the analysis.
  const comments = speaksToUs(text) || before === undefined || speaksToUs(before);
  if (old && !comments && move(workspace, old, unit)) return 'moved';
  workspace.units.set(file, old ? keeping(old, unit) : unit);
  relink(workspace);
  return 'relinked';
}

/**
 * The new unit with those of the old one's routines and triggers that say the same, at their new places: what was
 * linked of them holds. In a script the places themselves say what comes before what.
 */
function keeping(old: Unit, next: Unit): Unit {
  return {
    ...next,
    routines: kept(old.routines, next.routines, ({ kind }) => kind !== 'script' && kind !== 'anonymous'),
    triggers: kept(old.triggers, next.triggers, () => true),
  };
}

function kept<One extends { name: string }>(old: One[], next: One[], may: (one: One) => boolean): One[] {
  const byName = new Map<string, One[]>();
  for (const one of old) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  return next.map((one) => {
    const before = byName.get(one.name)?.shift();
    const pairs: [Span, Span][] = [];
    if (!before || !may(one) || !pairSpans(before, one, pairs)) return one;
    for (const [from, to] of pairs) Object.assign(from, to);
    return before;
  });
}

/** A closed or deleted document; `unit` is what the disk has, if anything. */
export function replace(workspace: Workspace, file: string, unit: Unit | null): void {
  workspace.version++;
  workspace.open.delete(file);
  workspace.whole.delete(file);
  if (unit) workspace.units.set(file, unit);
  else workspace.units.delete(file);
  relink(workspace);
}

function relink(workspace: Workspace): void {
  const marked = [...workspace.open].filter(([, text]) => speaksToUs(text)).map(([file]) => file);
  Object.assign(workspace, workspace.assess([...workspace.units.values()], workspace.lines, marked));
}

async function read({ whole }: Workspace, file: string, text: string): Promise<Unit> {
  const { broken, ...unit } = (await lower(file, text)) ?? emptyUnit(file, 'settings');
  const last = whole.get(file);
  if (!broken) whole.set(file, { text });
  if (!broken || !last) return unit;
  // The workspace moves the places of its own units.
  last.unit ??= (await lower(file, last.text))!;
  return mended({ text: last.text, unit: last.unit }, text, unit);
}

/** True when both units say the same at other places; then all that points into the old one points to the new places. */
function move(workspace: Workspace, old: Unit, next: Unit): boolean {
  const pairs: [Span, Span][] = [];
  if (!pairSpans(old, next, pairs) || !inOrder(pairs)) return false;
  const own = new Set(pairs.map(([from]) => from));
  // A finding may point between the steps, as an insertion of a fix does; but always where some step begins or ends.
  const moved = new Map(
    pairs.flatMap(
      ([from, to]) =>
        [
          [from.start, to.start],
          [from.end, to.end],
        ] as const,
    ),
  );
  const loose: [Span, Span][] = [];
  for (const at of spansOfFindings(workspace.findings, old.file)) {
    if (own.has(at)) continue;
    const start = moved.get(at.start);
    const end = moved.get(at.end);
    if (start === undefined || end === undefined) return false;
    loose.push([at, { start, end }]);
  }
  for (const [from, to] of [...pairs, ...loose]) Object.assign(from, to);
  // What was kept of it by its places is asked again.
  workspace.units.set(old.file, { ...old });
  return true;
}

/** Walks two units at once; collects the pairs of spans, and is false at the first other difference. */
function pairSpans(a: unknown, b: unknown, out: [Span, Span][]): boolean {
  const stack: [unknown, unknown][] = [[a, b]];
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [x, y] = pair;
    if (x === y) continue;
    if (typeof x !== 'object' || typeof y !== 'object' || x === null || y === null) return false;
    if (isSpan(x) && isSpan(y)) {
      out.push([x, y]);
      continue;
    }
    const keys = Object.keys(x);
    if (keys.length !== Object.keys(y).length) return false;
    for (const key of keys)
      stack.push([(x as Record<string, unknown>)[key], (y as Record<string, unknown>)[key]]);
  }
  return true;
}

/** Whether what stood first still does: a table that is renamed before its trigger is made is not that trigger's. */
function inOrder(pairs: [Span, Span][]): boolean {
  const sorted = [...pairs].sort(([a], [b]) => a.start - b.start);
  // Several that began at one place may begin apart.
  let [before, latest, began] = [-1, -1, -1];
  for (const [from, to] of sorted) {
    if (from.start > began) [before, began] = [latest, from.start];
    if (to.start < before) return false;
    latest = Math.max(latest, to.start);
  }
  return true;
}

const isSpan = (value: object): value is Span =>
  typeof (value as Span).start === 'number' && typeof (value as Span).end === 'number';

function* spansOfFindings(findings: Finding[], file: string): Iterable<Span> {
  for (const finding of findings) {
    const places = [
      finding,
      ...finding.trace,
      ...(finding.others ?? []).flat(),
      ...(finding.fixes ?? []).flatMap((fix) => fix.edits),
    ];
    for (const place of places) if (place.file === file) yield place.at;
  }
}

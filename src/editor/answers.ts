// What the editor is told: diagnostics, actions, hovers, lenses and callers, as the protocol's plain objects.
import { inside, type Routine, type Span, type Step } from '../ir.ts';
import type { Frame, Subtransaction } from '../linker/model.ts';
import type { Finding } from '../rule.ts';
import {
  type Encoding,
  type Lines,
  lineEnd,
  offsetAt,
  type Position,
  type Range,
  rangeOf,
} from './positions.ts';
import type { Workspace } from './workspace.ts';

/** What an answer needs to know besides the workspace. */
export interface View {
  workspace: Workspace;
  encoding: Encoding;
  uri(file: string): string;
  /** The lines of a file, open or on the disk; undefined when it is gone. */
  lines(file: string): Lines | undefined;
  /** A rule's page on the web. */
  page(rule: string): string;
  /** Shown with another severity, or not at all. */
  severity: Record<string, string>;
  hintsAtCallers: boolean;
}

export interface Diagnostic {
  range: Range;
  severity: 1 | 2 | 3 | 4;
  code?: string;
  codeDescription?: { href: string };
  source: 'subxact';
  message: string;
  relatedInformation?: { location: { uri: string; range: Range }; message: string }[];
  data?: { rule: string; subject: string };
}

const SEVERITY: Record<string, Diagnostic['severity']> = {
  error: 1,
  warning: 2,
  note: 3,
  information: 3,
  hint: 4,
};

/** What one file is told; of all files, or of the one asked for. */
export function diagnostics(view: View, file: string): Diagnostic[] {
  return allDiagnostics(view, file).get(file) ?? [];
}

/** By file, every file with something to say; one pass over the findings. */
export function allDiagnostics(asked: View, only?: string): Map<string, Diagnostic[]> {
  const view = { ...asked, lines: onceEach(asked.lines), uri: onceEach(asked.uri) };
  const out = new Map<string, Diagnostic[]>();
  const say = (file: string, make: (lines: Lines) => Diagnostic) => {
    const lines = only === undefined || only === file ? view.lines(file) : undefined;
    if (!lines) return;
    const said = out.get(file);
    if (said) said.push(make(lines));
    else out.set(file, [make(lines)]);
  };
  for (const finding of view.workspace.findings) {
    if (view.severity[finding.rule] === 'off') continue;
    say(finding.file, (lines) => diagnostic(view, finding, lines));
    const other = view.hintsAtCallers && otherEnd(finding);
    if (other) say(other.file, (lines) => hint(view, finding, other, lines));
  }
  for (const notice of view.workspace.notices) say(notice.file, (lines) => complaint(view, notice, lines));
  return out;
}

function complaint(view: View, notice: Workspace['notices'][number], lines: Lines): Diagnostic {
  const line = notice.line - 1;
  const at = { start: lines.starts[line] ?? 0, end: lineEnd(lines, line) };
  return {
    range: rangeOf(lines, at, view.encoding),
    severity: 2,
    source: 'subxact',
    message: notice.message,
  };
}

const diagnostic = lasting((view: View, finding: Finding, lines: Lines): Diagnostic => {
  return {
    range: rangeOf(lines, finding.at, view.encoding),
    severity: SEVERITY[view.severity[finding.rule] ?? finding.severity] ?? 2,
    code: finding.rule,
    codeDescription: { href: view.page(finding.rule) },
    source: 'subxact',
    message: finding.remedy ? `${finding.message}\n${finding.remedy}` : finding.message,
    // A trace of one frame is the finding itself.
    relatedInformation: finding.trace.length > 1 ? related(view, finding.trace) : [],
    data: { rule: finding.rule, subject: finding.subject },
  };
});

/** Findings speak of the same files again and again. */
function onceEach<Value>(find: (file: string) => Value): (file: string) => Value {
  const known = new Map<string, Value>();
  return (file) => {
    const value = known.get(file) ?? find(file);
    known.set(file, value);
    return value;
  };
}

type Make<More extends unknown[]> = (view: View, finding: Finding, ...more: More) => Diagnostic;

/** Made again only when a file of the finding has another text, or the client another wish. */
function lasting<More extends unknown[]>(make: Make<More>): Make<More> {
  const known = new WeakMap<Finding, { of: unknown[]; made: Diagnostic }>();
  return (view, finding, ...more) => {
    const of: unknown[] = [view.encoding, view.severity[finding.rule], ...more];
    for (const { file } of [finding, ...finding.trace]) of.push(view.lines(file), view.uri(file));
    const before = known.get(finding);
    if (before?.of.every((one, i) => one === of[i])) return before.made;
    const made = make(view, finding, ...more);
    known.set(finding, { of, made });
    return made;
  };
}

/** The places of a trace that can be opened, in its order. */
function related(view: View, trace: Frame[]): NonNullable<Diagnostic['relatedInformation']> {
  return trace.flatMap((frame) => {
    const lines = view.lines(frame.file);
    return lines
      ? [
          {
            location: { uri: view.uri(frame.file), range: rangeOf(lines, frame.at, view.encoding) },
            message: frame.says,
          },
        ]
      : [];
  });
}

/** The loop, query or call that makes a distant subtransaction hurt; undefined when the finding stands there itself. */
function otherEnd(finding: Finding): Frame | undefined {
  const frame = finding.trace.find((candidate) => candidate.repeats) ?? finding.trace[0];
  return frame && (frame.file !== finding.file || frame.at.start !== finding.at.start) ? frame : undefined;
}

const hint = lasting((view: View, finding: Finding, frame: Frame, lines: Lines): Diagnostic => {
  const cause = view.lines(finding.file);
  return {
    range: rangeOf(lines, frame.at, view.encoding),
    severity: 4,
    source: 'subxact',
    code: finding.rule,
    codeDescription: { href: view.page(finding.rule) },
    message: `${frame.says}. ${finding.message}`,
    relatedInformation: cause
      ? [
          {
            location: { uri: view.uri(finding.file), range: rangeOf(cause, finding.at, view.encoding) },
            message: finding.message,
          },
        ]
      : [],
  };
});

// ---- hover -----------------------------------------------------------------------------------------------------

/** The finding under the cursor with its rule's page, or what the routine or call there opens. */
export function hover(
  view: View,
  file: string,
  position: Position,
  page: (rule: string) => string,
): { markdown: string; range: Range } | null {
  const lines = view.lines(file);
  if (!lines) return null;
  const offset = offsetAt(lines, position, view.encoding);
  const finding = view.workspace.findings.find(
    (candidate) => candidate.file === file && holds(candidate.at, offset),
  );
  if (finding)
    return {
      markdown: `${page(finding.rule)}\n\n[${finding.rule}](${view.page(finding.rule)})`,
      range: rangeOf(lines, finding.at, view.encoding),
    };
  const routine = routineAt(view, file, offset);
  if (routine) {
    const says = sayRoutine(view, routine.target);
    return says ? { markdown: says, range: rangeOf(lines, routine.at, view.encoding) } : null;
  }
  return null;
}

const holds = (at: Span, offset: number) => at.start <= offset && offset <= at.end;

/** The routine declared at the offset, or the one that the call there reaches. */
function routineAt(view: View, file: string, offset: number): { target: string; at: Span } | null {
  const unit = view.workspace.units.get(file);
  if (!unit) return null;
  for (const routine of unit.routines)
    if (routine.kind !== 'script' && holds(routine.at, offset))
      return { target: routine.name, at: routine.at };
  const stack: Step[][] = unit.routines.map((routine) => routine.body);
  for (let list = stack.pop(); list; list = stack.pop())
    for (const step of list) {
      if (step.kind === 'call' && holds(step.at, offset)) return { target: step.callee, at: step.at };
      stack.push(...inside(step));
    }
  return null;
}

/** `Order.save: opens 1 subtransaction that counts; reached in a loop from 3 places.` */
function sayRoutine(view: View, name: string): string | null {
  const found = view.workspace.model.routine(name as Routine['name']);
  if (!found) return null;
  const { effects } = found;
  const own = view.workspace.model.subtransactions.filter((one) => one.routine === found.routine.name);
  const lines = [`**${shortName(found.routine.name)}**`];
  lines.push(
    effects.counts === Number.POSITIVE_INFINITY
      ? 'Opens subtransactions without a bound: more than 64 that write in one transaction slow every snapshot.'
      : effects.counts > 0
        ? `Opens ${effects.counts} ${effects.counts === 1 ? 'subtransaction' : 'subtransactions'} that count towards the 64 of a transaction.`
        : own.length > 0
          ? 'Opens a subtransaction that writes nothing, so it takes no transaction ID.'
          : 'Opens no subtransaction.',
  );
  if (effects.writes === 'yes') lines.push('It writes or locks rows.');
  if (effects.opaque) lines.push('Part of it could not be read, so this may be incomplete.');
  const contexts = own.flatMap((one) => one.visits.map((visit) => sayContext(visit.context)));
  for (const context of [...new Set(contexts)].slice(0, 5)) lines.push(`- ${context}`);
  return lines.join('\n\n');
}

const REPEATING = {
  loop: 'a loop',
  'row trigger': 'a row trigger',
  'query rows': 'the rows of a query',
  chunks: 'a loop over chunks',
};

function sayContext(context: Subtransaction['visits'][number]['context']): string {
  const where = {
    yes: 'in a transaction',
    no: 'outside of a transaction',
    unknown: 'perhaps in a transaction',
  }[context.inTransaction];
  const repeated = context.repeatedBy ? `, repeated by ${REPEATING[context.repeatedBy]}` : '';
  const depth =
    context.depth > 0
      ? `, inside ${context.depth} other ${context.depth === 1 ? 'subtransaction' : 'subtransactions'}`
      : '';
  return where + repeated + depth;
}

export const shortName = (name: string) => name.slice(name.indexOf(':') + 1);

// ---- lenses and callers ------------------------------------------------------------------------------------------

export interface Lens {
  range: Range;
  title: string;
  /** The first place of each path that leads here. */
  places: { uri: string; range: Range }[];
}

/** How the reader is told of it; the worst first, and what is milder is not named beside it. */
const REPEATED = {
  loop: 'called in a loop',
  'row trigger': 'fired per row',
  'query rows': 'called per row',
  chunks: 'called per chunk',
};
const WORST_FIRST = Object.keys(REPEATED) as (keyof typeof REPEATED)[];

/** One line above each routine of the file that opens subtransactions. */
export function lenses(view: View, file: string): Lens[] {
  const lines = view.lines(file);
  const unit = view.workspace.units.get(file);
  if (!lines || !unit) return [];
  return unit.routines.flatMap((routine) => {
    if (routine.kind === 'script') return [];
    const own = view.workspace.model.subtransactions.filter(
      (one) => one.file === file && one.routine === routine.name,
    );
    if (own.length === 0) return [];
    const repeated = own.flatMap((one) => one.visits).filter((visit) => visit.context.repeatedBy);
    const by = WORST_FIRST.find((way) => repeated.some((visit) => visit.context.repeatedBy === way));
    const paths = repeated
      .filter((visit) => visit.context.repeatedBy === by)
      .map((visit) => visit.witness.filter((frame) => frame.repeats).slice(0, 1));
    const places = uniqueFrames(paths.flat());
    return [
      {
        range: rangeOf(lines, routine.at, view.encoding),
        title: sayLens(own.length, by, places.length),
        places: related(view, places).map((one) => one.location),
      },
    ];
  });
}

function sayLens(opens: number, by: keyof typeof REPEATED | undefined, places: number): string {
  const many = `opens ${opens} ${opens === 1 ? 'subtransaction' : 'subtransactions'}`;
  return by ? `${many}, ${REPEATED[by]} from ${places} ${places === 1 ? 'place' : 'places'}` : many;
}

function uniqueFrames(frames: Frame[]): Frame[] {
  const seen = new Set<string>();
  return frames.filter((frame) => {
    const key = `${frame.file}:${frame.at.start}`;
    return !seen.has(key) && seen.add(key);
  });
}

// ---- actions -----------------------------------------------------------------------------------------------------

export interface TextEdits {
  changes: Record<string, { range: Range; newText: string }[]>;
}

/** The edits of one fix, for every file that it touches. */
export function editsOf(view: View, finding: Finding, index: number): TextEdits {
  const changes: TextEdits['changes'] = {};
  for (const edit of finding.fixes?.[index]?.edits ?? []) {
    const lines = view.lines(edit.file);
    if (!lines) continue;
    const uri = view.uri(edit.file);
    changes[uri] ??= [];
    changes[uri].push({ range: rangeOf(lines, edit.at, view.encoding), newText: edit.replacement });
  }
  return { changes };
}

/** Every safe fix of the file at once; of two that overlap the first is taken. */
export function fixAll(view: View, file: string): TextEdits {
  const taken: Span[] = [];
  const changes: TextEdits['changes'] = {};
  for (const finding of view.workspace.findings.filter((one) => one.file === file)) {
    const index = (finding.fixes ?? []).findIndex((fix) => fix.safe);
    const edits = finding.fixes?.[index]?.edits ?? [];
    if (
      edits.length === 0 ||
      edits.some(
        (edit) =>
          edit.file !== file || taken.some((other) => edit.at.start < other.end && other.start < edit.at.end),
      )
    )
      continue;
    taken.push(...edits.map((edit) => edit.at));
    for (const [uri, list] of Object.entries(editsOf(view, finding, index).changes))
      changes[uri] = [...(changes[uri] ?? []), ...list];
  }
  return { changes };
}

/** The findings that touch a range, with what their diagnostics look like. */
export function findingsIn(
  view: View,
  file: string,
  range: Range,
): { finding: Finding; diagnostic: Diagnostic }[] {
  const lines = view.lines(file);
  if (!lines) return [];
  const start = offsetAt(lines, { line: range.start.line, character: 0 }, view.encoding);
  const end = offsetAt(lines, { line: range.end.line + 1, character: 0 }, view.encoding);
  return view.workspace.findings
    .filter(
      (finding) =>
        finding.file === file &&
        finding.at.start <= end &&
        finding.at.end >= start &&
        view.severity[finding.rule] !== 'off',
    )
    .map((finding) => ({ finding, diagnostic: diagnostic(view, finding, lines) }));
}

// From a program to the report: configuration, rules, suppressions, baseline and change, in this order.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rules } from '../../rules/index.ts';
import { together } from '../../rules/together.ts';
import { checkEach } from '../analyse.ts';
import { speaksNode, unreadOf } from '../frontends/programs.ts';
import type { Unit } from '../ir.ts';
import { createLinker, link } from '../linker/link.ts';
import type { FoundConfig } from '../project/config/config.ts';
import { activeRules, baseOf, settleFindings, unitSettler } from '../project/config/settle.ts';
import { type ChangedLines, changedLines, type Since } from '../project/files/changes.ts';
import { reason } from '../project/files/files.ts';
import { type Lines, linesOf } from '../project/files/lines.ts';
import { baselineFile, baselineOf, heldIn, readBaseline } from '../project/findings/baseline.ts';
import { fingerprints } from '../project/findings/fingerprints.ts';
import { relationsOf } from '../project/findings/relations.ts';
import { applySuppressions } from '../project/findings/suppressions.ts';
import { type Held, type Notice, printable, type Report } from '../reporters/report.ts';
import type { Finding, Frame, Model } from '../rule.ts';
import { kept } from '../rule.ts';
import { rulePage, tool } from '../tool.ts';
import { Mistake } from './mistake.ts';
import { print } from './outputs.ts';
import { rulePageText } from './pages.ts';
import type { ProgramRead } from './program.ts';
import { clock } from './terminal.ts';

export interface JudgeOptions {
  /** Only these rules, even those that are off. */
  only?: string[];
  /** A file, or `false` for none. */
  baseline?: string | false;
  since?: Since;
  /** The program as it was before the change; it is asked for where something is found outside of the change. */
  before?: () => Promise<ProgramRead | undefined>;
  /** Also findings that are only possible. */
  possible?: boolean;
  /** The whole repository was read, so what is not found is not there. */
  complete: boolean;
  /** The paths that were asked about, else the whole repository. */
  part?: string;
  cwd: string;
  started: number;
}

export interface Judged {
  report: Report;
  /** All that no comment allows, whatever the baseline and the change say. */
  standing: Finding[];
  /** A comment for us is wrong, in what is asked about. */
  mistaken: boolean;
}

/** What a configuration makes of units, for a report once or for an editor again and again. */
export interface Verdict {
  /** All that no comment allows, whatever the baseline says; each rule's apart. */
  standing: Finding[];
  /** What the baseline leaves of that. */
  fresh: Finding[];
  held: Held[];
  complaints: ReturnType<typeof applySuppressions>['complaints'];
  marks: Map<Finding, string>;
  baseline: boolean;
}

export interface Court {
  /** What the rules say of these units, in the configuration's severities. */
  hear(units: Unit[], passed?: string[]): { model: Model; findings: Finding[] };
  judge(
    findings: Finding[],
    marked: string[],
    lines: (file: string) => Lines | undefined,
    complete: boolean,
    /** Of equals the baseline holds others first. */
    isNew?: (finding: Finding) => boolean,
  ): Verdict;
}

/** What is asked of a program: all that a hearing depends on besides the files. */
export function questionOf(
  found: FoundConfig,
  root: string,
  { only, possible }: Pick<JudgeOptions, 'only' | 'possible'>,
): string {
  return JSON.stringify([found.config, baseOf(found, root), only, possible]);
}

export interface CourtOptions extends Pick<JudgeOptions, 'only' | 'possible' | 'baseline' | 'cwd'> {
  /** It hears one program again and again, as an editor does. */
  again?: boolean;
}

/** Reads configuration and baseline once; the rest depends on the units alone. */
export function courtFor(
  found: FoundConfig,
  root: string,
  { only, possible, again, ...options }: CourtOptions,
): Court {
  const { config } = found;
  const base = baseOf(found, root);
  const ids = rules.map(({ id }) => id);
  const ran = only ?? activeRules(rules, config);
  const known = options.baseline === false ? undefined : baselineFor(found, root, options);
  const linked = again ? createLinker() : link;
  const settled = kept(unitSettler(found, base));
  return {
    hear(units, passed) {
      const model = linked(units.map(settled), { postgres: config.postgres, passed });
      const findings = settleFindings(foundIn(model, ran, possible), rules, config, base, only);
      return { model, findings };
    },
    judge(all, marked, lines, complete, isNew) {
      const marks = fingerprints(all);
      const { left, allowed, complaints } = applySuppressions(all, marked, {
        lines: (file) => lines(file) ?? linesOf(''),
        rules: ids,
        complete: complete && !only,
        ran: (rule) => ran.includes(rule),
      });
      const held: Held[] = allowed.map(({ finding, reason }) => ({ finding, by: 'suppression', reason }));
      const old = known && heldIn(known, left, (finding) => marks.get(finding)!, isNew);
      const fresh = left.filter((finding) => !old?.has(finding));
      for (const finding of left)
        if (old?.has(finding)) held.push({ finding, by: 'baseline', reason: 'It is in the baseline.' });
      return { standing: left, fresh, held, complaints, marks, baseline: known !== undefined };
    },
  };
}

/** One finding for one place; it is known by its foremost part. */
export function foldedIn(findings: Finding[], marks: Map<Finding, string>): Finding[] {
  return together(findings, (one, first) => marks.set(one, marks.get(first)!));
}

/** What an earlier run heard of these very files, or what is heard now. */
function heard(program: ProgramRead, court: Court) {
  if (program.answer) return { ...program.answer, model: program.answer };
  const { model, findings } = court.hear(program.units, program.passed);
  program.answered?.(findings, model);
  // Calls are counted when a format tells it.
  return { findings, model, parsed: program.units.length, node: speaksNode(program.units) };
}

export async function judge(
  program: ProgramRead,
  found: FoundConfig,
  options: JudgeOptions,
): Promise<Judged> {
  const court = courtFor(found, program.root, options);
  const { findings: all, model, parsed, node } = heard(program, court);
  const changed = options.since && changesFor(program.root, options.since);
  const isNew = changed && ((finding: Finding) => inChange(finding, changed, program) !== undefined);
  const verdict = court.judge(all, program.marked, program.lines, options.complete, isNew);
  const { standing, held, complaints, marks, fresh } = verdict;
  const old = isNew && fresh.some((one) => !isNew(one)) ? await oldOf(verdict, isNew, court, options) : null;
  const ours = isNew ? fresh.filter((one) => isNew(one) || (old && !old.has(one))) : fresh;
  const findings = foldedIn(ours, marks).map((finding) => {
    const shown = (changed && inChange(finding, changed, program)) ?? finding;
    marks.set(shown, marks.get(finding)!);
    return shown;
  });
  const notices: Notice[] = [
    ...program.notices,
    ...complaints.map((one) => ({ ...one, partial: false })),
    ...unusedConfigs(program, found),
  ];
  const report: Report = {
    tool,
    rules: rules.map((rule) => ({ ...rule, link: rulePage(rule.id), page: () => rulePageText(rule.id) })),
    findings,
    held,
    baseline: verdict.baseline,
    part: options.part ?? '',
    elsewhere: verdict.fresh.length - ours.length,
    notices: notices.sort((a, b) =>
      a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0),
    ),
    otherDatabases: model.otherDatabases,
    unread: unreadOf(program.programs, node),
    counts: {
      files: program.files,
      parsed,
      milliseconds: clock() - options.started,
    },
    get resolution() {
      return model.resolution;
    },
    fingerprint: (finding) => marks.get(finding)!,
    region: program.region,
    line: program.line,
    raw: program.raw,
    display: program.display,
  };
  // What was wrong before does not fail the change.
  return { report, standing, mistaken: complaints.some(({ file }) => !changed || changed.has(file)) };
}

/** Those that the program before the change had as well; `null` where nobody knows it. */
async function oldOf(
  { standing, marks }: Verdict,
  isNew: (finding: Finding) => boolean,
  court: Court,
  { before }: JudgeOptions,
): Promise<Set<Finding> | null> {
  const program = await before?.();
  if (!program) return null;
  const then = court.judge(heard(program, court).findings, program.marked, program.lines, false);
  const known = baselineOf(then.standing, (finding) => then.marks.get(finding)!);
  return heldIn(known, standing, (finding) => marks.get(finding)!, isNew);
}

/** Whoever wrote one for a folder does not see that it holds only where a run starts. */
function unusedConfigs({ configs, root }: ProgramRead, { file }: FoundConfig): Notice[] {
  const [first, ...rest] = configs.filter((one) => resolve(root, one) !== file);
  if (first === undefined) return [];
  const more = rest.length > 0 ? `, nor ${rest.length} more` : '';
  const message = `does not hold here${more}: a run has one configuration, whose overrides may speak of folders`;
  return [{ file: first, message, partial: false }];
}

/** What each rule says, with the tables that it is about. */
export function foundIn(model: Model, only?: string[], possible?: boolean): Finding[] {
  const about = relationsOf(model);
  return checkEach(model, only, possible).map((finding) => {
    const known = withRelations.get(finding) ?? { ...finding, relations: about(finding) };
    withRelations.set(finding, known);
    return known;
  });
}

/** What a rule says again needs no second look. */
const withRelations = new WeakMap<Finding, Finding>();

function baselineFor(
  found: FoundConfig,
  root: string,
  { baseline, cwd }: Pick<JudgeOptions, 'baseline' | 'cwd'>,
) {
  const file = baselineFile(found, root, { given: baseline || undefined, cwd });
  try {
    // Whoever names a pipe has something to say through it.
    const known = readBaseline(file, baseline ? readFileSync : undefined);
    if (!known && baseline) throw new Error('no such file');
    return known;
  } catch (error) {
    throw new Mistake(`the baseline ${file} could not be read: ${reason(error)}`);
  }
}

function changesFor(root: string, since: Since): ChangedLines {
  try {
    return changedLines(root, since, (message) => print(`subxact: ${printable(message)}\n`, 2));
  } catch (error) {
    throw new Mistake(`what changed is not known: ${(error as Error).message}`);
  }
}

/** Shown where the change is: at the cause, else at the frame of a trace that is nearest to it. Undefined: outside of it. */
function inChange(finding: Finding, changed: ChangedLines, program: ProgramRead): Finding | undefined {
  const touched = (place: { file: string; at: Finding['at'] }) => {
    const ranges = changed.get(place.file);
    if (!ranges) return false;
    const { line, endLine } = program.region(place);
    return ranges.some(([from, to]) => from <= endLine && line <= to);
  };
  if (touched(finding)) return finding;
  for (const trace of [finding.trace, ...(finding.others ?? [])]) {
    // The loop says more than the call inside it.
    const frames: Frame[] = trace.filter(touched);
    const frame = frames.findLast(({ repeats }) => repeats) ?? frames.at(-1);
    if (frame) return { ...finding, file: frame.file, at: frame.at, trace };
  }
  return undefined;
}

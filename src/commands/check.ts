// `subxact check` and `subxact inventory`: analyses and reports.
import { relative, resolve } from 'node:path';
import { rules } from '../../rules/index.ts';
import { frontendFor } from '../frontends/index.ts';
import type { FoundConfig } from '../project/config/config.ts';
import { isNothingStaged, type Since, stagedTexts, textsBefore } from '../project/files/changes.ts';
import { rootOf } from '../project/files/files.ts';
import { sha256 } from '../project/findings/sha256.ts';
import type { Instead } from '../project/load.ts';
import { formats } from '../reporters/index.ts';
import type { Report } from '../reporters/report.ts';
import { statistics, stats } from '../reporters/statistics.ts';
import { configFor } from './configuration.ts';
import { readFacts } from './facts.ts';
import { type Judged, type JudgeOptions, judge, questionOf } from './judge.ts';
import { mend } from './mend.ts';
import { Mistake } from './mistake.ts';
import type { Invocation, Values } from './options.ts';
import { type Output, outputsOf, print, writeOutputs } from './outputs.ts';
import { type ProgramRead, pathsOf, type ReadOptions, readOptions, readProgram } from './program.ts';
import { clock, createProgress, isTerminal } from './terminal.ts';

export async function check({ command, paths: given, values, cwd }: Invocation): Promise<number> {
  const started = clock();
  const only = command === 'inventory' ? ['subtransaction'] : values.rule;
  for (const id of only ?? [])
    if (!rules.some((rule) => rule.id === id))
      throw new Mistake(`no rule is called ${id} (see subxact rules)`);
  const outputs = outputsOf(values);
  const paths = pathsOf(given, cwd);
  const found = configFor(paths, values, cwd);
  const progress = createProgress();
  const root = rootOf(paths, cwd);
  const mends = values.fix || values.diff;
  const since = sinceOf(values, root);
  if (values.staged && values.facts)
    throw new Mistake('--staged reads what is staged, and --facts hold what stood in the working tree');
  const options = {
    ...readOptions(values, found, root),
    progress: progress.show,
    instead: since === 'staged' ? stagedIn(root) : undefined,
    counts: values.stats || outputs.some(({ format }) => format === 'json'),
    // What changes files is not done by hearsay.
    ...(mends ? {} : { question: questionOf(found, root, { only, possible: values.possible }) }),
  };
  const program = values.facts
    ? readFacts(
        values.facts.map((file) => resolve(cwd, file)),
        root,
        cwd,
      )
    : await readProgram(paths, cwd, options);
  progress.end();
  const { report, mistaken } = await judged(program, values, found, {
    only,
    baseline: values['no-baseline'] || command === 'inventory' ? false : values.baseline,
    since,
    before: since && !values.facts ? () => before(since, paths, program, { ...options, cwd }) : undefined,
    possible: values.possible,
    complete: given.length === 0,
    part: partOf(given, root, cwd),
    cwd,
    started,
  });
  if (mends) return mend(report, program.root, values, { started, instead: options.instead });
  await writeOutputs(outputs, cwd, (output, color) => render(report, output, color));
  if (values.statistics) print(statistics(report), 2);
  if (values.stats) print(stats(report), 2);
  return command === 'check' && (mistaken || report.findings.some((finding) => finding.severity !== 'note'))
    ? 1
    : 0;
}

/** What one process wrote anybody may have changed since; our own files are never damaged. */
async function judged(
  program: ProgramRead,
  { facts }: Values,
  found: FoundConfig,
  options: JudgeOptions,
): Promise<Judged> {
  try {
    return await judge(program, found, options);
  } catch (error) {
    if (!facts || !(error instanceof TypeError)) throw error;
    throw new Mistake(
      `${facts.join(', ')}: not as \`subxact facts\` writes it (${error.message}); write it again`,
    );
  }
}

/** The same files, but for what the change touches: what all others say is known already. */
async function before(
  since: Since,
  paths: string[],
  { root, units }: ProgramRead,
  { cwd, ...options }: ReadOptions & { cwd: string },
): Promise<ProgramRead | undefined> {
  const texts = textsBefore(root, since, (file) => frontendFor(file) !== undefined);
  if (!texts) return undefined;
  const instead: Instead = new Map([...(options.instead ?? []), ...texts]);
  const same = units.flatMap((unit) => (instead.has(unit.file) ? [] : [[unit.file, unit] as const]));
  const known = same.length > 0 ? new Map(same) : undefined;
  return readProgram(paths, cwd, {
    ...options,
    progress: undefined,
    counts: false,
    instead,
    known,
    aside: true,
  });
}

function render(report: Report, { format, file }: Output, color: boolean): string {
  return formats[format]!(report, { color, links: color && file === null && isTerminal() });
}

/** Paths by their names in the repository; of many a hash, as GitHub takes no longer names. */
function partOf(given: string[], root: string, cwd: string): string {
  const paths = [...new Set(given.map((path) => relative(root, resolve(cwd, path)).replaceAll('\\', '/')))];
  if (paths.includes('')) return '';
  const text = paths.sort().join(',');
  return text.length > LONGEST_PART ? sha256(text).slice(0, 16) : text;
}

const LONGEST_PART = 100;

function stagedIn(root: string): Instead {
  try {
    return stagedTexts(root, (file) => frontendFor(file) !== undefined);
  } catch (error) {
    throw new Mistake(`what is staged is not known: ${(error as Error).message}`);
  }
}

function sinceOf(values: Values, root: string): Since | undefined {
  const asked = [values.since !== undefined, values.staged, values.changed].filter(Boolean);
  if (asked.length > 1) throw new Mistake('--since, --staged and --changed exclude each other');
  if (values.since !== undefined) return { since: values.since };
  return values.staged ? stagedOf(root) : values.changed ? 'changed' : undefined;
}

/** What pre-commit says that it runs for, where that is no commit: two revisions, or all files. */
function stagedOf(root: string): Since | undefined {
  const { PRE_COMMIT, PRE_COMMIT_FROM_REF: since, PRE_COMMIT_TO_REF: until } = process.env;
  if (since && until) return { since, until };
  return PRE_COMMIT && isNothingStaged(root) ? undefined : 'staged';
}

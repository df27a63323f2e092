// `subxact lsp`: gives the language server the disk, the configuration and the judgement of `subxact check`.
import { join, relative, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { check, lower } from '../analyse.ts';
import type { Disk } from '../editor/session.ts';
import type { Assess } from '../editor/workspace.ts';
import { link } from '../linker/link.ts';
import { serve } from '../lsp.ts';
import type { FoundConfig } from '../project/config/config.ts';
import { decode } from '../project/files/decode.ts';
import { isFound, rootOf } from '../project/files/files.ts';
import { readRegular } from '../project/files/regular.ts';
import { baselineFile } from '../project/findings/baseline.ts';
import { commentFor } from '../project/findings/comments.ts';
import { rulePage, tool } from '../tool.ts';
import { configFor } from './configuration.ts';
import { type Court, courtFor, foldedIn } from './judge.ts';
import { rulePageText } from './pages.ts';
import { readOptions, readProgram } from './program.ts';

/**
 * Never returns: the client ends the process. V8 lets garbage stand until the heap has grown fourfold; with a heap that
 * doubles an editor gives a third less memory for up to a sixth more work on each key (bench/README.md).
 */
export function lsp(): Promise<number> {
  setFlagsFromString('--heap-growing-percent=100');
  process.stdout.on('error', quietWhenClosed);
  process.stderr.on('error', quietWhenClosed);
  serve(disk);
  return new Promise(() => {});
}

/** An editor that went away is no error. */
function quietWhenClosed(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

const disk: Disk = {
  async load(folder, config, progress) {
    const root = rootOf([folder], folder);
    let found = unconfigured(folder);
    let problem: string | undefined;
    try {
      found = configFor([folder], { config: config && resolve(folder, config) }, folder);
    } catch (error) {
      problem = (error as Error).message; // the warnings go on without it
    }
    const options = readOptions({}, found, root);
    const program = await readProgram([folder], folder, { ...options, progress });
    let court: Court;
    try {
      court = courtFor(found, root, { cwd: root, again: true });
    } catch (error) {
      problem = (error as Error).message;
      court = courtFor(found, root, { cwd: root, baseline: false, again: true });
    }
    const { units, files, marked } = program;
    const reads = (path: string) => isFound(folder, path, root, options.excluded);
    const configures = [found.file, baselineFile(found, root, { cwd: root })].flatMap((file) =>
      file ? relative(root, file).replaceAll('\\', '/') : [],
    );
    return { root, units, files, reads, configures, assess: by(court, marked), problem };
  },
  assess: (units) => ({ ...judged(units), notices: [] }),
  async lower(root, file) {
    const text = textOf(root, file);
    return text === undefined ? null : lower(file, text);
  },
  text: textOf,
  suppression: (file, rule, reason) => commentFor(file, `subxact: allow ${rule}, because ${reason}`),
  page: rulePageText,
  pageUrl: rulePage,
  version: tool.version,
};

/** An open text may have comments for us too; and what nobody found may be in a file that is not read yet. */
const by =
  (court: Court, marked: string[]): Assess =>
  (units, lines, open) => {
    const { model, findings } = court.hear(units);
    const ours = [...new Set([...marked, ...open])];
    const { fresh, marks, complaints } = court.judge(findings, ours, lines, false);
    return { model, findings: foldedIn(fresh, marks), notices: complaints };
  };

function judged(units: Parameters<Assess>[0]) {
  const model = link(units);
  return { model, findings: check(model) };
}

const unconfigured = (folder: string): FoundConfig => ({
  config: {
    rules: {},
    include: [],
    exclude: [],
    test: [],
    oneOff: [],
    hotTables: [],
    assumeInTransaction: [],
    overrides: [],
  },
  file: null,
  folder,
});

function textOf(root: string, file: string): string | undefined {
  try {
    return decode(readRegular(join(root, file)))?.text;
  } catch {
    return undefined; // it is gone, or none that is read
  }
}

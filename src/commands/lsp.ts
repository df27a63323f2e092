// `subxact lsp`: gives the language server the disk, the configuration and the judgement of `subxact check`.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rules } from '../../rules/index.ts';
import { check, lower } from '../analyse.ts';
import type { Disk } from '../editor/session.ts';
import type { Assess } from '../editor/workspace.ts';
import { link } from '../linker/link.ts';
import { serve } from '../lsp.ts';
import { baselineFile, readBaseline } from '../project/baseline.ts';
import type { FoundConfig } from '../project/config.ts';
import { decode, LARGEST } from '../project/decode.ts';
import { rootOf } from '../project/files.ts';
import { fingerprints } from '../project/fingerprints.ts';
import { linesOf } from '../project/lines.ts';
import { activeRules, baseOf, settleFindings, settleUnits } from '../project/settle.ts';
import { applySuppressions } from '../project/suppressions.ts';
import { rulePage, tool } from '../tool.ts';
import { configFor } from './configuration.ts';
import { rulePageText } from './pages.ts';
import { readOptions, readProgram } from './program.ts';

/** Never returns: the client ends the process. */
export function lsp(): Promise<number> {
  serve(disk);
  return new Promise(() => {});
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
    const program = await readProgram([folder], folder, { ...readOptions({}, found, root), progress });
    return {
      root,
      units: program.units,
      files: program.files,
      assess: assessWith(found, root, program.marked),
      problem,
    };
  },
  assess: (units) => ({ ...judged(units), notices: [] }),
  async lower(root, file) {
    const text = textOf(root, file);
    return text === undefined ? null : lower(file, text);
  },
  text: textOf,
  suppression: (file, rule, reason) => `${commentOf(file)} subxact: allow ${rule}, because ${reason}`,
  page: rulePageText,
  pageUrl: rulePage,
  version: tool.version,
};

/** As `judge` does for a report, but again and again: the configuration is read once, an open text may have comments. */
function assessWith(found: FoundConfig, root: string, marked: string[]): Assess {
  const base = baseOf(found, root);
  const ran = activeRules(rules, found.config);
  const known = readBaseline(baselineFile(found, root, { given: undefined, cwd: root }));
  return (units, lines, open) => {
    const model = link(settleUnits(units, found, base), { postgres: found.config.postgres });
    const all = settleFindings(check(model, ran), rules, found.config, base);
    const marks = known ? fingerprints(all) : undefined;
    const fresh = all.filter((finding) => !known || !Object.hasOwn(known.findings, marks!.get(finding)!));
    const { left, complaints } = applySuppressions(fresh, [...new Set([...marked, ...open])], {
      lines: (file) => lines(file) ?? linesOf(''),
      rules: rules.map(({ id }) => id),
      complete: false,
      ran: (rule) => ran.includes(rule),
    });
    return { model, findings: left, notices: complaints };
  };
}

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
    const full = join(root, file);
    return statSync(full).size > LARGEST ? undefined : decode(readFileSync(full))?.text;
  } catch {
    return undefined; // it is gone
  }
}

const commentOf = (file: string) =>
  /\.(py|rb|rake)$/.test(file) ? '#' : /\.(java|kts?)$/.test(file) ? '//' : '--';

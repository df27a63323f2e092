// The file of findings that are known and accepted for now, so that only new ones fail.
import { resolve } from 'node:path';
import type { Finding } from '../../rule.ts';
import type { FoundConfig } from '../config/config.ts';
import { readRegular } from '../files/regular.ts';

const BASELINE_FILE = 'subxact-baseline.json';
const VERSION = 1;

export interface Baseline {
  /** By fingerprint; what stands beside it is for people. */
  findings: Record<string, Entry>;
}

interface Entry {
  rule: string;
  file: string;
  subject: string;
}

/** `undefined`: there is no such file. It throws when there is one that cannot be used. */
export function readBaseline(
  file: string,
  read: (file: string) => Buffer = readRegular,
): Baseline | undefined {
  let text: string;
  try {
    text = read(file)
      .toString('utf8')
      .replace(/^\ufeff/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (/^(?:<{7}|={7}|>{7})(?: |\r?$)/m.test(text))
    throw new Error(
      'a merge left its marks in it: keep the findings of both sides, with commas between them',
    );
  const parsed = JSON.parse(text);
  if (parsed?.version !== VERSION || typeof parsed.findings !== 'object' || parsed.findings === null)
    throw new Error(`it is no baseline of version ${VERSION}`);
  return parsed;
}

export function baselineOf(findings: Finding[], fingerprint: (finding: Finding) => string): Baseline {
  const entries = findings.map(
    (f) => [fingerprint(f), { rule: f.rule, file: f.file, subject: f.subject }] as const,
  );
  return { findings: Object.fromEntries(entries) };
}

/** Without the entries whose findings are cured. */
export function pruned({ findings }: Baseline, stays: (entry: Entry, key: string) => boolean): Baseline {
  return {
    findings: Object.fromEntries(Object.entries(findings).filter(([key, entry]) => stays(entry, key))),
  };
}

export const merged = (a: Baseline, b: Baseline): Baseline => ({
  findings: { ...b.findings, ...a.findings },
});

/** Sorted, so that two branches that add to it merge. */
export function baselineText({ findings }: Baseline): string {
  const sorted = Object.fromEntries(Object.entries(findings).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version: VERSION, findings: sorted }, null, 2)}\n`;
}

/** The one that is asked for, the configured one, or the usual one at the root. */
export function baselineFile(
  { config, folder }: FoundConfig,
  root: string,
  asked: { given?: string; cwd: string },
): string {
  if (asked.given) return resolve(asked.cwd, asked.given);
  return config.baseline ? resolve(folder, config.baseline) : resolve(root, BASELINE_FILE);
}

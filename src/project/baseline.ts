// The file of findings that are known and accepted for now, so that only new ones fail.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Finding } from '../rule.ts';
import type { FoundConfig } from './config.ts';

const BASELINE_FILE = 'subxact-baseline.json';
const VERSION = 1;

export interface Baseline {
  /** By fingerprint; what stands beside it is for people. */
  findings: Record<string, { rule: string; file: string; subject: string }>;
}

/** `undefined`: there is no such file. It throws when there is one that cannot be used. */
export function readBaseline(file: string): Baseline | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const parsed = JSON.parse(text);
  if (parsed?.version !== VERSION || typeof parsed.findings !== 'object' || parsed.findings === null)
    throw new Error(`it is no baseline of version ${VERSION}`);
  return parsed;
}

export function baselineOf(findings: Finding[], fingerprint: (finding: Finding) => string): Baseline {
  const entries = findings.map(
    (f) => [fingerprint(f), { rule: f.rule, file: f.file, subject: f.subject }] as const,
  );
  // Sorted, so that two branches that add to it merge.
  return { findings: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Without the entries whose findings are cured. */
export function pruned(baseline: Baseline, now: Set<string>): Baseline {
  return { findings: Object.fromEntries(Object.entries(baseline.findings).filter(([key]) => now.has(key))) };
}

export const baselineText = ({ findings }: Baseline) =>
  `${JSON.stringify({ version: VERSION, findings }, null, 2)}\n`;

/** The one that is asked for, the configured one, or the usual one at the root. */
export function baselineFile(
  { config, folder }: FoundConfig,
  root: string,
  asked: { given?: string; cwd: string },
): string {
  if (asked.given) return resolve(asked.cwd, asked.given);
  return config.baseline ? resolve(folder, config.baseline) : resolve(root, BASELINE_FILE);
}

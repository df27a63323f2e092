// The file of findings that are known and accepted for now, so that only new ones fail.
import { resolve } from 'node:path';
import type { Finding, Severity } from '../../rule.ts';
import type { FoundConfig } from '../config/config.ts';
import { readRegular } from '../files/regular.ts';

const BASELINE_FILE = 'subxact-baseline.json';
const VERSION = 1;

/** By what findings are about; equals stand in one list, as which of them is the second changes with every new one. */
export type Baseline = Map<string, Entry[]>;

/** For people, and to tell equals apart as long as nobody renames a file. */
interface Entry {
  rule: string;
  file: string;
  subject: string;
  /** What is worse by now is told again. Files of before do not say it. */
  severity?: Severity;
}

type Fingerprint = (finding: Finding) => string;

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
  // Each of two branches may have added an equal, by one key: JSON would keep the last alone.
  let keys = 0;
  const parsed = JSON.parse(text.replace(/"([\da-f]{16}:\d+)"(?=\s*:)/g, (_, key) => `"${key} ${keys++}"`));
  if (parsed?.version !== VERSION || typeof parsed.findings !== 'object' || parsed.findings === null)
    throw new Error(`it is no baseline of version ${VERSION}`);
  const baseline: Baseline = new Map();
  const seen = new Set<string>();
  for (const [key, entry] of Object.entries<Entry>(parsed.findings)) {
    const same = `${key.split(' ')[0]} ${JSON.stringify(entry)}`;
    if (!seen.has(same)) add(baseline, about(key), entry);
    seen.add(same);
  }
  return baseline;
}

/** Without its count among equals. */
const about = (fingerprint: string) => fingerprint.replace(/:.*/, '');

function add<One>(lists: Map<string, One[]>, key: string, one: One): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}

export function baselineOf(findings: Iterable<Finding>, fingerprint: Fingerprint): Baseline {
  const baseline: Baseline = new Map();
  for (const one of findings)
    add(baseline, about(fingerprint(one)), {
      rule: one.rule,
      file: one.file,
      subject: one.subject,
      severity: one.severity,
    });
  return baseline;
}

/** Which findings it holds: of equals as many as it names, and none that is worse. What a change brings is not what was there before. */
export function heldIn(
  baseline: Baseline,
  findings: Finding[],
  fingerprint: Fingerprint,
  isNew: (finding: Finding) => boolean = () => false,
): Set<Finding> {
  const equals = new Map<string, Finding[]>();
  for (const one of findings) {
    const key = about(fingerprint(one));
    if (baseline.has(key)) add(equals, key, one);
  }
  return new Set(
    [...equals].flatMap(([key, all]) => {
      const entries = baseline.get(key)!;
      if (all.length <= entries.length) return noWorse(all, entries);
      const old = all.filter((one) => !isNew(one));
      return noWorse(
        [old, all.filter(isNew)].flatMap((some) => namedFirst(some, entries)),
        entries,
      );
    }),
  );
}

const RANKS = ['note', 'warning', 'error', undefined] as const;

/** Each takes the place of an entry that is as bad, or else of the next one that is worse. */
function noWorse(findings: Finding[], entries: Entry[]): Finding[] {
  const left = RANKS.map((rank) => entries.filter((entry) => placeOf(entry) === rank).length);
  return findings.filter(({ severity }) => {
    const place = left.findIndex((count, rank) => count > 0 && rank >= RANKS.indexOf(severity));
    if (place >= 0) left[place]!--;
    return place >= 0;
  });
}

const placeOf = (entry: Entry | undefined) => RANKS.find((rank) => rank === entry?.severity);

/** Those of the files that the entries name stand before others. */
function namedFirst(findings: Finding[], entries: Entry[]): Finding[] {
  const files = entries.map((entry) => entry?.file);
  const named = findings.filter(({ file }) => {
    const at = files.indexOf(file);
    if (at >= 0) files.splice(at, 1);
    return at >= 0;
  });
  return [...named, ...findings.filter((one) => !named.includes(one))];
}

/** The entries that are asked for, and those that are not. */
export function parted(baseline: Baseline, isAsked: (file: string) => boolean): [Baseline, Baseline] {
  const parts: [Baseline, Baseline] = [new Map(), new Map()];
  for (const [key, entries] of baseline)
    for (const entry of entries) add(parts[isAsked(String(entry?.file)) ? 0 : 1], key, entry);
  return parts;
}

export function merged(a: Baseline, b: Baseline): Baseline {
  const both: Baseline = new Map();
  for (const [key, entries] of [...a, ...b]) for (const entry of entries) add(both, key, entry);
  return both;
}

export const sizeOf = (baseline: Baseline) =>
  [...baseline.values()].reduce((sum, entries) => sum + entries.length, 0);

/** Sorted, so that two branches that add to it merge. */
export function baselineText(baseline: Baseline): string {
  const byFile = (a: Entry, b: Entry) => (a?.file < b?.file ? -1 : a?.file > b?.file ? 1 : 0);
  const sorted = [...baseline].sort(([a], [b]) => (a < b ? -1 : 1));
  const findings = Object.fromEntries(
    sorted.flatMap(([key, entries]) => entries.sort(byFile).map((entry, i) => [`${key}:${i + 1}`, entry])),
  );
  return `${JSON.stringify({ version: VERSION, findings }, null, 2)}\n`;
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

// What the configuration says of units before they are linked, and of findings after the rules ran.
import { isAbsolute, relative } from 'node:path';
import type { Unit } from '../../ir.ts';
import type { Finding, Severity } from '../../rule.ts';
import { createGlobs } from '../files/ignore.ts';
import type { Config, FoundConfig, RuleLevel } from './config.ts';

const RANK: RuleLevel[] = ['off', 'note', 'warning', 'error'];

/** The folder of the globs, as names of files begin. */
export function baseOf({ folder }: FoundConfig, root: string): string {
  return isBelow(root, folder) ? relative(root, folder).replaceAll('\\', '/') : '';
}

/** The folder itself counts. On Windows what stands on another drive has no relative path. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way);
}

/** Which files and folders the configuration leaves out. `include` speaks of files: what a folder holds is not known yet. */
export function exclusion(
  { config }: FoundConfig,
  base: string,
): ((path: string, isFolder: boolean) => boolean) | undefined {
  if (config.exclude.length === 0 && config.include.length === 0) return undefined;
  const excluded = createGlobs(config.exclude, base);
  const included = createGlobs(config.include, base);
  return (path, isFolder) => excluded(path) || (!isFolder && config.include.length > 0 && !included(path));
}

export function unitSettler({ config }: FoundConfig, base: string): (unit: Unit) => Unit {
  const isTest = createGlobs(config.test, base);
  const isOneOff = createGlobs(config.oneOff, base);
  const isWrapped = createGlobs(config.assumeInTransaction, base);
  return (unit) => {
    const role = isTest(unit.file) ? 'test' : isOneOff(unit.file) ? 'migration' : unit.role;
    const wrapped = isWrapped(unit.file);
    if (role === unit.role && !wrapped) return unit;
    const routines = wrapped
      ? unit.routines.map((one) =>
          one.kind === 'script' ? { ...one, startsIn: 'transaction' as const } : one,
        )
      : unit.routines;
    return { ...unit, role, routines };
  };
}

/** The rules that must run: those that some file has on. */
export function activeRules(rules: { id: string; severity: RuleLevel }[], config: Config): string[] {
  const on = (id: string, severity: RuleLevel) =>
    (config.rules[id] ?? severity) !== 'off' ||
    config.overrides.some(({ rules }) => (rules[id] ?? 'off') !== 'off');
  return rules.filter(({ id, severity }) => on(id, severity)).map(({ id }) => id);
}

/**
 * Severities as configured. A finding that its rule itself gave less than usual (a note, because nothing is written)
 * stays that much less. Hot tables add one step.
 */
export function settleFindings(
  findings: Finding[],
  rules: { id: string; severity: RuleLevel }[],
  config: Config,
  base: string,
  asked?: string[],
): Finding[] {
  const defaults = new Map(rules.map(({ id, severity }) => [id, severity]));
  const overrides = config.overrides.map(({ files, rules }) => ({ fits: createGlobs(files, base), rules }));
  const hot = config.hotTables.map(partsOf);
  return findings.flatMap((finding) => {
    const usual = defaults.get(finding.rule) ?? 'note';
    const level = overrides.reduce(
      (level, { fits, rules }) => (fits(finding.file) ? (rules[finding.rule] ?? level) : level),
      config.rules[finding.rule],
    );
    if (level === 'off' || (level === undefined && usual === 'off' && !asked)) return asked ? [finding] : [];
    let severity: RuleLevel = finding.severity;
    if (level !== undefined)
      severity = RANK.indexOf(severity) < RANK.indexOf(usual) ? lesser(severity, level) : level;
    const touches = (finding.relations ?? []).map((name) => partsOf(name.slice(name.indexOf(':') + 1)));
    if (hot.some((table) => touches.some((relation) => sameTable(table, relation))))
      severity = RANK[Math.min(3, RANK.indexOf(severity) + 1)]!;
    return [severity === finding.severity ? finding : { ...finding, severity: severity as Severity }];
  });
}

const lesser = (a: RuleLevel, b: RuleLevel) => (RANK.indexOf(a) < RANK.indexOf(b) ? a : b);

/** `sales."Order"` as its parts: quoted ones as they are, others folded as PostgreSQL does. */
const partsOf = (name: string): string[] =>
  (name.match(/"(?:[^"]|"")*"|[^."]+/g) ?? []).map((part) =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part.trim().toLowerCase(),
  );

/** A schema counts only where both have one; an unquoted name in the configuration means a quoted one as well. */
function sameTable(asked: string[], relation: string[]): boolean {
  const common = Math.min(asked.length, relation.length);
  const same = (a: string, b: string) => a === b || (a === a.toLowerCase() && a === b.toLowerCase());
  return common > 0 && asked.slice(-common).every((part, i) => same(part, relation.slice(-common)[i]!));
}

// The configuration: one optional file, checked key by key. What it means for findings is done elsewhere.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Severity } from '../../rule.ts';
import { reason } from '../files/files.ts';
import { linesOf, positionAt } from '../files/lines.ts';
import { readRegular } from '../files/regular.ts';
import { parseJsonc } from './jsonc.ts';
import { parseTomlTable } from './toml.ts';
import { DocumentError, type Entry, isTable, plainValue, type TreeNode } from './tree.ts';

export type RuleLevel = Severity | 'off';

export interface Config {
  rules: Record<string, RuleLevel>;
  include: string[];
  exclude: string[];
  /** The server's major version. */
  postgres?: number;
  test: string[];
  oneOff: string[];
  hotTables: string[];
  assumeInTransaction: string[];
  overrides: { files: string[]; rules: Record<string, RuleLevel> }[];
  baseline?: string;
}

/** `folder`: what the globs are relative to. `file`: null when there is none. */
export interface FoundConfig {
  config: Config;
  file: string | null;
  folder: string;
}

/** A wrong file in the user's words, with its line. */
export class ConfigError extends Error {}

const LEVELS = ['error', 'warning', 'note', 'off'];

type Kind = 'globs' | 'names' | 'levels' | 'version' | 'path' | 'overrides' | 'text';
/** Every key, its kind and its sentence: what is checked, and what the JSON schema and the help say. */
export const KEYS: Record<string, { kind: Kind; says: string }> = {
  $schema: { kind: 'text', says: 'Where the JSON schema of this file is, for editors.' },
  rules: { kind: 'levels', says: "Each rule's severity: error, warning, note or off." },
  include: { kind: 'globs', says: 'Only these files are read; without it, all that a front end knows.' },
  exclude: { kind: 'globs', says: 'These files are not read, besides what .gitignore excludes.' },
  postgres: { kind: 'version', says: "The server's oldest major version that the code must run on." },
  test: { kind: 'globs', says: 'Files that are test code, besides those that look like it.' },
  oneOff: { kind: 'globs', says: 'Files that run once, such as migrations and repair scripts.' },
  hotTables: {
    kind: 'names',
    says: 'Tables with much traffic: findings that touch them weigh one step more.',
  },
  assumeInTransaction: { kind: 'globs', says: 'Scripts that their tool runs inside one transaction.' },
  overrides: { kind: 'overrides', says: 'Other severities for some files; the last that fits wins.' },
  baseline: { kind: 'path', says: 'The baseline file, relative to this one.' },
};

const empty = (): Config => ({
  rules: {}, include: [], exclude: [], test: [], oneOff: [], hotTables: [], assumeInTransaction: [], overrides: [],
}); // biome-ignore format: one line each would say no more

/** Looks in each folder upwards from the working directory to the root. */
export function findConfig(cwd: string, root: string, rules: string[], given?: string): FoundConfig {
  if (given) {
    if (!existsSync(given)) throw new ConfigError(`${given}: there is no such file`);
    // Whoever names a pipe has something to say through it.
    return (
      readConfig(given, rules, readFileSync) ?? fail(given, '', 0, 'it has no configuration for subxact')
    );
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of ['subxact.json', 'subxact.jsonc', '.subxact.json', 'package.json', 'pyproject.toml']) {
      // Asking costs less than an error, and mostly there is none.
      const file = join(folder, name);
      const found = existsSync(file) ? readConfig(file, rules) : null;
      if (found) return found;
    }
    if (folder === root || dirname(folder) === folder) return { config: empty(), file: null, folder: root };
  }
}

function readConfig(
  file: string,
  rules: string[],
  read: (file: string) => Buffer = readRegular,
): FoundConfig | null {
  let text: string;
  try {
    text = read(file).toString('utf8');
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code === 'ENOENT' ||
      (error as NodeJS.ErrnoException).code === 'ENOTDIR'
    )
      return null;
    throw new ConfigError(`${file}: could not be read: ${reason(error)}`);
  }
  try {
    const node = documentOf(file, text);
    return node ? { config: configOf(node, rules), file, folder: dirname(file) } : null;
  } catch (error) {
    if (error instanceof DocumentError) fail(file, text, error.at, error.message);
    throw error;
  }
}

function documentOf(file: string, text: string): TreeNode | undefined {
  if (file.endsWith('.toml')) return parseTomlTable(text, 'tool.subxact');
  if (!/(^|[\\/])package\.json$/.test(file)) return parseJsonc(text);
  // A manifest that is broken is npm's to complain of, unless it speaks of us.
  if (!text.includes('"subxact"')) return undefined;
  const manifest = parseJsonc(text);
  return isTable(manifest) ? manifest.value.get('subxact')?.node : undefined;
}

function fail(file: string, text: string, at: number, message: string): never {
  const { line } = positionAt(linesOf(text), at);
  throw new ConfigError(`${file}:${line}: ${message}`);
}

function configOf(node: TreeNode, rules: string[]): Config {
  const config = empty();
  if (!isTable(node)) throw new DocumentError('expected a table of settings', node.at);
  for (const [key, entry] of node.value) {
    const known = Object.hasOwn(KEYS, key)
      ? KEYS[key]!
      : unknown('setting', key, Object.keys(KEYS), entry.at);
    const value = checked(known.kind, key, entry, rules);
    if (key !== '$schema') Object.assign(config, { [key]: value });
  }
  return config;
}

function checked(kind: Kind, key: string, { node }: Entry, rules: string[]): unknown {
  switch (kind) {
    case 'globs':
      return globs(key, node);
    case 'names':
      return strings(key, node);
    case 'levels':
      return levels(key, node, rules);
    case 'path':
      return node.value !== '' && typeof node.value === 'string' ? node.value : wrong(key, 'a path', node);
    case 'text':
      return typeof node.value === 'string' ? node.value : wrong(key, 'a string', node);
    case 'version':
      return /^(?:9|[1-9]\d)$/.test(String(plainValue(node))) && !Array.isArray(node.value)
        ? Number(node.value)
        : wrong(key, 'a major version such as 16', node);
    case 'overrides':
      if (!Array.isArray(node.value)) return wrong(key, 'a list of tables with files and rules', node);
      return node.value.map((one) => override(one, rules));
  }
}

function override(node: TreeNode, rules: string[]) {
  if (!isTable(node)) return wrong('overrides', 'tables with files and rules', node);
  for (const [key, { at }] of node.value)
    if (key !== 'files' && key !== 'rules') unknown('setting', key, ['files', 'rules'], at);
  const [files, own] = [node.value.get('files'), node.value.get('rules')];
  if (!files || !own) throw new DocumentError('an override needs files and rules', node.at);
  return { files: globs('files', files.node), rules: levels('rules', own.node, rules) };
}

function strings(key: string, node: TreeNode): string[] {
  if (!Array.isArray(node.value)) return wrong(key, 'a list of strings', node);
  return node.value.map((one) =>
    typeof one.value === 'string' && one.value !== ''
      ? one.value
      : wrong(key, 'a list of strings that say something', one),
  );
}

/** They speak of the configuration's own folder and what is below: of what is beside it none would ever hold. */
function globs(key: string, node: TreeNode): string[] {
  const all = strings(key, node);
  for (const [i, one] of all.entries())
    if (/^!?(?:\.\/)*\.\.(?:\/|$)/.test(one))
      throw new DocumentError(
        `${key}: ${one} is outside of the folder of this file; a pattern speaks of what is in it`,
        (node.value as TreeNode[])[i]!.at,
      );
  return all;
}

function levels(key: string, node: TreeNode, rules: string[]): Record<string, RuleLevel> {
  if (!isTable(node)) return wrong(key, 'a table of rules and severities', node);
  for (const [rule, { at, node: level }] of node.value) {
    if (!rules.includes(rule)) unknown('rule', rule, rules, at);
    if (typeof level.value !== 'string') wrong(rule, `one of ${LEVELS.join(', ')}`, level);
    if (!LEVELS.includes(level.value as string)) unknown('severity', level.value as string, LEVELS, level.at);
  }
  return plainValue(node) as Record<string, RuleLevel>;
}

function wrong(key: string, expected: string, node: TreeNode): never {
  throw new DocumentError(`"${key}" must be ${expected}, not ${JSON.stringify(plainValue(node))}`, node.at);
}

function unknown(what: string, word: string, known: string[], at: number): never {
  const near = nearest(word, known);
  throw new DocumentError(
    `there is no ${what} "${word}"${near ? `: did you mean "${near}"?` : `; there are ${known.join(', ')}`}`,
    at,
  );
}

/** What other programs call it. */
const OTHERWISE: Record<string, string> = {
  files: 'include', paths: 'include', ignore: 'exclude', ignores: 'exclude', ignorefiles: 'exclude', skip: 'exclude',
  severity: 'rules', severities: 'rules', levels: 'rules', version: 'postgres', pg: 'postgres', dialect: 'postgres',
  transaction: 'assumeInTransaction', info: 'note', information: 'note', hint: 'note', suggestion: 'note',
  disable: 'off', disabled: 'off', none: 'off', false: 'off', critical: 'error', fatal: 'error',
}; // biome-ignore format: a table

/** The known word that fewest changes of letters lead to, unless they are too many, or that others use another for. */
export function nearest(word: string, known: string[]): string | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/[_-]/g, '');
  const asked = bare(word);
  const same = known.find((one) => bare(one) === asked);
  if (same) return same;
  const other = Object.hasOwn(OTHERWISE, asked) ? OTHERWISE[asked]! : undefined;
  if (other && known.includes(other)) return other;
  const begun = asked.length > 2 && known.find((one) => bare(one).startsWith(asked));
  if (begun) return begun;
  const scored = known.map((one) => ({ one, cost: distance(asked, bare(one)) }));
  const best = scored.sort((a, b) => a.cost - b.cost)[0];
  // Few letters are soon another word.
  const near = (one: string, cost: number) =>
    cost < 2 || (cost <= Math.max(2, one.length / 3) && (one.length > 7 || bare(one)[0] === asked[0]));
  if (best && near(best.one, best.cost)) return best.one;
  return known.find((one) => one.length > 4 && asked.startsWith(bare(one)));
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= Math.min(a.length, 100); i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

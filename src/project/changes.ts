// Asks git which lines a change touches. It knows nothing of findings.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type ChangedLines = Map<string, [from: number, to: number][]>;

export type Since = { since: string } | 'staged' | 'changed';

/** Lines of the working tree's files, by name from the root. It throws with git's own words. */
export function changedLines(root: string, what: Since): ChangedLines {
  const range =
    what === 'staged' ? ['--cached'] : [what === 'changed' ? head(root) : mergeBase(root, what.since)];
  const diff = git(root, [
    'diff',
    '-U0',
    '--no-color',
    '--no-ext-diff',
    // A file that only moved has nothing new in it.
    '--find-renames',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--relative',
    ...range,
    '--',
  ]);
  const changed = parseDiff(diff);
  if (what === 'staged') return changed;
  for (const file of git(root, ['ls-files', '-z', '--others', '--exclude-standard'])
    .split('\0')
    .filter(Boolean))
    changed.set(file, [[1, lineCount(join(root, file))]]);
  return changed;
}

/** Before the first commit all is new. */
function head(root: string): string {
  try {
    return git(root, ['rev-parse', '--verify', 'HEAD^{commit}']).trim();
  } catch {
    return git(root, ['hash-object', '-t', 'tree', '--stdin']).trim();
  }
}

/** What a branch adds to the revision, and not what the revision has got meanwhile. */
function mergeBase(root: string, revision: string): string {
  if (revision.startsWith('-')) throw new Error(`${revision} is no revision`);
  try {
    return git(root, ['merge-base', revision, 'HEAD']).trim();
  } catch {
    return commitOf(root, revision);
  }
}

function commitOf(root: string, revision: string): string {
  try {
    return git(root, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]).trim();
  } catch {
    const shallow = git(root, ['rev-parse', '--is-shallow-repository']).trim() === 'true';
    const more = shallow ? ': this clone is shallow, so fetch more of its history' : '';
    throw new Error(`there is no revision ${revision} here${more}`);
  }
}

export function parseDiff(diff: string): ChangedLines {
  const changed: ChangedLines = new Map();
  let ranges: [number, number][] | undefined;
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) {
      const file = unquoted(line.slice(4).replace(/\t$/, ''));
      ranges = file.startsWith('b/') ? [] : undefined;
      if (ranges) changed.set(file.slice(2), ranges);
      continue;
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!hunk || !ranges) continue;
    const start = Number(hunk[1]);
    const count = hunk[2] === undefined ? 1 : Number(hunk[2]);
    // Where lines went away their neighbours are what changed.
    ranges.push(count === 0 ? [start, start + 1] : [start, start + count - 1]);
  }
  return changed;
}

/** git puts names with unusual characters in C's quotes. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const escapes: Record<string, number> = { n: 10, t: 9, r: 13, '"': 34, '\\': 92 };
  for (const [, octal, mark, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else if (mark) bytes.push(escapes[mark] ?? mark.charCodeAt(0));
    else bytes.push(...Buffer.from(plain!));
  }
  return Buffer.from(bytes).toString('utf8');
}

function lineCount(file: string): number {
  try {
    return readFileSync(file, 'utf8').split('\n').length;
  } catch {
    return 1;
  }
}

function git(root: string, args: string[]): string {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      input: '',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stderr, code } = error as { stderr?: string; code?: string };
    if (code === 'ENOENT') throw new Error('git is not installed');
    throw new Error(stderr?.trim().split('\n')[0] || (error as Error).message);
  }
}

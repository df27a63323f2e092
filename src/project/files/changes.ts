// Asks git which lines a change touches, and what stood there before. It knows nothing of findings.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export type ChangedLines = Map<string, [from: number, to: number][]>;

/** `until` is what is checked out, unless it says otherwise. */
export type Since = { since: string; until?: string } | 'staged' | 'changed';

/** From a commit to another one, to what is staged, or to the working tree. */
interface Range {
  from: string;
  to: string | 'staged' | 'working tree';
}

/**
 * Lines of the files as they are read, by name from the root: of the working tree's, or of those staged. It throws with
 * git's own words; `warn` is told what is not as asked.
 */
export function changedLines(root: string, what: Since, warn?: (message: string) => void): ChangedLines {
  const here = repository(root, process.env);
  const range = rangeOf(here, what, warn);
  const changed = changedIn(here, range);
  if (typeof what === 'object') return changed;
  // In the middle of a merge what comes from the other side is as old as what is here.
  const other = named(here, 'MERGE_HEAD');
  return other === undefined ? changed : common(changed, changedIn(here, { ...range, from: other }));
}

function rangeOf(here: Repository, what: Since, warn?: (message: string) => void): Range {
  if (typeof what === 'object')
    return { from: mergeBase(here, what, warn), to: what.until ?? 'working tree' };
  return { from: head(here), to: what === 'staged' ? what : 'working tree' };
}

/**
 * What stood in the files that a change touches, by name from the root: `null` where there was none. Of submodules it
 * says nothing. In the middle of a merge there are two befores, and it gives none; nor where git lacks one of them.
 */
export function textsBefore(
  root: string,
  what: Since,
  isRead: (file: string) => boolean,
): Map<string, Buffer | null> | undefined {
  const here = repository(root, process.env);
  if (typeof what !== 'object' && named(here, 'MERGE_HEAD') !== undefined) return undefined;
  const range = rangeOf(here, what);
  const raw = ['diff', '--raw', '-z', '--no-abbrev', '--no-renames', '--relative', '--ignore-submodules=all'];
  const fields = listed(here.git([...raw, ...revisions(range), '--']));
  const before = new Map<string, Buffer | null>();
  const objects: [file: string, object: string][] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [was, , object] = fields[i]!.slice(1).split(' ');
    const file = fields[i + 1]!;
    if (!isRead(file)) continue;
    before.set(file, null);
    if (was!.startsWith('100')) objects.push([file, object!]); // a regular file
  }
  const asked = objects.map(([, object]) => `${object}\n`).join('');
  const blobs = objects.length > 0 ? blobsIn(here.bytes(['cat-file', '--batch'], asked)) : [];
  for (const [i, [file]] of objects.entries()) {
    if (!blobs[i]) return undefined;
    before.set(file, blobs[i]);
  }
  if (range.to === 'working tree') for (const file of untracked(here)) before.set(file, null);
  return before;
}

function common(one: ChangedLines, other: ChangedLines): ChangedLines {
  const both: ChangedLines = new Map();
  for (const [file, ranges] of one) {
    const shared = ranges.flatMap(([from, to]) =>
      (other.get(file) ?? []).map(([a, b]): [number, number] => [Math.max(from, a), Math.min(to, b)]),
    );
    both.set(
      file,
      shared.filter(([from, to]) => from <= to),
    );
  }
  return both;
}

/**
 * What a commit would take of files that have other changes since, by name from the root. A file that is staged and gone
 * from the working tree is not among them: nobody finds it.
 */
export function stagedTexts(root: string, isRead: (file: string) => boolean): Map<string, Buffer> {
  const here = repository(root, process.env);
  here.git(['rev-parse', '--git-dir']); // where no repository is git says so here, and of a diff something else
  const differing = [
    'diff',
    '--name-only',
    '-z',
    '--diff-filter=M',
    '--relative',
    '--ignore-submodules=all',
    '--',
  ];
  const files = listed(here.git(differing)).filter((file) => isRead(file) && !file.includes('\n'));
  const asked = files.map((file) => `:./${file}\n`).join('');
  const blobs = blobsIn(here.bytes(['cat-file', '--batch'], asked));
  // Of a file in conflict nothing is staged: it is read as it stands.
  return new Map(files.flatMap((file, i) => (blobs[i] ? [[file, blobs[i]]] : [])));
}

/** What one process gives for each that it was asked for: a line with its type and size, and its bytes. */
function blobsIn(answers: Buffer): (Buffer | null)[] {
  const blobs: (Buffer | null)[] = [];
  for (let at = 0; at < answers.length; ) {
    const start = answers.indexOf('\n', at) + 1;
    const size = / blob (\d+)$/.exec(answers.toString('utf8', at, start - 1))?.[1];
    at = start + (size === undefined ? 0 : Number(size) + 1);
    blobs.push(size === undefined ? null : answers.subarray(start, at - 1));
  }
  return blobs;
}

/** False where no repository is, which is told by whoever asks more. */
export function isNothingStaged(root: string): boolean {
  try {
    return repository(root, process.env).git(['diff', '--cached', '--name-only', '--']) === '';
  } catch {
    return false;
  }
}

const revisions = ({ from, to }: Range) =>
  to === 'staged' ? ['--cached', from] : to === 'working tree' ? [from] : [from, to];

const untracked = ({ git }: Repository) => listed(git(['ls-files', '-z', '--others', '--exclude-standard']));

function changedIn(here: Repository, { from, to }: Range): ChangedLines {
  const changed = parseDiff(diffOf(here, revisions({ from, to })));
  if (to === 'working tree')
    for (const file of untracked(here)) changed.set(file, [[1, Number.POSITIVE_INFINITY]]);
  for (const path of submodules(here)) {
    const moved = {
      from: linked(here, `${from}:${path}`),
      to: to === 'working tree' ? to : linked(here, `${to === 'staged' ? '' : to}:${path}`),
    };
    for (const [file, lines] of changedIn(repository(join(here.root, path), ownEnvironment()), moved))
      changed.set(`${path}/${file}`, lines);
  }
  return changed;
}

const diffOf = ({ git }: Repository, range: string[]) =>
  git([
    'diff',
    '-U0',
    '--inter-hunk-context=0',
    '--no-color',
    '--no-ext-diff',
    // Lines of the files themselves, also of those that an attribute keeps out of people's sight.
    '--no-textconv',
    '--text',
    // A file that only moved has nothing new in it.
    '--find-renames',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--relative',
    '--ignore-submodules=all',
    ...range,
    '--',
  ]);

const listed = (text: string) => text.split('\0').filter(Boolean);

/** Those that are there; each is a repository of its own, of which this one keeps a commit. */
function submodules({ root, git }: Repository): string[] {
  if (!existsSync(join(root, '.gitmodules'))) return [];
  const paths = ['config', '-z', '-f', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'];
  try {
    return listed(git(paths))
      .map((entry) => entry.slice(entry.indexOf('\n') + 1))
      .filter((path) => existsSync(join(root, path, '.git')));
  } catch {
    return []; // the file names none
  }
}

/** The commit of a submodule; before it was one, nothing was there. */
function linked(here: Repository, what: string): string {
  return named(here, what) ?? nothing(here);
}

function named({ git }: Repository, what: string): string | undefined {
  try {
    return git(['rev-parse', '--verify', '--quiet', what]).trim();
  } catch {
    return undefined;
  }
}

const nothing = ({ git }: Repository) => git(['hash-object', '-t', 'tree', '--stdin']).trim();

/** Before the first commit all is new. */
function head(here: Repository): string {
  try {
    return here.git(['rev-parse', '--verify', 'HEAD^{commit}']).trim();
  } catch {
    here.git(['rev-parse', '--git-dir']); // where no repository is git says so here, and of a diff something else
    return nothing(here);
  }
}

/** What a branch adds to the revision, and not what the revision has got meanwhile. */
function mergeBase(
  here: Repository,
  { since: revision, until = 'HEAD' }: Exclude<Since, string>,
  warn?: (message: string) => void,
): string {
  for (const one of [revision, until]) if (one.startsWith('-')) throw new Error(`${one} is no revision`);
  try {
    return here.git(['merge-base', revision, until]).trim();
  } catch {
    const commit = commitOf(here, revision);
    const why = isShallow(here) ? ', as this clone is shallow: fetch more of its history' : '';
    warn?.(
      `${revision} and ${until} have no common commit here${why}; what differs between the two is taken as changed`,
    );
    return commit;
  }
}

const isShallow = ({ git }: Repository) => git(['rev-parse', '--is-shallow-repository']).trim() === 'true';

function commitOf(here: Repository, revision: string): string {
  const commit = named(here, `${revision}^{commit}`);
  if (commit !== undefined) return commit;
  const more = isShallow(here) ? ': this clone is shallow, so fetch more of its history' : '';
  throw new Error(`there is no revision ${revision} here${more}`);
}

/** Lines of the files after the change; where lines went away their neighbours are what changed. */
export function parseDiff(diff: string): ChangedLines {
  const changed: ChangedLines = new Map();
  let ranges: [number, number][] | undefined;
  /** Of the hunk: what is in it may look like a header. */
  let left = 0;
  for (const line of diff.split('\n')) {
    if (left > 0 && /^[-+]/.test(line)) {
      left--;
      continue;
    }
    if (line.startsWith('+++ ')) {
      const file = unquoted(line.slice(4).replace(/\t$/, ''));
      ranges = file.startsWith('b/') ? [] : undefined;
      if (ranges) changed.set(file.slice(2), ranges);
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!hunk) continue;
    const [was, start, count] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)];
    left = was + count;
    ranges?.push([start, count === 0 ? start + 1 : start + count - 1]);
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

interface Repository {
  root: string;
  git(args: string[]): string;
  bytes(args: string[], input: string): Buffer;
}

const repository = (root: string, env: NodeJS.ProcessEnv): Repository => ({
  root,
  git: (args) => ask(root, args, env).toString('utf8'),
  bytes: (args, input) => ask(root, args, env, input),
});

/** What git tells its hooks is about the repository that calls, and not about those inside it. */
const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^GIT_(?:DIR|INDEX_FILE|WORK_TREE|PREFIX)$/.test(name)),
  );

const MOST_MINUTES = 5;

function ask(root: string, args: string[], env: NodeJS.ProcessEnv, input = ''): Buffer {
  try {
    // Nothing that the repository names is run, neither a monitor nor, as the index is not written, a hook.
    return execFileSync('git', ['-c', 'core.fsmonitor=false', '-c', 'diff.autoRefreshIndex=false', ...args], {
      cwd: root,
      // What a partial clone lacks git fetches, and may want a password for it.
      env: { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      timeout: MOST_MINUTES * 60_000,
      maxBuffer: 1 << 30,
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stderr, code } = error as { stderr?: Buffer; code?: string };
    if (code === 'ENOENT') throw new Error('git is not installed');
    if (code === 'ETIMEDOUT') throw new Error(`git ${args[0]} took more than ${MOST_MINUTES} minutes`);
    throw new Error(stderr?.toString('utf8').trim().split('\n')[0] || (error as Error).message);
  }
}

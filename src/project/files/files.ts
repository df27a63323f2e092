// Finds the files to read: what a version control system would keep, less what others wrote. It reads none of them.
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { commonFolder } from './gitfolder.ts';
import { type IgnoreFile, ignored, parseIgnore } from './ignore.ts';
import { readRegular } from './regular.ts';
import { type Tracked, trackedIn } from './tracked.ts';

export interface FoundFile {
  /** Relative to the root, with forward slashes: the unit's name. */
  path: string;
  full: string;
}

export interface Found {
  root: string;
  files: FoundFile[];
  /** Files that are not read, though somebody may want to know that they are there. */
  others: string[];
  /** What could not be listed. */
  problems: { file: string; message: string }[];
}

/** Folders that others fill, by name. */
const VENDORED = new Set(
  'node_modules bower_components jspm_packages site-packages dist-packages __pycache__ __pypackages__ .git .hg .svn .jj .bzr .tox .nox .venv .eggs .mypy_cache .pytest_cache .ruff_cache .gradle .idea .vs .next .nuxt .yarn .pnpm-store .cache .terraform .subxact-cache .bundle Pods .direnv'.split(
    ' ',
  ),
);
/** Folders that a build fills, known by a file beside or inside them. */
const BUILT: Record<string, { beside?: RegExp; inside?: RegExp }> = {
  dist: { beside: /^(package\.json|setup\.py|pyproject\.toml|setup\.cfg)$/ },
  build: { beside: /^(package\.json|build\.gradle(\.kts)?|setup\.py|pyproject\.toml|CMakeLists\.txt)$/ },
  target: { beside: /^(pom\.xml|Cargo\.toml|build\.sbt)$/ },
  out: { beside: /^(package\.json|build\.gradle(\.kts)?)$/ },
  venv: { inside: /^pyvenv\.cfg$/ },
  env: { inside: /^pyvenv\.cfg$/ },
  vendor: { inside: /^(bundle|autoload\.php|modules\.txt|cache)$/ },
};

/** So many patterns would be asked of each file for minutes. */
const LONGEST_IGNORE = 1_000_000;

/** The repository's root above this folder, or `null`. */
export function repositoryRoot(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false })) return at;
    if (dirname(at) === at) return null;
  }
}

/** Names in findings are relative to this: the repository, else the folder that all the paths share. */
export function rootOf(paths: string[], cwd: string): string {
  const full = paths.map((path) => resolve(cwd, path));
  const folders = full.map((path) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path),
  );
  const repository = repositoryRoot(folders[0] ?? cwd);
  if (repository && folders.every((folder) => isInside(folder, repository))) return repository;
  if (folders.every((folder) => isInside(folder, cwd))) return cwd;
  let shared = folders[0] ?? cwd;
  while (!folders.every((folder) => isInside(folder, shared))) shared = dirname(shared);
  return shared;
}

const isInside = (path: string, folder: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
const slashes = (path: string) => (sep === '/' ? path : path.replaceAll(sep, '/'));

/** `wanted`: whether any front end reads such files. */
export function findFiles(
  paths: string[],
  options: {
    root: string;
    cwd: string;
    wanted: (path: string) => boolean;
    /** Which of those that are not wanted are told. */
    told?: (path: string) => boolean;
    excluded?: (path: string, isFolder: boolean) => boolean;
  },
): Found {
  const { root, cwd, wanted, told, excluded } = options;
  const found: Found = { root, files: [], others: [], problems: [] };
  const seen = new Set<string>();
  const isRepository = repositoryRoot(root) === root;
  const submodules = new Set(isRepository ? submodulesOf(root) : []);
  const nameOf = (full: string) => slashes(relative(root, full));
  let index: Tracked | null | undefined;
  /** What git keeps it keeps, whatever is ignored. */
  const tracked = (path: string, isFolder: boolean): boolean => {
    if (!isRepository) return false;
    if (index === undefined) index = trackedIn(root);
    return (isFolder ? index?.hasBelow(path) : index?.has(path)) === true;
  };
  for (const path of paths) {
    const full = resolve(cwd, path);
    if (!statSync(full).isDirectory()) add(nameOf(full), full);
    else walk(full, ignoresAbove(full), true);
  }
  return found;

  function add(path: string, full: string): void {
    if (seen.has(full)) return;
    seen.add(full);
    found.files.push({ path, full });
  }

  /** `isIgnored`: of what stands in it only what git keeps all the same. */
  function walk(folder: string, above: IgnoreFile[], isAsked = false, isIgnored = false): void {
    let entries: import('node:fs').Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      found.problems.push({ file: nameOf(folder), message: `could not be listed: ${reason(error)}` });
      return;
    }
    const git = isRepository && folder !== root && entries.find((entry) => entry.name === '.git');
    if (git) {
      // A worktree inside has the same code once more. A clone has code of its own, and whoever has it here may mean it.
      if (git.isFile() && !isAsked && !submodules.has(folder)) return;
      for (const one of submodulesOf(folder)) submodules.add(one);
    }
    const base = nameOf(folder);
    const own = entries.some((entry) => entry.name === '.gitignore') ? readIgnore(folder, base) : null;
    const ignores = own ? [...above, own] : above;
    // By name, so that two machines see the same order.
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      // Links are not followed: what they name is inside, and found there, or outside, and not ours.
      const path = base === '' ? entry.name : `${base}/${entry.name}`;
      const isOurs = entry.isFile() && wanted(path);
      if (!entry.isDirectory() && !isOurs && !(entry.isFile() && told?.(path))) continue;
      if (entry.isDirectory() && VENDORED.has(entry.name)) continue;
      const left = isIgnored || ignored(ignores, path, entry.isDirectory());
      if (left && !tracked(path, entry.isDirectory())) continue;
      if (excluded?.(path, entry.isDirectory())) continue;
      const full = join(folder, entry.name);
      if (isOurs) add(path, full);
      else if (entry.isFile()) found.others.push(path);
      else if (!isForeign(entry.name, full, entries)) walk(full, ignores, false, left);
    }
  }

  function readIgnore(folder: string, base: string): IgnoreFile | null {
    try {
      const file = join(folder, '.gitignore');
      // Git follows no link here either.
      if (lstatSync(file).isSymbolicLink()) throw new Error('it is a link');
      return parseIgnore(readRegular(file, LONGEST_IGNORE).toString('utf8'), base);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT')
        found.problems.push({
          file: base === '' ? '.gitignore' : `${base}/.gitignore`,
          message: `not read: ${reason(error)}`,
        });
      return null;
    }
  }

  /** The ignore files from the root down to the folder's parent; what a user names is read even if they exclude it. */
  function ignoresAbove(folder: string): IgnoreFile[] {
    const files: IgnoreFile[] = [];
    const exclude = infoExclude(root);
    if (exclude) files.push(parseIgnore(exclude, ''));
    if (!isInside(folder, root)) return files;
    let at = root;
    for (const part of relative(root, folder).split(sep).filter(Boolean)) {
      const own = readIgnore(at, nameOf(at));
      if (own) files.push(own);
      at = join(at, part);
    }
    return files;
  }
}

/** Whether a walk of the folder finds this file, or any below this folder. */
export function isFound(
  folder: string,
  path: string,
  root: string,
  excluded?: (path: string, isFolder: boolean) => boolean,
): boolean {
  const isThere = (one: string) => `${one}/`.startsWith(`${path}/`);
  const isApart = (one: string, isFolder: boolean) =>
    isFolder && !isThere(one) && !path.startsWith(`${one}/`);
  const found = findFiles([folder], {
    root,
    cwd: root,
    wanted: isThere,
    excluded: (one, isFolder) => isApart(one, isFolder) || excluded?.(one, isFolder) === true,
  });
  return found.files.length > 0;
}

/** Whether a walk over these paths would come by such a file, if it were there. */
export function isWithin(
  paths: string[],
  path: string,
  {
    root,
    cwd,
    excluded,
  }: { root: string; cwd: string; excluded?: (path: string, isFolder: boolean) => boolean },
): boolean {
  const full = join(root, path);
  if (!paths.some((one) => isInside(full, resolve(cwd, one)))) return false;
  const parts = path.split('/');
  return !parts.some((part, i) => {
    const isFolder = i < parts.length - 1;
    return (isFolder && VENDORED.has(part)) || excluded?.(parts.slice(0, i + 1).join('/'), isFolder);
  });
}

function isForeign(name: string, full: string, siblings: { name: string }[]): boolean {
  const mark = BUILT[name];
  if (mark?.beside && siblings.some((sibling) => mark.beside!.test(sibling.name))) return true;
  if (!mark?.inside) return false;
  try {
    return readdirSync(full).some((inside) => mark.inside!.test(inside));
  } catch {
    return false;
  }
}

/** The folders of those that a repository says are parts of it. */
function submodulesOf(repository: string): string[] {
  try {
    const text = textOf(join(repository, '.gitmodules'));
    return [...text.matchAll(/^[ \t]*path[ \t]*=[ \t]*(.*?)[ \t\r]*$/gm)].map(([, path]) =>
      join(repository, path!.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1')),
    );
  } catch {
    return []; // there are none
  }
}

function infoExclude(root: string): string | null {
  try {
    return textOf(join(commonFolder(root), 'info', 'exclude'));
  } catch {
    return null;
  }
}

const textOf = (file: string) => readRegular(file, LONGEST_IGNORE).toString('utf8');

/** An error of the file system in words, without the path that the line names already. */
export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ENOENT: 'no such file or directory',
    EISDIR: 'it is a directory',
    ELOOP: 'too many links',
    EMFILE: 'too many open files',
    EIO: 'the disk could not be read',
    ENOSPC: 'no space is left',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'what should be a folder is none',
  };
  return words[code ?? ''] ?? message;
}

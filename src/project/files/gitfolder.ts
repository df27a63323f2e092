// Where git keeps what it knows of a repository or of one of its worktrees. It reads none of that.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readRegular } from './regular.ts';

/** .git is a folder, or in a worktree and a submodule a file that names one. */
export function gitFolder(root: string): string {
  const folder = join(root, '.git');
  if (!statSync(folder).isFile()) return folder;
  return resolve(
    root,
    textOf(folder)
      .replace(/^gitdir:\s*/, '')
      .trim(),
  );
}

/** What all worktrees of a repository share. */
export function commonFolder(root: string): string {
  const folder = gitFolder(root);
  const common = join(folder, 'commondir');
  return statSync(common, { throwIfNoEntry: false }) ? resolve(folder, textOf(common).trim()) : folder;
}

const textOf = (file: string) => readRegular(file, 10_000).toString('utf8');

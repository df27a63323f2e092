// One workspace folder of the session: its root, its workspace, and how its files are named to the client.
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Workspace } from './workspace.ts';

export interface Folder {
  /** What the client opened. */
  opened: string;
  /** What file names start from: the repository around it, once that is known. */
  root: string;
  workspace: Workspace;
  /** False until the first index is there; until then nothing is reported, since it would be half the truth. */
  ready: boolean;
  /** How many files the index saw. */
  files: number;
  /** Whether an index would read what stands there: a file, or some file of a folder. */
  reads(path: string): boolean;
  /** The configuration and the baseline that hold in it. */
  configures: string[];
}

/** The path of a `file:` URI, else null: other schemes have no repository around them. */
export function pathOf(uri: string): string | null {
  if (!uri.startsWith('file:')) return null;
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}

export const uriOf = (folder: Folder, file: string): string => pathToFileURL(join(folder.root, file)).href;

/** The innermost folder that holds the path, and the path inside it. */
export function locate(folders: Folder[], path: string): { folder: Folder; file: string } | null {
  let best: { folder: Folder; file: string } | null = null;
  for (const folder of folders) {
    const inner = relative(folder.root, path);
    if (inner === '' || inner.startsWith('..') || inner.includes(`..${sep}`)) continue;
    if (!best || folder.root.length > best.folder.root.length)
      best = { folder, file: inner.split(sep).join('/') };
  }
  return best;
}

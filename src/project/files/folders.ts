// Makes a folder with those above it, and always comes back. It writes no file.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Node's own `recursive` never ends where making a folder says that the one above is not there, as under /proc. */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    if (code !== 'ENOENT' || statSync(dirname(folder), { throwIfNoEntry: false })) throw error;
    makeFolder(dirname(folder), mode);
    makeFolder(folder, mode);
  }
}

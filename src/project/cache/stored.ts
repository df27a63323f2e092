// A text kept in a folder under a name: written whole or not at all, and read only if it is what this version of the program wrote.
import { createHash } from 'node:crypto';
import {
  closeSync, fstatSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync,
} from 'node:fs'; // biome-ignore format: one list
import { join } from 'node:path';
import { makeFolder } from '../files/folders.ts';

/** What is being written, beside what it becomes. */
const PART = /\.\d+\.[a-z0-9]+$/;
/** Nobody writes for so long, in milliseconds: whoever began this was killed. */
const LEFT = 600_000;

const FORMAT = 'subxact-cache 2';

export interface Store {
  /** Undefined when there is none, or it is another version's, another user's, or damaged. */
  read(name: string): string | undefined;
  write(name: string, body: string): void;
  /** Removes all but the newest of those whose names begin so. */
  prune(prefix: string, keep: number): void;
}

export function openStore(folder: string, tool: string): Store {
  const header = (name: string, body: string) =>
    `${FORMAT} ${tool} ${name} ${createHash('sha1').update(body).digest('hex')}`;
  let swept = false;
  return {
    read(name) {
      try {
        const text = readOwn(join(folder, name));
        const end = text.indexOf('\n');
        const body = text.slice(end + 1);
        return text.slice(0, end) === header(name, body) ? body : undefined;
      } catch {
        return undefined;
      }
    },
    write(name, body) {
      const file = join(folder, name);
      const part = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
      try {
        makeFolder(folder, 0o700);
        if (!swept) sweep(folder);
        swept = true;
        writeFileSync(part, `${header(name, body)}\n${body}`, { mode: 0o600, flag: 'wx' });
        renameSync(part, file);
      } catch {
        remove(part); // a full or read-only disk costs time, nothing else
      }
    },
    prune(prefix, keep) {
      try {
        const all = readdirSync(folder).filter((name) => name.startsWith(prefix) && !PART.test(name));
        if (all.length <= keep) return;
        const aged = all.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
        aged.sort((a, b) => b.at - a.at);
        for (const { name } of aged.slice(keep)) rmSync(join(folder, name), { force: true });
      } catch {
        // another run prunes too
      }
    },
  };
}

/** A run that was killed while it wrote leaves a part. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!PART.test(name)) continue;
    const stamp = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stamp && stamp.mtimeMs < Date.now() - LEFT) remove(join(folder, name));
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // not even that may be done here
  }
}

/** What another user put there is not trusted. */
function readOwn(file: string): string {
  const open = openSync(file, 'r');
  try {
    if (process.getuid && fstatSync(open).uid !== process.getuid()) throw new Error('not ours');
    return readFileSync(open, 'utf8');
  } finally {
    closeSync(open);
  }
}

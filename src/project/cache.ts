// What earlier runs read, by content and by the file system's stamp: one file for each tree and version of the program.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Unit } from '../ir.ts';

export interface Stamp {
  size: number;
  mtimeMs: number;
  ino: number;
}

/** What is known of a file's content. */
export interface Known {
  /** It has a word that matters. */
  loud: boolean;
  /** Absent when no parser has seen it yet; `null` when no front end makes a unit of it. */
  unit?: Unit | null;
  latin1?: boolean;
  /** It has a comment for us. */
  marked?: boolean;
}

export interface Cache {
  /** What is known of an unchanged file, without reading it. */
  byStamp(path: string, stamp: Stamp): Known | undefined;
  /** What is known of this content under this path. */
  byContent(path: string, hash: string): Known | undefined;
  put(path: string, stamp: Stamp, known: Known, hash?: string): void;
  /** Which silent files the waves chose, when the whole tree is as it was. */
  selection(tree: string): Set<string> | undefined;
  select(tree: string, paths: string[]): void;
  /** Writes the whole file aside and renames it, so that a second run never sees half of one. */
  save(): void;
}

interface Entry extends Known {
  /** Absent while the file is so young that a further change could leave the same stamp. */
  stamp?: [size: number, mtimeMs: number, ino: number];
  hash?: string;
}

interface Stored {
  tree: string;
  selected: string[];
  entries: [string, Entry][];
}

export const hashOf = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('base64url');

export function defaultCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'subxact');
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'subxact', 'cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'subxact');
  return join(homedir(), '.cache', 'subxact');
}

/** A stamp younger than this when it is taken is not trusted later: two changes may share it. */
const SETTLED = 100;
const FORMAT = 'subxact-cache 1';

export function openCache(folder: string, root: string, tool: string): Cache {
  const file = join(folder, `${createHash('sha1').update(root).digest('hex').slice(0, 20)}.json`);
  const opened = Date.now();
  const stored = readStored(file, tool);
  const old = new Map(stored.entries);
  const entries = new Map<string, Entry>();
  let { tree, selected } = stored;
  let changed = false;
  return {
    byStamp(path, { size, mtimeMs, ino }) {
      const entry = old.get(path);
      const known = entry?.stamp;
      if (!known || known[0] !== size || known[1] !== mtimeMs || known[2] !== ino) return undefined;
      entries.set(path, entry);
      return entry;
    },
    byContent(path, hash) {
      const entry = old.get(path);
      return entry?.hash === hash ? entry : undefined;
    },
    put(path, { size, mtimeMs, ino }, known, hash) {
      const entry: Entry = { loud: known.loud };
      if (known.unit !== undefined) entry.unit = known.unit;
      if (known.latin1) entry.latin1 = true;
      if (known.marked) entry.marked = true;
      if (hash) entry.hash = hash;
      if (mtimeMs < opened - SETTLED) entry.stamp = [size, mtimeMs, ino];
      entries.set(path, entry);
      changed = true;
    },
    selection: (now) => (now === tree ? new Set(selected) : undefined),
    select(now, paths) {
      tree = now;
      selected = paths;
      changed = true;
    },
    save() {
      if (!changed) return;
      // A run over a part of the tree keeps what is known of the rest.
      for (const [path, entry] of old) if (!entries.has(path)) entries.set(path, entry);
      writeWhole(folder, file, tool, JSON.stringify({ tree, selected, entries: [...entries] }));
    },
  };
}

function writeWhole(folder: string, file: string, tool: string, body: string): void {
  const part = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(part, `${header(tool, body)}\n${body}`, { mode: 0o600 });
    renameSync(part, file);
  } catch {
    rmSync(part, { force: true }); // a full or read-only disk costs time, nothing else
  }
}

const header = (tool: string, body: string) =>
  `${FORMAT} ${tool} ${createHash('sha1').update(body).digest('hex')}`;

const NOTHING: Stored = { tree: '', selected: [], entries: [] };

/** Another version's, another user's, a damaged or an unreadable cache is none. */
function readStored(file: string, tool: string): Stored {
  try {
    if (process.getuid && statSync(file).uid !== process.getuid()) return NOTHING;
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (!text.startsWith(`${FORMAT} ${tool} `) || text.slice(0, end) !== header(tool, body)) return NOTHING;
    return JSON.parse(body);
  } catch {
    return NOTHING;
  }
}

// What earlier runs learnt of a tree: of each file by its content and the file system's stamp, and of all of it at once. Not how it is kept on disk.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Unit } from '../../ir.ts';
import { openStore } from './stored.ts';

export interface Stamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

/** What is known of a file's content without a parser. */
export interface Known {
  hash: string;
  /** It has a word that matters. */
  loud: boolean;
  /** It has a comment for us. */
  marked: boolean;
}

/** What a front end made of it: `null` when it makes no unit of such a file. */
export interface Lowered {
  unit: Unit | null;
  latin1: boolean;
  /** Its thread was lost over it: another time it may be read. It is not kept. */
  lost?: true;
}

export interface Cache {
  /** What is known of an unchanged file, without reading it. */
  byStamp(path: string, stamp: Stamp): Known | undefined;
  /** What is known of this content under this path. */
  byContent(path: string, hash: string): Known | undefined;
  learn(path: string, stamp: Stamp, known: Known): void;
  lowered(path: string, hash: string): Lowered | undefined;
  keep(path: string, hash: string, lowered: Lowered): void;
  /** The tree of which the waves chose last, what they chose, and what is known of its files. */
  last: { tree: string; selected: ReadonlySet<string>; known(path: string): Known | undefined };
  /** Which silent files the waves chose, when the whole tree is as it was. */
  selection(tree: string): Set<string> | undefined;
  select(tree: string, paths: string[]): void;
  /** What was answered to this question about the whole tree. */
  answer(question: string): string | undefined;
  answered(question: string, text: string): void;
  /** What a link knew that was asked this; one is kept. */
  concern(question: string): string | undefined;
  concerns(question: string, text: string): void;
  save(): void;
}

export const hashOf = (bytes: Uint8Array | string) => createHash('sha1').update(bytes).digest('base64url');

export function defaultCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'subxact');
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'subxact', 'cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'subxact');
  return join(homedir(), '.cache', 'subxact');
}

/**
 * A stamp younger than this when it is taken is not trusted later: two changes may share it. File systems count in
 * milliseconds, and some in two seconds.
 */
const SETTLED = 2_500;
/** Units are kept in so many parts: one changed file rewrites one of them. */
const PARTS = 32;
const MOST_ANSWERS = 8;

type Row = [path: string, hash: string, flags: number, ...stamp: number[]];
type UnitRow = [path: string, hash: string, latin1: 0 | 1, unit: Unit | null];

interface Index {
  tree: string;
  selected: string[];
  rows: Row[];
}

const flagsOf = ({ loud, marked }: Known) => Number(loud) + 2 * Number(marked);
const stampOf = ({ size, mtimeMs, ctimeMs, ino }: Stamp) => [size, mtimeMs, ctimeMs, ino];
const knownOf = ([, hash, flags]: Row): Known => ({ hash, loud: (flags & 1) > 0, marked: (flags & 2) > 0 });

export function openCache(folder: string, root: string, tool: string): Cache {
  const store = openStore(join(folder, createHash('sha1').update(root).digest('hex').slice(0, 20)), tool);
  const opened = Date.now();
  const index = listed<Index>(store.read('index'), ({ rows }) => rows) ?? {
    tree: '',
    selected: [],
    rows: [],
  };
  let { tree, selected } = index;
  const last = { tree, selected: new Set(selected) };
  const old = new Map(index.rows.map((row) => [row[0], row]));
  const rows = new Map<string, Row>();
  const parts = new Map<number, { units: Map<string, UnitRow>; changed: boolean }>();
  let changed = false;

  function part(path: string) {
    const number = partOf(path);
    let found = parts.get(number);
    if (!found) {
      const stored = listed<UnitRow[]>(store.read(`units-${number}`), (rows) => rows) ?? [];
      found = { units: new Map(stored.map((row) => [row[0], row])), changed: false };
      parts.set(number, found);
    }
    return found;
  }

  /** A run over a part of the tree keeps what is known of the rest, as long as it is there. */
  const stays = (path: string) => rows.has(path) || existsSync(join(root, path));

  return {
    byStamp(path, stamp) {
      const row = old.get(path);
      if (!row || row.length < 7 || stampOf(stamp).some((one, i) => one !== row[3 + i])) return undefined;
      rows.set(path, row);
      return knownOf(row);
    },
    byContent(path, hash) {
      const row = old.get(path);
      return row?.[1] === hash ? knownOf(row) : undefined;
    },
    learn(path, stamp, known) {
      const settled = Math.max(stamp.mtimeMs, stamp.ctimeMs) < opened - SETTLED;
      rows.set(path, [path, known.hash, flagsOf(known), ...(settled ? stampOf(stamp) : [])]);
      changed = true;
    },
    lowered(path, hash) {
      const row = part(path).units.get(path);
      return row?.[1] === hash ? { unit: row[3], latin1: row[2] === 1 } : undefined;
    },
    keep(path, hash, { unit, latin1 }) {
      const into = part(path);
      into.units.set(path, [path, hash, latin1 ? 1 : 0, unit]);
      into.changed = true;
    },
    last: {
      ...last,
      known(path) {
        const row = old.get(path);
        return row && knownOf(row);
      },
    },
    selection: (now) => (now === tree ? new Set(selected) : undefined),
    select(now, paths) {
      tree = now;
      selected = paths;
      changed = true;
    },
    answer: (question) => store.read(`answer-${question}`),
    answered(question, text) {
      store.write(`answer-${question}`, text);
      store.prune('answer-', MOST_ANSWERS);
    },
    concern(question) {
      const text = store.read('concern') ?? '';
      return text.startsWith(`${question}\n`) ? text.slice(question.length + 1) : undefined;
    },
    concerns: (question, text) => store.write('concern', `${question}\n${text}`),
    save() {
      for (const [number, { units, changed }] of parts) {
        if (!changed) continue;
        const kept = [...units.values()].filter(([path]) => stays(path));
        const text = asText(kept);
        if (text !== undefined) store.write(`units-${number}`, text);
      }
      if (!changed) return;
      for (const [path, row] of old) if (!rows.has(path) && stays(path)) rows.set(path, row);
      store.write('index', JSON.stringify({ tree, selected, rows: [...rows.values()] } satisfies Index));
    },
  };
}

/** What is nested deeper than JSON goes is read anew each time. */
function asText(units: unknown): string | undefined {
  try {
    return JSON.stringify(units);
  } catch {
    return undefined;
  }
}

function partOf(path: string): number {
  let hash = 0;
  for (let i = 0; i < path.length; i++) hash = (Math.imul(hash, 31) + path.charCodeAt(i)) | 0;
  return (hash >>> 0) % PARTS;
}

/** What the text says, when it has the list of rows that it should have. */
function listed<T>(text: string | undefined, rows: (value: T) => unknown): T | undefined {
  try {
    const value = text === undefined ? undefined : (JSON.parse(text) as T);
    const list = value && rows(value);
    return Array.isArray(list) && list.every(Array.isArray) ? value : undefined;
  } catch {
    return undefined;
  }
}

// From paths to units: finds, reads, screens and lowers files. What it lowers with is handed in.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Unit } from '../ir.ts';
import { type Cache, hashOf, type Known, type Stamp } from './cache.ts';
import { decode, isText, isWide, LARGEST } from './decode.ts';
import { type FoundFile, findFiles, reason } from './files.ts';
import { createSearch } from './needles.ts';
import { createPool, type Pool } from './pool.ts';
import { createScreen } from './screen.ts';

export interface Loaded {
  units: Unit[];
  /** How many files were found, how many units came of them, and how many of those a parser made now. */
  files: number;
  lowered: number;
  /** Files that say nothing that matters: found, and not read further. */
  passed: string[];
  notices: { file: string; message: string; partial: boolean }[];
  /** Files with a comment for us. */
  marked: string[];
}

/** What reads the files. */
export interface Loader {
  /** The words without one of which a file says nothing; undefined when no front end reads such files. */
  needles(name: string): string[] | undefined;
  lower(file: string, text: string): Promise<Unit | null>;
  /** The script that does the same in a thread. */
  worker?: URL;
  /** Called when little will be lowered, before the first file is, and only in a process of our own. */
  startQuickly?(): void;
}

export interface LoadOptions {
  root: string;
  cwd: string;
  cache?: Cache | null;
  threads: number;
  /** Lower every file, whatever it says: what the screen is tested against. */
  everything?: boolean;
  excluded?: (path: string) => boolean;
  progress?: (done: number, of: number) => void;
}

/** A file on its way: known from an earlier run, or read now. */
export interface Candidate extends FoundFile {
  stamp: Stamp;
  /** It has a word that matters. */
  loud: boolean;
  known?: Known;
  bytes?: Uint8Array;
}

/** Less than this is lowered in less time than a thread takes to start. */
const WORTH_THREADS = 400_000;

export async function load(paths: string[], loader: Loader, options: LoadOptions): Promise<Loaded> {
  const found = findFiles(paths, { ...options, wanted: (name) => loader.needles(name) !== undefined });
  const loaded: Loaded = {
    units: [],
    files: found.files.length,
    lowered: 0,
    passed: [],
    notices: [],
    marked: [],
  };
  const say = (file: string, message: string) => loaded.notices.push({ file, message, partial: true });
  for (const problem of found.problems) say(problem.file, problem.message);

  const candidates = readAll(found.files, loader, options, say);
  for (const one of candidates) if (one.known?.marked ?? isMarked(one)) loaded.marked.push(one.path);
  const lowering = createLowering(loader, options, loaded, say);
  await lowering.run(candidates.filter((one) => options.everything || one.loud));
  if (!options.everything) await waves(candidates, lowering, loaded, options);
  lowering.end();
  loaded.units.sort((a, b) => (a.file < b.file ? -1 : 1));
  const read = new Set(loaded.units.map(({ file }) => file));
  loaded.passed = candidates.flatMap(({ path }) => (read.has(path) ? [] : [path]));
  return loaded;
}

/** Files that say nothing themselves, but call what others open: wave by wave, until none is new. */
async function waves(candidates: Candidate[], lowering: Lowering, loaded: Loaded, { cache }: LoadOptions) {
  const quiet = candidates.filter((one) => !one.loud);
  if (quiet.length === 0) return;
  const tree = treeOf(candidates);
  const chosen = cache?.selection(tree);
  if (chosen) return lowering.run(candidates.filter((one) => chosen.has(one.path)));
  const screen = createScreen(quiet, (one) => bytesOf(one) ?? new Uint8Array());
  const selected: string[] = [];
  for (let wave = screen.next(loaded.units); wave.length > 0; wave = screen.next(loaded.units)) {
    for (const one of wave) selected.push(one.path);
    await lowering.run(wave);
  }
  cache?.select(tree, selected);
}

/** Changes when any file does. */
function treeOf(candidates: Candidate[]): string {
  const hash = createHash('sha1');
  for (const { path, stamp } of candidates)
    hash.update(`${path}\n${stamp.size} ${stamp.mtimeMs} ${stamp.ino}\n`);
  return hash.digest('base64url');
}

type Say = (file: string, message: string) => void;

/** Reads what no earlier run knows, and asks each file whether it has a word that matters. */
function readAll(files: FoundFile[], loader: Loader, { cache }: LoadOptions, say: Say): Candidate[] {
  const searches = new Map<string[], (bytes: Uint8Array) => boolean>();
  const out: Candidate[] = [];
  for (const file of files) {
    const needles = loader.needles(file.path.slice(file.path.lastIndexOf('/') + 1));
    if (!needles) {
      say(file.path, 'not read: no front end knows such files');
      continue;
    }
    try {
      const { size, mtimeMs, ino } = statSync(file.full);
      const one: Candidate = { ...file, stamp: { size, mtimeMs, ino }, loud: false };
      one.known = cache?.byStamp(file.path, one.stamp);
      if (one.known) one.loud = one.known.loud;
      else {
        const why = size > LARGEST ? `it has ${Math.round(size / 1e6)} MB` : readOne(one);
        if (why) {
          say(file.path, `not read: ${why}`);
          continue;
        }
        const search = searches.get(needles) ?? createSearch(needles);
        searches.set(needles, search);
        // UTF-16 has its words in another form.
        one.loud = isWide(one.bytes!) || search(one.bytes!);
        if (!one.loud) cache?.put(one.path, one.stamp, { loud: false, marked: isMarked(one) });
      }
      out.push(one);
    } catch (error) {
      say(file.path, `not read: ${reason(error)}`);
    }
  }
  return out;
}

/** `null`: it went away since it was listed. */
function bytesOf(one: Candidate): Uint8Array | null {
  try {
    one.bytes ??= readFileSync(one.full);
    return one.bytes;
  } catch {
    return null;
  }
}

function readOne(one: Candidate): string | null {
  one.bytes = readFileSync(one.full);
  return isText(one.bytes) ? null : 'it is binary';
}

const isMarked = ({ bytes }: Candidate) =>
  bytes !== undefined && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('subxact:');

interface Lowering {
  run(files: Candidate[]): Promise<void>;
  end(): void;
}

function createLowering(loader: Loader, options: LoadOptions, loaded: Loaded, say: Say): Lowering {
  const { cache } = options;
  let pool: Pool | null = null;
  let bytesSoFar = 0;
  let done = 0;
  let of = 0;
  return { run, end: () => pool?.close() };

  async function run(files: Candidate[]): Promise<void> {
    const fresh: (Candidate & { bytes: Uint8Array; hash: string })[] = [];
    for (const one of files) {
      if (one.known?.unit !== undefined) take(one, one.known);
      else {
        const bytes = bytesOf(one);
        if (!bytes) continue;
        const hash = cache ? hashOf(bytes) : '';
        const known = cache?.byContent(one.path, hash);
        if (known) keep(one, hash, known);
        else fresh.push({ ...one, bytes, hash });
      }
    }
    of += fresh.length;
    bytesSoFar += fresh.reduce((sum, one) => sum + one.bytes.length, 0);
    if (!pool && loader.worker && options.threads > 1 && bytesSoFar > WORTH_THREADS)
      pool = createPool(loader.worker, options.threads);
    if (!pool && fresh.length > 0) loader.startQuickly?.();
    // The longest first, so that no thread is left alone with it at the end.
    fresh.sort((a, b) => b.bytes.length - a.bytes.length);
    await (pool ? Promise.all(fresh.map(lowerOne)) : inTurn(fresh, lowerOne));
  }

  async function lowerOne(one: Candidate & { bytes: Uint8Array; hash: string }): Promise<void> {
    const decoded = decode(one.bytes);
    const unit = pool ? await pool.lower(one.path, one.bytes) : await loader.lower(one.path, decoded!.text);
    loaded.lowered++;
    options.progress?.(++done, of);
    const latin1 = decoded!.encoding === 'latin-1';
    keep(one, one.hash, { unit, loud: one.loud, latin1, marked: isMarked(one) });
  }

  function keep(one: Candidate, hash: string, known: Known): void {
    const failed = known.unit?.problems.some((problem) => problem.message.startsWith('could not be read'));
    if (!failed) cache?.put(one.path, one.stamp, known, hash);
    take(one, known);
  }

  function take(one: Candidate, { unit, latin1 }: Known): void {
    if (latin1) say(one.path, 'is not UTF-8: read as Latin-1');
    if (!unit) return;
    loaded.units.push(unit);
    for (const problem of unit.problems)
      if (problem.partial) say(one.path, `partly analysed: ${problem.message}`);
  }
}

async function inTurn<T>(list: T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of list) await work(one);
}

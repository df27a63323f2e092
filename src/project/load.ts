// From paths to units: finds, reads, screens and lowers files. What it lowers with is handed in.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Unit } from '../ir.ts';
import { type Cache, hashOf, type Lowered } from './cache/cache.ts';
import { createSharing } from './cache/sharing.ts';
import { decode, isPointer, isText, isWide, withoutMark } from './files/decode.ts';
import { type FoundFile, findFiles, isWithin, reason } from './files/files.ts';
import { readRegular, unfit } from './files/regular.ts';
import { createPool, type Pool, type Waiting } from './pool.ts';
import { createSearch } from './screen/needles.ts';
import { createScreen, type Habits, type Screen } from './screen/screen.ts';

export interface Loaded {
  units: Unit[];
  /** How many files were found, how many units came of them, and how many of those a parser made now. */
  files: number;
  lowered: number;
  /** How many programs there are of each language, read or not. */
  programs: Record<string, number>;
  /** Files that say nothing that matters: found, and not read further. */
  passed: string[];
  /** Configurations of our own; one holds for a run. */
  configs: string[];
  notices: { file: string; message: string; partial: boolean }[];
  /** Files with a comment for us. */
  marked: string[];
  /** False when a file changed, or was lost with its thread, while it was read: of such a tree nothing is concluded later. */
  whole: boolean;
}

/** What reads the files. */
export interface Loader {
  /** What is known of a file by its path; undefined when no front end reads such files. */
  habits(path: string): Habits | undefined;
  lower(file: string, text: string): Promise<Unit | null>;
  /** The language of a program's file, and whether it is one that nobody reads as a program. */
  languageOf?(path: string): string | undefined;
  isUnread?(path: string): boolean;
  /** The script that does the same in a thread. */
  worker?: URL;
}

export interface LoadOptions {
  root: string;
  cwd: string;
  cache?: Cache | null;
  threads: number;
  /** Lower every file, whatever it says: what the screen is tested against. */
  everything?: boolean;
  excluded?: (path: string, isFolder: boolean) => boolean;
  progress?: (done: number, of: number) => void;
  /** What is read of some files, by name, instead of what stands there. */
  instead?: Instead;
}

/** `null`: no such file is there. One that is not there on the disk is found here. */
export type Instead = Map<string, Uint8Array | null>;

/** A file on its way: known from an earlier run, or read now. */
export interface Candidate extends FoundFile {
  /** Of its content; empty where nothing is kept. */
  hash: string;
  /** It has a word that matters. */
  loud: boolean;
  size: number;
  /** As long as there is room for it; else it is read again. */
  bytes?: Uint8Array;
  /** What is read in its place. */
  instead?: Uint8Array;
  /** A thread has it already, while others are read. */
  begun?: Promise<Lowered | null>;
}

/** What was found and read before anything is lowered. */
export interface Survey {
  candidates: Candidate[];
  loaded: Loaded;
  /** Changes when any file does: its name, its content, or whether it is there. */
  tree: string;
  /** Threads that were started when enough was read that is new; they start while the rest is read. */
  pool: Pool | null;
  /** Has the files that say nothing; null where all are lowered. */
  screen: Screen<Candidate> | null;
}

/** So much of what was read is kept until it is needed. A file that is read again costs some microseconds. */
const KEPT = 16_000_000;

/** So many files are read before the threads are looked after again: they take a millisecond or two. */
const AT_ONCE = 32;

/** A word that is cut out of a text keeps all of that text in memory: so much of text may be kept by what was made here. */
const HELD = 16_000_000;

/** Of less than this nobody needs units that share what they say alike: going over them costs more. */
const FEW = 32_000_000;

/** Less than this is lowered in less time than a thread takes to start. */
const WORTH_THREADS = 400_000;

/** Of a tree of so many files that nobody knows yet enough is new: threads start while the others are found. */
const MANY = 500;

/** What this thread may take, while others wait for it: a file of this size costs it some milliseconds. */
const SMALL = 100_000;

/** This thread is one of them, as far as there is work for it. */
const startPool = ({ worker }: Loader, { threads }: LoadOptions): Pool | null =>
  worker && threads > 1 ? createPool(worker, threads - 1) : null;

export async function load(paths: string[], loader: Loader, options: LoadOptions): Promise<Loaded> {
  return lowerAll(await survey(paths, loader, options), loader, options);
}

export async function survey(paths: string[], loader: Loader, options: LoadOptions): Promise<Survey> {
  const { root, cwd, excluded } = options;
  let pool: Pool | null = null;
  let count = 0;
  const wanted = (path: string) => {
    if (!loader.habits(path)) return false;
    if (++count === MANY && !options.cache?.last.tree) pool = startPool(loader, options);
    return true;
  };
  const told = (path: string) => loader.isUnread?.(path) || isConfig(path);
  const found = findFiles(paths, { root, cwd, excluded, wanted, told });
  if (options.instead) found.files = withInstead(found.files, paths, options);
  const loaded: Loaded = {
    units: [],
    files: found.files.length,
    lowered: 0,
    programs: programsOf([...found.files.map(({ path }) => path), ...found.others], loader),
    passed: [],
    configs: found.others.filter(isConfig),
    notices: [],
    marked: [],
    whole: true,
  };
  for (const problem of found.problems) say(loaded, problem.file, problem.message);
  const read = await readAll(found.files, loader, options, loaded, pool);
  const tree = options.cache ? treeOf(read.candidates) : '';
  return { ...read, loaded, tree };
}

/** The files as they would be found if those that are read in their place stood on the disk. */
function withInstead(files: FoundFile[], paths: string[], { root, cwd, instead, excluded }: LoadOptions) {
  const there = files.filter(({ path }) => instead!.get(path) !== null);
  const known = new Set(there.map(({ path }) => path));
  const more = [...instead!].flatMap(([path, bytes]): FoundFile[] =>
    bytes && !known.has(path) && isWithin(paths, path, { root, cwd, excluded })
      ? [{ path, full: join(root, path) }]
      : [],
  );
  return more.length === 0 ? there : [...there, ...more].sort(asWalked);
}

/** The files of a folder, and those below it, by name. */
function asWalked({ path: a }: FoundFile, { path: b }: FoundFile): number {
  const [one, other] = [a.split('/'), b.split('/')];
  const i = one.findIndex((part, at) => part !== other[at]);
  return i < 0 ? -1 : (one[i] ?? '') < (other[i] ?? '') ? -1 : 1;
}

const isConfig = (path: string) => path.endsWith('subxact.json') || path.endsWith('subxact.jsonc');

function programsOf(paths: string[], { languageOf }: Loader): Loaded['programs'] {
  const programs: Loaded['programs'] = {};
  for (const path of paths) {
    const language = languageOf?.(path);
    if (language) programs[language] = (programs[language] ?? 0) + 1;
  }
  return programs;
}

export const treeOf = (files: { path: string; hash: string }[]) =>
  hashOf(files.map(({ path, hash }) => `${path}\0${hash}\n`).join(''));

export async function lowerAll(seen: Survey, loader: Loader, options: LoadOptions): Promise<Loaded> {
  const { candidates, loaded } = seen;
  const chosen = options.everything ? undefined : options.cache?.selection(seen.tree);
  const screen = chosen || candidates.every((one) => one.loud) ? null : seen.screen;
  const lowering = createLowering(loader, options, seen, screen?.learn);
  const first = lowering.run(
    candidates.filter((one) => options.everything || one.loud || chosen?.has(one.path)),
  );
  while (screen && lowering.inThreads() && screen.prepare()) await new Promise((go) => setImmediate(go));
  await first;
  if (screen) await waves(seen, lowering, screen, options);
  else if (!chosen && !options.everything && loaded.whole) options.cache?.select(seen.tree, []);
  lowering.end();
  loaded.units.sort((a, b) => (a.file < b.file ? -1 : 1));
  const read = new Set(loaded.units.map(({ file }) => file));
  loaded.passed = candidates.flatMap(({ path }) => (read.has(path) ? [] : [path]));
  return loaded;
}

/** Files that say nothing themselves, but call what others open: wave by wave, until none is new. */
async function waves(
  { loaded, tree }: Survey,
  lowering: Lowering,
  screen: Screen<Candidate>,
  { cache }: LoadOptions,
): Promise<void> {
  const selected: string[] = [];
  for (let wave = screen.next(loaded.units); wave.length > 0; wave = screen.next(loaded.units)) {
    for (const one of wave) selected.push(one.path);
    await lowering.run(wave);
  }
  if (loaded.whole) cache?.select(tree, selected);
}

function say(loaded: Loaded, file: string, message: string): void {
  loaded.notices.push({ file, message, partial: true });
}

/** Reads what no earlier run knows, and asks each file whether it has a word that matters. */
async function readAll(
  files: FoundFile[],
  loader: Loader,
  options: LoadOptions,
  loaded: Loaded,
  pool: Pool | null,
): Promise<Pick<Survey, 'candidates' | 'pool' | 'screen'>> {
  const { cache } = options;
  let fresh = 0;
  const early: Candidate[] = [];
  const searches = new Map<string[], (bytes: Uint8Array) => boolean>();
  const isLoud = (bytes: Uint8Array, needles: string[]) => {
    const search = searches.get(needles) ?? createSearch(needles);
    searches.set(needles, search);
    // UTF-16 has its words in another form.
    return isWide(bytes) || search(withoutMark(bytes));
  };
  const out: Candidate[] = [];
  const screen = options.everything
    ? null
    : createScreen<Candidate>((one) => withoutMark(bytesOf(one, loaded) ?? NOTHING), loader.habits);
  const room = createRoom(() => {
    while (screen?.prepare());
  });
  for (const file of files) {
    const habits = loader.habits(file.path);
    if (!habits) {
      say(loaded, file.path, 'not read: no front end knows such files');
      continue;
    }
    try {
      const instead = options.instead?.get(file.path) ?? undefined;
      const stamp = instead ? null : statSync(file.full);
      let known = stamp ? cache?.byStamp(file.path, stamp) : undefined;
      let bytes: Uint8Array | undefined;
      if (!known) {
        let why = stamp ? unfit(stamp) : undefined;
        if (!why) {
          bytes = instead ?? readFileSync(file.full);
          why = unreadable(bytes);
        }
        if (why === BINARY && mayBeProgram(file.path)) continue;
        if (!bytes || why) {
          say(loaded, file.path, `not read: ${why}`);
          continue;
        }
        const hash = cache ? hashOf(bytes) : '';
        known = cache?.byContent(file.path, hash) ?? {
          hash,
          loud: isLoud(bytes, habits.needles),
          marked: isMarked(bytes),
        };
        if (stamp) cache?.learn(file.path, stamp, known);
      }
      if (known.marked) loaded.marked.push(file.path);
      const { hash, loud } = known;
      const one: Candidate = { ...file, hash, loud, size: stamp?.size ?? bytes!.length, bytes, instead };
      out.push(one);
      if (bytes && one.loud && !cache?.lowered(one.path, one.hash)) {
        early.push(one);
        fresh += bytes.length;
        if (fresh > WORTH_THREADS) pool ??= startPool(loader, options);
      }
      if (pool && out.length % AT_ONCE === 0) await feed(pool, early, loaded);
      if (!one.loud) screen?.add(one);
      room.take(one);
    } catch (error) {
      const foreign = file.path.includes('\ufffd') ? ' (its name is not UTF-8)' : '';
      say(loaded, file.path, `not read: ${reason(error)}${foreign}`);
    }
  }
  return { candidates: out, pool, screen };
}

const NOTHING = new Uint8Array();

/** Gives the threads as much as keeps them busy until they are asked again; what is left waits for all to be read. */
async function feed(pool: Pool, early: Candidate[], loaded: Loaded): Promise<void> {
  await new Promise((go) => setImmediate(go));
  while (early.length > 0 && pool.idle()) {
    const one = early.shift()!;
    one.begun = pool.lower({ path: one.path, size: one.size, read: () => bytesOf(one, loaded) });
  }
}

/** Lets go of what was read when it is too much; what the screen must know of it is learnt before. */
function createRoom(learn: () => void) {
  let held: Candidate[] = [];
  let size = 0;
  return {
    take(one: Candidate): void {
      if (!one.bytes) return;
      held.push(one);
      size += one.bytes.length;
      if (size < KEPT) return;
      learn();
      for (const one of held) one.bytes = undefined;
      held = [];
      size = 0;
    },
  };
}

/** `null`: it went away since it was listed. */
function bytesOf(one: Candidate, loaded: Loaded): Uint8Array | null {
  try {
    if (one.bytes) return one.bytes;
    one.bytes = one.instead ?? readRegular(one.full);
    // Its stamp was known; it may have changed since that was taken.
    const hash = one.hash && hashOf(one.bytes);
    if (hash !== one.hash) loaded.whole = false;
    one.hash = hash;
    return one.bytes;
  } catch {
    loaded.whole = false;
    return null;
  }
}

const BINARY = 'it is binary';

const unreadable = (bytes: Uint8Array) =>
  isText(bytes) ? (isPointer(bytes) ? 'Git LFS has not fetched it' : undefined) : BINARY;

/** Without an ending a name such as `run` says only that it may be a script: that it is none is no news. */
const mayBeProgram = (path: string) => !/\.[^/]*$/.test(path);

/** `Subxact` is written too, and `SUBXACT`; and in UTF-16 each letter is two bytes. */
function isMarked(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoding = isWide(bytes) ? 'utf16le' : 'latin1';
  return buffer.includes('ubxact', 0, encoding) || buffer.includes('UBXACT', 0, encoding);
}

interface Lowering {
  run(files: Candidate[]): Promise<void>;
  /** This thread has nothing to do meanwhile. */
  inThreads(): boolean;
  end(): void;
}

function createLowering(
  loader: Loader,
  options: LoadOptions,
  seen: Survey,
  /** Absent where nothing is looked for later. */
  learn?: (unit: Unit) => void,
): Lowering {
  const { cache } = options;
  const { loaded } = seen;
  const shared = createSharing();
  let { pool } = seen;
  let bytesSoFar = 0;
  let held = 0;
  let done = 0;
  let of = 0;
  let full = false;
  return { run, inThreads: () => pool !== null, end: () => pool?.close() };

  async function run(files: Candidate[]): Promise<void> {
    const fresh: Candidate[] = [];
    for (const one of files) {
      const known = cache?.lowered(one.path, one.hash);
      if (known) take(one, shared(known));
      else fresh.push(one);
    }
    of += fresh.length;
    bytesSoFar += sum(fresh);
    if (bytesSoFar > WORTH_THREADS) pool ??= startPool(loader, options);
    // The longest first, so that no thread is left alone with it at the end; what this thread may take last.
    const heavy = fresh.filter((one) => !isLight(one)).sort(bySize);
    const light = fresh.filter(isLight).sort(bySize);
    if (pool && !full && sum(heavy) * options.threads > sum(fresh) * (options.threads - 1)) {
      full = true;
      pool.grow();
    }
    const all = [...heavy, ...light];
    await (pool ? Promise.all([...all.map(lowerOne), help(pool)]) : inTurn(all, lowerOne));
  }

  function isLight({ size }: { size: number }): boolean {
    return size <= SMALL;
  }

  /** Does what the threads have not begun. */
  async function help(pool: Pool): Promise<void> {
    for (let job = pool.spare(isLight); job; job = pool.spare(isLight)) {
      job.done(afford(await here(job.file), job.file.size));
      await new Promise((go) => setImmediate(go));
    }
  }

  /** The first need not be copied: writing JSON and reading it costs more than what they keep of their texts. */
  function afford(made: Lowered | null, size: number): Lowered | null {
    held += size;
    return held > HELD ? detached(made) : made;
  }

  async function lowerOne(one: Candidate): Promise<void> {
    const file: Waiting = { path: one.path, size: one.size, read: () => bytesOf(one, loaded) };
    const lowered = await (one.begun ?? (pool ? pool.lower(file) : alone(file)));
    one.bytes = undefined;
    one.begun = undefined;
    options.progress?.(++done, of);
    if (!lowered) return;
    const made = bytesSoFar > FEW ? shared(lowered) : lowered;
    loaded.lowered++;
    if (made.lost) loaded.whole = false;
    else cache?.keep(one.path, one.hash, made);
    take(one, made);
  }

  /** Of little text nothing is gained by copying. */
  async function alone(file: Waiting): Promise<Lowered | null> {
    const made = await here(file);
    return bytesSoFar > FEW ? afford(made, file.size) : made;
  }

  async function here({ path, read }: Waiting): Promise<Lowered | null> {
    const bytes = read();
    const decoded = bytes && decode(bytes);
    return (
      decoded && { unit: await loader.lower(path, decoded.text), latin1: decoded.encoding === 'latin-1' }
    );
  }

  function take(one: Candidate, { unit, latin1 }: Lowered): void {
    if (latin1) say(loaded, one.path, 'is not UTF-8: read as Latin-1');
    if (!unit) return;
    loaded.units.push(isRegression(one.full) ? { ...unit, role: 'test' } : unit);
    if (pool) learn?.(unit);
    const why = [...new Set(unit.problems.filter(({ partial }) => partial).map(({ message }) => message))];
    if (why.length > 0) say(loaded, one.path, `partly analysed: ${inShort(why)}`);
  }
}

/** As threads hand it over. */
const detached = (lowered: Lowered | null): Lowered | null => lowered && JSON.parse(JSON.stringify(lowered));

/** A file has one line, whatever is wrong in it. */
const inShort = ([first, second, ...rest]: string[]): string =>
  [first, second].filter(Boolean).join('; ') + (rest.length > 0 ? `; and ${rest.length} more` : '');

/** Extensions keep their tests beside the sources, in `sql/`, and what pg_regress must see in `expected/`. */
function isRegression(full: string): boolean {
  const match = /^(.*[\\/])sql([\\/])([^\\/]+)\.sql$/.exec(full);
  return match !== null && existsSync(`${match[1]}expected${match[2]}${match[3]}.out`);
}

const sum = (files: { size: number }[]) => files.reduce((sum, one) => sum + one.size, 0);
const bySize = (a: { size: number }, b: { size: number }) => b.size - a.size;

async function inTurn<T>(list: T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of list) await work(one);
}

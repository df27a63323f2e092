// One run's program: the files of some paths, lowered and linked, with the means to show places in them.
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { lower } from '../analyse.ts';
import { frontendFor } from '../frontends/index.ts';
import { languageOf, speaksNode, unreadLanguage } from '../frontends/programs.ts';
import type { Unit } from '../ir.ts';
import { leavesFindings } from '../linker/graph/concern.ts';
import type { Concern } from '../linker/model.ts';
import { type Cache, defaultCacheFolder, hashOf, openCache } from '../project/cache/cache.ts';
import { carried, type Harmless } from '../project/cache/carried.ts';
import type { FoundConfig } from '../project/config/config.ts';
import { baseOf, exclusion } from '../project/config/settle.ts';
import { decode } from '../project/files/decode.ts';
import { repositoryRoot, rootOf } from '../project/files/files.ts';
import { type Lines, linesOf, lineText, positionAt } from '../project/files/lines.ts';
import { readRegular } from '../project/files/regular.ts';
import {
  type Instead,
  type Loaded,
  type Loader,
  type LoadOptions,
  lowerAll,
  type Survey,
  survey,
} from '../project/load.ts';
import type { Region } from '../reporters/report.ts';
import type { Finding, Model, Place } from '../rule.ts';
import { tool } from '../tool.ts';
import { Mistake } from './mistake.ts';
import type { Values } from './options.ts';
import { uninterrupted } from './terminal.ts';

export interface Shown {
  region(place: Place): Region;
  line(file: string, line: number): string;
  lines(file: string): Lines;
  raw(file: string): string;
  display(file: string): string;
}

/** No path means the whole repository that the user stands in. */
export function pathsOf(given: string[], cwd: string): string[] {
  if (given.includes('-') && !existsSync(resolve(cwd, '-')))
    throw new Mistake(
      'standard input is not read: name a file, whose name says what it is, such as query.sql',
    );
  const missing = given.filter((path) => !existsSync(resolve(cwd, path)));
  if (missing.length > 0) throw new Mistake(`no such file or directory: ${missing.join(', ')}`);
  // A script whose variable is empty did not mean everything.
  if (given.includes('')) throw new Mistake('a path is empty');
  return given.length > 0 ? given : [repositoryRoot(cwd) ?? cwd];
}

export interface ReadOptions {
  /** `false`: neither read nor written. */
  cache?: string | false;
  threads?: number;
  everything?: boolean;
  excluded?: (path: string, isFolder: boolean) => boolean;
  progress?: (done: number, of: number) => void;
  /** What will be asked of the program, with all that the answer depends on besides the files. */
  question?: string;
  /** Calls are counted for somebody. */
  counts?: boolean;
  /** What is staged of files that have other changes since, or what stood in them before. */
  instead?: Instead;
  /** The program is another one than the next run will see: nothing is remembered but what was said of it. */
  aside?: true;
  /** Units that are known already, by their files. */
  known?: ReadonlyMap<string, Unit>;
}

export interface ProgramRead extends Loaded, Shown {
  root: string;
  /** What an earlier run said to this question about these very files; then there are no units. */
  answer?: Answer;
  /** Keeps what is said for a later run. */
  answered?(findings: Finding[], model: Pick<Model, 'resolution' | 'otherDatabases' | 'concern'>): void;
}

/** What the rules said of a program, and what was said on the way to it. */
export interface Answer extends Pick<Loaded, 'notices'>, Pick<Model, 'otherDatabases'> {
  findings: Finding[];
  /** Absent where nobody asked for it, or bodies are others since calls were counted. */
  resolution?: Model['resolution'];
  parsed: number;
  /** Its programs for Node speak to PostgreSQL. */
  node: boolean;
  /** The question at which all was linked. */
  linked: string;
}

/** Each has a heap of its own. */
const MOST_THREADS = 256;

/** What the arguments and the configuration say about reading. */
export function readOptions(values: Values, found: FoundConfig, root: string): ReadOptions {
  const threads = values.threads === undefined ? undefined : Number(values.threads);
  if (threads !== undefined && !(Number.isInteger(threads) && threads > 0 && threads <= MOST_THREADS))
    throw new Mistake(`--threads must be a number from 1 to ${MOST_THREADS}, not ${values.threads}`);
  return {
    cache: values['no-cache'] ? false : values['cache-dir'],
    threads,
    everything: values['no-screen'],
    excluded: exclusion(found, baseOf(found, root)),
  };
}

const loader: Loader = {
  habits: frontendFor,
  lower,
  languageOf,
  isUnread: (path) => unreadLanguage(path) !== undefined,
  // From source there is no bundle that a thread could run.
  get worker() {
    return tool.hash ? new URL('./thread.js', import.meta.url) : undefined;
  },
};

/**
 * What is kept of so many files is hundreds of megabytes, and V8 would let the heap grow fourfold before it collects
 * what is not. A heap that grows by less costs a large tree some percent of its time (bench/README.md).
 */
const MANY = 10_000;

/** Of less text than this a run is over before code that V8 makes of what ran a few times has paid for itself. */
const LITTLE = 6_000;

export async function readProgram(
  paths: string[],
  cwd: string,
  options: ReadOptions = {},
): Promise<ProgramRead> {
  const root = rootOf(paths, cwd);
  const folder = options.cache ?? defaultCacheFolder();
  // A few files are read sooner than what is known of them.
  const worth = paths.some((path) => statSync(resolve(cwd, path)).isDirectory());
  const cache = folder && tool.hash && worth ? openCache(folder, root, tool.hash) : null;
  const load: LoadOptions = {
    root,
    cwd,
    cache,
    // Asked for late: a few files need no threads, and counting cores loads a module of Node's.
    get threads() {
      return options.threads ?? Math.min(availableParallelism(), 8);
    },
    everything: options.everything,
    excluded: options.excluded,
    progress: options.progress,
    instead: options.instead,
  };
  const using: Loader = options.known ? knowing(options.known) : loader;
  const seen = await survey(paths, using, load);
  if (seen.loaded.files > MANY) setFlagsFromString('--heap-growing-percent=20');
  if (seen.candidates.reduce((sum, { size }) => sum + size, 0) < LITTLE) setFlagsFromString('--no-sparkplug');
  const askedOf = (tree: string) => hashOf(JSON.stringify([options.question, load.everything, tree]));
  const asked = cache && options.question && askedOf(seen.tree);
  const said = (tree: string) => {
    const known = answerOf(cache?.answer(askedOf(tree)));
    return known?.resolution || !options.counts ? known : undefined;
  };
  let answer = asked ? said(seen.tree) : undefined;
  if (asked && !answer && !load.everything) {
    answer = await saidBefore(seen, cache, said, options.counts);
    if (answer) cache.answered(asked, JSON.stringify(answer));
  }
  const early = [...seen.loaded.notices];
  const loaded = answer
    ? { ...seen.loaded, notices: [...early, ...answer.notices] }
    : await lowerAll(seen, using, load);
  if (cache && !options.aside) await uninterrupted(() => cache.save());
  const answered: ProgramRead['answered'] = (findings, model) => {
    if (!asked || !loaded.whole) return;
    const { otherDatabases, concern } = model;
    const { notices, units } = loaded;
    const resolution = options.counts ? model.resolution : undefined;
    const said: Answer = {
      findings, resolution, otherDatabases, parsed: units.length, node: speaksNode(units), notices: notices.slice(early.length), linked: asked,
    }; // biome-ignore format: one list
    cache.answered(asked, JSON.stringify(said));
    if (!options.aside) cache.concerns(asked, JSON.stringify(concern));
  };
  return { ...loaded, root, ...shown(root, cwd, options.instead), answer, answered };
}

/** Reads as usual what is not among these. */
const knowing = (known: ReadonlyMap<string, Unit>): Loader => ({
  ...loader,
  worker: undefined,
  lower: async (file, text) => known.get(file) ?? lower(file, text),
});

/** What was said of these files before a change that changes no meaning, or none that a finding depends on. */
async function saidBefore(
  seen: Survey,
  cache: Cache,
  said: (tree: string) => Answer | undefined,
  counts: boolean | undefined,
): Promise<Answer | undefined> {
  const before = said(cache.last.tree);
  if (!before) return undefined;
  let known: Concern | null | undefined;
  const harmless: Harmless = (...files) => {
    known ??= concernIn(cache.concern(before.linked));
    return known !== null && leavesFindings(...files, known);
  };
  const same = await carried(seen, loader, cache, counts ? undefined : harmless);
  const findings = same?.move(before.findings);
  if (!findings) return undefined;
  return { ...before, findings, resolution: same!.bodies ? undefined : before.resolution };
}

function concernIn(text: string | undefined): Concern | null {
  try {
    const known: Concern | null = text === undefined ? null : JSON.parse(text);
    return known && Array.isArray(known.words) && typeof known.routines === 'object' ? known : null;
  } catch {
    return null;
  }
}

function answerOf(text: string | undefined): Answer | undefined {
  try {
    const answer: Answer | undefined = text === undefined ? undefined : JSON.parse(text);
    return answer && Array.isArray(answer.findings) && Array.isArray(answer.notices) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Files are read again for what is shown, a few at most. */
export function shown(
  root: string,
  cwd: string,
  instead?: Instead,
  /** Throws where a file, or that there is none, is not what places mean. */
  isMeant?: (file: string, bytes: Uint8Array | null) => void,
): Shown {
  const kept = new Map<string, Lines>();
  const bytesOf = (file: string) => instead?.get(file) ?? readRegular(join(root, file));
  const lines = (file: string) => {
    let of = kept.get(file);
    if (!of) {
      const bytes = tried(() => bytesOf(file));
      isMeant?.(file, bytes);
      of = linesOf((bytes && decode(bytes)?.text) ?? '');
      kept.set(file, of);
    }
    return of;
  };
  return {
    lines,
    raw: (file) => Buffer.from(tried(() => bytesOf(file)) ?? '').toString('utf8'),
    line: (file, line) => lineText(lines(file), line),
    region({ file, at }) {
      const start = positionAt(lines(file), at.start);
      const end = positionAt(lines(file), at.end);
      return { ...start, endLine: end.line, endColumn: end.column };
    },
    display(file) {
      const near = relative(cwd, join(root, file));
      return near.startsWith('..') ? join(root, file) : near;
    },
  };
}

/** What is gone meanwhile has no text. */
function tried(bytes: () => Uint8Array): Uint8Array | null {
  try {
    return bytes();
  } catch {
    return null;
  }
}

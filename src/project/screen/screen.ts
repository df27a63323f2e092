// Chooses, among files that say nothing themselves, those that call what opens a subtransaction, or are called by it.
import type { Language, Unit } from '../../ir.ts';
import type { Part } from './closures.ts';
import { placeOf } from './places.ts';
import { createReach, type Want } from './reach.ts';
import { looksLikeTest } from './tests.ts';
import { createWordIndex, isWord, type WordIndex } from './words.ts';

export interface Screen<File> {
  /** A file that says nothing itself; all are added before the first wave. */
  add(file: File): void;
  /** A unit that is made already, told as early as that. */
  learn(unit: Unit): void;
  /** Does some of the work that every wave needs, while threads are busy; says whether any is left. */
  prepare(): boolean;
  /** The next wave, given all units so far; empty when no name is new. */
  next(units: Unit[]): File[];
}

/** What is known of a file by its name. */
export interface Habits {
  language: Language;
  /** A file without any of these says nothing by itself. */
  needles: string[];
  /** The words of which one stands before each name that it defines. */
  definers?: readonly string[];
  /** The text by which it hands on all that another file has. */
  handsOnAll?: string;
  /** The name of the file that passes on what its folder's files declare. */
  ofFolder?: string;
}

/** A word that more files have than this says too little alone. */
const COMMON = 0.03;

export function createScreen<File extends { path: string }>(
  bytesOf: (file: File) => Uint8Array,
  habits: (path: string) => Habits | undefined,
): Screen<File> {
  const files: File[] = [];
  const reach = createReach((word) => index.uses(word).length > 0);
  const chosen = new Set<number>();
  const habitsOf = ({ path }: File) => habits(path);
  const definersOf = (file: number) => habitsOf(files[file]!)?.definers;
  /** Whoever asks these for a name asks another file, and nothing in them says which names. */
  const handing: number[] = [];
  const index = createWordIndex(files, look, definersOf);
  const packages = new Map<string, number>();
  const passed = new Set<string>();
  /** Names of elsewhere whose files were looked for: they are chosen, whoever has the name next. */
  const handed = new Set<string>();
  /** The files that have a word that other words must stand beside. */
  const besides = new Map<string, Set<number>>();
  /** What is imported from the file that declares it. Nobody asks for it where another one of that name is known. */
  const declaring: { file: number; word: string }[] = [];
  let wanting = false;
  let passing: Set<number> | undefined;
  /** Files by their names without the ending, and by the parts of their paths. */
  const modules = new Map<string, number[]>();
  const folders = new Map<string, number[]>();
  const nears: Record<Want['how'], Map<Part, Set<number>>> = {
    uses: new Map(),
    defines: new Map(),
    declares: new Map(),
    extends: new Map(),
    holds: new Map(),
  };
  return { add, next, learn: reach.learn, prepare: index.more };

  function add(file: File): void {
    const known = habitsOf(file);
    // What is read as data calls nobody, and a test that opens nothing itself is no reason for a finding.
    if (known?.language === 'settings' || looksLikeTest(file.path)) return;
    if (known?.ofFolder === nameOf(file.path)) packages.set(folderOf(file.path), files.length);
    files.push(file);
  }

  function next(units: Unit[]): File[] {
    if (files.length === 0) return [];
    // Whose methods a pattern means, and who calls those, no name tells.
    if (units.some(({ weaves, role }) => weaves && role !== 'test'))
      return files.filter((_, i) => !chosen.has(i) && chosen.add(i));
    const wants = reach.wants(units);
    if (!wanting && wants.length === 0) return [];
    const wave = new Set<number>();
    if (!wanting) {
      while (index.more());
      for (const file of handing) wave.add(file);
    }
    wanting = true;
    for (const unit of units)
      if (!passed.has(unit.file)) {
        passed.add(unit.file);
        around(unit.file, wave);
        for (const { to } of unit.aliases) between(to, wave);
      }
    for (const { file, word } of declaring) if (!chosen.has(file) && reach.declares(word)) wave.add(file);
    for (const want of wants) for (const file of matching(want, wave)) wave.add(file);
    for (const file of wave) chosen.add(file);
    for (const known of Object.values(nears)) known.clear();
    return [...wave].sort((a, b) => a - b).map((file) => files[file]!);
  }

  /** Once at each file, for the index: later a large tree would be read from the disk again, and threads would wait. */
  function look(file: number): Uint8Array {
    const { path } = files[file]!;
    push(modules, nameOf(path).replace(/\.\w+$/, ''), file);
    for (const word of partsOf(path)) push(folders, word, file);
    const bytes = bytesOf(files[file]!);
    const text = habitsOf(files[file]!)?.handsOnAll;
    if (text !== undefined && asText(bytes).includes(text)) handing.push(file);
    return bytes;
  }

  /** The files that speak for the folders that a file is in; where one imports any, it is read with them. */
  function around(path: string, wave: Set<number>): void {
    for (let folder = folderOf(path); folder; folder = folderOf(folder)) {
      const file = packages.get(folder);
      if (file === undefined) continue;
      packages.delete(folder);
      passing ??= new Set(index.uses('import'));
      if (passing.has(file) && !chosen.has(file)) wave.add(file);
    }
  }

  /** The file that an import names, where it has the name from elsewhere: `models.py` with the classes of its parts. */
  function between(to: string, wave: Set<number>): void {
    if (handed.has(to)) return;
    handed.add(to);
    const parts = to.slice(to.indexOf(':') + 1).split('.');
    const name = parts.pop()!;
    const called = modules.get(parts.at(-1)!);
    if (!called) return;
    const last = name.toLowerCase();
    const path = `/${parts.join('/')}.`;
    for (const file of called) {
      if (chosen.has(file) || !`/${files[file]!.path}`.includes(path)) continue;
      if (last !== '*' && !isAmong(file, index.uses(last))) continue;
      if (isAmong(file, index.declares(last))) declaring.push({ file, word: last });
      else if (!(isAmong(file, index.defines(last)) && definesItself(file, name))) wave.add(file);
    }
  }

  /** At the beginning of a line: it has the name from nowhere else. */
  function definesItself(file: number, name: string): boolean {
    const definers = definersOf(file);
    if (!definers) return false;
    const text = asText(bytesOf(files[file]!));
    return definers.some((definer) => beginsLine(text, `${definer} ${name}`));
  }

  /** Those that are not chosen yet. */
  function matching(want: Want, wave: Set<number>): Int32Array {
    const found = index[want.how](want.word);
    const beside = want.beside ? having(want.beside) : null;
    const open = found.filter(
      (file) =>
        !chosen.has(file) && !wave.has(file) && (!beside || beside.has(file)) && has(file, want.exact),
    );
    const few = Math.max(20, files.length * COMMON);
    if (open.length === 0 || want.near.size === 0 || (found.length <= few && want.rare)) return open;
    return open.filter(nearTo(want, open.length));
  }

  /** Few files are asked one by one, as far as there is little to ask. */
  function nearTo({ near, how }: Want, count: number): (file: number) => boolean {
    const asks = near.parts.map((part) => {
      if (count <= FEW && part.words.size <= FEW)
        return (file: number) => isNearby(file, part, index[how], folders);
      const files = nearby(part, how);
      return (file: number) => files.has(file);
    });
    return (file) => asks.some((isNear) => isNear(file));
  }

  function has(file: number, exact: string | undefined): boolean {
    return exact === undefined || asText(bytesOf(files[file]!)).includes(exact);
  }

  function having(word: string): Set<number> {
    let known = besides.get(word);
    if (!known) {
      known = new Set(index.uses(word));
      besides.set(word, known);
    }
    return known;
  }

  /** Many wants of one wave share the words that they must stand near. */
  function nearby(part: Part, how: Want['how']): Set<number> {
    const known = nears[how].get(part);
    if (known) return known;
    const out = new Set<number>();
    for (const word of part.words) {
      for (const file of index[how](word)) if (!chosen.has(file)) out.add(file);
      for (const file of folders.get(word) ?? []) if (!chosen.has(file)) out.add(file);
    }
    nears[how].set(part, out);
    return out;
  }
}

/** So few files, and so few words. */
const FEW = 20;

function isNearby(
  file: number,
  { words }: Part,
  filesOf: WordIndex[Want['how']],
  folders: Map<string, number[]>,
): boolean {
  for (const word of words)
    if (isAmong(file, filesOf(word)) || folders.get(word)?.includes(file)) return true;
  return false;
}

const isAmong = (file: number, list: Int32Array): boolean => list[placeOf(list, file)] === file;

/** The same bytes, no copy. */
const asText = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Whether these words stand at the beginning of a line, and end there or before what is no word. */
function beginsLine(text: Buffer, words: string): boolean {
  const line = Buffer.from(`\n${words}`);
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1))
    if (!isWord(text[at + line.length])) return true;
  return false;
}

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** As modules and classes are named: `order_line.rb` holds OrderLine. */
function partsOf(path: string): Set<string> {
  const out = new Set<string>();
  for (const part of path
    .toLowerCase()
    .replace(/\.\w+$/, '')
    .split('/')) {
    out.add(part);
    if (part.includes('_')) out.add(part.replaceAll('_', ''));
  }
  return out;
}

function push(map: Map<string, number[]>, key: string, file: number): void {
  const list = map.get(key);
  if (list) list.push(file);
  else map.set(key, [file]);
}

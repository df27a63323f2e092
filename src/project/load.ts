// From paths to units: finds, reads, screens and lowers files. What it lowers with is handed in.
import { readFileSync } from 'node:fs';
import type { Unit } from '../ir.ts';
import { decode, LARGEST } from './decode.ts';
import { findFiles, reason, rootOf } from './files.ts';

export interface Loaded {
  root: string;
  units: Unit[];
  /** How many files were found, and how many of them a front end read. */
  files: number;
  parsed: number;
  notices: { file: string; message: string; partial: boolean }[];
}

export interface Loader {
  wanted(name: string): boolean;
  lower(file: string, text: string): Promise<Unit | null>;
}

export async function load(paths: string[], cwd: string, loader: Loader): Promise<Loaded> {
  const root = rootOf(paths, cwd);
  const found = findFiles(paths, { root, cwd, wanted: loader.wanted });
  const loaded: Loaded = { root, units: [], files: found.files.length, parsed: 0, notices: [] };
  const say = (file: string, message: string) => loaded.notices.push({ file, message, partial: true });
  for (const problem of found.problems) say(problem.file, problem.message);
  for (const file of found.files) {
    let bytes: Buffer;
    try {
      bytes = readFileSync(file.full);
    } catch (error) {
      say(file.path, `not read: ${reason(error)}`);
      continue;
    }
    if (bytes.length > LARGEST) {
      say(file.path, `not read: it has ${Math.round(bytes.length / 1e6)} MB`);
      continue;
    }
    const decoded = decode(bytes);
    if (!decoded) {
      say(file.path, 'not read: it is binary');
      continue;
    }
    if (decoded.encoding === 'latin-1') say(file.path, 'is not UTF-8: read as Latin-1');
    const unit = await loader.lower(file.path, decoded.text);
    if (!unit) continue;
    loaded.parsed++;
    loaded.units.push(unit);
    for (const problem of unit.problems)
      if (problem.partial) say(file.path, `partly analysed: ${problem.message}`);
  }
  return loaded;
}

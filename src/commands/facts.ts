// `subxact facts` and `check --facts`: what files say, written by one process and linked by another.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hashOf } from '../project/cache/cache.ts';
import { reason, rootOf } from '../project/files/files.ts';
import { readRegular } from '../project/files/regular.ts';
import type { Loaded } from '../project/load.ts';
import { tool } from '../tool.ts';
import { configFor } from './configuration.ts';
import { Mistake } from './mistake.ts';
import type { Invocation } from './options.ts';
import { print, writeWhole } from './outputs.ts';
import { type ProgramRead, pathsOf, readOptions, readProgram, shown } from './program.ts';
import { uninterrupted } from './terminal.ts';

const FORMAT = 'subxact-facts 1';

interface Facts extends Omit<Loaded, 'passed' | 'configs' | 'whole'> {
  format: string;
  /** Parts must come of one version of the program, or they would not mean the same. */
  tool: string;
  /** Of the files that it speaks of: places mean their text. */
  hashes: Record<string, string>;
}

export async function facts({ paths: given, values, cwd }: Invocation): Promise<number> {
  const paths = pathsOf(given, cwd);
  const found = configFor(paths, values, cwd);
  // Which silent files matter is only known when all parts are there, so none is screened out.
  const options = { ...readOptions(values, found, rootOf(paths, cwd)), everything: true };
  const { root, units, files, lowered, programs, notices, marked } = await readProgram(paths, cwd, options);
  const written: Facts = {
    format: FORMAT,
    tool: `${tool.version} ${tool.hash}`,
    units,
    files,
    lowered,
    programs,
    notices,
    marked,
    hashes: Object.fromEntries(units.map(({ file }) => [file, hashOf(readRegular(join(root, file)))])),
  };
  const text = `${JSON.stringify(written)}\n`;
  if (values.output) await uninterrupted(() => writeWhole(resolve(cwd, values.output!), text));
  else print(text);
  return 0;
}

/** Files are named from the repository's root, so parts fit together wherever they were made. */
export function readFacts(parts: string[], root: string, cwd: string): ProgramRead {
  const program: Loaded = {
    units: [],
    files: 0,
    lowered: 0,
    programs: {},
    passed: [],
    configs: [],
    notices: [],
    marked: [],
    whole: true,
  };
  const seen = new Set<string>();
  const hashes = new Map<string, string>();
  for (const part of parts) {
    const { hashes: some, units, files, lowered, programs, notices, marked } = readPart(part);
    // A file that two parts hold is one.
    for (const unit of units) if (!seen.has(unit.file)) program.units.push(unit);
    for (const unit of units) seen.add(unit.file);
    for (const [file, hash] of Object.entries(some)) hashes.set(file, hash);
    program.files += files;
    program.lowered += lowered;
    for (const [language, count] of Object.entries(programs))
      program.programs[language] = (program.programs[language] ?? 0) + count;
    program.notices.push(...notices);
    program.marked.push(...marked);
  }
  program.units.sort((a, b) => (a.file < b.file ? -1 : 1));
  const isSame = (file: string, bytes: Uint8Array | null) => {
    const hash = hashes.get(file);
    if (hash === undefined || (bytes && hashOf(bytes) === hash)) return;
    const why = bytes ? 'has another text' : 'is not here';
    throw new Mistake(
      `${file} ${why}: --facts need the files as they were when \`subxact facts\` read them, to show places in them`,
    );
  };
  return { ...program, root, ...shown(root, cwd, undefined, isSame) };
}

function readPart(file: string): Facts {
  let part: Facts;
  try {
    part = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Mistake(`${file} could not be read as facts: ${reason(error)}`);
  }
  if (part?.format !== FORMAT) throw new Mistake(`${file} holds no facts that this version reads`);
  if (part.tool !== `${tool.version} ${tool.hash}`)
    throw new Mistake(`${file} was written by another version (${part.tool}): write it again`);
  if (!isWhole(part)) throw new Mistake(`${file} is damaged: write it again`);
  return part;
}

/** What is read here; what units say is read where they are linked. */
function isWhole({ units, programs, notices, marked, hashes }: Partial<Facts>): boolean {
  const table = (one: unknown) => typeof one === 'object' && one !== null;
  const named = (one: { file: string } | null) => typeof one?.file === 'string';
  const lists = [units, notices, marked].every(Array.isArray);
  return (
    lists &&
    units!.every(named) &&
    notices!.every((one) => named(one) && typeof one.message === 'string') &&
    marked!.every((one) => typeof one === 'string') &&
    table(programs) &&
    table(hashes)
  );
}

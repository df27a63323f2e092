// `subxact facts` and `check --facts`: what files say, written by one process and linked by another.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { reason, rootOf } from '../project/files/files.ts';
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
}

export async function facts({ paths: given, values, cwd }: Invocation): Promise<number> {
  const paths = pathsOf(given, cwd);
  const found = configFor(paths, values, cwd);
  // Which silent files matter is only known when all parts are there, so none is screened out.
  const options = { ...readOptions(values, found, rootOf(paths, cwd)), everything: true };
  const { units, files, lowered, programs, notices, marked } = await readProgram(paths, cwd, options);
  const written: Facts = {
    format: FORMAT,
    tool: `${tool.version} ${tool.hash}`,
    units,
    files,
    lowered,
    programs,
    notices,
    marked,
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
  for (const part of parts) {
    const { units, files, lowered, programs, notices, marked } = readPart(part);
    // A file that two parts hold is one.
    for (const unit of units) if (!seen.has(unit.file)) program.units.push(unit);
    for (const unit of units) seen.add(unit.file);
    program.files += files;
    program.lowered += lowered;
    for (const [language, count] of Object.entries(programs))
      program.programs[language] = (program.programs[language] ?? 0) + count;
    program.notices.push(...notices);
    program.marked.push(...marked);
  }
  program.units.sort((a, b) => (a.file < b.file ? -1 : 1));
  return { ...program, root, ...shown(root, cwd) };
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
function isWhole({ units, programs, notices, marked }: Partial<Facts>): boolean {
  const named = (one: { file: string } | null) => typeof one?.file === 'string';
  const lists = [units, notices, marked].every(Array.isArray);
  return (
    lists &&
    units!.every(named) &&
    notices!.every((one) => named(one) && typeof one.message === 'string') &&
    marked!.every((one) => typeof one === 'string') &&
    typeof programs === 'object' &&
    programs !== null
  );
}

// `subxact baseline`: writes down what is found now, or takes out what is cured.
import { join, relative, resolve } from 'node:path';
import { isBelow } from '../project/config/settle.ts';
import { reason, rootOf } from '../project/files/files.ts';
import {
  type Baseline,
  baselineFile,
  baselineOf,
  baselineText,
  heldIn,
  merged,
  parted,
  readBaseline,
  sizeOf,
} from '../project/findings/baseline.ts';
import { plural } from '../reporters/report.ts';
import { configFor } from './configuration.ts';
import { judge } from './judge.ts';
import { Mistake } from './mistake.ts';
import type { Invocation } from './options.ts';
import { print, writeWhole } from './outputs.ts';
import { pathsOf, readOptions, readProgram } from './program.ts';
import { clock, uninterrupted } from './terminal.ts';

export async function baseline({ paths: given, values, cwd }: Invocation): Promise<number> {
  const paths = pathsOf(given, cwd);
  const found = configFor(paths, values, cwd);
  const program = await readProgram(paths, cwd, readOptions(values, found, rootOf(paths, cwd)));
  const { report, standing } = await judge(program, found, {
    baseline: false,
    possible: values.possible,
    complete: false,
    cwd,
    started: clock(),
  });
  const file = baselineFile(found, program.root, { given: values.baseline, cwd });
  const isAsked = (named: string) => {
    const full = join(program.root, named);
    return paths.some((path) => isBelow(resolve(cwd, path), full));
  };
  const old = values.prune || given.length > 0 ? oldBaseline(file) : undefined;
  if (values.prune && !old) throw new Mistake(`there is no baseline ${file} to prune`);
  // Nothing was asked of the rest.
  const [asked, rest] = parted(old ?? new Map(), isAsked);
  const stays = values.prune ? heldIn(asked, standing, report.fingerprint) : standing;
  const next = merged(baselineOf(stays, report.fingerprint), rest);
  await uninterrupted(() => writeWhole(file, baselineText(next)));
  print(`${relative(cwd, file)} holds ${plural(sizeOf(next), 'finding')}\n`);
  return 0;
}

function oldBaseline(file: string): Baseline | undefined {
  try {
    return readBaseline(file);
  } catch (error) {
    throw new Mistake(`the baseline ${file} could not be read: ${reason(error)}`);
  }
}

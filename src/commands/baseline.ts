// `subxact baseline`: writes down what is found now, or takes out what is cured.
import { relative } from 'node:path';
import { baselineFile, baselineOf, baselineText, pruned, readBaseline } from '../project/baseline.ts';
import { rootOf } from '../project/files.ts';
import { plural } from '../reporters/report.ts';
import { configFor } from './configuration.ts';
import { judge } from './judge.ts';
import { Mistake } from './mistake.ts';
import type { Invocation } from './options.ts';
import { print, writeWhole } from './outputs.ts';
import { pathsOf, readOptions, readProgram } from './program.ts';
import { clock } from './terminal.ts';

export async function baseline({ paths: given, values, cwd }: Invocation): Promise<number> {
  const paths = pathsOf(given, cwd);
  const found = configFor(paths, values, cwd);
  const program = await readProgram(paths, cwd, readOptions(values, found, rootOf(paths, cwd)));
  const { report, standing } = judge(program, found, {
    baseline: false,
    complete: false,
    cwd,
    started: clock(),
  });
  const file = baselineFile(found, program.root, { given: values.baseline, cwd });
  let next = baselineOf(standing, report.fingerprint);
  if (values.prune) {
    const old = readBaseline(file);
    if (!old) throw new Mistake(`there is no baseline ${file} to prune`);
    next = pruned(old, new Set(standing.map(report.fingerprint)));
  }
  writeWhole(file, baselineText(next));
  print(`${relative(cwd, file)} holds ${plural(Object.keys(next.findings).length, 'finding')}\n`);
  return 0;
}

// `--fix` and `--diff`: the safe changes, written into files or shown. What they are is the rules' to say.
import { join } from 'node:path';
import { changedFiles, unifiedDiff } from '../project/findings/fixes.ts';
import type { Instead } from '../project/load.ts';
import { plural, printable, type Report } from '../reporters/report.ts';
import type { Values } from './options.ts';
import { print, writeWhole } from './outputs.ts';
import { clock } from './terminal.ts';

/** The exit code says whether findings stay. */
export function mend(
  report: Report,
  root: string,
  { diff = false }: Values,
  { started, instead }: { started: number; instead?: Instead },
): number {
  const { files, applied, waiting, refused } = changedFiles(report.findings, (file) => join(root, file), {
    readAt: Date.now() - (clock() - started),
    writes: !diff,
    isOther: (file) => instead?.has(file) === true,
  });
  for (const file of files) {
    if (diff) print(unifiedDiff(file));
    else writeWhole(join(root, file.file), file.after);
  }
  for (const { file, why } of refused) print(`${printable(report.display(file))}: not changed: ${why}\n`, 2);
  const says = diff ? 'would be made' : 'made';
  const more = waiting > 0 ? `, ${waiting} more after another run` : '';
  print(`${plural(applied, 'safe change')} ${says} in ${plural(files.length, 'file')}${more}\n`, 2);
  const open = report.findings.filter(({ severity }) => severity !== 'note').length;
  return open > applied ? 1 : 0;
}

// One run's program: the files of some paths, lowered and linked, with the means to show places in them.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { lower } from '../analyse.ts';
import { frontendFor } from '../frontends/index.ts';
import { decode } from '../project/decode.ts';
import { repositoryRoot } from '../project/files.ts';
import { type Lines, linesOf, lineText, positionAt } from '../project/lines.ts';
import { type Loaded, load } from '../project/load.ts';
import type { Region } from '../reporters/report.ts';
import type { Place } from '../rule.ts';
import { Mistake } from './mistake.ts';

export interface Shown {
  region(place: Place): Region;
  line(file: string, line: number): string;
  lines(file: string): Lines;
  display(file: string): string;
}

/** No path means the whole repository that the user stands in. */
export function pathsOf(given: string[], cwd: string): string[] {
  const missing = given.filter((path) => !existsSync(resolve(cwd, path)));
  if (missing.length > 0) throw new Mistake(`no such file or directory: ${missing.join(', ')}`);
  return given.length > 0 ? given : [repositoryRoot(cwd) ?? cwd];
}

export async function readProgram(paths: string[], cwd: string): Promise<Loaded & Shown> {
  const loaded = await load(paths, cwd, { wanted: (name) => frontendFor(name) !== undefined, lower });
  return { ...loaded, ...shown(loaded.root, cwd) };
}

/** Files are read again for what is shown, a few at most. */
function shown(root: string, cwd: string): Shown {
  const kept = new Map<string, Lines>();
  const lines = (file: string) => {
    let of = kept.get(file);
    if (!of) {
      of = linesOf(textOf(join(root, file)));
      kept.set(file, of);
    }
    return of;
  };
  return {
    lines,
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

function textOf(full: string): string {
  try {
    return decode(readFileSync(full))?.text ?? '';
  } catch {
    return '';
  }
}

// `subxact init`: looks at the repository and writes a commented configuration.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { frontendFor } from '../frontends/index.ts';
import { findFiles, rootOf } from '../project/files.ts';
import { plural } from '../reporters/report.ts';
import { tool } from '../tool.ts';
import { Mistake } from './mistake.ts';
import type { Invocation } from './options.ts';
import { print, writeWhole } from './outputs.ts';

const FILE = 'subxact.jsonc';

export async function init({ cwd }: Invocation): Promise<number> {
  const root = rootOf(['.'], cwd);
  for (const name of [FILE, 'subxact.json', '.subxact.json'])
    if (existsSync(join(root, name))) throw new Mistake(`${join(root, name)} is there already`);
  const { files } = findFiles([root], { root, cwd: root, wanted: (name) => frontendFor(name) !== undefined });
  const paths = files.map(({ path }) => path);
  writeWhole(join(root, FILE), configText(paths));
  print(`${FILE} is written; next: subxact check, or subxact baseline to begin with what is new\n`);
  return 0;
}

function configText(paths: string[]): string {
  const kinds = new Map<string, number>();
  for (const path of paths) {
    const kind = frontendFor(path)!.language;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const seen = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, count]) => plural(count, `${kind} file`));
  const scripts = foldersLike(paths, /(^|\/)(scripts?|one[-_]?off|backfills?|data[-_]?migrations?)\//);
  const migrations = foldersLike(
    paths.filter((path) => path.endsWith('.sql')),
    /(^|\/)(migrations?|migrate|changelog)\//,
  );
  const list = (values: string[]) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  return `{
  "$schema": "${tool.homepage.replace('github.com', 'raw.githubusercontent.com')}/main/subxact.schema.json",
  // Found here: ${seen.join(', ') || 'no file that subxact reads'}.

  // The oldest server that this code must run on; without it, what the repository's own files say.
  // "postgres": 16,

  // error, warning, note or off, by rule (see: subxact rules).
  "rules": {},

  // Not read, besides what .gitignore excludes.
  "exclude": [],

  // What runs once weighs less: findings there are notes.
  "oneOff": ${list(scripts)},

  // Scripts that their tool wraps in one transaction${migrations.length > 0 ? `; if yours does: ${list(migrations)}` : ''}.
  "assumeInTransaction": [],

  // Findings that name these tables weigh one step more.
  "hotTables": []
}
`;
}

/** The folders that a pattern ends in, each once. */
function foldersLike(paths: string[], pattern: RegExp): string[] {
  const folders = paths.flatMap((path) => {
    const match = pattern.exec(path);
    return match ? [path.slice(0, match.index + match[0].length)] : [];
  });
  return [...new Set(folders)].sort().slice(0, 10);
}

// `subxact init`: looks at the repository and writes a configuration in which all that it cannot know is a comment.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { frontendFor } from '../frontends/index.ts';
import { rootOf } from '../project/files/files.ts';
import { countOf, plural, printable, SEVERITIES } from '../reporters/report.ts';
import type { Finding, Model } from '../rule.ts';
import { tool } from '../tool.ts';
import { configFor } from './configuration.ts';
import { courtFor, foldedIn } from './judge.ts';
import { Mistake } from './mistake.ts';
import type { Invocation } from './options.ts';
import { print, writeWhole } from './outputs.ts';
import { type ProgramRead, readOptions, readProgram } from './program.ts';
import { createProgress, uninterrupted } from './terminal.ts';

const FILE = 'subxact.jsonc';

export async function init({ values, cwd }: Invocation): Promise<number> {
  const root = rootOf(['.'], cwd);
  const file = join(root, FILE);
  if (existsSync(file)) throw new Mistake(`${file} is there already`);
  const found = configFor(['.'], values, cwd);
  if (found.file) throw new Mistake(`${found.file} has a configuration already`);
  const progress = createProgress();
  const options = { ...readOptions(values, found, root), progress: progress.show };
  const program = await readProgram([root], root, options);
  progress.end();
  const { model, findings } = courtFor(found, root, { cwd, baseline: false }).hear(
    program.units,
    program.passed,
  );
  const told = foldedIn(findings, new Map());
  await uninterrupted(() => writeWhole(file, configText(program, model, told)));
  const next =
    told.length > 0 ? 'subxact check, or subxact baseline to begin with what is new' : 'subxact check';
  print(`${relative(cwd, file)} is written; next: ${next}\n`);
  return 0;
}

function configText({ units, passed }: ProgramRead, model: Model, findings: Finding[]): string {
  const kinds = tally(
    [...units.map(({ file }) => file), ...passed].map((path) => frontendFor(path)!.language),
  );
  const counts = SEVERITIES.map((severity) => [countOf(findings, severity), severity] as const).filter(
    ([n]) => n > 0,
  );
  const { version, from } = model.postgres;
  const serious = findings.filter(({ severity }) => severity !== 'note');
  const once = foldersLike(
    serious,
    /(?:^|\/)(?:scripts?|bin|tools|one[-_]?offs?|backfills?|data[-_]?migrations?)\//,
  );
  const scripts = units
    .filter(({ file, series }) => /\.sql$/i.test(file) && !series)
    .map(({ file }) => ({ file }));
  const wrapped = foldersLike(
    scripts,
    /(?:^|\/)(?:migrations?|migrate|changelogs?|patches|upgrades?)\/(?=[^/]*$)/,
  );
  const hot = tally(
    serious.flatMap(({ relations = [] }) =>
      relations.filter((name) => name.startsWith('sql:')).map((name) => name.slice('sql:'.length)),
    ),
  );
  const list = (names: string[]) => `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;
  const maybe = (says: string, names: string[]) =>
    names.length > 0 ? `\n  // ${says}: ${list(names.slice(0, 5))}` : '';
  const files = kinds.map(([kind, count]) => plural(count, `${kind} file`)).join(', ');
  return `{
  "$schema": "${tool.homepage.replace('github.com', 'raw.githubusercontent.com')}/main/subxact.schema.json",
  // Here are ${files || 'no files that subxact reads'}. It finds ${counts.map(([n, word]) => plural(n, word)).join(', ') || 'nothing'}.

  // The oldest server that this code must run on.${version === null ? '' : ` Without it ${version} is taken, as ${printable(from)} says.`}
  // "postgres": ${version ?? 16},

  // error, warning, note or off, by rule (see: subxact rules).
  "rules": {},

  // Not read, besides what .gitignore excludes.
  "exclude": [],

  // What runs once weighs less: findings there are notes. Migrations and tests are known.${maybe('Something is found here; if it runs once', once)}
  "oneOff": [],

  // Scripts that their tool wraps in one transaction.${maybe(
    'If these are',
    wrapped.map((folder) => `${folder}*.sql`),
  )}
  "assumeInTransaction": [],

  // Tables with much traffic: findings that touch them weigh one step more.${maybe(
    'Most findings touch',
    hot.map(([name]) => name),
  )}
  "hotTables": []
}
`;
}

/** How often each is there, most first. */
function tally(words: string[]): [word: string, count: number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** The folders that a pattern ends in, each once, from the root. */
function foldersLike(places: { file: string }[], pattern: RegExp): string[] {
  const folders = places.flatMap(({ file }) => {
    const match = pattern.exec(file);
    return match ? [`/${file.slice(0, match.index + match[0].length)}`] : [];
  });
  return tally(folders).map(([folder]) => folder);
}

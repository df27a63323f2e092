// The SQL front end: one file of SQL or psql to a Unit.
import { emptyUnit, type Routine, type Setting, type Unit } from '../../ir.ts';
import { urls } from '../jvm/texts/url.ts';
import { isTestFile } from '../roles.ts';
import { plain } from '../source.ts';
import { lowerScript } from './script.ts';
import { dialectOf } from './text/dialect.ts';
import { type Held, tellHeld } from './text/held.ts';
import { mask } from './text/macros.ts';
import type { SqlScope } from './text/reader.ts';
import { migrationOf, orderOf, type Section } from './tools/migrations.ts';

export function lower(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'sql');
  unit.role = roleOf(file, text);
  unit.dialect = /\.pg$/i.test(file) && isOfOthers(text) ? 'other' : dialectOf(file, text);
  if (text.includes('autosave')) unit.settings.push(...connections(text));
  if (unit.dialect === 'other') return unit;
  const migration = migrationOf(file, text);
  if (migration && unit.role !== 'test' && unit.role !== 'example')
    unit.role = PUT_AWAY.test(file) ? 'example' : 'migration';
  const series = migration ? migration.series : unit.role === 'product' ? orderOf(file) : undefined;
  if (series) unit.series = series;
  const masked = mask(text);
  const source = plain(masked);
  // A template may repeat what it has; the other one is read before each script.
  const isForOthers = masked !== text || /psqlrc[^/]*$/i.test(file);
  const scripts: Routine[] = [];
  const held: Held = new Map();
  const whole: Section = { from: 0, to: text.length, startsIn: 'autocommit' };
  for (const section of migration?.sections ?? [whole]) {
    const name =
      section.name === undefined ? `sql:"${file}"` : `sql:"${file}"."${section.name.replaceAll('"', "'")}"`;
    const script: Routine = {
      name: name as Routine['name'], at: { start: section.from, end: Math.min(section.from + 1, text.length) }, kind: 'script',
      entry: migration ? 'migration' : 'script', startsIn: section.startsIn, ...(section.asOne && { asOne: true }), body: [],
    }; // biome-ignore format: what is known at once
    const scope: SqlScope = { declare: unit, held, searchPath: null };
    script.body = lowerScript(source, scope, {
      psql: migration?.psql ?? true,
      isForOthers,
      from: section.from,
      to: section.to,
    });
    if (scope.searchPath && scope.searchPath.length > 0) script.searchPath = scope.searchPath;
    if (script.body.length > 0) scripts.push(script);
  }
  tellHeld(
    held,
    unit,
    scripts.map(({ body }) => body),
  );
  if (migration?.down) takeBack(unit);
  if (text.lastIndexOf('/*') > text.lastIndexOf('*/')) unit.broken = true; // a comment that has no end, most likely
  unit.routines.unshift(...scripts);
  return unit;
}

/** What Flink's or Spark's SQL hands to pgjdbc: `'url' = 'jdbc:postgresql:…?autosave=always'`. */
const URL = /^(?![ \t]*--).*(?:'url'|\burl)\s*(?:=>?\s*)?'(jdbc:postgresql:[^'\n]*)'/gim;

const connections = (text: string): Setting[] =>
  Array.from(text.matchAll(URL), ({ index, 0: whole, 1: url }) => {
    const start = index + whole.lastIndexOf(url!);
    return urls(plain(text, start, start + url!.length)).flatMap(({ settings }) => settings);
  })
    .flat()
    .filter(({ key }) => key === 'autosave');

/** `acl.Pg`, what a program in Perl has for PostgreSQL; `users.pg`, a table described in nobody's language. */
const isOfOthers = (text: string): boolean => OF_PERL.test(text) || !STATEMENT.test(text);
const OF_PERL = /^(?:\s*#[^\n]*\n)*\s*(?:sub|use|package|my)\s+[\w:$@%]+\s*[;({=]/;
const STATEMENT =
  /^[ \t]*(?:\\|(?:alter|analyze|begin|call|comment|copy|create|delete|do|drop|grant|insert|lock|merge|refresh|reindex|revoke|savepoint|select|set|start|truncate|update|vacuum|with)\s)/im;

/** A file that goes down runs, but what it defines is older than what it takes back. */
function takeBack(unit: Unit): void {
  unit.routines = unit.routines.filter((routine) => routine.kind === 'anonymous');
  unit.triggers = [];
  unit.relations = [];
  delete unit.lists;
  unit.foreignKeys = [];
  unit.aliases = [];
  unit.changes = [];
}

function roleOf(file: string, text: string): Unit['role'] {
  // A pattern that ignores case takes V8 twice as long to compile.
  const path = file.toLowerCase();
  if (isTestFile(path, text) || /(^|\/)(regress|t)\/|(^|[/._-])tests?\.\w+$/.test(path)) return 'test';
  const shown = /(?:^|\/)(examples?|samples?|demo(?:[_-]?data)?|docs?)\/([^/]*)/.exec(path);
  if ((shown && !isOwn(shown[1]!, shown[2]!, text)) || OBSOLETE.test(path)) return 'example';
  // It runs once on each installation, as a migration does: `upgrade_2.1_to_3.0.sql`, `migrations/fix.sql`.
  return /(^|[/_.-])upgrade(?=[_.-])[^/]*$|(?:^|\/)migrations\//.test(path) ? 'migration' : 'product';
}

/** Folders of what is no more. */
const OBSOLETE = /(?:^|[/_-])(?:obsolete|deprecated|attic|trash)(?:[_-][^/]*)?\//;
/** And, where a tool would have numbered its scripts, of those that it does not find there. */
const PUT_AWAY =
  /^_?archived?\/|(?:^|\/)(?:_?old|backups|archived|[^/]*migrations?[_-](?:archived?|backups?|old)[^/]*|_?(?:archived?|backups?|old)[_-]?migrations?)\//i;

/** Whose folder is called as an example's is: a schema's, by the parts that it has or by the names that the file makes in it, or what takes samples, by what the file makes. */
function isOwn(folder: string, next: string, text: string): boolean {
  if (folder.startsWith('doc')) return false;
  if (folder === 'sample' && /^(?:functions|procedures|tables|triggers|types|views|migrations)$/.test(next))
    return true;
  // `sample/take_sample.0.sql` makes take_sample().
  const stem = next.replace(/\..*/, '');
  if (/^samples?$/.test(folder) && /^(?:\w+_\w*sample\w*|\w*sample_\w+)$/.test(stem))
    return new RegExp(`\\bfunction\\s+(?:[\\w@]+\\.)?${stem}\\s*\\(`, 'i').test(text);
  const makes = `\\b(?:function|procedure|table|view|schema|on)\\s+(?:if\\s+not\\s+exists\\s+)?"?${folder}"?`;
  return text.includes(`${folder}.`) && new RegExp(`${makes}\\.`, 'i').test(text);
}

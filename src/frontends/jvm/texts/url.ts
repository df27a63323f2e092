// What a JDBC connection URL sets, in whatever file it stands; it looks for no URL itself.
import type { Setting, Span } from '../../../ir.ts';
import { type Source, span } from '../../source.ts';

const DATABASES: Record<string, string> = {
  postgresql: 'postgresql', pgsql: 'postgresql', edb: 'postgresql', mysql: 'mysql', mariadb: 'mysql', oracle: 'oracle', sqlserver: 'sqlserver', h2: 'h2',
  hsqldb: 'hsqldb', sqlite: 'sqlite', db2: 'db2', derby: 'derby',
}; // biome-ignore format: a table

/** By how a URL or jOOQ calls it. */
export function databaseNamed(name: string): string | null {
  const known = name.toLowerCase();
  return known === 'postgres' ? 'postgresql' : Object.hasOwn(DATABASES, known) ? DATABASES[known]! : null;
}

/** A URL as it stands in the text, whatever its database, and what it says. */
export interface FoundUrl {
  at: Span;
  settings: Setting[];
}

/** Every JDBC URL in this text: the database it names, and `autosave` among its parameters. */
export function urls(source: Source): FoundUrl[] {
  const out: FoundUrl[] = [];
  for (const match of source.text.matchAll(
    /(?:jdbc|(r2dbc)):(?:(?:log4jdbc|p6spy|otel|tracing|aws-wrapper|tc|pool):)*([a-z0-9]+):/gi,
  )) {
    const database = DATABASES[match[2]!.toLowerCase()];
    const { index: start } = match;
    const end = endOf(source.text, start);
    if (!database) {
      // What another driver is told, though it may be a child of pgjdbc's, is nothing of ours.
      if (!/postgres|pgsql/i.test(source.text.slice(start, end)))
        out.push({ at: { start, end }, settings: [] });
      continue;
    }
    const at = span(source, start, start + match[0].length - 1);
    const settings: Setting[] = [{ at, key: 'url', value: database, effect: 'uses database', of: 'jdbc' }];
    // What a test's container is told is nobody else's.
    if (database === 'postgresql' && !match[1] && !/:tc:/i.test(match[0]))
      settings.push(...parameters(source, start, end));
    out.push({ at: { start, end }, settings });
  }
  return out;
}

/** To the quote, the space or the tag behind it; a template's `{{ .Values.host }}` is part of it. */
function endOf(text: string, start: number): number {
  const stop = /\{\{[^{}\n]*\}\}|["'`\s<>]/g;
  stop.lastIndex = start;
  for (let match = stop.exec(text); match; match = stop.exec(text))
    if (match[0].length === 1) return match.index;
  return text.length;
}

/** Keys are case-sensitive for the driver, values are not; the last one holds. `${AUTOSAVE:always}` is what it is where nothing says otherwise. */
function parameters(source: Source, start: number, end: number): Setting[] {
  const url = source.text.slice(start, end);
  const found = [...url.matchAll(PARAMETER)].at(-1);
  if (!found) return [];
  const from = start + found.index + found[0].length - found[1]!.length;
  const releases = /[?&;]cleanupSavepoints=true/i.test(url);
  const at = span(source, from, from + found[1]!.length);
  const [, , value, ...names] = found;
  const setting = value
    ? autosaveSetting(at, decoded(value), releases)
    : autosaveOf(at, names.find(Boolean)!, releases);
  return setting ? [setting] : [];
}

/** A value that a variable or a key of another file has: `${AUTOSAVE}`, `{{ .Values.db.autosave }}`. */
export const ELSEWHERE = String.raw`\$\{([\w.-]+)\}|\{\{-?\s*\.Values\.([\w.]+)[^{}\n]*\}\}|\$([A-Z_]+)\b`;
const PARAMETER = new RegExp(
  String.raw`(?:[?&;]|%3F|%26|\$\{[\w.-]+:-?\??)(autosave(?:=|%3D)(?:(?:\$\{[\w.-]+:-?)?([\w%]+)|${ELSEWHERE}))`,
  'g',
);

/** `%61lways`; of `always%26ssl` in a URL that is a parameter itself, the first word. */
const decoded = (value: string) =>
  value
    .replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\W.*/, '');

const MODES: NonNullable<Setting['means']> = {
  always: 'savepoint per statement',
  conservative: 'savepoint per failing statement',
};

/** It is what that name says, and nobody looks for a name that says nothing of it. */
export const autosaveOf = (at: Span, name: string, releases: boolean): Setting | null =>
  /autosave$/i.test(name)
    ? {
        at,
        key: 'autosave',
        value: name.replace(/^var\./, ''),
        effect: 'is said by another',
        of: 'pgjdbc',
        releases,
        means: MODES,
      }
    : null;

export function autosaveSetting(at: Span, value: string, releases: boolean): Setting | null {
  const mode = value.toLowerCase();
  if (!Object.hasOwn(MODES, mode)) return null;
  return { at, key: 'autosave', value: mode, effect: MODES[mode]!, of: 'pgjdbc', releases };
}

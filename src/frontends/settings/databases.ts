// Which database a project uses, and which version of PostgreSQL: from URLs, adapters and images. Not its tables.
import type { Unit } from '../../ir.ts';
import { type Line, lines, matches, spanIn } from './lines.ts';

/** Names that configurations have for a database, in URLs, adapters, drivers and engines. */
const NAMES: [RegExp, string][] = [
  [/^(?:postgres(?:ql)?|postgis|pgsql|pdo_pgsql|psycopg\d?|asyncpg|npgsql|cockroachdb|aurora-postgresql|django\.db\.backends\.postgresql(?:_psycopg2)?|django\.contrib\.gis\.db\.backends\.postgis)(?:\+\w+)?$/i, 'postgresql'],
  [/^(?:mysql2?|mariadb|pdo_mysql|trilogy|aurora-mysql|mysqli)(?:\+\w+)?$/i, 'mysql'],
  [/^(?:sqlite3?|pdo_sqlite)(?:\+\w+)?$/i, 'sqlite'],
  [/^(?:sqlserver|sqlsrv|mssql|pdo_sqlsrv|tinytds)(?:\+\w+)?$/i, 'sqlserver'],
  [/^(?:oracle|oracle_enhanced|oci8|pdo_oci)(?:\+\w+)?$/i, 'oracle'],
]; // biome-ignore format: a table

export function databaseOf(name: string): string | null {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const URL = /\b([a-z][a-z0-9]*(?:\+\w+)?):\/\/[^\s"'<>]*/gi;
/** `adapter: postgresql`, `DB_CONNECTION=pgsql`, `driver: pdo_pgsql`, `engine = "postgres"`, `'default' => env('DB_CONNECTION', 'pgsql')`. */
const NAMED =
  /(?:^|[\s{,["'])(adapter|driver|DB_CONNECTION|DB_DRIVER|DB_ENGINE|DATABASE_ENGINE|provider|dialect|client|engine)["']?\s*(?:=>|[:=,])\s*["']?([\w.+-]+)/i;
/** An image of PostgreSQL, and its tag, which carries the version however its makers write it: `16-alpine`, `2.14.2-pg15`. */
const IMAGE =
  /(?<![\w-])(postgres(?:ql)?|postgis|pgvector|postgres-ssl|timescaledb(?:-ha)?|citus|spilo):([\w.-]+)/i;
const majorOf = (image: string, tag: string) =>
  /pg(\d{1,2})\b/i.exec(tag)?.[1] ??
  (/^(?:timescaledb|citus)/i.test(image) ? '' : /^v?(\d{1,2})(?![\d])/.exec(tag)?.[1]);
const VERSION =
  /(?:serverVersion=|server_version["']?\s*(?::|=>|=)\s*["']?|postgres(?:ql)?[-_]?version["']?\s*[:=]\s*\[?\s*["']?|POSTGRES_VERSION["']?\s*[:=]\s*["']?|^postgres(?:ql)?\s+)(\d{1,2})(?:\.\d+)*/i;

/** The readers of this file: `read` gets each line. */
export function readDatabases(text: string, unit: Unit): void {
  let engine = '';
  for (const line of lines(text)) {
    urls(line, unit);
    const named = NAMED.exec(line.text);
    const database = named && databaseOf(named[2]!);
    if (named && database) {
      uses(unit, line, named, 2, named[1]!, database);
      engine = database;
    }
    version(line, unit, engine);
  }
}

function urls(line: Line, unit: Unit): void {
  for (const match of matches(line.text, URL)) {
    const database = databaseOf(match[1]!);
    if (database) uses(unit, line, match, 1, 'URL', database);
  }
}

function uses(
  unit: Unit,
  line: Line,
  match: RegExpExecArray,
  group: number,
  key: string,
  value: string,
): void {
  unit.settings.push({
    at: spanIn(line, match, group),
    key,
    value,
    effect: 'uses database',
    of: 'configuration',
  });
}

function version(line: Line, unit: Unit, engine: string): void {
  const image = IMAGE.exec(line.text);
  const match =
    image ??
    VERSION.exec(line.text) ??
    (engine === 'postgresql' ? /\bengine_version\s*=\s*"(\d{1,2})[\d.]*"/.exec(line.text) : null);
  if (!match) return;
  const major = Number(image ? majorOf(image[1]!, image[2]!) : match[1]);
  if (!(major >= 9 && major <= 30)) return;
  unit.settings.push({
    at: spanIn(line, match),
    key: image ? 'image' : 'version',
    value: String(major),
    effect: 'postgres version',
    of: 'postgresql',
  });
}

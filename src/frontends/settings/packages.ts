// Manifests and lock files: which packages in which version. Only those that a framework's table or a database asks for.
import { frameworks } from '../../frameworks/index.ts';
import type { Language, Unit } from '../../ir.ts';
import { lines, matches, spanIn } from './lines.ts';

/** Drivers, and the database that each speaks to. */
const DRIVERS: Record<string, string> = {
  'gem:pg': 'postgresql',
  'gem:mysql2': 'mysql',
  'gem:trilogy': 'mysql',
  'gem:sqlite3': 'sqlite',
  'gem:mongoid': 'mongodb',
  'gem:activerecord-sqlserver-adapter': 'sqlserver',
  'gem:activerecord-oracle_enhanced-adapter': 'oracle',
  'pypi:psycopg': 'postgresql',
  'pypi:psycopg2': 'postgresql',
  'pypi:psycopg2-binary': 'postgresql',
  'pypi:psycopg-binary': 'postgresql',
  'pypi:asyncpg': 'postgresql',
  'pypi:aiopg': 'postgresql',
  'pypi:pg8000': 'postgresql',
  'pypi:mysqlclient': 'mysql',
  'pypi:pymysql': 'mysql',
  'pypi:aiomysql': 'mysql',
  'pypi:mysql-connector-python': 'mysql',
  'pypi:aiosqlite': 'sqlite',
  'pypi:cx-oracle': 'oracle',
  'pypi:oracledb': 'oracle',
  'npm:pg': 'postgresql',
  'npm:postgres': 'postgresql',
  'npm:pg-promise': 'postgresql',
  'npm:mysql2': 'mysql',
  'npm:mysql': 'mysql',
  'npm:better-sqlite3': 'sqlite',
  'npm:sqlite3': 'sqlite',
  'npm:mssql': 'sqlserver',
  'nuget:npgsql': 'postgresql',
  'nuget:npgsql.entityframeworkcore.postgresql': 'postgresql',
  'nuget:microsoft.entityframeworkcore.sqlserver': 'sqlserver',
  'nuget:microsoft.entityframeworkcore.sqlite': 'sqlite',
  'go:github.com/jackc/pgx/v5': 'postgresql',
  'go:github.com/jackc/pgx/v4': 'postgresql',
  'go:github.com/lib/pq': 'postgresql',
  'go:github.com/go-sql-driver/mysql': 'mysql',
  'cargo:tokio-postgres': 'postgresql',
  'cargo:postgres': 'postgresql',
  'cargo:rusqlite': 'sqlite',
  'composer:ext-pdo_pgsql': 'postgresql',
};

/** Whose programs a driver serves: those that come from here, and no front end reads those of the others. */
const LANGUAGES: Record<string, Language[]> = { gem: ['ruby'], pypi: ['python'] };

/** What else is told apart by version, in languages that have no front end yet. */
const OTHERS =
  `gem:rails gem:pg gem:sequel gem:rom-sql gem:good_job gem:sidekiq pypi:django pypi:sqlalchemy pypi:tortoise-orm
  composer:laravel/framework composer:illuminate/database composer:doctrine/dbal composer:doctrine/orm
  composer:doctrine/doctrine-bundle composer:yiisoft/yii2 composer:cakephp/cakephp composer:drupal/core
  npm:typeorm npm:sequelize npm:knex npm:@prisma/client npm:drizzle-orm npm:@mikro-orm/core npm:slonik npm:@nestjs/typeorm
  go:gorm.io/gorm go:github.com/uptrace/bun cargo:sqlx cargo:sea-orm cargo:diesel
  nuget:microsoft.entityframeworkcore`.split(/\s+/);

const WANTED = new Set([
  ...frameworks.flatMap((table) => table.packages),
  ...Object.keys(DRIVERS),
  ...OTHERS,
]);

/** A package of a file, if anybody asks for it. */
function add(
  unit: Unit,
  name: string,
  version: string,
  exact: boolean,
  at: { start: number; end: number },
): void {
  if (!WANTED.has(name)) {
    // Rails brings its own gems in its own version.
    if (name !== 'gem:rails') return;
  }
  if (unit.packages.some((one) => one.name === name && one.version === version)) return;
  unit.packages.push({ name, version, exact });
  if (name === 'gem:rails' && !unit.packages.some((one) => one.name === 'gem:activerecord'))
    unit.packages.push({ name: 'gem:activerecord', version, exact });
  const database = DRIVERS[name];
  if (database) {
    const [ecosystem, ...rest] = name.split(':');
    const languages = LANGUAGES[ecosystem!] ?? [];
    unit.settings.push({
      at,
      key: rest.join(':'),
      value: database,
      effect: 'uses database',
      of: 'driver',
      languages,
    });
  }
}

type Read = (text: string, unit: Unit) => void;

/** One expression for each line: name, version. */
const byLine =
  (
    ecosystem: string,
    pattern: RegExp,
    exact: boolean | ((version: string) => boolean),
    clean = (name: string) => name,
  ): Read =>
  (text, unit) => {
    for (const line of lines(text)) {
      const match = pattern.exec(line.text);
      if (!match) continue;
      const version = (match[2] ?? '').replace(/["']/g, '').trim();
      const sure = typeof exact === 'function' ? exact(version) : exact;
      add(
        unit,
        `${ecosystem}:${clean(match[1]!)}`,
        version.replace(/^=+\s*/, ''),
        sure,
        spanIn(line, match, 1),
      );
    }
  };

/** One expression over the whole text, for formats where name and version stand on two lines. */
const byText =
  (ecosystem: string, pattern: RegExp, clean = (name: string) => name): Read =>
  (text, unit) => {
    for (const match of matches(text, pattern)) {
      const start = match.index + match[0].indexOf(match[1]!);
      add(unit, `${ecosystem}:${clean(match[1]!)}`, match[2]!, true, {
        start,
        end: start + match[1]!.length,
      });
    }
  };

const pypi = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-');
const pinned = (version: string) => /^={2,3}[^*]+$/.test(version);

/**
 * `Django>=4.2,<5` at the start of a line, or in quotes as arrays have it. Each part of a range fits in one way only:
 * where there are two, a line of forty such parts and a mistake is gone over a million million times.
 */
const requirements =
  (start: string): Read =>
  (text, unit) => {
    const pattern = new RegExp(
      `${start}([A-Za-z][\\w.-]*)(?:\\[[^\\]]*\\])?\\s*((?:(?:[=<>~]={0,2}|!=)\\s*[\\w.*+-]+(?:![\\w.*+-]+)?\\s*(?:,\\s*)?)*)(?=$|["';#\\s@])`,
      'g',
    );
    for (const line of lines(text))
      for (const match of matches(line.text, pattern)) {
        const range = match[2]!.trim();
        add(
          unit,
          `pypi:${pypi(match[1]!)}`,
          range.replace(/^={2,3}\s*/, ''),
          pinned(range),
          spanIn(line, match, 1),
        );
      }
  };

/** Poetry's `django = "^4.2"` and `django = { version = "4.2" }`. */
const tomlTable = (ecosystem: string, clean = (name: string) => name): Read =>
  byLine(ecosystem, /^\s*"?([\w./@-]+)"?\s*=\s*(?:\{.*?\bversion\s*=\s*)?("[^"]*")/, false, clean);

export const manifests: { files: RegExp; folder?: RegExp; read: Read }[] = [
  { files: /\.(?:txt|in)$/i, folder: /(^|\/)requirements\/[^/]+$/i, read: requirements('^\\s*') },
  { files: /^(?:requirements|constraints|dev-requirements|test-requirements)[\w.-]*\.(?:txt|in)$/i, read: requirements('^\\s*') },
  { files: /^setup\.cfg$/i, read: requirements('^\\s+') },
  { files: /^(?:pyproject\.toml|setup\.py)$/i, read: requirements('["\']') },
  { files: /^(?:pyproject\.toml|pipfile)$/i, read: tomlTable('pypi', pypi) },
  { files: /^(?:poetry|uv|pdm)\.lock$/i, read: byText('pypi', /\[\[package\]\]\r?\nname = "([^"]+)"\r?\nversion = "([^"]+)"/g, pypi) },
  { files: /^pipfile\.lock$/i, read: byText('pypi', /"([\w.-]+)":\s*\{(?:[^{}]|\{[^{}]*\})*?"version":\s*"==([^"]+)"/g, pypi) },
  { files: /^gemfile\.lock$|^gems\.locked$/i, read: byLine('gem', /^ {4}([\w.-]+) \(([\w.]+?)(?:-[a-z][\w.-]*)?\)$/, true) },
  { files: /^gemfile$|^gems\.rb$/i, read: byLine('gem', /^\s*gem[ (]+["']([\w.-]+)["'](?:,\s*(["'][^"']*["']))?/, false) },
  { files: /\.gemspec$/i, read: byLine('gem', /\badd(?:_runtime)?_dependency[ (]+["']([\w.-]+)["'](?:,\s*\[?(["'][^"']*["']))?/, false) },
  { files: /^composer\.lock$/i, read: byText('composer', /"name":\s*"([^"]+)",\s*"version":\s*"v?([^"]+)"/g) },
  { files: /^composer\.json$/i, read: byLine('composer', /^\s*"([\w.-]+\/[\w.-]+|ext-\w+)":\s*("[^"]*")/, false) },
  { files: /^package\.json$/i, read: byLine('npm', /^\s*"(@?[\w./-]+)":\s*("[\^~<>=\d*][^"]*")/, false) },
  { files: /^(?:package-lock|npm-shrinkwrap)\.json$/i, read: byText('npm', /"(?:node_modules\/)?((?:@[\w.-]+\/)?[\w.-]+)":\s*\{\s*"version":\s*"([^"]+)"/g) },
  { files: /^yarn\.lock$/i, read: byText('npm', /^"?((?:@[\w.-]+\/)?[\w.-]+)@[^\n]*:\r?\n {2}version:? "?([^"\s]+)"?/gm) },
  { files: /^pnpm-lock\.yaml$/i, read: byText('npm', /^ {2}'?\/?((?:@[\w.-]+\/)?[\w.-]+)[@/](\d[\w.-]*)/gm) },
  { files: /^go\.mod$/i, read: byLine('go', /^\s*(?:require\s+)?([\w.-]+\.[a-z]+\/[\w./-]+)\s+v?([\w.-]+)/, true) },
  { files: /^cargo\.toml$/i, read: tomlTable('cargo') },
  { files: /^cargo\.lock$/i, read: byText('cargo', /\[\[package\]\]\r?\nname = "([^"]+)"\r?\nversion = "([^"]+)"/g) },
  {
    files: /\.(?:cs|fs|vb)proj$|^packages\.config$|^directory\.(?:packages|build)\.props$/i,
    read: byText('nuget', /<(?:PackageReference|PackageVersion|package)\s+(?:Include|id|Update)="([^"]+)"\s+[Vv]ersion="([^"]+)"/g, (name) => name.toLowerCase()),
  },
]; // biome-ignore format: a table

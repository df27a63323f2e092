// Which files are read as data, and for which words; the readers themselves are loaded when one is met.
import type { FrontendEntry } from '../frontend.ts';

const load = () => import('./index.ts');

/** Words of which a configuration file that matters has one. */
const CONFIGURATION = [
  'postgres', 'Postgres', 'POSTGRES', 'postgis', 'pgsql', 'pgvector', 'timescale', 'mysql', 'mariadb', 'sqlite', 'sqlserver',
  'oracle', 'savepoint', 'SAVEPOINT', 'Savepoint', 'SavePoint', 'ON_ERROR_ROLLBACK', 'Protocol', 'protocol', 'A1=',
  'psqlodbc', 'edb_stmt_level_tx', 'babelfish', 'pg_statement_rollback', 'TransactionErrorBehavior',
  'autosave', 'AUTOSAVE', 'executeInTransaction', 'execute-in-transaction', 'databaseChangeLog',
]; // biome-ignore format: words

/** Programs in languages that no front end reads: only their switches are looked for. */
const SWITCHES = [
  'ON_ERROR_ROLLBACK', 'auto_savepoint', 'use_savepoints', 'NestTransactionsWithSavepoints', 'enableSavepoint',
  'useSavepoints', 'enableSavePoints', 'AutoSavepointsEnabled', 'EnableNested', 'pg_statement_rollback', 'edb_stmt_level_tx',
  'psqlodbc', 'Driver={Postgre', 'DRIVER={Postgre', 'Driver=Postgre', 'POSTGRES_VERSION', 'FROM postgres', 'FROM postgis',
]; // biome-ignore format: words

/** In Java's configuration and build files. */
const JVM = [
  'autosave', 'AUTOSAVE', 'jdbc:', 'TransactionManager', 'autoSave', 'executeInTransaction', 'execute-in-transaction', 'databaseChangeLog',
]; // biome-ignore format: words
const JVM_BUILD = [
  ...JVM,
  'postgresql',
  'mysql',
  'mariadb',
  'sqlserver',
  'oracle',
  'sqlite',
  'data-jpa',
  'hibernate',
  'exposed',
  'jooq',
  'spring',
];

export const settings: FrontendEntry[] = [
  {
    language: 'settings',
    files:
      /^(?:(?:requirements|constraints|dev-requirements|test-requirements)[\w.-]*\.(?:txt|in)|pyproject\.toml|setup\.cfg|pipfile(?:\.lock)?|(?:poetry|uv|pdm|cargo|gemfile|composer|yarn)\.lock|gemfile|gems\.(?:rb|locked)|[^/]+\.gemspec|composer\.json|package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.mod|cargo\.toml|[^/]+\.(?:cs|fs|vb)proj|packages\.config|directory\.(?:packages|build)\.props)$/i,
    needles: [],
    load,
  },
  {
    language: 'settings',
    files:
      /(?:\.(?:ya?ml|env|toml|ini|cfg|conf|tf|tfvars|prisma|dsn)$|^\.env|^(?:app|appsettings[\w.]*)\.json$|^(?:procfile|\.tool-versions)$|^(?:database|db)\.php$)/i,
    needles: CONFIGURATION,
    load,
  },
  {
    language: 'settings',
    files:
      /(?:\.(?:sh|bash|zsh|ksh|mk|php|pl|pm|cs|vb|fs|dfm|pas)$|^(?:gnu)?makefile|^(?:containerfile|dockerfile)|^(?:justfile|crontab|\.bashrc|\.bash_profile|\.profile)$)/i,
    needles: SWITCHES,
    load,
  },
  {
    language: 'settings',
    files: /^(?:pom\.xml|[\w.-]*\.gradle(?:\.kts)?|build\.sbt)$/i,
    needles: JVM_BUILD,
    load,
  },
  {
    language: 'settings',
    files: /\.(?:properties|xml)$/i,
    needles: JVM,
    load,
  },
];

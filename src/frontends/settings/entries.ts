// Which files are read as data, and for which words; the readers themselves are loaded when one is met.
import type { FrontendEntry } from '../frontend.ts';

const load = () => import('./index.ts');

/** Words of which a configuration file that matters has one. */
const CONFIGURATION = [
  'postgres', 'Postgre', 'POSTGRES', 'postgis', 'pgsql', 'pgvector', 'timescale', 'mysql', 'mariadb', 'sqlite', 'sqlserver',
  'oracle', 'savepoint', 'SAVEPOINT', 'Savepoint', 'SavePoint', 'ON_ERROR_ROLLBACK', 'Protocol', 'protocol', 'A1=',
  'psqlodbc', 'edb_stmt_level_tx', 'babelfish', 'pg_statement_rollback', 'TransactionErrorBehavior',
  'autosave', 'AUTOSAVE', 'executeInTransaction', 'execute-in-transaction', 'databaseChangeLog',
  'amRiYzpw', // `jdbc:p` in the Base64 of Kubernetes' Secrets
]; // biome-ignore format: words

/** Programs in languages that no front end reads: only their switches are looked for. */
const SWITCHES = [
  'ON_ERROR_ROLLBACK', 'auto_savepoint', 'use_savepoints', 'NestTransactionsWithSavepoints', 'enableSavepoint',
  'useSavepoints', 'useSavePoints', 'enableSavePoints', 'AutoSavepointsEnabled', 'EnableNested', 'pg_statement_rollback', 'edb_stmt_level_tx',
  'psqlodbc', 'ODBC.INI', 'Driver={Postgre', 'DRIVER={Postgre', 'Driver={{Postgre', 'Driver=Postgre', 'Driver = Postgre', 'Driver = "Postgre', 'driver = "Postgre', 'driver="Postgre', 'POSTGRES_VERSION', 'FROM postgres', 'FROM postgis',
  'autosave', 'AUTOSAVE',
]; // biome-ignore format: words

/** What programs with a front end of their own hand to psql and to ODBC. */
export const handedOver = [
  'ON_ERROR_ROLLBACK',
  'Driver={',
  'DRIVER={',
  'driver="Postgre',
  'pyodbc',
  'jdbc:postgresql',
];

/** What pgjdbc calls it; a screen that knows case looks for each. */
const AUTOSAVE = ['autosave', 'AUTOSAVE', 'Autosave'];
/** In Java's configuration and build files. */
const JVM = [
  ...AUTOSAVE, 'jdbc:', 'TransactionManager', 'executeInTransaction', 'execute-in-transaction', 'databaseChangeLog',
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
  'micronaut',
];

export const settings: FrontendEntry[] = [
  {
    language: 'settings',
    files:
      /^(?:(?:requirements|constraints|dev-requirements|test-requirements)[\w.-]*\.(?:txt|in)|(?:base|common|main|default|all|app|web|server|prod(?:uction)?|deploy|dev(?:el(?:opment)?)?|local|ci|tests?|testing|postgres(?:ql)?|mysql|mariadb)\.(?:txt|in)|pyproject\.toml|setup\.cfg|pipfile(?:\.lock)?|(?:poetry|uv|pdm|cargo|gemfile|composer|yarn)\.lock|gemfile|gems\.(?:rb|locked)|[^/]+\.gemspec|composer\.json|package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.mod|cargo\.toml|[^/]+\.(?:cs|fs|vb)proj|packages\.config|directory\.(?:packages|build)\.props)$/i,
    needles: [],
    load,
  },
  {
    language: 'settings',
    files:
      /(?:\.(?:ya?ml|env|toml|ini|cfg|conf|tf|tfvars|prisma|dsn|service)$|^\.env|^(?:app|appsettings[\w.]*)\.json$|^(?:procfile|\.tool-versions)$|^(?:database|db)\.php$)/i,
    needles: CONFIGURATION,
    load,
  },
  {
    language: 'settings',
    files:
      /(?:\.(?:sh|bash|zsh|ksh|fish|bat|cmd|ps1|mk|php|pl|pm|psgi|cs|vb|bas|fs|dfm|pas|r|rmd|nix|udl|dtsx|reg)$|^(?:web|app)[\w.]*\.config$|^(?:gnu)?makefile|^(?:containerfile|dockerfile|jenkinsfile)|^(?:justfile|crontab|earthfile|vagrantfile|cmakelists\.txt|meson\.build|\.bash\w+|\.z\w+|\.profile)$|^[^.]*(?:entrypoint|start|run|setup|load|import|deploy|migrate|restore|bootstrap|install|release|seed|backup|psql|db|console|update|reset|helper|pipeline)$)/i,
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
    // A bean may name its transactions' propagation, a mapper holds SQL, Gradle's own properties a version.
    needles: [...JVM, 'NESTED', 'propagationBehavior', '<mapper', '<bean ', 'savepoints', 'micronautVersion'],
    load,
  },
  {
    // Other languages of the JVM, and documents: what a sink is told stands in a file of any name.
    language: 'settings',
    files:
      /(?:\.(?:scala|sc|groovy|clj|cljc|edn|cli|hcl|nomad|bicep|(?:jsonn|libsonn)et|k[jt][br])$|^jvm\.config$|^_helpers$|(?<!^subxact[\w-]*)\.json[5c]?$)/i,
    needles: [...AUTOSAVE, 'Driver={Postgre', 'DRIVER={Postgre', 'databaseChangeLog'],
    load,
  },
];

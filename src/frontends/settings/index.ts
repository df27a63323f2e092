// Reads manifests, lock files and configuration of any language as data: packages, databases, settings. Runs nothing.
import { emptyUnit, type Unit } from '../../ir.ts';
import { isTestFile } from '../roles.ts';
import { lower as readChangeLog } from '../sql/tools/changelog.ts';
import { readFlyway } from '../sql/tools/plans.ts';
import { readBeans } from './beans.ts';
import { readBuild } from './builds.ts';
import { readDatabases } from './databases.ts';
import { readJdbc } from './jdbc.ts';
import { manifests } from './packages.ts';
import { deploying, isOfTests, withoutTests } from './profiles.ts';
import { readListed, readProgram } from './rails.ts';
import { readOdbcIni, readSavepoints } from './savepoints.ts';
import { withoutTemplate } from './template.ts';

interface Reader {
  /** By base name. */
  files: RegExp;
  /** Where such a file must stand. */
  folder?: RegExp;
  read(text: string, unit: Unit): void;
}

/** Every reader that knows the file reads it. */
const readers: Reader[] = [
  ...manifests,
  {
    files:
      /^(?:pom\.xml|[\w.-]*\.gradle|libs\.versions\.toml|build\.sbt|gradle\.properties)$|\.gradle\.kts$/i,
    read: readBuild,
  },
  {
    files:
      /\.(?:ya?ml|properties|xml|env|toml|conf|ini|cfg|json[5c]?|tf|tfvars|hcl|nomad|bicep|(?:jsonn|libsonn)et|sh|bat|cmd|ps1|service|cli|gradle|sbt|edn|clj|cljc|groovy|scala|sc|nix|r|rmd|k[jt][br])$|^jvm\.config$|^\.env|^_helpers$|^(?:containerfile|dockerfile|procfile|jenkinsfile)|^[^.]+$|\.gradle\.kts$/i,
    read: readJdbc,
  },
  {
    files: /\.sql\.conf$|flyway[^/]*\.(?:conf|toml|properties)$|^application[^/]*\.(?:properties|ya?ml)$/i,
    read: readFlyway,
  },
  { files: /\.xml$/i, read: readBeans },
  { files: /^database[\w.-]*\.ya?ml$/i, read: readListed },
  { files: /^\.?odbc(?:inst)?\.ini$|\.(?:dsn|reg)$/i, read: readOdbcIni },
  {
    files:
      /\.(?:ya?ml|env|toml|ini|cfg|conf|tf|tfvars|prisma)$|^\.env|^(?:app|appsettings[\w.]*|local)\.json$|^(?:containerfile|dockerfile|procfile|\.tool-versions)|^(?:database|db)\.php$/i,
    read: readDatabases,
  },
  // Behind what reads the databases, for it says whose those are.
  { files: /^database[\w.-]*\.ya?ml$/i, folder: /(?:^|\/)config\/[^/]+$/, read: readProgram },
  {
    files:
      /\.(?:sh|bash|zsh|ksh|fish|bat|cmd|ps1|service|mk|ya?ml|env|toml|ini|cfg|conf|dsn|udl|dtsx|psqlrc|php|pl|pm|psgi|t|cs|vb|bas|fs|xml|config|dfm|pas|tf|r|rmd|nix|txt)$|^\.env|^(?:gnu)?makefile|^(?:containerfile|dockerfile|justfile|procfile|crontab|jenkinsfile|meson\.build)|^\.(?:bash|z)\w+$|^\.profile$|^[^.]+$|\.json$/i,
    read: readSavepoints,
  },
];

/** `.env.example`, `odbc.ini.dist`: what people copy and then fill in. Other templates are filled in when they are put to use. */
const EXAMPLE =
  /(^|\/)(examples?|samples?|docs?)\/|(?:^|[/._-])(?:example|sample|dist)(?:\.\w+)?$|(?:^|\/)\.?env[^/]*\.(?:template|tmpl|defaults?)$/i;

export function lower(file: string, written: string): Unit {
  const text = withoutTests(file, written);
  if (text.includes('databaseChangeLog') && /\.(?:xml|ya?ml|json)$/i.test(file))
    return readChangeLog(file, text);
  const unit = emptyUnit(file, 'settings');
  const base = withoutTemplate(file.slice(file.lastIndexOf('/') + 1));
  if (isTestFile(file, text) || isOfTests(file)) unit.role = 'test';
  else if (EXAMPLE.test(file)) unit.role = 'example';
  for (const { files, folder, read } of readers)
    if (files.test(base) && (!folder || folder.test(file))) read(text, unit);
  if (unit.role === 'test' && unit.settings.length > 0) {
    const deploys = deploying(file, text);
    for (const setting of unit.settings) if (deploys(setting.at.start)) setting.role = 'product';
  }
  return unit;
}

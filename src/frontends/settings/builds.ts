// Build files of the JVM as data: packages, and the database that a driver speaks to. It evaluates no build.
import type { Package, Unit } from '../../ir.ts';
import { withoutComments } from './comments.ts';
import { type Line, matches, spanIn } from './lines.ts';

const GROUP_AND_NAME = /["'(]([\w.-]+\.[\w.-]+|junit|mysql|postgresql):([\w.-]+)(?::([\w.+-]+))?["')]/g;
const DEPENDENCY =
  /<dependency>\s*(?:<!--[^>]*-->\s*)*<groupId>\s*([\w.${}-]+)\s*<\/groupId>\s*<artifactId>\s*([\w.${}-]+)\s*<\/artifactId>(?:\s*<version>\s*([^<\s]+)\s*<\/version>)?/g;
const CATALOG =
  /\b(?:module\s*=\s*"([\w.-]+):([\w.-]+)"|group\s*=\s*"([\w.-]+)"\s*,\s*name\s*=\s*"([\w.-]+)")/g;

/** `mysql = { module = "com.mysql:mysql-connector-j", … }` */
const LISTED =
  /^[ \t]*([\w.-]+)[ \t]*=[ \t]*(?:\{[^}\n]*?\b(?:module\s*=\s*"([\w.-]+):|group\s*=\s*"([\w.-]+)"[^}\n]*?\bname\s*=\s*")([\w.-]+)"|"([\w.-]+\.[\w.-]+):([\w.-]+):[^"\n]*")/gm;
/** `runtimeOnly(libs.mysql)`: those that are called as databases are. */
const BY_NAME =
  /(?<![\w.])libs\.((?:\w+\.)*\w*(?:postgres|pgjdbc|mysql|maria|oracle|ojdbc|mssql|sqlserver|jdbc|sqlite|db2|driver)\w*(?:\.\w+)*)/gi;

const PATTERNS = [DEPENDENCY, GROUP_AND_NAME, CATALOG];
/** Of sbt: `"org.postgresql" % "postgresql" % "42.7.2"` */
const BY_PERCENT = /"([\w.-]+)"\s*%%?\s*"([\w.-]+)"(?:\s*%\s*"([\w.+-]+)")?/g;

const DATABASES: [RegExp, string][] = [
  [
    /^(?:org\.)?postgresql:|^io\.r2dbc:r2dbc-postgresql|vertx-pg-client|quarkus-(jdbc|reactive)-p(ostgresql|g-client)|^org\.testcontainers:(?:testcontainers-)?postgresql$/,
    'postgresql',
  ],
  [
    /^(com\.)?mysql:|^org\.mariadb\.jdbc:|:mysql-binlog-connector-java$|^org\.testcontainers:(?:testcontainers-)?(?:mysql|mariadb)$/,
    'mysql',
  ],
  [/^com\.oracle(?:\.database\.jdbc|\.ojdbc|:ojdbc)/, 'oracle'],
  [/^com\.microsoft\.sqlserver:/, 'sqlserver'],
  [/^org\.xerial:sqlite-jdbc/, 'sqlite'],
  [/^com\.ibm\.db2:/, 'db2'],
];
/** Spring Boot makes JPA's transaction manager the only one. */
const JPA =
  /^org\.springframework\.boot:spring-boot-starter-data-jpa$|^org\.springframework\.data:spring-data-jpa$/;

/** It asks Spring's transaction manager for one that nests. */
const JOOQ = /^org\.springframework\.boot:spring-boot-starter-jooq$/;
const NESTING = [
  { pattern: JPA, value: 'false', of: 'spring' },
  { pattern: JOOQ, value: 'true', of: "Spring Boot's jOOQ" },
];

/** What comes in the version of a platform, which is all that builds name: from which platform on it is which. */
const MICRONAUT = {
  name: 'maven:io.micronaut.data:micronaut-data-tx',
  from: [4, 10, 17],
  is: '4.14.4',
  before: '4.14.3',
};
const MICRONAUT_VERSION =
  /\bmicronaut(?:-platform|[-.]?[vV]ersion)?["']?\s*[=>]\s*["']?(\d+\.\d+\.\d+)|micronaut-(?:parent<\/artifactId>\s*<version>|platform:)(\d+\.\d+\.\d+)|\bmicronaut\s*\{[^}]*?\bversion(?:\.set)?[\s(=]+["'](\d+\.\d+\.\d+)/g;

/** Maven's and Gradle's dependencies: packages, the database that a driver speaks to. */
export function readBuild(written: string, unit: Unit): void {
  const text = withoutComments(unit.file, written);
  for (const match of matches(text, LISTED)) listed(unit, text, match);
  for (const match of matches(text, BY_NAME)) named(unit, text, match);
  if (text.includes('micronaut')) readPlatform(text, unit);
  for (const pattern of text.includes('" %') ? [...PATTERNS, BY_PERCENT] : PATTERNS)
    for (const match of matches(text, pattern)) {
      const group = match[1] ?? match[3]!;
      const name = match[1] ? match[2]! : match[4]!;
      const said = pattern === CATALOG ? undefined : match[3];
      dependency(unit, `${group}:${name}`, version(said, text), { text, start: 0 }, match);
    }
}

const aliasOf = (name: string) => name.replaceAll(/[_.]/g, '-').toLowerCase();
const MEANS = Object.fromEntries(DATABASES.map(([, value]) => [value, 'uses database' as const]));

/** What a catalog calls a driver. */
function listed(unit: Unit, text: string, match: RegExpExecArray): void {
  const name = `${match[2] ?? match[3] ?? match[5]}:${match[4] ?? match[6]}`;
  const value = DATABASES.find(([pattern]) => pattern.test(name))?.[1];
  if (value === undefined) return;
  const at = spanIn({ text, start: 0 }, match);
  unit.settings.push({ at, key: aliasOf(match[1]!), value, effect: 'is said here', of: 'catalog' });
}

/** A driver by that name. */
function named(unit: Unit, text: string, match: RegExpExecArray): void {
  unit.settings.push({
    at: spanIn({ text, start: 0 }, match),
    key: match[0],
    value: aliasOf(match[1]!),
    effect: 'is said by another',
    of: isOfTests('', text, match) ? 'test driver' : 'driver',
    means: MEANS,
    languages: ['java', 'kotlin'],
  });
}

function dependency(
  unit: Unit,
  name: string,
  found: string | null,
  line: Line,
  match: RegExpExecArray,
): void {
  const at = spanIn(line, match);
  if (found) {
    const made: Package = { name: `maven:${name}`, version: found, exact: true };
    unit.packages.push(made);
    // All of it is released at once.
    if (name.startsWith('io.micronaut.data:')) unit.packages.push({ ...made, name: MICRONAUT.name });
  }
  const database = DATABASES.find(([pattern]) => pattern.test(name))?.[1];
  if (database)
    unit.settings.push({
      at,
      key: name,
      value: database,
      effect: 'uses database',
      of: isOfTests(name, line.text, match) ? 'test driver' : 'driver',
      languages: ['java', 'kotlin'],
    });
  for (const { pattern, value, of } of NESTING)
    if (pattern.test(name))
      unit.settings.push({
        at,
        key: name.slice(name.indexOf(':') + 1),
        value,
        effect: 'nested transactions open savepoints',
        of,
      });
}

/** What tests run on besides says nothing of what a module speaks to. */
function isOfTests(name: string, text: string, { index, 0: found }: RegExpExecArray): boolean {
  if (name.startsWith('org.testcontainers:')) return true;
  const end = index + found.length;
  if (found.startsWith('<')) return /<scope>\s*test\s*<\/scope>/.test(dependencyOf(text, end));
  return /\b(?:test|\w+Test)[A-Z]\w*[\s(]*$/.test(text.slice(text.lastIndexOf('\n', index) + 1, index));
}

/** What stands in the tag behind its name. */
const dependencyOf = (text: string, from: number): string => {
  const end = text.indexOf('</dependency>', from);
  return end < 0 ? '' : text.slice(from, end);
};

function readPlatform(text: string, unit: Unit): void {
  const [found] = matches(text, MICRONAUT_VERSION);
  if (!found) return;
  const numbers = (found[1] ?? found[2] ?? found[3]!).split('.').map(Number);
  const at = MICRONAUT.from.findIndex((number, i) => number !== numbers[i]);
  const isFrom = at < 0 || numbers[at]! > MICRONAUT.from[at]!;
  unit.packages.push({
    name: MICRONAUT.name,
    version: isFrom ? MICRONAUT.is : MICRONAUT.before,
    exact: false,
  });
}

/** `${postgresql.version}` is a property of the same file. */
function version(said: string | undefined, text: string): string | null {
  const property = said && /^\$\{([\w.-]+)\}$/.exec(said)?.[1];
  if (!property) return said && /^\d/.test(said) ? said : null;
  const start = text.indexOf(`<${property}>`);
  return start < 0
    ? null
    : (/^\s*(\d[\w.-]*)/.exec(text.slice(start + property.length + 2, start + property.length + 60))?.[1] ??
        null);
}

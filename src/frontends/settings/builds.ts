// Build files of the JVM as data: packages, and the database that a driver speaks to. It evaluates no build.
import type { Package, Unit } from '../../ir.ts';
import { type Line, matches, spanIn } from './lines.ts';

const GROUP_AND_NAME = /["'(]([\w.-]+\.[\w.-]+|junit):([\w.-]+)(?::([\w.+-]+))?["')]/g;
const DEPENDENCY =
  /<dependency>\s*(?:<!--[^>]*-->\s*)*<groupId>\s*([\w.${}-]+)\s*<\/groupId>\s*<artifactId>\s*([\w.${}-]+)\s*<\/artifactId>(?:\s*<version>\s*([^<\s]+)\s*<\/version>)?/g;
const CATALOG =
  /\b(?:module\s*=\s*"([\w.-]+):([\w.-]+)"|group\s*=\s*"([\w.-]+)"\s*,\s*name\s*=\s*"([\w.-]+)")/g;

const DATABASES: [RegExp, string][] = [
  [
    /^org\.postgresql:|^io\.r2dbc:r2dbc-postgresql|vertx-pg-client|quarkus-(jdbc|reactive)-p(ostgresql|g-client)|^org\.testcontainers:(?:testcontainers-)?postgresql$/,
    'postgresql',
  ],
  [
    /^(com\.)?mysql:|^org\.mariadb\.jdbc:|:mysql-binlog-connector-java$|^org\.testcontainers:(?:testcontainers-)?(?:mysql|mariadb)$/,
    'mysql',
  ],
  [/^com\.oracle\.database\.jdbc:/, 'oracle'],
  [/^com\.microsoft\.sqlserver:/, 'sqlserver'],
  [/^org\.xerial:sqlite-jdbc/, 'sqlite'],
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

/** Maven's and Gradle's dependencies: packages, the database that a driver speaks to. */
export function readBuild(text: string, unit: Unit): void {
  for (const pattern of [DEPENDENCY, GROUP_AND_NAME, CATALOG])
    for (const match of matches(text, pattern)) {
      const group = match[1] ?? match[3]!;
      const name = match[1] ? match[2]! : match[4]!;
      const said = pattern === CATALOG ? undefined : match[3];
      dependency(unit, `${group}:${name}`, version(said, text), { text, start: 0 }, match);
    }
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
  }
  const database = DATABASES.find(([pattern]) => pattern.test(name))?.[1];
  if (database)
    unit.settings.push({
      at,
      key: name,
      value: database,
      effect: 'uses database',
      of: 'driver',
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

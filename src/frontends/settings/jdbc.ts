// Settings of Java's driver and frameworks in properties, YAML, XML, environments and build files. Not code.
import type { Package, Setting, Unit } from '../../ir.ts';
import { autosaveSetting, urlSettings } from '../jvm/url.ts';
import { plain } from '../source.ts';
import { type Line, lines, matches, spanIn } from './lines.ts';

/** `autosave` as a key: relaxed spellings, environment variables, `<property name="autosave" value="always"/>`. */
const KEY =
  /(?:^|[\s"'<;,[({>.]|_|-[eD])((?:[\w.-]*[._-])?autosave)["'\]]*\s*(?:[:=]|,?\s*value\s*[:=]|\s*>|"?\s*,)\s*["']?(always|conservative)\b/gi;
const VALUE = /<value>\s*(always|conservative)\s*<\/value>/i;
const CLEANUP = /clean-?up-?savepoints["'\s]*(?:[:=>]|value\s*=)\s*["']?true/i;
/** Whose transactions cannot nest: NESTED throws under JPA's manager. */
const MANAGER =
  /org\.springframework\.(?:orm\.jpa\.(JpaTransactionManager)|orm\.hibernate5\.(HibernateTransactionManager)|jdbc\.datasource\.(DataSourceTransactionManager)|jdbc\.support\.(JdbcTransactionManager))/g;

export function readJdbc(text: string, unit: Unit): void {
  for (const setting of urlSettings(plain(text.replaceAll('&amp;', '&    ')))) unit.settings.push(setting);
  const releases = CLEANUP.test(text);
  let named: Line | null = null;
  for (const line of lines(text)) {
    for (const match of matches(line.text, KEY))
      add(unit, autosaveSetting(spanIn(line, match, 1), match[2]!, releases));
    // <entry key="autosave"><value>always</value></entry> over several lines
    const value = VALUE.exec(line.text);
    if (named && value) add(unit, autosaveSetting(spanIn(line, value, 1), value[1]!, releases));
    named = /(?:name|key)\s*=\s*"autosave"/.test(line.text) ? line : null;
    for (const match of matches(line.text, MANAGER)) {
      const jdbc = match[3] ?? match[4];
      unit.settings.push({
        at: spanIn(line, match),
        key: jdbc ?? match[1] ?? match[2]!,
        value: String(jdbc !== undefined),
        effect: 'nested transactions open savepoints',
        of: 'spring',
      });
    }
  }
}

function add(unit: Unit, setting: Setting | null): void {
  if (setting) unit.settings.push(setting);
}

// ---- build files

const GROUP_AND_NAME = /["'(]([\w.-]+\.[\w.-]+|junit):([\w.-]+)(?::([\w.+-]+))?["')]/g;
const DEPENDENCY =
  /<dependency>\s*(?:<!--[^>]*-->\s*)*<groupId>\s*([\w.${}-]+)\s*<\/groupId>\s*<artifactId>\s*([\w.${}-]+)\s*<\/artifactId>(?:\s*<version>\s*([^<\s]+)\s*<\/version>)?/g;
const CATALOG =
  /\b(?:module\s*=\s*"([\w.-]+):([\w.-]+)"|group\s*=\s*"([\w.-]+)"\s*,\s*name\s*=\s*"([\w.-]+)")/g;

const DATABASES: [RegExp, string][] = [
  [
    /^org\.postgresql:|^io\.r2dbc:r2dbc-postgresql|vertx-pg-client|quarkus-(jdbc|reactive)-p(ostgresql|g-client)/,
    'postgresql',
  ],
  [/^(com\.)?mysql:|^org\.mariadb\.jdbc:/, 'mysql'],
  [/^com\.oracle\.database\.jdbc:/, 'oracle'],
  [/^com\.microsoft\.sqlserver:/, 'sqlserver'],
  [/^org\.xerial:sqlite-jdbc/, 'sqlite'],
];
/** Spring Boot makes JPA's transaction manager the only one. */
const JPA =
  /^org\.springframework\.boot:spring-boot-starter-data-jpa$|^org\.springframework\.data:spring-data-jpa$/;

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
  if (database) unit.settings.push({ at, key: name, value: database, effect: 'uses database', of: 'driver' });
  if (JPA.test(name))
    unit.settings.push({
      at,
      key: name.slice(name.indexOf(':') + 1),
      value: 'false',
      effect: 'nested transactions open savepoints',
      of: 'spring',
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

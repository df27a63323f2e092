// What configuration files say of JDBC connections: URLs, pgjdbc's autosave by any name, Spring's transaction managers.
import type { Setting, Span, Unit } from '../../ir.ts';
import { autosaveOf, autosaveSetting, ELSEWHERE, urls } from '../jvm/texts/url.ts';
import { pieces, plain, type Source, span } from '../source.ts';
import { withoutComments } from './comments.ts';
import { matches } from './lines.ts';
import { nestedOf } from './nested.ts';
import { lineBefore, outlineOf } from './outline.ts';
import { isAskedFor, isSaid } from './spoken.ts';

/** The driver's key, which is case-sensitive, with what stands before it: `hibernate.connection.autosave`, `…_PROPERTIES_AUTOSAVE`. */
const KEY =
  /((?<![\w-][.:]?)(?:[\w-]+[.:])*(?:[\w-]*[_-])?(?:autosave|AUTOSAVE_?)|(?<!\w)Autosave)(?![\w-])/g;
const MODE = `["'|>\\s-]{0,40}(always|conservative|never)\\b`;
/** What stands between the key and its value. */
const AFTER = new RegExp(
  [
    // autosave=always, "autosave": "always", autosave => 'always', :autosave "always", ("autosave", "always"), "autosave" to "always"
    String.raw`["'\])]*\s*(?:[:=]>?|->|,|[ \t](?:to\b)?)${MODE}`,
    // name="autosave" value="always"; - name: X_AUTOSAVE, value: always; key = 'autosave'; value = 'always'
    String.raw`["']?\s*[,;]?\s*(?:\w+="[^"<>]*"\s*){0,4}["']?value["']?\s*[:=]${MODE}`,
    // <property name="autosave">always</property>, <entry key="autosave"><value>always
    String.raw`["'][^<>]{0,200}>\s*(?:<value>)?${MODE}`,
    // <autosave>always</autosave>
    `>${MODE}`,
    // <name>autosave</name><value>always</value>, <key><value>autosave</value></key><value>always</value>
    String.raw`\s*(?:<\/\w+>\s*){1,2}<\w+>${MODE}`,
    // variable "autosave" { default = "always" }
    String.raw`"\s*\{[^{}]{0,200}\bdefault\s*=${MODE}`,
    // autosave:add(value=always)
    String.raw`:add\(value\s*=${MODE}`,
    // AUTOSAVE.set(properties, "always")
    String.raw`\.set\(\s*[\w.]+\s*,\s*(?:\w+\.)*${MODE}`,
  ].join('|'),
  'iy',
);
const NAMED = new RegExp(String.raw`["'\])]*\s*[:=]\s*["']?(?:${ELSEWHERE})`, 'y');
const TURNED =
  /\bvalue\s*=\s*["'](always|conservative)["'][^<>]{0,200}?\b(?:name|key)\s*=\s*["']((?:[\w.-]*\.)?autosave)["']/gi;
/** `source.setAutosave(AutoSave.ALWAYS)`, in a language that nobody parses. */
const SETTER = /\b(setAutosave)\s*\(\s*(?:\w+\.)*(ALWAYS|CONSERVATIVE)\b/g;
/** Editors have an autosave too: somebody speaks of a database. */
const OF_A_DATABASE =
  /postgres|pgjdbc|pgsimple|jdbc|hibernate|hikari|data-?_?source|connection-?_?propert|persistence|\bdbtype\b/i;
const DATABASE_FILE = /pg|postgre|jdbc|hikari|hibernate|data-?source|persistence|-ds\.xml$|^db\b/i;
/** `DB_AUTOSAVE=always` for a URL that stands in another file. */
const SAYS_SO = /(?:^|[._-])(?:db|database|sql|pg|pool|connection)[._-](?:[\w.-]+[._-])?autosave$/i;
/** A key of somebody else: `editor.autosave`. */
const OF_OTHERS = /^(?:editor|files?|document|workspace|ide|game|app|ui|draft|form)s?[.:_-]/i;
const CLEANUP = /clean-?up-?savepoints["'\s]*(?:[:=>]|value\s*=)\s*["']?true/i;
/** Whose transactions cannot nest: NESTED throws under JPA's manager. */
const MANAGER =
  /org\.springframework\.(?:orm\.jpa\.(JpaTransactionManager)|orm\.hibernate5\.(HibernateTransactionManager)|transaction\.jta\.(JtaTransactionManager)|jdbc\.datasource\.(DataSourceTransactionManager)|jdbc\.support\.(JdbcTransactionManager))/g;

/** Where keys nest a bare one is the database's where its parents or its neighbours are, elsewhere where its first words say so. */
const NEAR =
  /propert|data-?_?source|jdbc|postgres|(?<![a-z])pg|hibernate|hikari|pool|database|(?<![a-z])db(?![a-z])|sql|connection|driver/i;
/** Not what XML has before a name. */
const PREFIX = /^.*[._-](?=autosave_?$)/i;
/** That what stands under somebody else's key is a database's all the same: `app.datasource.properties`. */
const SURELY = /data-?_?source|jdbc|postgres|hibernate|hikari|database|(?<![a-z])db(?![a-z])|sql|connection/i;
/** What ends before a parameter of a URL whose beginning stands elsewhere: `"?ssl=true&`. */
const QUERY = /(?:^|["'\s=])[^"'\s:]*[?&]$/;

/** `url: amRiYzpwb3N0Z3Jlc3Fs…` in a Secret of Kubernetes: `jdbc:p`, in Base64. */
const ENCODED =
  /^[ \t]+[\w.-]+:[ \t]*["']?(amRiYzpw(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?)/gm;

export function readJdbc(written: string, unit: Unit): void {
  const source = unescaped(unit.file, withoutComments(unit.file, written));
  const { text } = source;
  const lastOf = /\.properties\b/i.test(unit.file) ? lastIn(text) : () => true;
  const found = urls(source).map((one) =>
    lastOf(one.at.start) && !isSpoken(text, one.at.start) ? one : { ...one, settings: [] },
  );
  unit.settings.push(...found.flatMap(({ settings }) => settings));
  const base = unit.file.slice(unit.file.lastIndexOf('/') + 1);
  for (const match of matches(text, ENCODED)) {
    const at = span(source, match.index + match[0].length - match[1]!.length, match.index + match[0].length);
    const inside = urls(plain(atob(match[1]!))).flatMap(({ settings }) => settings);
    unit.settings.push(...inside.map((setting) => ({ ...setting, at })));
  }
  // H2 stands beside it, for tests.
  const isOfOthers =
    /jdbc:(?:mysql|mariadb|oracle|sqlserver|db2)/i.test(text) && !/postgres|pgsql|pgjdbc/i.test(text);
  if (!isOfOthers)
    readKeys(source, unit, found, lastOf, OF_A_DATABASE.test(text) || DATABASE_FILE.test(base));
  for (const match of matches(text, MANAGER)) {
    const jdbc = match[4] ?? match[5];
    unit.settings.push({
      at: span(source, match.index, match.index + match[0].length),
      key: jdbc ?? match[1] ?? match[2] ?? match[3]!,
      value: String(jdbc !== undefined),
      effect: 'nested transactions open savepoints',
      of: 'spring',
    });
  }
}

const isSpoken = (text: string, place: number) => isAskedFor(text, place) || isSaid(text, place);

/** XML's, JSON's, and what Java writes into properties, `\:` and `\=`. */
const ESCAPED = /&amp;|\\u0026|\\u003[df]/gi;
const ESCAPED_PROPERTY = /&amp;|\\u0026|\\u003[df]|\\(?=[:=])/gi;
const PLAIN: Record<string, string> = {
  '&amp;': '&',
  '\\u0026': '&',
  '\\u003d': '=',
  '\\u003f': '?',
  '\\': '',
};

function unescaped(file: string, text: string): Source {
  const found = matches(text, /\.properties\b/i.test(file) ? ESCAPED_PROPERTY : ESCAPED);
  if (found.length === 0) return plain(text);
  const parts: { text: string; start: number; end: number }[] = [];
  let start = 0;
  for (const { index, 0: written } of found) {
    const end = index + written.length;
    parts.push({ text: text.slice(start, index), start, end: index });
    parts.push({ text: PLAIN[written.toLowerCase()]!, start: index, end });
    start = end;
  }
  return pieces([...parts, { text: text.slice(start), start, end: text.length }]);
}

function readKeys(
  source: Source,
  unit: Unit,
  urls: { at: Span }[],
  lastOf: (place: number) => boolean,
  ofDatabase: boolean,
): void {
  const { text } = source;
  const base = unit.file.slice(unit.file.lastIndexOf('/') + 1);
  const isYaml = /\.ya?ml\b/i.test(unit.file);
  const releases = CLEANUP.test(text);
  const nested = isYaml ? outlineOf(text) : nestedOf(unit.file, text);
  const above = (at: number) => nested?.keysAbove(at) ?? [];
  const inUrl = within(urls);
  const add = (start: number, key: string, mode: string, name?: string) => {
    const saysSo = () => SAYS_SO.test([...above(start), key].join('.'));
    if (!ofDatabase && !saysSo() && !isParameter(lineBefore(text, start), above(start))) return false;
    if (OF_OTHERS.test(key) || inUrl(start) || isSpoken(text, start)) return false;
    const prefix = PREFIX.exec(key)?.[0];
    if (prefix !== undefined && !NEAR.test(prefix) && !NEAR.test(above(start).join('.'))) return false;
    if (nested && key === 'autosave') {
      const path = above(start).join('.');
      const isNear = NEAR.test(nested.around(start)) || (!isYaml && DATABASE_FILE.test(base));
      if (!isNear || (OF_OTHERS.test(path) && !SURELY.test(path))) return false;
    }
    const at = span(source, start, start + key.length);
    const setting: Setting | null = name
      ? autosaveOf(at, name, releases)
      : autosaveSetting(at, mode, releases);
    if (setting) unit.settings.push(setting);
    return setting !== null;
  };
  for (const { index, 0: whole, 1: key } of /autosave/i.test(text) ? matches(text, KEY) : []) {
    if (!lastOf(index)) continue;
    AFTER.lastIndex = NAMED.lastIndex = index + whole.length;
    const mode = AFTER.exec(text)?.slice(1).find(Boolean) ?? '';
    const name = NAMED.exec(text)?.slice(1).find(Boolean);
    // Terraform's variables are used by another line, which is told.
    const isVariable = /\bvariable\s+"$/.test(text.slice(Math.max(0, index - 30), index));
    // Nobody reads a variable that is called so and no more, but who says its name elsewhere.
    const isBare =
      /^AUTOSAVE_?$/.test(key!) &&
      !text.startsWith('${', index - 2) &&
      !text.startsWith('.set(', index + whole.length);
    if ((!mode && !name) || (!isVariable && !isBare && add(index, key!, mode, name)) || !mode) continue;
    // What stands in `${AUTOSAVE:always}` is so where nobody says anything.
    if (text.startsWith('${', index - 2) || inUrl(index)) continue;
    const said = isYaml ? [...above(index), key].join('.') : key!;
    const at = span(source, index, index + whole.length);
    unit.settings.push({ at, key: said, value: mode.toLowerCase(), effect: 'is said here', of: 'pgjdbc' });
  }
  for (const match of matches(text, SETTER)) add(match.index, match[1]!, match[2]!);
  for (const match of matches(text, TURNED))
    add(match.index + match[0].lastIndexOf(match[2]!), match[2]!, match[1]!);
}

/** Of several lines with one key the last one counts; a document of its own, `#---`, may be for another profile. */
function lastIn(text: string): (at: number) => boolean {
  if (/\bon-profile\b|\bspring\.profiles\b/.test(text)) return () => true;
  const last = new Map<string, number>();
  for (const { index, 1: key } of matches(text, LINE)) last.set(key!, index);
  return (at) => {
    const start = text.lastIndexOf('\n', at - 1) + 1;
    const key = KEY_OF_LINE.exec(text.slice(start, start + LONGEST_KEY))?.[1];
    return key === undefined || (last.get(key) ?? start) <= start;
  };
}

const LINE = /^[ \t]*([\w.-]+)[ \t]*[=:]/gm;
const KEY_OF_LINE = new RegExp(LINE.source);
const LONGEST_KEY = 300;

/** `KC_DB_URL_PROPERTIES=?autosave=always` */
function isParameter(before: string, above: string[]): boolean {
  return QUERY.test(before) && SURELY.test([...above, before].join('\n'));
}

/** Whether a place is in one of these, which do not overlap. */
function within(spans: { at: Span }[]): (at: number) => boolean {
  const sorted = spans.map(({ at }) => at).sort((a, b) => a.start - b.start);
  return (at) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.start <= at) low = middle + 1;
      else high = middle;
    }
    return low > 0 && at < sorted[low - 1]!.end;
  };
}

// Settings of the PostgreSQL driver that Java and Kotlin code sets, and which database it names: in connection URLs and in calls.

import type { Setting } from '../../../ir.ts';
import { span } from '../../source.ts';
import { OWN_CONNECTIONS } from '../calls/connections.ts';
import { word } from '../calls/meaning.ts';
import type { Constants } from '../names/scope.ts';
import type { Call, Node } from '../syntax/syntax.ts';
import { textOf } from '../texts/text.ts';
import { autosaveSetting, databaseNamed, urls } from '../texts/url.ts';

/**
 * A parameter without its URL: `"&autosave=always"`, `"ssl=true;autosave=always"`, `"…data-source-properties.autosave=always"`,
 * `BASE + "?autosave=always"`, `Keys.URL + "autosave=always"`.
 */
const PARAMETER =
  /^(?:[^\s;&]+[;&]|#\{\}\??|[?&]|[\w.-]*\.)?(?:[^\s]*[;&])?(autosave)=(always|conservative)\b\S*$/i;
/** What holds where nothing else is said: `@Value("${db.autosave:always}")`. */
const PLACEHOLDER = /^\$\{(?:[\w.-]*[._-])?(?:autosave|AUTOSAVE)(:(always|conservative))\}$/;
/** The end of a URL whose beginning is appended elsewhere. */
const REST = /^(?:[^\s?]*\?)(?:[^\s]*[;&])?(autosave)=(always|conservative)\b\S*$/i;

/** Whether a file may set anything at all: most do not, and their texts and calls are not looked at. */
export const maySet = (text: string): boolean =>
  /jdbc:|autosave|nestedTransactions|nestedUseSavepoint|TransactionManager|TransactionProvider|NestedTransactionAllowed|AwareDataSource|SQLDialect/i.test(
    text,
  );

/** `speaksOfJdbc`: the file has the beginning of a PostgreSQL URL. */
export function textSettings(node: Node, constants: Constants, speaksOfJdbc: boolean): Setting[] {
  const source = textOf(node, constants);
  if (!source) return [];
  if (source.text.includes('jdbc:')) return urls(source).flatMap(({ settings }) => settings);
  if (source.text.length > 500) return [];
  const placed = PLACEHOLDER.exec(source.text);
  if (placed) {
    const start = placed.index + placed[0].indexOf(placed[1]!);
    const setting = autosaveSetting(span(source, start, start + placed[1]!.length), placed[2]!, false);
    return setting ? [setting] : [];
  }
  const said = PARAMETER.exec(source.text) ?? (speaksOfJdbc ? REST.exec(source.text) : null);
  if (!said) return [];
  const start = source.text.lastIndexOf(said[1]!);
  const setting = autosaveSetting(span(source, start, start + said[1]!.length), said[2]!, false);
  return setting ? [setting] : [];
}

/** They ask for a text and set none; the second one that `replace` has is what comes. */
const ASKS =
  /^(?:(?:does)?(?:not)?contains?\w*|(?:starts|ends)With|(?:last)?indexOf|matches|equals\w*|is(?:Not)?EqualTo\w*|assert\w*|should\w*|replace\w*|remove\w*)$/i;

const URL_SET = /(?:\bset(?:Jdbc)?U(?:rl|RL)\s*\(|\bjdbcUrl\s*=)\s*"jdbc:(\w+)/g;

/** `config.setJdbcUrl("jdbc:mysql:…")` just before: the pool of another database, of which there may be more in a file. */
function ofOthers(node: Call, text: string): boolean {
  const before = text.slice(Math.max(0, node.start - 1500), node.start);
  const last = [...before.matchAll(URL_SET)].at(-1);
  return last !== undefined && databaseNamed(last[1]!) !== 'postgresql' && databaseNamed(last[1]!) !== null;
}

/** What a call asks for: `url.contains("autosave=always")`. */
export const askedFor = ({ name, arguments: given }: Call): Node[] =>
  ASKS.test(name) ? given.slice(0, name.startsWith('replace') ? 1 : undefined).map(({ value }) => value) : [];

const SETTERS =
  /^(set|put|setProperty|putIfAbsent|add|addProperty|addDataSourceProperty|addConnectionProperty|to|of|entry|ofEntries|property|jdbcProperty|option|set\w*Property|with|with\w*Param|queryParam|computeIfAbsent)$/;
/** The key by any door: the driver's own, Hibernate's, a pool's. */
const KEY =
  /^(?:[\w.-]*(?:hibernate\.connection|propert(?:y|ies)|data-?source|database|driver)\.)?autosave$/i;

/** Forms and editors have a `setAutosave` too. */
const OF_PGJDBC = /org\.postgresql|\bPG[A-Z]\w*|jdbc:postgresql/;
/** Who sets a property of a connection says something of one, in the same file. */
const OF_A_DATABASE =
  /postgres|pgsql|\bPG[A-Z]\w*|\b[jt]dbc|java\.sql|javax\.sql|data-?_?source|hibernate|hikari|persistence|exposed|jooq|database|driver|["'](?:user|username|password)["']/i;

/** `props.setProperty("autosave", "always")`, `source.setAutosave(AutoSave.ALWAYS)`, `PGProperty.AUTOSAVE.set(props, "always")`. */
export function callSetting(node: Call, constants: Constants, text: string): Setting | null {
  const said = (value: Node | undefined): string | null => {
    if (!value) return null;
    if (value.kind === 'lambda') return said(value.body);
    let inner: Node = value;
    // AutoSave.ALWAYS.name().toLowerCase(), AutoSave.of("always")
    while (inner.kind === 'call' && inner.object)
      if (/^(?:value|name|toString|toLowerCase|lowercase)$/.test(inner.name)) inner = inner.object;
      else if (/^(?:of|valueOf)$/.test(inner.name) && inner.arguments[0]) inner = inner.arguments[0].value;
      // What holds where nothing else is said.
      else if (/^(?:getOrDefault|getProperty|orElse)$/.test(inner.name) && inner.arguments.length > 0)
        inner = inner.arguments.at(-1)!.value;
      else break;
    return textOf(inner, constants)?.text ?? word(inner);
  };
  const given = node.arguments.map(({ value }) => value);
  const name = node.name.slice(node.name.lastIndexOf('.') + 1); // `new` may have the whole path
  if (Object.hasOwn(NESTING, name)) return nesting(node.at, name, said(given[NESTING[name]!.said ?? 0]));
  const named = DIALECTS.test(node.name) ? dialect(given) : null;
  if (named) return named;
  if (node.name === 'setAutosave') return OF_PGJDBC.test(text) ? autosave(node, said(given[0])) : null;
  if (!SETTERS.test(node.name) || given.length < 1) return null;
  const { object } = node;
  const value = (): Node | undefined => {
    if (object && word(object) === 'AUTOSAVE') return given[1];
    if (node.name === 'to' && object && KEY.test(said(object) ?? '')) return given[0];
    // Map.of takes as many pairs as one likes.
    for (let i = 0; i + 1 < given.length; i += 2)
      if (isKey(given[i]!, said)) return ofOthers(node, text) ? undefined : given[i + 1];
    return undefined;
  };
  const setting = autosave(node, said(value()));
  return setting && OF_A_DATABASE.test(text) ? setting : null;
}

/** jOOQ's statements are made for this one: `DSL.using(connection, SQLDialect.MYSQL)`, `configuration.set(SQLDialect.H2)`. */
const DIALECTS = /^(?:using|set|derive|setSQLDialect|DefaultDSLContext)$/;

function dialect(given: Node[]): Setting | null {
  for (const one of given) {
    if (one.kind !== 'member' || word(one.object) !== 'SQLDialect') continue;
    const value = databaseNamed(one.name.replace(/_.*/, ''));
    return value === null
      ? null
      : { at: one.at, key: 'SQLDialect', value, effect: 'uses database', of: 'jooq' };
  }
  return null;
}

/** `"autosave"`, `PGProperty.AUTOSAVE.getName()` */
function isKey(value: Node, said: (value: Node) => string | null): boolean {
  if (value.kind === 'call') return value.name === 'getName' && word(value.object ?? value) === 'AUTOSAVE';
  return value.kind !== 'lambda' && KEY.test(said(value) ?? '');
}

/** What decides about nested transactions, as it is called: the tool, and what it says. */
const NESTING: Record<string, { of: string; value?: string; said?: number }> = {
  JpaTransactionManager: { of: 'spring', value: 'false' },
  HibernateTransactionManager: { of: 'spring', value: 'false' },
  JtaTransactionManager: { of: 'spring', value: 'false' },
  DataSourceTransactionManager: { of: 'spring', value: 'true' },
  JdbcTransactionManager: { of: 'spring', value: 'true' },
  SpringTransactionProvider: { of: "Spring Boot's jOOQ", value: 'true' },
  TransactionAwareDataSourceProxy: { of: OWN_CONNECTIONS, value: 'false' },
  setNestedTransactionAllowed: { of: 'spring' },
  DefaultTransactionProvider: { of: 'jooq', said: 1 },
  setUseNestedTransactions: { of: 'exposed' },
  setNestedUseSavepoint: { of: 'ebean', value: 'true' },
};

/** Whether a file has the word for what makes these nest. */
export const namesWhatNests = (whose: string, text: string): boolean =>
  Object.entries(NESTING).some(([word, { of }]) => of === whose && text.includes(word));

function nesting(at: Setting['at'], name: string, said: string | null): Setting {
  const { of, value } = NESTING[name]!;
  const key = name === 'setUseNestedTransactions' ? 'useNestedTransactions' : name;
  // Spring's managers nest or do not; this one was told.
  const isNever = name === 'setNestedTransactionAllowed' && said === 'false';
  return {
    at,
    key,
    value: isNever ? 'never' : (value ?? said ?? 'true'),
    effect: 'nested transactions open savepoints',
    of,
  };
}

function autosave({ at }: Call, value: string | null): Setting | null {
  return value === null ? null : autosaveSetting(at, value, false);
}

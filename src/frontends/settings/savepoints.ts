// Settings that open savepoints by themselves: psql, psqlODBC, DBIx::Class, Doctrine, extensions. JDBC has a reader of its own.
import type { Setting, Unit } from '../../ir.ts';
import { autosaveSetting, urls } from '../jvm/texts/url.ts';
import { plain } from '../source.ts';
import { blank, withoutComments } from './comments.ts';
import { type Line, lines, matches, spanIn } from './lines.ts';
import { isAskedFor, isConsole, isSaid, isTold, shown } from './spoken.ts';

type Effect = Setting['effect'];

interface Sign {
  /** The whole match is underlined. */
  pattern: RegExp;
  key: string;
  value?: string;
  effect: Effect;
  of: string;
  releases?: boolean;
  alone?: true;
}

/** One line is enough to see these. */
const SIGNS: Sign[] = [
  {
    // psql -v, --set, --variable, where nothing behind the sign is on too; the name knows case, the value does not.
    pattern:
      /(?:\b|-v)ON_ERROR_ROLLBACK=(?:(["']?)(?:[oO][nN]|1|[tT](?:[rR](?:[uU][eE]?)?)?|[yY](?:[eE][sS]?)?)\b\1|(?<=(?:-v|--set|--variable)[= ]?["']?ON_ERROR_ROLLBACK=)(?=["'\s]|$))/,
    key: 'ON_ERROR_ROLLBACK',
    value: 'on',
    effect: 'savepoint per statement',
    of: 'psql',
    releases: true,
  },
  {
    // What is handed to it as a script. A comment behind it would be part of the value, which psql refuses.
    pattern:
      /ON_ERROR_ROLLBACK(?<=\\set\s+ON_ERROR_ROLLBACK)\s+(["']?)(?:[oO][nN]|1|[tT](?:[rR](?:[uU][eE]?)?)?|[yY](?:[eE][sS]?)?)\b\1(?!\s*[-#;\w])/,
    key: 'ON_ERROR_ROLLBACK',
    value: 'on',
    effect: 'savepoint per statement',
    of: 'psql',
    releases: true,
  },
  {
    pattern: /\bpg_statement_rollback\.enabled\s*(?:=|TO\b)?\s*["']?(?:on|1|true|yes)\b/i,
    key: 'pg_statement_rollback.enabled',
    value: 'on',
    effect: 'savepoint per statement',
    of: 'pg_statement_rollback',
    releases: true,
  },
  {
    pattern: /\bedb_stmt_level_tx\s*(?:=|TO\b)?\s*["']?(?:on|1|true|yes)\b/i,
    key: 'edb_stmt_level_tx',
    value: 'on',
    effect: 'savepoint per statement',
    of: 'EDB Postgres Advanced Server',
    releases: true,
  },
  {
    pattern: /\bbabelfishpg_tsql\.disable_internal_savepoint\s*=?\s*["']?(?:off|0|false|no)\b/i,
    key: 'babelfishpg_tsql.disable_internal_savepoint',
    value: 'off',
    effect: 'savepoint per statement',
    of: 'Babelfish',
    releases: true,
  },
  {
    pattern: /\bTransactionErrorBehavior\s*=\s*["']?2\b/i,
    key: 'TransactionErrorBehavior',
    value: '2',
    effect: 'savepoint per statement',
    of: 'DataDirect ODBC',
    releases: true,
  },
  {
    pattern: /\bauto_savepoint["']?(?:\s*(?:=>|[:=(])\s*|[ \t]+)["']?(?:!!)?1\b/,
    key: 'auto_savepoint',
    value: '1',
    effect: 'nested transactions open savepoints',
    alone: true,
    of: 'DBIx::Class',
    releases: true,
  },
  {
    pattern:
      /\b(?:use_savepoints|use-savepoints)["']?\s*(?::|=>|=|>)\s*["']?(?:true|yes|on|1)\b|->useSavepoints\(\s*true\s*\)/i,
    key: 'use_savepoints',
    value: 'true',
    effect: 'nested transactions open savepoints',
    alone: true,
    of: 'Doctrine',
    releases: true,
  },
  {
    pattern: /\bsetNestTransactionsWithSavepoints\s*\(\s*(?:\w+:\s*)?true\s*\)/i,
    key: 'setNestTransactionsWithSavepoints',
    value: 'true',
    effect: 'nested transactions open savepoints',
    alone: true,
    of: 'Doctrine',
    releases: true,
  },
  {
    pattern: /["']enableSavepoint["']\s*=>\s*true\b/,
    key: 'enableSavepoint',
    value: 'true',
    effect: 'nested transactions open savepoints',
    alone: true,
    of: 'Yii',
    releases: true,
  },
  {
    pattern:
      /["']useSave[pP]oints["']\s*=>\s*true\b|\benableSavePoints\s*\(\s*(?:true\s*)?\)|\buseSavePoints\s*\(\s*true\s*\)/,
    key: 'useSavepoints',
    value: 'true',
    effect: 'nested transactions open savepoints',
    alone: true,
    of: 'CakePHP',
    releases: true,
  },
  {
    pattern: /\bAutoSavepointsEnabled\s*=\s*true\b|"AutoSavepointsEnabled"\s*:\s*true\b/,
    key: 'AutoSavepointsEnabled',
    value: 'true',
    effect: 'nested transactions open savepoints',
    alone: true,
    of: 'EF Core',
    releases: true,
  },
  {
    pattern: /\bEnableNested\s*[=:]+\s*True\b/i,
    key: 'EnableNested',
    value: 'True',
    effect: 'nested transactions open savepoints',
    alone: true,
    of: 'FireDAC',
  },
];

const PSQL = SIGNS.filter(({ of }) => of === 'psql');

/** A script says what it is about to do. */
const SAYS = /^\s*(?:@?echo|printf|print|puts|say|log\w*|Write-\w+)\b[^>|;&]*$/i;
const SWITCH = /(?:-v|--set|--variable)\b|\\set\b/;
/** A command in quotes is told to people: `echo "run psql -v ON_ERROR_ROLLBACK=on"`. */
const TELLS =
  /^\s*@?(?:echo|printf|Write-\w+)\s+(["'])(?:(?!\$\(|\1)[^`])*\bpsql\s(?:(?!\$\(|\1)[^`])*\1\s*$/i;

const isPrinted = (line: string): boolean => SAYS.test(line) && (!SWITCH.test(line) || TELLS.test(line));

/** A switch of psql in a text that is shown, or of a console. */
const isForPeople = (text: string, place: number, isShown: (place: number) => boolean) =>
  !/\\set\s+$/.test(text.slice(Math.max(0, place - 20), place)) && (isShown(place) || isConsole(text, place));

/** Perl's manual pages stand among its code. */
const POD = /^=[a-z]\w*[\s\S]*?(?:^=cut\b.*|$(?![\s\S]))/gm;

export function readSavepoints(written: string, unit: Unit): void {
  const text = withoutComments(
    unit.file,
    /\.(?:pm|pl|psgi|t)$/i.test(unit.file) ? blank(written, POD) : written,
  );
  const isShown = shown(text);
  for (const line of lines(text))
    for (const one of SIGNS) {
      const match = one.pattern.exec(line.text);
      if (!match) continue;
      const place = line.start + match.index;
      if (isAskedFor(text, place)) continue;
      if (one.of === 'psql' ? isPrinted(line.text) || isForPeople(text, place, isShown) : isSaid(text, place))
        continue;
      const { pattern, value, ...sign } = one;
      unit.settings.push({ at: spanIn(line, match), ...sign, value: value ?? match[0] });
    }
  connectionStrings(text, unit);
  // What a script, a playbook or an image writes to odbc.ini; printf takes it as one line.
  if (/\.(?:ini|dsn)\b/i.test(unit.file)) return;
  const unescaped = text.replaceAll('\\n', '\n ');
  if (OF_AN_INI.every((line) => line.test(unescaped))) readOdbcIni(unescaped, unit);
}

const OF_AN_INI = [
  /^[ \t]*Driver\w*[ \t]*=[ \t]*[^;{\n]*(?:Postgre|psqlodbc)[^;\n]*$/im,
  /^[ \t]*(?:Protocol|A1)[ \t]*=[ \t]*[\d.]*-2[ \t\r]*$/im,
];

/** What a program with a front end of its own hands to psql, to ODBC or to pgjdbc as text. */
export function readHandedOver(written: string, unit: Unit): void {
  if (!HANDED_OVER.test(written) && !(written.includes('jdbc:') && /autosave/i.test(written))) return;
  const text = withoutComments(unit.file, written);
  if (written.includes('ON_ERROR_ROLLBACK'))
    for (const line of lines(text))
      for (const { pattern, value, ...sign } of PSQL) {
        const match = pattern.exec(line.text);
        if (match && !isTold(text, line.start + match.index))
          unit.settings.push({ at: spanIn(line, match), ...sign, value: value! });
      }
  const found = urls(plain(text));
  for (const { settings } of found)
    unit.settings.push(...settings.filter(({ key, at }) => key === 'autosave' && !isTold(text, at.start)));
  if (found.some(({ settings }) => settings.some(({ value }) => value === 'postgresql')))
    for (const { index, 0: whole, 1: said, 2: mode } of matches(text, AUTOSAVE)) {
      if (found.some(({ at }) => at.start <= index && index < at.end)) continue;
      const from = index + whole.indexOf(said!);
      const beside = text.slice(Math.max(0, index - 200), index + 300);
      const at = { start: from, end: from + said!.length };
      const setting = autosaveSetting(at, mode!, CLEANS.test(beside));
      if (setting) unit.settings.push(setting);
    }
  if (!/\bautocommit\b\s*[=(]\s*(?:True|1)\b/i.test(text))
    connectionStrings(text, unit, /\b(?:py|turb|pypy|aio)odbc\b/.test(text));
}

const HANDED_OVER = /ON_ERROR_ROLLBACK|odbc_connect=|(?:Driver|Dsn)(?:\s*=|["']\s*:)/i;

/**
 * `option("autosave", "always")`, `{"autosave": "always"}`, `options(autosave="always")`, `{ autosave: "always" }`,
 * `:autosave => "always"`, and the end of a URL whose beginning stands in another text.
 */
const AUTOSAVE =
  /(?:["'](?=autosave["'])|[?&]|[(,]\s*(?=autosave\s*=\s*["'])|[{(,]\s*(?=autosave:\s*["'])|(?<![:\w]):(?=autosave\s*=>))(autosave)(?:["']\s*(?:[:,]|=>)\s*["']|=|\s*(?:=>?|:)\s*["'])(always|conservative)\b/gi;

/** What releases them again, said beside it. */
const CLEANS = /\bcleanupSavepoints["']?\s*(?:=>?|:|,)\s*["']?true\b/i;

/** What follows the driver of an ODBC connection; text may be put together from several lines. */
const AFTER = String.raw`[^\n]*(?:(?:(?<=["'][ \t+&_.\\]*)\r?\n[ \t+&.]*[$@frb]{0,2}["']|(?<=["'],[ \t]*)\r?\n[ \t]*\w+\s*=\s*["'])[^\n]*){0,12}`;
/** What makes it one of psqlODBC's: the driver, or a data source that its installer or people name so. */
const CONNECTION = new RegExp(
  String.raw`((?:Driver|Dsn)(?:\s*=|["']\s*:)\s*["']?\{*[^;}"'\n]*(?:Postgre|psqlodbc))` + AFTER,
  'gi',
);
const HELD = /\b(\w+)[ \t]*=[ \t]*f?(["'])\{*[^;}"'\n]*(?:Postgre|psqlodbc)[^;"'\n]*\2/gi;

/** Where the driver is one of these variables: `f"DRIVER={driver};"`, `"DRIVER=" + driver`. */
function heldIn(text: string): RegExp[] {
  if (!/Driver\s*=\s*["'{]/i.test(text)) return [];
  const names = matches(text, HELD).map(([, name]) => name!);
  if (names.length === 0) return [];
  const one = String.raw`(Driver\s*=\s*(?:\{+|\{?["']\s*\+\s*)(?:${names.join('|')})\b)`;
  return [new RegExp(one + AFTER, 'gi')];
}

/** `Protocol=7.4-2`; `A1=` is its short form. Only this keyword counts: `RollbackOnError=` is ignored by the driver. */
const PROTOCOL =
  /\b(?:Protocol|A1)(?:["']?\s*=|["']\s*:)\s*["']?(?:\{\{[^{}\n]*\bdefault\(\s*["']|\$\{\w+:-)?(?:\d+(?:\.\d+)?)?-([012])/i;
/** A connection string in a URL of SQLAlchemy's. */
const IN_A_URL = /\bodbc_connect=([^"'\s&]+%3B[^"'\s&]*)/gi;

function decoded(written: string): string {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

/** `inTransactions`: autocommit is off unless somebody turns it on; then level 2 is the default. */
function connectionStrings(text: string, unit: Unit, inTransactions = false): void {
  for (const match of [CONNECTION, ...heldIn(text)].flatMap((one) => [...matches(text, one)])) {
    const line = { text: match[0], start: match.index };
    if (!/[;,]/.test(match[0])) continue;
    const protocol = PROTOCOL.exec(match[0]);
    if (protocol?.[1] === '2') unit.settings.push({ at: spanIn(line, protocol), ...odbc('7.4-2') });
    if (inTransactions && !protocol)
      unit.settings.push({
        at: spanIn({ text, start: 0 }, match, 1),
        ...odbc('7.4-2 (the default)'),
        // Many only read through it.
        certainty: 'likely',
      });
  }
  for (const match of matches(text, IN_A_URL)) {
    const said = decoded(match[1]!);
    if (/Driver\s*=[^;]*(?:Postgre|psqlodbc)/i.test(said) && PROTOCOL.exec(said)?.[1] === '2')
      unit.settings.push({ at: spanIn({ text, start: 0 }, match), ...odbc('7.4-2') });
  }
}

const odbc = (value: string) => ({
  key: 'Protocol',
  value,
  effect: 'savepoint per statement' as const,
  of: 'psqlodbc',
  releases: true,
});

/** Whether it is one connection's, whose program may show what is executed through it. */
export const isOfConnection = ({ of, key }: Setting): boolean => of === 'psqlodbc' && key === 'Protocol';

/** `odbc.ini`, `odbcinst.ini`, and what Windows' registry is told: sections, each a data source. */
export function readOdbcIni(text: string, unit: Unit): void {
  let section: {
    isOurs: boolean;
    isOthers?: boolean;
    protocol: { line: Line; match: RegExpExecArray } | null;
  } = {
    isOurs: false,
    protocol: null,
  };
  const close = () => {
    const { isOurs, isOthers, protocol } = section;
    if (isOurs && !isOthers && protocol?.match[1] === '2')
      unit.settings.push({ at: spanIn(protocol.line, protocol.match), ...odbc('7.4-2') });
  };
  for (const line of lines(text)) {
    if (/^\s*\[/.test(line.text)) {
      close();
      section = { isOurs: /postgre|psqlodbc/i.test(line.text), protocol: null };
    }
    if (/^\s*"?(?:Driver|Description|Setup)\w*"?\s*=.*(?:postgre|psqlodbc|pgsql)/i.test(line.text))
      section.isOurs = true;
    else if (
      /^\s*"?Driver\w*"?\s*=.*(?:mysql|maria|sqlite|oracle|sql server|freetds|hive|impala)/i.test(line.text)
    )
      section.isOthers = true;
    const match = PROTOCOL.exec(line.text);
    if (match) {
      section.protocol = { line, match };
      if (/^\s*"?Protocol/i.test(line.text)) section.isOurs ||= /7\.4/.test(line.text);
    }
  }
  close();
}

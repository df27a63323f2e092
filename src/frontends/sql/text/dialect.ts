// Tells PostgreSQL's SQL from others' by words that only one of them has, and by the names of folders and files.
import type { Unit } from '../../../ir.ts';

/** Enough of a file to tell; others' words come early. */
const HEAD = 60_000;

/**
 * A pattern, worth one for each time that it stands there, up to three, or more where PostgreSQL has no such thing;
 * before it words (or their starts up to `_`) or
 * signs without one of which it stands nowhere, so that most patterns need not be looked for.
 */
type Sign = [needs: string, pattern: RegExp, worth?: number];

const POSTGRES: Sign[] = [
  ['language', /\blanguage\s+'?(?:plpgsql|plpython\w*|plperlu?|pltclu?|plv8)/gi],
  ['$', /\$\w*\$/g],
  [':', /::\s*[a-z]/gi],
  [
    'bigserial jsonb timestamptz bytea tsvector regclass plpgsql smallserial',
    /\b(?:bigserial|jsonb|timestamptz|bytea|tsvector|regclass|plpgsql|smallserial)\b/gi,
  ],
  ['returning conflict ilike', /\breturning\b|\bon\s+conflict\b|\bilike\b/gi],
  ['execute', /\bexecute\s+(?:function|procedure)\s+\w/gi],
  [
    'create',
    /\bcreate\s+(?:or\s+replace\s+)?(?:extension|policy|rule|domain|aggregate|event\s+trigger|materialized\s+view)\b/gi,
  ],
  ['update share locked', /\bfor\s+(?:no\s+key\s+update|key\s+share)\b|\bskip\s+locked\b/gi],
  ['\\', /^\\(?:i|ir|set|echo|connect|c|copy|if|gexec|timing|pset|unset)\b/gm],
  ['pg_', /\bpg_(?:catalog|sleep|temp|advisory\w*|get\w*|class|stat\w*)\b/gi],
  ['owner search_path stdin', /\bowner\s+to\b|\bset\s+search_path\b|\bfrom\s+stdin\b/gi],
  [
    'generate_series nextval string_agg array_agg gen_random_uuid uuid_generate_v4',
    /\b(?:generate_series|nextval|string_agg|array_agg|gen_random_uuid|uuid_generate_v4)\s*\(/gi,
  ],
];

const OTHERS: [string, Sign[]][] = [
  [
    'mysql',
    [
      ['`', /`\w+`/g],
      ['engine', /\bengine\s*=\s*\w+/gi],
      ['auto_increment', /\bauto_increment\b/gi],
      ['delimiter', /^[ \t]*delimiter[ \t]+\S+[ \t\r]*$/gim],
      ['rename', /^[ \t]*rename\s+table\b/gim, 2],
      ['!', /\/\*!\d{5}/g],
      [
        'tinyint mediumtext longtext mediumblob longblob tinytext unsigned current_timestamp',
        /\b(?:tinyint|mediumtext|longtext|mediumblob|longblob|tinytext)\b|\bunsigned\b|\bon\s+update\s+current_timestamp\b/gi,
      ],
      [
        'character charset collate',
        /\bdefault\s+character\s+set\b|\bdefault\s+charset\b|\bcollate\s*=?\s*utf8/gi,
      ],
      ['unlock show', /\bunlock\s+tables\b|\bshow\s+tables\b/gi],
      [
        'ignore duplicate replace',
        /\binsert\s+ignore\b|\bon\s+duplicate\s+key\b|^[ \t]*replace\s+into\b/gim,
        2,
      ],
      ['handler', /\bdeclare\s+(?:continue|exit)\s+handler\b/gi],
      ['#', /^[ \t]*#(?![ \t]*(?:$|[!-]|if|ifn?def|el|end|define|undef|include|error|pragma|line))/gm],
    ],
  ],
  [
    'oracle',
    [
      [
        'varchar2 nvarchar2 number clob nclob binary_float',
        /\bvarchar2\b|\bnvarchar2\b|\bnumber\s*\(\s*\d+|\bclob\b|\bnclob\b|\bbinary_float\b/gi,
      ],
      ['/', /^[ \t]*\/[ \t\r]*$/gm],
      [
        'sysdate systimestamp dual rownum nvl',
        /\bsysdate\b|\bsystimestamp\b|\bfrom\s+dual\b|\brownum\b|\bnvl\s*\(/gi,
      ],
      ['blob', /\w\s+blob\s*(?:[,)]|not\b|null\b)/gi],
      [
        'create',
        /\bcreate\s+(?:or\s+replace\s+)?(?:(?:non)?editionable\s+)?(?:package|synonym|public\s+synonym|type\s+body)\b/gi,
      ],
      ['dbms_', /\bdbms_\w+\./gi],
      [
        'pragma immediate raise_application_error',
        /\bpragma\s+\w+|\bexecute\s+immediate\b|\braise_application_error\b/gi,
      ],
      ['tablespace pctfree', /\btablespace\s+\w+\s+(?:pctfree|storage|logging)\b|\bpctfree\b/gi],
      ['new old', /:(?:new|old)\.\w/gi],
      [
        'prompt sqlerror serveroutput define echo feedback',
        /^[ \t]*(?:prompt|whenever\s+sqlerror|set\s+(?:serveroutput|define|echo|feedback))\b/gim,
      ],
    ],
  ],
  [
    'sqlserver',
    [
      ['go', /^[ \t]*go[ \t]*;?[ \t\r]*$/gim],
      ['[ dbo', /\[dbo\]|\bdbo\.|\[\w+\]\.\[\w+\]|\[\w+\]\s+\[\w+\]/gi],
      [
        'nvarchar datetime2 datetimeoffset uniqueidentifier identity',
        /\bnvarchar\b|\bdatetime2\b|\bdatetimeoffset\b|\buniqueidentifier\b|\bidentity\s*\(\s*\d/gi,
      ],
      ['@', /\bdeclare\s+@\w+|\bset\s+@\w+|\bselect\s+@\w+/gi],
      [
        'nocount ansi_nulls quoted_identifier xact_abort',
        /\bset\s+(?:nocount|ansi_nulls|quoted_identifier|xact_abort)\s+(?:on|off)\b/gi,
      ],
      [
        'tran save try catch',
        /\bbegin\s+tran\b|\bsave\s+tran\w*\b|\bbegin\s+(?:try|catch)\b|\bend\s+(?:try|catch)\b/gi,
      ],
      [
        'nolock raiserror isnull getdate object_id scope_identity nonclustered',
        /\bwith\s*\(\s*nolock\b|\b(?:raiserror|isnull|getdate|object_id|scope_identity)\s*\(|\bnonclustered\b/gi,
      ],
      ['object_id', /^[ \t]*if\s+object_id\s*\(/gim, 2],
      // The server's own procedures: elsewhere savepoints and procedures are called so too.
      [
        'sp_',
        /\bexec\s+(?:\[?\w+\]?\.)?\[?sp_|\bsp_(?:executesql|rename|help\w*|\w+extendedproperty|add\w+member|msforeach\w+|configure|\w+applock|(?:add|drop)linkedserver|(?:un)?bind\w+|xml_\w+)\b/gi,
      ],
    ],
  ],
  [
    'sqlite',
    [
      ['autoincrement', /\bautoincrement\b/gi],
      ['pragma', /^[ \t]*pragma\s+[\w.]+\s*[=(]/gim, 2],
      ['rowid', /\bwithout\s+rowid\b/gi],
      ['replace ignore', /\binsert\s+or\s+(?:replace|ignore)\b/gi],
      ['sqlite_', /\bsqlite_\w+/gi],
    ],
  ],
  [
    'h2',
    [
      [
        'runcode alias mode db_close_delay',
        /\bruncode\b|\bcreate\s+alias\b|\bset\s+mode\s+\w+|\bdb_close_delay\b/gi,
      ],
      ['runscript cached memory', /\brunscript\b|\bcreate\s+cached\s+table\b|\bcreate\s+memory\s+table\b/gi],
      ['alias', /\bcreate\s+alias\b/gi, 3],
    ],
  ],
  // A routine's body is a string in PostgreSQL, or BEGIN ATOMIC; its triggers have no body.
  [
    'the standard',
    [
      [
        'procedure function',
        /\bcreate\s+(?:or\s+replace\s+)?(?:procedure|function)\b[^;'$]*?(?:\b(?:is|as)\s+(?:begin|declare)\b|\bbegin\b(?!\s+(?:atomic|tran)))/gi,
        2,
      ],
      ['trigger', /\bcreate\s+(?:or\s+replace\s+)?trigger\b(?:(?!\bexecute\b)[^;'$])*?\bbegin\b/gi, 2],
      ['modifies reads contains', /\b(?:modifies|reads)\s+sql\s+data\b|\bcontains\s+sql\b/gi, 2],
      ['while repeat leave iterate', /\bend\s+(?:while|repeat)\b/gi, 2],
    ],
  ],
  // They speak PostgreSQL's language and keep transactions in another way.
  [
    'cockroachdb',
    [
      ['unique_rowid', /\bunique_rowid\s*\(/gi, 4],
      ['interleave cockroach_restart', /\binterleave\s+in\s+parent\b|\bcockroach_restart\b/gi, 4],
    ],
  ],
  ['yugabytedb', [['tablets', /\bsplit\s+(?:into\s+\d+\s+tablets|at\s+values)\b/gi, 4]]],
  [
    'redshift',
    [
      ['diststyle distkey sortkey', /\bdiststyle\b|\bdistkey\b|\bsortkey\b/gi, 4],
      ['encode', /\bencode\s+(?:zstd|lzo|az64|raw|bytedict|runlength|delta|mostly\d+)\b/gi, 4],
      ['iam_role unload', /\biam_role\b|\bunload\s*\(/gi, 4],
    ],
  ],
  ['firebird', [['term', /^[ \t]*set\s+term\b/gim, 3]]],
  [
    'db2',
    [
      ['logged', /\bgenerated\s+always\s+as\s+identity\s*\(\s*start\b.*\bnot\s+logged\b/gi],
      ['@ #', /\bcommit\s+work\s*@|^[ \t]*--#SET\s+TERMINATOR/gim],
      ['retain unique', /\bsavepoint\s+\w+\s+(?:unique\b|on\s+rollback\s+retain\b)/gi, 2],
    ],
  ],
  [
    'bigquery',
    [
      [
        'int64 float64 struct array js',
        /\bint64\b|\bfloat64\b|\bstruct<|\barray<|\bcreate\s+temp\s+function\b.*\blanguage\s+js\b/gi,
      ],
      ['`', /`[\w-]+\.[\w-]+\.\w+`/g],
    ],
  ],
  [
    'clickhouse',
    [
      ['engine', /\bengine\s*=\s*\w*mergetree\b/gi],
      [
        'lowcardinality nullable uint8 uint16 uint32 uint64',
        /\blowcardinality\b|\bnullable\s*\(\s*\w|\buint(?:8|16|32|64)\b/gi,
      ],
    ],
  ],
  [
    'snowflake',
    [
      [
        'variant replace copy',
        /\bvariant\b|\bcreate\s+or\s+replace\s+(?:stage|warehouse|table|task|stream|pipe)\b|\bcopy\s+into\b/gi,
      ],
    ],
  ],
];

/** Words in a path that say whose SQL it is: folders for vendors, and twins such as `schema-mysql.sql`. */
const PATH_OTHER = new Set(
  `mysql mariadb oracle ora mssql sqlserver sqlite h2 hsqldb hsql derby db2 doris sybase cassandra cql clickhouse
  bigquery snowflake tidb informix firebird presto trino duckdb spanner databricks teradata vertica saphana
  hana`.split(/\s+/),
);
/** Of these the words in a file say little: they are PostgreSQL's, down to PL/pgSQL. */
const PATH_ALIKE = new Set('redshift cockroach cockroachdb crdb yugabyte yugabytedb'.split(' '));
const ALIKE = 100;
const PATH_POSTGRES = new Set('pgsql psql pg postgis timescale timescaledb supabase plpgsql'.split(' '));

/** Words that mean it in one place only: `hive_fork_manager`, or a folder `sql` with a file about servers, is nobody's. */
const OTHER_BY_PLACE = /(?:^|[/._-])(?:sql[._-]server(?:\d|[/._-])|hive[/.])/;

/** 3: PostgreSQL's; -3: another's, whatever its words are where it is less; 2 and -2 by a folder further out. Sets, for V8 takes half a millisecond to compile such lists as patterns. */
function ofPath(file: string): number {
  const parts = file.toLowerCase().split('/');
  const near = parts.slice(-NEAR).join('/');
  // What stands last is the ending, and no word of these.
  const words = near.split(/[/._-]/).slice(0, -1);
  if (words.some(isOurs)) return 3;
  if (words.some((word) => PATH_ALIKE.has(word))) return -ALIKE;
  if (words.some(isOther) || OTHER_BY_PLACE.test(near)) return -3;
  const vendor = parts.slice(0, -NEAR).findLast((name) => isOurs(name) || isOther(name));
  return vendor === undefined ? 0 : isOther(vendor) ? -2 : 2;
}

/** Of what stands further out the words say less: only a folder that is called like a database. */
const NEAR = 3;

const isOurs = (word: string) => PATH_POSTGRES.has(word) || /^postgres(?:ql)?\d*$/.test(word);

/** A version may follow: `oracle12c`. */
const isOther = (word: string) =>
  PATH_OTHER.has(word) || PATH_OTHER.has(/^(?:h2|db2|\D+)(?=\d)/.exec(word)?.[0] ?? '');

/** The line that sqitch begins a script with: `-- Deploy flipr:users to mysql`. */
const OF_SQITCH =
  /^--\s*(?:deploy|revert|verify)\s+\S+\s+(?:to|from|on)\s+(?:mysql|sqlite|oracle|firebird|vertica|exasol|snowflake|cockroach|clickhouse)\b/i;

export function dialectOf(file: string, text: string): Unit['dialect'] {
  if (text.startsWith('--') && OF_SQITCH.test(text)) return 'other';
  const head = withoutProse(text.length > HEAD ? text.slice(0, HEAD) : text);
  const path = ofPath(file);
  note(head);
  const [ours, theirs] = [Math.max(0, path), Math.max(0, -path)];
  // What can be told without counting to the end is not counted: of most files little is looked for at all.
  const others = OTHERS.map(([, signs]) => signs.filter(mayOccur));
  const most = theirs + Math.max(...others.map(mostOf));
  const our = ours + score(POSTGRES.filter(mayOccur), head, most - ours);
  if (our > most) return 'postgresql';
  let their = theirs;
  for (const signs of others)
    if (theirs + mostOf(signs) >= Math.max(our, their + 1))
      their = Math.max(their, theirs + score(signs, head));
  if (their > our && their >= 2) return 'other';
  return our > their ? 'postgresql' : 'unknown';
}

/** Comments and strings speak of anything, but `LANGUAGE 'plpgsql'` does not. MySQL's `/*!` is code. */
function withoutProse(text: string): string {
  return text.replace(/--[^\n]*|\/\*(?!!)[^*]*(?:\*(?!\/)[^*]*)*\*\/|'[^'\n]*'/g, (found) =>
    found[0] !== "'" ? '' : /^'pl\w+'$/i.test(found) ? found : "''",
  );
}

/** Which words and signs the text has, by a hash: a word that is not noted does not occur. */
const noted = new Uint8Array(1 << 15);

/** ASCII letters folded, digits and `_`: what a word is made of; 0 is what ends it. */
const FOLDED = new Uint8Array(128);
for (let c = 48; c <= 57; c++) FOLDED[c] = c;
for (let c = 97; c <= 122; c++) FOLDED[c] = FOLDED[c - 32] = c;
FOLDED[95] = 95;

const mixed = (hash: number, c: number) => (Math.imul(hash, 31) + c) & (noted.length - 1);

function note(text: string): void {
  noted.fill(0);
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const part = c < 128 ? FOLDED[c]! : 0;
    if (part > 0) {
      hash = mixed(hash, part);
      if (part === UNDERSCORE) noted[hash] = 1;
    } else {
      noted[hash] = 1;
      if (c < 128) noted[c] = 1;
      hash = 0;
    }
  }
  noted[hash] = 1;
}

const UNDERSCORE = 95;

/** Where each of these words is noted. */
function placesOf(needs: string): number[] {
  return needs.split(' ').map((word) => {
    let hash = 0;
    for (let i = 0; i < word.length; i++) hash = mixed(hash, word.charCodeAt(i));
    return hash;
  });
}

const places = new Map<string, number[]>();

function mayOccur([needs]: Sign): boolean {
  let at = places.get(needs);
  if (!at) {
    at = placesOf(needs);
    places.set(needs, at);
  }
  return at.some((place) => noted[place] === 1);
}

/** How often each sign counts at most. */
const MOST = 3;

const mostOf = (signs: Sign[]) => signs.reduce((sum, [, , worth = 1]) => sum + MOST * worth, 0);

/** More than `enough` is as good as all. */
function score(signs: Sign[], text: string, enough = Number.POSITIVE_INFINITY): number {
  let sum = 0;
  for (const [, pattern, worth = 1] of signs) {
    if (sum > enough) break;
    pattern.lastIndex = 0;
    for (let n = 0; n < MOST && pattern.exec(text); n++) sum += worth;
  }
  return sum;
}

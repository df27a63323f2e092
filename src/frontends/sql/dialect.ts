// Tells PostgreSQL's SQL from others' by words that only one of them has, and by the names of folders and files.
import type { Unit } from '../../ir.ts';

/** Enough of a file to tell; others' words come early. */
const HEAD = 60_000;

/** Each is worth one; `g` counts how often it stands there, up to three. */
const POSTGRES: RegExp[] = [
  /\blanguage\s+'?(?:plpgsql|plpython\w*|plperlu?|pltclu?|plv8)/gi,
  /\$\w*\$/g,
  /::\s*[a-z]/gi,
  /\b(?:bigserial|jsonb|timestamptz|bytea|tsvector|regclass|plpgsql|smallserial)\b/gi,
  /\breturning\b|\bon\s+conflict\b|\bilike\b/gi,
  /\bexecute\s+(?:function|procedure)\s+\w/gi,
  /\bcreate\s+(?:or\s+replace\s+)?(?:extension|policy|rule|domain|aggregate|event\s+trigger|materialized\s+view)\b/gi,
  /\bfor\s+(?:no\s+key\s+update|key\s+share)\b|\bskip\s+locked\b/gi,
  /^\\(?:i|ir|set|echo|connect|c|copy|if|gexec|timing|pset|unset)\b/gm,
  /\bpg_(?:catalog|sleep|temp|advisory\w*|get\w*|class|stat\w*)\b/gi,
  /\bowner\s+to\b|\bset\s+search_path\b|\bfrom\s+stdin\b/gi,
  /\b(?:generate_series|nextval|string_agg|array_agg|gen_random_uuid|uuid_generate_v4)\s*\(/gi,
  /PostgreSQL database dump/g,
];

const OTHERS: [string, RegExp[]][] = [
  [
    'mysql',
    [
      /`\w+`/g,
      /\bengine\s*=\s*\w+/gi,
      /\bauto_increment\b/gi,
      /^\s*delimiter\s+\S+\s*$/gim,
      /\/\*!\d{5}/g,
      /\b(?:tinyint|mediumtext|longtext|mediumblob|longblob|tinytext)\b|\bunsigned\b|\bon\s+update\s+current_timestamp\b/gi,
      /\bdefault\s+character\s+set\b|\bdefault\s+charset\b|\bcollate\s*=?\s*utf8/gi,
      /\bunlock\s+tables\b|\bshow\s+tables\b|\binsert\s+ignore\b|\bon\s+duplicate\s+key\b|\breplace\s+into\b/gi,
      /\bdeclare\s+(?:continue|exit)\s+handler\b/gi,
      /^[ \t]*#(?![ \t]*(?:[!-]|if|ifn?def|el|end|define|undef|include|error|pragma|line))/gm,
    ],
  ],
  [
    'oracle',
    [
      /\bvarchar2\b|\bnvarchar2\b|\bnumber\s*\(\s*\d+|\bclob\b|\bnclob\b|\bbinary_float\b/gi,
      /^\s*\/\s*$/gm,
      /\bsysdate\b|\bsystimestamp\b|\bfrom\s+dual\b|\brownum\b|\bnvl\s*\(/gi,
      /\bcreate\s+(?:or\s+replace\s+)?(?:(?:non)?editionable\s+)?(?:package|synonym|public\s+synonym|type\s+body)\b/gi,
      /\bdbms_\w+\./gi,
      /\bpragma\s+\w+|\bexecute\s+immediate\b|\braise_application_error\b/gi,
      /\btablespace\s+\w+\s+(?:pctfree|storage|logging)\b|\bpctfree\b/gi,
      /:(?:new|old)\.\w/gi,
      /^\s*(?:prompt|whenever\s+sqlerror|set\s+(?:serveroutput|define|echo|feedback))\b/gim,
    ],
  ],
  [
    'sqlserver',
    [
      /^\s*go\s*;?\s*$/gim,
      /\[dbo\]|\bdbo\.|\[\w+\]\.\[\w+\]|\[\w+\]\s+\[\w+\]/gi,
      /\bnvarchar\b|\bdatetime2\b|\bdatetimeoffset\b|\buniqueidentifier\b|\bidentity\s*\(\s*\d/gi,
      /\bdeclare\s+@\w+|\bset\s+@\w+|\bselect\s+@\w+/gi,
      /\bset\s+(?:nocount|ansi_nulls|quoted_identifier|xact_abort)\s+(?:on|off)\b/gi,
      /\bbegin\s+tran\b|\bsave\s+tran\w*\b|\bbegin\s+(?:try|catch)\b|\bend\s+(?:try|catch)\b/gi,
      /\bwith\s*\(\s*nolock\b|\b(?:raiserror|isnull|getdate|object_id|scope_identity)\s*\(|\bnonclustered\b|\bsp_\w+/gi,
      /\bexec(?:ute)?\s+(?:\[?\w+\]?\.)?\[?sp_/gi,
    ],
  ],
  [
    'sqlite',
    [
      /\bautoincrement\b/gi,
      /^\s*pragma\s+\w+/gim,
      /\bwithout\s+rowid\b/gi,
      /\binsert\s+or\s+(?:replace|ignore)\b/gi,
      /\bsqlite_\w+/gi,
    ],
  ],
  [
    'h2',
    [
      /\bruncode\b|\bcreate\s+alias\b|\bset\s+mode\s+\w+|\bdb_close_delay\b/gi,
      /\brunscript\b|\bcreate\s+cached\s+table\b|\bcreate\s+memory\s+table\b/gi,
    ],
  ],
  [
    'db2',
    [
      /\bgenerated\s+always\s+as\s+identity\s*\(\s*start\b.*\bnot\s+logged\b/gi,
      /\bcommit\s+work\s*@|^\s*--#SET\s+TERMINATOR/gim,
      /\blanguage\s+sql\s+modifies\b/gi,
    ],
  ],
  [
    'bigquery',
    [
      /\bint64\b|\bfloat64\b|\bstruct<|\barray<|\bcreate\s+temp\s+function\b.*\blanguage\s+js\b/gi,
      /`[\w-]+\.[\w-]+\.\w+`/g,
    ],
  ],
  [
    'clickhouse',
    [/\bengine\s*=\s*\w*mergetree\b/gi, /\blowcardinality\b|\bnullable\s*\(\s*\w|\buint(?:8|16|32|64)\b/gi],
  ],
  [
    'snowflake',
    [/\bvariant\b|\bcreate\s+or\s+replace\s+(?:stage|warehouse|table|task|stream|pipe)\b|\bcopy\s+into\b/gi],
  ],
];

/** Words in a path that say whose SQL it is: folders for vendors, and twins such as `schema-mysql.sql`. */
const PATH_OTHER =
  /(?:^|[/._-])(?:mysql\d*|mariadb|oracle\d*|ora|mssql|sqlserver|sql-server|sqlite\d*|h2|hsqldb|hsql|derby|db2|doris|sybase|cassandra|cql|clickhouse|bigquery|snowflake|redshift|tidb|informix|firebird|hive|presto|trino|duckdb|spanner|databricks|teradata|vertica|saphana|hana)(?=[/._-]|\d)/i;
const PATH_POSTGRES =
  /(?:^|[/._-])(?:postgres(?:ql|ql)?\d*|pgsql|psql|pg|postgis|timescale(?:db)?|cockroach(?:db)?|yugabyte|supabase|plpgsql)(?=[/._-])/i;

export function dialectOf(file: string, text: string): Unit['dialect'] {
  const head = withoutProse(text.length > HEAD ? text.slice(0, HEAD) : text);
  const near = file.split('/').slice(-3).join('/');
  const path = PATH_POSTGRES.test(near) ? 3 : PATH_OTHER.test(near) ? -3 : 0;
  const ours = score(POSTGRES, head) + Math.max(0, path);
  let theirs = 0;
  for (const [, words] of OTHERS) theirs = Math.max(theirs, score(words, head));
  theirs += Math.max(0, -path);
  if (theirs > ours && theirs >= 2) return 'other';
  return ours > theirs ? 'postgresql' : 'unknown';
}

/** Comments and strings speak of anything. MySQL's `/*!` is code. */
function withoutProse(text: string): string {
  return text.replace(/--[^\n]*|\/\*(?!!)[^*]*(?:\*(?!\/)[^*]*)*\*\/|'[^'\n]*'/g, (found) =>
    found[0] === "'" ? "''" : '',
  );
}

function score(words: RegExp[], text: string): number {
  let sum = 0;
  for (const pattern of words) {
    pattern.lastIndex = 0;
    for (let n = 0; n < 3 && pattern.exec(text); n++) sum++;
  }
  return sum;
}

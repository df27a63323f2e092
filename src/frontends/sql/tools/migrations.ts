// Migration tools as data: which files are theirs, in what order they run, and whether each runs in a transaction.
import type { Routine, Unit } from '../../../ir.ts';
import { statements } from '../text/split.ts';
import { homeOf } from './home.ts';

/** A stretch of the file that runs as one; without a name it is the file. */
export interface Section {
  from: number;
  to: number;
  name?: string;
  startsIn: Routine['startsIn'];
  asOne?: true;
}

export interface Migration {
  tool: string;
  series?: Unit['series'];
  sections: Section[];
  /** It takes back what another file did: what it declares and drops does not hold. */
  down: boolean;
  /** The tool reads backslash commands, as psql does. */
  psql: boolean;
}

interface Tool {
  name: string;
  /** The file's path; its groups `position` and `down` are read. */
  path?: RegExp;
  /** A line of the text that only this tool has. With `path`, both must hold. */
  text?: RegExp;
  /** What the tool opens around a file or section. `unknown`: it depends on a setting elsewhere. */
  startsIn: Routine['startsIn'];
  /** Text that says that it opens one. */
  on?: RegExp;
  /** Text that keeps the tool from opening a transaction. */
  off?: RegExp;
  /** Where the part that goes up starts, and where it ends. */
  up?: RegExp;
  end?: RegExp;
  /** Each of these lines starts a section that runs by itself: a change set. */
  each?: RegExp;
  psql?: boolean;
  /** It sends a file as one query: of several statements the server makes a transaction, whatever the tool is told. */
  asOne?: true;
  /** The text says where it stands in the order; else the path does. */
  position?: (match: RegExpExecArray, file: string) => string;
  /** Its files are of one series with those of this tool. */
  among?: string;
}

/** Files are run in the order of their version; `_` and `.` part its numbers. */
const flywayPosition = (match: RegExpExecArray) =>
  match.groups!.kind!.toUpperCase() === 'R'
    ? `~${match.groups!.position}`
    : match.groups!.position!.replaceAll('_', '.');

/** `change@tag` is what `change` was before it was reworked. */
const sqitchPosition = (match: RegExpExecArray) =>
  match.groups!.position!.includes('@') ? match.groups!.position! : `${match.groups!.position}~`;

/** Folders that are versions part the files before their own numbers do: `migrations/9/02_x.sql`, `migrations/10/01_y.sql`. */
const foldersFirst = (match: RegExpExecArray, file: string) =>
  [
    ...file
      .slice(homeOf(file).length)
      .split('/')
      .slice(0, -1)
      .filter((folder) => /^v?\d/.test(folder)),
    match.groups!.position!,
  ].join('/');

/** What may be run again is, after all that is run once. */
const repeatedLast = (match: RegExpExecArray, file: string) =>
  (/\/(?:idempotent|repeatable|rerunnable)s?\//i.test(file) ? '~' : '') + foldersFirst(match, file);

/** Statements that cannot run in a transaction, where they start a line or follow another; tools that notice leave it out. */
const NOT_TRANSACTIONAL =
  /(?<![\s\S])--\s*no-transaction|(?:^|;)[ \t]*(?:(?:create|drop)\s+(?:unique\s+)?index\s+concurrently|vacuum|(?:create|drop)\s+(?:database|tablespace|subscription)|reindex\b.*\bconcurrently|alter\s+system)\b/im;

/** Drizzle's kit parts statements so, in whatever folder; a file of one statement has none. */
const BREAKPOINT = /--> statement-breakpoint\b/;

/** The first that fits is taken, so the telling ones come first and a bare number last. */
const TOOLS: Tool[] = [
  {
    name: 'liquibase',
    text: /^--\s*liquibase\s+formatted\s+sql/im,
    startsIn: 'transaction',
    each: /^--\s*changeset\s+(?<name>"[^"]*"|[^\s:]+(?:\s[^\s:]+)*:\S+)(?<options>.*)$/gim,
    off: /runInTransaction:\s*"?false/i,
  },
  {
    name: 'goose',
    text: /^--\s*\+goose\s+up\b/im,
    startsIn: 'transaction',
    up: /^--\s*\+goose\s+up\b.*$/im,
    end: /^--\s*\+goose\s+down\b/im,
    off: /^--\s*\+goose\s+no\s+transaction/im,
  },
  {
    name: 'sql-migrate',
    text: /^--\s*\+migrate\s+up\b/im,
    startsIn: 'transaction',
    up: /^--\s*\+migrate\s+up\b.*$/im,
    end: /^--\s*\+migrate\s+down\b/im,
    off: /^--\s*\+migrate\s+up\s+notransaction/im,
  },
  {
    name: 'dbmate',
    text: /^--\s*migrate:up\b/im,
    startsIn: 'transaction',
    up: /^--\s*migrate:up\b.*$/im,
    end: /^--\s*migrate:down\b/im,
    off: /^--\s*migrate:up\b.*transaction:\s*false/im,
    asOne: true,
  },
  {
    name: 'node-pg-migrate',
    text: /^--\s*up\s+migration\s*$/im,
    startsIn: 'transaction',
    up: /^--\s*up\s+migration\s*$/im,
    end: /^--\s*down\s+migration\s*$/im,
  },
  {
    name: 'rambler',
    text: /^--\s*rambler\s+up\b/im,
    startsIn: 'transaction',
    up: /^--\s*rambler\s+up\b.*$/im,
    end: /^--\s*rambler\s+down\b/im,
    off: /^--\s*rambler\s+no-transaction/im,
  },
  {
    name: 'tern',
    text: /^---- create above \/ drop below ----/m,
    startsIn: 'transaction',
    end: /^---- create above \/ drop below ----/m,
    off: /^---- tern: disable-tx ----/m,
  },
  {
    name: 'mybatis-migrations',
    text: /^--\s*\/\/\s*@undo\b/im,
    startsIn: 'unknown',
    end: /^--\s*\/\/\s*@undo\b/im,
  },
  {
    name: 'play-evolutions',
    path: /evolutions\/.*?(?<position>\d+)\.sql$/i,
    startsIn: 'autocommit',
    up: /^(?:#|--)\s*-*\s*!Ups\b.*$/im,
    end: /^(?:#|--)\s*-*\s*!Downs\b/im,
  },
  {
    name: 'graphile-migrate',
    text: /^--!\s*Previous:/im,
    path: /(?<position>\d+)[^/]*\.sql$/,
    startsIn: 'transaction',
    off: /^--!\s*no-transaction/im,
    asOne: true,
  },
  {
    // What comes next, while it is written: one file, or a folder of them.
    name: 'graphile-migrate',
    path: /(?:^|\/)migrations\/(?<position>current(?:\/[^/]+)?)\.sql$/,
    startsIn: 'transaction',
    off: /^--!\s*no-transaction/im,
    asOne: true,
    position: (match) => `~${match.groups!.position}`,
  },
  {
    name: 'atlas',
    text: /^--\s*atlas:(?:txmode|delimiter|sum|import|checkpoint)\b/im,
    path: /(?<position>\d+)[^/]*\.sql$/,
    startsIn: 'transaction',
    off: /^--\s*atlas:txmode\s+none\b/im,
  },
  {
    name: 'sqitch',
    text: /^--\s*Deploy\s+\S+(?:\s+to\s+\S+)?/im,
    path: /(?:^|\/)deploy\/(?<position>.+)\.sql$/,
    startsIn: 'autocommit',
    psql: true,
    position: sqitchPosition,
  },
  {
    name: 'sqitch',
    text: /^--\s*(?:Revert|Verify)\s+\S+/im,
    path: /(?:^|\/)(?<down>revert|verify)\/.+\.sql$/,
    startsIn: 'autocommit',
    psql: true,
  },
  // In the folders that sqitch.conf names, they start with the line that sqitch gave them.
  {
    name: 'sqitch',
    text: /^--\s*Deploy\s+\S+\s+to\s+pg\b/i,
    path: /(?<position>[^/]+)\.sql$/,
    startsIn: 'autocommit',
    psql: true,
    position: sqitchPosition,
  },
  {
    name: 'sqitch',
    text: /^--\s*(?:Revert\s+\S+\s+from|Verify\s+\S+\s+on)\s+pg\b/i,
    path: /(?<down>[^/]+)\.sql$/,
    startsIn: 'autocommit',
    psql: true,
  },
  {
    name: 'yoyo',
    text: /^--\s*(?:depends|transactional):/im,
    path: /(?<position>[^/]+?)(?<down>\.rollback)?\.sql$/,
    // The first of them depends on none, and has no line of the tool's.
    among: 'migrations',
    startsIn: 'transaction',
    off: /^--\s*transactional:\s*false/im,
  },
  {
    name: 'flyway',
    path: /(?:^|\/)(?<kind>[VBR])(?<position>[\d._]*)__[^/]*\.sql$/i,
    startsIn: 'transaction',
    off: NOT_TRANSACTIONAL,
    position: (match, file) =>
      match.groups!.position ? flywayPosition(match) : `~${file.slice(file.lastIndexOf('/') + 1)}`,
  },
  { name: 'flyway', path: /(?:^|\/)(?<down>U)[\d._]+__[^/]*\.sql$/, startsIn: 'transaction' },
  {
    name: 'extension',
    path: /(?:^|\/)(?=[^/]*--)(?:(?<name>[A-Za-z_][\w-]*?)--)?(?:(?<from>\d(?:[\w.]|-(?!-))*)--)?(?<position>\d(?:[\w.]|-(?!-))*)\.sql(?:\.in)?$/,
    startsIn: 'transaction',
    psql: true,
  },
  {
    name: 'postgrator',
    path: /(?:^|\/)(?<position>\d+)\.(?:do|(?<down>undo))(?:\.[^/]*)?\.sql$/,
    startsIn: 'unknown',
    asOne: true,
  },
  // Beside the scripts that go up, in a folder of their own.
  {
    name: 'migrations',
    path: /(?:^|\/)(?<down>downs?|rollbacks?|undo|reverts?)\/[^/]*\.(?:sql|pgsql|psql)$/,
    startsIn: 'unknown',
  },
  // One simple query with several statements is one transaction; `no-transaction` is sqlx's word.
  {
    name: 'golang-migrate',
    path: /(?<position>\d[^/]*?)\.(?:up|(?<down>down))\.sql$/,
    startsIn: 'transaction',
    off: /^--\s*no-transaction/i,
    asOne: true,
    position: foldersFirst,
  },
  // And Diesel's.
  {
    name: 'hasura',
    path: /(?<position>[^/]+)\/(?:up|(?<down>down))\.sql$/,
    startsIn: 'transaction',
    asOne: true,
  },
  // All that are pending run in one transaction: which are, only the database knows.
  {
    name: 'drizzle',
    path: /(?:^|\/)[^/]*drizzle[^/]*\/(?:[^/]+\/)*(?<position>\d{4,}_[^/]*)(?:\/migration)?\.sql$/,
    startsIn: 'transaction',
  },
  {
    name: 'prisma',
    path: /(?<position>\d{8,}[^/]*)\/migration\.sql$/,
    startsIn: 'transaction',
    off: NOT_TRANSACTIONAL,
    asOne: true,
  },
  {
    name: 'supabase',
    path: /supabase\/migrations\/(?<position>\d+)[^/]*\.sql$/,
    startsIn: 'transaction',
    off: NOT_TRANSACTIONAL,
  },
  {
    name: 'migrations',
    path: /migrat[^/]*\/(?:[^/]+\/)*(?<position>v?\d[\w.-]*?)(?<down>[_.-](?:down|rollback|undo|revert|reverse|backwards?))?\.(?:sql|pgsql|psql)$/i,
    startsIn: 'unknown',
    on: BREAKPOINT,
    off: NOT_TRANSACTIONAL,
    position: repeatedLast,
  },
  // Scripts for installations that are there already, beside the sources of new ones.
  {
    name: 'patches',
    path: /(?:^|\/)(?:(?:sql[_-]?|schema[_-]?|db[_-]?)?(?:updates?|upgrades?|patch(?:es)?|hotfix(?:es)?|deltas?|alters?)|schema-changes?)\/(?:[^/]+\/)*(?<position>v?\d[\w.-]*?)(?<down>[_.-](?:down|rollback|undo|revert|reverse|backwards?))?\.(?:sql|pgsql|psql)$/i,
    startsIn: 'autocommit',
    psql: true,
    position: foldersFirst,
  },
  // `sql/v1-v2/orders.sql`: from one version to the next.
  {
    name: 'steps',
    path: /(?:^|\/)(?<position>(?:v\d[\d.]*[-_]v|v?\d[\d.]*[-_]to[-_]v?)\d[\d.]*\/(?:[^/]+\/)*[^/]+)\.(?:sql|pgsql|psql)$/i,
    startsIn: 'unknown',
    off: NOT_TRANSACTIONAL,
    psql: true,
  },
  // Of fx and Scenic, for migrations of Rails: `db/functions/pay_v02.sql`.
  {
    name: 'fx',
    path: /(?:^|\/)db\/(?:functions|triggers|views)\/(?<position>\w+_v\d+)\.sql$/,
    startsIn: 'transaction',
  },
  // `udfs/plant/1.2.0.sql` beside `latest.sql`: one thing in its versions.
  {
    name: 'versions',
    path: /(?:^|\/)v?(?<position>\d+(?:[.-]\d+)+|latest)\.sql$/,
    startsIn: 'unknown',
    psql: true,
  },
  // `migration10.sql`, `upgrade_2.1.sql`: whatever the folder is called. What goes from one version to another repeats what the sources have.
  {
    name: 'numbered',
    path: /(?:^|\/)(?:migration|upgrade|patch)[_-]?(?<position>v?\d(?:(?!_to_|-to-|--)[\w.-])*?)(?<down>[_.-](?:down|rollback|undo|revert|reverse|backwards?))?\.(?:sql|pgsql|psql)$/i,
    startsIn: 'unknown',
    off: NOT_TRANSACTIONAL,
  },
  // A date, or a number as a generator gives: whatever the folder is called.
  {
    name: 'dated',
    path: /(?:^|\/)(?<position>\d{7,}(?:[_.-]\d+)*)[_-][A-Za-z][^/]*?(?<down>[_.-](?:down|rollback|undo|revert|reverse|backwards?))?\.(?:sql|pgsql|psql)$/,
    startsIn: 'unknown',
    on: BREAKPOINT,
    off: NOT_TRANSACTIONAL,
  },
];

/**
 * Scripts of nobody's tool whose numbers say in which order they run: `sql/001_tables.sql`, `initdb.d/1-users.sql`. Each
 * takes the place of what those before it made; what takes all away again runs at another time.
 */
export function orderOf(file: string): Unit['series'] {
  const from = file.lastIndexOf('/') + 1;
  const name = file.slice(from);
  const position = (OF_DOCKER.test(file.slice(0, from)) ? /^\d+/ : /^(?:0\d+|\d{3,})(?=[._-])/).exec(name);
  if (!position || TAKES_AWAY.test(name)) return undefined;
  return { name: `ordered ${file.slice(0, from)}`, position: name.replace(/\.\w+$/, '') };
}

/** The image of PostgreSQL runs what stands there, by its names. */
const OF_DOCKER = /(?:^|\/)(?:docker-entrypoint-)?initdb(?:\.d)?\/$/;
const TAKES_AWAY =
  /uninstall|tear[_-]?down|clean[_-]?up|destroy|rollback|[_-](?:down|undo)[._-]|(?:drop|remove|delete)[_-](?:all|everything|schemas?|tables|db|database|objects)/i;

/** What any of the tools' lines looks like: most files have none, and are not asked for each. */
const TOLD = new RegExp(TOOLS.flatMap(({ text }) => text?.source ?? []).join('|'), 'im');

/** Without a number, or one of these words, no path is a tool's by itself. */
const NAMED = /\d|__|current|latest|\/up\.|\/down\./;

export function migrationOf(file: string, text: string): Migration | null {
  const head = text.slice(0, 20_000);
  const told = head.includes('--') && TOLD.test(head);
  const named = NAMED.test(file);
  for (const tool of TOOLS) {
    if (tool.text ? !(told && tool.text.test(head)) : !named) continue;
    const match = (tool.path ?? ANY).exec(file);
    if (match) return read(tool, match, file, text);
  }
  return null;
}

const ANY = /(?<position>[^/]*)\.\w+$/;

function read(tool: Tool, match: RegExpExecArray, file: string, text: string): Migration {
  const { down: word, from, position: target } = match.groups ?? {};
  // A script from 1.2 to 1.1 goes back.
  const down = word !== undefined || (from !== undefined && newer(from, target ?? ''));
  const position = tool.position ? tool.position(match, file) : (match.groups?.position ?? '');
  const folder = homeOf(file);
  const migration: Migration = {
    tool: tool.name,
    sections: sections(tool, text),
    down,
    psql: tool.psql ?? false,
  };
  const name = match.groups?.name;
  if (!down)
    migration.series = {
      name: `${tool.among ?? tool.name} ${folder || '.'}${name ? `/${name}` : ''}`,
      position,
    };
  return migration;
}

function newer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.match(/\d+/g)?.map(Number) ?? []) as [
    number[],
    number[],
  ];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function sections(tool: Tool, text: string): Section[] {
  if (tool.each) return changeSets(tool, tool.each, text);
  const up = tool.up?.exec(text);
  const from = up ? up.index + up[0].length : 0;
  const rest = text.slice(from);
  const end = tool.end?.exec(rest);
  const to = end ? from + end.index : text.length;
  const asOne = tool.asOne && severalIn(text, from, to);
  const off = !asOne && tool.off?.test(text.slice(0, to));
  const startsIn = tool.on?.test(text) ? 'transaction' : off ? 'autocommit' : tool.startsIn;
  return [{ from, to, startsIn, ...(asOne && { asOne }) }];
}

function severalIn(text: string, from: number, to: number): boolean {
  let count = 0;
  for (const { kind } of statements(text, { psql: false, from, to }))
    if (kind === 'statement' && ++count > 1) return true;
  return false;
}

/** Liquibase commits after each change set; comments in front of the first are not run. */
function changeSets(tool: Tool, each: RegExp, text: string): Section[] {
  const starts = [...text.matchAll(each)];
  const all = starts.map((start, i) => ({
    from: start.index + start[0].length,
    to: starts[i + 1]?.index ?? text.length,
    name: start.groups!.name!.replaceAll('"', ''),
    startsIn: tool.off?.test(start.groups!.options!) ? ('autocommit' as const) : tool.startsIn,
  }));
  return all.filter((_, i) =>
    isOurs(/\bdbms:\s*(?:"([^"]*)"|(\S+))/i.exec(starts[i]!.groups!.options!)?.slice(1).join('')),
  );
}

/** Liquibase's `dbms`: those that it is for, or with `!` those that it is not for. */
export function isOurs(dbms: string | undefined): boolean {
  if (!dbms) return true;
  const [not, others] = [/^!/, /postgres|edb|^!?all$/i];
  const names = dbms.split(',').map((name) => name.trim());
  const wanted = names.filter((name) => !not.test(name));
  return wanted.length > 0
    ? wanted.some((name) => others.test(name))
    : !names.some((name) => others.test(name));
}

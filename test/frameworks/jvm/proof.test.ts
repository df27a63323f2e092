// The real libraries run the page's own snippets, and the server says which savepoints came.
// Maven brings them into build/, which git ignores; a JDK 17 and Maven are needed.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyse, lower } from '../../../src/analyse.ts';
import type { Unit } from '../../../src/ir.ts';
import { type Example, readPage } from '../../markdown.ts';
import { LOGGED, logOf, type Server, start } from '../../postgres/servers.ts';

const run = promisify(execFile);
/** The pages, the folder of the libraries that run each, and rows of the catalogue that have a heading and no proof, and why. */
const PAGES: { page: string; here: string; unproven: Record<string, string> }[] = [
  {
    page: 'fixtures/frameworks/jvm.md',
    here: import.meta.dirname,
    unproven: { S073: "EDB's server is not free, and the driver that Maven Central has knows no such mode" },
  },
  { page: 'fixtures/frameworks/jvm-effects.md', here: import.meta.dirname, unproven: {} },
  { page: 'fixtures/frameworks/jvm-clients.md', here: import.meta.dirname, unproven: {} },
  { page: 'fixtures/frameworks/exposed.md', here: join(import.meta.dirname, 'exposed'), unproven: {} },
];
/** What stands in the database before a snippet with `Opens:` runs. */
const SCHEMA = join(import.meta.dirname, 'schema.sql');
const FUNCTIONS = ['inserted', 'updated', 'deleted', 'called'];

interface Proof {
  id: string;
  rows: string[];
  example: Example;
  /** `SAVEPOINT 1, RELEASE 1, ROLLBACK TO 0` */
  sends?: string;
  /** How often each function of the schema opened a subtransaction: `inserted 2, called 1`. */
  opens?: string;
  /** Those that are known not to be read right: `called, because …`. */
  unread?: string;
}

async function proofs(page: string): Promise<{ all: Proof[]; rows: Set<string> }> {
  const prose = readPageProse(await readFile(page, 'utf8'));
  const rows = new Set<string>();
  const all = readPage(page).flatMap((example, index): Proof[] => {
    const heading = example.headings.at(-1)!;
    const own = heading.match(/S\d{3}/g) ?? [];
    for (const row of own) rows.add(row);
    const [sends, opens, unread] = ['Sends', 'Opens', 'Unread'].map(
      (word) => new RegExp(`^${word}: (.*)$`, 'm').exec(prose.get(heading) ?? '')?.[1],
    );
    const id = `${basename(page, '.md').replace('-', '')}${index}`;
    return (sends ?? opens) ? [{ id, rows: own, example, sends, opens, unread }] : [];
  });
  return { all, rows };
}

function readPageProse(text: string): Map<string, string> {
  return new Map(
    text.split(/^## /m).map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end)];
    }),
  );
}

let server: Server;
const address = `127.83.${process.pid & 255}.${(process.pid >> 8) & 255}`;

beforeAll(async () => {
  // Maven's store takes one at a time, and random programs may fill it now.
  await run('sh', ['test/frameworks/jvm/install.sh']);
  server = await start(15, {
    // An address of its own on the loopback: the driver speaks TCP, and nothing can clash.
    listen_addresses: address,
    ...LOGGED,
  });
}, 600_000);
afterAll(() => server?.stop());

/** One package for each snippet, and a main program that marks where each begins. */
async function program(all: Proof[], here: string): Promise<void> {
  const source = join(here, 'build/src');
  for (const folder of ['src', 'lib', 'target'])
    await rm(join(here, 'build', folder), { recursive: true, force: true });
  for (const { id, example } of all)
    for (const file of example.files) {
      await mkdir(join(source, id), { recursive: true });
      const isKotlin = file.path.endsWith('.kt');
      const heading = /\.(?:kt|java)$/.test(file.path) ? `package ${id}${isKotlin ? '' : ';'}\n` : '';
      const opened = file.text
        .replace(/^class Example/m, 'public class Example')
        .replace(/^ {2}static void run/m, '  public static void run');
      await writeFile(join(source, id, file.path), `${heading}${opened}`);
    }
  const schema = JSON.stringify(await readFile(SCHEMA, 'utf8'));
  const calls = all.map(({ id, example, opens }) => {
    const name = example.files[0]!.path.replace(/\.kt$/, 'Kt').replace(/\.java$/, '');
    return `    ${opens ? 'fresh(SCHEMA); ' : ''}try { mark("begin ${id}"); ${id}.${name}.run(pool); } catch (Throwable e) { System.out.println("${id} failed: " + e); } finally { mark("end ${id}"); }`;
  });
  await writeFile(join(source, 'Main.java'), main(calls.join('\n'), schema));
}

const main = (calls: string, schema: string) => `
public class Main {
  static com.zaxxer.hikari.HikariDataSource pool;
  static final String SCHEMA = ${schema};

  static void fresh(String schema) throws Exception {
    try (var connection = pool.getConnection(); var statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + schema);
    }
  }

  static void mark(String name) throws Exception {
    try (var connection = pool.getConnection(); var statement = connection.createStatement()) {
      statement.execute("SELECT '" + name + "'");
    }
  }

  public static void main(String[] args) throws Exception {
    pool = new com.zaxxer.hikari.HikariDataSource();
    pool.setJdbcUrl(args[0]);
    pool.setUsername("postgres");
    pool.setMaximumPoolSize(8);
${calls}
    pool.close();
    System.exit(0);
  }
}
`;

function counts(log: string): Map<string, string> {
  const found = new Map<string, [number, number, number]>();
  let now: [number, number, number] | undefined;
  for (const line of log.split('\n')) {
    const mark = /SELECT '(begin|end) (\w+)'/.exec(line);
    if (mark) {
      now = mark[1] === 'begin' ? [0, 0, 0] : undefined;
      if (now) found.set(mark[2]!, now);
    }
    const sent = /LOG: +(?:statement|execute [^:]*): *(SAVEPOINT|RELEASE|ROLLBACK TO)\b/i.exec(line)?.[1];
    if (now && sent) now[['SAVEPOINT', 'RELEASE', 'ROLLBACK TO'].indexOf(sent.toUpperCase())]!++;
  }
  return new Map([...found].map(([id, [a, b, c]]) => [id, `SAVEPOINT ${a}, RELEASE ${b}, ROLLBACK TO ${c}`]));
}

/** `inserted 2, called 1`, of what the functions of the schema wrote into the log. */
function opened(log: string): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  let now: Map<string, number> | undefined;
  for (const line of log.split('\n')) {
    const mark = /SELECT '(begin|end) (\w+)'/.exec(line);
    if (mark) {
      now = mark[1] === 'begin' ? new Map() : undefined;
      if (now) found.set(mark[2]!, now);
    }
    const name = /LOG: +opened (\w+)/.exec(line)?.[1];
    if (now && name) now.set(name, (now.get(name) ?? 0) + 1);
  }
  return found;
}

/** How many subtransactions this function of the schema opens in the snippet's transaction, by what is read: at least, at most. */
async function read({ example }: Proof, name: string): Promise<[number, number]> {
  const schema = (await readFile(SCHEMA, 'utf8')).replace(
    /CREATE FUNCTION (\w+)\(.*?END \$\$/gs,
    (whole, one) => (one === name ? whole : whole.replace(/EXCEPTION.*?;/s, '')),
  );
  const units: Unit[] = [];
  for (const { path, text } of [{ path: 'schema.sql', text: schema }, ...example.files]) {
    const unit = await lower(path, text);
    if (unit) units.push(unit);
  }
  const began = analyse(units).model.transactions.filter(({ file }) => file !== 'schema.sql');
  // A snippet has one transaction; what else is read as one begins with a statement of a root.
  return [Math.max(0, ...began.map(({ least }) => least)), Math.max(0, ...began.map(({ counts }) => counts))];
}

/** What is wrong with what is read of a snippet, where its functions opened so many. */
async function misread(proof: Proof, came: Map<string, number>): Promise<string[]> {
  const said = new Map(proof.opens!.split(', ').map((one) => one.split(' ') as [string, string]));
  const known = proof.unread?.split(', because')[0]?.split(', ') ?? [];
  const wrong: string[] = [];
  for (const name of FUNCTIONS) {
    const times = came.get(name) ?? 0;
    if (times !== Number(said.get(name) ?? 0)) wrong.push(`${name}: ${times} came`);
    const [least, most] = await read(proof, name);
    const isRight = times >= least && times <= most && most > 0 === said.has(name);
    if (!isRight && !known.includes(name)) wrong.push(`${name}: from ${least} to ${most} are read`);
    if (isRight && known.includes(name)) wrong.push(`${name} is read by now`);
  }
  return wrong;
}

/** How many savepoints the linked program has where something reaches them inside a transaction, and whether statements have theirs. */
async function linked({ example }: Proof): Promise<{ places: number; statements: boolean }> {
  const units: Unit[] = [];
  for (const { path, text } of example.files) {
    const unit = await lower(path, text);
    if (unit) units.push(unit);
  }
  const { model } = analyse(units);
  const statements = model.settings.some(({ effect }) => effect.startsWith('savepoint per'));
  const places = model.subtransactions.filter(
    ({ origin, visits }) =>
      origin.kind === 'savepoint' ||
      // A root may have been called in a transaction: that is possible and no more.
      visits.some(({ context, certainty }) => context.inTransaction === 'yes' && certainty !== 'possible'),
  ).length;
  return { places, statements };
}

describe('the JVM', () => {
  test.each(PAGES)(
    'sends what $page says',
    async ({ page, here, unproven }) => {
      const { all, rows } = await proofs(page);
      await program(all, here);
      await run(
        'mvn',
        ['-q', '-B', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=build/lib'],
        {
          cwd: here,
          maxBuffer: 1e8,
        },
      );
      const classes = [join(here, 'build/target/classes'), join(here, 'build/lib/*')].join(':');
      const url = `jdbc:postgresql://${address}/postgres`;
      const { stdout } = await run('java', ['-cp', classes, 'Main', url], { maxBuffer: 1e8 });
      expect(stdout.split('\n').filter((line) => line.includes(' failed: '))).toEqual([]);
      const log = await readFile(logOf(server), 'utf8');
      const [came, began] = [counts(log), opened(log)];
      const proven = new Set<string>();
      const wrong: string[] = [];
      for (const proof of all) {
        const heading = proof.example.headings.at(-1)!;
        for (const row of proof.rows) proven.add(row);
        if (proof.opens)
          for (const what of await misread(proof, began.get(proof.id) ?? new Map()))
            wrong.push(`${heading}: ${what}`);
        if (!proof.sends) continue;
        if (came.get(proof.id) !== proof.sends) wrong.push(`${heading}: ${came.get(proof.id)} came`);
        const savepoints = Number(/SAVEPOINT (\d+)/.exec(proof.sends)![1]);
        const { places, statements } = await linked(proof);
        // A setting has no place of its own: each statement sends one.
        if (places !== (statements ? 0 : savepoints)) wrong.push(`${heading}: ${places} places read`);
      }
      expect(wrong).toEqual([]);
      const open = [...rows].filter((row) => !proven.has(row)).sort();
      expect(open).toEqual(Object.keys(unproven).sort());
      console.log(`${proven.size} rows proven (${[...proven].sort().join(' ')}), ${open.length} not`);
    },
    600_000,
  );
});

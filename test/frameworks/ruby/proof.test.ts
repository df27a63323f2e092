// The real ActiveRecord and Sequel run the pages' own blocks, and the server says which savepoints came.
// They come from Debian: apt-get install ruby-activerecord ruby-pg ruby-sequel; newer.sh unpacks a newer ActiveRecord beside it,
// and gems.sh what Debian has not. Blocks that ask for a gem which is not there are counted and prove nothing.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run as read } from '../../harness.ts';
import { readPage } from '../../markdown.ts';
import { LOGGED, logOf, type Server, start } from '../../postgres/servers.ts';

const run = promisify(execFile);
/** What every block finds; its page's own SQL comes after it. */
const TABLES = `CREATE TABLE orders (id serial PRIMARY KEY, paid boolean); INSERT INTO orders (paid) VALUES (false);
  CREATE TABLE tags (id serial PRIMARY KEY, name text UNIQUE, used boolean);`;

/** Rows of the catalogue that have a page and no proof, and why. */
const UNPROVEN: Record<string, string> = {
  S054: 'with_lock takes the option from 7.0; proven where newer.sh found a newer one',
  S058: 'Rails Event Store is not in Debian; proven where gems.sh found it',
  S059: 'GoodJob is an engine, which asks for all of Rails; what it sends is read in its source',
  S065: 'rom-sql is not in Debian; it hands its options on to Sequel',
  S066: 'dm-transactions is not in Debian; nobody ran it here',
};

interface Block {
  id: string;
  tables: string;
  code: string;
  says: string;
}

interface Came {
  savepoints: number;
  released: number;
  'rolled back': number;
  multixacts: number;
}

let server: Server;

beforeAll(async () => {
  server = await start(15, LOGGED);
}, 60_000);
afterAll(() => server?.stop());

/** Libraries of the next Debian: plain Ruby, which runs with the Ruby of this one. */
const NEWER = join('build', 'rails', 'gems');
const librariesIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).map((gem) => resolve(folder, gem, 'lib')) : [];
const newer = librariesIn(NEWER);
const gems = librariesIn(join('build', 'gems'));
/** How many rows a page proves at least. */
const ROWS: Record<string, number> = { activerecord: 8, sequel: 4 };

describe.each<[string, string, string[]]>([
  ['activerecord', 'as installed', []],
  ['activerecord', 'of the next Debian', newer],
  ['sequel', 'as installed', []],
  ...['aasm', 'ruby-gems', 'ruby-jobs'].flatMap((page): [string, string, string[]][] => [
    [page, 'with ActiveRecord as installed', []],
    [page, 'with ActiveRecord of the next Debian', newer],
  ]),
])('%s, %s', (library, _, path) => {
  test.skipIf(path === newer && newer.length === 0)(
    'sends what its page says',
    async () => {
      const examples = readPage(`fixtures/frameworks/${library}.md`);
      const blocks = examples.flatMap((example, i): Block[] => {
        const all = (kind: string) =>
          example.files
            .filter(({ path }) => path.endsWith(kind))
            .map(({ text }) => text)
            .join('\n');
        const [tables, code] = [TABLES + all('.sql'), all('.rb')];
        const says = [...code.matchAll(/^# server( before [\d.]+| from [\d.]+)?: (.*)$/gm)];
        return says.length > 0
          ? [{ id: String(i), tables, code, says: says.map((one) => one[0]).join('\n') }]
          : [];
      });
      const file = join(server.socket, `${library}.json`);
      await writeFile(file, JSON.stringify(blocks));
      const program = [join(import.meta.dirname, 'run.rb'), library, server.socket, file];
      const { stdout } = await run('ruby', program, {
        env: { ...process.env, RUBYLIB: [...path, ...gems].join(delimiter) },
      });
      const version = /^version (\S+)/.exec(stdout)![1]!;
      const came = counts(await readFile(logOf(server), 'utf8'));
      const proven = new Set<string>();
      const said: string[] = [];
      const sent: string[] = [];
      let absent = 0;
      for (const block of blocks) {
        if (stdout.includes(`\n${block.id} failed: LoadError: `)) {
          absent++;
          continue;
        }
        const expected = block.says.split('\n').find((line) => holds(line, version));
        const heading = examples[Number(block.id)]!.headings.slice(1).join(' > ');
        if (!expected) continue;
        said.push(`${heading}: ${expected.replace(/^#[^:]*: /, '')}`);
        const failed = stdout.split('\n').find((line) => line.startsWith(`${block.id} failed: `));
        sent.push(`${heading}: ${failed ?? inWords(came.get(block.id)!)}`);
        for (const [row] of heading.matchAll(/S\d{3}/g)) proven.add(row);
        // And the page's events are what is read: the two agree through the page.
        sent.push(...(await read(examples[Number(block.id)]!, { rules: [] })).map(String));
      }
      expect(sent).toEqual(said);
      console.log(
        `${library} ${version}: ${blocks.length - absent} blocks ran, ${absent} asked for a gem that is not there; rows proven: ${[...proven].sort().join(' ')}`,
      );
      expect(proven.size).toBeGreaterThanOrEqual(ROWS[library] ?? 0);
    },
    300_000,
  );
});

test('every row of the catalogue for Ruby has a block, and those without proof a reason', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `S0${47 + i}`);
  const seen = new Map<string, boolean>();
  for (const page of ['activerecord', 'sequel', 'ruby-jobs'])
    for (const example of readPage(`fixtures/frameworks/${page}.md`))
      for (const [row] of example.headings.join(' ').matchAll(/S\d{3}/g)) {
        const proof = example.files.some(({ text }) => /^# server/m.test(text));
        seen.set(row, (seen.get(row) ?? false) || proof);
      }
  expect([...seen.keys()].sort()).toEqual(rows);
  expect(rows.filter((row) => !seen.get(row)).sort()).toEqual(
    Object.keys(UNPROVEN)
      .filter((row) => !UNPROVEN[row]!.includes('; proven where'))
      .sort(),
  );
});

/** `# server from 7.1: …` speaks of versions from there on. */
function holds(line: string, version: string): boolean {
  const limit = /^# server (before|from) ([\d.]+):/.exec(line);
  if (!limit) return true;
  const [asked, has] = [limit[2]!, version].map((one) => one.split('.').map(Number));
  const newer = has![0]! > asked![0]! || (has![0] === asked![0] && has![1]! >= asked![1]!);
  return (limit[1] === 'from') === newer;
}

/** What the log has between the marks of each block. */
function counts(log: string): Map<string, Came> {
  const found = new Map<string, Came>();
  let now: Came | undefined;
  for (const line of log.split('\n')) {
    const mark = /LOG: +(begin|end) (\d+) at (\d+)/.exec(line);
    if (mark) {
      if (now) now.multixacts += Number(mark[3]);
      now =
        mark[1] === 'begin'
          ? { savepoints: 0, released: 0, 'rolled back': 0, multixacts: -Number(mark[3]) }
          : undefined;
      if (now) found.set(mark[2]!, now);
    }
    const sent = /LOG: +(?:statement|execute [^:]*): *(SAVEPOINT|RELEASE|ROLLBACK TO)\b/i
      .exec(line)?.[1]
      ?.toUpperCase();
    if (!now || !sent) continue;
    if (sent === 'SAVEPOINT') now.savepoints++;
    else if (sent === 'RELEASE') now.released++;
    else now['rolled back']++;
  }
  return found;
}

function inWords({ savepoints, released, 'rolled back': rolledBack, multixacts }: Came): string {
  const said = [
    savepoints && `${savepoints} savepoint${savepoints > 1 ? 's' : ''}`,
    released && `${released} released`,
    rolledBack && `${rolledBack} rolled back`,
    multixacts && `${multixacts} multixact${multixacts > 1 ? 's' : ''}`,
  ].filter(Boolean);
  return said.join(', ') || 'nothing';
}

// psql, DBIx::Class, Doctrine and Laravel run the programs of the page of settings, and the server says which savepoints came.
// They come from Debian: install.sh.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lower } from '../../../src/analyse.ts';
import { run as read } from '../../harness.ts';
import { type Example, readPage } from '../../markdown.ts';
import { LOGGED, logOf, type Server, start } from '../../postgres/servers.ts';

const run = promisify(execFile);
const RUNS: Record<string, string> = { sh: 'sh', pl: 'perl', php: 'php' };

/** Rows of the page that have no proof, and why. */
const UNPROVEN: Record<string, string> = {
  S135: 'Debian has Doctrine and not its bundle for Symfony, which hands the option to what S132 runs',
  S136: 'Debian has no package of Yii',
  S137: 'Debian has no package of CakePHP',
  S142: 'EF Core needs .NET, of which Debian has Mono alone',
  S153: 'proven in test/frameworks/odbc',
  S154: 'proven in test/frameworks/odbc',
  S155: "DataDirect's driver is not free",
  S168: 'Babelfish is a server of its own, and in no Debian package',
  S169: "the extension is in no Debian package, and EDB's server is not free",
};

/** Rows whose savepoints no setting tells. */
const UNTOLD = ['S127'];

let server: Server;
beforeAll(async () => {
  server = await start(15, LOGGED);
}, 60_000);
afterAll(() => server?.stop());

const programs = readPage('fixtures/frameworks/settings.md').flatMap((example) => {
  const file = example.files.find(({ text }) => /^# server: /m.test(text));
  return file ? [{ example, file, says: /^# server: (.*)$/m.exec(file.text)![1]! }] : [];
});

const ofPage = new Set(
  readPage('fixtures/frameworks/settings.md').flatMap(
    ({ headings }) => headings.join(' ').match(/S\d{3}/g) ?? [],
  ),
);

const headingOf = ({ headings }: Example) => headings.slice(1).join(' > ');
const rowOf = (example: Example) => /S\d{3}/.exec(headingOf(example))![0];

test('the programs of the page send what it says, and settings tell which do', async () => {
  const client = await server.connect();
  await client.query('CREATE TABLE counted (id int)');
  for (const [i, { file }] of programs.entries()) {
    const ending = file.path.split('.').at(-1)!;
    const path = join(server.socket, `${i}.${ending}`);
    await writeFile(path, file.text);
    await client.query(`SELECT 'begin ${i}'`);
    await run(RUNS[ending]!, [path], {
      env: { ...process.env, PGHOST: server.socket, PGUSER: 'postgres', PGDATABASE: 'postgres' },
    });
    await client.query(`SELECT 'end ${i}'`);
  }
  await client.end();
  const came = counts(await readFile(logOf(server), 'utf8'));
  for (const [i, { example, file, says }] of programs.entries()) {
    expect(`${headingOf(example)}: ${inWords(came[i]!)}`).toBe(`${headingOf(example)}: ${says}`);
    const unit = await lower(file.path, file.text);
    const told = unit!.settings.some(({ effect }) => /savepoints?\b/.test(effect));
    const tells = says !== 'none' && !UNTOLD.includes(rowOf(example));
    expect(`${headingOf(example)}: ${told}`).toBe(`${headingOf(example)}: ${tells}`);
    expect(await read(example, { rules: [] })).toEqual([]);
  }
  const rows = new Set(programs.map(({ example }) => rowOf(example)));
  expect(rows.size).toBe(4);
  const open = [...ofPage].filter((row) => !rows.has(row)).sort();
  expect(open).toEqual(Object.keys(UNPROVEN).sort());
  console.log(
    `${rows.size} rows proven (${[...rows].sort().join(' ')}) by ${programs.length} programs, ${open.length} not`,
  );
}, 60_000);

type Came = Record<'SAVEPOINT' | 'RELEASE' | 'ROLLBACK TO', number>;

/** What the log has between the marks of each program. */
function counts(log: string): Came[] {
  const found: Came[] = [];
  let now: Came | undefined;
  for (const line of log.split('\n')) {
    const mark = /SELECT '(begin|end) (\d+)'/.exec(line);
    if (mark) now = mark[1] === 'begin' ? { SAVEPOINT: 0, RELEASE: 0, 'ROLLBACK TO': 0 } : undefined;
    if (mark && now) found[Number(mark[2])] = now;
    const sent = /LOG: +(?:statement|execute [^:]*): *(SAVEPOINT|RELEASE|ROLLBACK TO)\b/i.exec(line)?.[1];
    if (sent && now) now[sent.toUpperCase() as keyof Came]++;
  }
  return found;
}

const inWords = (came: Came): string =>
  Object.entries(came)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${word} ${count}`)
    .join(', ') || 'none';

// Runs the SQL of every rule page and fixture on real servers and holds it against what the comments and headings claim.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Annotation, type Example, readPage, readProject } from '../markdown.ts';
import { harms, lastVersion } from './harm.ts';
import { type Statement, statements } from './script.ts';
import { type Server, start, VERSIONS, type Version } from './servers.ts';
import { type Channel, Observer, runScript, type Seen, viaDriver, viaPsql } from './session.ts';

const MEASURED = new Set(['subtransactions', 'multixacts', 'returns', 'error']);
const isScript = (path: string) => /\.(sql|psql)$/.test(path);
const list = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : []);

interface Running {
  server: Server;
  observer: Observer;
  admin: pg.Client;
}
const tables = readPage('rules/README.md').find(
  ({ headings }) => headings.at(-1) === 'The tables of the examples',
)!.files[0]!.text;
let running: Running[] = [];

beforeAll(async () => {
  running = await Promise.all(
    VERSIONS.map(async (version) => {
      const server = await start(version, { search_path: 'public, examples' });
      const watch = await server.connect();
      await watch.query('CREATE EXTENSION pg_walinspect');
      await watch.query('CREATE DATABASE examples');
      return { server, observer: new Observer(server, watch), admin: await server.connect('examples') };
    }),
  );
}, 120_000);
afterAll(() => Promise.all(running.map(({ server }) => server.stop())));

/** Nothing is left of the example before; the tables are as the page says. */
async function reset(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query(
    `SELECT string_agg(quote_ident(nspname), ', ') AS all FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`,
  );
  await admin.query(`DROP SCHEMA ${rows[0].all} CASCADE; CREATE SCHEMA public; ${tables}`);
}

for (const rule of list('rules').filter((name) => existsSync(`rules/${name}/rule.md`)))
  for (const page of ['rule.md', 'cases.md'].filter((file) => existsSync(`rules/${rule}/${file}`)))
    suite(`${rule}/${page}`, readPage(`rules/${rule}/${page}`), rule);

for (const folder of ['fixtures/languages', 'fixtures/frameworks'])
  for (const page of list(folder).filter((file) => file.endsWith('.md')))
    suite(join(folder, page), readPage(join(folder, page)).filter(measured));
for (const project of list('fixtures/projects')) {
  const example = readProject(join('fixtures/projects', project));
  if (measured(example)) suite(`fixtures/projects/${project}`, [example]);
}

function measured(example: Example): boolean {
  return example.annotations.some((a) => MEASURED.has(a.word) && isScript(a.file));
}

function suite(page: string, examples: Example[], rule?: string): void {
  const scripts = examples.filter((example) => example.files.some((file) => isScript(file.path)));
  describe.skipIf(scripts.length === 0)(page, () => {
    for (const example of scripts)
      test(example.headings.slice(1).join(' > ') || example.title, async () => {
        const complaints = await Promise.all(
          running.map(async (where) => {
            if (!(await speaks(where, example))) return [];
            const runs = await play(where, example);
            return [
              ...compare(example, runs, where.server.version),
              ...(rule ? heading(rule, example, runs, where.server.version) : []),
            ].map((complaint) => `PostgreSQL ${where.server.version}: ${complaint}`);
          }),
        );
        expect(complaints.flat().join('\n')).toBe('');
      });
  });
}

/** Procedural languages that a server may lack, and the versions that were seen to have them. */
const LANGUAGES = ['plpython3u', 'plperl', 'pltcl'];
const spoken = new Map<string, Set<Version>>();

/** Creates the languages that the example is written in; false where the server has not all of them. */
async function speaks({ server, admin }: Running, example: Example): Promise<boolean> {
  const text = example.files.map((file) => file.text).join('\n');
  for (const language of LANGUAGES.filter((one) => new RegExp(`LANGUAGE ${one}\\b`).test(text))) {
    try {
      await admin.query(`CREATE EXTENSION IF NOT EXISTS ${language} SCHEMA pg_catalog`);
    } catch {
      return false; // no control file, or its library needs another Python or Perl than this machine's
    }
    spoken.set(language, (spoken.get(language) ?? new Set()).add(server.version));
  }
  return true;
}

/** Every script of the example, one after the other, each in a session of its own. */
async function play({ server, observer, admin }: Running, example: Example): Promise<Map<string, Seen[]>> {
  await reset(admin);
  const runs = new Map<string, Seen[]>();
  for (const file of example.files.filter((each) => isScript(each.path))) {
    const channel: Channel = file.path.endsWith('.psql')
      ? await viaPsql(server, 'examples')
      : await viaDriver(await server.connect('examples'));
    runs.set(file.path, await runScript(observer, channel, statements(file.text)));
    await channel.close();
  }
  return runs;
}

function compare(example: Example, runs: Map<string, Seen[]>, version: Version): string[] {
  const complaints: string[] = [];
  for (const file of example.files.filter((each) => isScript(each.path))) {
    const annotations = example.annotations.filter((a) => a.file === file.path && MEASURED.has(a.word));
    const seen = runs.get(file.path)!;
    const at = (line: number) => `${file.page}:${file.pageLine + line}`;
    for (const a of annotations) {
      const one = seen.findLast((s) => s.from <= a.line && a.line <= s.to);
      if (!one) complaints.push(`${at(a.line)} \`${a.word}\` stands where no statement is`);
      else {
        const wrong = disagrees(a, one, version);
        if (wrong) complaints.push(`${at(a.line)} ${wrong}`);
      }
    }
    for (const one of seen.filter((each) => each.error))
      if (!annotations.some((a) => a.word === 'error' && one.from <= a.line && a.line <= one.to))
        complaints.push(`${at(one.from)} the server refused this with ${one.error}: ${oneLine(one)}`);
  }
  return complaints;
}

const oneLine = (statement: Statement) => statement.text.replace(/\s+/g, ' ').slice(0, 80);

/** What the comment claims against what was seen; ` up to 16` or ` from 16` at its end limit it to some versions. */
function disagrees(a: Annotation, seen: Seen, version: Version): string | null {
  const [, what, word, bound] = /^(.*?)(?: (up to|from) (\d+))?$/.exec(a.what)!;
  const due = !word || (word === 'from' ? version >= Number(bound) : version <= Number(bound));
  if (!due && a.word !== 'error') return null;
  const came = {
    error: seen.error ?? 'no error',
    returns: seen.value ?? 'nothing',
    multixacts: String(seen.multixacts),
    subtransactions: `${seen.subtransactions}${seen.overflowed ? ', overflowed' : ''}`,
  }[a.word as 'error'];
  const expected = due ? what : 'no error';
  return came === expected ? null : `expected ${a.word}: ${expected}, and the server said: ${came}`;
}

/** Under *Fires* the harm must be seen, under *Stays silent* and *What to do instead* it must not. */
function heading(rule: string, example: Example, runs: Map<string, Seen[]>, version: Version): string[] {
  const harm = harms[rule];
  if (!harm) return [`test/postgres/harm.ts does not say what harm ${rule} does`];
  const section = example.headings[1];
  const inSqlOnly = example.files.every((file) => isScript(file.path));
  const driven = inSqlOnly || example.files.some((file) => file.path.endsWith('run.sql'));
  if (!driven) return [];
  const seen = [...runs.values()].flat();
  const shown = harm(seen);
  // A finding that is only a note says that it costs next to nothing; then the example claims just that.
  const free = example.annotations.some((a) => a.word === 'subtransactions' && a.what === '0');
  const due = version <= (lastVersion[rule] ?? version);
  if (section === 'Fires' && due && !shown && !free) return [`${example.title} fires, but no harm was seen`];
  if ((section === 'Stays silent' || section === 'What to do instead') && shown)
    return [`${example.title}: the harm was seen: ${shown}`];
  return [];
}

/** Debian's packages for 15 have all three. Those that npm has, for 16 to 18, want a Python and a Perl that are long gone. */
test('each procedural language was tried on a server that has it', () => {
  const by = (language: string) => [...(spoken.get(language) ?? [])].sort();
  console.log(
    LANGUAGES.map((language) => `${language}: PostgreSQL ${by(language).join(', ') || 'none'}`).join('; '),
  );
  for (const language of LANGUAGES) expect(by(language), language).toContain(15);
});

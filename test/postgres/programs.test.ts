// Random programs: what the analysis says of each transaction must be what the server does.
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyse, check, lower } from '../../src/analyse.ts';
import type { Unit } from '../../src/ir.ts';
import { type Program, program } from '../properties/program.ts';
import { probed, type Rendered, render, TABLES, unprobed } from '../properties/render.ts';
import { type Server, start, VERSIONS } from './servers.ts';
import { Observer } from './session.ts';

const RUNS = Number(process.env.SUBXACT_PROGRAMS ?? 120);
const SEED = Number(process.env.SUBXACT_SEED ?? Date.now() % 2 ** 31);
const PROBE = `
CREATE FUNCTION public.probe() RETURNS int LANGUAGE plpgsql AS $$
DECLARE s record;
BEGIN
  PERFORM pg_stat_clear_snapshot();
  SELECT each.* INTO s
    FROM pg_stat_get_backend_idset() AS b, LATERAL pg_stat_get_backend_subxact(b) AS each
   WHERE pg_stat_get_backend_pid(b) = pg_backend_pid();
  RAISE NOTICE 'slots % %', s.subxact_count, s.subxact_overflowed;
  RETURN 0;
END $$`;

/** What one top transaction did; where the script's transaction is several, as a procedure's, the most of any. */
interface Truth {
  /** Most slots taken at once; 65 stands for all that overflow. */
  peak: number;
  /** Subtransactions that were there when it committed. */
  kept: number;
  overflowed: boolean;
  /** Levels open before COMMIT, as far as they have a transaction ID. */
  levels: number;
  multixacts: number;
  error: string | null;
}

interface Running {
  server: Server;
  observer: Observer;
  session: pg.Client;
  pid: number;
  notices: string[];
}
let running: Running[] = [];
beforeAll(async () => {
  running = await Promise.all(
    VERSIONS.map(async (version) => {
      const server = await start(version, { statement_timeout: '3s' });
      const watch = await server.connect();
      await watch.query('CREATE EXTENSION pg_walinspect');
      const session = await server.connect();
      if (version >= 16) await session.query(PROBE);
      const { rows } = await session.query('SELECT pg_backend_pid() AS pid');
      const notices: string[] = [];
      session.on('notice', ({ message }) => notices.push(message ?? ''));
      return { server, observer: new Observer(server, watch), session, pid: rows[0].pid, notices };
    }),
  );
}, 120_000);
afterAll(() => Promise.all(running.map(({ server }) => server.stop())));

async function play(where: Running, { schema, script }: Rendered): Promise<Truth[]> {
  const { session, observer, notices, pid } = where;
  const text = where.server.version >= 16 ? probed : unprobed;
  await session.query(
    `DROP SCHEMA IF EXISTS p CASCADE; CREATE SCHEMA p; SET search_path = p, public; ${TABLES}${text(schema)}`,
  );
  const truths: Truth[] = [];
  for (const statements of script) {
    notices.length = 0;
    const began = await observer.count(pid);
    let before = began;
    let error: string | null = null;
    for (const [i, statement] of statements.entries()) {
      if (i === statements.length - 1) before = await observer.count(pid);
      try {
        await session.query(text(statement));
      } catch (caught) {
        const { code, message } = caught as pg.DatabaseError;
        if (!code) throw caught;
        if (statement !== 'SELECT 1 / 0;') error ??= `${code} ${message}`;
      }
    }
    const after = await observer.count(pid);
    const ended = await observer.transactionsSince(began).catch(nothingYet);
    const probes = notices
      .map((notice) => /^slots (\d+) (t|f)/.exec(notice))
      .filter((found) => found !== null);
    const kept = Math.max(0, ...ended.map(({ committed }) => committed));
    const overflowed = before.overflowed === true || kept > 64 || probes.some((probe) => probe[2] === 't');
    const peak = overflowed ? 65 : Math.max(kept, ...probes.map((probe) => Number(probe[1])));
    truths.push({
      peak,
      kept,
      overflowed,
      levels: Math.max(0, before.locks - 1),
      multixacts: after.multi - began.multi,
      error,
    });
  }
  return truths;
}

/** What only reads leaves nothing in the log, and what is rolled back is not flushed yet. */
function nothingYet(error: Error): { committed: number }[] {
  if (!/future start LSN|find a valid record|less than current LSN/.test(error.message)) throw error;
  return [];
}

const OVERFLOWS = new Set(['subtransaction-in-loop', 'subtransaction-per-row', 'subtransaction-overflow']);

async function disagreements({ schema, script, fails }: Rendered, truths: Truth[]): Promise<string[]> {
  const texts = script.map((statements) => unprobed(statements.join('\n')));
  const files = { 'schema.sql': TABLES + unprobed(schema), 'run.sql': texts.join('\n') };
  const units: Unit[] = [];
  for (const [file, text] of Object.entries(files)) units.push((await lower(file, text))!);
  const { model } = analyse(units);
  const findings = check(model);
  const wrong: string[] = [];
  for (const unit of units)
    for (const problem of unit.problems) wrong.push(`${unit.file}: ${problem.message}`);
  let from = 0;
  for (const [i, truth] of truths.entries()) {
    const to = from + texts[i]!.length;
    const mine = model.transactions.filter(
      ({ file, at }) => file === 'run.sql' && from <= at.start && at.start < to,
    );
    const most = Math.max(0, ...mine.map(({ counts }) => counts));
    if (truth.peak > most || truth.kept > most)
      wrong.push(
        `transaction ${i + 1}: ${truth.peak} slots (${truth.kept} kept) on the server, at most ${most} said`,
      );
    const least = Math.max(0, ...mine.map((one) => one.least));
    if (least > most) wrong.push(`transaction ${i + 1}: at least ${least} said, and at most ${most}`);
    // What fails without saying so, or fails as a whole, does less than is written.
    if (!fails && truth.error === null) {
      if (Math.min(least, 65) > truth.peak)
        wrong.push(`transaction ${i + 1}: ${truth.peak} slots on the server, at least ${least} said`);
      if (least === most && most > 0) stats.exact++;
    }
    from = to + 1;
  }
  const overflowed = truths.some((truth) => truth.overflowed);
  const said = findings.filter(({ rule, severity }) => OVERFLOWS.has(rule) && severity !== 'note');
  if (overflowed && said.length === 0) wrong.push('an overflow, and no finding says so');
  return wrong;
}

const stats = {
  programs: 0,
  transactions: 0,
  errors: 0,
  overflowed: 0,
  some: 0,
  multixacts: 0,
  cancelled: 0,
  exact: 0,
};

function story({ schema, script }: Rendered, truths: Truth[]): string {
  const told = script.map((statements, i) => `-- ${JSON.stringify(truths[i])}\n${statements.join('\n')}`);
  return unprobed(`${schema}\n${told.join('\n')}`);
}

test(`random programs do what is said of them (seed ${SEED})`, async () => {
  const reports = await Promise.all(
    running.map(async (where, i) => {
      let last = '';
      const property = fc.asyncProperty(program, async (tree: Program) => {
        const rendered = render(tree);
        const truths = await play(where, rendered);
        stats.programs++;
        for (const truth of truths) {
          stats.transactions++;
          if (truth.error) stats.errors++;
          if (truth.overflowed) stats.overflowed++;
          else if (truth.peak > 0) stats.some++;
          if (truth.multixacts) stats.multixacts++;
          if (truth.error?.startsWith('57014')) stats.cancelled++;
        }
        fc.pre(!truths.some(({ error }) => error?.startsWith('57014')));
        const odd = truths.find(({ error }) => /^(42|0A|2D|54)/.test(error ?? ''));
        if (odd) throw new Error(`the program is not valid: ${odd.error}\n${story(rendered, truths)}`);
        const wrong = await disagreements(rendered, truths);
        if (wrong.length === 0) return;
        last = `${wrong.join('\n')}\n${story(rendered, truths)}`;
        throw new Error(last);
      });
      const result = await fc.check(property, { numRuns: Math.ceil(RUNS / running.length), seed: SEED + i });
      return result.failed
        ? `PostgreSQL ${where.server.version}, seed ${SEED + i}, path ${result.counterexamplePath}:\n${(result.errorInstance as Error)?.message}`
        : '';
    }),
  );
  console.log(JSON.stringify(stats));
  expect(reports.filter(Boolean).join('\n\n')).toBe('');
}, 3_600_000);

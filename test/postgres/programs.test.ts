// Random programs: what the analysis says of each transaction must be what the server does.
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyse, check, lower } from '../../src/analyse.ts';
import type { Unit } from '../../src/ir.ts';
import type { Finding, Frame, Place } from '../../src/rule.ts';
import { type Program, program } from '../properties/program.ts';
import { probed, type Rendered, render, TABLES, unprobed } from '../properties/render.ts';
import { type Server, start, VERSIONS } from './servers.ts';
import { Observer } from './session.ts';

const RUNS = Number(process.env.SUBXACT_PROGRAMS ?? 120);
const SEED = Number(process.env.SUBXACT_SEED ?? 1);
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
  /** Asked while it ran, not only at its end. */
  probed: boolean;
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
      const server = await start(version);
      const watch = await server.connect();
      await watch.query('CREATE EXTENSION pg_walinspect');
      const session = await server.connect();
      if (version >= 16) await session.query(PROBE);
      else await session.query('CREATE EXTENSION plpython3u'); // Debian's package has it, and npm's have not
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
  const probes = where.server.version >= 16;
  const text = probes ? probed : unprobed;
  // A random program may have no end; what is done around it takes as long as the machine needs.
  await session.query('SET statement_timeout = 0');
  await session.query(
    `DEALLOCATE ALL; DROP SCHEMA IF EXISTS p CASCADE; CREATE SCHEMA p; SET search_path = p, public; ${text(TABLES + schema)}`,
  );
  await session.query("SET statement_timeout = '3s'");
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
        if (probes && statements.length > 1 && i < statements.length - 1)
          await session.query('SELECT probe()');
      } catch (caught) {
        const { code, message } = caught as pg.DatabaseError;
        if (!code) throw caught;
        if (statement !== 'SELECT 1 / 0;') error ??= `${code} ${message}`;
      }
    }
    const after = await observer.count(pid);
    const ended = await observer.transactionsSince(began).catch(nothingYet);
    const slots = notices
      .map((notice) => /^slots (\d+) (t|f)/.exec(notice))
      .filter((found) => found !== null);
    const kept = Math.max(0, ...ended.map(({ committed }) => committed));
    const overflowed = before.overflowed === true || kept > 64 || slots.some((probe) => probe[2] === 't');
    const peak = overflowed ? 65 : Math.max(kept, ...slots.map((probe) => Number(probe[1])));
    truths.push({
      peak,
      kept,
      overflowed,
      levels: Math.max(0, before.locks - 1),
      multixacts: after.multi - began.multi,
      error,
      probed: probes,
    });
  }
  return truths;
}

/** What only reads leaves nothing in the log, and what is rolled back is not flushed yet. */
function nothingYet(error: Error): { committed: number }[] {
  if (!/future start LSN|find a valid record|less than current LSN/.test(error.message)) throw error;
  return [];
}

const NO_BOUND = /Nothing in the code bounds/;
const OVERFLOWS = ['subtransaction-in-loop', 'subtransaction-per-row', 'subtransaction-overflow'];
/** One block is told once, and the finding names the other rules that hold there. */
const speaksOf = ({ rule, also }: Finding, id: string) => rule === id || also?.includes(id) === true;

async function disagreements(rendered: Rendered, truths: Truth[]): Promise<string[]> {
  const { schema, script, fails, straight } = rendered;
  const texts = script.map((statements) => unprobed(statements.join('\n')));
  const files = { 'schema.sql': unprobed(TABLES + schema), 'run.sql': texts.join('\n') };
  const units: Unit[] = [];
  for (const [file, text] of Object.entries(files)) units.push((await lower(file, text))!);
  const { model } = analyse(units);
  const told = check(model, undefined, true);
  // Nobody asked what routines would do that the script does not call.
  const begins = (trace: Frame[] | undefined) => trace?.[0]?.file === 'run.sql';
  const findings = told.filter(
    ({ file, trace, others }) => file === 'run.sql' || begins(trace) || others?.some(begins),
  );
  const wrong: string[] = [];
  for (const unit of units)
    for (const problem of unit.problems) wrong.push(`${unit.file}: ${problem.message}`);
  /** What fails without saying so, or fails as a whole, does less than is written. */
  const asWritten = !fails && truths.every(({ error }) => error === null);
  let from = 0;
  for (const [i, truth] of truths.entries()) {
    const to = from + texts[i]!.length;
    const here = ({ file, at }: Place) => file === 'run.sql' && from <= at.start && at.start < to;
    const complain = (what: string) => wrong.push(`transaction ${i + 1}: ${what}`);
    const mine = model.transactions.filter(here);
    const [most, least] = (['counts', 'least'] as const).map((key) =>
      Math.max(0, ...mine.map((one) => one[key])),
    );
    if (truth.peak > most! || truth.kept > most!)
      complain(`${truth.peak} slots (${truth.kept} kept) on the server, at most ${most} said`);
    if (least! > most!) complain(`at least ${least} said, and at most ${most}`);
    if (asWritten) {
      if (truth.probed && Math.min(least!, 65) > truth.peak)
        complain(`${truth.peak} slots on the server, at least ${least} said`);
      if (least === most && most! > 0) stats.exact++;
      const sure = findings.find(
        (one) => here(one) && isCertain(one) && speaksOf(one, 'subtransaction-overflow'),
      );
      if (sure && !truth.overflowed && !NO_BOUND.test(sure.message))
        complain(`no overflow, and it says: ${sure.message}`);
      if (rendered.counted[i]) {
        const piles = findings.filter((one) => here(one) && speaksOf(one, 'savepoint-not-released'));
        if (piles.length > 0 !== truth.levels > 1)
          complain(`${truth.levels} levels are open at the end; ${piles.length} said to pile up`);
      }
    }
    from = to + 1;
  }
  const overflowing = (one: Finding) =>
    OVERFLOWS.some((rule) => speaksOf(one, rule)) &&
    one.severity !== 'note' &&
    // How deep a recursion goes is known when it runs; who asks is told.
    (one.certainty !== 'possible' || NO_BOUND.test(one.message));
  const overflowed = truths.some((truth) => truth.overflowed);
  // A cause is told once, and the surest way to it may begin in what is not called.
  if (overflowed && !told.some(overflowing)) wrong.push('an overflow, and no finding says so');
  if (asWritten && straight && !overflowed)
    for (const one of findings
      .filter(overflowing)
      .filter(isCertain)
      .filter(({ trace }) => begins(trace)))
      wrong.push(`no overflow, and one is said to be certain: ${one.message}`);
  const multixacts = truths.some((truth) => truth.multixacts > 0);
  if (multixacts && model.lockConflicts.length === 0)
    wrong.push('multixacts, and no conflict of locks is found');
  if (asWritten && straight && !multixacts)
    for (const one of findings)
      if (one.rule === 'row-lock-across-subtransaction' && isCertain(one))
        wrong.push(`no multixact, and one is said to be certain: ${one.message}`);
  return wrong;
}

const isCertain = ({ certainty, severity }: Finding) => certainty === 'certain' && severity !== 'note';

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
        const rendered = render(tree, where.server.version === 15);
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

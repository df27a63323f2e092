// One statement alone on a real server, and what is said of it: in a transaction block, and as a transaction by itself.
import type pg from 'pg';
import { analyse, check, lower } from '../../src/analyse.ts';
import type { Unit } from '../../src/ir.ts';
import type { Server } from './servers.ts';

const COUNT = `
SELECT subxact_count AS slots, subxact_overflowed AS overflowed
  FROM pg_stat_get_backend_idset() AS b, LATERAL pg_stat_get_backend_subxact(b)
 WHERE pg_stat_get_backend_pid(b) = pg_backend_pid()`;

const OVERFLOWS = ['subtransaction-in-loop', 'subtransaction-per-row', 'subtransaction-overflow'];

export interface Bench {
  /** What of these statements is not as it is said, but for what is known; and what is known and was cured. */
  wrong(statements: [name: string, text: string][], known: Map<string, string>): Promise<string[]>;
}

/** Runs the schema; everything after that is rolled back. */
export async function bench(server: Server, schema: string): Promise<Bench> {
  const session = await server.connect();
  const watch = await server.connect();
  await session.query(schema);
  const unit = (await lower('schema.sql', schema))!;
  return {
    async wrong(statements, known) {
      const out: string[] = [];
      for (const [name, statement] of statements) {
        const done = await run(session, watch, statement);
        const faults = [
          ...(await compare(unit, `BEGIN;\n${statement};\nCOMMIT;`, done)),
          ...(isOne(statement) ? await compare(unit, `${statement};`, done) : []).map(
            (fault) => `by itself ${fault}`,
          ),
        ];
        const isKnown = known.has(name.replace(/^(SELECT|PERFORM), /, ''));
        if (isKnown && faults.length === 0) faults.push('cured');
        else if (isKnown) continue;
        for (const fault of faults) out.push(`${name}: ${fault}\n    ${statement}`);
      }
      return out;
    },
  };
}

/** Several by themselves are several transactions, of which the server was asked in one. */
const isOne = (statement: string) => /^DO\b/.test(statement) || !/; [A-Z]/.test(statement);

interface Done {
  error: string;
  /** At its end; 65 stands for all that overflow. */
  slots: number;
  /** Transaction IDs that subtransactions took. */
  taken: number;
}

async function run(session: pg.Client, watch: pg.Client, statement: string): Promise<Done> {
  const next = async () => Number((await watch.query(`SELECT age('3'::xid) AS xid`)).rows[0].xid);
  const done: Done = { error: '', slots: 0, taken: 0 };
  await session.query('BEGIN');
  try {
    const began = await next();
    await session.query(statement);
    done.taken = (await next()) - began - 1;
    const { rows } = await session.query(COUNT);
    done.slots = rows[0].overflowed ? 65 : rows[0].slots;
  } catch (error) {
    done.error = String(error);
  }
  await session.query('ROLLBACK');
  return done;
}

async function compare(schema: Unit, script: string, { error, slots, taken }: Done): Promise<string[]> {
  const unit = (await lower('run.sql', script))!;
  const { model } = analyse([schema, unit]);
  const mine = model.transactions.filter(({ file }) => file === 'run.sql');
  const most = Math.max(0, ...mine.map(({ counts }) => counts));
  const least = Math.max(0, ...mine.map((one) => one.least));
  const sure = check(model, undefined, true).filter(
    ({ file, trace, certainty, severity, rule, also }) =>
      (file === 'run.sql' || trace[0]?.file === 'run.sql') &&
      certainty === 'certain' &&
      severity !== 'note' &&
      OVERFLOWS.some((each) => rule === each || also?.includes(each)),
  );
  const numbers = `(${slots} slots, ${taken} taken, ${least} to ${most} said)`;
  if (error) return [`${error} ${numbers}`];
  if (slots > most) return [`too little ${numbers}`];
  if (Math.min(least, 65) > slots) return [`too much ${numbers}`];
  if (sure.length > 0 && taken < 2) return [`surely: ${sure[0]!.message} ${numbers}`];
  // Who looks for what could be said more exactly asks for these too.
  if (process.env.SUBXACT_LOOSE && Math.min(most, 65) > slots) return [`LOOSE ${numbers}`];
  return [];
}

// Each shape alone on a real server: how many subtransactions it has is no more and no less than what is said.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyse, check, lower } from '../../src/analyse.ts';
import type { Unit } from '../../src/ir.ts';
import { TABLES, unprobed } from '../properties/render.ts';
import { ASKED, CODED, KNOWN, WHOLE } from '../properties/shapes.ts';
import { type Server, start } from './servers.ts';

/** So many rows or turns, where a shape does not say itself. */
const MANY = 70;
const SCHEMA = unprobed(TABLES);
const block = (code: string) => `DO $$ DECLARE x int; BEGIN ${code} END $$`;

const SHAPES: [string, string][] = [
  ...Object.entries(ASKED).map(([name, text]): [string, string] => [`SELECT, ${name}`, `SELECT ${text(MANY)}`]),
  ...Object.entries(ASKED).map(([name, text]): [string, string] => [`PERFORM, ${name}`, block(`PERFORM ${text(MANY)};`)]),
  ...Object.entries(WHOLE).map(([name, text]): [string, string] => [name, text(MANY)]),
  ...Object.entries(CODED).map(([name, text]): [string, string] => [name, block(text(MANY))]),
]; // biome-ignore format: one a line

let server: Server;
let session: pg.Client;
let watch: pg.Client;
beforeAll(async () => {
  server = await start(17);
  session = await server.connect();
  watch = await server.connect();
  await session.query(SCHEMA);
}, 120_000);
afterAll(() => server.stop());

const COUNT = `
SELECT subxact_count AS slots, subxact_overflowed AS overflowed
  FROM pg_stat_get_backend_idset() AS b, LATERAL pg_stat_get_backend_subxact(b)
 WHERE pg_stat_get_backend_pid(b) = pg_backend_pid()`;

/** The next transaction ID. */
const next = async () => Number((await watch.query(`SELECT age('3'::xid) AS xid`)).rows[0].xid);

const OVERFLOWS = ['subtransaction-in-loop', 'subtransaction-per-row', 'subtransaction-overflow'];

test('each does what is said of it', async () => {
  const schema: Unit = (await lower('schema.sql', SCHEMA))!;
  const wrong: string[] = [];
  for (const [name, statement] of SHAPES) {
    await session.query('BEGIN');
    let truth = '';
    let slots = 0;
    let taken = 0;
    try {
      const began = await next();
      await session.query(statement);
      taken = (await next()) - began - 1;
      const { rows } = await session.query(COUNT);
      slots = rows[0].overflowed ? 65 : rows[0].slots;
    } catch (error) {
      truth = String(error);
    }
    await session.query('ROLLBACK');
    const run = (await lower('run.sql', `BEGIN;\n${statement};\nCOMMIT;`))!;
    const { model } = analyse([schema, run]);
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
    const told = wrong.length;
    const say = (what: string) =>
      wrong.push(
        `${name}: ${what} (${slots} slots, ${taken} taken, ${least} to ${most} said)\n    ${statement}`,
      );
    if (truth) say(truth);
    else if (slots > most) say('too little');
    else if (Math.min(least, 65) > slots) say('too much');
    else if (sure.length > 0 && taken < 2) say(`surely: ${sure[0]!.message}`);
    if (!KNOWN.has(name.replace(/^(SELECT|PERFORM), /, ''))) continue;
    if (wrong.length > told) wrong.length = told;
    else say('cured');
  }
  expect(wrong.join('\n')).toBe('');
}, 300_000);

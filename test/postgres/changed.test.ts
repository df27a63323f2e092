// Random conditions on OLD and NEW: what is said of them where an UPDATE leaves some columns as they were, the server must find for all rows.
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedIn } from '../../src/frontends/sql/queries/changed.ts';
import { tokens } from '../../src/frontends/sql/text/lexer.ts';
import { type Server, start } from './servers.ts';

const CONDITIONS = Number(process.env.SUBXACT_PROGRAMS ?? 4_000);
const SEED = Number(process.env.SUBXACT_SEED ?? 1);
const VALUES = {
  kind: ["'x'", "E'x'", "'y'", '$$x$$', 'NULL'],
  n: ['1', '1.0', '2', 'NULL'],
  ripe: ['true', 'false', 'NULL'],
} as const;
type Column = keyof typeof VALUES;

const row = fc.constantFrom('OLD', 'NEW');
const column = fc.constantFrom<Column>('kind', 'n', 'ripe');
const other = (of: string) => (of === 'OLD' ? 'NEW' : 'OLD');
const mirrored = fc
  .tuple(row, fc.uniqueArray(column, { minLength: 1, maxLength: 2 }), fc.constantFrom('<>', '!=', '=', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM'), fc.nat(2))
  .map(([of, [one, two], sign, how]) => {
    const side = (at: string) =>
      two ? `(${at}.${one}, ${at}.${two})` : how === 1 ? `coalesce(${at}.${one}::text, '')` : `${at}.${one}`;
    return `${side(of)} ${sign} ${side(how === 2 && !two ? of : other(of))}`;
  }); // biome-ignore format: one list
const said = fc.tuple(row, column, fc.constantFrom('=', '<>', 'IN', 'NOT IN', 'IS', 'IS NOT'), fc.nat(8)).map(
  ([of, one, sign, which]) => {
    const values = VALUES[one].filter((value) => value !== 'NULL');
    const [first, second] = [values[which % values.length]!, values[(which >> 1) % values.length]!];
    if (sign.startsWith('IS')) return `${of}.${one} ${sign} ${one === 'ripe' && which > 3 ? first : 'NULL'}`;
    return `${of}.${one} ${sign} ${sign.endsWith('IN') ? `(${first}, ${second})` : first}`;
  },
); // biome-ignore format: short enough
const truth = row.map((of) => `${of}.ripe`);
const verb = fc.constantFrom("TG_OP = 'INSERT'", "TG_OP = 'UPDATE'", "'DELETE' = TG_OP", "TG_OP <> 'UPDATE'");
const condition = fc.letrec<{ any: string }>((again) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    mirrored, said, truth, verb,
    fc.tuple(again('any'), fc.constantFrom('AND', 'OR'), again('any')).map(([a, sign, b]) => `${a} ${sign} ${b}`),
    fc.tuple(again('any'), fc.constantFrom('AND', 'OR'), again('any')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    again('any').map((one) => `NOT ${one}`),
    again('any').map((one) => `(${one})`),
  ),
})).any; // biome-ignore format: one list

/** One value in several spellings, which chance seldom puts beside each other. */
const SPELT = [
  "OLD.kind = E'x' AND NEW.kind = $$x$$",
  "OLD.kind IN (E'\\x78') AND NEW.kind = E'x'",
  "OLD.kind = 'x' AND NEW.kind = E'x'",
  'OLD.n = 1 AND NEW.n = 1.0',
  "OLD.ripe AND NEW.ripe = 't'",
];

let server: Server;
let client: pg.Client;
beforeAll(async () => {
  server = await start(17);
  client = await server.connect();
  const all = Object.entries(VALUES).map(
    ([name, values]) => `(VALUES ${values.map((one) => `(${one})`)}) AS ${name}_of (${name})`,
  );
  await client.query(`CREATE TABLE rows AS SELECT kind::text, n::int, ripe::boolean FROM ${all.join(', ')}`);
}, 120_000);
afterAll(async () => {
  await server.stop();
});

test('what is said of a condition holds for all rows', async () => {
  const seen = { no: 0, yes: 0, nothing: 0 };
  const wrong: string[] = [];
  for (const text of [...SPELT, ...fc.sample(condition, { numRuns: CONDITIONS, seed: SEED })]) {
    const all = tokens(text);
    const changed = changedIn(all, { from: 0, to: all.length });
    seen[changed?.then ?? 'nothing']++;
    if (!changed) continue;
    const same = changed.columns.map((one) => `new.${one} IS NOT DISTINCT FROM old.${one}`);
    const against = changed.then === 'no' ? `(${text}) IS TRUE` : `(${text}) IS NOT TRUE`;
    const { rows } = await client.query(
      `SELECT old, new FROM rows AS old, rows AS new, (SELECT 'UPDATE' AS tg_op) AS fired WHERE ${same.join(' AND ')} AND ${against} LIMIT 1`,
    );
    if (rows.length > 0) wrong.push(`${text}: ${JSON.stringify([changed, rows[0]])}`);
  }
  console.log(JSON.stringify(seen));
  expect(wrong.join('\n')).toBe('');
  expect(Math.min(seen.no, seen.yes)).toBeGreaterThan(CONDITIONS / 50);
}, 300_000);

const TYPES =
  `text, text COLLATE loose, char(8), name, boolean, int, numeric, float8, money, date, timestamptz, time, interval, inet, uuid, macaddr, bytea, jsonb, bit varying`.split(
    ', ',
  );
const SPELLINGS =
  `x|X|x |xy|é|e|ß|ss|new|NEW|n-e-w|sold|step 1|step 01|step 2|t|true|TRUE|on|yes|y|off|f|1|01|1.0|+1|2|10|1e1|Infinity|inf|NaN|jan 1 2020|January 1, 2020|2020-01-01|jan-02-2020|epoch|1970-01-01|today|now|tomorrow|noon|12:00|allballs|00:00|1 day|24:00|P1D|PT24H|one|::1|fe80::1|FE80:0::1|a0eebc999c0b4ef8bb6d6bb9bd380a11|A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11|ab:cd:00:00:00:01|abcd.0000.0001|\\x78|null|"x"|0|00||$1`.split(
    '|',
  );

test('two texts that are told apart are two values of any type and in any collation', async () => {
  await client.query(
    "CREATE COLLATION loose (provider = icu, locale = 'und-u-ka-shifted-kn-ks-level1', deterministic = false)",
  );
  const wrong: string[] = [];
  let apart = 0;
  for (const type of TYPES) {
    const [of, collation] = type.split(' COLLATE ');
    const one = (text: string) => `'${text}'::${of}${collation ? ` COLLATE ${collation}` : ''}`;
    const read: string[] = [];
    for (const text of SPELLINGS)
      if (await client.query(`SELECT ${one(text)}`).then(() => true, () => false)) read.push(text); // biome-ignore format: short enough
    for (const a of read)
      for (const b of read) {
        const all = tokens(`OLD.v = '${a}' AND NEW.v = '${b}'`);
        if (!changedIn(all, { from: 0, to: all.length })) continue;
        apart++;
        const { rows } = await client.query<{ same: boolean }>(`SELECT ${one(a)} = ${one(b)} AS same`);
        if (rows[0]!.same) wrong.push(`${type}: '${a}', '${b}'`);
      }
  }
  console.log(apart);
  expect(wrong.join('\n')).toBe('');
  expect(apart).toBeGreaterThan(200);
}, 300_000);

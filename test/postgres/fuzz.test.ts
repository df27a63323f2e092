// Random transactions on one row: what the analysis says of locks and counts must be what the server does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyse, check, lower } from '../../src/analyse.ts';
import type { Unit } from '../../src/ir.ts';
import { statements } from './script.ts';
import { type Server, start, VERSIONS } from './servers.ts';
import { Observer, runScript, viaDriver } from './session.ts';

const SCRIPTS = Number(process.env.SUBXACT_PROGRAMS ?? 120);
const SEED = Number(process.env.SUBXACT_SEED ?? 0);
const TABLES = `
CREATE TABLE account (id int PRIMARY KEY, n int NOT NULL DEFAULT 0) WITH (fillfactor = 10);
CREATE TABLE log (what text);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
INSERT INTO account (id) VALUES (1);
`;
const TRIGGER = 'CREATE TRIGGER touch BEFORE UPDATE ON account FOR EACH ROW EXECUTE FUNCTION touch();\n';
const block = (inside: string) => `DO $$ BEGIN ${inside}; EXCEPTION WHEN division_by_zero THEN NULL; END $$;`;
const UPDATE = 'UPDATE account SET n = n + 1 WHERE id = 1';
const STEPS = {
  'key share': 'SELECT n FROM account WHERE id = 1 FOR KEY SHARE;',
  share: 'SELECT n FROM account WHERE id = 1 FOR SHARE;',
  'no key update': 'SELECT n FROM account WHERE id = 1 FOR NO KEY UPDATE;',
  lock: 'SELECT n FROM account WHERE id = 1 FOR UPDATE;',
  update: `${UPDATE};`,
  upsert: 'INSERT INTO account (id, n) VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET n = account.n + 1;',
  read: 'SELECT count(*) FROM account;',
  write: `INSERT INTO log (what) VALUES ('x');`,
  savepoint: 'SAVEPOINT a;',
  release: 'RELEASE a;',
  'rollback to': 'ROLLBACK TO a;',
  'block with an update': block(UPDATE),
  'block with a lock': block('PERFORM n FROM account WHERE id = 1 FOR UPDATE'),
} as const;
type Kind = keyof typeof STEPS;
const MIX: Kind[] = [...(Object.keys(STEPS) as Kind[]), 'savepoint', 'savepoint', 'update'];
/** Mulberry32: the same scripts in every run. */
function random(seed: number): (below: number) => number {
  let s = seed >>> 0;
  return (below) => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Anything at all on one row, or about as many savepoints that write as there are places for. */
function script(pick: (below: number) => number, many: boolean): string {
  const kinds = many ? nearlyFull(pick) : anything(pick);
  return ['BEGIN;', ...kinds.map((kind) => STEPS[kind]), 'COMMIT;', ''].join('\n');
}

function anything(pick: (below: number) => number): Kind[] {
  let open = 0;
  return Array.from({ length: 3 + pick(10) }, () => {
    const kind = MIX[pick(MIX.length)]!;
    const ends = kind === 'release' || kind === 'rollback to';
    if (kind === 'savepoint' || (ends && open === 0)) {
      open++;
      return 'savepoint';
    }
    if (kind === 'release') open--;
    return kind;
  });
}

function nearlyFull(pick: (below: number) => number): Kind[] {
  const kinds: Kind[] = [];
  for (let left = 62 + pick(6); left > 0; left--) {
    kinds.push('savepoint', 'write');
    if (pick(2) === 0) kinds.push('release');
    if (pick(8) === 0) kinds.push('savepoint', 'write', 'rollback to', 'release');
    if (pick(8) === 0) kinds.push('savepoint', 'read', 'release');
  }
  return kinds;
}

let servers: Server[] = [];
beforeAll(async () => {
  servers = await Promise.all(VERSIONS.map((version) => start(version)));
}, 60_000);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** What the analysis says: rows locked and changed apart, and more subtransactions than there are places for. */
async function said(trigger: boolean, text: string): Promise<{ multixact: boolean; overflow: boolean }> {
  const files = { 'tables.sql': trigger ? TABLES + TRIGGER : TABLES, 'script.sql': text };
  const units: Unit[] = [];
  for (const [file, sql] of Object.entries(files)) units.push((await lower(file, sql))!);
  const { model } = analyse(units);
  const rules = check(model, ['row-lock-across-subtransaction', 'subtransaction-overflow']);
  const of = (rule: string) => rules.some((finding) => finding.rule === rule && finding.severity === 'error');
  return { multixact: of('row-lock-across-subtransaction'), overflow: of('subtransaction-overflow') };
}

test('locks and overflows are as the server makes them', async () => {
  const wrong: string[] = [];
  const seen = { multixact: 0, overflow: 0, neither: 0, full: 0 };
  await Promise.all(
    servers.map(async (server) => {
      const pick = random(server.version + SEED);
      const observer = new Observer(server, await server.connect());
      const session = await server.connect();
      for (const { text } of statements(`CREATE EXTENSION pg_walinspect; ${TABLES}`))
        await session.query(text);
      const channel = await viaDriver(session);
      for (let i = 0; i < SCRIPTS; i++) {
        const trigger = i % 4 === 3;
        await session.query(
          'DROP TRIGGER IF EXISTS touch ON account; TRUNCATE account, log; INSERT INTO account VALUES (1, 0)',
        );
        if (trigger) await session.query(TRIGGER);
        const text = script(pick, i % 5 === 4);
        const last = (await runScript(observer, channel, statements(text))).at(-2)!;
        const did = { multixact: last.multixacts > 0, overflow: last.overflowed };
        if (did.multixact) seen.multixact++;
        if (did.overflow) seen.overflow++;
        if (!did.multixact && !did.overflow) seen.neither++;
        if (i % 5 === 4 && !did.overflow) seen.full++;
        const says = await said(trigger, text);
        for (const what of ['multixact', 'overflow'] as const)
          if (says[what] !== did[what])
            wrong.push(
              `PostgreSQL ${server.version}${trigger ? ', with a trigger' : ''}: ${what} ${did[what]}, said ${says[what]}:\n${text}`,
            );
      }
    }),
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
  expect(wrong.slice(0, 5).join('\n')).toBe('');
}, 3_600_000);

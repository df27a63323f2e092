// Random application programs on the real frameworks: what is said of each must be what the server saw it do.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../postgres/servers.ts';
import { application } from '../../properties/application.ts';
import { contradictions } from './compare.ts';
import { django } from './django.ts';
import { player, SCHEMA, shop } from './player.ts';
import { python } from './python.ts';
import { transactions } from './truth.ts';

const RUNS = Number(process.env.SUBXACT_PROGRAMS ?? 60);
const SEED = Number(process.env.SUBXACT_SEED ?? 1);

const PYTHON = ['build/python/bin/python', `${import.meta.dirname}/run.py`];

let server: Server;
beforeAll(async () => {
  await promisify(execFile)('sh', ['test/frameworks/python/install.sh']);
  server = await shop();
}, 600_000);
afterAll(() => server?.stop());

test(`random Django programs do what is said of them (seed ${SEED})`, async () => {
  const { play, end } = player(server, PYTHON, 'django');
  const stats = { programs: 0, errors: 0, transactions: 0, savepoints: 0, overflowed: 0, straight: 0 };
  const property = fc.asyncProperty(application, async (tree) => {
    const program = python(tree, django);
    const ran = await play(program.files);
    const truths = transactions(ran);
    stats.programs++;
    stats.straight += Number(program.straight);
    stats.errors += Number(ran.error !== null);
    stats.transactions += truths.length;
    stats.savepoints += truths.reduce((sum, { savepoints }) => sum + savepoints.length, 0);
    stats.overflowed += truths.filter(({ peak }) => peak > 64).length;
    const files = { ...program.files, 'schema.sql': SCHEMA };
    const wrong = await contradictions({ ...program, files }, ran);
    if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\n${story(files)}`);
  });
  const result = await fc.check(property, { numRuns: RUNS, seed: SEED });
  end();
  console.log(JSON.stringify(stats));
  const path = `seed ${SEED}, path ${result.counterexamplePath}`;
  expect(result.failed ? `${path}:\n${(result.errorInstance as Error)?.message}` : '').toBe('');
}, 3_600_000);

const story = (files: Record<string, string>) =>
  ['app/one.py', 'app/two.py', 'app/run.py'].map((file) => `# ${file}\n${files[file]}`).join('\n');

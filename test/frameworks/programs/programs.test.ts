// Random application programs on the real frameworks: what is said of each must be what the server saw it do.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../postgres/servers.ts';
import { application } from '../../properties/application.ts';
import { contradictions } from './compare.ts';
import { KINDS } from './kinds.ts';
import { player, SCHEMA, shop } from './player.ts';
import { transactions } from './truth.ts';

const RUNS = process.env.SUBXACT_PROGRAMS;
const SEED = Number(process.env.SUBXACT_SEED ?? 1);

let server: Server;
beforeAll(async () => {
  for (const of of ['python', 'jvm']) await promisify(execFile)('sh', [`test/frameworks/${of}/install.sh`]);
  server = await shop();
}, 600_000);
afterAll(() => server?.stop());

test.each(KINDS)(
  `random programs of %s do what is said of them (seed ${SEED})`,
  async (name, command, render, few) => {
    const { play, end } = player(server, command, name);
    const stats = { programs: 0, errors: 0, transactions: 0, savepoints: 0, overflowed: 0, straight: 0 };
    const property = fc.asyncProperty(application, async (tree) => {
      const program = render(tree);
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
    const result = await fc.check(property, { numRuns: Number(RUNS ?? few), seed: SEED, endOnFailure: true });
    end();
    console.log(name, JSON.stringify(stats));
    const path = `seed ${SEED}, path ${result.counterexamplePath}`;
    expect(result.failed ? `${path}:\n${(result.errorInstance as Error)?.message}` : '').toBe('');
  },
  3_600_000,
);

const story = (files: Record<string, string>) =>
  Object.entries(files)
    .filter(([file]) => /(one|two|run|Run|OfF\d)\.\w+$/.test(file))
    .map(([file, text]) => `# ${file}\n${text}`)
    .join('\n');

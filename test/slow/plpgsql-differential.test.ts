// Every PL/pgSQL function of PostgreSQL's regression files and of extensions: our outline is libpg_query's, line by line.
import { loadModule } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';
import { lowerBody } from '../../src/frontends/plpgsql/body.ts';
import { plain } from '../../src/frontends/source.ts';
import { type CorpusFile, EXTENSIONS, extensionFiles, otherFiles, regressionFiles } from '../corpus.ts';
import { definitions, ours, theirs } from '../plpgsql-outline.ts';

interface Count {
  functions: number;
  repeated: number;
  agree: number;
  /** Left out, by why libpg_query rejects them. */
  rejected: Map<string, number>;
  disagree: string[];
}

function compare(files: CorpusFile[]): Count {
  const count: Count = { functions: 0, repeated: 0, agree: 0, rejected: new Map(), disagree: [] };
  const seen = new Set<string>();
  for (const file of files)
    for (const one of definitions(file.text)) {
      if (seen.has(one.statement)) {
        count.repeated++;
        continue;
      }
      seen.add(one.statement);
      count.functions++;
      let expected: string[];
      try {
        expected = theirs(one.statement);
      } catch (error) {
        const why = (error as Error).message.replace(/"[^"]*"/g, '"…"').slice(0, 70);
        count.rejected.set(why, (count.rejected.get(why) ?? 0) + 1);
        continue;
      }
      const came = ours(one.body);
      const k = came.findIndex((line, i) => line !== expected[i]);
      if (k < 0 && came.length === expected.length) count.agree++;
      else count.disagree.push(`${file.name}:${one.line} ours: ${came[k]} theirs: ${expected[k]}`);
    }
  return count;
}

function report(name: string, files: number, count: Count): void {
  const rejected = [...count.rejected].reduce((sum, [, times]) => sum + times, 0);
  const why = [...count.rejected]
    .sort((a, b) => b[1] - a[1])
    .map(([text, times]) => `\n    ${times} × ${text}`);
  console.log(
    `${name}: ${files} files, ${count.functions} functions (and ${count.repeated} again), ${count.agree} agree, ` +
      `${count.disagree.length} disagree, ${rejected} left out because libpg_query rejects them${why.join('')}`,
  );
}

describe('PL/pgSQL as libpg_query reads it', () => {
  beforeAll(() => loadModule());
  const sources: [string, number, () => CorpusFile[]][] = [
    ['postgresql-15', 700, regressionFiles],
    ...EXTENSIONS.map((name): [string, number, () => CorpusFile[]] => [name, 30, () => extensionFiles(name)]),
    ['SUBXACT_CORPUS', 0, otherFiles],
  ];
  for (const [name, least, files] of sources)
    test(name, { timeout: 600_000 }, () => {
      const all = files();
      const count = compare(all);
      report(name, all.length, count);
      expect(count.disagree.join('\n')).toBe('');
      expect(count.agree).toBeGreaterThanOrEqual(least);
    });
});

const RUNS = Number(process.env.SUBXACT_FUZZ ?? 20_000);

test(`${RUNS} of their bodies, cut and edited, are read without a crash or a hang`, {
  timeout: 3_600_000,
}, () => {
  const bodies = [...regressionFiles(), ...EXTENSIONS.flatMap(extensionFiles)]
    .flatMap((file) => definitions(file.text))
    .map((one) => one.body);
  const scraps = [' END ', "'", '(', ' BEGIN ', '$$', '', '/*', ' EXCEPTION WHEN ', ' LOOP '];
  let seed = 7; // the same texts each time
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed % below;
  };
  let slowest = 0;
  for (let run = 0; run < RUNS; run++) {
    const body = bodies[random(bodies.length)]!;
    const place = random(body.length + 1);
    const rest = random(10) < 4 ? '' : scraps[random(scraps.length)]! + body.slice(place + random(20));
    const text = body.slice(0, place) + rest;
    const start = process.cpuUsage();
    lowerBody('plpgsql', plain(text), {});
    slowest = Math.max(slowest, process.cpuUsage(start).user / 1000);
  }
  console.log(`${bodies.length} bodies, ${RUNS} edits, the slowest took ${slowest.toFixed(0)} ms`);
  expect(slowest).toBeLessThan(2000);
});

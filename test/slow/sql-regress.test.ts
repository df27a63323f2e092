// PostgreSQL's regression files and its extensions' SQL: each statement must mean to us what PostgreSQL's parser says.
import { loadModule } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
import { lower } from '../../src/frontends/sql/index.ts';
import { statements } from '../../src/frontends/sql/text/split.ts';
import { EXTENSIONS, extensionFiles, otherFiles, regressionFiles } from '../corpus.ts';
import { compare, declaredBy, expectedObjects, JUDGED } from '../sql-oracle.ts';

beforeAll(async () => {
  await loadModule();
});

/** A function in FROM that is written without brackets, `collation for`: nobody's table is called so. */
const KNOWN = /create view tt20v as/;

test('statements mean the same', { timeout: 600_000 }, () => {
  const files = [...regressionFiles(), ...EXTENSIONS.flatMap(extensionFiles), ...otherFiles()];
  const count = {
    files: files.length,
    statements: 0,
    judged: 0,
    'PostgreSQL refuses': 0,
    'no steps to judge': 0,
  };
  const differences: string[] = [];
  for (const file of files)
    for (const piece of statements(file.text, { psql: true })) {
      if (piece.kind !== 'statement') continue;
      count.statements++;
      const text = file.text.slice(piece.tokens[0]!.start, piece.tokens.at(-1)!.end);
      if (KNOWN.test(text)) continue;
      if (JUDGED.test(text)) {
        const result = compare(text);
        count[result.judged ? 'judged' : 'PostgreSQL refuses']++;
        for (const difference of result.differences)
          differences.push(`${file.name}: ${text}\n  ${difference}`);
      } else if (/^(?:create|alter)\s/i.test(text) && !/^create\s+schema/i.test(text)) {
        const wanted = expectedObjects(text);
        count[wanted ? 'judged' : 'PostgreSQL refuses']++;
        const got = wanted ? declaredBy(text) : [];
        if (wanted && wanted.join() !== got.join())
          differences.push(
            `${file.name}: ${text}\n  PostgreSQL ${wanted.join('; ')}\n  we ${got.join('; ')}`,
          );
      } else count['no steps to judge']++;
    }
  console.log(JSON.stringify({ ...count, differences: differences.length }));
  expect(differences.join('\n\n')).toBe('');
});

test('a file of ten megabytes takes ten times as long as one of one', { timeout: 120_000 }, () => {
  const text = regressionFiles()
    .map((file) => file.text)
    .join('\n;\n');
  const time = (length: number) => {
    const start = process.cpuUsage();
    lower('dump.sql', text.repeat(Math.ceil(length / text.length)).slice(0, length));
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  time(1_000_000);
  const [one, ten] = [time(1_000_000), time(10_000_000)];
  console.log(`1 MB: ${one.toFixed(0)} ms of CPU, 10 MB: ${ten.toFixed(0)} ms`);
  expect(ten).toBeLessThan(20 * one);
});

// What a query does is the same whether or not somebody asks how many rows it has: both ways over PostgreSQL's regression files.
import { expect, test } from 'vitest';
import { plain } from '../../src/frontends/source.ts';
import { query } from '../../src/frontends/sql/queries/query.ts';
import { reader } from '../../src/frontends/sql/text/reader.ts';
import { statements } from '../../src/frontends/sql/text/split.ts';
import { regressionFiles } from '../corpus.ts';

const QUERIES = new Set(['select', 'with', 'insert', 'update', 'delete', '(']);

test('rows that nobody asks for change no step', { timeout: 120_000 }, () => {
  let queries = 0;
  for (const { name, text } of regressionFiles()) {
    const source = plain(text);
    for (const piece of statements(text, { psql: true })) {
      if (piece.kind !== 'statement' || !QUERIES.has(piece.tokens[0]!.text)) continue;
      const { tokens } = piece;
      const steps = (counted: boolean) => query(reader(source, tokens, {}), 0, tokens.length, counted).steps;
      const asked = steps(true);
      if (JSON.stringify(steps(false)) !== JSON.stringify(asked))
        expect(steps(false), `${name}: ${text.slice(tokens[0]!.start, tokens.at(-1)!.end)}`).toEqual(asked);
      queries++;
    }
  }
  expect(queries).toBeGreaterThan(20_000);
});

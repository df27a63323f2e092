// What \gexec runs, as far as the query writes it out: each value of each row is a statement. Not the query itself.
import type { Step } from '../../ir.ts';
import { contextOf } from '../plpgsql/context.ts';
import { statementsIn } from '../plpgsql/dynamic.ts';
import { type Source, span } from '../source.ts';
import { rowsOfQuery } from './statement.ts';
import type { Token } from './text/lexer.ts';
import type { SqlScope } from './text/reader.ts';

/** Null where the query computes it. */
export function executed(source: Source, tokens: Token[], scope: SqlScope): Step[] | null {
  if (tokens[0]?.text !== 'select') return null;
  const c = contextOf(source, tokens, scope, []);
  const found = statementsIn(c, { from: 1, to: tokens.length });
  if (!found) return null;
  if (!found.rows) return found.steps;
  const at = span(source, tokens[0].start, tokens[0].end);
  return [{ kind: 'loop', at, over: 'rows', ...rowsOfQuery(source, tokens, scope), body: found.steps }];
}

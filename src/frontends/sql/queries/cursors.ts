// Cursors of a script: a query runs as far as its rows are fetched. Those of PL/pgSQL have a file of their own.
import type { Block, Step } from '../../../ir.ts';
import type { Token } from '../text/lexer.ts';
import { at, find, mark, nameAt, type Reader, reader, type SqlScope, word } from '../text/reader.ts';
import { sortsOf } from '../text/sorts.ts';
import { query } from './query.ts';

export interface Cursor {
  /** What DECLARE stands for: all of the query, until something fetches less. */
  block: Block;
  tokens: Token[];
  /** Rows that were fetched so far; null where nobody knows how many. */
  fetched: number | null;
}

/** DECLARE name … CURSOR … FOR query: its rows are locked, and what it computes runs, when they are fetched. */
export function declareCursor(r: Reader, from: number, to: number): Step[] {
  const start = find(r, from, to, 'for');
  const name = nameAt(r, from + 1, to)?.parts[0];
  if (start >= to) return [];
  const steps = keyed(query(r, start + 1, to, false).steps, name);
  if (name === undefined) return steps;
  r.scope.cursors?.delete(name);
  const tokens = r.tokens.slice(start + 1, to);
  // One that is held computes all of its rows, once more, when the transaction ends.
  const held = find(r, from, start, 'hold') < start;
  const limited = tokens.some(({ text }) => text === 'limit' || text === 'fetch' || text === 'offset');
  if (held || limited || steps.every((step) => step.kind === 'read')) return steps;
  const block: Block = { kind: 'block', at: at(r, from, from + 2), body: steps };
  r.scope.cursors?.set(name, { block, tokens, fetched: 0 });
  return [block];
}

function keyed(steps: Step[], name: string | undefined): Step[] {
  if (name !== undefined)
    for (const step of steps) if (step.kind === 'row lock') step.keys = [...(step.keys ?? []), name];
  return steps;
}

/** FETCH [direction] [FROM | IN] name, MOVE likewise: so many more of its rows are computed. */
export function fetchRows(r: Reader, from: number, to: number): Step[] {
  const name = nameAt(r, to - 1, to)?.parts[0];
  const cursor = name === undefined ? undefined : r.scope.cursors?.get(name);
  if (!cursor || cursor.fetched === null) return [];
  const rows = count(r, from + 1, to - 1);
  cursor.fetched = rows === null ? null : cursor.fetched + rows;
  cursor.block.body = keyed(asFarAs(cursor, r), name);
  return [];
}

/** CLOSE name: of a cursor that nobody asked nothing was computed. */
export function closeCursor(r: Reader, from: number, to: number): Step[] {
  const name = nameAt(r, from + 1, to)?.parts[0];
  const cursor = name === undefined ? undefined : r.scope.cursors?.get(name);
  if (cursor?.fetched === 0) cursor.block.body = keyed(asFarAs(cursor, r), name);
  return [];
}

/** NEXT, 5, FORWARD 5, or nothing: forwards, and by a number that is written. FETCH 0 computes the row again. */
function count(r: Reader, from: number, to: number): number | null {
  let i = from;
  const way = word(r, i, to);
  if (way === 'next') return 1;
  if (way === 'forward') i++;
  const token = r.tokens[i];
  if (i < to && token?.kind === 'number' && /^[1-9]\d*$/.test(token.text)) return Number(token.text);
  const end = i >= to || word(r, i, to) === 'from' || word(r, i, to) === 'in';
  return end && mark(r, i, to) === '' ? 1 : null;
}

/** The same query with a LIMIT. */
function asFarAs({ tokens, fetched }: Cursor, { source, scope }: Reader): Step[] {
  const last = tokens[tokens.length - 1]!;
  const made = (kind: Token['kind'], text: string): Token => ({
    ...last,
    kind,
    text,
    sorts: sortsOf(text),
    quoted: false,
  });
  const all = fetched === null ? tokens : [...tokens, made('word', 'limit'), made('number', String(fetched))];
  const own: SqlScope = { ...scope, declare: undefined };
  return query(reader(source, all, own), 0, all.length, false).steps;
}

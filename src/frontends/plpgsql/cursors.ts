// Lowers cursors: OPEN runs the query, FETCH and MOVE lock its rows one by one, a loop over a cursor does both.
import type { Step } from '../../ir.ts';
import { lowerStatement } from '../sql/statement.ts';
import { identifier, type Token } from '../sql/text/lexer.ts';
import { sortsOf } from '../sql/text/sorts.ts';
import { at, bind, type Context, expression, find, names, sql, word } from './context.ts';
import { executeParts, runText } from './dynamic.ts';
import type { PlainNode, Range } from './tree.ts';
import { renew } from './versions.ts';

const isLock = (step: Step) => step.kind === 'row lock';

/** It runs as far as its rows are asked for. */
export const fewer = (step: Step): Step =>
  step.kind === 'loop' && step.over === 'query' ? { ...step, atMost: true } : step;

/** So many rows the server asks for before the first turn of a loop over a query. */
const FETCHED_AHEAD = 10;

/** The query of a loop that its first turn leaves, whatever happens in it. */
export function firstRows(c: Context, query: Range): Step[] {
  const isPlain =
    word(c, query.from) === 'select' && find(c, query, 'limit', 'offset', 'fetch', 'for') >= query.to;
  if (!isPlain) return sql(c, query);
  const last = c.tokens[query.to - 1]!;
  const more = (kind: Token['kind'], text: string): Token => ({
    ...last,
    kind,
    text,
    sorts: sortsOf(text),
    quoted: false,
  });
  const tokens = [
    ...c.tokens.slice(query.from, query.to),
    more('word', 'limit'),
    more('number', String(FETCHED_AHEAD)),
  ];
  return lowerStatement(c.source, tokens, c.scope);
}

/** OPEN c, OPEN c(args), OPEN c FOR query, OPEN c FOR EXECUTE text. */
export function openCursor(c: Context, node: PlainNode): Step[] {
  const token = c.tokens[node.from + 1];
  if (!token || node.from + 1 >= node.to) return [];
  const name = identifier(token);
  const after: Range = { from: node.from + 2, to: node.to };
  const query = find(c, after, 'for');
  const known = c.cursors.get(name);
  if (query >= node.to) return [...expression(c, after), ...opened(c, name, known?.query, known?.fetched)];
  const text: Range = { from: query + 1, to: node.to };
  if (word(c, text.from) === 'execute') return executed(c, { from: text.from + 1, to: text.to });
  // Opened for one query after the other, it locks the rows of the one that it was opened for last.
  if (known) c.cursors.set(name, { ...known, query: text });
  return opened(c, name, text, known?.fetched);
}

function opened(c: Context, name: string, query: Range | undefined, fetched = false): Step[] {
  if (!query) return [];
  const steps = sql(c, query);
  if (fetched) return steps.filter((step) => !isLock(step)).map(fewer);
  return isAsked(c, name) ? bind(steps, [name]).map(fewer) : never(c, query, bind(steps, [name]));
}

/** Whether anything names the cursor but who declares, opens and closes it: then its rows may be fetched elsewhere. */
function isAsked({ tokens, cursors }: Context, name: string): boolean {
  if (!cursors.get(name)?.declared) return true;
  return tokens.some((token, i) => {
    if (token.kind === 'string' || token.kind === 'dollar') return token.text.includes(name);
    if (token.kind !== 'word' || identifier(token) !== name) return false;
    const before = tokens[i - 1]?.text;
    const after = tokens[i + 1]?.text;
    return before !== 'open' && before !== 'close' && !DECLARES.has(after ?? '');
  });
}

const DECLARES = new Set(['cursor', 'scroll', 'no']);

/** What is opened and never fetched runs nothing: it is there, as a loop that does not turn. */
const never = (c: Context, query: Range, body: Step[]): Step[] =>
  body.length === 0 ? body : [{ kind: 'loop', at: at(c, query.from), over: 'query', times: 0, body }];

function executed(c: Context, range: Range): Step[] {
  const parts = executeParts(c, range);
  return [
    ...expression(c, parts.text),
    ...expression(c, parts.using),
    ...runText(c, parts.text, parts.using, range.from - 1).map(fewer),
  ];
}

/** FETCH [direction [FROM|IN]] cursor INTO targets; MOVE locks too, for the executor runs. */
export function fetchCursor(c: Context, node: PlainNode): Step[] {
  const into = find(c, node, 'into');
  const name = cursorOf(c, node);
  const query = name === null ? undefined : c.cursors.get(name)?.query;
  const targets = names(c, { from: into + 1, to: node.to });
  for (const target of targets) c.texts.delete(target);
  const locks = query ? sql(c, query).filter(isLock) : [];
  const now = renew(c, targets);
  if (name === null || !query) return [];
  return bind(locks, [name, ...now]).map((step) => ({ ...step, rows: 'one' }) as Step);
}

/** The name before INTO, or at the end. */
export function cursorOf(c: Pick<Context, 'tokens' | 'source'>, node: PlainNode): string | null {
  let i = node.from + 1;
  while (i < node.to && !(c.tokens[i]!.kind === 'word' && c.tokens[i]!.text === 'into')) i++;
  const token = c.tokens[i - 1];
  return token?.kind === 'word' && i - 1 > node.from ? identifier(token) : null;
}

/** FOR r IN c(args) LOOP opens, fetches and closes. */
export function cursorLoop(c: Context, name: string, args: Range, targets: string[]): Step[] {
  const query = c.cursors.get(name)?.query;
  return [...expression(c, args), ...(query ? bind(sql(c, query), [name, ...targets]) : [])];
}

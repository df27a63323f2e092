// Lowers RAISE: which error it raises, if it raises one at all.
import type { Exit, Step } from '../../ir.ts';
import { at, type Context, expression, find, mark, word } from './context.ts';
import type { PlainNode } from './tree.ts';

const NOTICES = new Set(['debug', 'log', 'info', 'notice', 'warning']);

/** It says more than a notice. */
export const isError = (c: Context, { from, to }: PlainNode): boolean =>
  !NOTICES.has(word(c, from + 1, to)) || mark(c, from + 2) === '.';

/** RAISE [level] ['format', args | condition | SQLSTATE 'code'] [USING option = value, …] */
export function raise(c: Context, node: PlainNode): Step[] {
  let i = node.from + 1;
  if (i >= node.to) return [{ kind: 'exit', at: at(c, node.at), how: 'raise', again: true }];
  const level = word(c, i, node.to);
  const steps = expression(c, { from: i + 1, to: node.to });
  if (!isError(c, node)) return steps;
  if (level === 'exception') i++;
  const raises = condition(c, i, node.to);
  return [...steps, raising(c, node, raises)];
}

/** It leaves the routine where no block around catches such an error. */
export function raising(c: Context, node: PlainNode, raises: string | undefined): Exit {
  const exit: Exit = { kind: 'exit', at: at(c, node.at), how: 'raise' };
  if (raises === undefined) return exit;
  exit.raises = raises;
  const by = CAUGHT_BY[raises];
  if (by && c.guards.length > 0 && !c.guards.flat().some((one) => by.includes(one))) exit.past = true;
  return exit;
}

/** The conditions that catch what is raised most. OTHERS is for neither of the last two. */
const CAUGHT_BY: Record<string, string[]> = {
  raise_exception: ['others', 'raise_exception', 'P0001', 'plpgsql_error', 'P0000'],
  assert_failure: ['assert_failure', 'P0004', 'plpgsql_error', 'P0000'],
  query_canceled: ['query_canceled', '57014', 'operator_intervention', '57000'],
};

/** The name or SQLSTATE; without one it is raise_exception; undefined where it is computed. */
function condition(c: Context, i: number, to: number): string | undefined {
  if (word(c, i, to) === 'sqlstate') return string(c, i + 1);
  const using = find(c, { from: i, to }, 'using');
  for (let k = using; k < to; k++)
    if (word(c, k) === 'errcode' && (mark(c, k + 1) === '=' || mark(c, k + 1) === ':='))
      return string(c, k + 2);
  const token = i < using ? c.tokens[i] : undefined;
  return token?.kind === 'word' ? token.text : 'raise_exception';
}

function string(c: Context, i: number): string | undefined {
  const token = c.tokens[i];
  if (token?.kind !== 'string' || !token.inner) return undefined;
  const text = c.source.text.slice(token.inner.start, token.inner.end);
  return /^[0-9A-Z]{5}$/.test(text) ? text : text.toLowerCase();
}

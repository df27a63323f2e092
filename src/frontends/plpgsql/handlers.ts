// What is told of a block's handlers beside their steps: that they do no more than raise again, where they stand, whether they ask how the block went, or what was violated.
import type { Handler, Span } from '../../ir.ts';
import { span } from '../source.ts';
import { type Context, mark, nameAt, word } from './context.ts';
import { each } from './survey.ts';
import type { Range, Statement } from './tree.ts';

/** It is bare, or besides that sets settings back. */
export const doesNoMore = (c: Context, body: Statement[]): Pick<Handler, 'bare' | 'restores'> => ({
  ...(body.every(isBare) && { bare: true as const }),
  ...(body.some((node) => restores(c, node)) &&
    body.every((node) => isBare(node) || restores(c, node)) && { restores: true as const }),
});

/** `GET STACKED DIAGNOSTICS c = CONSTRAINT_NAME` and what asks for c then; or for SQLERRM. */
export function asksWhich(c: Context, body: Statement[]): Pick<Handler, 'asksWhich'> {
  const names = new Set(['sqlerrm']);
  let asks = false;
  const decides = (range: Range | undefined): void => {
    for (let i = range?.from ?? 0; i < (range?.to ?? 0); i++) asks ||= names.has(nameAt(c, i) ?? '');
  };
  each(body, (node) => {
    if (node.kind === 'plain' && node.verb === 'get')
      for (let i = node.from; i + 2 < node.to; i++)
        if (TELLS.has(word(c, i + 2)) && /^:?=$/.test(mark(c, i + 1))) names.add(nameAt(c, i) ?? '');
    if (node.kind === 'plain' && node.verb !== 'get' && isChoice(c, node)) decides(node);
    if (node.kind !== 'if' && node.kind !== 'case') return;
    decides(node.on);
    for (const { condition } of node.arms) decides(condition);
  });
  return asks ? { asksWhich: true } : {};
}

const TELLS = new Set([
  'constraint_name',
  'message_text',
  'pg_exception_detail',
  'column_name',
  'table_name',
]);

function isChoice(c: Context, { from, to }: Range): boolean {
  for (let i = from; i < to; i++) if (word(c, i) === 'case') return true;
  return false;
}

/** NULL, or RAISE and nothing behind it. */
const isBare = (node: Statement): boolean =>
  node.kind === 'plain' && (node.verb === 'null' || (node.verb === 'raise' && node.from + 1 >= node.to));

/** PERFORM set_config(…), of names and texts alone. */
function restores({ tokens }: Context, node: Statement): boolean {
  if (node.kind !== 'plain' || node.verb !== 'perform') return false;
  const [name, ...given] = tokens.slice(node.from + 1, node.to).map(({ text }) => text);
  return name === 'set_config' && given.filter((text) => text === '(').length === 1;
}

/** ON CONFLICT DO NOTHING says that no row was inserted, where the error leaves what the statement before has said. */
export function asksHowItWent(c: Context, from: number): boolean {
  c.lastAsked ??= c.tokens.findLastIndex(
    ({ kind, text }) => kind === 'word' && (text === 'found' || text === 'row_count'),
  );
  return c.lastAsked >= from;
}

/** With the line break before it, so that nothing but the handlers is gone when it is taken away. */
export function section(c: Context, from: number, to: number): Span {
  let start = c.tokens[from]!.start;
  while (start > 0 && /[ \t]/.test(c.source.text[start - 1]!)) start--;
  if (c.source.text[start - 1] === '\n') start -= c.source.text[start - 2] === '\r' ? 2 : 1;
  else start = c.tokens[from]!.start;
  return span(c.source, start, c.tokens[to - 1]!.end);
}

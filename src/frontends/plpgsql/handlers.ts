// What is told of a block's handlers beside their steps: that they do no more than raise again, where they stand, whether they ask how the block went.
import type { Handler, Span } from '../../ir.ts';
import { span } from '../source.ts';
import type { Context } from './context.ts';
import type { Statement } from './tree.ts';

/** It is bare, or besides that sets settings back. */
export const doesNoMore = (c: Context, body: Statement[]): Pick<Handler, 'bare' | 'restores'> => ({
  ...(body.every(isBare) && { bare: true as const }),
  ...(body.some((node) => restores(c, node)) &&
    body.every((node) => isBare(node) || restores(c, node)) && { restores: true as const }),
});

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
export const asksHowItWent = ({ tokens }: Context, from: number): boolean =>
  tokens.slice(from).some(({ kind, text }) => kind === 'word' && (text === 'found' || text === 'row_count'));

/** With the line break before it, so that nothing but the handlers is gone when it is taken away. */
export function section(c: Context, from: number, to: number): Span {
  let start = c.tokens[from]!.start;
  while (start > 0 && /[ \t]/.test(c.source.text[start - 1]!)) start--;
  if (c.source.text[start - 1] === '\n') start -= c.source.text[start - 2] === '\r' ? 2 : 1;
  else start = c.tokens[from]!.start;
  return span(c.source, start, c.tokens[to - 1]!.end);
}

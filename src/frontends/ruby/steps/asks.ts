// Conditions that ask whether a transaction is open. Which calls tell it, the tables say; what runs by the answer, asked.ts.
import { type Asked, not, together } from '../../asked.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { heldBy } from '../names/held.ts';
import { tellsOpen } from '../names/telling.ts';
import { parts, textOf } from '../syntax.ts';

/** How many names stand for one another, at the most. */
const DEEPEST = 5;

/** `connection.transaction_open?`, `connection.open_transactions.zero?`, their opposites, and either beside something else. */
export function asked(body: Body, node: Syntax | undefined, depth = 0): Asked | undefined {
  if (!node || depth > DEEPEST) return undefined;
  body.file.tells ??= tellsOpen.words.test(body.file.text);
  if (!body.file.tells) return undefined;
  const inner = (one: Syntax | undefined) => asked(body, one, depth + 1);
  const text = (one: Syntax | undefined) => (one ? textOf(body.file, one) : '');
  switch (node.type) {
    case 'parenthesized_statements':
      return parts(node).length === 1 ? inner(parts(node)[0]) : undefined;
    case 'unary':
      return /^(!|not)$/.test(text(child(node, 'operator'))) ? not(inner(child(node, 'operand'))) : undefined;
    case 'binary': {
      const [left, right] = [child(node, 'left'), child(node, 'right')];
      const sign = text(child(node, 'operator'));
      if (/^(&&|\|\||and|or)$/.test(sign))
        return together([inner(left), inner(right)], /^(&&|and)$/.test(sign));
      const compared = `${sign} ${text(right)}`;
      if (/^(> 0|>= 1|!= 0)$/.test(compared)) return inner(left);
      return /^(== 0|< 1)$/.test(compared) ? not(inner(left)) : undefined;
    }
    case 'identifier':
      return heldBy(body, node) === node ? told(text(node)) : inner(heldBy(body, node));
    case 'call': {
      const name = text(child(node, 'method'));
      if (/^(zero\?|none\?)$/.test(name)) return not(inner(child(node, 'receiver')));
      return /^(positive\?|nonzero\?)$/.test(name) ? inner(child(node, 'receiver')) : told(name);
    }
    default:
      return undefined;
  }
}

const told = (name: string): Asked | undefined =>
  tellsOpen.names.has(name) ? { holds: 'open', otherwise: 'none' } : undefined;

/** What is sure behind a statement: it left, or refused, where it was otherwise. */
export function askedBefore(body: Body, node: Syntax): 'open' | 'none' | undefined {
  if (!/^(if|unless)(_modifier)?$/.test(node.type) || child(node, 'alternative')) return undefined;
  const then = child(node, 'body') ?? child(node, 'consequence');
  const last = then?.type === 'then' ? parts(then).at(-1) : then;
  if (!last || !/^(return|next|break|raise|fail)\b/.test(textOf(body.file, last).slice(0, 7)))
    return undefined;
  const its = asked(body, child(node, 'condition'));
  return node.type.startsWith('unless') ? its?.holds : its?.otherwise;
}

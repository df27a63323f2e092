// Which overload a lambda of Java is for: one that takes what gives a value, or one that takes what gives none. It resolves no name.
import type { Node } from '../syntax/syntax.ts';

const GIVES = '*Supplier|*Callable|*Function|*Operator|*Predicate';
const GIVES_NOTHING = '*Runnable|*Consumer|*Action|*Procedure';

/** How the name of its type ends, mostly. What is one expression may do for both, and gives its value where somebody takes that. */
export function functional(value: Node): string | null {
  const node = value.kind === 'cast' ? value.value : value;
  if (node.kind !== 'lambda') return null;
  const { body } = node;
  if (body.kind !== 'sequence') return body.kind === 'assign' ? null : GIVES;
  if (gives(body)) return GIVES;
  const last = body.items.at(-1);
  return last?.kind === 'leave' && last.how === 'raise' ? null : GIVES_NOTHING;
}

/** A lambda inside of an expression gives what it gives to somebody else. */
function gives(node: Node | undefined): boolean {
  switch (node?.kind) {
    case 'leave':
      return node.how === 'return' && node.value !== undefined;
    case 'sequence':
      return node.items.some(gives);
    case 'choice':
      return node.arms.some(gives);
    case 'repeat':
      return gives(node.body);
    case 'try':
      return gives(node.body) || node.handlers.some(({ body }) => gives(body)) || gives(node.finally);
    default:
      return false;
  }
}

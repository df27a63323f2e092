// What runs only where a query found no row, asked by constants: `unless Tag.exists?(name: "a")`. It reads conditions, and lowers nothing.
import type { Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { heldBy } from '../names/held.ts';
import { chained } from '../names/meaning.ts';
import { typeOf } from '../names/types.ts';
import { parts, textOf } from '../syntax.ts';
import { asksTheSame, isOfClass } from './same.ts';

const DEEP = 6;

/** The class of which a row is missing where the condition is so. */
export function missingWhere(body: Body, node: Syntax | undefined, wanted: boolean, depth = 0): Name | null {
  if (!node || depth > DEEP) return null;
  const below = (one: Syntax | undefined, is = wanted) => missingWhere(body, one, is, depth + 1);
  const text = (one: Syntax | undefined) => (one ? textOf(body.file, one) : '');
  switch (node.type) {
    case 'parenthesized_statements':
    case 'then': {
      const [inner, more] = parts(node);
      return more ? null : below(inner);
    }
    case 'unary':
      return /^(!|not)$/.test(text(child(node, 'operator'))) ? below(child(node, 'operand'), !wanted) : null;
    case 'binary': {
      const [left, right] = [child(node, 'left'), child(node, 'right')];
      const sign = text(child(node, 'operator'));
      if (/^(&&|\|\||and|or)$/.test(sign)) {
        const all = /^(&&|and)$/.test(sign) === wanted;
        return all ? (below(left) ?? below(right)) : null;
      }
      const compared = `${sign} ${text(right)}`;
      if (NONE.test(compared)) return below(left, !wanted);
      return SOME.test(compared) ? below(left) : null;
    }
    case 'assignment':
      return below(child(node, 'right'));
    case 'identifier': {
      const held = heldBy(body, node);
      return held === node ? ofOwn(body, text(node), wanted) : below(held);
    }
    case 'call': {
      const [receiver, method] = [child(node, 'receiver'), text(child(node, 'method'))];
      if (!receiver && child(node, 'arguments') === undefined) return ofOwn(body, method, wanted);
      if (LACKS.test(method)) return below(receiver, !wanted);
      if (HAS.test(method) && receiver?.type === 'identifier') return below(receiver);
      return wanted ? null : askedOf(body, node);
    }
    default:
      return null;
  }
}

/** In a method of the class: `make if none?`, `first || make`. */
function ofOwn(body: Body, method: string, wanted: boolean): Name | null {
  const lacks = /^(?:none|empty)\?$/.test(method);
  const asks = lacks || chained.item.has(method) || /^(?:any\?|exists\?|count)$/.test(method);
  return asks && wanted === lacks && isOfClass(body) && !body.locals.has(method) ? classOf(body) : null;
}

const NONE = /^(?:== (?:0|nil)|< 1|<= 0)$/;
const SOME = /^(?:!= (?:0|nil)|> 0|>= 1)$/;
const LACKS = /^(?:nil|blank|empty|none|zero)\?$/;
const HAS = /^(?:present|any|positive|nonzero)\?$/;

function askedOf(body: Body, node: Syntax): Name | null {
  return asksTheSame(body, node) ? classOf(body, child(node, 'receiver')) : null;
}

function classOf(body: Body, asked?: Syntax): Name | null {
  const type = asked ? typeOf(body, asked) : { name: `ruby:${body.owner.name}`, kind: 'class' as const };
  return type && type.kind !== 'builtin' ? (type.name as Name) : null;
}

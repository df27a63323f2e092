// What runs only where a query found no row, asked by constants: `unless Tag.exists?(name: "a")`. It reads conditions, and lowers nothing.
import type { Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Part, signOf, toldBy } from '../names/conditions.ts';
import type { Body } from '../names/file.ts';
import { heldBy } from '../names/held.ts';
import { chained } from '../names/meaning.ts';
import { typeOf } from '../names/types.ts';
import { textOf } from '../syntax.ts';
import { asksTheSame, isOfClass } from './same.ts';

/** The class of which a row is missing where the condition is so. */
export function missingWhere(body: Body, condition: Syntax | undefined, wanted: boolean): Name | null {
  return toldBy({ file: body.file, part: missingIn(body) }, condition, wanted);
}

const missingIn =
  (body: Body): Part<Name> =>
  (node, wanted, inner) => {
    const text = (one: Syntax | undefined) => (one ? textOf(body.file, one) : '');
    switch (node.type) {
      case 'binary': {
        const compared = `${signOf(body.file, node)} ${text(child(node, 'right'))}`;
        if (NONE.test(compared)) return inner(child(node, 'left'), !wanted);
        return SOME.test(compared) ? inner(child(node, 'left'), wanted) : null;
      }
      case 'assignment':
        return inner(child(node, 'right'), wanted);
      case 'identifier': {
        const held = heldBy(body, node);
        return held === node ? ofOwn(body, text(node), wanted) : inner(held, wanted);
      }
      case 'call': {
        const [receiver, method] = [child(node, 'receiver'), text(child(node, 'method'))];
        if (!receiver && child(node, 'arguments') === undefined) return ofOwn(body, method, wanted);
        if (LACKS.test(method)) return inner(receiver, !wanted);
        if (HAS.test(method) && receiver?.type === 'identifier') return inner(receiver, wanted);
        return wanted ? null : askedOf(body, node);
      }
      default:
        return null;
    }
  };

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

// Whether steps run only until what they leave behind is there: `@total ||= …`, `@total = … unless @total`. Not what a loop around finds again.
import { child, type Syntax } from '../../syntax.ts';
import { type Part, signOf, toldBy } from '../names/conditions.ts';
import type { Body } from '../names/file.ts';
import { argumentsOf, parts, textOf, word } from '../syntax.ts';

/** Each object has its own, or there is one for the whole program. */
export type Remembers = true | 'ever';

interface Remembered {
  name: string;
  how: Remembers;
}

/** `@total`, `@@total`, `self.total` of a class, `Totals.usual`: what keeps a value behind the end of a method. */
export function remembers(body: Body, node: Syntax | undefined): Remembered | null {
  if (!node) return null;
  const name = textOf(body.file, node);
  switch (node.type) {
    case 'instance_variable':
      return { name, how: body.singleton ? 'ever' : true };
    case 'class_variable':
    case 'global_variable':
      return { name, how: 'ever' };
    case 'call': {
      const [receiver, method] = [child(node, 'receiver'), child(node, 'method')];
      if (!receiver || !method || parts(node).length > 2) return null;
      if (receiver.type === 'constant' || receiver.type === 'scope_resolution') return { name, how: 'ever' };
      const of = textOf(body.file, receiver);
      if (of === 'self.class') return { name, how: 'ever' };
      const isKept =
        of === 'self' && (body.singleton || body.owner.attributes.has(textOf(body.file, method)));
      return isKept ? { name, how: body.singleton ? 'ever' : true } : null;
    }
    default:
      return null;
  }
}

/** What is left behind where the condition is so and nothing was left before. */
export function leftBehind(
  body: Body,
  condition: Syntax | undefined,
  wanted: boolean,
  arms: Syntax[],
): Remembers | null {
  const lacks = toldBy({ file: body.file, part: lackingIn(body) }, condition, wanted);
  return lacks && arms.some((arm) => gives(body, lacks.name, arm)) ? lacks.how : null;
}

/** What is missing where a part of a condition is so. */
const lackingIn =
  (body: Body): Part<Remembered> =>
  (node, wanted, inner) => {
    switch (node.type) {
      case 'unary':
        return signOf(body.file, node) === 'defined?' ? inner(child(node, 'operand'), wanted) : null;
      case 'binary': {
        const sign = signOf(body.file, node);
        const isCompared = child(node, 'right')?.type === 'nil' && /^[!=]=$/.test(sign);
        return isCompared ? inner(child(node, 'left'), (sign === '==') !== wanted) : null;
      }
      case 'call': {
        const [receiver, name] = [child(node, 'receiver'), child(node, 'method')];
        const method = name ? textOf(body.file, name) : '';
        if (method === 'instance_variable_defined?' && !wanted) {
          const asked = word(body.file, argumentsOf(body.file, node).positional[0]);
          return asked ? { name: asked, how: body.singleton ? 'ever' : true } : null;
        }
        if (/^(nil|blank)\?$/.test(method)) return inner(receiver, !wanted);
        if (method === 'present?') return inner(receiver, wanted);
        return wanted ? null : remembers(body, node);
      }
      default:
        return wanted ? null : remembers(body, node);
    }
  };

/** It is given a value in these steps, or what they give: `@total = @total || …`. */
function gives({ file }: Body, name: string, arm: Syntax): boolean {
  const text = textOf(file, arm);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (
      !/[\w@$.]/.test(text[at - 1] ?? '') &&
      ASSIGNS.test(text.slice(at + name.length, at + name.length + 8))
    )
      return true;
  for (let one = arm; one.parent && VALUE.test(one.parent.type); one = one.parent)
    if (one.parent.type === 'assignment')
      return one.field === 'right' && textOf(file, child(one.parent, 'left') ?? one) === name;
  return false;
}

const ASSIGNS = /^\s*(\|\|)?=(?![=~])/;
const VALUE = /^(binary|conditional|parenthesized_statements|if|unless|then|else|assignment)$/;

// What a variable or a constant holds, as it is written. It asks for no type and lowers nothing.
import { child, type Syntax } from '../syntax.ts';
import { type Body, constantName } from './file.ts';
import { textOf } from './syntax.ts';

/** What a variable or constant holds, one step back. */
export function heldBy(body: Body, node: Syntax): Syntax {
  if (node.type === 'identifier') return body.locals.get(textOf(body.file, node))?.value ?? node;
  if (node.type === 'constant' || node.type === 'scope_resolution') {
    const name = constantName(body.file, node, body.owner).slice('ruby:'.length);
    const written = textOf(body.file, node);
    for (const one of [name, ...body.owner.nesting.map((around) => `${around}::${written}`), written]) {
      const value = body.file.constants.get(one);
      if (value) return value;
    }
  }
  return node;
}

/** `[…].freeze` */
export const thawed = (body: Body, value: Syntax): Syntax =>
  value.type === 'call' && /\.freeze$/.test(textOf(body.file, value))
    ? (child(value, 'receiver') ?? value)
    : value;

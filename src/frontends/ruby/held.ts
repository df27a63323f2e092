// What a variable or a constant holds, as it is written, and what it is called where another file holds it. It asks for no type and lowers nothing.
import type { Name } from '../../ir.ts';
import { child, type Syntax } from '../syntax.ts';
import { type Body, constantName, type Owner } from './file.ts';
import { parts, textOf } from './syntax.ts';

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

/** What a constant, `Order.statuses` or a method of the class itself may be called where it is written out. */
export function namesOf({ file, owner, singleton, locals }: Body, node: Syntax): Name[] {
  const written = textOf(file, node).replace(/\s+/g, '');
  if (node.type === 'constant' || node.type === 'scope_resolution') return around(owner, written);
  const receiver = child(node, 'receiver');
  const method = child(node, 'method');
  if (node.type === 'identifier' || (node.type === 'call' && !receiver))
    return owner.kind === 'file' || locals.has(written) || !/^\w+$/.test(written)
      ? []
      : [`ruby:${owner.name}${singleton ? '.' : '#'}${written}`];
  if (node.type !== 'call' || !receiver || !method || parts(node).length > 2) return [];
  const asked = textOf(file, receiver).replace(/\s+/g, '');
  const own = asked === 'self.class' || (asked === 'self' && singleton);
  if (!own && !/^(constant|scope_resolution)$/.test(receiver.type)) return [];
  const of: Name[] = own ? [`ruby:${owner.name}`] : around(owner, asked);
  return of.map((name): Name => `${name}.${textOf(file, method)}`);
}

/** A constant stands in one of the modules around, or at the top. */
function around({ name, nesting }: Owner, written: string): Name[] {
  if (written.startsWith('::')) return [`ruby:${written.slice(2)}`];
  if (written.startsWith('self.class::')) return [`ruby:${name}${written.slice('self.class'.length)}`];
  if (!/^[A-Z]/.test(written)) return [];
  return [...nesting.map((one): Name => `ruby:${one}::${written}`), `ruby:${written}`];
}

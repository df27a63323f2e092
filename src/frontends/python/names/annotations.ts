// Which type an annotation names: `order: Order | None`, `"list[Order]"`. What an expression is, values.ts says.
import type { Syntax } from '../../syntax.ts';
import { byNickname, canonical } from './knowledge.ts';
import { lookup, type Place, textOf, type Value } from './scope.ts';
import { constantText, lastPart, resolve } from './values.ts';

const TYPE_OF = ['Type', 'type'];
const WRAPPERS = ['Optional', 'Annotated', 'Awaitable', 'Final', 'ClassVar', 'Mapped', 'Union', 'Self'];

export function fromAnnotation(c: Place, node: Syntax | undefined, depth = 0): Value | undefined {
  if (!node || depth > 8) return undefined;
  if (node.type === 'type') return fromAnnotation(c, node.children[0], depth + 1);
  if (node.type === 'string') return quoted(c, constantText(c, node) ?? '');
  if (node.type === 'union_type' || node.type === 'binary_operator')
    return fromAnnotation(
      c,
      node.children.find((one) => textOf(c.file, one) !== 'None' && one.field !== 'operator'),
      depth + 1,
    );
  if (node.type === 'generic_type' || node.type === 'subscript') {
    const [outer, ...rest] = node.children.flatMap((one) =>
      one.type === 'type_parameter' ? one.children : [one],
    );
    const path = outer && resolve(c, outer)?.path;
    // It may be imported by another name.
    const name = lastPart(path ?? textOf(c.file, outer));
    if (TYPE_OF.includes(name)) return undefined;
    const inner = rest.find((one) => textOf(c.file, one) !== 'None');
    const item = fromAnnotation(c, inner, depth + 1)?.type;
    if (WRAPPERS.includes(name)) return item && { type: item };
    return { type: { path: path ? canonical(path) : name, item } };
  }
  const value = resolve(c, node);
  const known = byNickname(lastPart(textOf(c.file, node)));
  if (known && !(value?.path && c.file.classes.has(value.path)))
    return { type: { path: known, certainty: 'likely' } };
  // `Session = Annotated[…]`
  if (!value?.path && value?.code?.type === 'subscript') return fromAnnotation(c, value.code, depth + 1);
  return value?.path ? { type: { path: canonical(value.path) } } : undefined;
}

function quoted(c: Place, text: string): Value | undefined {
  const match = /^(?:Optional\[)?([A-Za-z_][\w.]*)(?:\[([A-Za-z_][\w.]*)\])?/.exec(text);
  if (!match) return undefined;
  const path = (dotted: string) => {
    const [first, ...rest] = dotted.split('.');
    const value = lookup(c.file, c.scope, first!)?.path;
    return value && canonical([value, ...rest].join('.'));
  };
  const outer = path(match[1]!);
  const item = match[2] ? path(match[2]) : undefined;
  if (!outer && !item) return undefined;
  return { type: { path: outer ?? match[1]!, item: item ? { path: item } : undefined } };
}

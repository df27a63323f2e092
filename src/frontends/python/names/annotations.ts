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
  if (node.type === 'union_type' || node.type === 'binary_operator') {
    const all = node.children.filter((one) => textOf(c.file, one) !== 'None' && one.field !== 'operator');
    return oneOf(fromAnnotation(c, all[0], depth + 1), all.length);
  }
  if (node.type === 'generic_type' || node.type === 'subscript') {
    const [outer, ...rest] = node.children.flatMap((one) =>
      one.type === 'type_parameter' ? one.children : [one],
    );
    const path = outer && resolve(c, outer)?.path;
    // It may be imported by another name.
    const name = lastPart(path ?? textOf(c.file, outer));
    if (TYPE_OF.includes(name)) return undefined;
    const all = rest.filter((one) => textOf(c.file, one) !== 'None');
    const item = fromAnnotation(c, all[0], depth + 1)?.type;
    if (WRAPPERS.includes(name)) return item && oneOf({ type: item }, name === 'Union' ? all.length : 1);
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

/** The first one is meant where somebody is called; what is asked of its class has two answers. */
const oneOf = (value: Value | undefined, many: number): Value | undefined =>
  many > 1 && value?.type ? { ...value, type: { ...value.type, among: true } } : value;

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
  const all = text.split('|').filter((one) => one.trim() !== 'None');
  return oneOf({ type: { path: outer ?? match[1]!, item: item ? { path: item } : undefined } }, all.length);
}

// Which parameter of its maker an attribute of an object is, and nothing else ever. What callers give for it is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { type ClassInfo, type Place, textOf } from '../names/scope.ts';
import { valuesIn } from './attributes.ts';
import { methodOf } from './classes.ts';

export function keptOf(c: Place, cls: ClassInfo, attribute: string): string | undefined {
  const [its, ...others] = valuesIn(c, cls).get(attribute) ?? [];
  if (its?.node.type !== 'identifier' || others.length > 0) return undefined;
  if (!its.method || its.method !== methodOf(c, cls.node, '__init__')) return undefined;
  const parameter = textOf(c.file, its.node);
  return parametersOf(its.method).some((one) => nameIn(c, one) === parameter) ? parameter : undefined;
}

const nameIn = (c: Place, one: Syntax): string =>
  textOf(c.file, one.type === 'identifier' ? one : (child(one, 'name') ?? one.children[0]));

export const parametersOf = (definition: Syntax | undefined): Syntax[] =>
  definition ? (child(definition, 'parameters')?.children ?? []) : [];

/** The attribute of its own object that this is, or is asked of, where that keeps what its maker was given and nobody says what it is. */
export function keptAttribute(c: Place, node: Syntax | undefined): string | undefined {
  if (!node || !c.cls) return undefined;
  const inner = child(node, 'object') ?? child(node, 'function');
  if (node.type !== 'attribute' || textOf(c.file, child(node, 'object')) !== 'self')
    return inner && /^(attribute|call)$/.test(node.type) ? keptAttribute(c, inner) : undefined;
  const name = textOf(c.file, child(node, 'attribute'));
  return !c.cls.fields.has(name) && keptOf(c, c.cls, name) !== undefined ? name : undefined;
}

/** What that parameter is where nobody says it. */
export function usualOfMaker(c: Place, attribute: string): Syntax | undefined {
  const parameter = c.cls && keptOf(c, c.cls, attribute);
  const all = parameter === undefined ? [] : parametersOf(methodOf(c, c.cls!.node, '__init__'));
  const its = all.find((one) => nameIn(c, one) === parameter);
  return its && child(its, 'value');
}

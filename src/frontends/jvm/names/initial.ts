// What runs when an object is made, before its constructor's own body. It lowers nothing.
import type { Call, Field, Method, Node } from '../syntax/syntax.ts';

/** Fields' values and initialiser blocks, in their order; as assignments, for a value may say more than the declared type. */
export function initial(fields: Field[], blocks: Node[]): Node[] {
  const values = fields.flatMap(({ name, value: written }): Node[] => {
    const value = written && lazily(written);
    if (!value || value.kind === 'lambda') return [];
    const { start, end } = value;
    return [{ kind: 'assign', target: { kind: 'name', text: name, start, end: start }, value, start, end }];
  });
  return [...values, ...blocks].sort((a, b) => a.start - b.start);
}

/** `this(…)` stands first. */
export function callsAnother({ body }: Method): boolean {
  const first = body?.kind === 'sequence' ? body.items[0] : undefined;
  return first?.kind === 'call' && !first.object && first.name === 'this';
}

/** Kotlin's `by lazy { … }`: it runs where somebody reads the property first, not where the object is made. */
export const isLazy = ({ value }: Field): boolean => value !== undefined && asksLazily(value);

const asksLazily = (value: Node): value is Call =>
  value.kind === 'call' && value.name === 'lazy' && !value.object;

/** What reads it. */
export function getterOf({ name, start, end, type, static: isStatic }: Field): Method {
  const called = `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return {
    name: called, start, end, at: { start, end: start + name.length }, isConstructor: false, isAccessor: true, annotations: [],
    parameters: [], typeParameters: [], returns: type, private: false, static: isStatic, abstract: false,
  }; // biome-ignore format: short
}

/** It is what the block gives, made once. */
export function lazily(value: Node): Node {
  if (!asksLazily(value)) return value;
  const made = value.arguments.at(-1)?.value;
  const items = made?.kind === 'lambda' && made.body.kind === 'sequence' ? made.body.items : [];
  return items.length === 1 ? items[0]! : value;
}

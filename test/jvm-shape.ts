// The tree that Java and Kotlin share, for tests: told in a line, compared with another one, and its places looked at.
import { expect } from 'vitest';
import type { Node, TypeBody } from '../src/frontends/jvm/syntax/syntax.ts';
import type { Source } from '../src/frontends/source.ts';
import { around } from './parser-oracle.ts';

/** What of a tree is easily read: names, calls and what is nested. */
function sketch(node: Node): string {
  const each = (nodes: Node[]) => nodes.map(sketch).join(' ');
  switch (node.kind) {
    case 'name':
    case 'literal':
      return node.text;
    case 'text':
      return JSON.stringify(node.source.text);
    case 'member':
      return `${sketch(node.object)}.${node.name}`;
    case 'call': {
      const given = node.arguments.map(({ value }) => sketch(value)).join(', ');
      const body = node.body ? ` ${outline(node.body)}` : '';
      return `${node.creates ? 'new ' : ''}${node.object ? `${sketch(node.object)}.` : ''}${node.name}(${given})${body}`;
    }
    case 'cast':
      return `(${node.type.name}) ${sketch(node.value)}`;
    case 'assign':
      return `${sketch(node.target)} = ${sketch(node.value)}`;
    case 'local':
      return `${node.type?.name ?? 'var'} ${node.name}${node.value ? ` = ${sketch(node.value)}` : ''}`;
    case 'lambda':
      return `${node.parameters.map(({ name }) => name)} -> ${sketch(node.body)}`;
    case 'reference':
      return `${node.object ? sketch(node.object) : ''}::${node.name}`;
    case 'concat':
      return `<${each(node.parts)}>`;
    case 'several':
      return node.items.length === 1 ? sketch(node.items[0]!) : `[${each(node.items)}]`;
    case 'sequence':
      return `{${each(node.items)}}`;
    case 'choice':
      return `choice${node.exhaustive ? '' : '?'}(${each(node.tests)}: ${each(node.arms)})`;
    case 'repeat':
      return `${node.how}(${each([...node.first, ...node.every])}: ${sketch(node.body)})`;
    case 'try':
      return `try${each(node.resources)}${sketch(node.body)}${node.handlers.map((one) => `catch ${one.catches.join('|')} ${sketch(one.body)}`).join('')}${node.finally ? `finally ${sketch(node.finally)}` : ''}`;
    case 'leave':
      return `${node.how}${node.value ? ` ${sketch(node.value)}` : ''}`;
    case 'type':
      return outline(node);
  }
}

export function outline(type: TypeBody): string {
  const fields = type.fields.map(({ name, value }) => `${name}${value ? ` = ${sketch(value)}` : ''};`);
  const methods = type.methods.map(({ name, body }) => `${name}()${body ? sketch(body) : ''};`);
  const inner = [
    ...fields,
    ...[...type.statics, ...type.initialisers].map(sketch),
    ...methods,
    ...type.types.map(outline),
  ];
  return `${type.is} ${type.name}(${inner.join(' ')})`;
}

/** No node ends before it begins, or outside of the text. */
export function inOrder(value: unknown, least: number, most: number): void {
  if (typeof value !== 'object' || value === null) return;
  const { start, end } = value as { start?: number; end?: number };
  if (typeof start === 'number' && typeof end === 'number') {
    expect(start).toBeGreaterThanOrEqual(least);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(most);
  }
  for (const inner of Object.values(value)) inOrder(inner, least, most);
}

/** The first difference of two trees in words; '' when there is none. */
type Value = string | number | boolean | null | undefined | object;

export function compare(ours: Value, right: Value, text: string, path: string, near: number): string {
  if (typeof ours !== 'object' || typeof right !== 'object' || ours === null || right === null)
    return ours === right ? '' : told(ours, right, text, path, near);
  if (isSource(ours) && isSource(right)) {
    const same =
      ours.text === right.text &&
      (ours.text === '' || [0, 1, ours.text.length].every((i) => ours.at(i) === right.at(i)));
    return same ? '' : told(ours.text, right.text, text, path, near);
  }
  const a = ours as Record<string, Value>;
  const b = right as Record<string, Value>;
  const at = typeof b.start === 'number' ? b.start : near;
  if (Array.isArray(ours) && Array.isArray(right) && ours.length !== right.length)
    return told(ours, right, text, path, near);
  if (isNothing(a) && isNothing(b)) return '';
  if (a.kind !== b.kind) return told(ours, right, text, path, at);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = compare(a[key], b[key], text, `${path}.${key}`, at);
    if (found) return found;
  }
  return '';
}

/** An empty statement, for which the grammar has no node and so no place. */
const isNothing = (one: Record<string, Value>): boolean =>
  one.kind === 'several' && (one.items as object[]).length === 0;

const isSource = (value: object): value is Source =>
  'text' in value && typeof (value as Source).at === 'function';

function told(ours: Value, right: Value, text: string, path: string, near: number): string {
  const shown = (value: Value) => JSON.stringify(value)?.slice(0, 300);
  return `«${around(text, near)}» ${path.split('.').slice(-6).join('.')}: ours is ${shown(ours)}, theirs ${shown(right)}`;
}

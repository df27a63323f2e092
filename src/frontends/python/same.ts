// Whether a call looks for the same row each time that it runs: by constants, or by what no loop around it changes.
import type { Scope } from '../../ir.ts';
import { child, type Syntax } from '../syntax.ts';
import { count } from './flags.ts';
import { lookup, textOf } from './scope.ts';
import type { Place } from './values.ts';

const LITERAL = /^(string|integer|float|true|false|none)$/;
const LOOP = /^(for_statement|while_statement|\w+_comprehension|generator_expression)$/;

export function same(c: Place, node: Syntax): { same?: Scope['same'] } {
  const callee = node.type === 'call' ? child(node, 'function') : undefined;
  const list = child(node, 'arguments');
  if (callee?.type !== 'attribute' || list?.type !== 'argument_list') return {};
  const looked = list.children.filter((one) => one.type !== 'comment' && nameOf(c, one) !== 'defaults');
  if (looked.length === 0 || looked.some((one) => one.type !== 'keyword_argument')) return {};
  const roots = new Set<string>();
  const read = [child(callee, 'object'), ...looked.map((one) => child(one, 'value'))];
  if (!read.every((one) => isPlain(c, one, roots))) return {};
  if ([...roots].every((name) => isConstant(c, name))) return { same: 'always' };
  const loop = outermost(node);
  if (!loop) return {};
  const changed = count(c, loop);
  const text = c.file.text.slice(loop.start, loop.end);
  const changes = (name: string) =>
    changed.has(name) || new RegExp(`\\b${name}(\\.\\w+)+[ \\t]*([-+*/|&]|//)?=(?!=)`).test(text);
  return [...roots].some(changes) ? {} : { same: 'in loops' };
}

const nameOf = (c: Place, one: Syntax) =>
  one.type === 'keyword_argument' ? textOf(c.file, child(one, 'name')) : '';

/** A literal, or a variable and its attributes. */
function isPlain(c: Place, node: Syntax | undefined, roots: Set<string>): boolean {
  if (!node) return false;
  if (LITERAL.test(node.type)) return node.children.every(({ type }) => type !== 'interpolation');
  if (node.type === 'attribute') return isPlain(c, child(node, 'object'), roots);
  if (node.type !== 'identifier') return false;
  roots.add(textOf(c.file, node));
  return true;
}

/** An import, a class, a constant of the module. */
function isConstant(c: Place, name: string): boolean {
  const value = lookup(c.file, c.scope, name);
  return (
    /^_?[A-Z][A-Z0-9_]*$/.test(name) || (value?.path !== undefined && !value.parameter && name !== 'cls')
  );
}

function outermost(node: Syntax): Syntax | undefined {
  let found: Syntax | undefined;
  for (let at = node.parent; at && !/^(function_definition|lambda)$/.test(at.type); at = at.parent)
    if (LOOP.test(at.type)) found = at;
  return found;
}

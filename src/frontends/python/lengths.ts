// How many items a collection has that is written out and that nobody changes afterwards. Loops and arguments ask.
import type { Syntax } from '../syntax.ts';
import { assignments, isConstantName } from './flags.ts';
import { textOf } from './scope.ts';
import { type Place, resolve } from './values.ts';

const WRITTEN = /^(list|tuple|set|dictionary)$/;
/** They look at what they are given, and keep none of it. */
const LOOKS = 'len|enumerate|sorted|reversed|list|tuple|set|dict|zip|any|all|sum|print|str|repr|iter';

/**
 * The collection that an expression is: the literal itself, a constant of the module, a variable that stays as it was
 * and is handed on so often at most.
 */
export function collection(c: Place, node: Syntax, handed = 0): Syntax | undefined {
  if (WRITTEN.test(node.type)) return node;
  if (node.type !== 'identifier') return undefined;
  const { code } = resolve(c, node) ?? {};
  if (!code || !WRITTEN.test(code.type)) return undefined;
  const name = textOf(c.file, node);
  if (isConstantName(name)) return code;
  // What is empty is filled somewhere.
  const stays = code.children.length > 0 && assignments(c, node, name) === 1 && !grows(c, node, name, handed);
  return stays ? code : undefined;
}

/** Null where more is unpacked into it. */
export function lengthOf({ children }: Syntax): number | null {
  if (children.some((one) => /_splat$/.test(one.type))) return null;
  return children.filter((one) => one.type !== 'comment').length;
}

/** Something in the function adds to it, or it is handed to those who could more often than that. */
function grows(c: Place, node: Syntax, name: string, often: number): boolean {
  let whole: Syntax | undefined;
  for (let at: Syntax | null = node; at; at = at.parent) if (at.type === 'function_definition') whole = at;
  if (!whole) return true;
  const text = c.file.text.slice(whole.start, whole.end);
  const adds = `\\b${name}\\s*(\\.\\s*(append|extend|insert|add|update|setdefault)\\b|\\[[^\\]]*\\]\\s*=(?!=))`;
  const hands = `(?<!\\b(${LOOKS})\\s*)[(,]\\s*${name}\\s*[,)]`;
  return new RegExp(adds).test(text) || [...text.matchAll(new RegExp(hands, 'g'))].length > often;
}

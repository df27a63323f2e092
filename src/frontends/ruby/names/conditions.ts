// A condition taken apart: parentheses, `!`, `&&`, `||`. What any other part of it tells, those who ask know.
import { child, type Syntax } from '../../syntax.ts';
import { parts, textOf } from '../syntax.ts';

interface Asking<T> {
  file: { text: string };
  part: Part<T>;
  /** Both sides come out so; without this, what either of them tells. */
  both?: (sides: (T | null)[]) => T | null;
  /** One of them does, and nobody knows which; without this, nothing. */
  one?: (sides: (T | null)[]) => T | null;
}

/** What a part tells that is made of no others, where it comes out as wanted; `inner` takes apart another node. */
export type Part<T> = (part: Syntax, wanted: boolean, inner: Inner<T>) => T | null;
type Inner<T> = (node: Syntax | undefined, wanted: boolean) => T | null;

const DEEP = 8;
const EITHER = /^(&&|and|\|\||or)$/;

/** What is told where a condition is wanted to hold, or not to. */
export function toldBy<T>(asking: Asking<T>, node: Syntax | undefined, wanted: boolean, depth = 0): T | null {
  if (!node || depth > DEEP) return null;
  const inner: Inner<T> = (one, is) => toldBy(asking, one, is, depth + 1);
  if (node.type === 'parenthesized_statements' || node.type === 'then') {
    const [only, ...more] = parts(node);
    return more.length > 0 ? null : inner(only, wanted);
  }
  const sign = signOf(asking.file, node);
  if (node.type === 'unary' && /^(!|not)$/.test(sign)) return inner(child(node, 'operand'), !wanted);
  if (!EITHER.test(sign)) return asking.part(node, wanted, inner);
  const isBoth = /^(&&|and)$/.test(sign) === wanted;
  if (!isBoth && !asking.one) return null;
  const sides = [inner(child(node, 'left'), wanted), inner(child(node, 'right'), wanted)];
  return isBoth ? (asking.both ?? first)(sides) : asking.one!(sides);
}

const first = <T>(sides: (T | null)[]): T | null => sides[0] ?? sides[1] ?? null;

/** The operator of a condition of one side or of two. */
export function signOf(file: { text: string }, node: Syntax): string {
  const operator = node.type === 'binary' || node.type === 'unary' ? child(node, 'operator') : undefined;
  return operator ? textOf(file, operator) : '';
}

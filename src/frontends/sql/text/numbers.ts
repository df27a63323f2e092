// What number an expression of constants is: `10`, `-1`, `(2 * 3)::int`, and of variables that hold one. Not what a query or a function gives.
import { identifier, type Token } from './lexer.ts';

/** Nobody writes more of them. */
const LONGEST = 20;

/** The number that a name holds all the time, where it does. */
export type Holds = (name: string) => number | null | undefined;

/** Of whole numbers alone, as the server computes them; null where something else has a part in it. */
export function numberOf(tokens: readonly Token[], from: number, to: number, holds?: Holds): number | null {
  if (to <= from || to - from > LONGEST || to > tokens.length) return null;
  let i = from;
  const text = () => (i < to ? tokens[i]!.text : '');
  function sum(): number | null {
    let value = product();
    while (value !== null && (text() === '+' || text() === '-')) {
      const sign = tokens[i++]!.text === '-' ? -1 : 1;
      const other = product();
      value = other === null ? null : value + sign * other;
    }
    return value;
  }
  function product(): number | null {
    let value = signed();
    while (value !== null && (text() === '*' || text() === '/')) {
      const divides = tokens[i++]!.text === '/';
      const other = signed();
      if (other === null || (divides && other === 0)) return null;
      value = divides ? Math.trunc(value / other) : value * other;
    }
    return value;
  }
  function signed(): number | null {
    const sign = text() === '-' ? -1 : 1;
    if (sign < 0 || text() === '+') i++;
    let value = single();
    while (value !== null && text() === '::') {
      if (!WHOLE.has(tokens[i + 1]?.text ?? '')) value = null;
      i += 2;
    }
    return value === null ? null : sign * value;
  }
  function single(): number | null {
    const token = i < to ? tokens[i++]! : undefined;
    if (token?.kind === 'number')
      return /^\d[\d_]*$/.test(token.text) ? Number(token.text.replaceAll('_', '')) : null;
    if (token?.kind === 'word') return holds?.(identifier(token)) ?? null;
    if (token?.text !== '(' || token.kind !== 'punctuation') return null;
    const value = sum();
    return text() === ')' && i++ < to ? value : null;
  }
  const value = sum();
  return i === to && Number.isSafeInteger(value) ? value : null;
}

const WHOLE = new Set(['smallint', 'int', 'integer', 'bigint', 'int2', 'int4', 'int8']);

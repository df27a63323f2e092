// How far one expression lies from another that is the same but for what is added: `x` and `x + 9`. Neither is computed.
import { HOLE, type Token } from '../text/lexer.ts';
import { type Holds, numberOf } from '../text/numbers.ts';

export interface Term {
  sign: 1 | -1;
  tokens: readonly Token[];
}

/** Nobody writes longer ones. */
const LONGEST = 40;

/** What `+` and `-` join, without brackets around all of it; null where other operators stand between, or what gives something else each time. */
export function termsOf(tokens: readonly Token[]): Term[] | null {
  const whole = withoutBrackets(tokens);
  if (whole.length === 0 || whole.length > LONGEST) return null;
  const terms: Term[] = [];
  let [sign, from, depth]: [1 | -1, number, number] = [1, 0, 0];
  for (let i = 0; i <= whole.length; i++) {
    const token = whole[i];
    const text = token?.kind === 'string' ? '' : (token?.text ?? '');
    if (OPEN.has(text)) depth++;
    else if (CLOSE.has(text)) depth--;
    if (token && depth > 0) {
      if (!isSteady(whole, i)) return null;
    } else if (!token || text === '+' || text === '-') {
      if (i > from) terms.push({ sign, tokens: whole.slice(from, i) });
      else if (i > 0 || !token) return null; // two signs in a row
      [sign, from] = [text === '-' ? -1 : 1, i + 1];
    } else if (!isSteady(whole, i) || !(token.kind !== 'operator' || JOINS.has(text))) return null;
  }
  return depth === 0 ? terms : null;
}

const OPEN = new Set(['(', '[']);
const CLOSE = new Set([')', ']']);
/** What binds closer than a sum. */
const JOINS = new Set(['*', '/', '::']);

export function withoutBrackets(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0]?.text !== '(' || tokens[tokens.length - 1]?.text !== ')') return tokens;
  let depth = 0;
  for (let i = 0; i < tokens.length - 1; i++) {
    if (tokens[i]!.text === '(') depth++;
    else if (tokens[i]!.text === ')' && --depth === 0) return tokens;
  }
  return withoutBrackets(tokens.slice(1, -1));
}

/** No query, no condition and no function that may give something else the next time. */
function isSteady(tokens: readonly Token[], i: number): boolean {
  const { kind, text } = tokens[i]!;
  if (text.includes(HOLE)) return false;
  if (kind !== 'word') return true;
  return !OTHERS.has(text) && (tokens[i + 1]?.text !== '(' || STEADY.has(text));
}

const OTHERS = new Set(['select', 'case', 'and', 'or', 'not', 'is', 'in', 'between', 'like']);

const STEADY = new Set(
  `abs age array_length array_lower array_upper cardinality ceil ceiling char_length coalesce date date_part date_trunc div extract
  floor greatest least length make_date make_interval make_timestamp make_timestamptz mod now nullif round
  statement_timestamp timezone to_date to_timestamp transaction_timestamp trunc`.split(/\s+/),
);

export const keyOf = (tokens: readonly Token[]): string =>
  withoutBrackets(tokens)
    .map(({ text }) => text)
    .join(' ');

/** What comes to the first that makes the second: a number, and perhaps one name besides. */
export interface Apart {
  plus: number;
  name?: Token;
}

export function apart(first: readonly Token[], last: readonly Token[], holds?: Holds): Apart | null {
  const [from, to] = [termsOf(first), termsOf(last)];
  if (!from || !to) return null;
  const left = new Map<string, { count: number; tokens: readonly Token[] }>();
  let plus = 0;
  for (const [side, terms] of [[-1, from], [1, to]] as const)
    for (const { sign, tokens } of terms) {
      const number = numberOf(tokens, 0, tokens.length, holds);
      if (number !== null) plus += side * sign * number;
      else {
        const key = keyOf(tokens);
        left.set(key, { count: (left.get(key)?.count ?? 0) + side * sign, tokens });
      }
    } // biome-ignore format: two rows
  const [one, ...others] = [...left.values()].filter(({ count }) => count !== 0);
  if (!one) return left.size > 0 ? { plus } : null;
  const isName = others.length === 0 && one.count === 1 && one.tokens.length === 1;
  return isName && left.size > 1 ? { plus, name: one.tokens[0]! } : null;
}

// Whether a condition asks that no trigger stands around this one: pg_trigger_depth(). No other conditions.
import type { Range } from '../../plpgsql/tree.ts';
import { MIRRORED } from '../../signs.ts';
import type { Token } from '../text/lexer.ts';
import { isEnclosed, split } from './changed.ts';

type Asked = 'outermost' | 'nested' | null;

/**
 * What holds wherever the condition does, or for `or` what suffices for it. A trigger that a statement outside of all
 * triggers fires is asked for WHEN before it counts itself, and for its function afterwards.
 */
export function depthAsked(tokens: readonly Token[], range: Range, between: 'and' | 'or', own: 0 | 1): Asked {
  const { from, to } = range;
  if (isEnclosed(tokens, range)) return depthAsked(tokens, { from: from + 1, to: to - 1 }, between, own);
  const parts = split(tokens, range, between);
  if (parts.length > 1)
    return parts.map((part) => depthAsked(tokens, part, between, own)).find((one) => one !== null) ?? null;
  const texts = tokens.slice(from, to).map(({ text }) => text);
  const turned = texts.length === 5 && texts[2] === 'pg_trigger_depth';
  const [call, open, close, sign, number] = turned
    ? [...texts.slice(2), MIRRORED[texts[1]!] ?? texts[1], texts[0]]
    : texts;
  if (texts.length !== 5 || call !== 'pg_trigger_depth' || open !== '(' || close !== ')') return null;
  const said = `${sign}${Number(number) - own}`;
  return OUTERMOST.has(said) ? 'outermost' : NESTED.has(said) ? 'nested' : null;
}

const OUTERMOST = new Set(['=0', '<1', '<=0']);
const NESTED = new Set(['>0', '>=1', '<>0', '!=0']);

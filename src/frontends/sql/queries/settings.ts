// Which value of a setting of the project's own a condition asks for: current_setting('app.skip', true) = 'on'. Not what the setting is.
import type { Asking } from '../../../ir.ts';
import type { Range } from '../../plpgsql/tree.ts';
import type { Token } from '../text/lexer.ts';
import { isEnclosed, split } from './changed.ts';

type Tokens = readonly Token[];

/** What must hold where all of the condition does, or for `or` what suffices for it. */
export function settingAsked(tokens: Tokens, range: Range, between: 'and' | 'or'): Asking | null {
  const { from, to } = range;
  if (isEnclosed(tokens, range)) return settingAsked(tokens, { from: from + 1, to: to - 1 }, between);
  const parts = split(tokens, range, between);
  if (parts.length > 1)
    return parts.map((part) => settingAsked(tokens, part, between)).find((one) => one !== null) ?? null;
  return compared(tokens.slice(from, to));
}

/** The same where it does not hold. */
export const otherwise = ({ setting, is, among }: Asking): Asking => ({
  setting,
  is: is === 'one' ? 'none' : 'one',
  among,
});

function compared(tokens: Tokens): Asking | null {
  if (tokens[0]?.text === 'not') {
    const inner = compared(bare(tokens.slice(1)));
    return inner && otherwise(inner);
  }
  const text = tokens.map(({ text }) => text);
  for (const [sign, is] of SIGNS) {
    const at = text.findIndex((_, i) => sign.every((one, k) => text[i + k] === one));
    if (at < 0) continue;
    const [left, right] = [tokens.slice(0, at), tokens.slice(at + sign.length)];
    const setting = settingOf(left) ?? settingOf(right);
    const value = writtenIn(settingOf(left) === null ? left : right);
    return setting && value !== null ? { setting, is, among: value } : null;
  }
  const setting = isTruth(tokens) ? settingOf(tokens) : null;
  return setting === null ? null : { setting, is: 'one', among: TRUE };
}

const SIGNS: [string[], Asking['is']][] = [
  [['is', 'distinct', 'from'], 'none'],
  [['is', 'not', 'distinct', 'from'], 'one'],
  [['is', 'true'], 'one'],
  [['is', 'not', 'true'], 'none'],
  [['<>'], 'none'],
  [['!='], 'none'],
  [['='], 'one'],
];

const TRUE = ['on', 'true', 't', 'yes', 'y', '1'];

const isTruth = (tokens: Tokens): boolean =>
  tokens.at(-2)?.text === '::' && /^bool(ean)?$/.test(tokens.at(-1)!.text);

/** `'on'`, `true`; of IS TRUE nothing. */
function writtenIn(tokens: Tokens): string[] | null {
  const [one] = tokens;
  if (!one) return TRUE;
  if (one.kind === 'string' && !one.escaped && (tokens.length === 1 || tokens[1]!.text === '::'))
    return [one.text.slice(1, -1)];
  return tokens.length === 1 && one.text === 'true' ? TRUE : null;
}

/** What is asked for it, within COALESCE and the like, which say what holds where nobody has set it. */
function settingOf(all: Tokens): string | null {
  let tokens = bare(all);
  while (tokens.at(-2)?.text === '::') tokens = bare(tokens.slice(0, -2));
  const [name, open, first] = tokens;
  if (name?.kind !== 'word' || open?.text !== '(' || tokens.at(-1)!.text !== ')') return null;
  if (name.text === 'current_setting')
    return first?.kind === 'string' && /^'\w+\.\w+'$/.test(first.text) && closes(tokens, 1)
      ? first.text.slice(1, -1).toLowerCase()
      : null;
  if (!AROUND.has(name.text) || !closes(tokens, 1)) return null;
  let [end, depth] = [2, 0];
  for (; end < tokens.length - 1 && (depth > 0 || tokens[end]!.text !== ','); end++)
    depth += tokens[end]!.text === '(' ? 1 : tokens[end]!.text === ')' ? -1 : 0;
  return settingOf(tokens.slice(2, end));
}

const AROUND = new Set(['coalesce', 'nullif', 'lower', 'trim']);

const bare = (tokens: Tokens): Tokens =>
  isEnclosed(tokens, { from: 0, to: tokens.length }) ? bare(tokens.slice(1, -1)) : tokens;

/** Whether the bracket closes at the end. */
const closes = (tokens: Tokens, open: number): boolean =>
  isEnclosed(tokens, { from: open, to: tokens.length });

// What a condition says of the columns that an UPDATE changes: OLD.a <> NEW.a and its kin. No other conditions, and not which an UPDATE sets.
import type { Range } from '../../plpgsql/tree.ts';
import { identifier, type Token } from '../text/lexer.ts';

/** Columns, and what holds where the UPDATE leaves all of them as they were: not the condition, or just that. */
export interface Changed {
  columns: string[];
  then: 'no' | 'yes';
}

type Tokens = readonly Token[];

/** Null where it says nothing of them. */
export function changedIn(tokens: Tokens, range: Range): Changed | null {
  const same = unchanged(tokens, range);
  if (same) return { columns: same, then: 'yes' };
  const columns = needed(tokens, range);
  return columns && columns.length > 0 ? { columns: [...new Set(columns)].sort(), then: 'no' } : null;
}

/** The columns of which one must change for this to hold, where an UPDATE asks; none where it never holds then. */
function needed(tokens: Tokens, range: Range): string[] | null {
  const { from, to } = range;
  if (isEnclosed(tokens, range)) return needed(tokens, { from: from + 1, to: to - 1 });
  const either = split(tokens, range, 'or');
  if (either.length > 1) {
    const all = either.map((part) => needed(tokens, part));
    return all.every((one) => one !== null) ? all.flat() : null;
  }
  const both = split(tokens, range, 'and');
  if (both.length > 1) {
    const known = both.map((part) => needed(tokens, part)).filter((one) => one !== null);
    return known.sort((a, b) => a.length - b.length)[0] ?? turned(tokens, both);
  }
  if (text(tokens[from]) === 'not') return unchanged(tokens, { from: from + 1, to });
  if (isOtherVerb(tokens, range)) return [];
  for (const sign of [['<>'], ['!='], ['is', 'distinct', 'from']]) {
    const columns = mirrored(tokens, range, sign);
    if (columns) return columns;
  }
  return null;
}

/** `OLD.a IS NOT DISTINCT FROM NEW.a`, or that they are distinct with NOT before it: with `=` nothing is said of NULL. */
function unchanged(tokens: Tokens, range: Range): string[] | null {
  const { from, to } = range;
  if (isEnclosed(tokens, range)) return unchanged(tokens, { from: from + 1, to: to - 1 });
  if (text(tokens[from]) !== 'not') return mirrored(tokens, range, ['is', 'not', 'distinct', 'from']);
  const inner = { from: from + 1, to };
  const bare = isEnclosed(tokens, inner) ? { from: from + 2, to: to - 1 } : inner;
  return mirrored(tokens, bare, ['is', 'distinct', 'from']);
}

/** `TG_OP = 'INSERT'` */
function isOtherVerb(tokens: Tokens, { from, to }: Range): boolean {
  if (to !== from + 3 || text(tokens[from + 1]) !== '=') return false;
  const [a, b] = [text(tokens[from]), text(tokens[to - 1])];
  const verb = a === 'tg_op' ? b : b === 'tg_op' ? a : '';
  return verb !== "'UPDATE'" && verb.startsWith("'");
}

/** Both sides are the same but for OLD here and NEW there: the columns that they name. */
function mirrored(tokens: Tokens, { from, to }: Range, sign: string[]): string[] | null {
  const middle = from + (to - from - sign.length) / 2;
  if (!Number.isInteger(middle) || middle <= from) return null;
  if (!sign.every((one, i) => text(tokens[middle + i]) === one)) return null;
  const columns: string[] = [];
  for (let i = from; i < middle; i++) {
    const [left, right] = [tokens[i]!, tokens[middle + sign.length + i - from]!];
    const of = ROWS[text(left)];
    if (of === undefined && left.text === right.text && left.quoted === right.quoted) continue;
    if (text(right) !== of || text(tokens[i + 1]) !== '.' || tokens[i + 2]?.kind !== 'word') return null;
    columns.push(identifier(tokens[i + 2]!));
  }
  return columns.length > 0 ? columns : null;
}

const ROWS: Record<string, string> = { old: 'new', new: 'old' };

// ---- what it was, and what it is

/** What a part says of one column of OLD or of NEW: that it is among these, or not. */
interface Said {
  of: string;
  column: string;
  among: string[];
  not: boolean;
}

/** `NOT OLD.a AND NEW.a`, `OLD.a = 'x' AND NEW.a IN ('y', 'z')`, `OLD.a IS NULL AND NEW.a IS NOT NULL` */
function turned(tokens: Tokens, parts: Range[]): string[] | null {
  const all = parts.map((part) => said(tokens, part)).filter((one) => one !== null);
  for (const a of all)
    for (const b of all)
      if (a.of === 'old' && b.of === 'new' && a.column === b.column && excludes(a, b)) return [a.column];
  return null;
}

function excludes(a: Said, b: Said): boolean {
  const inside = (some: Said, others: Said) => some.among.every((one) => others.among.includes(one));
  const kinds = new Set([...a.among, ...b.among].map(kindOf).filter((kind) => kind !== null));
  if ((a.not && b.not) || kinds.size > 1) return false;
  if (a.not) return inside(b, a);
  return b.not ? inside(a, b) : a.among.every((one) => b.among.every((other) => differ(one, other)));
}

/** Whatever the column's type and collation are: citext and some collations take `A` for `a`, numeric `'01'` for `'1'`. */
const differ = (one: string, other: string): boolean =>
  isOnly(one) && isOnly(other) ? bare(one) !== bare(other) : kindOf(one) !== 'text' && one !== other;

/** A word or a number, and none that has several spellings: a truth, a date, a length of time. */
const isOnly = (text: string): boolean =>
  /^'(?:[\p{L}_][\p{L}\p{N}_ ./-]*|0|[1-9]\d*)'$/u.test(text) && !SPELT.test(text);
const SPELT =
  /^'(?:(?:t|tr|tru|true|f|fa|fal|fals|false|y|ye|yes|n|no|on|of|off|nan|inf|infinity|epoch|now|today|tomorrow|yesterday)'|p[\dt]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[^a-z']*\d)/i;

/** Without case, accents and signs, which a collation may pass over. */
const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<!\d)0+(?=\d)/g, '');

/** `'t'` may be true, and `'1'` a number. */
const kindOf = (value: string): string | null =>
  value === 'null' ? null : value.startsWith("'") ? 'text' : WORDS.has(value) ? 'truth' : 'number';

function said(tokens: Tokens, range: Range): Said | null {
  let { from, to } = range;
  if (isEnclosed(tokens, range)) return said(tokens, { from: from + 1, to: to - 1 });
  const negated = text(tokens[from]) === 'not';
  if (negated) from++;
  const of = text(tokens[from]);
  if (ROWS[of] === undefined || text(tokens[from + 1]) !== '.' || tokens[from + 2]?.kind !== 'word')
    return null;
  const column = identifier(tokens[from + 2]!);
  from += 3;
  if (from === to) return { of, column, among: [negated ? 'false' : 'true'], not: false };
  if (negated) return null;
  const sign = text(tokens[from++]);
  const not = sign === '<>' || sign === '!=' || text(tokens[from]) === 'not' || sign === 'not';
  if (sign === 'is') {
    if (not) from++;
    const what = text(tokens[from]);
    return to === from + 1 && WORDS.has(what) ? { of, column, among: [what], not } : null;
  }
  if (sign === 'not' && text(tokens[from++]) !== 'in') return null;
  if (sign === 'in' || sign === 'not') {
    if (!isEnclosed(tokens, { from, to })) return null;
    from++;
    to--;
  } else if ((sign !== '=' && !not) || to !== from + 1) return null;
  const among: string[] = [];
  for (let i = from; i < to; i += 2) {
    const value = text(tokens[i]);
    if (!isPlain(tokens[i]!) || (i + 1 < to && text(tokens[i + 1]) !== ',')) return null;
    among.push(value);
  }
  // Beside a value NULL is no answer, so that is among those that it is not.
  return among.length > 0 ? { of, column, among: not ? [...among, 'null'] : among, not } : null;
}

const WORDS = new Set(['true', 'false', 'null']);

/** Another spelling of it would be another value: no `E'…'`, `$$…$$` or `1.0`. */
const isPlain = ({ kind, text, quoted }: Token): boolean =>
  kind === 'string' ? text.startsWith("'")
  : kind === 'number' ? /^(?:0|[1-9]\d{0,14})$/.test(text)
  : !quoted && (text === 'true' || text === 'false'); // biome-ignore format: a table

// ---- tokens

/** Words folded, unless they are quoted: those say nothing here. */
const text = (token: Token | undefined): string => (!token || token.quoted ? '"' : token.text);

export function isEnclosed(tokens: Tokens, { from, to }: Range): boolean {
  if (text(tokens[from]) !== '(' || text(tokens[to - 1]) !== ')') return false;
  let depth = 0;
  for (let i = from; i < to; i++) {
    depth += depthOf(tokens[i]);
    if (depth === 0) return i === to - 1;
  }
  return false;
}

const depthOf = (token: Token | undefined): number => {
  const one = text(token);
  return one === '(' || one === '[' ? 1 : one === ')' || one === ']' ? -1 : 0;
};

/** Between words that stand outside of brackets, and of a CASE or a BETWEEN nothing is said. */
export function split(tokens: Tokens, { from, to }: Range, between: string): Range[] {
  const out: Range[] = [];
  let [depth, start] = [0, from];
  for (let i = from; i < to; i++) {
    depth += depthOf(tokens[i]);
    const one = text(tokens[i]);
    if (depth > 0) continue;
    if (one === 'case' || one === 'between') return [{ from, to }];
    if (one !== between) continue;
    out.push({ from: start, to: i });
    start = i + 1;
  }
  return [...out, { from: start, to }];
}

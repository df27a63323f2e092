// What a moment is that an expression says: a start, cut to a day, a month or such, and what is added to it. No clock is asked.
import type { Token } from '../text/lexer.ts';
import { numberOf } from '../text/numbers.ts';
import { keyOf, termsOf, withoutBrackets } from './apart.ts';

/** Months, days and hours are no multiples of each other. */
export interface Span {
  months: number;
  days: number;
  hours: number;
}

export interface Moment {
  base: string;
  /** The unit that begins there. */
  cut: string | null;
  /** What is added is no multiple of the unit, so that nobody knows how much of it was cut. */
  loose: boolean;
  plus: Span;
}

export const UNITS: Record<string, Span> = {
  second: { months: 0, days: 0, hours: 1 / 3600 },
  sec: { months: 0, days: 0, hours: 1 / 3600 },
  minute: { months: 0, days: 0, hours: 1 / 60 },
  min: { months: 0, days: 0, hours: 1 / 60 },
  hour: { months: 0, days: 0, hours: 1 },
  day: { months: 0, days: 1, hours: 0 },
  week: { months: 0, days: 7, hours: 0 },
  month: { months: 1, days: 0, hours: 0 },
  mon: { months: 1, days: 0, hours: 0 },
  quarter: { months: 3, days: 0, hours: 0 },
  year: { months: 12, days: 0, hours: 0 },
};

const unitOf = (name: string): Span | null => (Object.hasOwn(UNITS, name) ? UNITS[name]! : null);

export const NOTHING: Span = { months: 0, days: 0, hours: 0 };

export const sum = (a: Span, b: Span, times = 1): Span => ({
  months: a.months + times * b.months,
  days: a.days + times * b.days,
  hours: a.hours + times * b.hours,
});

/** The one string of `'…'`, `interval '…'` and `'…'::date`. */
export function textOf(tokens: readonly Token[]): string | null {
  const words = tokens.filter(({ text }) => text !== '(' && text !== ')');
  const strings = words.filter(({ kind }) => kind === 'string');
  const [first] = strings;
  const others = words.filter((one) => one !== first);
  const isTyped = others.every(({ text }) => text === '::' || TYPES.has(text));
  return first && strings.length === 1 && !first.escaped && isTyped ? first.text.slice(1, -1) : null;
}

const TYPES = new Set(['date', 'timestamp', 'timestamptz', 'interval']);

/** `'1 month 2 days'`, `interval '1 day'`, `interval '1 day' * 7`; of whole units. */
export function spanOf(tokens: readonly Token[]): Span | null {
  const star = tokens.findIndex(({ text, kind }) => text === '*' && kind !== 'string');
  if (star > 0) {
    const [left, right] = [tokens.slice(0, star), tokens.slice(star + 1)];
    const [a, b] = [numberOf(left, 0, left.length), numberOf(right, 0, right.length)];
    const one = a === null ? b !== null && spanOf(left) : b === null && spanOf(right);
    return one ? sum(NOTHING, one, a ?? b!) : null;
  }
  const parts = textOf(tokens)?.trim();
  if (!parts || !/^(?:(?:-?\d+ *)?[a-z]+\s*)+$/i.test(parts)) return null;
  let out: Span | null = NOTHING;
  for (const [, count = '1', name] of parts.matchAll(/(-?\d+)? *([a-z]+?)s?(?![a-z])/gi)) {
    const unit = unitOf(name!.toLowerCase());
    out = unit && out && sum(out, unit, Number(count));
  }
  return out;
}

export function momentOf(tokens: readonly Token[]): Moment | null {
  const terms = termsOf(tokens);
  if (!terms) return null;
  let plus = NOTHING;
  let start: Moment | null = null;
  for (const term of terms) {
    const days = numberOf(term.tokens, 0, term.tokens.length);
    const more = days === null ? spanOf(term.tokens) : { ...NOTHING, days };
    if (more) plus = sum(plus, more, term.sign);
    else if (start || term.sign < 0) return null;
    else start = startOf(term.tokens);
  }
  return start && { ...start, plus: sum(start.plus, plus) };
}

const NOW = new Set(['now ( )', 'current_timestamp', 'localtimestamp', 'transaction_timestamp ( )']);

function startOf(all: readonly Token[]): Moment | null {
  const tokens = withoutBrackets(all);
  if (tokens.length < all.length) return momentOf(tokens);
  const key = keyOf(tokens);
  if (key === 'current_date') return { base: 'now', cut: 'day', loose: false, plus: NOTHING };
  if (NOW.has(key)) return { base: 'now', cut: null, loose: false, plus: NOTHING };
  const cast = tokens.length - 2;
  if (tokens[cast]?.text === '::' && TYPES.has(tokens[cast + 1]!.text)) {
    const inner = startOf(tokens.slice(0, cast));
    return inner && tokens[cast + 1]!.text === 'date' ? cutTo(inner, 'day') : inner;
  }
  const unit = tokens[2]?.kind === 'string' ? tokens[2].text.slice(1, -1).toLowerCase() : '';
  const closes =
    tokens[1]?.text === '(' && tokens[3]?.text === ',' && tokens[tokens.length - 1]!.text === ')';
  if (tokens[0]?.text === 'date_trunc' && closes && unitOf(unit)) {
    const inner = momentOf(tokens.slice(4, -1));
    return inner && cutTo(inner, unit);
  }
  return { base: key, cut: null, loose: false, plus: NOTHING };
}

/** What is cut already to a longer unit stays what it is. */
function cutTo(inner: Moment, unit: string): Moment {
  const [own, next] = [inner.cut === null ? NOTHING : UNITS[inner.cut]!, UNITS[unit]!];
  const { plus } = inner;
  if (inner.cut !== null && !isLonger(next, own)) {
    return plus.hours === 0 ? inner : { ...inner, loose: true };
  }
  const isWhole = next.months
    ? plus.months % next.months === 0 && plus.days === 0 && plus.hours === 0
    : next.days
      ? plus.months === 0 && plus.days % next.days === 0 && plus.hours === 0
      : plus.months === 0 && plus.days === 0 && plus.hours % next.hours === 0;
  return { ...inner, cut: unit, loose: inner.loose || !isWhole };
}

const isLonger = (a: Span, b: Span): boolean =>
  a.months !== b.months ? a.months > b.months : a.days !== b.days ? a.days > b.days : a.hours > b.hours;

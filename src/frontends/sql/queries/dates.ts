// How many days, months and such lie between two dates that are written out. Nothing else of time, and no zones.
import type { Token } from '../text/lexer.ts';

/**
 * generate_series(date '2026-01-01', '2026-12-01', '1 month'): its three arguments. A loop may end before its last date,
 * and to a date a number of days is added.
 */
export function datesIn([first = [], last = [], step = []]: Token[][], before = false): number | null {
  const [from, to, by] = [dateOf(first), dateOf(last), stepOf(step)];
  if (from === null || to === null || by === null) return null;
  const distance = by.months ? monthsBetween(from, to) : to.getTime() - from.getTime();
  // Which day follows the 31st, the shorter months between say.
  if (by.months && from.getUTCDate() > 28) return null;
  return Math.max(0, before ? Math.ceil(distance / by.size) : Math.floor(distance / by.size) + 1);
}

/** The text of `'…'`, `date '…'` and `'…'::date`. */
function textOf(tokens: Token[]): string | null {
  const words = tokens.filter(({ text }) => text !== '(' && text !== ')');
  const strings = words.filter(({ kind }) => kind === 'string');
  const [first] = strings;
  const others = words.filter((one) => one !== first);
  const isTyped = others.every(({ text }) => text === '::' || TYPES.has(text));
  return first && strings.length === 1 && !first.escaped && isTyped ? first.text.slice(1, -1) : null;
}

const TYPES = new Set(['date', 'timestamp', 'timestamptz', 'interval']);

function dateOf(tokens: Token[]): Date | null {
  const found = /^(\d{4})-(\d\d?)-(\d\d?)(?:[ T](\d\d?):(\d\d)(?::(\d\d))?)?$/.exec(textOf(tokens) ?? '');
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1).map((part) => Number(part ?? 0));
  return new Date(Date.UTC(year!, month! - 1, day!, hour!, minute!, second!));
}

const DAY = 86_400_000;
const UNITS: Record<string, { size: number; months?: true }> = {
  minute: { size: DAY / 1440 },
  hour: { size: DAY / 24 },
  day: { size: DAY },
  week: { size: 7 * DAY },
  month: { size: 1, months: true },
  mon: { size: 1, months: true },
  year: { size: 12, months: true },
};

function stepOf(tokens: Token[]): { size: number; months?: true } | null {
  const [days, ...others] = tokens;
  if (days?.kind === 'number' && others.length === 0 && /^[1-9]\d*$/.test(days.text))
    return { size: Number(days.text) * DAY };
  const [, count = '1', unit = ''] = /^(?:(\d+) +)?([a-z]+?)s?$/i.exec(textOf(tokens)?.trim() ?? '') ?? [];
  const one = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()]! : null;
  return one && Number(count) > 0 ? { ...one, size: one.size * Number(count) } : null;
}

function monthsBetween(from: Date, to: Date): number {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const rest = (date: Date) => date.getUTCDate() * DAY + (date.getTime() % DAY);
  const whole = rest(to) >= rest(from) ? months : months - 1;
  // Some days are more than none, and no month.
  return rest(to) === rest(from) ? whole : whole + 0.5;
}

// How many days, months and such lie between two moments: dates that are written out, or one that is the other and what is added. No zones.
import type { Token } from '../text/lexer.ts';
import { numberOf } from '../text/numbers.ts';
import { type Moment, momentOf, NOTHING, type Span, spanOf, sum, textOf, UNITS } from './moments.ts';

export interface Turns {
  times: number;
  atMost?: true;
}

/**
 * generate_series(date '2026-01-01', '2026-12-01', '1 month'): its three arguments. A loop may end before its last date,
 * and to a date a number of days is added.
 */
export function datesIn([first = [], last = [], step = []]: Token[][], before = false): Turns | null {
  const days = numberOf(step, 0, step.length);
  const by = days === null ? spanOf(step) : { ...NOTHING, days };
  const unit = by && UNIT_NAMES.filter((one) => by[one] !== 0);
  // It goes by one of them, upwards.
  if (!by || unit?.length !== 1 || by[unit[0]!] < 0) return null;
  const written = between(dateOf(first), dateOf(last), by, before);
  if (written !== null) return { times: written };
  const [from, to] = [momentOf(first), momentOf(last)];
  return from && to && from.base === to.base ? fromOneTo(from, to, by, unit[0]!, before) : null;
}

const UNIT_NAMES = ['months', 'days', 'hours'] as const;

function dateOf(tokens: Token[]): Date | null {
  const found = /^(\d{4})-(\d\d?)-(\d\d?)(?:[ T](\d\d?):(\d\d)(?::(\d\d))?)?$/.exec(textOf(tokens) ?? '');
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1).map((part) => Number(part ?? 0));
  return new Date(Date.UTC(year!, month! - 1, day!, hour!, minute!, second!));
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function between(from: Date | null, to: Date | null, by: Span, before: boolean): number | null {
  if (from === null || to === null) return null;
  const distance = by.months ? monthsBetween(from, to) : to.getTime() - from.getTime();
  // Which day follows the 31st, the shorter months between say.
  if (by.months && from.getUTCDate() > 28) return null;
  return turns(distance / (by.months || by.days * DAY + by.hours * HOUR), before);
}

const turns = (steps: number, before: boolean): number =>
  Math.max(0, before ? Math.ceil(steps) : Math.floor(steps) + 1);

function monthsBetween(from: Date, to: Date): number {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const rest = (date: Date) => date.getUTCDate() * DAY + (date.getTime() % DAY);
  const whole = rest(to) >= rest(from) ? months : months - 1;
  // Some days are more than none, and no month.
  return rest(to) === rest(from) ? whole : whole + 0.5;
}

/** What is cut off before the first adds to the distance, by less than the unit. */
function fromOneTo(
  from: Moment,
  to: Moment,
  by: Span,
  unit: (typeof UNIT_NAMES)[number],
  before: boolean,
): Turns | null {
  const distance = sum(to.plus, from.plus, -1);
  const isSame = from.cut === to.cut && !from.loose && !to.loose;
  const inUnit = UNIT_NAMES.every((one) => one === unit || distance[one] === 0);
  if (isSame && inUnit) {
    const times = turns(round(distance[unit] / by[unit]), before);
    return from.base === 'now' ? { times } : { times, atMost: true };
  }
  const cut = isSame || from.cut === null ? 0 : longest(UNITS[from.cut]!, unit) - TINY;
  return { times: turns(round((longest(distance, unit) + cut) / by[unit]), before), atMost: true };
}

const TINY = 1e-6;
/** Hours are added up of fractions. */
const round = (steps: number) => Math.round(steps * 1e9) / 1e9;

/** How long a span is at most, in one of its units; a day may have an hour more. */
function longest({ months, days, hours }: Span, unit: (typeof UNIT_NAMES)[number]): number {
  const inDays = months < 0 ? months * 28 : Math.trunc(months / 12) * 366 + (months % 12) * 31;
  if (unit === 'days') return inDays + days + (hours > 0 ? hours + 1 : hours) / 24;
  if (unit === 'hours') return (inDays + days) * 24 + (inDays + days > 0 ? 1 : 0) + hours;
  return months + (days > 0 ? days / 28 : days / 31) + (hours > 0 ? (hours + 1) / 24 / 28 : 0);
}

// How many days a range of dates has, where its two ends say so. It knows no calendar: a month has 31.
import { child, type Syntax } from '../../syntax.ts';
import { type Text, textOf } from '../syntax.ts';

const DAYS: Record<string, number> = { day: 1, week: 7, month: 31, year: 366 };

/** `day..day + 6`, `7.days.ago..Date.current`, `day.beginning_of_week..day.end_of_week`. */
export function days(file: Text, range: Syntax): number | null {
  const [begin, end] = [child(range, 'begin'), child(range, 'end')];
  if (!begin || !end) return null;
  const [from, to] = [bare(textOf(file, begin)), bare(textOf(file, end))];
  const [, more, unit] =
    (to.startsWith(from) && /^\+(\d+)(?:\.(\w+?)s?)?$/.exec(to.slice(from.length))) || [];
  if (more !== undefined) return unit && !DAYS[unit] ? null : Number(more) * (unit ? DAYS[unit]! : 1) + 1;
  const [, ago, of] = /^(\d+)\.(\w+?)s?\.ago\b/.exec(from) ?? [];
  if (ago !== undefined && DAYS[of!] && /^\w+\.(?:zone\.)?(?:today|current|now|yesterday)$/.test(to))
    return Number(ago) * DAYS[of!]! + 1;
  const [, whole, its] = /^(.+)\.(?:at_)?beginning_of_(\w+)$/.exec(from) ?? [];
  return whole !== undefined && DAYS[its!] && to === `${whole}.end_of_${its}` ? DAYS[its!]! : null;
}

/** A time of that day is the day. */
const bare = (text: string): string => text.replace(/\s+/g, '').replace(/\.to_(?:date|time)$/, '');

/** `day.all_week` */
export const daysOf = (name: string): number | null => DAYS[/^all_(\w+)$/.exec(name)?.[1] ?? ''] ?? null;

/** `Date::DAYNAMES` */
export const calendar = (name: string): number | null =>
  /^(::)?Date::(ABBR_)?DAYNAMES$/.test(name) ? 7 : /^(::)?Date::(ABBR_)?MONTHNAMES$/.test(name) ? 13 : null;

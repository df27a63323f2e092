// How many days a range of dates has, where its two ends say so. It knows no calendar: a month has 31.
import { child, type Syntax } from '../../syntax.ts';

const DAYS: Record<string, number> = { day: 1, week: 7, month: 31, year: 366 };

/** `day..day + 6`, `7.days.ago..Date.current`, `day.beginning_of_week..day.end_of_week`. */
export function days(range: Syntax, written: (node: Syntax) => string): number | null {
  const [begin, end] = [child(range, 'begin'), child(range, 'end')];
  if (!begin || !end) return null;
  const [from, to] = [dayOf(written(begin)), dayOf(written(end))];
  if (from.day === to.day) return to.more < from.more ? null : to.more - from.more + 1;
  const [, whole, unit] = /^(.+)\.(?:at_)?beginning_of_(\w+)$/.exec(from.day) ?? [];
  const isWhole = whole !== undefined && DAYS[unit!] && to.day === `${whole}.end_of_${unit}`;
  return isWhole ? DAYS[unit!]! + Math.max(0, to.more - from.more) : null;
}

/** A day, and so many behind it: of what is some months before, as many as there may be. */
function dayOf(written: string): { day: string; more: number } {
  let day = written.replace(/\s+/g, '');
  let more = 0;
  for (let i = 0; i < DEEP; i++) {
    const bare = day.replace(/^\((.*)\)$/, '$1').replace(/\.to_(?:date|time)$/, '');
    const [, before, by] = (!NOW.test(bare) && MOVED.exec(bare)) || [];
    const moved = by === undefined ? undefined : daysIn(by);
    if (bare === day && moved === undefined) break;
    day = moved === undefined ? bare : before!;
    more += moved ?? 0;
  }
  const [, number, unit, way] = /^(\d+)\.(\w+?)s?\.(ago|from_now)$/.exec(day) ?? [];
  if (number && DAYS[unit!])
    return { day: TODAY, more: more + Number(number) * DAYS[unit!]! * (way === 'ago' ? -1 : 1) };
  const [, now] = NOW.exec(day) ?? [];
  if (!now) return { day, more };
  return { day: TODAY, more: more + (now === 'yesterday' ? -1 : now === 'tomorrow' ? 1 : 0) };
}

const DEEP = 6;
const NOW = /^(?:Date|Time|DateTime)\.(?:zone\.)?(today|current|now|yesterday|tomorrow)$/;
const TODAY = 'today';
const UNITS = 'day|week|month|year';
/** `+ 6`, `- 1.week`, `.advance(days: 6)`, `.next_week`, `.prev_day(3)`, `.days_ago(3)`, `.tomorrow`. */
const MOVED = new RegExp(
  `^(.+?)([+-]\\d+(?:\\.(?:${UNITS})s?)?|\\.advance\\((?:${UNITS})s:-?\\d+\\)|\\.(?:next|prev|last)_(?:${UNITS})(?:\\(\\d+\\))?|\\.(?:${UNITS})s_(?:ago|since)\\(\\d+\\)|\\.(?:succ|next|tomorrow|yesterday))$`,
);

function daysIn(by: string): number | undefined {
  const [, of] = /(day|week|month|year)/.exec(by) ?? [];
  if (/^\.(succ|next|tomorrow)$/.test(by)) return 1;
  if (by === '.yesterday') return -1;
  const number = Number(/\d+/.exec(by)?.[0] ?? 1);
  const isBefore = /^-|:-|prev_|last_|_ago/.test(by);
  return number * DAYS[of ?? 'day']! * (isBefore ? -1 : 1);
}

/** `day.all_week` */
export const daysOf = (name: string): number | null => DAYS[/^all_(\w+)$/.exec(name)?.[1] ?? ''] ?? null;

/** `Date::DAYNAMES` */
export const calendar = (name: string): number | null =>
  /^(::)?Date::(ABBR_)?DAYNAMES$/.test(name) ? 7 : /^(::)?Date::(ABBR_)?MONTHNAMES$/.test(name) ? 13 : null;

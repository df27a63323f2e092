// What a program puts into the placeholders of its SQL: behind the text in the call, or by what it calls before that is executed. It reads no SQL.

import type { Source } from '../../source.ts';
import { type Host, placeholders } from '../../sql/text/holes.ts';
import { unbroken } from '../../unbroken.ts';
import { LETTERS } from '../../words.ts';
import type { Argument, Node } from '../syntax/syntax.ts';

interface Handed {
  /** The file's. */
  text?: string;
  arguments: Argument[];
  /** The variable that holds what was prepared, and where it is executed. */
  executed?: { name: string; at: number };
}

/** `given` holds the SQL, and `source` is what that says. */
export function hostOf(given: Node, source: Source, handed: Handed): Host | undefined {
  const { text, executed, arguments: all } = handed;
  if (text === undefined) return undefined;
  // `update("… WHERE id = ?", order.getId())`: those that are handed over last.
  const behind = all.slice(all.findIndex(({ value }) => value === given) + 1);
  const count = [...placeholders(source.text).values()].filter((which) => which !== String(which)).length;
  const values = behind.length < count ? [] : behind.slice(behind.length - count);
  const bound = (which: number | string) => {
    const value = typeof which === 'number' ? values[which]?.value : undefined;
    if (value) return worded(text.slice(value.start, value.end));
    const key = typeof which === 'number' ? numbered(which) : `"${which.replace('$', '\\$')}"`;
    if (!executed) return lastSet(behindOf(given, text), new RegExp(key + GIVEN));
    const on = `(?<![\\w$.])${executed.name.replaceAll('$', '\\$')}\\s*\\.\\s*(?:\\w+\\(\\s*)?`;
    return lastSet(text.slice(given.end, executed.at), new RegExp(on + key + GIVEN, 'g'));
  };
  return { text, bound };
}

/** What is given behind the last place that says which it is. */
function lastSet(text: string, says: RegExp): string | undefined {
  const found = says.global ? [...text.matchAll(says)].at(-1) : says.exec(text);
  if (!found) return undefined;
  const from = found.index + found[0].length;
  let depth = 0;
  for (let i = from; i < text.length && i < from + 2 * LONGEST; i++) {
    const mark = text[i]!;
    if ('([{'.includes(mark)) depth++;
    else if (depth === 0 && ',)'.includes(mark)) return worded(text.slice(from, i).trim());
    else if (')]}'.includes(mark)) depth--;
  }
  return '';
}

/** What follows, up to the next text that is SQL. */
const behindOf = ({ end }: Node, text: string) => text.slice(end, end + 500).split(NEXT, 1)[0]!;
const NEXT = /\b(?:prepare\w+|create\w*(?:Query|Statement|Update|Batch))\(/;

/** JDBC and JPA count from one, R2DBC and JDBI from none. */
const numbered = (which: number) => `(?:set\\w+\\(\\s*${which + 1}|bind\\w*\\(\\s*${which})`;

/** A variable, a field, what a getter gives, or a number; in brackets what only makes another type of it. */
const PLAIN = `(?!\\d)[${LETTERS}]+(?:\\??\\.[${LETTERS}]+(?:\\(\\))?|\\[[${LETTERS}]+\\])*|\\d+L?`;
const CASTS = '(?:UUID\\.fromString|(?:Long|Integer|String)\\.valueOf)\\(';
const GIVEN = '\\s*(?:,|\\bto\\b)\\s*';
const VALUE = new RegExp(`^(?:${CASTS}(?=.*\\)$))?(${PLAIN})\\)?$`);
export const valueIn = (value: string): string | undefined => VALUE.exec(value)?.[1];

/** What is computed is the same where it is written alike; empty where nobody knows, as of what gives another each time. */
function worded(written: string): string {
  const whole = unbroken(written, LONGEST);
  return whole === '' || ANOTHER.test(whole) ? '' : (valueIn(whole) ?? `(${whole})`);
}

/** What a call hands over, by place or name. */
export function handsOver(all: Argument[], text: string): Record<string, string> {
  const hands: Record<string, string> = {};
  for (const [i, { name, value }] of all.entries())
    if (value.kind !== 'lambda' && value.kind !== 'text')
      hands[name ?? i] = worded(text.slice(value.start, value.end));
  return hands;
}

const LONGEST = 80;
const ANOTHER = /\b(?:next|poll|pop|take|remove|random|generate)[\w\u00aa-\uffff]*\(|\bnew\b|\+\+|--/i;

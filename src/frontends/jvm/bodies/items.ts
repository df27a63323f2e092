// In how many turns of its loop a condition holds that asks which one it is: `i == 0`, `i < 5`, `"owner".equals(role.getName())`. It lowers nothing.

import { CONTRARY, MIRRORED } from '../../signs.ts';
import type { Turning } from '../names/scope.ts';
import type { Choice, Repeat } from '../syntax/syntax.ts';
import { settings } from '../texts/retold.ts';
import { begins, stepsOf, type Ways } from '../texts/turns.ts';
import type { Said } from './said.ts';

const VALUE = String.raw`"(?:[^"\\$]|\\.)*"|'[^']*'|-?\d+L?|(?:[A-Z]\w*\.)*[A-Z][A-Z0-9]*_?[A-Z0-9_]+`;
const COMPARED = /^([^=<>!]+?)\s*(===?|!==?|<=?|>=?)\s*([^=<>!]+)$/;
const EQUALS =
  /^(.+?)\??\.(?:equals|equalsIgnoreCase|contentEquals)\(\s*([^,()]*(?:\([^()]*\))*[^,()]*)(?:,[^()]*)?\)$/;
const BOTH = /^(?:Objects|StringUtils)\.equals(?:IgnoreCase)?\(\s*([^,]+?)\s*,\s*([^,]+?)\s*\)$/;
const IS_VALUE = new RegExp(`^(?:${VALUE})$`);
const LITERAL = /^["'\d-]/;

/** In how many turns of the innermost loop it holds at most. */
export function turnsWhere({ text, isNot, either }: Said, turning: Turning, ways: Ways): number | null {
  if (either) {
    const each = either.map((one) => turnsWhere(one, turning, ways));
    return each.some((one) => one === null) ? null : each.reduce<number>((sum, one) => sum + one!, 0);
  }
  const [, name, from, way, to] = /^(\w+)\s+in\s+(\d+)\s*(\.\.<?|until)\s*(\d+)$/.exec(text) ?? [];
  if (name && !isNot)
    return isCounter(name, turning, ways) ? Number(to) - Number(from) + (way === '..' ? 1 : 0) : null;
  const [, left, written, right] = COMPARED.exec(text) ?? [];
  if (left && written && right) {
    const sign = isNot ? (CONTRARY[written.slice(0, 2)] ?? '') : written.slice(0, 2);
    const counted =
      turnsOf(left, sign, right, turning, ways) ??
      turnsOf(right, MIRRORED[sign] ?? sign, left, turning, ways);
    if (counted !== null) return counted;
    return sign === '==' && isOneOf(left, right, turning, ways.text) ? 1 : null;
  }
  const [, one, other] = BOTH.exec(text) ?? EQUALS.exec(text) ?? [];
  return one && other && !isNot && isOneOf(one, other, turning, ways.text) ? 1 : null;
}

/** Of an arm of `switch` or `when` that says so many values of what tells one turn from the others. */
export function turnsOfArm(node: Choice, arm: number, turning: Turning, ways: Ways): number | null {
  const [subject] = node.tests;
  const head = ways.text.slice(node.start, subject?.start);
  if (!subject || !/^(?:switch|when)\s*\(\s*$/.test(head)) return null;
  const asked = ways.text.slice(subject.start, subject.end);
  let count = 0;
  for (let i = arm; i >= 0; i--) {
    const { start, end } = node.arms[i]!;
    const said = /^(?:case\s+)?(.*?)\s*(->|:(?!:))/s.exec(ways.text.slice(start, Math.min(end, start + 200)));
    const values = said?.[1]?.split(/\s*,\s*/) ?? [];
    if (!said || values.length === 0 || !values.every((one) => LITERAL.test(one) && IS_VALUE.test(one)))
      return null;
    if (!values.every((one) => isCounter(asked, turning, ways) || isOneOf(asked, one, turning, ways.text)))
      return null;
    count += values.length;
    if (said[2] === '->' || i === 0 || endsArm(ways.text.slice(node.arms[i - 1]!.start, start))) return count;
  }
  return count;
}

/** What does not go on with the next one. */
const endsArm = (text: string): boolean =>
  /(?:\b(?:break|continue|return|throw|yield)\b[^;{}]*;\s*\}?\s*)$/.test(text);

// ---- what counts

function isCounter(name: string, turning: Turning, ways: Ways): boolean {
  return counterOf(name, turning, ways) !== null;
}

/** With which number it begins, where that is known; null where it does not count turns. */
function counterOf(said: string, { index, loop }: Turning, ways: Ways): { from: number | null } | null {
  const name = said.replace(/^(?:\+\+)?(\w+)(?:\+\+)?$/, '$1').trim();
  if (!/^[a-z_]\w*$/.test(name)) return null;
  if (index === name) return { from: 0 };
  if (!loop) return null;
  if (loop.variable?.name === name) return rangeOf(loop, ways.text);
  const steps = stepsOf(name, loop, ways);
  const from = steps?.up ? begins(name, loop, ways) : null;
  return steps && { from: from?.exact ? from.most : null };
}

/** `for (i in 1..n)` */
function rangeOf({ first }: Repeat, text: string): { from: number | null } | null {
  const list = first.at(-1);
  const said = list ? text.slice(list.start, Math.min(list.end, list.start + 100)) : '';
  const [, from, way] = /^\(?([\w.() +-]+?)\s*(\.\.<?|\buntil\b|\bdownTo\b)/.exec(said) ?? [];
  if (from === undefined) return null;
  return { from: way !== 'downTo' && /^\d+$/.test(from) ? Number(from) : null };
}

function turnsOf(left: string, sign: string, right: string, turning: Turning, ways: Ways): number | null {
  const counter = counterOf(left, turning, ways);
  if (!counter || !isSame(right.trim(), turning, ways.text)) return null;
  if (sign === '==') return 1;
  if (!/^<=?$/.test(sign) || counter.from === null || !/^\d+$/.test(right.trim())) return null;
  return Math.max(0, Number(right) - counter.from + (sign === '<=' ? 1 : 0));
}

const STAYS = /^(?:-?\d+|(?:[A-Z]\w*\.)*[A-Z][A-Z0-9_]*|([a-z]\w*)(?:\.\w+)*(?:\(\))?(?:\s*-\s*1)?)$/;

/** What each turn finds as it was: a number, `n - 1`, `rows.size() - 1`. */
function isSame(said: string, turning: Turning, text: string): boolean {
  const [all, name] = STAYS.exec(said) ?? [];
  if (all === undefined || name === undefined) return all !== undefined;
  if (turning.items.includes(name)) return false;
  const within = text.slice(turning.start, turning.end);
  const changes = new RegExp(`(?<![\\w$.])${name}\\s*(?:\\+\\+|--|[-+]=)|(?:\\+\\+|--)${name}\\b`);
  return settings(name, turning, text).length === 0 && !changes.test(within);
}

// ---- what tells one from the others

const NAMES_ONE =
  /^(?:id|uuid|slug|code|key|name|username|userName|fileName|fieldName|columnName|tableName|propertyName)$/;
const IS_ONE = /^(?:k|key|uuid|slug|name|\w+(?:Name|Key|Id|Slug))$/;
/** Many of these have one name: it says what they are. */
const OF_A_KIND = /node|elem|child|tag|event|token|attr|type|kind|class/i;

function isOneOf(one: string, other: string, turning: Turning, text: string): boolean {
  return tells(one.trim(), other.trim(), turning, text) || tells(other.trim(), one.trim(), turning, text);
}

function tells(asked: string, value: string, turning: Turning, text: string): boolean {
  if (!IS_VALUE.test(value)) return false;
  const said = asked.replace(
    /(?:\.(?:trim|toLowerCase|toUpperCase|lowercase|uppercase|toString)\([\w.]*\))+$/,
    '',
  );
  const items = itemsOf(turning, text).filter((item) => !OF_A_KIND.test(item));
  if (/^\w+$/.test(said)) {
    if (items.includes(said)) return IS_ONE.test(said);
    const [one, another] = settings(said, turning, text);
    return (
      one !== undefined &&
      !another &&
      one.value !== said &&
      /[.(]/.test(one.value) &&
      tells(one.value, value, turning, text)
    );
  }
  const [, of, getter, property] =
    /^(.+?)(?:\?|!!)?\.(?:get([A-Z]\w*)\(\)|([a-z]\w*)(?:\(\))?)$/.exec(said) ?? [];
  const name = property ?? (getter && getter[0]!.toLowerCase() + getter.slice(1));
  if (!of || !name || !NAMES_ONE.test(name) || !items.includes(of)) return false;
  // An enumeration is called so as well.
  return LITERAL.test(value) || name !== 'code';
}

/** What is given to each turn, `rows.get(i)`, and what holds that. */
function itemsOf({ items, index, loop, start, end, body }: Turning, text: string): string[] {
  const head = text.slice(start, body.start);
  const counts =
    index ?? (loop?.how === 'count' ? (loop.variable?.name ?? /\b(\w+)\s*=/.exec(head)?.[1]) : undefined);
  const nth = counts === undefined ? '(?!)' : `\\w+(?:\\.get\\(\\s*${counts}\\s*\\)|\\[\\s*${counts}\\s*\\])`;
  const taken = new RegExp(
    `(\\w+)\\s*=\\s*(?:\\([\\w<>?., ]+\\)\\s*)?(?:\\w+\\.next\\(\\)|${nth})\\s*[;\\n]`,
    'g',
  );
  const within = text.slice(start, end);
  const direct = within.match(new RegExp(nth, 'g')) ?? [];
  return [...items, ...direct, ...[...within.matchAll(taken)].map((one) => one[1]!)];
}

/** Of a statement: the names that each turn gives a value. */
export const givenIn = ({ variable, parts }: Repeat): string[] => [
  ...(variable ? [variable.name] : []),
  ...(parts ?? []),
];

/** `for ((i, row) in rows.withIndex())`, `for (i in rows.indices)` */
export function indexIn({ first, variable, parts }: Repeat, text: string): string | undefined {
  const list = first.at(-1);
  const said = list ? text.slice(Math.max(list.start, list.end - 40), list.end) : '';
  if (/\.withIndex\(\)$/.test(said)) return parts?.[0];
  return /\.indices$/.test(said) ? variable?.name : undefined;
}

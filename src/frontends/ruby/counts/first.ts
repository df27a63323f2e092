// Whether a condition asks what its own arm ends: `if first … first = false`, `batch ||= …`, `if count < 3 … count += 1`. Not what loops give.

import { CONTRARY } from '../../signs.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { givenIn, isSet, loopsAround, mentionsOf, runsOnce } from '../names/mentions.ts';
import { routineOf } from '../names/variables.ts';
import { lastPart, parts, textOf } from '../syntax.ts';
import { type Asked, goesOn, isLoop, type Seldom } from './around.ts';
import { numeral } from './lengths.ts';

/** What holds for as long as a variable is so: empty, set, of a number up to which it counts. */
interface Waits {
  name: Syntax;
  for: 'nothing' | 'something' | { sign: string; to: number };
  /** It is a list, and asked for its length. */
  list?: true;
}

export function holdsFirst(body: Body, { condition, wanted, arm }: Asked): Seldom | null {
  const waits = waitsFor(body, condition, wanted);
  return waits && firstly(body, waits, arm);
}

/** `batch ||= …`: while it has nothing. */
export const whileNothing = (body: Body, name: Syntax): Seldom | null =>
  firstly(body, { name, for: 'nothing' }, name.parent!);

function waitsFor(body: Body, node: Syntax, wanted: boolean): Waits | null {
  const { file } = body;
  const flips = (is: boolean): 'something' | 'nothing' => (is === wanted ? 'something' : 'nothing');
  if (VARIABLE.test(node.type)) return { name: node, for: flips(true) };
  if (node.type === 'call') {
    const receiver = child(node, 'receiver');
    const method = textOf(file, child(node, 'method') ?? node);
    if (!receiver || !VARIABLE.test(receiver.type)) return null;
    if ((method === 'empty?' && wanted) || (method === 'any?' && !wanted))
      return { name: receiver, for: { sign: '<', to: 1 }, list: true };
    if (/^(nil|blank)\?$/.test(method)) return { name: receiver, for: flips(false) };
    if (/^(present|persisted)\?$/.test(method)) return { name: receiver, for: flips(true) };
    return method === 'zero?' && wanted ? { name: receiver, for: { sign: '==', to: 0 } } : null;
  }
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const sign = node.type === 'binary' ? textOf(file, child(node, 'operator') ?? node) : '';
  const measured = left?.type === 'call' && SIZE.test(textOf(file, child(left, 'method') ?? left));
  const name = measured ? child(left, 'receiver') : left;
  if (!name || !right || !VARIABLE.test(name.type)) return null;
  if (/^[!=]=$/.test(sign) && /^(nil|true|false)$/.test(right.type))
    return { name, for: flips((sign === '==') === (right.type === 'true')) };
  const said = wanted ? sign : (CONTRARY[sign] ?? '');
  const to = numeral(body, right);
  if (!to || to.atMost || !/^(==|<=?)$/.test(said)) return null;
  return { name, for: { sign: said, to: to.times }, ...(measured && { list: true as const }) };
}

const SIZE = /^(size|length|count)$/;
const VARIABLE = /^(identifier|instance_variable)$/;

/** In each of the loops in which nothing makes it so again, and where the arm ends it. */
function firstly(body: Body, waits: Waits, arm: Syntax): Seldom | null {
  if (waits.list) return whileShort(body, waits, arm);
  const of = loopsOf(body, waits.name, arm, (one) => ends(body, waits, one));
  const isEnded =
    of?.sets.some((one) => isIn(of.known, one) && isAlways(body.file, one, arm)) ||
    of?.others.some((one) => ends(body, waits, one) && isCalled(body.file, one, arm));
  if (!of || !isEnded) return null;
  const turns = typeof waits.for === 'string' ? 1 : turnsUpTo(body, waits.for, of.sets, of.loops.at(-1)!);
  return turns === null ? null : { turns, of: of.all ? 'in loops' : 'in loop' };
}

/** `if made.size < 3 … made << row` */
function whileShort(body: Body, { name, for: until }: Waits, arm: Syntax): Seldom | null {
  const { file } = body;
  const of = loopsOf(body, name, arm);
  if (!of || typeof until === 'string' || until.sign === '==') return null;
  const turns = until.to + (until.sign === '<=' ? 1 : 0);
  const changes = mentionsOf(file, textOf(file, name), [routineOf(arm)])
    .filter((one) => isIn(of.loops.at(-1)!, one))
    .map((one) => [one, changeOf(file, one)] as const);
  if (changes.some(([, how]) => how === 'fewer')) return null;
  const isLonger = changes.some(([one, how]) => how === 'more' && isAlways(file, one, arm));
  return isLonger ? { turns, of: of.all ? 'in loops' : 'in loop' } : null;
}

/** What a place that has a list does to it. */
function changeOf(file: Body['file'], { field, parent }: Syntax): 'more' | 'fewer' | null {
  if (!parent) return null;
  if (parent.type === 'binary')
    return field === 'left' && textOf(file, child(parent, 'operator') ?? parent) === '<<' ? 'more' : null;
  const method = parent.type === 'call' && field === 'receiver' ? child(parent, 'method') : undefined;
  if (!method) return null;
  if (/^(push|append|unshift|prepend|add)$/.test(textOf(file, method))) return 'more';
  return /!$|^(clear|shift|pop|delete\w*|replace|keep_if)$/.test(textOf(file, method)) ? 'fewer' : null;
}

interface Loops {
  /** The innermost first. */
  loops: Syntax[];
  /** The innermost that is known to turn. */
  known: Syntax;
  /** They are all that are around in the routine. */
  all: boolean;
  /** Where the variable is given a value, in the routine and in others. */
  sets: Syntax[];
  others: Syntax[];
}

const isIn = (loop: Syntax, one: Syntax) => one.start >= loop.start && one.end <= loop.end;

/** The loops around in which a variable keeps what it has from turn to turn, but for what may be given it. */
export function loopsOf(
  body: Body,
  name: Syntax,
  arm: Syntax,
  may: (set: Syntax) => boolean = () => false,
): Loops | null {
  const routine = routineOf(arm);
  const around = VARIABLE.test(name.type) ? loopsAround(body.file, arm, routine, true) : null;
  const held = around?.length ? settings(body, name, arm, may) : null;
  if (!around || !held) return null;
  const inside = around.filter((loop) => loop.start > held.home.start || held.home === routine);
  const lasts = (loop: Syntax) => held.all.every((one) => !isIn(loop, one) || may(one));
  const again = inside.findIndex((loop) => !lasts(loop));
  const loops = again < 0 ? inside : inside.slice(0, again);
  const all = loops.length === around.length;
  // Who runs all of these blocks may do so many times.
  const known = loops.find((one) => isLoop(body, one)) ?? (all ? loops[0] : undefined);
  return known ? { loops, known, all, sets: held.all, others: held.others } : null;
}

interface Settings {
  /** The block or routine that has the variable. */
  home: Syntax;
  /** All places that give it a value while it is there. */
  all: Syntax[];
  /** Those in other methods. */
  others: Syntax[];
}

function settings(body: Body, name: Syntax, arm: Syntax, may: (set: Syntax) => boolean): Settings | null {
  const { file, owner } = body;
  const routine = routineOf(arm);
  const text = textOf(file, name);
  if (name.type === 'identifier') {
    const { sets, parameters } = givenIn(file, text, routine);
    const blocks = blocksAround(arm, routine);
    const given = blocks.find((one) => parameters.some((each) => blockOf(each, routine) === one));
    // What each turn hands to the next is there in all of them.
    if (given !== undefined && parameters.some((one) => one === goesOn(body, given)))
      return { home: blockOf(given, routine), all: sets.filter((one) => isIn(given, one)), others: [] };
    const first = sets.find((one) => one.start < arm.end && blocks.includes(blockOf(one, routine)));
    if (!first && given !== routine) return null;
    const home = given ?? (first ? blockOf(first, routine) : routine);
    return { home, all: sets.filter((one) => isIn(home, one)), others: [] };
  }
  const routines = owner.methods.map((one) => one.node);
  const all = mentionsOf(file, text, routines.includes(routine) ? routines : [routine]).filter(isSet);
  const others = all.filter((one) => !isIn(routine, one));
  // What another method sets, a loop that asks that method sets too.
  const asked = loopsAround(file, arm, routine, true)?.at(-1) ?? arm;
  if (others.some((one) => !may(one) && asksFor(file, routineOf(one), asked))) return null;
  return { home: routine, all: all.filter((one) => isIn(routine, one)), others };
}

/** The method is called there, as far as its name tells. */
function asksFor(file: Body['file'], method: Syntax, at: Syntax): boolean {
  const name = child(method, 'name');
  return (
    name !== undefined && new RegExp(`\\b${textOf(file, name).replace(/\W$/, '')}\\b`).test(textOf(file, at))
  );
}

function blocksAround(node: Syntax, routine: Syntax): Syntax[] {
  const out: Syntax[] = [];
  for (let one = node.parent; one && one !== routine; one = one.parent)
    if (/^(do_block|block|lambda)$/.test(one.type)) out.push(one);
  return [...out, routine];
}

const blockOf = (node: Syntax, routine: Syntax): Syntax => blocksAround(node, routine)[0]!;

/** What it is given there is not what the condition waits for. */
function ends(body: Body, waits: Waits, set: Syntax): boolean {
  const { file } = body;
  const by = set.parent;
  const value = by && set.field === 'left' ? child(by, 'right') : undefined;
  if (!by || !value) return false;
  const sign = by.type === 'operator_assignment' ? textOf(file, child(by, 'operator') ?? by) : '=';
  if (typeof waits.for !== 'string') return sign === '+=' && (numeral(body, value)?.times ?? 0) > 0;
  if (waits.for === 'something') return sign === '=' && /^(false|nil)$/.test(value.type);
  return /^(\|\|)?=$/.test(sign) && isThere(body, value);
}

/** What makes or finds something gives it, as far as its name tells; so does what a block is given. */
function isThere(body: Body, value: Syntax): boolean {
  const { file } = body;
  if (/^(true|integer|string|array|hash|constant|scope_resolution|simple_symbol)$/.test(value.type))
    return true;
  if (value.type === 'identifier')
    return givenIn(file, textOf(file, value), routineOf(value)).parameters.length > 0;
  if (value.type === 'begin') return isThere(body, lastPart(value) ?? value.children[0]!);
  if (value.type === 'binary')
    return textOf(file, child(value, 'operator') ?? value) === '||' && isThere(body, child(value, 'right')!);
  if (value.type !== 'call') return false;
  return !MAYBE.test(textOf(file, child(value, 'method') ?? value));
}

const MAYBE =
  /\?$|^(find_by|first|last|take|detect|find|pop|shift|save|update|valid|presence|dig|delete|\[\])$|^try/;

/** It runs where the arm does: in it, or with the statement in which that stands, before the next turn. */
function isAlways(file: Body['file'], set: Syntax, arm: Syntax): boolean {
  let one = set.parent!;
  for (let up = one.parent; up; one = up, up = one.parent) {
    if (one.start <= arm.start && one.end >= arm.end) return true;
    if (up.start <= arm.start && up.end >= arm.end && LIST.test(up.type)) {
      const list = parts(up);
      const from = list.findIndex(({ end }) => end > arm.start);
      return !list.slice(from, list.indexOf(one)).some((each) => /\b(next|redo)\b/.test(textOf(file, each)));
    }
    const isPart = one.field === 'block' ? runsOnce(file, one) : LIST.test(up.type) || PLAIN.test(up.type);
    if (!isPart) return false;
  }
  return false;
}

/** `prepare unless @ready`: the method that is called sets it, on the way of all of it. */
const isCalled = (file: Body['file'], set: Syntax, arm: Syntax): boolean =>
  set.parent?.parent?.type === 'body_statement' &&
  set.parent.parent.parent === routineOf(set) &&
  asksFor(file, routineOf(set), arm);

const LIST = /^(body_statement|block_body|then|do|else|begin|ensure|program)$/;
const PLAIN = /^(do_block|block|call|assignment|operator_assignment|parenthesized_statements|argument_list)$/;

/** `if count < 3`, where it was 0 before the loop. */
function turnsUpTo(
  body: Body,
  { sign, to }: { sign: string; to: number },
  sets: Syntax[],
  loop: Syntax,
): number | null {
  if (sign === '==') return 1;
  const [before, ...more] = sets.filter(({ end }) => end <= loop.start);
  const from = before?.parent?.type === 'assignment' ? numeral(body, child(before.parent, 'right')) : null;
  if (more.length > 0 || !from || from.atMost) return null;
  return Math.max(0, to - from.times + (sign === '<=' ? 1 : 0));
}

// Whether a condition asks what its own arm ends: `if first … first = false`, `batch ||= …`, `if count < 3 … count += 1`. Not what loops give.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { givenIn, isSet, loopsAround, mentionsOf, runsOnce } from '../names/mentions.ts';
import { routineOf } from '../names/variables.ts';
import { parts, textOf } from '../syntax.ts';
import { type Asked, isLoop, type Seldom } from './around.ts';
import { numeral } from './lengths.ts';

/** What holds for as long as a variable is so: empty, set, of a number up to which it counts. */
interface Waits {
  name: Syntax;
  for: 'nothing' | 'something' | { sign: string; to: number };
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
    if (/^(nil|blank)\?$/.test(method)) return { name: receiver, for: flips(false) };
    if (method === 'present?') return { name: receiver, for: flips(true) };
    return method === 'zero?' && wanted ? { name: receiver, for: { sign: '==', to: 0 } } : null;
  }
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const sign = node.type === 'binary' ? textOf(file, child(node, 'operator') ?? node) : '';
  if (!left || !right || !VARIABLE.test(left.type)) return null;
  if (/^[!=]=$/.test(sign) && /^(nil|true|false)$/.test(right.type))
    return { name: left, for: flips((sign === '==') === (right.type === 'true')) };
  const said = wanted ? sign : ({ '!=': '==', '>': '<=', '>=': '<' }[sign] ?? '');
  const to = numeral(body, right);
  return to && !to.atMost && /^(==|<=?)$/.test(said)
    ? { name: left, for: { sign: said, to: to.times } }
    : null;
}

const VARIABLE = /^(identifier|instance_variable)$/;

/** In each of the loops in which nothing makes it so again, and where the arm ends it. */
function firstly(body: Body, waits: Waits, arm: Syntax): Seldom | null {
  const of = loopsOf(body, waits.name, arm, (one) => ends(body, waits, one));
  if (!of?.sets.some((one) => isIn(of.known, one) && isAlways(body.file, one, arm))) return null;
  const turns = typeof waits.for === 'string' ? 1 : turnsUpTo(body, waits.for, of.sets, of.loops.at(-1)!);
  return turns === null ? null : { turns, of: of.all ? 'in loops' : 'in loop' };
}

interface Loops {
  /** The innermost first. */
  loops: Syntax[];
  /** The innermost that is known to turn. */
  known: Syntax;
  /** They are all that are around in the routine. */
  all: boolean;
  /** Where the variable is given a value. */
  sets: Syntax[];
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
  const around = VARIABLE.test(name.type) ? loopsAround(body.file, arm, routine) : null;
  const held = around?.length ? settings(body, name, arm) : null;
  if (!around || !held) return null;
  const inside = around.filter((loop) => loop.start > held.home.start || held.home === routine);
  const lasts = (loop: Syntax) => held.all.every((one) => !isIn(loop, one) || may(one));
  const again = inside.findIndex((loop) => !lasts(loop));
  const loops = again < 0 ? inside : inside.slice(0, again);
  const known = loops.find((one) => isLoop(body, one));
  return known ? { loops, known, all: loops.length === around.length, sets: held.all } : null;
}

interface Settings {
  /** The block or routine that has the variable. */
  home: Syntax;
  /** All places that give it a value while it is there. */
  all: Syntax[];
}

function settings(body: Body, name: Syntax, arm: Syntax): Settings | null {
  const { file, owner } = body;
  const routine = routineOf(arm);
  const text = textOf(file, name);
  if (name.type === 'identifier') {
    const { sets, parameters } = givenIn(file, text, routine);
    const blocks = blocksAround(arm, routine);
    const given = blocks.find((one) =>
      parameters.some((each) => each.start >= one.start && each.end <= one.end),
    );
    const first = sets.find((one) => one.start < arm.end && blocks.includes(blockOf(one, routine)));
    if (!first && !parameters.some((one) => blockOf(one, routine) === routine)) return null;
    const home = given ?? (first ? blockOf(first, routine) : routine);
    return { home, all: sets.filter((one) => one.start >= home.start && one.end <= home.end) };
  }
  const routines = owner.methods.map((one) => one.node);
  const all = mentionsOf(file, text, routines.includes(routine) ? routines : [routine]).filter(isSet);
  // What another method sets, a loop that asks that method sets too.
  const others = all.filter((one) => one.start < routine.start || one.end > routine.end);
  const asked = textOf(file, loopsAround(file, arm, routine)?.at(-1) ?? arm);
  const isAsked = others.some((one) => {
    const method = child(routineOf(one), 'name');
    return method !== undefined && new RegExp(`\\b${textOf(file, method).replace(/\W$/, '')}\\b`).test(asked);
  });
  return isAsked ? null : { home: routine, all: all.filter((one) => !others.includes(one)) };
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
  return /^(\|\|)?=$/.test(sign) && isThere(file, value);
}

/** What makes or finds something gives it, as far as its name tells. */
function isThere(file: Body['file'], value: Syntax): boolean {
  if (/^(true|integer|string|array|hash|constant|scope_resolution|simple_symbol)$/.test(value.type))
    return true;
  if (value.type === 'binary')
    return textOf(file, child(value, 'operator') ?? value) === '||' && isThere(file, child(value, 'right')!);
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

const LIST = /^(body_statement|block_body|then|do|else|begin|program)$/;
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

// In how many turns of the loops around a condition holds: `if first`, `if i.zero?`, `if r.name == "a"`. How often the loops turn it does not say.

import { CONTRARY, MIRRORED } from '../../signs.ts';
import { child, type Syntax } from '../../syntax.ts';
import { toldBy } from '../names/conditions.ts';
import type { Body } from '../names/file.ts';
import { argumentsOf, textOf } from '../syntax.ts';
import { type Around, type Asked, around, type Seldom } from './around.ts';
import { holdsFirst } from './first.ts';
import { askedByKey } from './keyed.ts';
import { lengthOf, numeral } from './lengths.ts';
import { bare, isOneByPattern, isOneOf, numbered } from './picks.ts';

export function seldom(body: Body, asked: Asked): Seldom | null {
  return holds(body, asked, around(body, asked.arm));
}

/** `case r.name when "a", "b"`: one turn for each of them; `case r in { name: "a" }`. */
export function seldomOf(body: Body, value: Syntax, patterns: Syntax[], arm: Syntax): Seldom | null {
  const loops = around(body, arm);
  if (!loops) return null;
  const each = patterns.map((one) =>
    one.type === 'range'
      ? within(body, value, one, loops)
      : isOneByPattern(body, value, one, loops)
        ? 1
        : equal(body, value, one, loops),
  );
  return sum(each.map(inLoop));
}

function holds(body: Body, asked: Asked, loops: Around | null): Seldom | null {
  const part = (condition: Syntax, wanted: boolean): Seldom | null => {
    const first = holdsFirst(body, { ...asked, condition, wanted });
    if (!loops) return first;
    const byKey = askedByKey(body, { ...asked, condition, wanted }, loops);
    return least([first, byKey, inLoop(ofItem(body, condition, wanted, loops))]);
  };
  return toldBy({ file: body.file, part, both: least, one: sum }, asked.condition, asked.wanted);
}

const inLoop = (turns: number | null): Seldom | null => (turns === null ? null : { turns, of: 'in loop' });

/** All of them hold. */
function least(all: (Seldom | null)[]): Seldom | null {
  const told = all.filter((one) => one !== null).sort((a, b) => a.turns - b.turns);
  return told.find(({ turns, of }) => of === 'in loops' && turns === told[0]!.turns) ?? told[0] ?? null;
}

/** One of them holds. */
function sum(all: (Seldom | null)[]): Seldom | null {
  if (all.length === 0 || all.includes(null)) return null;
  return (all as Seldom[]).reduce((some, one) => ({
    turns: some.turns + one.turns,
    of: some.of === one.of ? one.of : 'in loop',
  }));
}

// ---- what each turn has another value of

/** `i == 0`, `i < 5`, `r.name == "a"`, `i.zero?`, `NAMES.include?(r.name)` */
function ofItem(body: Body, node: Syntax, wanted: boolean, loops: Around): number | null {
  if (node.type === 'call') return ofCall(body, node, wanted, loops);
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const written = node.type === 'binary' ? textOf(body.file, child(node, 'operator') ?? node) : '';
  if (!left || !right || !Object.hasOwn(CONTRARY, written)) return null;
  const sign = wanted ? written : CONTRARY[written]!;
  if (sign === '==') return equal(body, left, right, loops) ?? equal(body, right, left, loops);
  return below(body, left, sign, right, loops) ?? below(body, right, MIRRORED[sign] ?? '', left, loops);
}

function ofCall(body: Body, node: Syntax, wanted: boolean, loops: Around): number | null {
  const receiver = child(node, 'receiver');
  const [first, second] = argumentsOf(body.file, node).positional;
  const method = textOf(body.file, child(node, 'method') ?? node);
  if (!receiver) return null;
  const from = numbered(body, receiver, loops);
  if (method === (wanted ? 'zero?' : 'nonzero?')) return from === null ? null : 1;
  if (method === 'positive?') return wanted || typeof from !== 'number' ? null : Math.max(0, 1 - from);
  if (!wanted || !first) return null;
  if (/^(eql?|equal)\?$/.test(method)) return equal(body, receiver, first, loops);
  if (method === 'between?' && second) return ofRange(body, from, first, second, true);
  const [list, asked] = method === 'in?' ? [first, receiver] : [receiver, first];
  if (!/^(in|include|member|cover)\?$/.test(method)) return null;
  const range = bare(list);
  if (range.type === 'range') return within(body, asked, range, loops);
  return isOneOf(body, asked, list, loops) ? (lengthOf(body, list)?.times ?? null) : null;
}

const equal = (body: Body, one: Syntax, to: Syntax, loops: Around): number | null =>
  isOneOf(body, one, to, loops) ? 1 : null;

function within(body: Body, asked: Syntax, range: Syntax, loops: Around): number | null {
  const [begin, end] = [child(range, 'begin'), child(range, 'end')];
  const from = numbered(body, asked, loops);
  return begin && end ? ofRange(body, from, begin, end, !textOf(body.file, range).includes('...')) : null;
}

function ofRange(
  body: Body,
  from: ReturnType<typeof numbered>,
  begin: Syntax,
  end: Syntax,
  closed: boolean,
): number | null {
  const [low, high] = [numeral(body, begin), numeral(body, end)];
  if (from === null || !low || !high || low.atMost || high.atMost) return null;
  return Math.max(0, high.times - low.times + (closed ? 1 : 0));
}

/** `i < 5`, where it is known with which number the loop begins. */
function below(body: Body, one: Syntax, sign: string, to: Syntax, loops: Around): number | null {
  if (!/^<=?$/.test(sign)) return null;
  const [from, end] = [numbered(body, one, loops), numeral(body, to)];
  return typeof from !== 'number' || !end ? null : Math.max(0, end.times - from + (sign === '<=' ? 1 : 0));
}

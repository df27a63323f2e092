// How often `while`, `until` and `loop` turn that count, or that empty a list: what leaves them stands in their condition or in a `break`. Not loops over collections.

import { CONTRARY, MIRRORED } from '../../signs.ts';
import { child, type Syntax } from '../../syntax.ts';
import { signOf, toldBy } from '../names/conditions.ts';
import type { Body } from '../names/file.ts';
import { givenIn, loopsAround } from '../names/mentions.ts';
import { routineOf } from '../names/variables.ts';
import { parts, textOf } from '../syntax.ts';

export interface Asks {
  number(node: Syntax | undefined): number | null;
  items(node: Syntax): number | null;
}

/** Of a `while` or `until`. */
export function whileTurns(body: Body, node: Syntax, asks: Asks): number | null {
  const inner = child(node, 'body');
  const condition = child(node, 'condition');
  if (!condition) return null;
  // `begin … end while` runs before it asks.
  const first = /_modifier$/.test(node.type) && inner?.type === 'begin' ? 1 : 0;
  const turn = inner && /^(do|begin)$/.test(inner.type) ? parts(inner) : inner ? [inner] : [];
  const leaves = /^until/.test(node.type);
  const by = [
    turnsUntil(body, condition, leaves, { loop: node, turn }, asks),
    ...turn.map((one) => breaks(body, one, { loop: node, turn }, asks)),
  ];
  const least = leastOf(by);
  return least === null ? null : least + first;
}

/** Of a block that nothing but `break` ends: `loop`, `(1..).each`, or one whose items are counted besides. */
export function blockTurns(body: Body, block: Syntax, asks: Asks, counts?: { from: number }): number | null {
  const turn = parts(child(block, 'body'));
  const given = parts(child(block, 'parameters')).at(-1);
  const index =
    counts && given?.type === 'identifier'
      ? { name: textOf(body.file, given), from: counts.from }
      : undefined;
  return leastOf(turn.map((one) => breaks(body, one, { loop: block, turn, index }, asks)));
}

const leastOf = (all: (number | null)[]): number | null => {
  const told = all.filter((one) => one !== null) as number[];
  return told.length > 0 ? Math.max(0, Math.min(...told)) : null;
};

interface Turning {
  loop: Syntax;
  /** The statements of one turn. */
  turn: Syntax[];
  /** What the loop itself counts. */
  index?: { name: string; from: number } | undefined;
}

/** `break if i > 5`, among the statements of the turn. */
function breaks(body: Body, node: Syntax, turning: Turning, asks: Asks): number | null {
  const condition = child(node, 'condition');
  const then = child(node, /_modifier$/.test(node.type) ? 'body' : 'consequence');
  const leaves = then && (then.type === 'then' ? parts(then).at(-1) : then);
  if (
    !condition ||
    !/^(if|unless)(_modifier)?$/.test(node.type) ||
    !/^(break|return)$/.test(leaves?.type ?? '')
  )
    return null;
  const turns = turnsUntil(body, condition, !/^unless/.test(node.type), turning, asks);
  return turns === null ? null : turns + 1;
}

/** How often it turns before the condition is so; of two sides that end it the sooner one does. */
function turnsUntil(
  body: Body,
  condition: Syntax,
  wanted: boolean,
  turning: Turning,
  asks: Asks,
): number | null {
  const part = (node: Syntax, is: boolean): number | null => {
    if (node.type === 'identifier' && is && isMade(body, node, turning)) return 0;
    if (node.type === 'binary') return compared(body, node, signOf(body.file, node), is, turning, asks);
    return drained(body, node, is, turning, asks);
  };
  return toldBy({ file: body.file, part, both: () => null, one: leastOf }, condition, wanted);
}

/** `line = Line.create!(…)` in the turn before `break if line`: what makes a row or finds it gives one, or raises. */
function isMade({ file }: Body, name: Syntax, { turn }: Turning): boolean {
  const set = turn.find(
    (one) => one.type === 'assignment' && textOf(file, child(one, 'left') ?? one) === textOf(file, name),
  );
  const made = set && child(set, 'right');
  if (set && turn.slice(turn.indexOf(set)).some((one) => /\b(next|redo)\b/.test(textOf(file, one))))
    return false;
  return made?.type === 'call' && MAKES.test(textOf(file, child(made, 'method') ?? made));
}

const MAKES = /^(new|build|create|find)$|^(find_or_create_by|create_or_find_by|first_or_create|create)!$/;

/** `i < 5`, `(n -= 1) > 0`, `5 >= i` */
function compared(
  body: Body,
  condition: Syntax,
  written: string,
  wanted: boolean,
  turning: Turning,
  asks: Asks,
): number | null {
  if (!Object.hasOwn(MIRRORED, written)) return null;
  const [left, right] = [child(condition, 'left')!, child(condition, 'right')];
  const [bound, other] = [asks.number(right), asks.number(left)];
  const counter = counterOf(body, bound === null && right ? right : left, turning, asks);
  const end = bound ?? other;
  if (!counter || end === null) return null;
  let sign = bound === null ? MIRRORED[written]! : written;
  if (!wanted) sign = CONTRARY[sign]!;
  const { from, by } = counter;
  // It ends where the counter is so: behind that number, or at it.
  const behind = (by > 0 ? sign === '>' : sign === '<') ? 1 : 0;
  const reaches = by > 0 ? /^(>=?|==)$/ : /^(<=?|==)$/;
  if (!reaches.test(sign)) return null;
  const way = (end - from) / by;
  if (sign === '==' && (way < 0 || !Number.isInteger(way))) return null;
  return Math.max(0, Math.ceil(way + (behind ? 1 / Math.abs(by) : 0)));
}

interface Counter {
  from: number;
  by: number;
}

/** A variable that each turn moves once by the same number, and that begins with one which is known. */
function counterOf(body: Body, node: Syntax, turning: Turning, asks: Asks): Counter | null {
  const { file } = body;
  let one = node;
  while (one.type === 'parenthesized_statements' && parts(one).length === 1) one = parts(one)[0]!;
  if (one.type === 'operator_assignment') one = child(one, 'left')!;
  if (one?.type !== 'identifier') return null;
  const name = textOf(file, one);
  const { loop, index } = turning;
  const { sets, parameters } = givenIn(file, name, routineOf(node));
  if (index?.name === name) {
    const within = (mention: Syntax) => mention.start >= loop.start && mention.end <= loop.end;
    const others = sets.some(within) || parameters.filter(within).length > 1;
    return others ? null : { from: index.from, by: 1 };
  }
  if (parameters.length > 0) return null;
  const [begins, moves, ...more] = sets;
  if (!begins || !moves || more.length > 0 || begins.end > loop.start) return null;
  const from = begins.parent?.type === 'assignment' ? asks.number(child(begins.parent, 'right')) : null;
  const by = movedBy(body, moves, turning, asks);
  return from === null || !by ? null : { from, by };
}

/** `i += 1` in every turn: a statement of its own or in the condition, with no `next` before. */
function movedBy({ file }: Body, name: Syntax, { loop, turn }: Turning, asks: Asks): number | null {
  const { parent } = name;
  const by = parent && movesBy(file, parent, asks);
  if (!by) return null;
  const condition = child(loop, 'condition');
  const inCondition =
    condition !== undefined && parent.start >= condition.start && parent.end <= condition.end;
  const statement = askedAlone(file, parent);
  const at = turn.indexOf(statement);
  if (!inCondition && (at < 0 || turn.slice(0, at).some((one) => /\b(next|redo)\b/.test(textOf(file, one)))))
    return null;
  return by;
}

/** `i += 1`, `i = i + 1` */
function movesBy(file: Body['file'], node: Syntax, asks: Asks): number | null {
  const right = child(node, 'right');
  const sum = node.type === 'assignment' && right?.type === 'binary' ? right : undefined;
  const same = sum && textOf(file, child(sum, 'left') ?? sum) === textOf(file, child(node, 'left') ?? node);
  if (sum ? !same : node.type !== 'operator_assignment') return null;
  const sign = textOf(file, child(sum ?? node, 'operator') ?? node);
  const by = /^[-+]=?$/.test(sign) ? asks.number(sum ? child(sum, 'right') : right) : null;
  return by === null || sign.startsWith('+') ? by : -by;
}

/** The statement whose condition it begins, so that it runs in each turn: `break if (n += 1) >= 10`. */
function askedAlone(file: Body['file'], node: Syntax): Syntax {
  const goesOn = (up: Syntax, part: Syntax) =>
    up.type === 'parenthesized_statements' ||
    (up.type === 'binary' &&
      (part.field === 'left' || !/^(&&|\|\||and|or)$/.test(textOf(file, child(up, 'operator')!))));
  let one = node;
  while (one.parent && goesOn(one.parent, one)) one = one.parent;
  return one !== node && one.field === 'condition' ? one.parent! : node;
}

const TAKES = /^(shift|pop|shift!|pop!)$/;

/** `while row = rows.shift`, `until rows.empty?` with a `rows.pop` in each turn. */
function drained(
  body: Body,
  condition: Syntax,
  wanted: boolean,
  { loop, turn }: Turning,
  asks: Asks,
): number | null {
  const { file } = body;
  const asked = condition.type === 'assignment' ? child(condition, 'right') : condition;
  const list = asked?.type === 'call' ? child(asked, 'receiver') : undefined;
  if (list?.type !== 'identifier') return null;
  const method = textOf(file, child(asked!, 'method') ?? asked!);
  const taken = (node: Syntax | undefined): boolean =>
    node?.type === 'call' &&
    TAKES.test(textOf(file, child(node, 'method') ?? node)) &&
    textOf(file, child(node, 'receiver') ?? node) === textOf(file, list);
  const inTurn = turn.some((one) => taken(one.type === 'assignment' ? child(one, 'right') : one));
  const empties =
    (condition.type === 'assignment' && taken(asked) && !wanted) ||
    (/^(empty|none|blank)\?$/.test(method) ? wanted : /^(any|present)\?$/.test(method) && !wanted && inTurn);
  if (!empties || (condition.type !== 'assignment' && !inTurn)) return null;
  // What a loop around empties again is filled again.
  return loopsAround(file, loop, routineOf(loop))?.length === 0 ? asks.items(list) : null;
}

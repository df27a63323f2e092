// The loops around a place in its routine, and what the innermost gives in each of its turns. Not how often they turn.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { meaningsOf } from '../names/meaning.ts';
import { loopsAround } from '../names/mentions.ts';
import { routineOf } from '../names/variables.ts';
import { argumentsOf, parts, textOf } from '../syntax.ts';

export interface Around {
  /** The innermost first: loops, and blocks of which nobody knows how often they run. */
  loops: Syntax[];
  /** What the innermost gives in each turn; that of a block which may run several times for one item of a loop is none. */
  items: string[];
  /** That of them which is the key of a hash, or what a group has in common. */
  key?: string | undefined;
  /** Those of them that are numbers, another in each turn, and how they are told. */
  index?: { name: string; from: Syntax | number | undefined } | undefined;
}

/** Of the innermost loop so many, or of all loops that are around in the routine. */
export interface Seldom {
  turns: number;
  of: 'in loop' | 'in loops';
}

/** A condition of an arm that begins with this node, and whether the arm is for where it holds. */
export interface Asked {
  condition: Syntax;
  wanted: boolean;
  arm: Syntax;
}

/** Null where no loop is. */
export function around(body: Body, node: Syntax): Around | null {
  const loops = loopsAround(body.file, node, routineOf(node));
  const [inner] = loops ?? [];
  if (!loops || !inner || !loops.some((one) => isLoop(body, one))) return null;
  if (!isLoop(body, inner) || /while|until/.test(inner.type)) return { loops, items: [] };
  return { loops, items: itemsOf(body, inner), key: keyOf(body, inner), index: indexOf(body, inner) };
}

/** Whether it is known to turn. */
export function isLoop({ file }: Body, one: Syntax): boolean {
  if (!/^(do_)?block$/.test(one.type)) return one.type !== 'lambda';
  const name = methodOf(file, one);
  return name === 'loop' || EACH.test(name) || meaningsOf(name)[0]?.loops !== undefined;
}

const EACH = /^each_\w+$/;

const methodOf = (file: Body['file'], block: Syntax): string => {
  const asked = block.parent && child(block.parent, 'method');
  return asked ? textOf(file, asked) : '';
};

function itemsOf({ file }: Body, loop: Syntax): string[] {
  const given = child(loop, loop.type === 'for' ? 'pattern' : 'parameters');
  if (!given) return loop.type === 'for' ? [] : ['it', '_1'];
  const out: string[] = [];
  const stack = [given];
  const kept = keptIn(methodOf(file, loop), parts(given));
  for (let one = stack.pop(); one; one = stack.pop())
    if (one.type === 'identifier' && one !== kept) out.push(textOf(file, one));
    else if (/^(block_parameters|destructured_parameter|left_assignment_list)$/.test(one.type))
      stack.push(...parts(one));
  return out;
}

/** `attributes.each do |key, value|` */
function keyOf({ file }: Body, loop: Syntax): string | undefined {
  const [first, second, more] = parts(child(loop, 'parameters'));
  const isPair = second?.type === 'identifier' && !more && PAIRS.test(methodOf(file, loop));
  return isPair && first?.type === 'identifier' ? textOf(file, first) : undefined;
}

const PAIRS = /^(each|each_pair|map|flat_map|filter_map|select|reject)$/;

/** The variable that goes on from turn to turn: `each_with_object({}) do |row, memo|`. */
export const goesOn = ({ file }: Body, loop: Syntax): Syntax | undefined =>
  keptIn(methodOf(file, loop), parts(child(loop, 'parameters')));

/** What goes on from turn to turn. */
const keptIn = (method: string, given: Syntax[]): Syntax | undefined =>
  /^(each_)?with_object$/.test(method)
    ? given.at(-1)
    : /^(inject|reduce)$/.test(method)
      ? given[0]
      : undefined;

/** `each_with_index do |row, i|`, `3.times do |i|`, `(1..n).each do |i|`, `for i in 1..n` */
function indexOf({ file }: Body, loop: Syntax): Around['index'] {
  if (loop.type === 'for') {
    const [pattern, [list]] = [child(loop, 'pattern'), parts(child(loop, 'value'))];
    const name = pattern?.type === 'identifier' ? textOf(file, pattern) : undefined;
    return name !== undefined && list?.type === 'range' ? { name, from: child(list, 'begin') } : undefined;
  }
  const given = parts(child(loop, 'parameters'));
  const call = loop.parent!;
  const name = methodOf(file, loop);
  const receiver = child(call, 'receiver');
  const [first] = argumentsOf(file, call).positional;
  const by = (one: Syntax | undefined, from: Syntax | number | undefined) =>
    one?.type === 'identifier' ? { name: textOf(file, one), from } : undefined;
  if (/^(each_with_index|with_index)$/.test(name)) return by(given.at(-1), first ?? 0);
  if (/^(times|each_index)$/.test(name)) return by(given[0], 0);
  if (/^(upto|step)$/.test(name)) return by(given[0], receiver);
  const range = receiver?.type === 'parenthesized_statements' ? parts(receiver)[0] : receiver;
  return range?.type === 'range' ? by(given[0], child(range, 'begin')) : undefined;
}

// How many items there are at most by what stands before a loop or around it: `raise if rows.size > 50`, `if rows.size <= 10`, `rows = rows.first(50)`. What an expression has is asked back.
import { CONTRARY, MIRRORED } from '../../signs.ts';
import { child, type Syntax } from '../../syntax.ts';
import { signOf, toldBy } from '../names/conditions.ts';
import type { Body, RubyFile } from '../names/file.ts';
import { isParameter, isSet, loopsAround, mentionsOf } from '../names/mentions.ts';
import { routineOf } from '../names/variables.ts';
import { lastPart, parts, textOf } from '../syntax.ts';

export interface Sizes {
  number(node: Syntax | undefined): number | null;
  /** What a value has that the variable is given. */
  items(node: Syntax): number | null;
  /** It is the same, or some of it. */
  isPart(node: Syntax, of: string): boolean;
}

/** How many places of one name are looked at before a loop, how deep they and the loop may stand, and how much is written. */
const MANY = 40;

/** Of a variable, or of what is written the same way each time: `params[:ids]`. */
export function bounded(body: Body, of: Syntax, sizes: Sizes): number | null {
  const { file } = body;
  const written = textOf(file, of);
  const root = /^@?[a-z_]\w*/.exec(written)?.[0];
  if (!root || !ASKED.test(of.type) || written.length > MANY) return null;
  const routine = routineOf(of);
  const mentions = mentionsOf(file, root, [routine]);
  const way = wayTo(of, routine);
  const ask: Ask = { body, written, sizes };
  // What a turn leaves is there in the next one.
  const outer = loopsAround(file, of, routine, true)?.at(-1) ?? loopOver(of);
  for (let i = firstFrom(mentions, outer.start); mentions[i] && mentions[i]!.start < outer.end; i++)
    if (changes(ask, mentions[i]!)) return null;
  let least = conditionsBehind(ask, way);
  const from = firstFrom(mentions, of.start);
  for (let i = from - 1; i >= Math.max(0, from - MANY); i--) {
    const mention = mentions[i]!;
    const place = placeOf(mention, way);
    if (!place || (isParameter(mention) && way.has(mention.parent!.parent!))) break;
    const given = changes(ask, mention) ? givenBy(ask, mention, place) : holdsBehind(ask, place);
    if (given === 'another') break;
    if (typeof given === 'number') least = Math.min(least ?? given, given);
    if (typeof given === 'number' && isSet(mention)) break;
  }
  return least;
}

/** The call that goes through it, or through what is made of it. */
function loopOver(of: Syntax): Syntax {
  let one = of;
  while (one.parent && /^(receiver|object|value)$/.test(one.field ?? '')) one = one.parent;
  return one;
}

const ASKED = /^(identifier|instance_variable|call|element_reference)$/;

interface Ask {
  body: Body;
  written: string;
  sizes: Sizes;
}

/** What is around, and in each the part in which it stands. */
function wayTo(of: Syntax, routine: Syntax): Map<Syntax, Syntax> {
  const out = new Map<Syntax, Syntax>();
  for (let one = of; one.parent && one !== routine && out.size < MANY; one = one.parent)
    out.set(one.parent, one);
  return out;
}

/** Where a name stands beside the way: in which part, of what, and the part in which the loop is. */
interface Beside {
  part: Syntax;
  around: Syntax;
  other: Syntax;
}

function placeOf(mention: Syntax, way: Map<Syntax, Syntax>): Beside | null {
  let part = mention;
  for (let i = 0; part.parent && i < MANY; part = part.parent, i++) {
    const other = way.get(part.parent);
    if (other) return { part, around: part.parent, other };
  }
  return null;
}

/** The first of them that begins there or behind. */
function firstFrom(mentions: Syntax[], start: number): number {
  let [low, high] = [0, mentions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (mentions[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As much of an expression as is asked about: `params[:ids]` of `params`. */
function wholeOf(mention: Syntax, written: string): Syntax {
  let one = mention;
  while (one.parent?.start === mention.start && one.parent.end <= mention.start + written.length)
    one = one.parent;
  return one;
}

const GROWS =
  /^(push|append|unshift|prepend|concat|insert|replace|fill|store|add|merge!|update|build|create!?)$/;

/** It is given another value there, or more. */
function changes({ body, written }: Ask, mention: Syntax): boolean {
  const { parent, field } = wholeOf(mention, written);
  if (isSet(mention) || (field === 'left' && /assignment$/.test(parent?.type ?? ''))) return true;
  const named = (which: string) => textOf(body.file, child(parent!, which) ?? parent!);
  if (parent?.type === 'binary') return field === 'left' && named('operator') === '<<';
  if (parent?.type === 'call') return field === 'receiver' && GROWS.test(named('method'));
  return parent?.type === 'element_reference' && parent.field === 'left';
}

/** How many it has then, `fewer` or as many as before, or nobody knows. */
function givenBy(ask: Ask, mention: Syntax, { part, around }: Beside): number | 'fewer' | 'another' {
  const { body, written, sizes } = ask;
  if (!LIST.test(around.type)) return 'another';
  const set = ofCondition(part) ?? part;
  const right = child(set, 'right');
  if (child(set, 'left') !== wholeOf(mention, written) || !right) return 'another';
  if (set.type === 'operator_assignment')
    return /^[-&]=$/.test(textOf(body.file, child(set, 'operator') ?? set)) ? 'fewer' : 'another';
  const items = sizes.items(right);
  if (set === part) return items ?? (sizes.isPart(right, written) ? 'fewer' : 'another');
  const otherwise = sizeWhere(ask, child(part, 'condition')!, part.type.startsWith('unless'));
  if (items !== null && otherwise !== null) return Math.max(items, otherwise);
  return sizes.isPart(right, written) ? 'fewer' : 'another';
}

/** The only statement under a condition that has no other way. */
function ofCondition(node: Syntax): Syntax | undefined {
  if (!/^(if|unless)(_modifier)?$/.test(node.type) || child(node, 'alternative')) return undefined;
  const then = child(node, 'body') ?? child(node, 'consequence');
  const [first, more] = then?.type === 'then' ? parts(then) : [then];
  return more ? undefined : first;
}

/** What is so where the loop stands, if this says so. */
function holdsBehind(ask: Ask, { part, around, other }: Beside): number | null {
  const { file } = ask.body;
  if (part.field === 'condition' && /^(if|unless|elsif|conditional)$/.test(around.type))
    return sizeWhere(ask, part, (other.field === 'consequence') === (around.type !== 'unless'));
  if (around.type === 'binary') {
    const sign = textOf(file, child(around, 'operator') ?? around);
    return EITHER.test(sign) ? sizeWhere(ask, part, /^(&&|and)$/.test(sign)) : null;
  }
  const condition = LIST.test(around.type) ? child(part, 'condition') : undefined;
  return condition && leaves(file, part) ? sizeWhere(ask, condition, part.type.startsWith('unless')) : null;
}

const LIST = /^(body_statement|block_body|then|do|else|begin|ensure|program|parenthesized_statements)$/;
const EITHER = /^(&&|\|\||and|or)$/;

/** `rows.each { … } if rows.size < 10` */
function conditionsBehind(ask: Ask, way: Map<Syntax, Syntax>): number | null {
  let least: number | null = null;
  for (const [around, part] of way) {
    const condition = /^(if|unless)_modifier$/.test(around.type) ? child(around, 'condition') : undefined;
    const size = condition && part !== condition && sizeWhere(ask, condition, around.type === 'if_modifier');
    if (typeof size === 'number') least = Math.min(least ?? size, size);
  }
  return least;
}

/** `raise … if rows.size > 50`, `return unless …`: where it does not leave, nothing else happens. */
function leaves(file: RubyFile, node: Syntax): boolean {
  if (!/^(if|unless)(_modifier)?$/.test(node.type) || child(node, 'alternative')) return false;
  const then = child(node, 'body') ?? child(node, 'consequence');
  let last = then?.type === 'then' ? lastPart(then) : then;
  while (last?.type === 'binary' && EITHER.test(textOf(file, child(last, 'operator') ?? last)))
    last = child(last, 'right');
  if (!last) return false;
  if (/^(return|break|next)$/.test(last.type)) return true;
  const called = last.type === 'call' && !child(last, 'receiver') ? child(last, 'method') : last;
  return (
    /^(call|identifier)$/.test(last.type) &&
    /^(raise|fail|abort|exit!?|throw)$/.test(textOf(file, called ?? last))
  );
}

/** How many there are at most where a condition is so. */
function sizeWhere(ask: Ask, node: Syntax, wanted: boolean): number | null {
  const { file } = ask.body;
  const part = (one: Syntax, is: boolean): number | null => {
    if (one.type === 'binary') return compared(ask, one, signOf(file, one), is);
    if (one.type !== 'call' || textOf(file, child(one, 'receiver') ?? one) !== ask.written) return null;
    return (is ? NONE : SOME).test(textOf(file, child(one, 'method') ?? one)) ? 0 : null;
  };
  return toldBy({ file, part, both: leastOf, one: mostOf }, node, wanted);
}

const NONE = /^(empty|none|blank)\?$/;
const SOME = /^(any|present)\?$/;

function leastOf(sides: (number | null)[]): number | null {
  const known = sides.filter((one) => one !== null);
  return known.length > 0 ? Math.min(...known) : null;
}

const mostOf = (sides: (number | null)[]): number | null =>
  sides.includes(null) ? null : Math.max(...(sides as number[]));

/** `rows.size > 50`, `LIMIT >= ids.count` */
function compared(
  { body, written, sizes }: Ask,
  node: Syntax,
  operator: string,
  wanted: boolean,
): number | null {
  if (!Object.hasOwn(MIRRORED, operator)) return null;
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const isSize = (one: Syntax | undefined): boolean =>
    one?.type === 'call' &&
    textOf(body.file, child(one, 'receiver') ?? one) === written &&
    /^(size|length|count)$/.test(textOf(body.file, child(one, 'method') ?? one)) &&
    parts(one).length === 2;
  const turned = isSize(right);
  if (!turned && !isSize(left)) return null;
  const sign = turned ? MIRRORED[operator]! : operator;
  const number = sizes.number(turned ? left : right);
  if (number === null) return null;
  switch (wanted ? sign : CONTRARY[sign]) {
    case '<':
      return number - 1;
    case '<=':
    case '==':
      return number;
    default:
      return null;
  }
}

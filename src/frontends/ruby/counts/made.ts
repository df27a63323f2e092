// How many items there are, at most, in what is made of other collections: a part of them, one of two, what a hash that is written out has. What those have is asked back.

import { isKeyByName } from '../../sql/queries/predicate.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { heldIn } from '../names/held.ts';
import { chained } from '../names/meaning.ts';
import { argumentsOf, lastPart, parts, textOf } from '../syntax.ts';
import { calendar, daysOf } from './days.ts';
import { endsOf, longestOf } from './returned.ts';

export interface Ask {
  /** How many items a collection has at most that stands within the one asked for. */
  items(node: Syntax): number | null;
  /** … or elsewhere: a name led there. */
  named(node: Syntax): number | null;
  /** The items of what is written out. */
  inner(node: Syntax): Syntax[] | null;
  /** What a variable holds, whatever a method does with it; what a method of the object itself gives. */
  variable(node: Syntax): number | null;
  method(node: Syntax): number | null;
  number(node: Syntax | undefined): number | null;
  /** How many numbers a range has. */
  range(node: Syntax): number | null;
}

export function made(body: Body, node: Syntax, ask: Ask): number | null {
  switch (node.type) {
    case 'nil':
      return 0;
    case 'identifier':
    case 'instance_variable':
      return ask.variable(node);
    case 'array':
      return ofItems(node, ask);
    case 'element_reference':
      return part(body, node, ask);
    case 'conditional':
    case 'if':
    case 'elsif':
    case 'unless':
      return either([child(node, 'consequence'), child(node, 'alternative')], ask);
    case 'case':
      return either(
        node.children.flatMap((one) =>
          one.type === 'when' ? [child(one, 'body')] : one.type === 'else' ? [one] : [],
        ),
        ask,
      );
    case 'begin':
    case 'body_statement':
      return longestOf(endsOf(node), ask.items);
    case 'rescue_modifier':
      return either([child(node, 'body'), child(node, 'handler')], ask);
    case 'assignment':
    case 'operator_assignment': {
      const right = /^(\|\|)?=$/.test(signOf(body, node)) ? child(node, 'right') : undefined;
      return right ? ask.items(right) : null;
    }
    case 'binary':
      return /^(\|\||or)$/.test(signOf(body, node))
        ? either(
            /^(array|hash|string_array|symbol_array)$/.test(child(node, 'left')?.type ?? '')
              ? [child(node, 'left')]
              : [child(node, 'left'), child(node, 'right')],
            ask,
          )
        : null;
    case 'then':
    case 'else':
    case 'block_body':
    case 'parenthesized_statements': {
      const last = lastPart(node);
      return last ? ask.items(last) : null;
    }
    case 'range':
      return letters(body, node);
    case 'scope_resolution':
      return calendar(textOf(body.file, node));
    case 'call':
      return ofCall(body, node, ask);
    default:
      return null;
  }
}

const signOf = ({ file }: Body, node: Syntax): string => {
  const sign = child(node, 'operator');
  return sign ? textOf(file, sign) : node.type === 'assignment' ? '=' : '';
};

const sum = (all: (number | null)[]): number | null =>
  all.reduce<number | null>((total, one) => (total === null || one === null ? null : total + one), 0);

const greatest = (all: (number | null)[]): number | null =>
  all.length > 0 && all.every((one) => one !== null) ? Math.max(...all) : null;

const known = new WeakMap<Syntax, number>();

/** `[*KINDS, :other]`: of many such that are made of one another each is counted once. */
function ofItems(node: Syntax, ask: Ask): number | null {
  const before = known.get(node);
  if (before !== undefined) return before;
  let total = 0;
  for (const one of parts(node)) {
    const items = one.type === 'splat_argument' ? splat(one, ask) : 1;
    if (items === null) return null;
    total += items;
  }
  known.set(node, total);
  return total;
}

/** Where there is none, it is nothing. */
const either = (arms: (Syntax | undefined)[], ask: Ask): number | null =>
  greatest(arms.map((arm) => (arm ? ask.items(arm) : 0)));

const splat = (node: Syntax, ask: Ask): number | null => {
  const inner = parts(node)[0];
  return inner ? ask.items(inner) : null;
};

/** `rows[0, 3]`, `rows[0..2]`, `NAMED[:short]`, `Set["a", "b"]` */
function part(body: Body, node: Syntax, ask: Ask): number | null {
  const [object, first, second] = parts(node);
  if (!object || !first) return null;
  if (textOf(body.file, object) === 'Set') return parts(node).length - 1;
  if (first.type === 'range') return ask.range(first);
  if (second) return ask.number(second);
  return greatest(heldIn(body, node).map(ask.named));
}

/** `("a".."e")` */
function letters({ file }: Body, node: Syntax): number | null {
  const ends = ['begin', 'end'].map((which) => {
    const end = child(node, which);
    return end && /^["'](\w)["']$/.exec(textOf(file, end))?.[1];
  });
  const [from, to] = ends.map((one) => one?.charCodeAt(0));
  return from === undefined || to === undefined ? null : Math.max(0, to - from + 1);
}

/** They give so many of what they are asked of. */
export const SOME = /^(?:limit|first|last|take|sample|min|max|min_by|max_by|pop|shift)$/;

/** How many turns there are for so many items, `by` of them in each. */
export function groupsOf(name: string, items: number, by: number): number | null {
  switch (name) {
    case 'each_slice':
    case 'in_groups_of':
      return by > 0 ? Math.ceil(items / by) : null;
    case 'each_cons':
      return Math.max(0, items - by + 1);
    case 'cycle':
      return items * by;
    case 'combination':
    case 'permutation': {
      let [all, same] = [1, 1];
      for (let i = 0; i < Math.min(by, MOST_AT_ONCE); i++) {
        all *= Math.max(0, items - i);
        same *= name === 'combination' ? i + 1 : 1;
      }
      return by > MOST_AT_ONCE ? null : Math.round(all / same);
    }
    default:
      return null;
  }
}

const MOST_AT_ONCE = 20;

function ofCall(body: Body, node: Syntax, ask: Ask): number | null {
  const { file } = body;
  const receiver = child(node, 'receiver');
  const name = textOf(file, child(node, 'method') ?? node);
  const { positional, keywords, splats } = argumentsOf(file, node);
  const [first, ...others] = positional;
  if (!receiver || textOf(file, receiver) === 'self')
    return name === 'Array' ? alone(first) : ask.method(node);
  if (splats.length > 0) return null;
  if (SOME.test(name) && first && others.length === 0) return least([ask.number(first), ask.items(receiver)]);
  if (chained.picks.has(name))
    for (const [key, { value }] of keywords) {
      const rows = isKeyByName(key, 'sql:') && LISTED.test(value.type) ? ask.items(value) : null;
      if (rows !== null) return rows;
    }
  if (chained.passes.has(name) || chained.picks.has(name) || PLUCKS.test(name)) return ask.items(receiver);
  const by = first && others.length === 0 ? ask.number(first) : null;
  const items = by === null ? null : ask.items(receiver);
  if (by !== null && items !== null && !/^find$/.test(name)) {
    const groups = groupsOf(name, items, by);
    if (groups !== null) return groups;
  }
  return daysOf(name) ?? collected(body, node, name, receiver, ask);
}

const PLUCKS = /^(pluck|ids|pick|load|load_async|records|find_each)$/;
const LISTED =
  /^(array|string_array|symbol_array|constant|scope_resolution|identifier|call|instance_variable|range)$/;

/** `Array(1)` */
const alone = (given: Syntax | undefined): number | null => (given && isSingle(given) ? 1 : null);

function collected(body: Body, node: Syntax, name: string, receiver: Syntax, ask: Ask): number | null {
  const { positional, keywords, block } = argumentsOf(body.file, node);
  const [first, ...others] = positional;
  const own = textOf(body.file, receiver);
  switch (name) {
    case 'new':
      if (own === 'Set' || own === 'Hash')
        return first && own === 'Set' ? ask.items(first) : !first && keywords.size === 0 && !block ? 0 : null;
      return own === 'Array' ? (first ? ask.number(first) : 0) : null;
    case 'fetch':
    case 'dig':
      return others.length === 0 ? greatest(heldIn(body, node).map(ask.named)) : null;
    case 'merge':
      return keywords.size > 0 && !first ? sum([ask.items(receiver), keywords.size]) : null;
    case 'including':
      return sum([ask.items(receiver), positional.length]);
    case 'union':
      return sum([receiver, ...positional].map(ask.items));
    case 'intersection':
      return least([receiver, ...positional].map(ask.items));
    case 'partition':
    case 'minmax':
      return 2;
    case 'split':
      return words(body, receiver, first);
    case 'lines':
    case 'each_line':
      return linesOf(body, receiver);
    case 'chars':
      return receiver.type === 'string' ? own.length : null;
    case 'find':
      return first?.type === 'array' && others.length === 0
        ? ask.items(first)
        : others.length > 0 && !positional.some(({ type }) => type === 'splat_argument')
          ? positional.length
          : null;
    case 'slice':
      return first?.type === 'range' ? ask.range(first) : others.length === 1 ? ask.number(others[0]) : null;
    case 'flatten':
      return flat(receiver, ask);
    case 'sum':
    case 'reduce':
    case 'inject':
      return block ? null : flat(receiver, ask);
    case 'transpose':
      return longest(receiver, ask);
    case 'flat_map':
      return flatMapped(body, receiver, block, ask);
    case 'then':
    case 'yield_self':
      return block ? given(body, block, receiver, ask) : null;
    default:
      return null;
  }
}

const least = (all: (number | null)[]): number | null => {
  const told = all.filter((one) => one !== null) as number[];
  return told.length > 0 ? Math.min(...told) : null;
};

/** What stands in its lists, one behind the other. */
function flat(node: Syntax, ask: Ask): number | null {
  const inner = ask.inner(node);
  return inner && sum(inner.map((one) => (LIST.test(one.type) ? ask.named(one) : isSingle(one) ? 1 : null)));
}

const longest = (node: Syntax, ask: Ask): number | null => {
  const inner = ask.inner(node);
  return inner && greatest(inner.map(ask.named));
};

const LIST = /^(array|string_array|symbol_array|hash|call|constant|scope_resolution)$/;
/** By how it is written it is no list. */
export const isSingle = ({ type }: Syntax): boolean =>
  /^(integer|string|simple_symbol|float|true|false|bare_string|bare_symbol)$/.test(type);

/** `KINDS.flat_map { |kind, names| names }`, `NAMES.flat_map { |name| [name, name.upcase] }`. */
function flatMapped(body: Body, receiver: Syntax, block: Syntax | undefined, ask: Ask): number | null {
  const last = block && lastPart(child(block, 'body'));
  const parameter = parts(block && child(block, 'parameters')).at(-1);
  if (!block) return null;
  if (!last) return 0;
  if (parameter && gives(body, last, parameter)) return flat(receiver, ask);
  const [all, each] = [ask.items(receiver), ask.items(last)];
  return all === null || each === null ? null : all * each;
}

/** `list.then { |all| all.first(3) }` */
function given(body: Body, block: Syntax, receiver: Syntax, ask: Ask): number | null {
  const last = lastPart(child(block, 'body'));
  const parameter = parts(child(block, 'parameters'))[0];
  if (!last) return 0;
  const known = ask.items(last);
  if (known !== null || !parameter) return known;
  return gives(body, last, parameter) ? ask.items(receiver) : null;
}

/** It is what the parameter holds, or as long as that: `names.map { … }`. */
function gives({ file }: Body, node: Syntax, parameter: Syntax): boolean {
  let one: Syntax | undefined = node;
  while (one?.type === 'call' && KEEPS.test(textOf(file, child(one, 'method') ?? one)))
    one = child(one, 'receiver');
  return one !== undefined && textOf(file, one) === textOf(file, parameter);
}

const KEEPS = /^(map|collect|select|filter|reject|uniq|sort|sort_by|reverse|compact|keys|values|to_a)$/;

/** The lines of a text that is written out. */
function linesOf({ file }: Body, text: Syntax): number | null {
  const written = file.heredocs.get(text.start);
  if (text.type === 'string') return textOf(file, text).split('\\n').length;
  return text.type === 'heredoc_beginning' && written
    ? Math.max(1, textOf(file, written).trimEnd().split('\n').length - 1)
    : null;
}

/** `"a b".split`, `"a,b".split(",")` */
function words({ file }: Body, text: Syntax, sign: Syntax | undefined): number | null {
  const inner = (node: Syntax) =>
    node.type === 'string' ? /^(["'])([^#\\]*)\1$/.exec(textOf(file, node))?.[2] : undefined;
  const [whole, by] = [inner(text), sign ? inner(sign) : ' '];
  if (whole === undefined || !by) return null;
  return (by === ' ' ? whole.trim().split(/\s+/) : whole.split(by)).length;
}

// How many items there are, at most, in what is made of other collections: sums, what two have in common, one of two, a few of many. What those have is asked back.
import { child, type Syntax } from '../../syntax.ts';
import { argument } from '../names/arguments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';
import { numberOf } from './counted.ts';
import { lengthOf } from './lengths.ts';

export interface Many {
  times: number;
  atMost?: true;
}
export type Times = (node: Syntax | undefined) => number | null;

/** What generated code adds up is longer than what people do. */
const LONGEST = 1000;
const OPERATORS = new Set(['binary_operator', 'boolean_operator', 'conditional_expression']);

export function made(c: Place, node: Syntax, times: Times): Many | undefined {
  if (OPERATORS.has(node.type) && node.end - node.start > LONGEST) return undefined;
  switch (node.type) {
    case 'binary_operator':
      return ofOperator(c, node, times);
    case 'boolean_operator': {
      const [left, right] = [times(child(node, 'left')), times(child(node, 'right'))];
      // Of `rows and FEW` the first is gone over only where it has nothing.
      return textOf(c.file, child(node, 'operator')) === 'and'
        ? atMost(right)
        : atMost(greatest([left, right]));
    }
    case 'conditional_expression':
      return atMost(greatest([times(node.children[0]), times(node.children[2])]));
    case 'expression_list':
      return atMost(lengthOf(node));
    case 'list':
    case 'tuple':
    case 'set':
    case 'dictionary':
      return unpacked(node, times);
    case 'string':
      return atMost(constantText(c, node)?.length ?? null);
    case 'call':
      return ofCall(c, node, times);
    default:
      return undefined;
  }
}

export const atMost = (times: number | null): Many | undefined =>
  times === null ? undefined : { times, atMost: true };

export const greatest = (all: (number | null)[]): number | null =>
  all.length > 0
    ? all.reduce((most, one) => (most === null || one === null ? null : Math.max(most, one)), 0)
    : null;

const least = (all: (number | null)[]): number | null =>
  all.reduce((few, one) => (few === null || one === null ? (few ?? one) : Math.min(few, one)), null);

export const sum = (all: (number | null)[]): number | null =>
  all.reduce<number | null>((total, one) => (total === null || one === null ? null : total + one), 0);

/** Sets are joined, cut and taken from each other by signs. */
function ofOperator(c: Place, node: Syntax, times: Times): Many | undefined {
  const sides = [child(node, 'left'), child(node, 'right')];
  switch (textOf(c.file, child(node, 'operator'))) {
    case '+': {
      const all = sum(sides.map(times));
      return all === null ? undefined : { times: all };
    }
    case '|':
    case '^':
      return atMost(sum(sides.map(times)));
    case '&':
      return atMost(least(sides.map(times)));
    case '-':
      return atMost(times(sides[0]));
    case '*': {
      const [each, by] = [times(sides[0]), sides[1] ? numberOf(c, sides[1]) : null];
      return each === null || by === null ? undefined : { times: each * Math.max(0, by) };
    }
    default:
      return undefined;
  }
}

/** `[*FEW, "other"]`, `{**FEW, "other": 1}` */
function unpacked(node: Syntax, times: Times): Many | undefined {
  const parts = node.children.filter(({ type }) => /_splat$/.test(type));
  const others = lengthOf({ ...node, children: node.children.filter((one) => !parts.includes(one)) });
  return parts.length > 0 ? atMost(sum([...parts.map((one) => times(one.children[0])), others])) : undefined;
}

/** What the standard library calls so; a method of that name, or a function of the project's own, is another one. */
const LIBRARY = new Set([
  'itertools.chain', 'itertools.product', 'itertools.zip_longest', 'itertools.repeat', 'random.sample', 'heapq.nlargest',
  'heapq.nsmallest', 'collections.Counter', 'collections.OrderedDict', 'collections.deque',
]); // biome-ignore format: names

function ofCall(c: Place, node: Syntax, times: Times): Many | undefined {
  const callee = child(node, 'function')!;
  const object = callee.type === 'attribute' ? child(callee, 'object') : undefined;
  const path = resolve(c, callee)?.path ?? '';
  // By the name that it has where it is from, whatever it is imported as.
  const name = LIBRARY.has(path) ? path : textOf(c.file, object ? child(callee, 'attribute') : callee);
  const given = child(node, 'arguments')?.children.filter(({ type }) => type !== 'comment') ?? [];
  const number = (place: number) => {
    const size = argument(node, place);
    return size ? numberOf(c, size) : null;
  };
  switch (name) {
    case 'itertools.chain': {
      const all = given.length > 0 ? sum(given.map(times)) : null;
      return all === null ? undefined : { times: all };
    }
    case 'dict':
      return given.length > 0 && given.every(({ type }) => type === 'keyword_argument')
        ? { times: given.length }
        : atMost(times(given[0]));
    case 'collections.Counter':
    case 'collections.OrderedDict':
    case 'collections.deque':
      return atMost(times(given[0]));
    case 'fromkeys':
      return object && atMost(times(given[0]));
    case 'range':
      return given.length === 1 ? atMost(upTo(c, given[0]!)) : undefined;
    case 'itertools.product':
      return given.every(({ type }) => type !== 'keyword_argument')
        ? atMost(multiplied(given.map(times)))
        : undefined;
    case 'itertools.zip_longest':
      return atMost(greatest(given.filter(({ type }) => type !== 'keyword_argument').map(times)));
    case 'itertools.repeat':
    case 'random.sample':
      return given.length === 2 ? atMost(number(1)) : undefined;
    case 'heapq.nlargest':
    case 'heapq.nsmallest':
    case 'most_common':
      return atMost(number(0));
    case 'intersection':
      return object && atMost(least([times(object), ...given.map(times)]));
    case 'difference':
      return object && atMost(times(object));
    case 'union':
      return object && given.length > 0 ? atMost(sum([times(object), ...given.map(times)])) : undefined;
    case 'split':
      if (given.length === 2 && number(1) !== null) return atMost(number(1)! + 1);
      return object && given.length === 1 ? atMost(partsOf(c, object, given[0]!)) : undefined;
    default:
      return undefined;
  }
}

const multiplied = (all: (number | null)[]): number | null =>
  all.reduce<number | null>((total, one) => (total === null || one === null ? null : total * one), 1);

/** `range(min(len(rows), 10))` */
function upTo(c: Place, node: Syntax): number | null {
  if (node.type !== 'call' || textOf(c.file, child(node, 'function')) !== 'min') return null;
  return least((child(node, 'arguments')?.children ?? []).map((one) => numberOf(c, one)));
}

/** `"a,b".split(",")` */
function partsOf(c: Place, text: Syntax, sign: Syntax): number | null {
  const [whole, by] = [constantText(c, text), constantText(c, sign)];
  return whole === undefined || !by ? null : whole.split(by).length;
}

// How many items there are, at most, in what is made of other collections: sums, what two have in common, one of two, a few of many. What those have is asked back.
import { child, type Syntax } from '../../syntax.ts';
import { argument, keyword } from '../names/arguments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';
import { mostOf, numberOf, turns } from './counted.ts';
import { collection, lengthOf, type Times } from './lengths.ts';

export interface Many {
  times: number;
  atMost?: true;
}

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
    case 'list':
    case 'tuple':
    case 'set':
    case 'dictionary':
      return unpacked(node, times);
    case 'string':
      return atMost(constantText(c, node)?.length ?? null);
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return ofComprehension(node, times);
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

export const least = (all: (number | null)[]): number | null =>
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

/** `[size for size in SIZES if size in wanted]`, `[size + kind for size in SIZES for kind in KINDS]` */
function ofComprehension(node: Syntax, times: Times): Many | undefined {
  const clauses = node.children.filter(({ type }) => type === 'for_in_clause');
  const all = multiplied(clauses.map((one) => times(child(one, 'right'))));
  if (all === null || clauses.length === 0) return undefined;
  const isPicked = node.children.some(({ type }) => type === 'if_clause');
  return isPicked || node.type.startsWith('set') ? atMost(all) : { times: all };
}

/** What the standard library calls so; a method of that name, or a function of the project's own, is another one. */
const LIBRARY = new Set([
  'itertools.chain', 'itertools.product', 'itertools.zip_longest', 'itertools.repeat', 'itertools.combinations',
  'itertools.permutations', 'itertools.combinations_with_replacement', 'itertools.pairwise', 'itertools.accumulate',
  'itertools.starmap', 'itertools.compress', 'itertools.groupby', 'itertools.chain.from_iterable', 'random.sample',
  'random.choices', 'heapq.nlargest', 'heapq.nsmallest', 'collections.Counter', 'collections.OrderedDict',
  'collections.deque', 'typing.get_args', 'typing_extensions.get_args', 'enum.Enum', 'enum.IntEnum', 'enum.StrEnum',
]); // biome-ignore format: names

function ofCall(c: Place, node: Syntax, times: Times): Many | undefined {
  const callee = child(node, 'function')!;
  const object = callee.type === 'attribute' ? child(callee, 'object') : undefined;
  const path = resolve(c, callee)?.path ?? '';
  // By the name that it has where it is from, whatever it is imported as.
  const name = LIBRARY.has(path) ? path : textOf(c.file, object ? child(callee, 'attribute') : callee);
  const given = child(node, 'arguments')?.children.filter(({ type }) => type !== 'comment') ?? [];
  const placed = given.filter(({ type }) => type !== 'keyword_argument');
  const number = (place: number, word?: string) => {
    const size = (word ? keyword(c, node, word) : undefined) ?? argument(node, place);
    return size ? mostOf(c, size) : null;
  };
  switch (name) {
    case 'itertools.chain': {
      const all = given.length > 0 ? sum(given.map(times)) : null;
      return all === null ? undefined : { times: all };
    }
    case 'itertools.chain.from_iterable': {
      const parts = partsIn(c, given[0]);
      return parts && atMost(sum(parts.map(times)));
    }
    case 'dict':
      return given.length > 0 && placed.length === 0
        ? { times: given.length }
        : atMost(sum([times(given[0]), given.length - 1]));
    case 'collections.deque':
      return atMost(least([times(given[0]), number(1, 'maxlen')]));
    case 'collections.Counter':
    case 'collections.OrderedDict':
    case 'typing.get_args':
    case 'typing_extensions.get_args':
    case 'itertools.pairwise':
    case 'itertools.accumulate':
    case 'itertools.groupby':
    case 'itertools.compress':
      return atMost(times(given[0]));
    case 'itertools.starmap':
      return atMost(times(given[1]));
    case 'enum.Enum':
    case 'enum.IntEnum':
    case 'enum.StrEnum':
      return atMost(namesIn(c, given[1], times));
    case 'fromkeys':
      return object && atMost(times(given[0]));
    case 'range':
      // Numbers themselves are counted elsewhere.
      return given.length === 1 && given[0]!.type === 'call' && !turns(c, node)
        ? atMost(number(0))
        : undefined;
    case 'itertools.product': {
      const by = given.length === placed.length ? 1 : number(given.length, 'repeat');
      const each = multiplied(placed.map(times));
      return by === null || each === null ? undefined : atMost(each ** Math.max(0, by));
    }
    case 'itertools.permutations':
      return atMost(falling(times(given[0]), given.length > 1 ? number(1, 'r') : null));
    case 'itertools.combinations':
    case 'itertools.combinations_with_replacement':
      return atMost(chosen(times(given[0]), number(1, 'r'), name.endsWith('s') ? 0 : 1));
    case 'itertools.zip_longest':
      return atMost(greatest(placed.map(times)));
    case 'itertools.repeat':
      return atMost(number(1, 'times'));
    case 'random.sample':
    case 'random.choices':
      return atMost(number(name === 'random.sample' ? 1 : 2, 'k'));
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
    case 'get':
      return object && given.length > 0 ? ofKey(c, object, given[0]!, given[1], times) : undefined;
    case 'partition':
    case 'rpartition':
      return object && atMost(3);
    case 'splitlines':
      return object && atMost(constantText(c, object)?.replace(/\n$/, '').split('\n').length ?? null);
    case 'split':
      if (given.length === 2 && number(1) !== null) return atMost(number(1)! + 1);
      return object && given.length === 1 ? atMost(splitBy(c, object, given[0]!)) : undefined;
    default:
      return undefined;
  }
}

const multiplied = (all: (number | null)[]): number | null =>
  all.reduce<number | null>((total, one) => (total === null || one === null ? null : total * one || 0), 1);

/** How many ways there are to put so many of them in a row; all of them unless said. */
function falling(many: number | null, of: number | null): number | null {
  if (many === null || many === Number.POSITIVE_INFINITY) return many;
  let ways = 1;
  for (let i = 0; i < Math.min(of ?? many, many, MOST); i++) ways *= many - i;
  return ways;
}
/** More of them make more than anybody counts. */
const MOST = 20;

/** How many ways there are to choose so many of them, where each may be chosen more than once. */
function chosen(many: number | null, of: number | null, again: 0 | 1): number | null {
  if (many === null || of === null || of === 0 || many === Number.POSITIVE_INFINITY) return many;
  const [from, parts] = [again ? many + of - 1 : many, Math.min(of, MOST)];
  return parts > from ? 0 : Math.round(falling(from, parts)! / falling(parts, parts)!);
}

/** The collections that are written out one after the other, in a list or as the values of a dictionary. */
function partsIn(c: Place, node: Syntax | undefined): Syntax[] | undefined {
  const callee = node?.type === 'call' ? child(node, 'function') : undefined;
  const isValues = callee?.type === 'attribute' && textOf(c.file, child(callee, 'attribute')) === 'values';
  const whole = isValues ? child(callee!, 'object') : node;
  const code = whole && collection(c, whole);
  if (!code || (code.type === 'dictionary') !== isValues || lengthOf(code) === null) return undefined;
  return code.children.flatMap((one) =>
    one.type === 'comment' ? [] : isValues ? (child(one, 'value') ?? []) : [one],
  );
}

/** What a dictionary that is written out has under a key; of one that nobody knows the longest. */
export function ofKey(
  c: Place,
  whole: Syntax | undefined,
  key: Syntax,
  otherwise: Syntax | undefined,
  times: Times,
): Many | undefined {
  const code = whole && collection(c, whole);
  if (!code || lengthOf(code) === null) return undefined;
  const held =
    code.type === 'dictionary'
      ? pairsOf(c, code, constantText(c, key))
      : code.type === 'set'
        ? []
        : atPlace(code, numberOf(c, key));
  if (held.length === 0) return undefined;
  return atMost(greatest([...held, ...(otherwise ? [otherwise] : [])].map(times)));
}

const pairsOf = (c: Place, code: Syntax, said: string | undefined): Syntax[] =>
  code.children.flatMap((one) => {
    const isMeant =
      one.type === 'pair' && (said === undefined || constantText(c, child(one, 'key')!) === said);
    return isMeant ? (child(one, 'value') ?? []) : [];
  });

function atPlace(code: Syntax, place: number | null): Syntax[] {
  const all = code.children.filter(({ type }) => type !== 'comment');
  const one = place === null ? undefined : all.at(place);
  return place === null ? all : one ? [one] : [];
}

/** Of `Enum("Colour", "RED BLUE")` */
function namesIn(c: Place, node: Syntax | undefined, times: Times): number | null {
  const text = node && constantText(c, node);
  return text === undefined ? times(node) : text.trim().split(/[\s,]+/).length;
}

/** `"a,b".split(",")` */
function splitBy(c: Place, text: Syntax, sign: Syntax): number | null {
  const [whole, by] = [constantText(c, text), constantText(c, sign)];
  return whole === undefined || !by ? null : whole.split(by).length;
}

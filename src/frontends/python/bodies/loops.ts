// What a loop runs over: rows, a range, items; how often; and of which type each is.

import type { Loop, Name, Picked, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { underline, understand } from '../calls/calls.ts';
import { isAllGiven } from '../calls/flags.ts';
import { isQueried } from '../calls/rows.ts';
import { members } from '../classes/classes.ts';
import { registered } from '../classes/registries.ts';
import { bound } from '../counts/bounds.ts';
import { type Chunks, partsGiven, sizeOfPart } from '../counts/chunks.ts';
import { numberOf, sliced, turns } from '../counts/counted.ts';
import { areFew, haveFewKeys, partsOfText } from '../counts/few.ts';
import { guarded } from '../counts/guarded.ts';
import { held } from '../counts/held.ts';
import {
  collection,
  growsBy,
  lengthOf,
  listedElsewhere,
  ofObject,
  ofOwnClass,
  type Times,
} from '../counts/lengths.ts';
import { limitOf } from '../counts/limited.ts';
import { atMost, greatest, type Many, made } from '../counts/made.ts';
import { pickedOf, picksOne } from '../counts/picked.ts';
import { argument } from '../names/arguments.ts';
import { assignmentsOf, isConstantName, isTaken } from '../names/assignments.ts';
import { isType } from '../names/knowledge.ts';
import { isParameter } from '../names/parameters.ts';
import { type ClassInfo, kept, lookup, type Place, type Type, textOf, type Value } from '../names/scope.ts';
import { itemOf } from '../names/types.ts';
import { constantText, isClassLike, resolve } from '../names/values.ts';

export interface Iterated {
  over: Loop['over'];
  times: number | null;
  atMost?: true;
  /** Whether it runs many times: that is possible, and no more than that, or likely. */
  certainty?: 'possible' | 'likely';
  item?: Type;
  /** Those that are written out. */
  among?: Syntax[];
  /** Each is a part of something: what says how many it has at most. */
  upTo?: Syntax;
  /** Which of several loop variables is the item. */
  position?: number;
  /** The parameter whose items they are, or up to which it counts, and how many more than that. */
  each?: string;
  more?: number;
  /** How many there are where the caller says nothing. */
  usually?: number;
  /** What another file calls the collection. */
  of?: Name[];
  /** What picks the rows, for who knows which columns name one. */
  picked?: Picked[];
  ofSelf?: true;
  /** How many of them a turn takes at once; null where nobody knows. */
  chunk?: number | null;
  reads: Step[];
}

/** They give what they were given. */
const THROUGH = /^(list|tuple|set|frozenset|sorted|reversed|iter|tqdm|progress|track|islice)$/;
/** They ask or make something of each that they are given behind the first. */
const EACH = /^(filter|map|filterfalse|takewhile|dropwhile)$/;
/** Of Django's Paginator. */
const PAGES = /\.(page_range|num_pages)\b/;
const ROWS =
  /(?:fetch(?:all|many|_all|)\(|\.(?:all|filter|iterator|aiterator|scalars|values_list)\(|\.values\(\s*[^\s)]|\b(?:cursor|cur|rows|queryset|qs|results)\b)/;

const NOTHING: Iterated = { over: 'items', times: null, reads: [] };

/** What a loop goes over: how many there are, and what each of them is. */
export function iterated(c: Place, whole: Syntax | undefined): Iterated {
  if (!whole) return NOTHING;
  const node = orNone(c, whole);
  const listed = enumeration(c, node);
  if (listed !== undefined)
    return { ...NOTHING, times: listed, ...(listed === null && { certainty: 'possible' }) };
  if (areFew(c, node)) return { ...NOTHING, certainty: 'possible' };
  return (
    ofSlice(c, node) ??
    writtenOut(c, node) ??
    ofOthers(c, node) ??
    (node.type === 'call' ? ofCall(c, node) : undefined) ??
    asGiven(c, node, ofRows(c, node))
  );
}

/** What a variable was given, or a function returns, may be written out. */
function asGiven(c: Place, node: Syntax, rows: Iterated): Iterated {
  if (rows.times !== null || rows.of) return rows;
  return { ...rows, ...(ofPart(c, node) ?? turning(held(c, node, countOf(c)) ?? guarded(c, node))) };
}

/** How many there are, for who makes something of them. */
export const countOf =
  (c: Place): Times =>
  (node) => {
    if (!node) return null;
    const all = counts(c, c.known);
    const before = all.known.get(node);
    if (before !== undefined || all.depth === DEEPEST) return before ?? null;
    all.known.set(node, null); // what is asked now is not known yet
    all.depth++;
    const { times, certainty, of, ofSelf } = iterated(c, node);
    all.depth--;
    const isFew = certainty === 'possible' || (!ofSelf && of?.some(isConstant));
    const few = isFew ? Number.POSITIVE_INFINITY : null;
    // What this class itself writes out, for most of those below it too.
    const count = times ?? (ofSelf ? ofOwnClass(c, node, countOf(c)) : few);
    all.known.set(node, count);
    return count;
  };

const counts = kept((_, __: Place['known']) => ({ known: new Map<Syntax, number | null>(), depth: 0 }));
/** How far it is followed from one expression to the next. */
const DEEPEST = 40;

const isConstant = (name: Name): boolean => isConstantName(name.slice(name.lastIndexOf('.') + 1));

const turning = (many: Many | undefined): Partial<Iterated> | undefined =>
  many?.times === Number.POSITIVE_INFINITY ? { times: null, certainty: 'possible' } : many;

/** `["a"] + OTHERS`, `FEW if quick else MANY`, `[order for order in orders if order.due]` */
function ofOthers(c: Place, node: Syntax): Iterated | undefined {
  if (!COMPREHENDS.test(node.type)) {
    const many = turning(made(c, node, countOf(c)));
    return many && { ...NOTHING, ...many };
  }
  const [body, source, ...more] = node.children;
  const isOne = source?.type === 'for_in_clause' && !more.some(({ type }) => type === 'for_in_clause');
  const own = isOne ? ofSource(c, child(source, 'right'), more.length > 0) : undefined;
  const many = own ?? turning(made(c, node, countOf(c)));
  const slices = body?.type === 'subscript' && sliced(c, body) !== null;
  if (!many && !slices) return undefined;
  const item = resolve(c, node)?.type?.item;
  return { ...NOTHING, ...many, ...(item && { item }), ...(slices && { among: [body] }) };
}

const COMPREHENDS = /^(?:list|set|dictionary)_comprehension$|^generator_expression$/;

/** One loop over a list of another file, or over what a caller gives, is as long as that. */
function ofSource(c: Place, node: Syntax | undefined, isPicked: boolean): Partial<Iterated> | undefined {
  const of = listedElsewhere(c, node);
  const own: Partial<Iterated> = of ? { of } : node ? itemsOf(c, node) : {};
  return of || own.each !== undefined ? { ...own, ...(isPicked && { atMost: true }) } : undefined;
}

/** `orders[:100]` */
function ofSlice(c: Place, node: Syntax): Iterated | undefined {
  if (node.type !== 'subscript') return undefined;
  const most = sliced(c, node);
  const slices = node.children.at(-1)?.type === 'slice';
  const whole = slices ? iterated(c, child(node, 'value')) : NOTHING;
  if (most !== null) return { ...whole, times: most, atMost: true };
  const part = ofPart(c, node);
  if (part && whole.times === null) return { ...whole, ...part };
  if (whole.times === null && whole.each === undefined && !whole.certainty) return undefined;
  return { ...whole, among: undefined, atMost: true };
}

/** A list that stands in the file, and what the module puts into one. */
function writtenOut(c: Place, node: Syntax): Iterated | undefined {
  const written = collection(c, node);
  if (written) {
    const item = resolve(c, written.children[0])?.type;
    const times = lengthOf(written);
    if (times === null) return ofOthers(c, written);
    return { ...NOTHING, times, item, ...itemsIn(written) };
  }
  const each = oneOfMany(c, node);
  if (each) return each;
  const filled = node.type === 'identifier' ? registered(c, textOf(c.file, node)) : [];
  return filled.length > 0 ? { ...NOTHING, among: filled } : undefined;
}

/** `for row in ROWS: for name in row["names"]:`, `for kind, names in [("a", ["x", "y"])]: for name in names:`: as many as the longest has. */
function oneOfMany(c: Place, node: Syntax): Iterated | undefined {
  const key = node.type === 'subscript' ? child(node, 'subscript') : undefined;
  const among = resolve(c, key ? child(node, 'value') : node)?.among;
  const text = key && constantText(c, key);
  const held = key && text === undefined ? undefined : among?.map((one) => (key ? at(c, one, text!) : one));
  if (!held?.length) return undefined;
  const most = greatest(held.map((one) => (one ? itemsOfEach(c, one) : null)));
  return most === null ? undefined : { ...NOTHING, times: most, atMost: true };
}

function itemsOfEach(c: Place, node: Syntax): number | null {
  const list = collection(c, node);
  if (list) return lengthOf(list);
  return node.type === 'subscript' ? sliced(c, node) : null;
}

/** What a dictionary that is written out has under this key. */
const at = (c: Place, { type, children }: Syntax, key: string): Syntax | undefined => {
  const pair = type === 'dictionary' ? children.find((one) => keyOf(c, one) === key) : undefined;
  return pair && child(pair, 'value');
};

const keyOf = (c: Place, pair: Syntax): string | undefined => {
  const key = child(pair, 'key');
  return key && constantText(c, key);
};

/** `range(10)`, `enumerate(orders)`, `prices.items()`: what functions make of what they are given. */
function ofCall(c: Place, node: Syntax): Iterated | undefined {
  const callee = child(node, 'function')!;
  const name = textOf(c.file, callee).split('.').at(-1)!;
  const given = child(node, 'arguments')?.children ?? [];
  const first = argument(node, 0);
  if (callee.type === 'identifier') {
    if (/^x?range$/.test(name))
      return {
        ...NOTHING,
        over: 'range',
        times: turns(c, node),
        ...numberElsewhere(c, node),
        ...stepOf(c, node),
      };
    if (name === 'enumerate') return { ...iterated(c, first), position: 1 };
    if (name === 'zip') {
      // The shortest of them ends it.
      const all = given.map((one) => iterated(c, one));
      const lengths = all.flatMap(({ times }) => times ?? []);
      if (lengths.length > 0) return { ...NOTHING, times: Math.min(...lengths), atMost: true };
      const of = all.flatMap((one) => one.of ?? []);
      if (of.length > 0) return { ...NOTHING, of, atMost: true };
      const { each, more } = all.find((one) => one.each !== undefined) ?? {};
      if (each !== undefined) return { ...NOTHING, each, ...(more !== undefined && { more }), atMost: true };
    }
  }
  if (callee.type === 'attribute' && /^(items|values|keys)$/.test(name) && !first) {
    const object = child(callee, 'object')!;
    const position = name === 'items' ? 1 : 0;
    if (haveFewKeys(c, object)) return { ...NOTHING, position, certainty: 'possible' };
    const held = ofDictionary(c, node, object, position);
    if (held) return name === 'keys' ? { ...held, item: undefined, among: undefined } : held;
    const own = itemsOf(c, object);
    if (own.each !== undefined && !resolve(c, object)?.type) return { ...NOTHING, position, ...own };
  }
  if (name === 'islice') {
    const most = turns(c, node, 1);
    if (most !== null) return { ...iterated(c, first), times: most, atMost: true };
    const of = argument(node, 2) ? undefined : listedElsewhere(c, argument(node, 1));
    if (of) return { ...iterated(c, first), times: null, of, atMost: true };
  }
  if (callee.type === 'identifier' && EACH.test(name) && argument(node, 1)) {
    const each = iterated(c, argument(node, 1));
    if (name === 'map') return { ...each, item: undefined, among: undefined };
    return each.times === null ? each : { ...each, atMost: true };
  }
  if (/^r?split$/.test(name)) {
    const parts = partsOfText(c, node);
    if (parts) return { ...NOTHING, ...parts };
  }
  const parts = partsGiven(c, node, name);
  if (parts) return chunks(c, parts);
  if (THROUGH.test(name) && first) return iterated(c, first);
  return understand(c, node)?.meaning?.loops === 'retry' ? { ...NOTHING, over: 'retry' } : undefined;
}

/** `range(SIZE)`, `range(len(KINDS))` of what another file says, `range(1, count + 1)` of what a caller does. */
function numberElsewhere(c: Place, node: Syntax): Pick<Iterated, 'of' | 'each' | 'more'> {
  const [first, second, step] = [0, 1, 2].map((i) => argument(node, i));
  const from = second && first ? numberOf(c, first) : 0;
  const [last, beyond] = partsOf(c, second ?? first);
  const own = last && from !== null && !step ? itemsOf(c, last) : {};
  if (own.each !== undefined) return beyond === from ? own : { ...own, more: beyond - from! };
  if (second) return {};
  const isLength = first?.type === 'call' && textOf(c.file, child(first, 'function')) === 'len';
  const of = listedElsewhere(c, isLength ? argument(first, 0) : first);
  return of ? { of } : {};
}

/** `count` and 1 of `count + 1`. */
function partsOf(c: Place, sum: Syntax | undefined): [Syntax | undefined, number] {
  const sign = sum?.type === 'binary_operator' ? textOf(c.file, child(sum, 'operator')) : '';
  const number = /^[+-]$/.test(sign) ? numberOf(c, child(sum!, 'right')!) : null;
  return number === null ? [sum, 0] : [child(sum!, 'left'), sign === '-' ? -number : number];
}

/** `prices.items()` of a dictionary that is written out, that another file writes out, or whose values are of a known type. */
function ofDictionary(c: Place, node: Syntax, held: Syntax, position: number): Iterated | undefined {
  const code = collection(c, held);
  if (code?.type === 'dictionary')
    return { ...NOTHING, times: lengthOf(code) ?? countOf(c)(held), position, ...itemsIn(code, 'value') };
  const inner = ofEachDictionary(c, held, position);
  if (inner) return inner;
  const of = listedElsewhere(c, held);
  if (of) return { ...NOTHING, position, of };
  const type = resolve(c, node)?.type;
  if (type?.item && position === 1) return { ...NOTHING, item: { ...type.item, fresh: false }, position };
  const own = ofObject(c, held);
  return own && { ...NOTHING, position, of: own, ofSelf: true };
}

/** `for kind, names in KINDS.items(): for name, parts in names.items():`, where each of them is written out: as many as the longest has. */
function ofEachDictionary(c: Place, held: Syntax, position: number): Iterated | undefined {
  const all = resolve(c, held)?.among ?? [];
  const most = greatest(all.map((one) => (one.type === 'dictionary' ? lengthOf(one) : null)));
  if (most === null) return undefined;
  const among = all.flatMap((one) => itemsIn(one, 'value').among ?? []);
  return { ...NOTHING, times: most, atMost: true, position, among };
}

/** What another file writes out, the pages of a paginator, the rows of a query; else whatever it is. */
function ofRows(c: Place, node: Syntax): Iterated {
  const of = listedElsewhere(c, node);
  if (of) return { ...NOTHING, of };
  if (node.type === 'attribute' && PAGES.test(textOf(c.file, node))) return { ...NOTHING, chunk: null };
  const type = resolve(c, node)?.type;
  const queried = isQueried(type);
  const rows = queried || ROWS.test(textOf(c.file, node).slice(0, 400));
  const held = type && itemOf(type);
  // What was made here and put into a list is no row yet.
  const item = held && { ...held, fresh: held.fresh === true };
  const relation = queried && item ? ((item.relation ?? `python:${item.path}`) as Name) : null;
  const reads: Step[] = relation ? [{ kind: 'read', at: underline(c, node), relation, rows: 'many' }] : [];
  const most = queried && picksOne(c, node, type) ? 1 : limitOf(c, node, countOf(c));
  const picked = queried && most === null ? pickedOf(c, node, type, countOf(c)) : undefined;
  const few = picked ? { picked } : turning(atMost(most));
  const own = rows || item ? undefined : ofObject(c, node);
  if (own) return { ...NOTHING, of: own, ofSelf: true };
  return { over: rows ? 'rows' : 'items', times: null, item, reads, ...itemsOf(c, node), ...few };
}

/** A dictionary gives its keys, or its values. */
function itemsIn({ type, children }: Syntax, which: 'key' | 'value' = 'key'): Pick<Iterated, 'among'> {
  const all = children.filter((one) => one.type !== 'comment');
  const among = all.flatMap((one) => (type === 'dictionary' ? child(one, which) : one) ?? []);
  return among.length === all.length ? { among } : {};
}

/** How often a loop over it runs, and what else is said of its turns. */
export const turnsOf = ({
  each,
  more,
  usually,
  chunk,
  of,
  ofSelf,
  picked,
}: Iterated): Pick<Loop, 'each' | 'more' | 'usually' | 'chunk' | 'of' | 'ofSelf' | 'picked'> => ({
  ...(each !== undefined && { each }),
  ...(more !== undefined && { more }),
  ...(usually !== undefined && { usually }),
  ...(chunk !== undefined && { chunk }),
  ...(of && { of }),
  ...(ofSelf && { ofSelf }),
  ...(picked && { picked }),
});

/** What the variable of such a loop holds. */
export const heldIn = ({ item, among, upTo }: Iterated): Value | undefined =>
  (item ?? among ?? upTo) && {
    ...(item && { type: item }),
    ...(among && { among }),
    ...(upTo && { upTo }),
  };

/** Each is some of what it is given; of a number that is written out, there are fewer of them. */
function chunks(c: Place, { given, size, isOneByOne }: Chunks): Iterated {
  const { over, reads } = iterated(c, given);
  const item = given && resolve(c, given)?.type;
  const all = { over, times: null, reads, ...(item && { item }) };
  if (isOneByOne) return all;
  return { ...all, ...(size && { upTo: size }), chunk: (size && numberOf(c, size)) ?? null };
}

/** What holds a part of others has as many as that says, whoever says it. */
function ofPart(c: Place, node: Syntax): Partial<Iterated> | undefined {
  const size = sizeOfPart(c, node);
  if (!size) return undefined;
  return bound(c, size);
}

/** `range(0, count, 1000)`; what counts down is none, nor what leaves a few out. */
function stepOf(c: Place, node: Syntax): Pick<Iterated, 'chunk'> {
  const step = argument(node, 2);
  if (!step) return PAGES.test(textOf(c.file, node)) ? { chunk: null } : {};
  if (step.type === 'unary_operator') return {};
  const size = numberOf(c, step);
  return size !== null && size < 10 ? {} : { chunk: size };
}

function itemsOf(c: Place, node: Syntax): Pick<Iterated, 'each'> {
  const name = node.type === 'identifier' ? textOf(c.file, node) : undefined;
  if (name === undefined) return {};
  const isAll = isAllGiven(c, node, name);
  const isGiven = isParameter(c, node, lookup(c.file, c.scope, name)) || isOnlyReplaced(c, node, name);
  if (!isAll && !isGiven) return {};
  if (c.keeps) c.keeps.flags = true;
  if (c.keeps && isAll) c.keeps.all = name;
  return { each: name };
}

/** `names or []` has no more than the names. */
function orNone(c: Place, node: Syntax): Syntax {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const isOr = node.type === 'boolean_operator' && textOf(c.file, child(node, 'operator')) === 'or';
  return isOr && left && EMPTY.test(textOf(c.file, right)) ? left : node;
}

/** `names = names or []`, `if names is None: names = []`: an empty one stands for none, and nothing is added to that. */
function isOnlyReplaced(c: Place, node: Syntax, name: string): boolean {
  if (!isTaken(c, node, name)) return false;
  const all = assignmentsOf(c, node, name);
  const isEither = (one: Syntax | undefined): boolean =>
    one?.type === 'boolean_operator'
      ? one.children.every((part) => part.field === 'operator' || isEither(part))
      : isCopy(c, one)
        ? isEither(argument(one!, 0))
        : one !== undefined && (textOf(c.file, one) === name || EMPTY.test(textOf(c.file, one)));
  return all.length > 0 && all.every((one) => isEither(child(one, 'right'))) && !growsBy(c, node, name);
}

/** `list(names)` */
const isCopy = (c: Place, node: Syntax | undefined): boolean =>
  node?.type === 'call' &&
  COPIES.test(textOf(c.file, child(node, 'function'))) &&
  child(node, 'arguments')?.children.length === 1;

const COPIES = /^(?:list|tuple|set|sorted|frozenset)$/;
const EMPTY = /^(?:\[\s*\]|\(\s*\)|\{\s*\}|(?:list|set|dict|tuple|frozenset)\(\))$/;

const ENUMERATES = /(^|\.)\w*(Enum|Flag|Choices)$/;

/**
 * How many members an enumeration has; null where another file says. What is iterable though it is a class is one, or
 * a list of what belongs to it: `Colour`, `Status.values`.
 */
function enumeration(c: Place, node: Syntax): number | null | undefined {
  const lists =
    node.type === 'attribute' && /\.(values|choices|names|labels|__members__)$/.test(textOf(c.file, node));
  const path = resolve(c, lists ? child(node, 'object') : node)?.path;
  if (path === undefined || !isClassLike(c, path) || isType(path)) return undefined;
  const info = c.file.classes.get(path);
  if (!info) return c.file.functions.has(path) ? undefined : null;
  return membersOf(info);
}

/** How many members a class has that is an enumeration. */
export function membersOf(info: ClassInfo): number | undefined {
  if (!info.bases.some((base) => ENUMERATES.test(base))) return undefined;
  return members(info.node).filter(
    (one) => one.type === 'expression_statement' && one.children[0]?.type === 'assignment',
  ).length;
}

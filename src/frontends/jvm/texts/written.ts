// How many items a collection has that stands written out, `listOf("a", "b")`, `1..3`, and which has few: an enum's. It follows no variable but constants.
import type { Loop } from '../../../ir.ts';
import type { Constants } from '../names/scope.ts';
import type { Argument, Call, Node, Several } from '../syntax/syntax.ts';
import { armsOf, DEEPEST, flat, type Most, mostOf, NAME, type Part, type Reading } from './numbers.ts';
import { textOf } from './text.ts';

const KOTLIN =
  /^(?:(?:mutable)?(?:[lL]ist|[sS]et)Of|listOfNotNull|arrayListOf|(?:hash|linked)SetOf|sequenceOf|(?:int|long)?[aA]rrayOf)$/;
const JAVA = /^(of|asList)$/;
const ARRAY = /^new\s+[\w.]+\s*(?:\[\s*\]\s*)+\{/;
const OWNER = /^(List|Set|Stream|Arrays|IntStream|LongStream|EnumSet|ImmutableList|ImmutableSet)$/;

/** `Kind.values()`, `Kind.entries`, `EnumSet.allOf(Kind.class)`, perhaps as a stream: a constant or a variable is no type. */
const ENUM =
  /^(?:(?:Arrays\s*\.\s*(?:stream|asList)|(?:Stream|List|Set)\s*\.\s*of)\s*\(\s*)?(?:(?:[\w\u00aa-\uffff]+\s*\.\s*)*[A-Z][\w\u00aa-\uffff]*[a-z\u00aa-\uffff][\w\u00aa-\uffff]*\s*\.\s*(?:values\s*\(\s*\)|entries\b(?!\s*\())|EnumSet\s*\.\s*\w+\s*\(|enumValues\s*<|\w+(?:\s*\.\s*\w+)*\s*\.\s*getEnumConstants\s*\()/;

/** How many members it has may stand in another file: they are few, and no more than possibly many. */
export function isOfEnum(node: Node | null | undefined, text: string, constants?: Constants): boolean {
  if (node == null) return false;
  if (ENUM.test(text.slice(node.start, Math.min(node.end, node.start + 200)))) return true;
  const held = node.kind === 'name' ? constants?.(node) : null;
  return held != null && held !== node && isOfEnum(held, text);
}

export type Turns = Pick<Loop, 'times'> &
  Partial<Pick<Loop, 'atMost'>> & {
    /** Another file may tell it: a number, or a collection that has so many items. */
    until?: Node;
  };

export const UNKNOWN: Turns = { times: null };
/** What gives as many as it is called on, and what gives no more. */
const AS_MANY =
  /^(stream|sequential|iterator|map|mapTo(Int|Long|Obj)|mapIndexed|indices|boxed|peek|onEach(?:Indexed)?|sorted(?:By|Descending|ByDescending|With)?|shuffled|(?:asR|r)eversed|to(?:Mutable)?List|toTypedArray|asList|collect|toArray|withIndex|asSequence|asIterable|entrySet|entries|executeQuery|fetch(Into|Lazy|Stream|Array)?|into|getResult(List|Stream)|list|getContent|content|offset|for(NoKey)?Update|skipLocked|noWait|set(FirstResult|Hint|Parameter|LockMode|FetchSize))$/;
const NO_MORE =
  /^(filter(Not|NotNull|IsInstance)?|mapNotNull|distinct(By)?|skip|drop(Last)?|(take|drop)(Last)?While|chunked|windowed|zipWithNext|minus|intersect|subtract|to(Mutable|Hash|Sorted)?Set|associate(By|With)?|groupBy|to(Sorted|Mutable)?Map|keySet|keys|values)$/;

/** Expressions are read with what they name. */
export const reading = (text: string, constants: Constants): Reading => ({
  text,
  constants,
  lengthOf: (list, depth) => {
    const { times, atMost } = turnsOver(list, text, constants, depth);
    return times === null ? null : { most: times, ...(!atMost && { exact: true }) };
  },
});

/** How many turns a loop over that has, or has at most. */
export function turnsOver(
  node: Node | null | undefined,
  text: string,
  constants: Constants,
  depth = 0,
): Turns {
  const items = itemsOf(node, text, constants);
  if (items) return { times: items.length };
  if (!node || depth > DEEPEST) return UNKNOWN;
  const of = (one: Node | null | undefined, cost = 1) => turnsOver(one, text, constants, depth + cost);
  const most = (one: Node | undefined) => mostOf(one, reading(text, constants), depth);
  switch (node.kind) {
    case 'choice':
      return longest(armsOf(node).map((arm) => of(arm)));
    case 'cast':
      return of(node.value);
    case 'concat':
      return joined(flat(node, text), of);
    case 'several':
      return node.items.length === 1
        ? of(node.items[0])
        : (sized(node, text, most) ?? ranging(node, text, most));
    case 'name':
    case 'member': {
      const held = constants(node);
      // What a variable holds that can be filled has what is put into it.
      if (held && held !== node) return isFilled(held) && !isConstant(node) ? UNKNOWN : of(held, NAME);
      return node.kind === 'member' ? onward(node.name, node.object, of) : UNKNOWN;
    }
    case 'call':
      return called(node, text, constants, of, most);
    default:
      return UNKNOWN;
  }
}

/** How many are in each piece: `Lists.partition(rows, 50)`, `rows.chunked(50)`. */
export function piecesOf(
  list: Node | null | undefined,
  text: string,
  constants: Constants,
): Node | undefined {
  let node = list?.kind === 'name' ? constants(list) : list;
  while (node?.kind === 'call' && /^(stream|forEach|toList|withIndex)$/.test(node.name)) node = node.object;
  if (node?.kind !== 'call') return undefined;
  if (/^(chunked|windowed|buffer)$/.test(node.name)) return node.arguments[0]?.value;
  if (/^map(?:ToObj)?$/.test(node.name)) {
    const cut = bodyOf(node.arguments[0]?.value);
    const [from, to] = cut?.kind === 'call' && cut.name === 'subList' ? cut.arguments : [];
    return from && to && pieceBehind(from.value, to.value, text, constants);
  }
  const isCut = node.name === 'partition' && /^(Lists|ListUtils|Iterables)\./.test(calledOn(node));
  return isCut ? node.arguments[1]?.value : undefined;
}

/** The only expression of a lambda. */
function bodyOf(node: Node | undefined): Node | undefined {
  let body = node?.kind === 'lambda' ? node.body : undefined;
  while ((body?.kind === 'sequence' || body?.kind === 'several') && body.items.length === 1)
    body = body.items[0];
  return body;
}

/** A few at once are hardly better than each by itself. */
const FEW = 10;

/** Of a loop over pieces of so many. */
export function chunkOf(size: Node | undefined, text: string, constants: Constants): Pick<Loop, 'chunk'> {
  if (!size) return {};
  const most = mostOf(size, reading(text, constants))?.most ?? null;
  return most !== null && most < FEW ? {} : { chunk: most };
}

/** A list of so many, as if it stood written out. */
export const listOfSize = (size: Node): Node => {
  const at = { start: size.start, end: size.end };
  return { kind: 'call', object: null, name: 'nCopies', at, ...at, arguments: [{ value: size }] };
};

/** `repeat(3) { … }`, `repeat(Limits.MAX) { … }` */
export function repeated(times: Node, text: string, constants: Constants): Turns {
  const found = asTurns(mostOf(times, reading(text, constants)));
  return found.times === null ? { ...found, until: times } : found;
}

type Of = (node: Node | null | undefined, cost?: number) => Turns;
type Number_ = (node: Node | undefined) => Most | null;

function called(node: Call, text: string, constants: Constants, of: Of, most: Number_): Turns {
  const { name, object, arguments: given } = node;
  const [one, two] = given.map(({ value }) => value);
  const owner = ownerOf(object);
  const others = ofOthers(node, text, of) ?? put(node, text, of);
  if (others) return others;
  if (/^range(Closed)?$/.test(name) && /^(Int|Long)Stream$/.test(owner))
    return turns(most(one), most(two), name === 'rangeClosed');
  if (name === 'nCopies' && one) return asTurns(most(one));
  if (/^(Mutable)?(List|Array)$|^(Int|Long)Array$/.test(name) && !object && one) return asTurns(most(one));
  if (/^(linked)?mapOf$/i.test(name) && !object && given.length > 0) return { times: given.length };
  if (/^empty/.test(name) && given.length === 0 && (!object || owner === 'Collections')) return { times: 0 };
  if (name === 'of' && given.length === 0 && OWNER.test(owner)) return { times: 0 };
  if (name === 'of' && /^(Immutable)?Map$/.test(owner)) return { times: given.length / 2 };
  if (name === 'ofEntries' && owner === 'Map') return { times: given.length };
  if (name === 'subList') {
    const from = most(one);
    const piece = one && two && most(pieceBehind(one, two, text, constants));
    if (piece) return atMost(asTurns(piece));
    return atMost(asTurns(from?.exact ? difference(most(two), from) : most(two)));
  }
  if (name === 'zip' && one) return shorter([of(object), of(one)]);
  const page = /^(limit|take|takeLast|setMaxResults)$/.test(name)
    ? most(one)
    : pageOf(node, text, constants, most);
  if (page) return { times: Math.min(page.most, of(object).times ?? page.most), atMost: true };
  const held = constants(node);
  if (held && held !== node) return of(held, NAME);
  return onward(name, object, of);
}

/** `subList(from, Math.min(from + SIZE, all))`, `subList(i * SIZE, Math.min((i + 1) * SIZE, all))`: as many as it goes on by. */
function pieceBehind(from: Node, to: Node, text: string, constants: Constants): Node | undefined {
  const end = (to.kind === 'name' ? constants(to) : null) ?? to;
  const least = end.kind === 'call' && /^(?:min(?:Of)?|coerceAtMost)$/.test(end.name) ? end : null;
  const ends = least ? [least.object, ...least.arguments.map(({ value }) => value)] : [end];
  const begun = text.slice(from.start, from.end).trim();
  const times = /^\(?(\w+)\s*\*\s*(\w+)\)?$/.exec(begun);
  for (const one of ends) {
    if (!one) continue;
    const said = text.slice(one.start, one.end).trim();
    const plain = /^\(?(\w+)\s*\+\s*(\w+)\)?$/.exec(said);
    const next = times && /^\(\s*(\w+)\s*\+\s*1\s*\)\s*\*\s*(\w+)$/.exec(said);
    const size =
      plain && plain[1] === begun
        ? plain[2]
        : times && next && next[1] === times[1] && next[2] === times[2]
          ? times[2]
          : undefined;
    const at = { start: one.start, end: one.end };
    if (size !== undefined) return { kind: /^\d/.test(size) ? 'literal' : 'name', text: size, ...at };
  }
  return undefined;
}

/** What a query gives at most: `findTop10ByName(…)`, `findAll(PageRequest.of(page, 20))`, `query("… LIMIT 10")`. */
function pageOf(
  { name, arguments: given }: Call,
  text: string,
  constants: Constants,
  most: Number_,
): Most | null {
  const named = /^[a-z]+(?:Distinct)?(?:Top|First)(\d*)(?=[A-Z]\w*By|By)/.exec(name);
  if (named) return { most: Number(named[1] || 1) };
  for (const { value } of given) {
    const asked = value.kind === 'name' ? constants(value) : value;
    const page = asked?.kind === 'call' ? asked : null;
    if (page && /^(PageRequest\.of|Pageable\.ofSize|Limit\.of)$/.test(calledOn(page)))
      return most(page.arguments[page.name === 'of' && calledOn(page).startsWith('Page') ? 1 : 0]?.value);
  }
  return given[0]
    ? (limitOf(given[0].value, text, constants, most) ?? placedLimit(given, constants, most))
    : null;
}

const calledOn = ({ object, name }: Call) => {
  const owner = ownerOf(object);
  return owner ? `${owner}.${name}` : name;
};

/** `Lists`, `com.google.common.collect.Lists` */
const ownerOf = (object: Node | null): string =>
  object?.kind === 'name'
    ? object.text
    : object?.kind === 'member' && /^[A-Z]/.test(object.name)
      ? object.name
      : '';

const LIMIT =
  /\b(?:limit\s+(\d+)|fetch\s+(?:first|next)\s+(\d+)\s+rows?\s+only)\s*(?:offset\s+\S*\s*)?(?:for\s+(?:no\s+key\s+)?update\s*(?:skip\s+locked|nowait)?)?[\s;]*$/i;

/** What is computed of all rows is one. */
const ONE_ROW =
  /^\s*select\s+(?:count|sum|avg|min|max|bool_and|bool_or|exists)\s*\([^()]*\)\s*(?:(?:as\s+)?\w+\s+)?from\b/i;
const GROUPS = /\bgroup\s+by\b|\bover\b|\bunion\b/i;

/** `… LIMIT 50`, `"… LIMIT " + SIZE` */
export function limitOf(node: Node, text: string, constants: Constants, most: Number_): Most | null {
  if (!/^(text|concat|name|member|call)$/.test(node.kind)) return null;
  const said = node.kind === 'concat' ? node.parts : [];
  const at = said.findIndex(
    (part) => part.kind === 'text' && /\blimit\s+"*$/i.test(text.slice(part.start, part.end)),
  );
  const size = at < 0 ? null : most(said[at + 1]);
  if (size) return { most: size.most };
  const query = textOf(node, constants)?.text ?? '';
  if (ONE_ROW.test(query) && !GROUPS.test(query)) return { most: 1 };
  const found = LIMIT.exec(query);
  return found ? { most: Number(found[1] ?? found[2]) } : null;
}

const PLACED =
  /\blimit\s+(?:\?|:(\w+))\s*(?:for\s+(?:no\s+key\s+)?update\s*(?:skip\s+locked|nowait)?)?[\s;]*$/i;

/** `query("… LIMIT ?", …, SIZE)`, `query("… LIMIT :n", Map.of("n", SIZE))` */
function placedLimit(given: Argument[], constants: Constants, most: Number_): Most | null {
  const [query, ...values] = given.map(({ value }) => value);
  const found = query && PLACED.exec(textOf(query, constants)?.text ?? '');
  if (!found) return null;
  if (found[1] === undefined) return most(values.at(-1));
  for (const value of values) {
    const pairs = value.kind === 'call' ? value.arguments.map((one) => one.value) : [];
    const at = pairs.findIndex((one) => textOf(one, constants)?.text === found[1]);
    if (at >= 0) return most(pairs[at + 1]);
  }
  return null;
}

/** What gives as many, or no more. */
const onward = (name: string, object: Node | null, of: Of): Turns =>
  AS_MANY.test(name) ? of(object) : NO_MORE.test(name) ? atMost(of(object)) : UNKNOWN;

const asTurns = (found: Most | null): Turns =>
  found ? { times: Math.max(0, found.most), ...(!found.exact && { atMost: true }) } : UNKNOWN;

const difference = (to: Most | null, from: Most): Most | null => to && { ...to, most: to.most - from.most };

function shorter(all: Turns[]): Turns {
  const known = all.flatMap(({ times }) => (times === null ? [] : [times]));
  return known.length > 0 ? { times: Math.min(...known), atMost: true } : UNKNOWN;
}

/** Kotlin's `FEW + MORE`, `FEW + "one"` */
function joined(parts: Part[], of: Of): Turns {
  let times = 0;
  for (const [i, { node, operator }] of parts.entries()) {
    const isOne = i > 0 && /^(text|literal)$/.test(node.kind);
    const found = isOne ? { times: 1 } : of(node);
    if (found.times === null || (i > 0 && operator !== '+')) return UNKNOWN;
    times += found.times;
  }
  return { times, atMost: true };
}

/** `new int[3]` */
function sized(node: Several, text: string, most: Number_): Turns | null {
  const last = node.items.at(-1);
  if (
    last?.kind !== 'several' ||
    text[last.start] !== '[' ||
    !/^new\s/.test(text.slice(node.start, node.start + 4))
  )
    return null;
  return asTurns(last.items.length === 1 ? most(last.items[0]) : null);
}

/** `builder().add(…).add(…).build()`, `buildList { add(…) }`: what is put into it, one after the other. */
function put(node: Call, text: string, of: Of): Turns | null {
  if (/^build(List|Set|Map)$/.test(node.name) && !node.object) {
    const block = node.arguments.at(-1)?.value;
    const said = block?.kind === 'lambda' ? text.slice(block.start + 1, block.end - 1) : '{';
    if (said.length > 2000 || /[{}]|::|\b(?:for|while|do|addAll|putAll|repeat|this)\b/.test(said))
      return null;
    return { times: said.match(/\b(?:add|put)\s*\(/g)?.length ?? 0, atMost: true };
  }
  if (node.name !== 'build') return null;
  let times = 0;
  for (let at: Node | null = node.object; at?.kind === 'call'; at = at.object) {
    if (at.name === 'builder') return { times, atMost: true };
    if (at.name === 'addAll') times += of(at.arguments[0]?.value).times ?? Number.NaN;
    else if (/^(add|put)$/.test(at.name)) times += at.name === 'put' ? 1 : at.arguments.length;
    else return null;
    if (Number.isNaN(times)) return null;
  }
  return null;
}

/** `new ArrayList<>(…)`, `Lists.newArrayList(…)` */
export const isFilled = (node: Node): node is Call =>
  node.kind === 'call' &&
  (node.creates !== undefined || /^(?:new[A-Z]|(?:mutable|hash|linked|arrayList)\w*Of$)/.test(node.name));
const isConstant = (node: Node): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(node.kind === 'name' ? node.text : node.kind === 'member' ? node.name : '');

const longest = (all: Turns[]): Turns => {
  const each = all.map(({ times }) => times);
  return each.length > 0 && each.every((one) => one !== null)
    ? { times: Math.max(...each), atMost: true }
    : UNKNOWN;
};

/** What wraps or copies a collection, puts one behind another, or holds what it is given. */
function ofOthers({ name, object, arguments: given, creates }: Call, text: string, of: Of): Turns | null {
  const [first, second, ...more] = given.map(({ value }) => value);
  const owner = ownerOf(object);
  if (creates) return first && !second && COLLECTS.test(creates.name) ? atMost(of(first)) : null;
  if (owner === 'Collections' && /^singleton/.test(name)) return { times: 1 };
  if (owner === 'Arrays' && name === 'stream' && first && !second) return of(first);
  if (owner === 'Optional' && /^of/.test(name)) return { times: 1, atMost: true };
  if (owner === 'Lists' && /^(partition|reverse|transform)$/.test(name)) return atMost(of(first));
  if (COPIES.test(`${owner}.${name}`) && first && !second) return atMost(of(first));
  if (MAKES.test(`${owner}.${name}`) && second) return atMost({ times: given.length });
  if (owner === 'Stream' && name === 'concat' && second && more.length === 0) {
    const [left, right] = [of(first).times, of(second).times];
    return left === null || right === null ? null : { times: left + right };
  }
  if (name !== 'split' || object?.kind !== 'text' || first?.kind !== 'text' || second) return null;
  const [whole, sign] = [object, first].map((one) => text.slice(one.start + 1, one.end - 1));
  return sign && /^[^\\.$|?*+()[\]{}^]+$/.test(sign) ? { times: whole!.split(sign).length } : null;
}

const COLLECTS = /(?:List|Set|Deque|Queue|Map)$/;
const COPIES =
  /^(?:(?:List|Set|Map|Immutable\w+)\.copyOf|Collections\.(?:unmodifiable|synchronized)\w+|Lists\.newArrayList|Sets\.new\w*HashSet)$/;
const MAKES = /^(?:Lists\.newArrayList|Sets\.new\w*HashSet)$/;

export const atMost = (turns: Turns): Turns => (turns.times === null ? turns : { ...turns, atMost: true });

/** Whether it says from where to where. */
export const isRange = ({ items }: Several, text: string): boolean =>
  items.length === 2
    ? /\.\./.test(text.slice(items[0]!.end, items[1]!.start))
    : items.some((item) => item.kind === 'name' && /^(until|downTo|step)$/.test(item.text));

/** `1..3`, `0 until MAX`, `4 downTo 1 step 2`, in brackets or not. */
function ranging({ items, start }: Several, text: string, most: Number_): Turns {
  const [first, how, last, step, by, ...more] = items;
  const upTo = (bound: Node, closed: boolean): Turns => {
    const from = most(first);
    const found = turns(from, most(bound), closed);
    const isWhole = from?.exact && from.most === Number(closed);
    return found.times === null && isWhole ? { ...found, until: bound } : found;
  };
  const isWord = (node: Node | undefined, words: RegExp) => node?.kind === 'name' && words.test(node.text);
  if (items.length === 3 && isWord(how, /^step$/)) return each(first!, most(last), text, most);
  if (items.length === 5 && more.length === 0 && isWord(step, /^step$/))
    return each(
      { kind: 'several', items: [first!, how!, last!], start, end: last!.end },
      most(by),
      text,
      most,
    );
  if (items.length === 2) {
    const between = text.slice(first!.end, how!.start);
    if (!/\.\./.test(between)) return UNKNOWN;
    return upTo(how!, !between.includes('<'));
  }
  if (items.length !== 3) return UNKNOWN;
  if (isWord(how, /^until$/)) return upTo(last!, false);
  const to = most(last);
  return isWord(how, /^downTo$/) && to?.exact ? turns(to, most(first), true) : UNKNOWN;
}

function each(range: Node, by: Most | null, text: string, most: Number_): Turns {
  const found = range.kind === 'several' ? ranging(range, text, most) : UNKNOWN;
  if (found.times === null || !by?.exact || by.most < 1) return UNKNOWN;
  return { ...found, times: Math.ceil(found.times / by.most) };
}

function turns(from: Most | null, to: Most | null, closed: boolean): Turns {
  if (!from?.exact || !to) return UNKNOWN;
  return asTurns({ ...to, most: to.most - from.most + (closed ? 1 : 0) });
}

export const boundIn = (text: string, constants: Constants): number | null =>
  mostOf({ kind: /^\d/.test(text) ? 'literal' : 'name', text, start: 0, end: 0 }, reading(text, constants))
    ?.most ?? null;

/** A number, or what may be a collection that stands written out or is made of such. */
export const isWritten = (value: Node, text: string): boolean =>
  /^(literal|choice|call|concat|cast)$/.test(value.kind) ||
  isOfEnum(value, text) ||
  (value.kind === 'several' && /^(?:new\b|\(*\d)/.test(text.slice(value.start, value.start + 8))) ||
  itemsOf(value, text, () => null) !== null;

/** Null where nobody can say; one argument alone may be an array. */
export function itemsOf(node: Node | null | undefined, text: string, constants: Constants): Node[] | null {
  const made = node?.kind === 'name' || node?.kind === 'member' ? constants(node) : node;
  if (!made) return null;
  if (text[made.start] === '{') return made.kind === 'several' ? made.items : [];
  // `new String[] {"a", "b"}`
  if (made.kind === 'several' && ARRAY.test(text.slice(made.start, made.start + 80)))
    return itemsOf(made.items.at(-1), text, constants);
  if (made.kind !== 'call' || made.creates) return null;
  const { name, object, arguments: given } = made;
  const isMade = object
    ? JAVA.test(name) && OWNER.test(ownerOf(object))
    : KOTLIN.test(name) || name === 'asList';
  if (!isMade || given.length === 0) return null;
  // Kotlin's `*others` are as many as they are.
  if (given.some(({ value }) => text[value.start] === '*' || text[value.start - 1] === '*')) return null;
  const [only, ...more] = given;
  const isOne = ownerOf(object) === 'EnumSet';
  return more.length > 0 || !object || isOne || /^(text|literal)$/.test(only!.value.kind)
    ? given.map(({ value }) => value)
    : null;
}

// Which receivers hold many, and which calls go through them one by one; frameworks have no part in it.
import type { Call, TypeRef } from '../syntax/syntax.ts';
import type { Typed } from './typed.ts';

const MANY =
  /^(java\.util\.(concurrent\.)?((?!Enum|Bit)\w*(List|Set|Map|Collection|Iterable|Iterator|Queue|Deque)|Vector|Stack|Sequence|\w*Array)|java\.util\.stream\.\w*Stream|java\.lang\.Iterable|reactor\.core\.publisher\.Flux|com\.google\.common\.collect\.\w*(?:List|Set|Multiset|Map|Multimap|Table|Iterable|Iterator|Collection|Queue|Deque|Range)s?|io\.smallrye\.mutiny\.Multi|org\.springframework\.batch\.(?:infrastructure\.)?item\.Chunk|kotlinx\.coroutines\.flow\.Flow|org\.jetbrains\.exposed\.sql\.Query)$/;

const HOLDS_ONE =
  /^java\.lang\.ThreadLocal$|^java\.util\.(?:function\.Supplier|concurrent\.atomic\.AtomicReference)$|^(?:javax|jakarta)\.inject\.Provider$/;
const STREAM = 'java.util.stream.Stream';
const ENTRY = 'java.util.Map.Entry';
const PAIR = 'kotlin.Pair';
const NUMBERED = 'kotlin.collections.IndexedValue';
/** Names that nobody imports are taken for those of collections. */
const PAIRS = new Set([PAIR, 'kotlin.Triple', 'java.util.Pair', 'java.util.Triple']);
const PARTED = new Set([ENTRY, NUMBERED, ...PAIRS]);
const UNSAID: Typed = { name: '?', arguments: [] };
const isMap = (type: Typed | null) => /^java\.util\.(concurrent\.)?\w*Map$/.test(type?.name ?? '');

/** Of what each is there once at most: what a set holds, the keys of a map, or of what goes over that. */
export function onceEach(type: Typed | null): Typed | undefined {
  const [first] = type?.arguments ?? [];
  if (first?.name === ENTRY) return first.arguments[0];
  return isMap(type) || /^java\.util\.(concurrent\.)?\w*Set$/.test(type?.name ?? '') ? first : undefined;
}

/** What a callback is given for each element; of some a number, or what came of those before. */
export function givenOf(name: string, type: Typed | null, isForeign: Foreign): (Typed | null)[] {
  if (isMap(type) && type!.arguments.length === 2) return [entryOf(type!)];
  const element = elementOf(type, isForeign);
  if (BEHIND.test(name)) return [null, element];
  return name === 'reduce' || name === 'zipWithNext' ? [element, element] : [element];
}

const BEHIND = /Indexed|^(?:fold|runningFold|scan)$/;
export const isOptional = (type: Typed | null) => type?.name === 'java.util.Optional';
const entryOf = (map: Typed): Typed => ({ name: ENTRY, arguments: map.arguments });

/** `(key, value)` of what is one: what each of them is. */
export const partsOf = (type: Typed | null): Typed[] | null =>
  type && PARTED.has(type.name) && type.arguments.length > 1 ? type.arguments : null;

export const holdsMany = (name: string) => MANY.test(name);
export const isMany = (type: Typed | null) => type !== null && holdsMany(type.name);

/** `call.receive<List<String>>()`: of whoever it is asked, it gives as many. */
export function manyOf({ typeArguments }: Call, type: (ref: TypeRef) => Typed | null): Typed | null {
  const [said, ...more] = typeArguments ?? [];
  const found = said && more.length === 0 ? type(said) : null;
  return isMany(found) ? found : null;
}

/** They call back for each element, whatever they are called on. */
export const ALWAYS = new Set([
  'forEach', 'forEachOrdered', 'forEachIndexed', 'onEach', 'onEachIndexed', 'forEachRemaining', 'forEachLine',
]); // biome-ignore format: one list
/** They call back for each element of what holds many; on an Optional or a Mono once. */
const EACH = new Set([
  'map', 'flatMap', 'filter', 'peek', 'mapToInt', 'mapToLong', 'mapToObj', 'anyMatch', 'allMatch', 'noneMatch',
  'removeIf', 'replaceAll', 'reduce', 'collect', 'mapNotNull', 'mapIndexed', 'filterNot', 'associate', 'associateBy',
  'associateWith', 'groupBy', 'sumOf', 'any', 'all', 'none', 'find', 'fold', 'partition', 'concatMap', 'takeWhile', 'onEach',
  'dropWhile', 'filterIndexed', 'mapIndexedNotNull', 'flatMapIndexed', 'mapValues', 'mapKeys', 'filterValues', 'filterKeys', 'runningFold', 'scan',
  'mapToDouble', 'mapMulti', 'flatMapSequential', 'concatMapDelayError', 'flatMapDelayError', 'filterWhen', 'flatMapIterable', 'concatMapIterable',
  'distinctBy', 'sorted', 'sortedBy', 'sortedByDescending', 'sortedWith', 'takeLastWhile', 'dropLastWhile', 'zip', 'zipWithNext', 'chunked', 'windowed', 'doOnNext', 'delayUntil',
]); // biome-ignore format: one list
/** They too, and what they give is no collection, or one of the elements. */
const ASKS = new Set([
  'count', 'first', 'firstOrNull', 'last', 'lastOrNull', 'single', 'singleOrNull', 'firstNotNullOf', 'firstNotNullOfOrNull',
  'indexOfFirst', 'indexOfLast', 'sumBy', 'maxBy', 'minBy', 'maxByOrNull', 'minByOrNull', 'joinToString', 'maxOf', 'minOf', 'maxOfOrNull', 'minOfOrNull', 'foldIndexed', 'foldRight', 'reduceIndexed', 'reduceOrNull',
  'mapTo', 'mapNotNullTo', 'mapIndexedTo', 'filterTo', 'flatMapTo', 'associateTo', 'associateByTo', 'groupByTo',
]); // biome-ignore format: one list
/** The same elements again. */
const SAME = new Set([
  'stream', 'asSequence', 'asIterable', 'asList', 'sequential', 'parallel', 'parallelStream', 'unordered', 'boxed', 'filter', 'sorted', 'sortedBy', 'sortedByDescending',
  'sortedDescending', 'sortedWith', 'shuffled', 'distinct', 'distinctBy', 'limit', 'skip', 'peek', 'reversed', 'asReversed', 'toList', 'toMutableList',
  'toSet', 'toMutableSet', 'toHashSet', 'toSortedSet', 'toTypedArray', 'values', 'iterator', 'listIterator', 'descendingIterator', 'subList',
  'filterNot', 'filterNotNull', 'filterIsInstance', 'filterIndexed', 'take', 'takeLast', 'takeWhile', 'takeLastWhile', 'drop', 'dropLast', 'dropWhile',
  'dropLastWhile', 'onEach', 'onEachIndexed', 'orEmpty', 'ifEmpty', 'plus', 'minus', 'union', 'intersect', 'subtract', 'doOnNext',
]); // biome-ignore format: one list
const ONE = new Set([
  'get', 'getFirst', 'getLast', 'first', 'last', 'next', 'poll', 'pop', 'remove', 'find', 'findFirst', 'findAny',
  'firstOrNull', 'single', 'orElse', 'orElseThrow', 'orElseGet', 'getOrNull', 'min', 'max',
]); // biome-ignore format: one list
/** They give many, whatever they are called on. */
const STARTS = new Set([
  'stream', 'asSequence', 'keySet', 'entrySet', 'listOf', 'setOf', 'mutableListOf', 'mutableSetOf', 'arrayListOf', 'arrayOf', 'sequenceOf', 'generateSequence',
  'asList', 'chunked', 'asIterable', 'lines', 'lineSequence', 'readLines', 'readAllLines', 'split', 'splitToSequence', 'splitAsStream',
]); // biome-ignore format: one list
/** What holds many, or its type, gives others. */
const OTHERS = new Set([
  'keys', 'entries', 'indices', 'withIndex', 'toMap', 'toMutableMap', 'windowed', 'zip', 'zipWithNext', 'flatten',
  'of', 'copyOf', 'concat', 'iterate', 'generate', 'range', 'rangeClosed', 'fromIterable', 'fromStream', 'ofNullable',
]); // biome-ignore format: one list
/** Kotlin's properties of what holds many that hold many themselves. */
const PARTS = new Set(['keys', 'values', 'entries', 'indices']);

export const loops = (name: string, receiver: Typed | null) =>
  ALWAYS.has(name) || ((EACH.has(name) || ASKS.has(name)) && isMany(receiver));

/** They hold what their callback gives for each element, or all that each of that holds. */
const MAPS = new Set(['map', 'mapToObj', 'mapNotNull', 'mapIndexed', 'mapIndexedNotNull']);
const FLATTENS = new Set(['flatMap', 'flatMapIndexed']);
const list = (of: Typed | null): Typed => ({ name: STREAM, arguments: of ? [of] : [] });
const map = (key: Typed | null, value: Typed | null): Typed => ({
  name: 'java.util.Map',
  arguments: [key ?? UNSAID, value ?? UNSAID],
});

/** The type of the result of a call on a collection or on an Optional whose callback gives such. */
export function givingOf(
  name: string,
  receiver: Typed | null,
  gave: Typed | null,
  isForeign: Foreign,
): Typed | null {
  if (receiver && isOptional(receiver)) {
    if (name === 'map') return { name: receiver.name, arguments: gave ? [gave] : [] };
    return name === 'flatMap' ? (gave ?? receiver) : resultOf(name, receiver);
  }
  if (!isMany(receiver)) return resultOf(name, receiver, isForeign);
  const element = elementOf(receiver);
  if (MAPS.has(name)) return list(gave);
  if (FLATTENS.has(name)) return list(elementOf(gave, isForeign));
  if (name === 'groupBy') return map(gave, list(element));
  if (name === 'associateBy') return map(gave, element);
  if (name === 'associateWith') return map(element, gave);
  if (name === 'mapValues' && isMap(receiver)) return map(receiver!.arguments[0] ?? null, gave);
  return resultOf(name, receiver);
}

/** `List.of(a, b)`, `Optional.ofNullable(a)`, `listOf(a)`: what holds what it is given. */
export function holding(name: string, whose: Typed | null, given: (Typed | null)[]): Typed | null {
  const [first] = given;
  if (first && name === 'zip' && isMany(whose))
    return list({ name: PAIR, arguments: [whose, first].map((one) => elementOf(one) ?? UNSAID) });
  if (!first || first.name.startsWith('java.lang.')) return null;
  if (isOptional(whose) && /^of(?:Nullable)?$/.test(name)) return { name: whose!.name, arguments: [first] };
  const makes =
    whose === null
      ? LISTS.test(name)
      : (isMany(whose) || WHOSE.test(whose.name)) && /^(?:of|asList|singleton(?:List)?)$/.test(name);
  return makes ? list(first) : null;
}

const WHOSE = /^java\.util\.(?:Arrays|Collections)$/;
const LISTS = /^(?:(?:mutable)?(?:List|Set)|array|arrayList|sequence)Of$/i;

/** `toMap(Order::id, Function.identity())`: what it holds by its keys; `gave` is what the last of its functions gives. */
export function mappedOf({ name, arguments: given }: Call, stream: Typed | null, gave: Typed | null) {
  if (!/^to\w*Map$/.test(name)) return null;
  const value = given[1]?.value;
  const isItself = value?.kind === 'call' && value.name === 'identity';
  return map(null, isItself ? elementOf(stream) : given.length === 2 ? gave : null);
}

/** What a call of such a function gives: its last argument, but for what asks. */
export const givenBack = (type: Typed | null): Typed | null =>
  type && /\.(?:\w*Function|Supplier|Callable)$/.test(type.name) ? (type.arguments.at(-1) ?? null) : null;

/** What such a collector makes of a stream, which may say itself what it makes. */
export function collectedOf(collector: string, stream: Typed | null, said: Typed | null): Typed | null {
  if (isMap(said)) return said;
  const element = elementOf(stream);
  if (/^to(?:Unmodifiable)?(?:List|Set|Collection)$/.test(collector)) return list(element);
  if (/^(?:groupingBy(?:Concurrent)?|partitioningBy)$/.test(collector)) return map(null, list(element));
  return null;
}

/** The type of the result of a call on a collection or on an Optional. */
export function resultOf(name: string, receiver: Typed | null, isForeign = ANY): Typed | null {
  const element = receiver?.arguments.at(-1) ?? null;
  if (receiver?.name === ENTRY)
    return name === 'getKey' ? (receiver.arguments[0] ?? null) : name === 'getValue' ? element : null;
  if (isMap(receiver)) {
    if (name === 'entrySet' || name === 'entries') return list(entryOf(receiver!));
    if (name === 'keySet' || name === 'keys')
      return { name: STREAM, arguments: receiver!.arguments.slice(0, 1) };
    if (/^to(?:Sorted|Mutable)?Map$/.test(name)) return receiver;
    if (name === 'getOrDefault' || name === 'computeIfAbsent' || name === 'put') return element;
  }
  if (receiver && HOLDS_ONE.test(receiver.name)) return /^get/.test(name) ? element : null;
  if (isOptional(receiver)) return ONE.has(name) ? element : receiver;
  if (!isMany(receiver))
    return STARTS.has(name) ? list(SAME.has(name) ? elementOf(receiver, isForeign) : null) : null;
  if (SAME.has(name)) return list(element);
  if (name === 'withIndex') return list(element && { name: NUMBERED, arguments: [UNSAID, element] });
  if (name === 'chunked' || name === 'windowed')
    return { name: STREAM, arguments: [{ name: 'java.util.List', arguments: element ? [element] : [] }] };
  if (name === 'partition') {
    const part = { name: STREAM, arguments: element ? [element] : [] };
    return { name: PAIR, arguments: [part, part] };
  }
  if (EACH.has(name) || STARTS.has(name) || OTHERS.has(name)) return { name: STREAM, arguments: [] };
  return ONE.has(name) ? element : null;
}

/** `map.values`, `list.indices`, what a list was parted into. */
export function partOf(name: string, type: Typed | null): Typed | null {
  if (type?.name === ENTRY || type?.name === NUMBERED)
    return type.arguments[name === 'key' ? 0 : name === 'value' ? 1 : 2] ?? null;
  if (type && PAIRS.has(type.name))
    return type.arguments[name === 'first' ? 0 : name === 'second' ? 1 : 2] ?? null;
  return PARTS.has(name) && isMany(type) ? resultOf(name, type) : null;
}

/** `1..n`, `xs + ys`: what stands for many and is no call. */
export const SEVERAL: Typed = { name: STREAM, arguments: [] };

export function elementOf(type: Typed | null, isForeign = ANY): Typed | null {
  if (isMany(type) || isOptional(type)) return type!.arguments.at(-1) ?? null;
  const isOurs = type !== null && ELSEWHERE.test(type.name) && !isForeign(type.name);
  return isOurs ? { name: `${type.name}[]`, arguments: [] } : null;
}

type Foreign = (name: string) => boolean;
const ANY: Foreign = () => true;

/** What another file declares that gives it: `shop.Order.getLines()`, `shop.Order.lines`. */
const ELSEWHERE = /\.[a-z]\w*(?:\(\))?$/;

/** Nothing of interest is called on them; of those that hold many, nobody asks for more. */
const PLAIN = /^(?:java\.(?:lang|util|time|math|io|nio|net)|kotlin)\.|\?/;

/** How other files are told of a type: one that holds many is many of that. */
export function toldAs(type: Typed): string | undefined {
  if (!/^(java|kotlin)\./.test(type.name)) return type.name;
  const element = elementOf(type);
  return element && !PLAIN.test(element.name) ? `${element.name}[]` : undefined;
}

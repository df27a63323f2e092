// Which receivers hold many, and which calls go through them one by one; frameworks have no part in it.
import type { Call, TypeRef } from '../syntax/syntax.ts';
import type { Typed } from './typed.ts';

const MANY =
  /^(java\.util\.(concurrent\.)?((?!Enum|Bit)\w*(List|Set|Map|Collection|Iterable|Iterator|Queue|Deque)|Vector|Stack|Sequence|\w*Array)|java\.util\.stream\.\w*Stream|java\.lang\.Iterable|reactor\.core\.publisher\.Flux|com\.google\.common\.collect\.\w*(?:List|Set|Multiset|Map|Multimap|Table|Iterable|Iterator|Collection|Queue|Deque|Range)s?|io\.smallrye\.mutiny\.Multi|kotlinx\.coroutines\.flow\.Flow|org\.jetbrains\.exposed\.sql\.Query)$/;

const HOLDS_ONE = /^java\.lang\.ThreadLocal$|^java\.util\.concurrent\.atomic\.AtomicReference$/;
const STREAM = 'java.util.stream.Stream';
const ENTRY = 'java.util.Map.Entry';
const PAIR = 'kotlin.Pair';
const isMap = (type: Typed | null) => /^java\.util\.(concurrent\.)?\w*Map$/.test(type?.name ?? '');

/** Of what each is there once at most: what a set holds, the keys of a map, or of what goes over that. */
export function onceEach(type: Typed | null): Typed | undefined {
  const [first] = type?.arguments ?? [];
  if (first?.name === ENTRY) return first.arguments[0];
  return isMap(type) || /^java\.util\.(concurrent\.)?\w*Set$/.test(type?.name ?? '') ? first : undefined;
}

/** What a callback is given for each element: of a map both key and value where it takes both. */
export const givenOf = (type: Typed | null): (Typed | null)[] =>
  isMap(type) && type!.arguments.length === 2 ? type!.arguments : [elementOf(type)];

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

/** The type of the result of a call on a collection or on an Optional. */
export function resultOf(name: string, receiver: Typed | null): Typed | null {
  const element = receiver?.arguments.at(-1) ?? null;
  if (receiver?.name === ENTRY)
    return name === 'getKey' ? (receiver.arguments[0] ?? null) : name === 'getValue' ? element : null;
  if (isMap(receiver)) {
    if (name === 'entrySet' || name === 'entries')
      return { name: STREAM, arguments: [{ name: ENTRY, arguments: receiver!.arguments }] };
    if (name === 'keySet' || name === 'keys')
      return { name: STREAM, arguments: receiver!.arguments.slice(0, 1) };
    if (/^to(?:Sorted|Mutable)?Map$/.test(name)) return receiver;
    if (name === 'getOrDefault' || name === 'computeIfAbsent' || name === 'put') return element;
  }
  if (receiver && HOLDS_ONE.test(receiver.name)) return /^get/.test(name) ? element : null;
  if (receiver?.name === 'java.util.Optional') return ONE.has(name) ? element : receiver;
  if (!isMany(receiver)) return STARTS.has(name) ? { name: STREAM, arguments: [] } : null;
  if (SAME.has(name)) return { name: STREAM, arguments: element ? [element] : [] };
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
  if (type?.name === PAIR) return type.arguments[name === 'first' ? 0 : name === 'second' ? 1 : 2] ?? null;
  return PARTS.has(name) && isMany(type) ? resultOf(name, type) : null;
}

/** `1..n`, `xs + ys`: what stands for many and is no call. */
export const SEVERAL: Typed = { name: STREAM, arguments: [] };

export const elementOf = (type: Typed | null): Typed | null =>
  isMany(type) || type?.name === 'java.util.Optional' ? (type!.arguments.at(-1) ?? null) : null;

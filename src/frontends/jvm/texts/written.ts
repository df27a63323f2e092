// How many items a collection has that stands written out, `listOf("a", "b")`, `1..3`, and which has few: an enum's. It follows no variable but constants.
import type { Loop } from '../../../ir.ts';
import type { Constants } from '../names/scope.ts';
import type { Call, Choice, Node } from '../syntax/syntax.ts';

const KOTLIN = /^(listOf|setOf|arrayOf|sequenceOf|intArrayOf|longArrayOf)$/;
const JAVA = /^(of|asList)$/;
const ARRAY = /^new\s+[\w.]+\s*(?:\[\s*\]\s*)+\{/;
const OWNER = /^(List|Set|Stream|Arrays|IntStream|ImmutableList|ImmutableSet)$/;

/** `Kind.values()`, `Kind.entries`, `EnumSet.allOf(Kind.class)`, perhaps as a stream: a constant or a variable is no type. */
const ENUM =
  /^(?:(?:Arrays\s*\.\s*(?:stream|asList)|(?:Stream|List|Set)\s*\.\s*of)\s*\(\s*)?(?:(?:\w+\s*\.\s*)*[A-Z]\w*[a-z]\w*\s*\.\s*(?:values\s*\(\s*\)|entries\b(?!\s*\())|EnumSet\s*\.\s*\w+\s*\(|enumValues\s*<|\w+(?:\s*\.\s*\w+)*\s*\.\s*getEnumConstants\s*\()/;

/** How many members it has may stand in another file: they are few, and no more than possibly many. */
export const isOfEnum = (node: Node | null | undefined, text: string): boolean =>
  node != null && ENUM.test(text.slice(node.start, Math.min(node.end, node.start + 200)));

export type Turns = Pick<Loop, 'times'> & Partial<Pick<Loop, 'atMost'>>;

export const UNKNOWN: Turns = { times: null };
/** What gives as many as it is called on, and what gives no more. */
const AS_MANY =
  /^(stream|sequential|iterator|map|mapTo(Int|Long|Obj)|mapIndexed|boxed|peek|onEach|sorted(By)?|reversed|toList|collect|toArray|withIndex|asSequence|asIterable|entrySet|entries)$/;
const NO_MORE =
  /^(filter(Not|NotNull|IsInstance)?|mapNotNull|distinct(By)?|skip|drop|takeWhile|dropWhile|toSet|keySet|keys|values)$/;

/** Through how many names a collection is followed: two may be made of each other. */
const NAMES = 4;

/** How many turns a loop over that has, or has at most. */
export function turnsOver(
  node: Node | null | undefined,
  text: string,
  constants: Constants,
  names = 0,
): Turns {
  const items = itemsOf(node, text, constants);
  if (items) return { times: items.length };
  if (node?.kind === 'choice') return longest(arms(node), text, constants, names);
  const held = node?.kind === 'name' || node?.kind === 'member' ? constants(node) : null;
  // What a variable holds that can be filled has what is put into it.
  if (held && held !== node)
    return names === NAMES || (isFilled(held) && !isConstant(node!))
      ? UNKNOWN
      : turnsOver(held, text, constants, names + 1);
  if (node?.kind !== 'call') return node ? ranging(text.slice(node.start, node.end), constants) : UNKNOWN;
  const { name, object, arguments: given } = node;
  const [first, second] = given.map(({ value }) => numberIn(value, constants));
  const owner = object?.kind === 'name' ? object.text : '';
  const others = ofOthers(node, text, constants, names);
  if (others) return others;
  if (/^range(Closed)?$/.test(name) && /^(Int|Long)Stream$/.test(owner))
    return turns(first, second, name === 'rangeClosed');
  if (name === 'nCopies') return turns(0, first, false);
  if (name === 'mapOf' && !object && given.length > 0) return { times: given.length };
  if (name === 'of' && owner === 'Map') return { times: given.length / 2 };
  if (name === 'subList') return atMost(turns(first, second, false));
  if (/^(limit|take|takeLast)$/.test(name) && first !== undefined && first !== null) {
    const { times } = turnsOver(object, text, constants, names);
    return { times: Math.min(first, times ?? first), atMost: true };
  }
  if (AS_MANY.test(name)) return turnsOver(object, text, constants, names);
  return NO_MORE.test(name) ? atMost(turnsOver(object, text, constants, names)) : UNKNOWN;
}

/** `new ArrayList<>(…)`, `Lists.newArrayList(…)` */
const isFilled = (node: Node): boolean =>
  node.kind === 'call' && (node.creates !== undefined || /^new[A-Z]/.test(node.name));
const isConstant = (node: Node): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(node.kind === 'name' ? node.text : node.kind === 'member' ? node.name : '');

const longest = (all: Node[], text: string, constants: Constants, names: number): Turns => {
  const each = all.map((one) => turnsOver(one, text, constants, names).times);
  return each.length > 0 && each.every((one) => one !== null)
    ? { times: Math.max(...each), atMost: true }
    : UNKNOWN;
};

/** Both of `quick ? FEW : MANY`; of what has no other arm nobody knows. */
const arms = ({ arms: all, exhaustive, isElse }: Choice): Node[] => (exhaustive && !isElse ? all : []);

/** What wraps or copies a collection, puts one behind another, or holds what it is given. */
function ofOthers(
  { name, object, arguments: given, creates }: Call,
  text: string,
  constants: Constants,
  names: number,
): Turns | null {
  const [first, second, ...more] = given.map(({ value }) => value);
  const owner = object?.kind === 'name' ? object.text : '';
  const of = (node: Node | undefined) => turnsOver(node, text, constants, names);
  if (creates) return first && !second && COLLECTS.test(creates.name) ? atMost(of(first)) : null;
  if (owner === 'Collections' && /^singleton/.test(name)) return { times: 1 };
  if (owner === 'Arrays' && name === 'stream' && first && !second) return of(first);
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

const BOUND = String.raw`\s*(\w+)\s*`;
const RANGE = new RegExp(`^\\(?${BOUND}(\\.\\.<?|until|downTo)${BOUND}(?:step${BOUND})?\\)?$`);

/** `1..3`, `0 until MAX`, `4 downTo 1`, in brackets or not. */
function ranging(text: string, constants: Constants): Turns {
  const found = text.length < 80 ? RANGE.exec(text) : null;
  if (!found) return UNKNOWN;
  const [, first, how, last, step = '1'] = found as unknown as [string, string, string, string, string?];
  const [from, to, by] = [first, last, step].map((bound) => boundIn(bound, constants));
  const { times } = how === 'downTo' ? turns(to, from, true) : turns(from, to, how === '..');
  return times === null || !by ? UNKNOWN : { times: Math.ceil(times / by) };
}

export const turns = (
  from: number | null | undefined,
  to: number | null | undefined,
  closed: boolean,
): Turns => (from == null || to == null ? UNKNOWN : { times: Math.max(0, to - from + (closed ? 1 : 0)) });

export function numberIn(node: Node, constants: Constants): number | null {
  const said = node.kind === 'name' ? constants(node) : node;
  return said?.kind === 'literal' && /^\d[\d_]*L?$/i.test(said.text)
    ? Number.parseInt(said.text.replaceAll('_', ''), 10)
    : null;
}

export const boundIn = (text: string, constants: Constants): number | null =>
  numberIn({ kind: /^\d/.test(text) ? 'literal' : 'name', text, start: 0, end: 0 }, constants);

/** A number, or what may be a collection that stands written out or is made of such. */
export const isWritten = (value: Node, text: string): boolean =>
  value.kind === 'literal' ||
  value.kind === 'choice' ||
  (value.kind === 'call' && !isFilled(value)) ||
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
    ? JAVA.test(name) && object.kind === 'name' && OWNER.test(object.text)
    : KOTLIN.test(name) || name === 'asList';
  if (!isMade || given.length === 0) return null;
  // Kotlin's `*others` are as many as they are.
  if (given.some(({ value }) => text[value.start] === '*' || text[value.start - 1] === '*')) return null;
  const [only, ...more] = given;
  return more.length > 0 || !object || /^(text|literal)$/.test(only!.value.kind)
    ? given.map(({ value }) => value)
    : null;
}

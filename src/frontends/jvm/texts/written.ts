// How many items a collection has that stands written out, `listOf("a", "b")`, `1..3`, and which has few: an enum's. It follows no variable but constants.
import type { Loop } from '../../../ir.ts';
import type { Constants } from '../names/scope.ts';
import type { Node, Repeat } from '../syntax/syntax.ts';

const KOTLIN = /^(listOf|setOf|arrayOf|sequenceOf|intArrayOf|longArrayOf)$/;
const JAVA = /^(of|asList)$/;
const OWNER = /^(List|Set|Stream|Arrays|IntStream|ImmutableList|ImmutableSet)$/;

/** `Kind.values()`, `Kind.entries`, `EnumSet.allOf(Kind.class)`, perhaps as a stream: a constant or a variable is no type. */
const ENUM =
  /^(?:(?:Arrays\s*\.\s*(?:stream|asList)|(?:Stream|List|Set)\s*\.\s*of)\s*\(\s*)?(?:(?:\w+\s*\.\s*)*[A-Z]\w*[a-z]\w*\s*\.\s*(?:values\s*\(\s*\)|entries\b(?!\s*\())|EnumSet\s*\.\s*\w+\s*\(|enumValues\s*<|\w+(?:\s*\.\s*\w+)*\s*\.\s*getEnumConstants\s*\()/;

/** How many members it has may stand in another file: they are few, and no more than possibly many. */
export const isOfEnum = (node: Node | null | undefined, text: string): boolean =>
  node != null && ENUM.test(text.slice(node.start, Math.min(node.end, node.start + 200)));

export type Turns = Pick<Loop, 'times'> & Partial<Pick<Loop, 'atMost'>>;

const UNKNOWN: Turns = { times: null };
/** What gives as many as it is called on, and what gives no more. */
const AS_MANY =
  /^(stream|sequential|iterator|map|mapTo(Int|Long|Obj)|mapIndexed|boxed|peek|onEach|sorted(By)?|reversed|toList|collect|withIndex|asSequence|asIterable|entrySet|entries)$/;
const NO_MORE =
  /^(filter(Not|NotNull|IsInstance)?|mapNotNull|distinct(By)?|skip|drop|takeWhile|dropWhile|toSet|keySet|keys|values)$/;

/** How many turns a loop over that has, or has at most. */
export function turnsOver(node: Node | null | undefined, text: string, constants: Constants): Turns {
  const items = itemsOf(node, text, constants);
  if (items) return { times: items.length };
  if (node?.kind !== 'call') return node ? ranging(text.slice(node.start, node.end), constants) : UNKNOWN;
  const { name, object, arguments: given } = node;
  const [first, second] = given.map(({ value }) => numberIn(value, constants));
  const owner = object?.kind === 'name' ? object.text : '';
  if (/^range(Closed)?$/.test(name) && /^(Int|Long)Stream$/.test(owner))
    return turns(first, second, name === 'rangeClosed');
  if (name === 'mapOf' && !object && given.length > 0) return { times: given.length };
  if (name === 'of' && owner === 'Map') return { times: given.length / 2 };
  if (name === 'subList') return atMost(turns(first, second, false));
  if (/^(limit|take|takeLast)$/.test(name) && first !== undefined && first !== null) {
    const { times } = turnsOver(object, text, constants);
    return { times: Math.min(first, times ?? first), atMost: true };
  }
  if (AS_MANY.test(name)) return turnsOver(object, text, constants);
  return NO_MORE.test(name) ? atMost(turnsOver(object, text, constants)) : UNKNOWN;
}

const atMost = (turns: Turns): Turns => (turns.times === null ? turns : { ...turns, atMost: true });

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

const FROM = new RegExp(`^(?:final\\s+)?\\w+\\s+(\\w+)\\s*=${BOUND};?$`);
const UP_TO = new RegExp(`^(\\w+)\\s*(<=?)${BOUND}$`);
const UP = /^(?:(\w+)\s*\+\+|\+\+\s*(\w+))$/;

/** `for (int i = 0; i < MAX; i++)` */
function counting({ first, every }: Repeat, text: string, constants: Constants): Turns {
  const said = ({ start, end }: Node) => text.slice(start, Math.min(end, start + 80));
  if (first.length !== 1 || every.length !== 2) return UNKNOWN;
  const [begin, test, step] = [
    FROM.exec(said(first[0]!)),
    UP_TO.exec(said(every[0]!)),
    UP.exec(said(every[1]!)),
  ];
  if (!begin || !test || !step || test[1] !== begin[1] || (step[1] ?? step[2]) !== begin[1]) return UNKNOWN;
  return turns(boundIn(begin[2]!, constants), boundIn(test[3]!, constants), test[2] === '<=');
}

const TRIED = new RegExp(`^(\\w+)\\s*(\\+\\+)?\\s*(<=?)${BOUND}$`);

/** `while (n++ < MAX)`, `while (n < MAX) { …; n++; }`: at most so many, if nothing else sets `n` and each turn comes to it. */
function tried({ every, body }: Repeat, text: string, constants: Constants): Turns {
  const [test] = every;
  const found = test && TRIED.exec(text.slice(test.start, Math.min(test.end, test.start + 80)));
  if (!found || every.length !== 1) return UNKNOWN;
  const [, name, counts, sign, last] = found;
  const inner = text.slice(body.start, body.end);
  const steps =
    body.kind === 'sequence' ? body.items.map(({ start, end }) => UP.exec(text.slice(start, end))) : [];
  const isStep = (step: RegExpExecArray | null) => step !== null && (step[1] ?? step[2]) === name;
  const sets = new RegExp(`\\b${name}\\s*(?:[-+*/]?=(?!=)|--)|--\\s*${name}\\b|\\bcontinue\\b`);
  if (sets.test(inner) || !(counts || steps.some(isStep))) return UNKNOWN;
  return atMost(turns(0, boundIn(last!, constants), sign === '<='));
}

/** How many turns a loop statement has. */
export function turnsIn(node: Repeat, text: string, constants: Constants): Turns {
  if (node.how === 'while') return tried(node, text, constants);
  const list = node.how === 'each' || node.every.length === 0 ? node.first.at(-1) : null;
  return list ? turnsOver(list, text, constants) : counting(node, text, constants);
}

const turns = (from: number | null | undefined, to: number | null | undefined, closed: boolean): Turns =>
  from == null || to == null ? UNKNOWN : { times: Math.max(0, to - from + (closed ? 1 : 0)) };

export function numberIn(node: Node, constants: Constants): number | null {
  const said = node.kind === 'name' ? constants(node) : node;
  return said?.kind === 'literal' && /^\d[\d_]*L?$/i.test(said.text)
    ? Number.parseInt(said.text.replaceAll('_', ''), 10)
    : null;
}

const boundIn = (text: string, constants: Constants): number | null =>
  numberIn({ kind: /^\d/.test(text) ? 'literal' : 'name', text, start: 0, end: 0 }, constants);

/** Null where nobody can say; one argument alone may be an array. */
export function itemsOf(node: Node | null | undefined, text: string, constants: Constants): Node[] | null {
  const made = node?.kind === 'name' || node?.kind === 'member' ? constants(node) : node;
  if (made?.kind !== 'call' || made.creates) return null;
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

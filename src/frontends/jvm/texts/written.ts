// How many items a collection has that stands written out, `listOf("a", "b")`, and which has few: an enum's. It follows no variable but constants.
import type { Node } from '../syntax/syntax.ts';
import type { Constants } from './text.ts';

const KOTLIN = /^(listOf|setOf|arrayOf|sequenceOf|intArrayOf|longArrayOf)$/;
const JAVA = /^(of|asList)$/;
const OWNER = /^(List|Set|Stream|Arrays|IntStream|ImmutableList|ImmutableSet)$/;

/** `Kind.values()`, `Kind.entries`, `EnumSet.allOf(Kind.class)`, perhaps as a stream: a constant or a variable is no type. */
const ENUM =
  /^(?:(?:Arrays\s*\.\s*(?:stream|asList)|(?:Stream|List|Set)\s*\.\s*of)\s*\(\s*)?(?:(?:\w+\s*\.\s*)*[A-Z]\w*[a-z]\w*\s*\.\s*(?:values\s*\(\s*\)|entries\b(?!\s*\())|EnumSet\s*\.\s*\w+\s*\(|enumValues\s*<|\w+(?:\s*\.\s*\w+)*\s*\.\s*getEnumConstants\s*\()/;

/** How many members it has may stand in another file: they are few, and no more than possibly many. */
export const isOfEnum = (node: Node | null | undefined, text: string): boolean =>
  node != null && ENUM.test(text.slice(node.start, Math.min(node.end, node.start + 200)));

/** Null where nobody can say; one argument alone may be an array. */
export const writtenOut = (
  node: Node | null | undefined,
  text: string,
  constants: Constants,
): number | null => itemsOf(node, text, constants)?.length ?? null;

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

// What is the same in each turn of a loop, and a block that is handed to who goes over something as the loop that it is. How many turns that has is told elsewhere.
import type { Sight, Turning } from '../names/scope.ts';
import type { Call, Node } from '../syntax/syntax.ts';

/** `rows.forEach { … }`, `rows.forEachIndexed { i, row -> … }`, `IntStream.range(0, n).forEach(i -> …)` */
export function turningOf({ name, object, start, end }: Call, value: Node): Turning {
  const block = value.kind === 'lambda' ? value : null;
  const items = block?.parameters.map((one) => one.name) ?? [];
  const isCounted = name === 'repeat' || /Indexed/.test(name) || isRange(object);
  return { start, end, body: block?.body ?? value, items, ...(isCounted && { index: items[0] }) };
}

/** `toMap(Row::id, this::store)`: collectors that call what they are given for each element. */
export const collects = ({ name, object }: Call): boolean =>
  COLLECTORS.has(name) && (object === null || (object.kind === 'name' && object.text === 'Collectors'));
const COLLECTORS = new Set([
  'groupingBy', 'groupingByConcurrent', 'partitioningBy', 'toMap', 'toConcurrentMap', 'toUnmodifiableMap', 'mapping', 'flatMapping',
  'filtering', 'reducing', 'summingInt', 'summingLong', 'summingDouble', 'averagingInt', 'averagingLong', 'averagingDouble',
  'summarizingInt', 'summarizingLong', 'summarizingDouble',
]); // biome-ignore format: one list

function isRange(node: Node | null): boolean {
  return node?.kind === 'call' && /^range/.test(node.name) && node.object?.kind === 'name';
}

/** `init()`, `this.init()`: of the object that it stands in, which is the same in each turn. */
export function asksItself(
  { name, arguments: given }: Call,
  object: Node | null,
  { owner, receivers }: Sight,
): boolean {
  const isItself = object === null || (object.kind === 'name' && object.text === 'this');
  return isItself && given.length === 0 && receivers.length === 0 && owner?.methods.has(name) === true;
}

// Which rows a statement picks that a chain of calls builds: `where(ACCOUNT.ID.eq(id))`, `where { Orders.id eq id }`. It lowers nothing.
import type { Name, Step } from '../../../ir.ts';
import { comparing } from '../names/known.ts';
import type { World } from '../names/scope.ts';
import { snake } from '../names/snake.ts';
import type { Call, Node } from '../syntax/syntax.ts';
import { valueIn } from './bound.ts';

/** Tells the statements among the steps of a chain which rows they pick, and what it locks which table. */
export function picked(links: Call[], table: Name | null, steps: Step[], world: World): void {
  if (steps.length === 0) return;
  if (links.some((link) => skips(link, world))) skipLocked(steps);
  if (!(table || links.some(({ name }) => comparing.within.has(name)))) return;
  const made = steps.flatMap(withMeanings);
  const relation = table ?? made.find((step) => step.kind === 'read')?.relation ?? null;
  let keys: string[] | null | undefined;
  for (const step of made) {
    const isLock = step.kind === 'row lock';
    if (!isLock && !(step.kind === 'write' && step.verb !== 'insert')) continue;
    if (isLock && relation) step.relation = relation;
    if (keys === undefined) keys = keysOf(links, world);
    if (keys && !step.keys && links.some(({ at }) => at.start === step.at.start)) step.keys = keys;
  }
}

const withMeanings = (step: Step): Step[] =>
  step.kind === 'call' ? [step, ...(step.meanings ?? []).flatMap((one) => one.steps)] : [step];

/** `skipLocked()`, `setHint(name, LockOptions.SKIP_LOCKED)`, `setHint(name, "-2")` */
function skips({ name, arguments: given }: Call, world: World): boolean {
  const last = given.at(-1)?.value;
  return comparing.skips.has(name) || (last ? comparing.skips.has(`${name} ${said(last, world)}`) : false);
}

/** A constant by its last name, a number, a text. */
const said = ({ start, end }: Node, { text }: World) => lastPart(text.slice(start, end).replaceAll('"', ''));

/** Whether one of these words stands in it, however deep. */
export function says(node: Node, words: string[], world: World): boolean {
  const parts = inside(node);
  return parts.length > 0
    ? parts.some((part) => says(part, words, world))
    : words.includes(said(node, world));
}

/** What these lock skips rows that others have locked. */
export function skipLocked(steps: Step[]): void {
  for (const step of steps.flatMap(withMeanings)) if (step.kind === 'row lock') step.skipLocked = true;
}

/** Null where there are none, or one of several is enough. */
function keysOf(links: Call[], world: World): string[] | null {
  const keys: string[] = [];
  if (links.some(({ name }) => comparing.either.has(name))) return null;
  const rest = links
    .filter(({ name }) => comparing.within.has(name))
    .flatMap((link) => link.arguments.map(({ value }) => value));
  for (let node = rest.pop(); node; node = rest.pop()) {
    const compared = comparedIn(node);
    if (!compared) {
      rest.push(...inside(node));
      continue;
    }
    const { left, word, right } = compared;
    const is = lastPart(world.names.function(word) ?? word);
    if (comparing.either.has(is)) return null;
    const column = comparing.equal.has(is) && right.length === 1 ? columnOf(left) : null;
    const value = column && valueIn(world.text.slice(right[0]!.start, right[0]!.end));
    if (value) keys.push(`${snake(column)}=${value}`);
    else rest.push(left, ...right);
  }
  return keys.length > 0 ? keys : null;
}

/** `ACCOUNT.ID.eq(id)`, `Orders.id eq id`, and what joins two of them. */
function comparedIn(node: Node): { left: Node; word: string; right: Node[] } | null {
  if (node.kind === 'call' && node.object)
    return { left: node.object, word: node.name, right: node.arguments.map(({ value }) => value) };
  if (node.kind !== 'several' || node.items.length !== 3) return null;
  const [left, word, right] = node.items as [Node, Node, Node];
  return word.kind === 'name' ? { left, word: word.text, right: [right] } : null;
}

export function inside(node: Node): Node[] {
  switch (node.kind) {
    case 'call':
      return node.arguments.map(({ value }) => value);
    case 'lambda':
      return [node.body];
    case 'several':
    case 'sequence':
      return node.items;
    case 'concat':
      return node.parts;
    default:
      return [];
  }
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/** `ACCOUNT.ID`, `Orders.id`, `id`. */
const columnOf = (node: Node): string | null =>
  node.kind === 'member' ? node.name : node.kind === 'name' ? node.text : null;

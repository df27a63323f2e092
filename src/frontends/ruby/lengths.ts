// How often a loop turns, where the text says so: a number, a range, a collection that is written out. It lowers nothing.
import { child, type Syntax } from '../syntax.ts';
import type { Body } from './file.ts';
import { heldBy, thawed } from './held.ts';
import { type Arguments, parts, textOf } from './syntax.ts';

/** What is known of how often it runs its block; `limit(10)` and `first(10)` give ten, or fewer. */
export function often(body: Body, receiver: Syntax | undefined, name: string, args: Arguments) {
  const times = receiver ? turns(body, receiver, name, args) : null;
  if (times !== null || receiver?.type !== 'call') return { times };
  const most = /^(?:limit|first|last|take|sample)$/.test(
    textOf(body.file, child(receiver, 'method') ?? receiver),
  );
  const given = most ? parts(child(receiver, 'arguments')) : [];
  const limit = given.length === 1 ? number(body, given[0]!) : null;
  return limit === null ? { times } : { times: limit, atMost: true as const };
}

/** How often `3.times`, `(1..10).each` or `[a, b].each` run. */
function turns(body: Body, receiver: Syntax, name: string, args: Arguments): number | null {
  if (name === 'times' && receiver.type === 'integer') return number(body, receiver);
  let inner: Syntax = receiver;
  while (inner.type === 'parenthesized_statements' && parts(inner).length === 1) inner = parts(inner)[0]!;
  if (name === 'upto' && args.positional[0]) return count(body, inner, args.positional[0], 1);
  if (inner.type === 'range') {
    const [from, to] = [child(inner, 'begin'), child(inner, 'end')];
    const exclusive = textOf(body.file, inner).includes('...');
    return from && to ? count(body, from, to, exclusive ? 0 : 1) : null;
  }
  if (!/^(each|map|each_with_index|flat_map|each_with_object|reverse_each|each_pair)$/.test(name))
    return null;
  if (inner.type === 'constant' || inner.type === 'scope_resolution')
    inner = thawed(body, heldBy(body, inner));
  else if (inner.type === 'identifier' && stays(body, inner)) inner = thawed(body, heldBy(body, inner));
  if (!/^(array|string_array|symbol_array|hash)$/.test(inner.type)) return null;
  return inner.children.some(({ type }) => /splat/.test(type)) ? null : parts(inner).length;
}

/** It looks at a collection and leaves it as it is. */
const LOOKS =
  'each|map|each_with_index|flat_map|each_with_object|reverse_each|each_pair|size|length|count|any\\?|empty\\?|' +
  'include\\?|first|last|join|sum|index_by|group_by|to_h|inspect';

/** The variable is given a value once in its method, and nothing is done to that but looking at it. */
function stays(body: Body, node: Syntax): boolean {
  const name = textOf(body.file, node);
  // A parameter's default is not all that callers give.
  if (body.locals.get(name)?.value?.parent?.type !== 'assignment') return false;
  let whole: Syntax = node;
  while (whole.parent && !/^(singleton_)?method$/.test(whole.type)) whole = whole.parent;
  const text = textOf(body.file, whole);
  const mentions = [...text.matchAll(new RegExp(`(?<![\\w.@$:])${name}(?![\\w?!:])(\\s*=(?![=~>]))?`, 'g'))];
  const looks = new RegExp(`\\s*\\.(${LOOKS})(?!\\w)`, 'y');
  const others = mentions.filter(({ 0: found, 1: set, index }) => {
    looks.lastIndex = index + found.length;
    return !set && !looks.test(text);
  });
  return others.length === 0 && mentions.filter(({ 1: set }) => set).length === 1;
}

function count(body: Body, from: Syntax, to: Syntax, more: number): number | null {
  const [low, high] = [number(body, from), number(body, to)];
  return low === null || high === null ? null : Math.max(0, high - low + more);
}

function number(body: Body, node: Syntax): number | null {
  if (node.type !== 'integer') return null;
  const value = Number(textOf(body.file, node).replaceAll('_', ''));
  return Number.isFinite(value) ? value : null;
}

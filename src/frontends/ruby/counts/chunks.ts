// Loops that take several items in each turn: how many. What a turn does with them is not asked.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { meaningsOf } from '../names/meaning.ts';
import { optionOf } from '../names/options.ts';
import { type Arguments, argumentsOf, textOf } from '../syntax.ts';

const TURNS = /^(each|map|flat_map|each_with_index|with_index|each_with_object|with_object)$/;

/** `each_slice(100)`, and `each_slice(100).map`: a turn takes a hundred of them. */
export function chunked(
  body: Body,
  name: string,
  args: Arguments,
  receiver?: Syntax,
): { chunk?: number | null } {
  const its = meaningsOf(name).find(({ chunk }) => chunk)?.chunk;
  if (its && typeof its.of !== 'object') {
    const given = optionOf(body, args, its.of);
    return { chunk: given ? Number(given.literal?.replaceAll('_', '')) || null : (its.usual ?? null) };
  }
  const maker = receiver && TURNS.test(name) ? (child(receiver, 'method') ?? receiver) : undefined;
  return receiver && maker ? chunked(body, textOf(body.file, maker), argumentsOf(body.file, receiver)) : {};
}

// How many rows or items a call gives at most by what it is told: `first(3)`, `limit(3)`, `per_page: 3`. Which number that is is asked back.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { chained } from '../names/meaning.ts';
import { argumentsOf, textOf } from '../syntax.ts';
import { SOME } from './made.ts';

/** `rows.first(3)`, `Row.limit(3).order(:id)`. */
export function limited(
  body: Body,
  receiver: Syntax,
  number: (node: Syntax) => number | null,
): number | null {
  let at: Syntax | undefined = receiver;
  for (let i = 0; at?.type === 'call' && i < 20; i++) {
    const method = textOf(body.file, child(at, 'method') ?? at);
    const given = limitIn(body, at, method);
    const limit = given ? number(given) : null;
    if (limit !== null) return limit;
    if (!chained.passes.has(method) && !chained.picks.has(method)) return null;
    at = child(at, 'receiver');
  }
  return null;
}

/** `3` of `first(3)`, of `per_page: 3`. */
function limitIn({ file }: Body, call: Syntax, method: string): Syntax | undefined {
  const named = chained.limits.get(method);
  if (named === undefined && !SOME.test(method)) return undefined;
  const { positional, keywords } = argumentsOf(file, call);
  if (typeof named === 'string') return keywords.get(named)?.value;
  return positional.length === 1 && keywords.size === 0 ? positional[0] : undefined;
}

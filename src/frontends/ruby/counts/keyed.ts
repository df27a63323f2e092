// Whether a condition asks a container for a key that its own arm fills, so that it holds once for each key: `cache[r.country] ||= …`. How many keys there are nobody knows.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { stays } from '../names/staying.ts';
import { argumentsOf, parts, textOf } from '../syntax.ts';
import { type Around, type Asked, around, type Seldom } from './around.ts';
import { loopsOf } from './first.ts';
import { onlyValue } from './numbers.ts';
import { sharesWithOthers } from './picks.ts';

/** `unless cache.key?(r.country)`, `if cache[r.country].nil?`, `if seen.add?(r.country)` */
export function askedByKey(
  body: Body,
  { condition: node, wanted, arm }: Asked,
  loops: Around,
): Seldom | null {
  const { file } = body;
  const called = node.type === 'call' ? textOf(file, child(node, 'method') ?? node) : '';
  const receiver = child(node, 'receiver');
  if (receiver && /^(nil|blank)\?$/.test(called) && wanted) return askedBy(body, receiver, arm, loops);
  if (receiver && called === 'present?' && !wanted) return askedBy(body, receiver, arm, loops);
  if (node.type === 'element_reference') return wanted ? null : askedBy(body, node, arm, loops);
  const [key] = argumentsOf(file, node).positional;
  if (!receiver || !key) return null;
  if (called === 'add?') return wanted ? turnsOf(body, receiver, key, arm, loops) : null;
  const isAsked = !wanted && /^(key|has_key|include|member)\?$/.test(called);
  return isAsked && fills(body, receiver, key, arm) ? turnsOf(body, receiver, key, arm, loops) : null;
}

/** `cache[r.country] ||= …` */
export function whileMissing(body: Body, left: Syntax): Seldom | null {
  const [held, key] = parts(left);
  const loops = around(body, left);
  return held && key && loops ? turnsOf(body, held, key, left.parent!, loops) : null;
}

function askedBy(body: Body, asked: Syntax, arm: Syntax, loops: Around): Seldom | null {
  const [held, key] = asked.type === 'element_reference' ? parts(asked) : [];
  return held && key && fills(body, held, key, arm) ? turnsOf(body, held, key, arm, loops) : null;
}

/** What follows in the same list puts the key into it. */
function fills({ file }: Body, held: Syntax, key: Syntax, arm: Syntax): boolean {
  const rest = file.text.slice(arm.start, Math.max(arm.end, arm.parent?.end ?? 0));
  const [its, by] = [textOf(file, held), textOf(file, key)];
  return [
    `${its}[${by}] =`,
    `${its}[${by}] ||=`,
    `${its} << ${by}`,
    `${its}.add(${by})`,
    `${its}.push(${by})`,
  ].some((one) => rest.includes(one));
}

/** Where the container is there before the loop, and what is asked for may be the same in several of its turns. */
function turnsOf(body: Body, held: Syntax, key: Syntax, arm: Syntax, loops: Around): Seldom | null {
  const of = loopsOf(body, held, arm);
  if (!of) return null;
  const [inner, outer] = [of.loops[0]!, of.loops.at(-1)!];
  if (stays(body, key, outer)) return { turns: 1, of: of.all ? 'in loops' : 'in loop' };
  const from = key.type === 'identifier' ? (onlyValue(body, key) ?? key) : key;
  return stays(body, key, inner) || sharesWithOthers(body, from, loops) ? { turns: 1, of: 'in loop' } : null;
}

// Calls from which nothing comes back: of methods that always throw, and of Kotlin's own. It asks no other file.
import type { Step } from '../../ir.ts';
import type { Sight, World } from './scope.ts';
import type { Call, Method } from './syntax.ts';

/** What runs after a call that throws in any case. */
export function thrownBy(node: Call, sight: Sight, world: World): Step[] {
  return isEnd(node, sight, world) ? [{ kind: 'exit', how: 'raise', at: node.at }] : [];
}

function isEnd({ object, name, creates }: Call, { owner, locals }: Sight, world: World): boolean {
  const isOwn = !creates && (!object || (object.kind === 'name' && object.text === 'this'));
  if (!isOwn || locals.has(name)) return false;
  for (let at = owner; at; at = at.outer) {
    const found = at.methods.get(name);
    if (found) return found.every((method) => throws(method, world));
  }
  const found = world.functions.get(name);
  if (found) return found.every((method) => throws(method, world));
  return world.isKotlin && OF_KOTLIN.has(name) && world.names.function(name) === null;
}

const OF_KOTLIN = new Set(['error', 'TODO']);

/** Its last statement throws, and none before it returns. */
function throws({ body, returns, start, end }: Method, { text, isKotlin }: World): boolean {
  if (isKotlin && returns?.name === 'Nothing') return true;
  const items = body?.kind === 'sequence' || body?.kind === 'several' ? body.items : [];
  const last = items.at(-1);
  return (
    last?.kind === 'leave' &&
    last.how === 'raise' &&
    !/(?<![\w$])return(?![\w$])/.test(text.slice(start, end))
  );
}

// Calls from which nothing comes back: of methods that always throw, and of Kotlin's own. It asks no other file.
import type { Sight, World } from '../names/scope.ts';
import type { Call, Method } from '../syntax/syntax.ts';

/** Whether it throws in any case. */
export function neverReturns(
  { object, name, creates }: Call,
  { owner, locals }: Sight,
  world: World,
): boolean {
  if (creates || (object && !(object.kind === 'name' && object.text === 'this')) || locals.has(name))
    return false;
  for (let at = owner; at; at = at.outer) {
    const found = at.methods.get(name);
    if (found) return found.every((method) => isThrowing(method, world));
  }
  const found = world.functions.get(name);
  if (found) return found.every((method) => isThrowing(method, world));
  return world.isKotlin && OF_KOTLIN.has(name) && world.names.function(name) === null;
}

const OF_KOTLIN = new Set(['error', 'TODO']);

const known = new WeakMap<Method, boolean>();
function isThrowing(method: Method, world: World): boolean {
  let is = known.get(method);
  if (is === undefined) {
    is = throws(method, world);
    known.set(method, is);
  }
  return is;
}

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

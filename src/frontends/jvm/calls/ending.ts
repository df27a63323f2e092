// Calls from which nothing comes back: of methods that always throw, of Kotlin's own, and of what ends the program. It asks no other file.
import { apis } from '../names/known.ts';
import type { Sight, World } from '../names/scope.ts';
import type { Call, Method } from '../syntax/syntax.ts';

/** Whether it throws in any case. */
export function neverReturns(
  { object, name, creates }: Call,
  { owner, locals }: Sight,
  world: World,
): boolean {
  if (creates || (object && object.kind !== 'name')) return false;
  if (object && object.text !== 'this') {
    const type = locals.has(object.text) ? null : world.names.typeNamed(object.text, owner?.around ?? []);
    return type !== null && apis.get(`${type}.${name}`)?.raises !== undefined;
  }
  if (locals.has(name)) return false;
  for (let at = owner; at; at = at.outer) {
    const found = at.methods.get(name);
    if (found) return found.every((method) => isThrowing(method, world));
  }
  const found = world.functions.get(name);
  if (found) return found.every((method) => isThrowing(method, world));
  const path = world.names.function(name);
  if (path !== null) return apis.get(path)?.raises !== undefined;
  return world.isKotlin && OF_KOTLIN.has(name);
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

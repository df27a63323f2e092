// What a map is asked for by a key that turns of a loop share: it is made for the first of them. It lowers nothing.
import type { Block, Step } from '../../../ir.ts';
import { outward, type Sight, type Turning, type World } from '../names/scope.ts';
import type { Call } from '../syntax/syntax.ts';
import { settings } from '../texts/retold.ts';

const CONSTANT = /^(?:"[^"$]*"|\d+|(?:\w+\.)*[A-Z][A-Z0-9_]+)$/;
const OF_ITEM =
  /^([\w\u00aa-\uffff]+)\??\.(?:get([A-Z][\w\u00aa-\uffff]*)\(\)|([a-z][\w\u00aa-\uffff]*)(?:\(\))?)$/;
const NAMES_ONE = /^(?:id|uuid|slug|code|key|number|email|sku|path|url|hash|\w*name)$/i;

/** How many of the loops around make it once, the innermost ones; a constant is one key for all of them. */
export function loopsSharing(
  map: string,
  key: string,
  { turning = [], locals, owner }: Sight,
  { text }: World,
): number {
  const [, name] = /^(?:this\s*\.\s*)?([a-z_\u00aa-\uffff][\w\u00aa-\uffff]*)$/.exec(map) ?? [];
  if (name === undefined || !(locals.has(name) || owner?.fields.has(name))) return 0;
  const stays = outward(turning, (around) => {
    const within = text.slice(around.start, around.end);
    const loses = new RegExp(`(?<![\\w$.])${name}\\.(?:clear|remove\\w*)\\(`).test(within);
    return !loses && !around.items.includes(name) && settings(name, around, text).length === 0;
  });
  if (stays === 0 || CONSTANT.test(key)) return stays;
  return isShared(key, turning.at(-1)!, text) ? 1 : 0;
}

/** `order.country`, which others of them have too. */
function isShared(key: string, turning: Turning, text: string): boolean {
  const [, item, getter, property] = OF_ITEM.exec(key) ?? [];
  if (item !== undefined) return turning.items.includes(item) && !NAMES_ONE.test(getter ?? property!);
  const [one, another] = /^\w+$/.test(key) ? settings(key, turning, text) : [];
  return one !== undefined && !another && OF_ITEM.test(one.value) && isShared(one.value, turning, text);
}

/** `ids.computeIfAbsent("total", name -> create(name))`, `ids.getOrPut(order.country) { … }` */
export function onceForKey(
  { name, object, arguments: given }: Call,
  steps: Step[],
  sight: Sight,
  world: World,
): Step[] {
  const [key] = given;
  const [first] = steps;
  const { turning = [] } = sight;
  if (!first || !object || !key || turning.length === 0 || !/^(?:computeIfAbsent|getOrPut)$/.test(name))
    return steps;
  const said = ({ start, end }: { start: number; end: number }) =>
    world.text.slice(start, Math.min(end, start + 100));
  const loops = loopsSharing(said(object), said(key.value), sight, world);
  const once = onceIn(loops, turning, said(object), sight, world);
  return loops === 0 ? steps : [{ kind: 'block', at: first.at, once, body: steps }];
}

/**
 * In how many of the loops around. Where what is `asked` for is declared in the function that they stand in, which is handed
 * to somebody, it begins anew with each run of that.
 */
export function onceIn(
  loops: number,
  turning: Turning[],
  asked: string,
  { handed = [] }: Sight,
  { text }: World,
): Block['once'] {
  if (loops < turning.length) return 'in loop';
  const [{ start: end, body }] = turning as [Turning];
  const start = loops === 1 ? handed.findLast((at) => at < end) : undefined;
  if (start === undefined) return 'in loops';
  const isOwn = (name: string) =>
    settings(name, { start, end: body.start }, text).some(({ isDeclared }) => isDeclared);
  return (asked.match(/[a-z_]\w*/g) ?? []).some(isOwn) ? 'in loop' : 'in loops';
}

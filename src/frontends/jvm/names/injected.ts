// What a container gives the objects that it makes. It reads no call.
import type { Node } from '../syntax/syntax.ts';
import { elementOf } from './collections.ts';
import { givesItems, managed } from './known.ts';
import { isAnnotated, type Sight, type World } from './scope.ts';

/** `List<Step> steps`, `Instance<Step> steps` of a bean, which nobody sets: it has one of each class that is a step, and those are few. */
export function isOfBeans(list: Node | null | undefined, { owner, locals }: Sight, world: World): boolean {
  const name = nameOf(list);
  if (!owner || name === null || locals.has(name)) return false;
  const { type, handed } = owner.fields.get(name) ?? {};
  if (!type || !handed) return false;
  // Of these only a container makes one, whoever has it.
  const isMade = givesItems(type.name);
  const element = isMade ? type.arguments[0] : elementOf(type);
  return !!element && !world.isForeign(element.name) && (isMade || isAnnotated(owner, managed, world));
}

/** `steps`, `this.steps`, `steps.stream().sorted()`. */
function nameOf(list: Node | null | undefined): string | null {
  let base = list;
  while (base?.kind === 'call') base = base.object;
  if (base?.kind === 'name') return base.text;
  return base?.kind === 'member' && base.object.kind === 'name' && base.object.text === 'this'
    ? base.name
    : null;
}

// What the constants, fields and properties of a class of this file were given. It follows nothing into other files.
import { child, type Syntax } from '../../syntax.ts';
import { isConstantName } from '../names/assignments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import { methodOf } from './classes.ts';

/** `self.STEPS`, `Order.KINDS`: what descends from the class elsewhere may say otherwise. */
export function constantOfClass(c: Place, node: Syntax): Syntax | undefined {
  const name = textOf(c.file, child(node, 'attribute'));
  const owner = isConstantName(name) ? resolve(c, child(node, 'object')) : undefined;
  return owner && constantIn(c, c.file.classes.get(owner.path ?? owner.type?.path ?? ''), name);
}

/** The text of `Query.ADD.value` of an Enum, of `query.sql` of a dataclass, and of a property that returns it. */
export function textOfClass(c: Place, node: Syntax): Syntax | undefined {
  const name = textOf(c.file, child(node, 'attribute'));
  const object = child(node, 'object');
  if (name === 'value' && object?.type === 'attribute') return constantOfClass(c, object);
  const constant = constantOfClass(c, node);
  if (constant) return constant;
  const owner = resolve(c, object);
  const cls = c.file.classes.get(owner?.path ?? owner?.type?.path ?? '');
  if (!cls) return undefined;
  if (cls.properties.has(name)) return returnedBy(methodOf(c, cls.node, name));
  // What is an argument, or set anywhere, may be another text.
  const isSet = new RegExp(`(?:\\.|[(,]\\s*)${name}\\s*=(?!=)`).test(c.file.text);
  return isSet ? undefined : constantIn(c, cls, name);
}

/** What the class itself gives an attribute. */
export function constantIn(c: Place, cls: { node: Syntax } | undefined, name: string): Syntax | undefined {
  for (const one of cls ? (child(cls.node, 'body')?.children ?? []) : []) {
    const assignment = one.children[0]?.type === 'assignment' ? one.children[0] : undefined;
    if (textOf(c.file, assignment && child(assignment, 'left')) === name)
      return assignment && child(assignment, 'right');
  }
  return undefined;
}

/** What a method returns that does nothing else. */
function returnedBy(method: Syntax | undefined): Syntax | undefined {
  const body = method && child(method, 'body')?.children.filter((one) => one.type !== 'comment');
  const last = body?.at(-1);
  const alone = body?.slice(0, -1).every((one) => one.children[0]?.type === 'string');
  return alone && last?.type === 'return_statement' ? last.children[0] : undefined;
}

// What the constants of a class of this file were given. It follows nothing into other files.
import { child, type Syntax } from '../syntax.ts';
import { isConstantName } from './assignments.ts';
import { textOf } from './scope.ts';
import { type Place, resolve } from './values.ts';

/** `self.STEPS`, `Order.KINDS`: what descends from the class elsewhere may say otherwise. */
export function constantOfClass(c: Place, node: Syntax): Syntax | undefined {
  const name = textOf(c.file, child(node, 'attribute'));
  const owner = isConstantName(name) ? resolve(c, child(node, 'object')) : undefined;
  const cls = owner && c.file.classes.get(owner.path ?? owner.type?.path ?? '');
  for (const one of cls ? (child(cls.node, 'body')?.children ?? []) : []) {
    const assignment = one.children[0]?.type === 'assignment' ? one.children[0] : undefined;
    if (textOf(c.file, assignment && child(assignment, 'left')) === name)
      return assignment && child(assignment, 'right');
  }
  return undefined;
}

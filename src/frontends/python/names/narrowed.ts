// What a name is where an `if` has asked for its class. It lowers nothing.
import { child, type Syntax } from '../../syntax.ts';
import { fromAnnotation } from './annotations.ts';
import { argument } from './arguments.ts';
import { type Place, textOf, type Value } from './scope.ts';
import { named } from './values.ts';
import { bind } from './variables.ts';

/** `isinstance(item, Order)`, and what stands beside it behind `and`. */
function asked(c: Place, condition: Syntax | undefined): [name: string, cls: Syntax][] {
  switch (condition?.type) {
    case 'boolean_operator': {
      const both = textOf(c.file, child(condition, 'operator')) === 'and';
      return both ? ['left', 'right'].flatMap((side) => asked(c, child(condition, side))) : [];
    }
    case 'call': {
      const [what, cls] = [argument(condition, 0), argument(condition, 1)];
      const named = what?.type === 'identifier' && /^(identifier|attribute)$/.test(cls?.type ?? '');
      const own = named && textOf(c.file, child(condition, 'function')) === 'isinstance';
      return own && textOf(c.file, what) !== 'self' ? [[textOf(c.file, what), cls!]] : [];
    }
    default:
      return [];
  }
}

/** What holds more than its class says keeps that: a query of orders is one. */
function tell(c: Place, name: string, cls: Syntax): Value | undefined {
  const was = named(c, name);
  if (was?.path || was?.among || was?.type?.item) return undefined;
  const type = fromAnnotation(c, cls)?.type;
  if (!type) return undefined;
  const { code: _, ...kept } = was ?? {};
  const is = { ...kept, type };
  bind(c, name, is);
  return is;
}

/** Lowers an arm, in which names are of the classes that its condition asks for. */
export function narrowed<T>(c: Place, condition: Syntax | undefined, lower: () => T): T {
  const all = asked(c, condition);
  if (all.length === 0) return lower();
  const names = all.map(([name, cls]) => {
    const was = c.scope.names.get(name);
    return { name, was, is: tell(c, name, cls) };
  });
  const out = lower();
  for (const { name, was, is } of names.reverse()) {
    if (!is || c.scope.names.get(name) !== is) continue; // the arm gave it another value
    if (was) bind(c, name, was);
    else c.scope.names.delete(name);
    c.file.asked = undefined;
  }
  return out;
}

/** `if not isinstance(item, Order): continue`: what follows has orders. */
export function narrowedAfter(c: Place, node: Syntax): void {
  const condition = child(node, 'condition');
  if (condition?.type !== 'not_operator' || node.children.some((one) => one.field === 'alternative')) return;
  const last = child(node, 'consequence')?.children.at(-1);
  if (!/^(return|continue|raise|break)_statement$/.test(last?.type ?? '')) return;
  for (const [name, cls] of asked(c, condition.children.at(-1))) tell(c, name, cls);
}

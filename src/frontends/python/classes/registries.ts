// Functions that a file puts into a list or a dictionary of its own, by a statement or a decorator. Who calls them is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { argument } from '../names/arguments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import { defined } from './classes.ts';

/** Functions that this file puts into a list or a dictionary of its own: `HANDLERS["a"] = f`, `@handles("a")`. */
export function registered(c: Place, holder: string): Syntax[] {
  if (c.file.top.names.get(holder)?.code === undefined) return [];
  c.file.registered ??= new Map();
  const known = c.file.registered.get(holder);
  if (known) return known;
  const found: Syntax[] = [];
  c.file.registered.set(holder, found);
  if (!new RegExp(`\\b${holder}(\\[|\\.(append|add|setdefault|insert)\\()`).test(c.file.text)) return found;
  const registering = new Set<string>();
  const stack = c.file.root ? [c.file.root] : [];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const value = registers(c, at, holder);
    const by = value && registrar(c, at, textOf(c.file, value));
    if (by) registering.add(by);
    else if (value && /^(identifier|attribute|lambda)$/.test(value.type)) found.push(value);
    stack.push(...at.children);
  }
  if (registering.size > 0) decorated(c, registering, found);
  return found;
}

/** What such a statement puts there. */
function registers(c: Place, node: Syntax, holder: string): Syntax | undefined {
  if (node.type === 'assignment') {
    const left = child(node, 'left');
    return left?.type === 'subscript' && textOf(c.file, child(left, 'value')) === holder
      ? child(node, 'right')
      : undefined;
  }
  const callee = node.type === 'call' ? child(node, 'function') : undefined;
  if (callee?.type !== 'attribute' || textOf(c.file, child(callee, 'object')) !== holder) return undefined;
  return /^(append|add)$/.test(textOf(c.file, child(callee, 'attribute'))) ? argument(node, 0) : undefined;
}

/** The function of the module that puts its parameter there, or gives the one that does. */
function registrar(c: Place, node: Syntax, value: string): string | undefined {
  let inner: Syntax | undefined;
  for (let at = node.parent; at; at = at.parent) {
    if (at.type !== 'function_definition') continue;
    const takes = child(at, 'parameters')?.children ?? [];
    inner ??= takes.some((one) => textOf(c.file, child(one, 'name') ?? one.children[0] ?? one) === value)
      ? at
      : undefined;
    if (inner && (at.parent?.parent === null || defined(at.parent!) === at) && isOfModule(at))
      return textOf(c.file, child(at, 'name'));
  }
  return undefined;
}

const isOfModule = (definition: Syntax): boolean => {
  const above =
    definition.parent?.type === 'decorated_definition' ? definition.parent.parent : definition.parent;
  return above?.parent === null || above?.parent === undefined;
};

/** Functions of the module that one of these decorates, or is handed. */
function decorated(c: Place, by: Set<string>, found: Syntax[]): void {
  const asks = (node: Syntax | undefined): boolean =>
    node?.type === 'call'
      ? asks(child(node, 'function'))
      : node?.type === 'identifier' && by.has(textOf(c.file, node));
  for (const one of c.file.root?.children ?? []) {
    if (one.type === 'decorated_definition') {
      const name = child(defined(one), 'name');
      const marks = one.children.filter(({ type }) => type === 'decorator');
      if (name && marks.some((mark) => asks(mark.children[0]))) found.push(name);
      continue;
    }
    const call = one.type === 'expression_statement' ? one.children[0] : undefined;
    if (call?.type !== 'call' || !asks(call)) continue;
    for (const given of child(call, 'arguments')?.children ?? [])
      if (given.type === 'identifier' && c.file.functions.has(resolve(c, given)?.path ?? ''))
        found.push(given);
  }
}

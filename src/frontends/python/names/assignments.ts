// What gives the variables of a function their values, how often, and which names by custom get one only. It follows no value.
import { child, type Syntax } from '../../syntax.ts';
import { type File, kept, type Place, textOf } from './scope.ts';

/** By custom nobody gives it another value. */
export const isConstantName = (name: string): boolean => /^_?[A-Z][A-Z0-9_]*$/.test(name);

const NONE: Syntax[] = [];

/** What gives each name a value in a piece of code, which is gone over once. */
export const given = kept(giving);

/** How often the functions around give this name a value. */
export function assignments(c: Place, node: Syntax, name: string): number {
  let times = 0;
  for (let at: Syntax | null = node; at; at = at.parent) {
    if (at.type !== 'function_definition') continue;
    times += given(c, child(at, 'body') ?? at).get(name)?.length ?? 0;
  }
  return times;
}

/** What gives a variable its value in the function around; something else than an assignment gives none of them. */
export function assignmentsOf(c: Place, node: Syntax, name: string): Syntax[] {
  let around: Syntax | null = node;
  while (around && around.type !== 'function_definition' && around.type !== 'lambda') around = around.parent;
  if (around?.type !== 'function_definition') return NONE;
  const all = given(c, child(around, 'body') ?? around).get(name);
  return all?.every(isAlone) && all.length === assignments(c, node, name) ? all : NONE;
}

/** What a parameter of a function around is where the caller does not say. */
export function usualValue(c: Place, node: Syntax, name: string): Syntax | undefined {
  for (let at = functionAround(node); at; at = at.parent && functionAround(at.parent)) {
    const all = child(at, 'parameters')?.children ?? [];
    const own = all.find((one) => textOf(c.file, child(one, 'name')) === name);
    if (own) return child(own, 'value');
    if (all.some((one) => textOf(c.file, one) === name)) return undefined;
  }
  return undefined;
}

export function functionAround(node: Syntax): Syntax | null {
  let around: Syntax | null = node;
  while (around && around.type !== 'function_definition') around = around.parent;
  return around;
}

/**
 * What a variable of the function around was given last, where every way to this place has given it that: in a block around,
 * and not anew in a loop around that does not begin with it.
 */
export function standing(c: Place, node: Syntax, name: string): Syntax | undefined {
  const around = functionAround(node);
  const all = around ? (given(c, child(around, 'body') ?? around).get(name) ?? NONE) : NONE;
  let last: Syntax | undefined;
  for (const one of all) if (one.end <= node.start && !(last && last.start > one.start)) last = one;
  const block = last && isAlone(last) ? last.parent?.parent : undefined;
  if (!block || !isWithin(node, block)) return undefined;
  for (let at = node.parent; at && at !== block; at = at.parent)
    if (LOOPS.has(at.type) && all.some((one) => one.start >= node.end && isWithin(one, at!)))
      return undefined;
  return child(last!, 'right');
}

const LOOPS = new Set(['for_statement', 'while_statement']);
const isWithin = (node: Syntax, { start, end }: Syntax) => start <= node.start && node.end <= end;

/** An assignment to one name. */
const isAlone = (node: Syntax): boolean =>
  node.type === 'assignment' && child(node, 'left')?.type === 'identifier';

/** Which part of such a node is given a value; empty: all of it. */
const GIVES = new Map([
  ['assignment', 'left'],
  ['augmented_assignment', 'left'],
  ['for_statement', 'left'],
  ['for_in_clause', 'left'],
  ['named_expression', 'name'],
  ['as_pattern_target', ''],
  ['delete_statement', ''],
  ['global_statement', ''],
  ['nonlocal_statement', ''],
  ['case_pattern', ''],
]);

function giving({ file }: { file: File }, body: Syntax): Map<string, Syntax[]> {
  const out = new Map<string, Syntax[]>();
  const take = (target: Syntax | undefined, by: Syntax): void => {
    if (!target) return;
    if (target.type === 'identifier') {
      const name = textOf(file, target);
      const all = out.get(name);
      if (all) all.push(by);
      else out.set(name, [by]);
    } else if (target.type !== 'attribute' && target.type !== 'subscript')
      for (const one of target.children) take(one, by);
  };
  const stack = [body];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const part = GIVES.get(node.type);
    if (part !== undefined) take(part === '' ? node : child(node, part), node);
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
}

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

/** Of a name that is given more values than these nobody says what it is. */
const MOST = 20;

/** All that gives a name a value in the function around, where nothing else does: `tag, isNew = …` too. */
export function givingOf(c: Place, node: Syntax, name: string): Syntax[] {
  const around = functionAround(node);
  const all = around ? (given(c, child(around, 'body') ?? around).get(name) ?? NONE) : NONE;
  return all.length === assignments(c, node, name) ? all : NONE;
}

/** What gives a variable its value in the function around; something else than an assignment gives none of them. */
export function assignmentsOf(c: Place, node: Syntax, name: string): Syntax[] {
  let around: Syntax | null = node;
  while (around && around.type !== 'function_definition' && around.type !== 'lambda') around = around.parent;
  if (around?.type !== 'function_definition') return NONE;
  const all = given(c, child(around, 'body') ?? around).get(name);
  const isFew = all !== undefined && all.length <= MOST;
  return isFew && all.every(isAlone) && all.length === assignments(c, node, name) ? all : NONE;
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
 * and not anew in a loop around that does not begin with it. What is added to it by a sign changes nothing of that.
 */
export function standing(c: Place, node: Syntax, name: string): Syntax | undefined {
  const around = functionAround(node);
  const whole = around ? (child(around, 'body') ?? around) : outermost(node);
  const all = (given(c, whole).get(name) ?? NONE).filter(({ type }) => type !== 'augmented_assignment');
  let last: Syntax | undefined;
  for (const one of all) if (one.end <= node.start && !(last && last.start > one.start)) last = one;
  const value = last && valueFor(c, last, name);
  const block = value && blockOf(last!);
  if (!block || !isWithin(node, block)) return undefined;
  for (let at = node.parent; at && at !== block; at = at.parent)
    if (LOOPS.has(at.type) && all.some((one) => one.start >= node.end && isWithin(one, at!)))
      return undefined;
  return value;
}

/** The caller gives it a value, whatever the function gives it later. */
export function isTaken(c: Place, node: Syntax, name: string): boolean {
  const around = functionAround(node);
  const all = (around && child(around, 'parameters')?.children) ?? NONE;
  return all.some(
    (one) => textOf(c.file, child(one, 'name') ?? one) === name || textOf(c.file, one.children[0]) === name,
  );
}

/** All that a variable of the function around is given; none where that is not all known. */
export function valuesOf(c: Place, node: Syntax, name: string): Syntax[] {
  if (isTaken(c, node, name)) return NONE;
  const around = functionAround(node);
  const all = around ? (given(c, child(around, 'body') ?? around).get(name) ?? NONE) : NONE;
  const own = all.filter(({ type }) => type !== 'augmented_assignment');
  const values = own.flatMap((one) => valueFor(c, one, name) ?? []);
  return values.length === own.length && all.length === assignments(c, node, name) ? values : NONE;
}

/** What gives this name its value there: of `x, y = A, B` the one at its place. */
function valueFor({ file }: Place, by: Syntax, name: string): Syntax | undefined {
  if (by.type === 'named_expression') return child(by, 'value');
  if (by.type !== 'assignment') return undefined;
  let right = child(by, 'right');
  while (right?.type === 'assignment') right = child(right, 'right');
  const left = child(by, 'left');
  if (left?.type === 'identifier') return right;
  const [names, values] = [left?.children ?? [], right && LISTED.has(right.type) ? right.children : []];
  const isPlain =
    names.every(({ type }) => type === 'identifier') && values.every(({ type }) => PART.test(type));
  if (!isPlain || names.length !== values.length) return undefined;
  return values[names.findLastIndex((one) => textOf(file, one) === name)];
}

const LISTED = new Set(['tuple', 'list']);
/** It is one of them. */
const PART = /^(?!list_splat$|comment$)/;

/** The block that has the value from there on; what is asked for in a condition stands for what that is of. */
function blockOf(by: Syntax): Syntax | undefined {
  if (by.type === 'assignment') {
    let statement: Syntax | null = by;
    while (statement?.type === 'assignment') statement = statement.parent;
    return statement?.parent ?? undefined;
  }
  for (let at = by.parent; at; at = at.parent) {
    if (PERHAPS.test(at.type)) return undefined;
    if (/_(?:statement|clause)$/.test(at.type)) return STAYS.has(at.type) ? at : (at.parent ?? undefined);
  }
  return undefined;
}

/** What stands there may be passed over, or is of names of its own. */
const PERHAPS = /^(?:boolean_operator|conditional_expression|lambda)$|_comprehension$|^generator_expression$/;
const STAYS = new Set(['if_statement', 'elif_clause', 'while_statement']);

export function outermost(node: Syntax): Syntax {
  let whole = node;
  while (whole.parent) whole = whole.parent;
  return whole;
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
    // `names: list[str]` gives none.
    const isBare = part !== undefined && node.type === 'assignment' && !child(node, 'right');
    if (part !== undefined && !isBare) take(part === '' ? node : child(node, part), node);
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
}

// Which functions what is called may be: one of two, one that a dictionary or a registry holds. What they do is said elsewhere.
import { HOLE } from '../../sql/text/lexer.ts';
import { child, type Syntax } from '../../syntax.ts';
import { argument, isCalled } from '../names/arguments.ts';
import { assignments, functionAround, given } from '../names/assignments.ts';
import { api, canonical } from '../names/knowledge.ts';
import { type ClassInfo, lookup, type Place, textOf, type Value } from '../names/scope.ts';
import { literal } from '../names/strings.ts';
import { constantText, isClassLike, resolve } from '../names/values.ts';
import { isMethodOf, lineageOf, valuesIn } from './attributes.ts';
import { registered } from './registries.ts';

/** Expressions, or the paths of methods that are asked for by a part of their name. */
export interface Chosen {
  of: (Syntax | string)[];
  /** It chooses between two. */
  condition?: Syntax;
}

const DEEP = 6;

/** What is called where that is not one thing: `handler` after `handler = HANDLERS.get(kind)`. */
export function chosen(c: Place, node: Syntax | undefined, depth = 0): Chosen | undefined {
  if (!node || depth > DEEP) return undefined;
  switch (node.type) {
    case 'await':
      return chosen(c, node.children[0], depth + 1);
    case 'identifier':
      return ofName(c, node, depth);
    case 'conditional_expression': {
      const [yes, condition, no] = node.children;
      if (condition?.type === 'true' || condition?.type === 'false')
        return { of: each(c, condition.type === 'true' ? yes : no, depth) };
      return { of: [...each(c, yes, depth), ...each(c, no, depth)], condition };
    }
    case 'boolean_operator':
      return { of: [...each(c, child(node, 'left'), depth), ...each(c, child(node, 'right'), depth)] };
    case 'subscript': {
      const key = child(node, 'subscript');
      return key?.type === 'slice' ? undefined : ofHolder(c, child(node, 'value'), key);
    }
    case 'call':
      return ofCall(c, node, depth);
    default:
      return undefined;
  }
}

const each = (c: Place, node: Syntax | undefined, depth: number): Chosen['of'] =>
  node ? (chosen(c, node, depth + 1)?.of ?? [node]) : [];

/** `HANDLERS.get(kind, other)`, `getattr(self, "on_" + kind)` */
function ofCall(c: Place, node: Syntax, depth: number): Chosen | undefined {
  const callee = child(node, 'function');
  if (callee?.type === 'attribute' && /^(get|pop)$/.test(textOf(c.file, child(callee, 'attribute')))) {
    const held = ofHolder(c, child(callee, 'object'), argument(node, 0));
    return held && { of: [...held.of, ...each(c, argument(node, 1), depth)] };
  }
  const [object, name] = [argument(node, 0), argument(node, 1)];
  if (!object || !name || textOf(c.file, callee) !== 'getattr') return undefined;
  const info = c.file.classes.get(resolve(c, object)?.type?.path ?? '');
  const part = info && around(c, name);
  const all = part ? [...lineageOf(c, info)].flatMap((one) => called(one, part)) : [];
  return all.length > 0 ? { of: [...all, ...each(c, argument(node, 2), depth)] } : undefined;
}

const called = (info: ClassInfo, [head, tail]: [string, string]): string[] =>
  [...info.methods]
    .filter((name) => name.length > head.length + tail.length && name.startsWith(head) && name.endsWith(tail))
    .map((name) => `${info.path}.${name}`);

/** What such a text begins and ends with; one of both is to say something. */
function around(c: Place, node: Syntax): [string, string] | undefined {
  const [head, ...rest] = withHoles(c, node).split(HOLE);
  const tail = rest.at(-1) ?? '';
  return rest.length > 0 && (/^[a-z]\w+_$/i.test(head!) || /^_\w+[a-z]$/i.test(tail))
    ? [head!, tail]
    : undefined;
}

/** `"on_" + kind`, `f"on_{kind}_done"`, `"on_%s" % kind`, `"on_{}".format(kind)` */
function withHoles(c: Place, node: Syntax | undefined, depth = 0): string {
  const inner = (one: Syntax | undefined) => withHoles(c, one, depth + 1);
  if (node?.type === 'string')
    return literal(node, c.file.text)?.reduce((all, { text }) => all + text, '') ?? HOLE;
  if (node?.type === 'binary_operator' && depth < DEEP) {
    const left = inner(child(node, 'left'));
    const operator = textOf(c.file, child(node, 'operator'));
    if (operator === '%') return left.replace(/%(\(\w+\))?[a-z]/g, HOLE);
    return operator === '+' ? left + inner(child(node, 'right')) : HOLE;
  }
  const callee = node?.type === 'call' ? child(node, 'function') : undefined;
  return callee?.type === 'attribute' && textOf(c.file, child(callee, 'attribute')) === 'format'
    ? inner(child(callee, 'object')).replace(/\{[\w.]*\}/g, HOLE)
    : HOLE;
}

/** A variable that several statements give a value, each under a condition, or one that holds what is chosen. */
function ofName(c: Place, node: Syntax, depth: number): Chosen | undefined {
  const name = textOf(c.file, node);
  const value = lookup(c.file, c.scope, name);
  // A scope that waits in a variable has no value there.
  if (!value) return ofScope(c, node, name);
  if (value.among) return { of: value.among };
  if (c.scope.kind !== 'function' || value.path === `${c.scope.path}.${name}`) return ofCode(c, value, depth);
  const values = assignments(c, node, name) > 0 ? reaching(c, node, name) : [];
  const [only, another] = values;
  if (only && !another)
    return (
      chosen(c, only, depth + 1) ?? (only.type === 'lambda' || makes(c, only) ? { of: [only] } : undefined)
    );
  if (another) return { of: values.flatMap((one) => each(c, one, depth)) };
  return ofCode(c, value, depth);
}

/** `within = transaction.atomic(work)`, which a function around may have. */
function ofScope(c: Place, node: Syntax, name: string): Chosen | undefined {
  if (c.scope.kind !== 'function' || assignments(c, node, name) !== 1) return undefined;
  let around = functionAround(node);
  let by: Syntax | undefined;
  for (; around && !by; around = around.parent && functionAround(around.parent))
    by = given(c, child(around, 'body') ?? around).get(name)?.[0];
  const made = by?.type === 'assignment' ? child(by, 'right') : undefined;
  return made && makes(c, made) ? { of: [made] } : undefined;
}

function ofCode(c: Place, { code }: Value, depth: number): Chosen | undefined {
  if (code?.type === 'lambda') return { of: [code] };
  return code && /^(conditional_expression|boolean_operator|subscript)$/.test(code.type)
    ? chosen(c, code, depth + 1)
    : undefined;
}

/** What the variable may hold here: the last value that it surely got before, and all that it may have got since. */
function reaching(c: Place, node: Syntax, name: string): Syntax[] {
  const around = (of: Syntax) => {
    let at: Syntax | null = of;
    while (at && !/^(function_definition|lambda)$/.test(at.type)) at = at.parent;
    return at;
  };
  const whole = around(node);
  if (whole?.type !== 'function_definition' || !given(c, child(whole, 'body') ?? whole).has(name)) return [];
  const all: Syntax[] = [];
  const stack = [whole];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const left = at.type === 'assignment' ? child(at, 'left') : undefined;
    if (left?.type === 'identifier' && textOf(c.file, left) === name) all.push(at);
    else if (at.type === 'for_statement' && textOf(c.file, child(at, 'left')) === name) return [];
    if (at === whole || !/^(function_definition|class_definition|lambda)$/.test(at.type))
      stack.push(...at.children);
  }
  const out: Syntax[] = [];
  const before = all.filter(({ end }) => end <= node.start).sort((one, other) => other.start - one.start);
  for (const one of before) {
    // Of another arm of the same `if` it is not.
    if (excludes(one, node)) continue;
    const value = child(one, 'right');
    if (value?.type === 'assignment') return [];
    if (value && value.type !== 'none') out.push(value);
    const block = one.parent?.parent;
    if (block && holds(block, node)) return out;
  }
  // Before all of them it is what the caller gave.
  const parameters = child(whole, 'parameters')?.children ?? [];
  const own = parameters.find((each) => textOf(c.file, child(each, 'name') ?? each) === name);
  if (own && out.length > 0) out.push(own.type === 'identifier' ? own : (child(own, 'name') ?? own));
  return out;
}

const holds = (block: Syntax, node: Syntax) => block.start <= node.start && node.end <= block.end;

/** It stands in one arm, and the other in another. */
function excludes(one: Syntax, other: Syntax): boolean {
  for (let at: Syntax = one; at.parent; at = at.parent)
    if (at.parent.type === 'if_statement' && holds(at.parent, other))
      return at.field !== 'condition' && !holds(at, other);
  return false;
}

/** `told("x")(work)`, `logged(work)`: what a function of the repository gives for another one, which it may run. */
export function makes(c: Place, node: Syntax | undefined): boolean {
  if (node?.type !== 'call') return false;
  const callee = child(node, 'function');
  const maker = callee?.type === 'call' ? child(callee, 'function') : callee;
  const path = maker && /^(identifier|attribute)$/.test(maker.type) ? resolve(c, maker)?.path : undefined;
  const opens = path !== undefined && Boolean(api(canonical(path))?.scope);
  if (!path || isClassLike(c, path) || (c.file.isForeign(path) && !opens)) return false;
  const list = child(node, 'arguments')?.children ?? [];
  return list.some((one) => isFunction(c, one) || (opens && isHandedFunction(c, one)));
}

/** `def logged(func)`: by custom, or by what is written behind it, that is one. */
function isHandedFunction(c: Place, node: Syntax): boolean {
  const value = node.type === 'identifier' ? lookup(c.file, c.scope, textOf(c.file, node)) : undefined;
  return (
    value?.parameter === true &&
    (isCalled(textOf(c.file, node)) || /(^|\.)Callable$/.test(value.type?.path ?? ''))
  );
}

const isFunction = (c: Place, node: Syntax): boolean =>
  node.type === 'lambda' ||
  (/^(identifier|attribute)$/.test(node.type) && c.file.functions.has(resolve(c, node)?.path ?? ''));

/** What a parameter is called where its usual value is a function. */
export function usually(c: Place, parameter: Syntax): Pick<Value, 'among'> {
  const value = child(parameter, 'value');
  return value && isFunction(c, value) ? { among: [child(parameter, 'name') ?? value, value] } : {};
}

/** A dictionary or a list whose values are called, with what is registered in it. */
function ofHolder(c: Place, node: Syntax | undefined, key?: Syntax): Chosen | undefined {
  if (!node) return undefined;
  if (node.type === 'attribute') return ofAttribute(c, node);
  const value = resolve(c, node);
  if (value?.among) return { of: value.among };
  const code = value?.code ?? node;
  if (code.type !== 'dictionary' && code.type !== 'list' && code.type !== 'tuple') return undefined;
  const more = node.type === 'identifier' ? registered(c, textOf(c.file, node)) : [];
  const its = key && more.length === 0 ? valueAt(c, code, key) : undefined;
  const of = its ? [its] : [...valuesOf(code), ...more];
  return of.length > 0 ? { of } : undefined;
}

export const valuesOf = ({ type, children }: Syntax): Syntax[] =>
  children.flatMap((one) =>
    type === 'dictionary' ? (child(one, 'value') ?? []) : one.type === 'comment' ? [] : one,
  );

/** The one that such a key is given: `{"a": f}["a"]` */
function valueAt(c: Place, { type, children }: Syntax, key: Syntax): Syntax | undefined {
  const text = type === 'dictionary' ? constantText(c, key) : undefined;
  const pair =
    text === undefined
      ? undefined
      : children.find((one) => {
          const its = child(one, 'key');
          return its?.type === 'string' && constantText(c, its) === text;
        });
  return pair && child(pair, 'value');
}

/** `self.handlers[kind]` of a dictionary that the class or one of its methods writes out. */
function ofAttribute(c: Place, node: Syntax): Chosen | undefined {
  const owner = resolve(c, child(node, 'object'));
  const info = c.file.classes.get(owner?.type?.path ?? owner?.path ?? '');
  const name = textOf(c.file, child(node, 'attribute'));
  const own = info && [...lineageOf(c, info)].find((one) => valuesIn(c, one).has(name));
  const [value, another] = (own && valuesIn(c, own).get(name)) ?? [];
  if (!value || another || value.node.type !== 'dictionary') return undefined;
  const of = valuesOf(value.node).map((one) => (value.method ? one : isMethodOf(c, own!, one)) ?? one);
  return of.length > 0 ? { of } : undefined;
}

// Decorators of the repository's own: which functions one gives in place of what it stands over. What those do is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { defined } from '../classes/classes.ts';
import { standing } from '../names/assignments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** The functions that calling it gives, and the statements of its body that do not choose among them. */
export interface Wraps {
  gives: Syntax[];
  /** Or what it was given, as it is. */
  itself: boolean;
  besides: Syntax[];
}

/** What a decorator is that a variable holds: `in_tx = transaction.atomic(using="default")`, or a list of several. */
export function heldMark(c: Place, mark: Syntax): Syntax | undefined {
  const value = mark.type === 'identifier' ? standing(c, mark, textOf(c.file, mark)) : undefined;
  return value && /^(?:call|list|tuple)$/.test(value.type) ? value : undefined;
}

const DEEP = 4;

/** `def deco(fn): def inner(…): …; return inner`: calling what deco gives runs inner. */
export function wrapsOf(c: Place, node: Syntax, depth = 0): Wraps | undefined {
  const list = child(node, 'body')?.children ?? [];
  const last = list.findLast(({ type }) => type === 'return_statement' || type === 'if_statement');
  if (!last || depth > DEEP || !definesAny(list, 0)) return undefined;
  const given = new Set<Syntax | 'itself'>();
  const giving = { c, node, given, depth };
  const besides = list.filter((one) => !onlyGives(giving, one, list));
  const gives = [...given].filter((one) => one !== 'itself');
  if (gives.length === 0 || besides.includes(last)) return undefined;
  return { gives, itself: given.has('itself'), besides };
}

const definesAny = (list: Syntax[], depth: number): boolean =>
  list.some((one) =>
    /^(if_statement|else_clause|elif_clause|block)$/.test(one.type)
      ? depth < DEEP && definesAny(one.children, depth + 1)
      : defined(one)?.type === 'function_definition',
  );

interface Giving {
  c: Place;
  /** The decorator. */
  node: Syntax;
  given: Set<Syntax | 'itself'>;
  depth: number;
}

/** A `return` of such, or an `if` whose arms end in one each. */
function onlyGives(giving: Giving, statement: Syntax, before: Syntax[]): boolean {
  if (statement.type === 'return_statement') {
    const all = statement.children[0] && givenBy(giving, statement.children[0], before);
    for (const one of all ?? []) giving.given.add(one);
    return all !== undefined;
  }
  if (statement.type !== 'if_statement') return false;
  const blocks = statement.children.flatMap((one) =>
    one.type === 'block' ? one : (one.children.find(({ type }) => type === 'block') ?? []),
  );
  const ends = blocks.map(({ children }) => children.findLast(({ type }) => type !== 'comment'));
  if (!ends.every((one) => /^(return|if)_statement$/.test(one?.type ?? ''))) return false;
  return blocks.every(({ children }, i) => onlyGives(giving, ends[i]!, [...children, ...before]));
}

/** Nothing of its own for what gives the same another way: `partial(deco, using=using)`, `deco(using)(fn)`. */
function givenBy(giving: Giving, value: Syntax, before: Syntax[]): (Syntax | 'itself')[] | undefined {
  const { c, node } = giving;
  if (value.type === 'conditional_expression') {
    const arms = [value.children[0]!, value.children[2]!].map((one) => givenBy(giving, one, before));
    return arms.every((one) => one !== undefined) ? arms.flat() : undefined;
  }
  if (value.type === 'identifier') {
    const name = textOf(c.file, value);
    const inner = before.findLast((one) => named(c, defined(one)) === name);
    if (inner) return [inner];
    return parametersOf(c, node).has(name) ? ['itself'] : undefined;
  }
  return value.type === 'call' ? givenByCall(giving, value, before) : undefined;
}

function givenByCall(giving: Giving, value: Syntax, before: Syntax[]): ReturnType<typeof givenBy> {
  const { c, node, depth } = giving;
  const callee = child(value, 'function');
  const given = child(value, 'arguments')?.children ?? [];
  const maker = callee?.type === 'call' ? child(callee, 'function') : callee;
  const path = resolve(c, maker)?.path;
  if (path === 'typing.cast') return given[1] && givenBy(giving, given[1], before);
  if (path === 'functools.update_wrapper' || (path === 'functools.wraps' && callee !== maker))
    return given[0] && givenBy(giving, given[0], before);
  const called = textOf(c.file, maker).replace(/^self\./, '');
  const own = named(c, node);
  if (called === own || (path === 'functools.partial' && textOf(c.file, given[0]) === own)) return [];
  if (callee?.type !== 'identifier') return undefined;
  // `return inner(fn)` of what is a decorator itself; any other function is called there.
  const inner = before.findLast((one) => named(c, defined(one)) === called);
  const [only, ...more] = given;
  const isHanded =
    more.length === 0 && only?.type === 'identifier' && parametersOf(c, node).has(textOf(c.file, only));
  return inner && isHanded && wrapsOf(c, defined(inner), depth + 1) ? [inner] : undefined;
}

const named = (c: Place, definition: Syntax | undefined): string | undefined =>
  definition?.type === 'function_definition' ? textOf(c.file, child(definition, 'name')) : undefined;

const parametersOf = (c: Place, node: Syntax): Set<string> =>
  new Set(
    (child(node, 'parameters')?.children ?? []).map((one) =>
      textOf(c.file, one.type === 'typed_parameter' ? one.children[0] : (child(one, 'name') ?? one)),
    ),
  );

/** The parameters of all functions in there: of one around them that is called the same they say nothing. */
export function takenIn(c: Place, list: Syntax[]): Set<string> {
  const out = new Set<string>();
  const stack = [...list];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'function_definition') for (const name of parametersOf(c, node)) out.add(name);
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
}

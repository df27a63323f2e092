// Whether a call looks for the same row each time that it runs: by constants, or by what no loop around it changes.
import type { Scope } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { assignments, given, isConstantName } from '../names/assignments.ts';
import { api, canonical, isHandle } from '../names/knowledge.ts';
import { isParameter } from '../names/parameters.ts';
import { kept, lookup, type Place, textOf, type Value } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

const LITERAL = /^(string|integer|float|true|false|none)$/;
const PUT_TOGETHER = /^(concatenated_string|binary_operator)$/;
const LOOPS = new Set([
  'for_statement', 'while_statement', 'list_comprehension', 'set_comprehension', 'dictionary_comprehension',
  'generator_expression',
]); // biome-ignore format: words
const FUNCTIONS = new Set(['function_definition', 'lambda']);
/** One row, which its arguments alone tell. */
const ROW = /^a?(get|get_or_create|update_or_create)$/;

/** They give a query of fewer rows. */
const NARROWS = /^(all|filter|select_for_update|select_related|using)$/;

type Roots = Map<string, Syntax>;

export function same(c: Place, node: Syntax): Pick<Scope, 'same' | 'sameFor'> {
  const roots = rootsOf(c, node);
  if (!roots) return {};
  const sameFor = new Set<string>();
  if ([...roots.values()].every((one) => isFixed(c, one, sameFor))) {
    if (sameFor.size === 0) return { same: 'always' };
    if (c.keeps) c.keeps.flags = true;
    return { ...inLoops(c, node, roots), sameFor: [...sameFor] };
  }
  return inLoops(c, node, roots);
}

function inLoops(c: Place, node: Syntax, roots: Roots): Pick<Scope, 'same'> {
  const loop = outermost(node);
  if (!loop) return {};
  const [changed, inside] = [given(c, loop), changedInside(c, loop)];
  const changes = (name: string) => changed.has(name) || inside.has(name);
  return [...roots.keys()].some(changes) ? {} : { same: 'in loops' };
}

/** A query that asks for the same rows in every turn; `away`: in a method that is handed nothing but its class. */
export function sameRows(c: Place, query: Syntax, away: true | undefined): Pick<Scope, 'same' | 'sameFor'> {
  let asked = query;
  while (asked.type === 'call' && child(asked, 'arguments')?.children.length === 0)
    asked = child(child(asked, 'function') ?? asked, 'object') ?? child(asked, 'function')!;
  const roots: Roots = new Map();
  if (asked.type === 'call' ? !isAsking(c, asked, roots) : !isPlain(c, asked, roots)) return {};
  const given = new Set<string>();
  const fixed = [...roots.values()].every((one) => isNoQuestion(c, one) || isFixed(c, one, given));
  if (fixed && given.size === 0) return { same: 'always' };
  if (away) return {};
  const its = inLoops(c, query, roots);
  if (!fixed || its.same) return its;
  if (c.keeps) c.keeps.flags = true;
  return { sameFor: [...given] };
}

/** What is asked, and says nothing of which rows: the class of a method, a session. */
const isNoQuestion = (c: Place, node: Syntax): boolean =>
  textOf(c.file, node) === 'cls' || isHandle(resolve(c, node)?.type?.path ?? '');

/** A chain of calls whose arguments are plain, whatever they are called: `Order.objects.filter(…).exclude(…)`, `select(Order).where(Order.id == 1)`. */
function isAsking(c: Place, node: Syntax, roots: Roots): boolean {
  const callee = child(node, 'function');
  const values = child(node, 'arguments')?.children.map((one) => child(one, 'value') ?? one) ?? [];
  const object = callee?.type === 'attribute' ? child(callee, 'object') : undefined;
  const isKnown = object
    ? isAsked(c, object, roots)
    : callee?.type === 'identifier' && api(canonical(resolve(c, callee)?.path ?? '')) !== undefined;
  return isKnown && values.every((one) => isAsked(c, one, roots));
}

function isAsked(c: Place, node: Syntax, roots: Roots): boolean {
  if (node.type === 'comparison_operator')
    return node.children.every((one) => one.field === 'operators' || isPlain(c, one, roots));
  if (node.type === 'attribute' && isHandle(resolve(c, node)?.type?.path ?? '')) return true;
  return isPlain(c, node, roots) || (node.type === 'call' && isAsking(c, node, roots));
}

/** What is handed over in a loop that gives none of its parts another value. */
export function isUnchanged(c: Place, call: Syntax, value: Syntax): boolean {
  const roots: Roots = new Map();
  if (!outermost(call) || !isPlain(c, value, roots)) return false;
  return inLoops(c, call, roots).same !== undefined;
}

/** `store.main` and `tag()` in a loop that changes neither: what the object keeps of its answer is there in the next turn. */
export function asksItself(c: Place, node: Syntax): boolean {
  if (node.type === 'call' && (child(node, 'arguments')?.children.length ?? 1) > 0) return false;
  const loop = outermost(node);
  let root = node.type === 'call' ? child(node, 'function') : node;
  while (root?.type === 'attribute') root = child(root, 'object');
  if (!loop || root?.type !== 'identifier') return false;
  const name = textOf(c.file, root);
  if (name === 'self' || name === 'cls') return true;
  return !given(c, loop).has(name) && !changedInside(c, loop).has(name);
}

const ASSIGNED = /\b(\w+(?:\.\w+)+)[ \t]*(?:[-+*/|&]|\/\/)?=(?!=)/g;

/** The names of which a loop gives an attribute a value; a loop is gone over once, however many calls are in it. */
const changedInside = kept(({ file }, loop: Syntax): Set<string> => {
  const names = new Set<string>();
  for (const [, path] of file.text.slice(loop.start, loop.end).matchAll(ASSIGNED))
    for (const name of path!.split('.').slice(0, -1)) names.add(name);
  return names;
});

/** The variables by which the call looks for its row, if it does by keywords of plain values. */
function rootsOf(c: Place, node: Syntax): Roots | undefined {
  const callee = node.type === 'call' ? child(node, 'function') : undefined;
  const list = child(node, 'arguments');
  if (callee?.type !== 'attribute' || list?.type !== 'argument_list') return undefined;
  const looked = list.children.filter((one) => one.type !== 'comment' && nameOf(c, one) !== 'defaults');
  const values = looked.flatMap((one) => valuesOf(c, one));
  if (looked.length === 0 || values.includes(undefined)) return undefined;
  const roots: Roots = new Map();
  return [child(callee, 'object'), ...values].every((one) => isPlain(c, one, roots)) ? roots : undefined;
}

/** What a keyword gives, or `**criteria` that this function puts together once. */
function valuesOf(c: Place, one: Syntax): (Syntax | undefined)[] {
  if (one.type === 'keyword_argument') return [child(one, 'value')];
  const held = one.type === 'dictionary_splat' ? one.children[0] : undefined;
  if (held?.type !== 'identifier' || assignments(c, held, textOf(c.file, held)) !== 1) return [undefined];
  if (isFilled(c, held)) return [undefined];
  const code = assigned(c, held, textOf(c.file, held));
  if (code?.type === 'dictionary') return code.children.map((pair) => child(pair, 'value'));
  const list =
    code?.type === 'call' && textOf(c.file, child(code, 'function')) === 'dict' && child(code, 'arguments');
  return list ? list.children.map((value) => child(value, 'value')) : [undefined];
}

const nameOf = (c: Place, one: Syntax) =>
  one.type === 'keyword_argument' ? textOf(c.file, child(one, 'name')) : '';

/** A literal, a variable and its attributes, or text that is put together of such. */
function isPlain(c: Place, node: Syntax | undefined, roots: Roots): boolean {
  if (!node) return false;
  const all = (parts: Syntax[]) => parts.every((one) => isPlain(c, one, roots));
  if (LITERAL.test(node.type))
    return all(
      node.children.flatMap((one) => (one.type === 'interpolation' ? one.children.slice(0, 1) : [])),
    );
  if (PUT_TOGETHER.test(node.type)) return all(node.children.filter((one) => one.field !== 'operator'));
  if (node.type === 'attribute') return isPlain(c, child(node, 'object'), roots);
  if (node.type === 'call') return isNarrowed(c, node, roots) || isConverted(c, node, roots);
  if (node.type !== 'identifier') return false;
  roots.set(textOf(c.file, node), node);
  return true;
}

/** `criteria["owner"] = owner`, `criteria.update(…)` */
function isFilled(c: Place, held: Syntax): boolean {
  let around: Syntax | null = held;
  while (around && around.type !== 'function_definition') around = around.parent;
  const text = around ? textOf(c.file, around) : c.file.text;
  const name = textOf(c.file, held);
  return new RegExp(`\\b${name}(\\[[^\\n]*\\][ \\t]*=(?!=)|\\.(update|setdefault|pop)\\()`).test(text);
}

/** `Order.objects.select_for_update().filter(owner=owner)` is of the same rows where its arguments are. */
function isNarrowed(c: Place, node: Syntax, roots: Roots): boolean {
  const callee = child(node, 'function');
  const name = textOf(c.file, child(callee ?? node, 'attribute'));
  if (callee?.type !== 'attribute' || !NARROWS.test(name)) return false;
  const values = child(node, 'arguments')?.children.map((one) => child(one, 'value') ?? one) ?? [];
  return [child(callee, 'object'), ...values].every((one) => isPlain(c, one, roots));
}

const CONVERTS = /^(str|int|float|bool|len|tuple|slugify)$/;
const PUTS = /^(format|lower|upper|strip|title|capitalize|replace)$/;

/** `str(address)`, `"{}-group".format(name)` and `name.lower()` are the same where what they are made of is. */
function isConverted(c: Place, node: Syntax, roots: Roots): boolean {
  const callee = child(node, 'function');
  const name = textOf(c.file, callee?.type === 'attribute' ? child(callee, 'attribute') : callee);
  const method = callee?.type === 'attribute';
  if (!(method ? PUTS : CONVERTS).test(name) || (!method && lookup(c.file, c.scope, name))) return false;
  const values = child(node, 'arguments')?.children.map((one) => child(one, 'value') ?? one) ?? [];
  return [...(method ? [child(callee, 'object')] : []), ...values].every((one) => isPlain(c, one, roots));
}

/** A constant, a parameter as the caller gave it, or the one row that such things tell. */
function isFixed(c: Place, node: Syntax, given: Set<string>): boolean {
  const name = textOf(c.file, node);
  const value = lookup(c.file, c.scope, name);
  if (isConstantName(name) || (value?.path !== undefined && !value.parameter)) return true;
  if (isParameter(c, node, value)) {
    given.add(name);
    return true;
  }
  if (isOneOfFew(value)) return true;
  if (assignments(c, node, name) !== 1) return false;
  const row = assigned(c, node, name);
  const called = row && textOf(c.file, child(child(row, 'function') ?? row, 'attribute'));
  if (!called || !ROW.test(called)) return false;
  const roots = rootsOf(c, row);
  return roots !== undefined && [...roots.values()].every((one) => one !== node && isFixed(c, one, given));
}

/** `for name in ("admin", "member"):` has no more rows than that, however often it is gone over. */
const isOneOfFew = (value: Value | undefined): boolean =>
  value?.among !== undefined &&
  value.among.length <= FEW &&
  value.among.every(({ type }) => LITERAL.test(type));

const FEW = 64;

/** The call whose result, or the first of it, a statement before this one in the function gives the variable. */
function assigned(c: Place, node: Syntax, name: string): Syntax | undefined {
  for (let at: Syntax | null = node; at && !FUNCTIONS.has(at.type); at = at.parent)
    for (const one of at.parent?.type === 'block' ? at.parent.children : []) {
      if (one.start >= at.start) break;
      const assignment = one.type === 'expression_statement' ? one.children[0] : one;
      const left = assignment?.type === 'assignment' ? child(assignment, 'left') : undefined;
      const first = left?.type === 'tuple_pattern' ? left.children[0] : left;
      if (!first || textOf(c.file, first) !== name) continue;
      const right = child(assignment!, 'right');
      return right?.type === 'await' ? right.children.at(-1) : right;
    }
  return undefined;
}

function outermost(node: Syntax): Syntax | undefined {
  let found: Syntax | undefined;
  for (let at = node.parent; at && !FUNCTIONS.has(at.type); at = at.parent)
    if (LOOPS.has(at.type)) found = at;
  return found;
}

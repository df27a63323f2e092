// How often a loop turns whose numbers are written out: `range(3)`, `rows[:10]`. What it runs over, and what it counts itself, is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { constantOfClass } from '../classes/constants.ts';
import { argument } from '../names/arguments.ts';
import { assignments, functionAround, given, standing, valuesOf } from '../names/assignments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import { collection, lengthOf } from './lengths.ts';

/** How far a number is followed back. */
const DEEPEST = 20;

/** A number, what is reckoned of numbers, or the length of what is written out. */
export function numberOf(c: Place, node: Syntax, depth = 0): number | null {
  if (depth > DEEPEST) return null;
  const number = (one: Syntax | undefined) => (one ? numberOf(c, one, depth + 1) : null);
  switch (node.type) {
    case 'unary_operator': {
      const size = textOf(c.file, node).startsWith('-') ? number(node.children.at(-1)) : null;
      return size === null ? null : -size;
    }
    case 'binary_operator':
      return reckoned(
        textOf(c.file, child(node, 'operator')),
        number(child(node, 'left')),
        number(child(node, 'right')),
      );
    case 'call': {
      const held = textOf(c.file, child(node, 'function')) === 'len' ? argument(node, 0) : undefined;
      const list = held && collection(c, held);
      return list ? lengthOf(list) : null;
    }
    case 'integer':
      return Number(textOf(c.file, node).replaceAll('_', ''));
    case 'attribute':
      return number(constantOfClass(c, node));
    case 'identifier': {
      const code = givenBy(c, node);
      return code && NUMBERS.has(code.type) ? number(code) : null;
    }
    default:
      return null;
  }
}

/** What a variable has on every way: of one that a condition gives another value, or a caller the first, nobody knows. */
export function givenBy(c: Place, node: Syntax): Syntax | undefined {
  const name = textOf(c.file, node);
  if (assignments(c, node, name) === 0) return resolve(c, node)?.code;
  const around = functionAround(node);
  const own = around ? given(c, child(around, 'body') ?? around).get(name) : undefined;
  if (!own) return resolve(c, node)?.code;
  if (own.some(({ type }) => type === 'augmented_assignment')) return undefined;
  if (own.length === 1 && caps(c, own[0]!, name)) return child(own[0]!, 'right');
  const [only, another] = valuesOf(c, node, name);
  return standing(c, node, name) ?? (another ? undefined : only);
}

/** `if limit > 100: limit = 100` */
function caps(c: Place, by: Syntax, name: string): boolean {
  const asks = by.type === 'assignment' ? by.parent?.parent?.parent : undefined;
  const condition = asks?.type === 'if_statement' ? textOf(c.file, child(asks, 'condition')) : '';
  return condition.startsWith(name) && /^\s*>/.test(condition.slice(name.length));
}

const NUMBERS = new Set(['integer', 'unary_operator', 'binary_operator']);

function reckoned(sign: string, left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '**':
      return left ** right;
    case '<<':
      return left * 2 ** right;
    case '//':
      return right === 0 ? null : Math.floor(left / right);
    default:
      return null;
  }
}

/** A number that it is not above: `min(len(rows), 10)`, `max(1, min(limit, 50))`, also where a variable holds it. */
export function mostOf(c: Place, node: Syntax, depth = 0): number | null {
  if (depth > DEEPEST) return null;
  const most = (one: Syntax) => mostOf(c, one, depth + 1);
  if (node.type === 'identifier') {
    const code = givenBy(c, node);
    return code?.type === 'call' ? most(code) : numberOf(c, node);
  }
  const called = node.type === 'call' ? textOf(c.file, child(node, 'function')) : '';
  if (called !== 'min' && called !== 'max') return numberOf(c, node);
  const given = child(node, 'arguments')?.children ?? [];
  const all = given.map((one) => (one.type === 'comment' ? null : most(one)));
  const known = all.flatMap((one) => one ?? []);
  if (called === 'min') return known.length > 0 ? Math.min(...known) : null;
  return known.length > 1 && known.length === all.length ? Math.max(...known) : null;
}

/** `range(3)`, `range(0, 10, 2)`, `range(at, at + 7)`; the arguments of `islice` behind the first mean the same. */
export function turns(c: Place, call: Syntax, first = 0): number | null {
  const [one, two, three] = [first, first + 1, first + 2].map((i) => argument(call, i));
  if (!one) return null;
  if (!two) return atLeastNone(numberOf(c, one));
  const step = three ? numberOf(c, three) : 1;
  const way = between(c, one, two);
  return way === null || !step ? null : atLeastNone(Math.ceil(way / step));
}

const atLeastNone = (count: number | null) => (count === null ? null : Math.max(0, count));

/** From the one to the other, also where they are so far apart wherever that is: `at`, `at + 10`. */
function between(c: Place, from: Syntax, to: Syntax): number | null {
  const [first, end] = [numberOf(c, from), numberOf(c, to)];
  if (first !== null && end !== null) return end - first;
  const beyond = added(c, from, to);
  return beyond ? numberOf(c, beyond) : null;
}

/** `size` of `at + size`, behind `at`; `min(at + size, len(rows))` is no more than that. */
function added(c: Place, from: Syntax, to: Syntax): Syntax | undefined {
  const sums =
    to.type === 'call' && textOf(c.file, child(to, 'function')) === 'min'
      ? child(to, 'arguments')?.children
      : [to];
  for (const one of sums ?? []) {
    if (one.type !== 'binary_operator' || textOf(c.file, child(one, 'operator')) !== '+') continue;
    if (textOf(c.file, child(one, 'left')) === textOf(c.file, from)) return child(one, 'right');
  }
  return undefined;
}

/** `rows[:10]`, `rows[5:10]`, `rows[at : at + 10]`, `rows[-3:]` */
export function sliced(c: Place, node: Syntax): number | null {
  const { from, to, isLast } = ends(c, node);
  if (isLast && from) {
    const last = numberOf(c, from);
    return last === null || last >= 0 ? null : -last;
  }
  if (!to) return null;
  if (!from) return atEnd(mostOf(c, to));
  const first = numberOf(c, from);
  const way = first !== null && first < 0 ? null : between(c, from, to);
  const end = numberOf(c, to);
  return end !== null && end < 0 ? null : atLeastNone(way ?? end);
}

/** Counted from the end, nobody knows how many that leaves. */
const atEnd = (end: number | null) => (end === null || end < 0 ? null : end);

/** What says how many such a slice has at most: `size` of `rows[:size]`, and of `rows[at : at + size]`. */
export function sliceSize(c: Place, node: Syntax): Syntax | undefined {
  const { from, to } = ends(c, node);
  return from && to ? added(c, from, to) : to;
}

/** `isLast`: nothing stands behind the colon, and no step. */
function ends(c: Place, node: Syntax): { from?: Syntax; to?: Syntax; isLast?: boolean } {
  const slice = node.children.at(-1);
  if (slice?.type !== 'slice') return {};
  const [first, second, third] = slice.children;
  if (!first || third) return {};
  const before = textOf(c.file, slice).slice(0, first.start - slice.start);
  if (before.includes(':')) return before.includes('::') || second ? {} : { to: first };
  const behind = c.file.text.slice(first.end, second?.start ?? slice.end);
  if (behind.split(':').length !== 2) return {};
  return second ? { from: first, to: second } : { from: first, isLast: true };
}

const COUNTS = new Set(['==', '>', '>=']);

/** After how many turns a condition holds: `i % 100 == 0`, `not i % 100`, `len(rows) >= 100` where they are put away then. */
export function everySo(c: Place, condition: Syntax | undefined, body: Syntax | undefined): number | null {
  switch (condition?.type) {
    case 'not_operator':
      return modulus(c, condition.children.at(-1));
    case 'boolean_operator': {
      if (textOf(c.file, child(condition, 'operator')) !== 'and') return null;
      return everySo(c, child(condition, 'left'), body) ?? everySo(c, child(condition, 'right'), body);
    }
    case 'comparison_operator': {
      const [left, sign, right, more] = condition.children;
      if (!left || !right || more || !COUNTS.has(sign!.type)) return null;
      if (sign!.type === '==' && modulus(c, left) !== null) return modulus(c, left);
      const turns = numberOf(c, right);
      if (turns === null) return null;
      const held = /^len\((\w+)\)$|^(\w+)$/.exec(textOf(c.file, left));
      const name = held?.[1] ?? held?.[2];
      const emptied = `\\b${name}(\\s*=\\s*(?:\\[\\]|list\\(\\)|0)\\s*$|\\.clear\\(\\))`;
      if (!name || !new RegExp(emptied, 'm').test(textOf(c.file, body))) return null;
      return sign!.type === '>' ? turns + 1 : turns;
    }
    default:
      return null;
  }
}

/** `if i % 100 != 0: continue`: what follows in the loop runs once in so many turns. */
export function skipsAllBut(c: Place, node: Syntax): number | null {
  if (node.type !== 'if_statement' || node.children.some((one) => one.field === 'alternative')) return null;
  const body = child(node, 'consequence')?.children.filter(({ type }) => type !== 'comment') ?? [];
  return body.length === 1 && body[0]!.type === 'continue_statement'
    ? otherwise(c, child(node, 'condition'))
    : null;
}

function otherwise(c: Place, condition: Syntax | undefined): number | null {
  switch (condition?.type) {
    case 'boolean_operator': {
      if (textOf(c.file, child(condition, 'operator')) !== 'and') return null;
      return otherwise(c, child(condition, 'left')) ?? otherwise(c, child(condition, 'right'));
    }
    case 'comparison_operator':
      return /!=\s*0$/.test(textOf(c.file, condition)) ? modulus(c, condition.children[0]) : null;
    default:
      return modulus(c, condition);
  }
}

function modulus(c: Place, node: Syntax | undefined): number | null {
  const right = node?.type === 'binary_operator' ? child(node, 'right') : undefined;
  if (!right || !c.file.text.slice(child(node!, 'left')!.end, right.start).includes('%')) return null;
  return numberOf(c, right);
}

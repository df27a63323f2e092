// How often a loop turns whose numbers are written out: `range(3)`, `rows[:10]`, `while tries < 3`. What it runs over is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { argument } from '../names/arguments.ts';
import { assignments } from '../names/assignments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import { collection, lengthOf } from './lengths.ts';

/** A number, or the length of what is written out. */
export function numberOf(c: Place, node: Syntax): number | null {
  if (node.type === 'unary_operator') {
    const size = /^-\s*\d/.test(textOf(c.file, node)) ? numberOf(c, node.children.at(-1)!) : null;
    return size === null ? null : -size;
  }
  if (node.type === 'call') {
    const held = textOf(c.file, child(node, 'function')) === 'len' ? argument(node, 0) : undefined;
    const list = held && collection(c, held);
    return list ? lengthOf(list) : null;
  }
  const code = node.type === 'identifier' ? resolve(c, node)?.code : node;
  return code?.type === 'integer' ? Number(textOf(c.file, code).replaceAll('_', '')) : null;
}

/** `range(3)`, `range(0, 10, 2)`; the arguments of `islice` behind the first mean the same. */
export function turns(c: Place, call: Syntax, first = 0): number | null {
  const numbers = [first, first + 1, first + 2]
    .map((i) => argument(call, i))
    .filter((one) => one !== undefined)
    .map((one) => numberOf(c, one) ?? Number.NaN);
  const [from, to, step] =
    numbers.length === 1
      ? [0, numbers[0]!, 1]
      : [numbers[0] ?? Number.NaN, numbers[1] ?? Number.NaN, numbers[2] ?? 1];
  const count = Math.max(0, Math.ceil((to - from) / step));
  return Number.isFinite(count) ? count : null;
}

/** `rows[:10]`, `rows[5:10]`, `rows[at : at + 10]`, `rows[-3:]` */
export function sliced(c: Place, node: Syntax): number | null {
  const slice = node.children.at(-1);
  const to = slice?.type === 'slice' ? slice.children.at(-1) : undefined;
  const between = to && textOf(c.file, slice).slice(0, to.start - slice!.start);
  const last = to && /^\s*-\d+\s*:\s*$/.test(textOf(c.file, slice)) ? numberOf(c, to) : null;
  if (last !== null) return -last;
  if (!to || !/^[^:]*:\s*$/.test(between!)) return null;
  const from = slice!.children[0] === to ? undefined : slice!.children[0];
  if (from && to.type === 'binary_operator' && textOf(c.file, child(to, 'operator')) === '+') {
    const isFrom = textOf(c.file, child(to, 'left')) === textOf(c.file, from);
    return isFrom ? numberOf(c, child(to, 'right')!) : null;
  }
  const [first, end] = [from ? numberOf(c, from) : 0, numberOf(c, to)];
  return first === null || end === null || first < 0 || end < 0 ? null : Math.max(0, end - first);
}

/** `while tries < 3`, where it was given a number before, and each turn counts it on and has no other way round. */
export function countedBy(c: Place, node: Syntax): number | null {
  const condition = child(node, 'condition');
  if (condition?.type !== 'comparison_operator') return null;
  const [, name, sign] = /^(\w+)\s*(<=?|>=?)[^<>]+$/.exec(textOf(c.file, condition)) ?? [];
  const from = name === undefined ? undefined : condition.children[0];
  const to = condition.children.at(-1);
  if (!from || !to || assignments(c, condition, name!) !== 2) return null;
  const step = (child(node, 'body')?.children ?? []).find((one) => counts(c, one, name!));
  const by = step && child(step.children[0]!, 'right');
  const numbers = [numberOf(c, from), numberOf(c, to), by ? numberOf(c, by) : null];
  if (numbers.some((one) => one === null) || /\bcontinue\b/.test(textOf(c.file, child(node, 'body'))))
    return null;
  const [start, end, size] = numbers as [number, number, number];
  const up = textOf(c.file, step!.children[0]).includes('+=');
  if (up !== sign!.startsWith('<') || size <= 0) return null;
  const way = (up ? end - start : start - end) + (sign!.endsWith('=') ? 1 : 0);
  return Math.max(0, Math.ceil(way / size));
}

const counts = (c: Place, node: Syntax, name: string): boolean =>
  node.children[0]?.type === 'augmented_assignment' &&
  new RegExp(`^${name}\\s*[+-]=`).test(textOf(c.file, node));

/** `while True: try: …; break except: …`: another turn only after a failure. */
export function retries(node: Syntax): boolean {
  const body = child(node, 'body')?.children.filter((one) => one.type !== 'comment') ?? [];
  const trying = body.find((one) => one.type === 'try_statement');
  if (!trying) return false;
  const leaves = (list: Syntax | undefined) =>
    /^(return|break)_statement$/.test(list?.children.at(-1)?.type ?? '');
  const ends =
    leaves(child(trying, 'body')) ||
    trying.children.some((one) => one.type === 'else_clause' && leaves(child(one, 'body')));
  return ends || (trying === body.at(-2) && /^(return|break)_statement$/.test(body.at(-1)!.type));
}

const COUNTS = new Set(['==', '>', '>=']);

/** After how many turns a condition holds: `i % 100 == 0`, `not i % 100`, `len(rows) >= 100` where they are put away then. */
export function everySo(c: Place, condition: Syntax | undefined, body: Syntax | undefined): number | null {
  switch (condition?.type) {
    case 'parenthesized_expression':
      return everySo(c, condition.children[0], body);
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
    case 'parenthesized_expression':
      return otherwise(c, condition.children[0]);
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
  if (node?.type === 'parenthesized_expression') return modulus(c, node.children[0]);
  const right = node?.type === 'binary_operator' ? child(node, 'right') : undefined;
  if (!right || !c.file.text.slice(child(node!, 'left')!.end, right.start).includes('%')) return null;
  return numberOf(c, right);
}

// What runs only where a query of constants found no row: `IF NOT EXISTS (SELECT …) THEN`, `IF NOT FOUND THEN`. It lowers nothing; whether a row is made there, the linker finds out.
import { inside, type Name, type Step } from '../../ir.ts';
import { identifier } from '../sql/text/lexer.ts';
import { type Context, closing, find, mark, nameAt, word } from './context.ts';
import type { ChoiceNode, Range } from './tree.ts';

type Arm = ChoiceNode['arms'][number];

/** A query that asks whether there is any: its words, and what it reads. */
interface Asked {
  query: Range;
  reads: Step[];
  /** Rows are missing where it is so. */
  holds: boolean;
}

/** The arm of an IF as a block that runs once, if it makes what it found missing. `condition`: the steps of the first one. */
export function whereNone(c: Context, node: ChoiceNode, k: number, condition: Step[], body: Step[]): Step[] {
  const [first, other, ...more] = node.arms as [Arm, Arm?, ...Arm[]];
  const isElse = k === 1 && more.length === 0 && !other!.condition;
  if (node.kind !== 'if' || body.length === 0 || !(k === 0 || isElse) || !first.condition) return body;
  const asked = askedBy(c, first.condition, condition);
  const makes = asked && asked.holds === (k === 0) && isConstant(c, asked.query) ? readBy(asked.reads) : null;
  return makes ? [{ kind: 'block', at: body[0]!.at, once: 'ever', makes, body }] : body;
}

function askedBy(c: Context, { from, to }: Range, steps: Step[]): Asked | null {
  const not = word(c, from) === 'not';
  const start = not ? from + 1 : from;
  if (word(c, start) === 'exists' && mark(c, start + 1) === '(' && closing(c, start + 1, to) === to - 1)
    return { query: { from: start + 2, to: to - 1 }, reads: steps, holds: not };
  const { before } = c;
  if (!before) return null;
  if (word(c, start) === 'found' && to === start + 1) return { ...before, holds: not };
  const name = nameAt(c, from);
  // Most conditions are longer than that.
  const holds = name === null || to > from + 5 ? undefined : NONE.get(textOf(c, { from: from + 1, to }));
  return holds === undefined || !isInto(c, before.query, name!) ? null : { ...before, holds };
}

const textOf = (c: Context, { from, to }: Range): string =>
  c.tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');

/** Whether nothing was found where it compares so. */
const NONE = new Map([
  ['is null', true], ['= 0', true], ['< 1', true], ['is not null', false], ['> 0', false],
]); // biome-ignore format: a table

/** `SELECT … INTO name FROM …`, and no second name. */
function isInto(c: Context, { from, to }: Range, name: string): boolean {
  const into = find(c, { from, to }, 'into');
  return into < to && nameAt(c, into + 1) === name && mark(c, into + 2) !== ',';
}

/** No variable is in it but what it puts its row into. */
function isConstant(c: Context, { from, to }: Range): boolean {
  const into = find(c, { from, to }, 'into');
  const end = into < to ? find(c, { from: into, to }, 'from') : into;
  return c.tokens.slice(from, to).every((token, i) => {
    if (token.kind === 'parameter') return false;
    if (token.kind !== 'word' || (from + i > into && from + i < end)) return true;
    const name = identifier(token);
    return !c.scope.variables!.has(name) && name !== 'new' && name !== 'old';
  });
}

/** The one relation that it reads. */
function readBy(steps: Step[]): Name | null {
  const found = new Set<Name | null>();
  const stack = [steps];
  for (let some = stack.pop(); some; some = stack.pop())
    for (const step of some) {
      if (step.kind === 'read') found.add(step.relation);
      stack.push(...inside(step));
    }
  const [only, ...others] = found;
  return only && others.length === 0 ? only : null;
}

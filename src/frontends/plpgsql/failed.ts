// Whether a condition holds only where something in the same loop has failed: handlers alone set what it asks for, or a block's end did not. It asks no handler what it caught.
import { identifier } from '../sql/text/lexer.ts';
import { type Context, mark, nameAt, type Turning, word } from './context.ts';
import { isError } from './raise.ts';
import { each, literal, setters } from './survey.ts';
import type { BlockNode, Range, Statement } from './tree.ts';
import { conjuncts, signAt } from './turns.ts';

/** `IF NOT ok THEN`, `IF failed > 0 THEN`; what stands behind `CONTINUE WHEN ok` is so the other way. */
export function onlyFailed(
  c: Context,
  condition: Range,
  node: Statement,
  arm: Statement[],
  loop: Turning | undefined,
  contrary = false,
): boolean {
  if (!loop) return false;
  const all = conjuncts(c, condition);
  if (contrary && all.length > 1) return false;
  return all.some((one) => {
    const flag = flagOf(c, one);
    if (flag) {
      const wants = flag.is !== contrary;
      const went = wentIn(c, loop.body, node, flag.name, undefined);
      if (!went.found) return false;
      if (went.value !== undefined) return went.value === !wants;
      return c.truths.get(flag.name) === !wants && isOfHandlers(c, loop, arm, flag.name);
    }
    const { from, to } = one;
    const [name, number] = [nameAt(c, from), literal(c, { from: from + 2, to })];
    const start = name === null || number === null ? undefined : c.numbers.get(name);
    const holds = start === undefined ? undefined : HOLDS.get(signAt(c, from + 1, contrary));
    return holds?.(start!, number!) === false && isOfHandlers(c, loop, arm, name!);
  });
}

const HOLDS = new Map<string, (a: number, b: number) => boolean>([
  ['=', (a, b) => a === b],
  ['<>', (a, b) => a !== b],
  ['!=', (a, b) => a !== b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
]);

/** `ok`, `NOT ok`, `ok = false`, `ok IS TRUE`, `ok IS NOT TRUE`. */
function flagOf(c: Context, { from, to }: Range): { name: string; is: boolean } | null {
  if (mark(c, from) === '(' && mark(c, to - 1) === ')') return flagOf(c, { from: from + 1, to: to - 1 });
  if (word(c, from) === 'not') {
    const inner = flagOf(c, { from: from + 1, to });
    return inner && { name: inner.name, is: !inner.is };
  }
  const token = c.tokens[from];
  if (token?.kind !== 'word' || to > from + 4) return null;
  const name = identifier(token);
  if (to === from + 1) return { name, is: true };
  const said = word(c, to - 1);
  if (said !== 'true' && said !== 'false') return null;
  if (to === from + 4)
    return word(c, from + 1) === 'is' && word(c, from + 2) === 'not' ? { name, is: said !== 'true' } : null;
  if (to !== from + 3) return null;
  const sign = word(c, from + 1) || mark(c, from + 1);
  return sign === '=' || sign === 'is' ? { name, is: said === 'true' } : null;
}

/** What a variable holds where a statement is come to and nothing has failed: null where nobody knows, undefined where the turn has not set it. */
interface Went {
  value: boolean | null | undefined;
  found: boolean;
}

function wentIn(
  c: Context,
  statements: Statement[],
  until: Statement,
  name: string,
  before: Went['value'],
): Went {
  let value = before;
  for (const node of statements) {
    if (node === until) return { value, found: true };
    if (node.kind === 'block') {
      const inner = wentIn(c, node.body, until, name, value);
      if (inner.found) return inner;
      value = raisesItself(c, node) ? null : inner.value;
    } else if (node.kind === 'plain') {
      if (setters(c, [node], name).length > 0) value = saysIn(c, node);
    } else if (node.kind === 'loop') {
      if (setters(c, node.body, name).length > 0) value = null;
    } else {
      let set = false;
      for (const { body } of node.arms) {
        const inner = wentIn(c, body, until, name, value);
        if (inner.found) return inner;
        set ||= setters(c, body, name).length > 0;
      }
      if (set) value = null;
    }
  }
  return { value, found: false };
}

/** What is tried only to see whether it would fail: its handler runs where nothing else did. */
function raisesItself(c: Context, { body, exception }: BlockNode): boolean {
  const last = body.at(-1);
  return exception !== undefined && last?.kind === 'plain' && last.verb === 'raise' && isError(c, last);
}

function saysIn(c: Context, { from, to }: Range): boolean | null {
  const said = to === from + 3 ? word(c, from + 2) : '';
  return said === 'true' ? true : said === 'false' ? false : null;
}

/** Nothing sets it but handlers of the loop, and what the condition leads to. */
function isOfHandlers(c: Context, { body }: Turning, arm: Statement[], name: string): boolean {
  const handled = new Set<Statement>(setters(c, arm, name));
  const own = handled.size;
  each(body, (node) => {
    if (node.kind !== 'block' || raisesItself(c, node)) return;
    for (const handler of node.exception?.handlers ?? [])
      for (const one of setters(c, handler.body, name)) handled.add(one);
  });
  return handled.size > own && setters(c, c.statements, name).every((one) => handled.has(one));
}

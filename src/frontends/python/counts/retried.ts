// Which loops turn again only where a turn failed, or made nothing. How often they do that nobody counts.
import { child, type Syntax } from '../../syntax.ts';
import { type Place, textOf } from '../names/scope.ts';

/** `while True: try: …; break except: …`, `while not done: try: …; done = True except: …`. */
export function retries(c: Place, loop: Syntax): boolean {
  const body = statements(child(loop, 'body'));
  const flag = loop.type === 'while_statement' ? awaited(c, child(loop, 'condition')) : undefined;
  if (tries(c, loop) && endsOnceMade(c, body, flag)) return true;
  const trying = body.find((one) => one.type === 'try_statement');
  if (!trying || (!tries(c, loop) && goesOn(trying))) return false;
  const parts = [trying, ...trying.children.filter(({ type }) => type === 'else_clause')];
  if (parts.some((one) => leaves(child(one, 'body')))) return true;
  if (trying === body.at(-2) && LEAVES.test(body.at(-1)!.type)) return true;
  const done = flag === undefined ? [] : parts.flatMap((one) => [...settingIn(c, child(one, 'body'), flag)]);
  return done.length > 0 && settings(c, loop, flag!).every((one) => done.includes(one) || isReset(one));
}

/** Nothing failed, and the next item has its turn. */
const goesOn = (node: Syntax): boolean =>
  node.type === 'continue_statement' || (!ELSEWHERE.test(node.type) && node.children.some(goesOn));
const ELSEWHERE = /^(?:except|for|while|function|class|lambda)/;

/** It goes over nothing that has work of its own. */
const tries = (c: Place, loop: Syntax): boolean =>
  loop.type === 'while_statement' || TIMES.test(textOf(c.file, child(loop, 'right')));
const TIMES = /^(?:range|(?:itertools\.)?count)\(/;

const statements = (block: Syntax | undefined): Syntax[] =>
  block?.children.filter(({ type }) => type !== 'comment') ?? [];

const LEAVES = /^(?:return|break)_statement$/;

const leaves = (block: Syntax | undefined): boolean => {
  const last = block?.children.at(-1);
  return last?.type === 'with_statement' ? leaves(child(last, 'body')) : LEAVES.test(last?.type ?? '');
};

/** `not done`, `code is None`: what must be there for the loop to end. */
function awaited(c: Place, condition: Syntax | undefined): string | undefined {
  const said = textOf(c.file, condition);
  return /^not\s+([\w.]+)$/.exec(said)?.[1] ?? /^([\w.]+)\s+is\s+(?:None|False)$/.exec(said)?.[1];
}

/** What gives it a value that is there, on the way of everything in this block. */
function* settingIn(c: Place, block: Syntax | undefined, flag: string): Generator<Syntax> {
  for (const one of statements(block)) {
    if (one.type === 'with_statement') yield* settingIn(c, child(one, 'body'), flag);
    const by = one.type === 'expression_statement' ? one.children[0] : undefined;
    const isIt = by?.type === 'assignment' && textOf(c.file, child(by, 'left')) === flag;
    if (isIt && isThere(c, child(by, 'right'))) yield by;
  }
}

/** What makes a row gives it, or fails. */
function isThere(c: Place, value: Syntax | undefined): boolean {
  if (value?.type === 'await') return isThere(c, value.children[0]);
  if (value?.type !== 'call')
    return value?.type === 'true' || (value?.type === 'integer' && textOf(c.file, value) !== '0');
  return MAKES.test(textOf(c.file, child(value, 'function')));
}

const MAKES = /(?:^|\.)a?create(?:_\w+)?$/;

/** All that gives it another value in the loop. */
function settings(c: Place, loop: Syntax, flag: string): Syntax[] {
  const out: Syntax[] = [];
  const stack = [child(loop, 'body')];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'assignment' && textOf(c.file, child(node, 'left')) === flag) out.push(node);
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
}

const isReset = (by: Syntax): boolean => /^(?:none|false)$/.test(child(by, 'right')?.type ?? '');

/** `code, made = Code.objects.get_or_create(…)` where a turn that made one is the last. */
function endsOnceMade(c: Place, body: Syntax[], flag: string | undefined): boolean {
  return body.some((one, i) => {
    const by = one.type === 'expression_statement' ? one.children[0] : undefined;
    const made = by?.type === 'assignment' ? madeBy(c, by) : undefined;
    if (made === undefined) return false;
    return made === flag || endsIf(c, body.slice(i + 1), made);
  });
}

function madeBy(c: Place, by: Syntax): string | undefined {
  const right = child(by, 'right');
  const call = right?.type === 'await' ? right.children[0] : right;
  const callee = call?.type === 'call' ? textOf(c.file, child(call, 'function')) : '';
  const [, second, more] = child(by, 'left')?.children ?? [];
  return /\.a?get_or_create$/.test(callee) && second && !more ? textOf(c.file, second) : undefined;
}

/** `if made: break`, or `if not made: continue` before what leaves. */
function endsIf(c: Place, rest: Syntax[], made: string): boolean {
  const [asks] = rest;
  if (asks?.type !== 'if_statement') return false;
  const said = textOf(c.file, child(asks, 'condition'));
  if (said === made) return leaves(child(asks, 'consequence'));
  return said === `not ${made}` && LEAVES.test(rest.at(-1)!.type);
}

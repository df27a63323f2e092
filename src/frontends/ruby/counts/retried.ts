// Which loops turn again only where a turn failed: `until done … done = true rescue … end`. How often they do that nobody counts.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { runsOnce } from '../names/mentions.ts';
import { parts, textOf } from '../syntax.ts';

/** A `while` or `until`, or the block of `loop`. */
export function retries({ file }: Body, loop: Syntax): boolean {
  const inner = child(loop, 'body');
  const turn = /^(do|begin|body_statement|block_body)$/.test(inner?.type ?? '') ? parts(inner) : [inner!];
  const trying = turn.some(({ type }) => type === 'rescue')
    ? turn
    : turn.flatMap((one) => parts(triedIn(one))).filter((one) => one !== undefined);
  const flag = awaited(file, loop);
  if (flag?.asks === 'made') return MADE.test(flag.by);
  if (trying.length === 0) return false;
  const tried = trying.filter(({ type }) => type !== 'rescue' && type !== 'ensure');
  const leaves = flag ? setting(file, tried, flag.by).length > 0 : false;
  if (leaves) return settings(file, inner!, flag!.by).every((one) => isEnd(file, one) || isReset(one));
  return turn.some((one, i) => givesTrue(file, one, turn[i + 1]));
}

/** `begin … rescue … end`, alone or given to a variable. */
function triedIn(node: Syntax): Syntax | undefined {
  const one = node.type === 'assignment' ? child(node, 'right') : node;
  return one?.type === 'begin' && one.children.some(({ type }) => type === 'rescue') ? one : undefined;
}

interface Awaited {
  asks: 'is there' | 'made';
  by: string;
}

/** `until done`, `while !done`, `while record.nil?`; `begin … end until record.persisted?` */
function awaited(file: Body['file'], loop: Syntax): Awaited | undefined {
  const condition = child(loop, 'condition');
  if (!condition) return undefined;
  const text = textOf(file, condition);
  const isUntil = /^until/.test(loop.type);
  const flag = isUntil
    ? /^(@?\w+)(?:\.present\?)?$/.exec(text)?.[1]
    : (/^(?:!\s*|not\s+)(@?\w+)$/.exec(text)?.[1] ?? /^(@?\w+)\.(?:nil|blank)\?$/.exec(text)?.[1]);
  if (flag !== undefined) return { asks: 'is there', by: flag };
  const method = isUntil ? /^@?\w+\.(\w+[!?]?)$/.exec(text)?.[1] : /^!\s*@?\w+\.(\w+[!?]?)$/.exec(text)?.[1];
  return method === undefined ? undefined : { asks: 'made', by: method };
}

/** What is asked of a record that the turn has made, or makes it. */
const MADE = /^(persisted\?|previously_new_record\?|save)$/;

/** What gives it a value that is there, on the way of everything that is tried. */
function setting(file: Body['file'], list: Syntax[], flag: string): Syntax[] {
  return list.flatMap((one) => {
    if (one.type === 'else') return setting(file, parts(one), flag);
    const block = one.children.find(({ type }) => /^(do_)?block$/.test(type));
    if (block && runsOnce(file, block)) return setting(file, parts(child(block, 'body')), flag);
    return isOf(file, one, flag) && isEnd(file, one) ? [one] : [];
  });
}

const isOf = (file: Body['file'], one: Syntax, flag: string) =>
  one.type === 'assignment' && textOf(file, child(one, 'left') ?? one) === flag;

/** All that gives it a value in the loop. */
function settings(file: Body['file'], inner: Syntax, flag: string): Syntax[] {
  const out: Syntax[] = [];
  const stack = [inner];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isOf(file, node, flag)) out.push(node);
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
}

const isReset = (by: Syntax): boolean => /^(nil|false)$/.test(child(by, 'right')?.type ?? '');

/** What makes a row gives it, or fails. */
function isEnd(file: Body['file'], by: Syntax): boolean {
  const value = child(by, 'right');
  if (value?.type !== 'call') return value?.type === 'true';
  const block = value.children.find(({ type }) => /^(do_)?block$/.test(type));
  const last = block && runsOnce(file, block) ? parts(child(block, 'body')).at(-1) : value;
  return last?.type === 'call' && MAKES.test(textOf(file, child(last, 'method') ?? last));
}

const MAKES = /^(create|save|update|insert)(_\w+)?!$|^create$/;

/** `ok = begin …; true; rescue …; false; end` before `break if ok`. */
function givesTrue(file: Body['file'], one: Syntax, next: Syntax | undefined): boolean {
  const tried = one.type === 'assignment' && triedIn(one);
  const name = tried && textOf(file, child(one, 'left') ?? one);
  if (!tried || !/^if_modifier$/.test(next?.type ?? '')) return false;
  const leaves = /^(break|return)$/.test(child(next!, 'body')?.type ?? '');
  const isAsked = textOf(file, child(next!, 'condition') ?? next!) === name;
  const last = parts(tried).findLast(({ type }) => !/^(rescue|ensure|else)$/.test(type));
  return leaves && isAsked && last?.type === 'true';
}

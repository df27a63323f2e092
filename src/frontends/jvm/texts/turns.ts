// How many turns a loop statement has that counts by itself: `for (int i = 0; i < MAX; i++)`, `while (n++ < MAX)`, and after how many a condition holds. What collections have is in written.ts.

import { CONTRARY, MIRRORED } from '../../signs.ts';
import type { Constants } from '../names/scope.ts';
import type { Choice, Node, Repeat } from '../syntax/syntax.ts';
import { flat, type Most, mostOf, type Part, type Reading, sumOf } from './numbers.ts';
import { boundIn, reading, type Turns, turnsOver, UNKNOWN } from './written.ts';

const STEPS = /^\s*(\w+)\s*(?:\+=\s*([\w.]+)|=\s*\1\s*\+\s*([\w.]+))\s*$/;

/** What a loop counts on by, `from += CHUNK`, where a piece of a list is taken in each turn. */
export function stepIn({ how, every, body }: Repeat, text: string): Node | undefined {
  if (how !== 'count') return undefined;
  for (const one of every) {
    const by = STEPS.exec(text.slice(one.start, one.end));
    const said = by?.[2] ?? by?.[3];
    if (said === undefined || !text.slice(body.start, body.end).includes('subList')) continue;
    const at = { start: one.start, end: one.end };
    return /^\d/.test(said) ? { kind: 'literal', text: said, ...at } : { kind: 'name', text: said, ...at };
  }
  return undefined;
}

/** The value with which a variable was declared that is only set in this loop. */
export type Begun = (name: string, loop: Repeat) => Node | null;

/** What is longer asks for other things. */
const LONGEST = 200;

/** How many turns a loop statement has, as far as its file tells: as many as it goes over, and no more than one of its conditions allows. */
export function turnsIn(node: Repeat, text: string, constants: Constants, begun: Begun): Turns {
  const list = node.how === 'each' || node.every.length === 0 ? node.first.at(-1) : null;
  const over = list ? turnsOver(list, text, constants) : UNKNOWN;
  const isDo = node.how === 'while' && text.startsWith('do', node.start);
  let shortest = over;
  for (const guard of guards(node, text, isDo)) {
    const found = allowed(guard, node, { ...reading(text, constants), begun });
    if (!found) continue;
    if (found.times === null) shortest = { ...found, ...shortest };
    else if (shortest.times === null || found.times < shortest.times) shortest = found;
  }
  return shortest;
}

/** What must hold for another turn: a comparison, or whether there is another one. */
interface Guard {
  parts: Part[];
  /** It leaves where this holds. */
  leaves: boolean;
  /** The statement of the body that asks, or before all, or behind. */
  place: number;
  /** Nothing else is asked. */
  alone: boolean;
}

const BEHIND = Number.MAX_SAFE_INTEGER;
/** One body may ask for anything. */
const MOST_GUARDS = 8;

/** What the head asks, and `if (…) break;` among the statements of the body. */
function guards(loop: Repeat, text: string, isDo: boolean): Guard[] {
  const asks = (test: Node, leaves: boolean, place: number): Guard[] => {
    const all = conditions(test, text, leaves);
    return all.map((parts) => ({ parts, leaves, place, alone: all.length === 1 && !leaves }));
  };
  const head = testOf(loop, text);
  return [
    ...(head ? asks(head, false, isDo ? BEHIND : -1) : []),
    ...statements(loop.body)
      .flatMap((item, i) => (isLeaving(item) ? [{ test: item.tests[0]!, i }] : []))
      .slice(0, MOST_GUARDS)
      .flatMap(({ test, i }) => asks(test, true, i)),
  ];
}

const isLeaving = (item: Node): item is Choice =>
  item.kind === 'choice' && item.tests.length === 1 && !item.isElse && leavesLoop(item.arms[0], true);

/** What the head asks; `for (int i = 0; ; i++)` asks nothing. */
function testOf({ how, every }: Repeat, text: string): Node | undefined {
  const [first] = how === 'each' ? [] : every;
  const isStep =
    first?.kind === 'assign' ||
    (first?.kind === 'several' && /\+\+|--/.test(text.slice(first.start, first.end)));
  return how === 'count' && isStep ? undefined : first;
}

const statements = (body: Node): Node[] => (body.kind === 'sequence' ? body.items : [body]);

/** Each of `a && b`; where it leaves, each of `a || b`. */
function conditions(test: Node, text: string, leaves: boolean): Part[][] {
  if (test.end - test.start > LONGEST) return [];
  const [sign, other] = leaves ? ['||', '&&'] : ['&&', '||'];
  const out: Part[][] = [[]];
  for (const part of flat(test, text)) {
    if (part.operator === other) return [];
    if (part.operator === sign) out.push([]);
    out.at(-1)!.push(part.operator === sign ? { ...part, operator: '' } : part);
  }
  return out;
}

export type Ways = Reading & { begun: Begun };

/** How many turns one of them allows. */
function allowed(guard: Guard, loop: Repeat, ways: Ways): Turns | null {
  const { parts } = guard;
  const [only, ...more] = parts;
  if (only && more.length === 0) return guard.leaves ? null : handedOut(only.node, ways);
  const at = parts.findIndex(({ operator }) => SIGN.test(operator));
  if (at < 0) return null;
  const [left, right] = [parts.slice(0, at), parts.slice(at)];
  const sign = right[0]!.operator.slice(0, 2);
  const bound = [{ ...right[0]!, operator: '' }, ...right.slice(1)];
  return (
    counted(left, sign, bound, guard, loop, ways) ??
    counted(bound, MIRRORED[sign] ?? sign, left, guard, loop, ways)
  );
}

const SIGN = /^(?:<=?|>=?|[!=]==?)$/;

/** `it.hasNext()`, `rows.next()` of a query with a limit */
function handedOut(node: Node, { text, constants }: Ways): Turns | null {
  if (node.kind !== 'call' || !/^(hasN|n)ext$/.test(node.name) || !node.object) return null;
  const found = turnsOver(node.object, text, constants);
  return found.times === null ? null : { ...found, atMost: true };
}

function counted(
  counter: Part[],
  asked: string,
  bound: Part[],
  { leaves, place, alone }: Guard,
  loop: Repeat,
  ways: Ways,
): Turns | null {
  const [only, ...more] = counter;
  const name = only && more.length === 0 ? nameOf(only.node) : null;
  const steps = name === null ? null : stepsOf(name, loop, ways);
  if (!only || !name || !steps) return null;
  const sign = leaves ? CONTRARY[asked] : asked;
  const goesOn = sign === '!=' ? (steps.up ? '<' : '>') : sign;
  if (!goesOn || goesOn === '==' || goesOn.startsWith('<') !== steps.up) return null;
  const { by } = steps;
  const from = begins(name, loop, ways);
  // Where it is not told, it counts from nothing.
  if (from ? steps.up && !from.exact : !steps.up || isDeclared(name, loop)) return null;
  const to = sumOf(bound, ways);
  const isWhole = alone && loop.how === 'count' && steps.isHead && place < 0;
  if (!to && isWhole && goesOn === '<' && by === 1 && from?.most === 0 && bound.length === 1)
    return { times: null, until: bound[0]!.node };
  if (!to || !(steps.up || to.exact) || (sign === '!=' && by !== 1)) return null;
  const isIn = only.node.kind === 'several';
  const before = isIn
    ? ways.text.slice(only.node.start, only.node.end).search(/\w/) > 0
    : steps.place < place;
  const start = (from?.most ?? 0) + (before ? by : 0) * (steps.up ? 1 : -1);
  const distance = steps.up ? to.most - start : start - to.most;
  const turns = Math.max(0, goesOn.endsWith('=') ? Math.floor(distance / by) + 1 : Math.ceil(distance / by));
  if (!Number.isFinite(turns)) return null;
  if (isWhole && from?.exact && to.exact) return { times: turns };
  return { times: place > 0 ? turns + 1 : turns, atMost: true };
}

/** `i`, `i++`, `--i` */
function nameOf(node: Node): string | null {
  if (node.kind === 'name') return node.text;
  // Kotlin's parser keeps the sign that stands before.
  const items = node.kind === 'several' ? node.items.filter(({ kind }) => kind !== 'literal') : [];
  const [only, ...more] = items;
  return only?.kind === 'name' && more.length === 0 ? only.text : null;
}

/** How a variable is counted: by how much at least, in which statement of the body; null where anything else may be done to it. */
export function stepsOf(
  name: string,
  loop: Repeat,
  ways: Ways,
): { up: boolean; by: number; place: number; isHead: boolean } | null {
  const { text } = ways;
  const { every, body, start, end } = loop;
  const own = name.replaceAll('$', '\\$');
  const is = `(?<![\\w$.])${own}`;
  const step = new RegExp(
    `(\\+\\+|--)\\s*${is}(?![\\w$])|${is}\\s*(?:(\\+\\+|--)|([-+])=\\s*(\\w+)|=\\s*${own}\\s*([-+])\\s*(\\w+)|(=(?!=)|[*/%]=))`,
    'g',
  );
  const bodyAt = (at: number) => statements(body).findIndex((item) => item.start <= at && at < item.end);
  // What the head declares is no step.
  const first = Math.min(...[...every, body].map((one) => one.start), end);
  let known: { up: boolean; by: number; place: number; isHead: boolean } | null = null;
  for (const found of text.slice(start, end).matchAll(step)) {
    const [, before, after, adds, much, sum, more, other] = found;
    const at = start + found.index;
    const isHead = every.some((one) => one.start <= at && at < one.end);
    const inBody = isHead ? -1 : bodyAt(at);
    if (!isHead && inBody < 0 && at < first) continue;
    const up = (before ?? after ?? adds ?? sum) !== '--' && (adds ?? sum) !== '-';
    if (other !== undefined || (known && known.up !== up)) return null;
    const by = boundIn(much ?? more ?? '1', ways.constants) ?? (/^\d/.test(much ?? more ?? '') ? null : 1);
    if (!by) return null;
    const item = inBody < 0 ? undefined : statements(body)[inBody];
    const isSure = isHead || (item !== undefined && isStraight(item, at, text));
    if (isSure && !known?.isHead)
      known = { up, by, place: isHead ? placeOf(at, loop, text) : inBody, isHead };
  }
  if (!known) return null;
  const before = known.isHead ? undefined : statements(body)[known.place];
  const mayPass = before && /\bcontinue\b/.test(text.slice(body.start, before.end));
  return mayPass ? null : known;
}

/** A step of the head stands behind the body, where it is not in the condition before. */
function placeOf(at: number, loop: Repeat, text: string): number {
  const test = testOf(loop, text);
  const isBefore = test && test.start <= at && at < test.end && test.start < loop.body.start;
  return isBefore ? -2 : BEHIND + 1;
}

/** Each turn comes to it that comes to its statement: its condition, or what is no statement of its own. */
function isStraight(item: Node, at: number, text: string): boolean {
  if (item.kind === 'choice')
    return item.tests[0] !== undefined && at < item.tests[0].end && isAll(item.tests[0], at, text);
  return !/^(repeat|try|type)$/.test(item.kind) && isAll(item, at, text);
}

const isAll = ({ start }: Node, at: number, text: string): boolean =>
  at - start < LONGEST && !/[{}?&|]/.test(text.slice(start, at));

/** What the head makes it. */
const declared = (name: string, { first }: Repeat): (Node | undefined)[] =>
  first
    .flatMap((one) => (one.kind === 'several' ? one.items : [one]))
    .flatMap((one) => {
      if (one.kind === 'local' && one.name === name) return [one.value];
      return one.kind === 'assign' && nameOf(one.target) === name ? [one.value] : [];
    });

const isDeclared = (name: string, loop: Repeat) => declared(name, loop).length > 0;

export function begins(name: string, loop: Repeat, ways: Ways): Most | null {
  const all = declared(name, loop);
  return mostOf(all.length > 0 ? all[0] : ways.begun(name, loop), ways);
}

/** `while (true) { try { …; return; } catch (…) { … } }`: another turn only after a failure. */
export function retries({ body }: Repeat): boolean {
  const items = body.kind === 'sequence' ? body.items : [body];
  const trying = items.findIndex(({ kind }) => kind === 'try');
  const tried = items[trying];
  if (tried?.kind !== 'try') return false;
  return leavesLoop(tried.body) || (trying === items.length - 2 && leavesLoop(items.at(-1)));
}

/** `outer`: what leaves those around too counts. */
const leavesLoop = (node: Node | undefined, outer = false): boolean => {
  const last = node?.kind === 'sequence' ? node.items.at(-1) : node;
  if (last?.kind !== 'leave') return false;
  if (outer && last.how !== 'continue') return true;
  return /^(return|break)$/.test(last.how) && last.label === undefined;
};

const said = (text: string, { start, end }: Node) => text.slice(start, Math.min(end, start + 80));

const MODULUS = /%\s*(\w+)\s*\)?\s*==\s*0$/;
const REACHES = /^(?:\+\+)?(\w+)(?:\+\+|\.size\(\))?\s*(==|>=?)\s*(\w+)$/;

/** After how many turns a condition holds: `++n % 100 == 0`, `rows.size() >= 100` where they are put away then. */
export function everySo(test: Node, arm: Node, text: string, constants: Constants): number | null {
  const asked = said(text, test);
  if (asked.includes('||')) return null;
  for (const part of asked.split('&&')) {
    const by = MODULUS.exec(part.trim());
    if (by) return boundIn(by[1]!, constants);
    const [, name, sign, bound] = REACHES.exec(part.trim()) ?? [];
    const emptied = new RegExp(`\\b${name}(?:\\s*=\\s*0\\s*[;\\n}]|\\.clear\\(\\))`);
    const most = name && emptied.test(text.slice(arm.start, arm.end)) ? boundIn(bound!, constants) : null;
    if (most !== null) return sign === '>' ? most + 1 : most;
  }
  return null;
}

// How many turns a loop statement has that counts by itself: `for (int i = 0; i < MAX; i++)`, `while (n++ < MAX)`, and after how many a condition holds. What collections have is in written.ts.
import type { Constants } from '../names/scope.ts';
import type { Node, Repeat } from '../syntax/syntax.ts';
import { atMost, boundIn, itemsOf, numberIn, type Turns, turns, turnsOver, UNKNOWN } from './written.ts';

/** How many turns a loop statement has. */
export function turnsIn(node: Repeat, text: string, constants: Constants): Turns {
  const list = node.how === 'each' || node.every.length === 0 ? node.first.at(-1) : null;
  if (list) return turnsOver(list, text, constants);
  const own = node.how === 'while' ? tried(node, text, constants) : counting(node, text, constants);
  const left = node.how === 'while' ? UNKNOWN : leaving(node, text, constants);
  return left.times === null || (own.times !== null && own.times <= left.times) ? own : left;
}

const said = (text: string, { start, end }: Node) => text.slice(start, Math.min(end, start + 80));

const TEST = /^(\w+)\s*(<=?|>=?)\s*(\w+(?:\.length|\.size\(\))?)$/;
const STEP = /^(?:(\w+)\s*(\+\+|--)|(\+\+|--)\s*(\w+)|(\w+)\s*([-+])=\s*(\w+))$/;

/** `for (int i = 0, last = all.length; i < last; i += 2)`, `for (int i = 3; i > 0; i--)` */
function counting({ first, every }: Repeat, text: string, constants: Constants): Turns {
  const begun = begins(first, constants);
  const [test, step] =
    every.length === 2 ? [TEST.exec(said(text, every[0]!)), stepIn(said(text, every[1]!))] : [];
  if (!begun || !test || !step || test[1] !== begun.name || step.name !== begun.name) return UNKNOWN;
  const from = numberIn(begun.value, begun.constants);
  const to = lengthIn(test[3]!, text, begun.constants);
  const up = test[2]!.startsWith('<');
  const by = boundIn(step.by, begun.constants);
  if (up !== step.up || !by) return UNKNOWN;
  const closed = test[2]!.endsWith('=');
  const { times } = up ? turns(from, to, closed) : turns(to, from, closed);
  return times === null ? UNKNOWN : { times: Math.ceil(times / by) };
}

/** What the head declares: the first is counted, and by the others it is measured. */
function begins(first: Node[], constants: Constants) {
  const [head] = first;
  const [counted, ...others] = head?.kind === 'several' ? head.items : [];
  if (first.length !== 1 || counted?.kind !== 'local' || !counted.value) return null;
  const own = (node: Node): Node | null => {
    const found =
      node.kind === 'name' && others.find((one) => one.kind === 'local' && one.name === node.text);
    return found && found.kind === 'local' ? (found.value ?? null) : constants(node);
  };
  return { name: counted.name, value: counted.value, constants: own };
}

function stepIn(text: string): { name: string; up: boolean; by: string } | null {
  const found = STEP.exec(text);
  if (!found) return null;
  const [, after, sign, first, before, other, way, by] = found;
  return { name: (after ?? before ?? other)!, up: (sign ?? first ?? way)!.startsWith('+'), by: by ?? '1' };
}

/** `3`, `MAX`, `all.length` */
function lengthIn(bound: string, text: string, constants: Constants): number | null {
  const [name, ...of] = bound.split('.');
  if (of.length === 0) return boundIn(bound, constants);
  return itemsOf({ kind: 'name', text: name!, start: 0, end: 0 }, text, constants)?.length ?? null;
}

const LEAVES = /^if\s*\(\s*(\w+)\s*(?:==|>=)\s*(\w+)\s*\)\s*\{?\s*break\s*;?\s*\}?$/;

/** `for (int i = 0; ; i++) { if (i >= MAX) break; … }` ends there, if not before. */
function leaving({ first, every, body }: Repeat, text: string, constants: Constants): Turns {
  const begun = begins(first, constants);
  const [head] = body.kind === 'sequence' ? body.items : [];
  const found = head && LEAVES.exec(said(text, head));
  const step = every.length > 0 ? stepIn(said(text, every.at(-1)!)) : null;
  if (!begun || !found || found[1] !== begun.name || step?.name !== begun.name) return UNKNOWN;
  if (!step.up || step.by !== '1') return UNKNOWN;
  return atMost(turns(numberIn(begun.value, constants), boundIn(found[2]!, constants), false));
}

const TRIED = /^(\w+)\s*(\+\+)?\s*(<=?)\s*(\w+)$/;

/** `while (n++ < MAX)`, `while (n < MAX) { …; n++; }`, `while (true) { if (n >= MAX) break; …; n++; }`: at most so many, if nothing else sets `n` and each turn comes to it. */
function tried({ every, body, start }: Repeat, text: string, constants: Constants): Turns {
  const items = body.kind === 'sequence' ? body.items : [];
  const test = every.length === 1 ? said(text, every[0]!) : '';
  const left = test === 'true' && items[0] ? LEAVES.exec(said(text, items[0])) : null;
  const found = left ? ['', left[1]!, '', '<', left[2]!] : TRIED.exec(test);
  if (!found) return UNKNOWN;
  const [, name, counts, sign, last] = found;
  const inner = text.slice(body.start, body.end);
  const steps = new RegExp(`^[^{}?&|]*(?:\\b${name}\\s*\\+\\+|\\+\\+\\s*${name}\\b)[^{}?&|]*$`);
  const isStep = (item: Node) => !/^(choice|repeat)$/.test(item.kind) && steps.test(said(text, item));
  const sets = new RegExp(`\\b${name}\\s*(?:[-+*/]?=(?!=)|--)|--\\s*${name}\\b|\\bcontinue\\b`);
  if (sets.test(inner) || !(counts || items.some(isStep))) return UNKNOWN;
  const { times } = turns(0, boundIn(last!, constants), sign === '<=');
  if (times === null) return UNKNOWN;
  // `do { … } while (n < MAX)` runs before it asks.
  return { times: text.startsWith('do', start) ? Math.max(1, times) : times, atMost: true };
}

/** `while (true) { try { …; return; } catch (…) { … } }`: another turn only after a failure. */
export function retries({ body }: Repeat): boolean {
  const items = body.kind === 'sequence' ? body.items : [body];
  const trying = items.findIndex(({ kind }) => kind === 'try');
  const tried = items[trying];
  if (tried?.kind !== 'try') return false;
  return leavesLoop(tried.body) || (trying === items.length - 2 && leavesLoop(items.at(-1)!));
}

const leavesLoop = (node: Node): boolean => {
  const last = node.kind === 'sequence' ? node.items.at(-1) : node;
  return last?.kind === 'leave' && /^(return|break)$/.test(last.how) && last.label === undefined;
};

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

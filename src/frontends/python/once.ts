// Code that leaves its result behind and asks for it first: guards, lazy attributes, caching decorators. It lowers nothing itself.
import type { Block, Step } from '../../ir.ts';
import { child, type Syntax } from '../syntax.ts';
import { textOf } from './scope.ts';
import type { Place } from './values.ts';

const CACHES = /(^|\.)(lru_cache|cache|cached|cached_property|memoize|memoized|memoize_method|alru_cache)$/;

export const isCache = (written: string): boolean => CACHES.test(written);

/** The steps as a block that runs while its result is missing. */
export function once(steps: Step[]): Step[] {
  const [first] = steps;
  const block: Block | undefined = first && { kind: 'block', at: first.at, once: true, body: steps };
  return block ? [block] : [];
}

/** `if order.done: return` at the top of a function that later sets `order.done`: what follows runs once for that order. */
export function guards(c: Place, node: Syntax, list: Syntax[], next: number): boolean {
  if (node.type !== 'if_statement' || node.parent?.parent?.type !== 'function_definition') return false;
  const rest = list[next];
  if (!rest || node.children.some((one) => one.field === 'alternative')) return false;
  const last = child(node, 'consequence')?.children.findLast((one) => one.type !== 'comment');
  if (last?.type !== 'return_statement') return false;
  return sets(c, asked(c, child(node, 'condition')), rest.start, list.at(-1)!.end);
}

/** `if self._rate is None: self._rate = …` */
export function fills(c: Place, node: Syntax): boolean {
  const body = child(node, 'consequence');
  return body !== undefined && sets(c, asked(c, child(node, 'condition')), body.start, body.end);
}

/** The attributes that a condition looks at, and the containers that it looks into. */
function asked(c: Place, condition: Syntax | undefined): Set<string> {
  const out = new Set<string>();
  const stack = condition ? [condition] : [];
  for (let node = stack.pop(); node && out.size < 8; node = stack.pop()) {
    const text = node.type === 'attribute' ? textOf(c.file, node) : '';
    if (/^\w+(\.\w+){1,3}$/.test(text)) {
      out.add(text);
      // `self._rates.get(day)` looks into `self._rates`.
      if (/\.(get|exists|has)$/.test(text)) out.add(text.replace(/\.\w+$/, ''));
    } else if (node.type === 'call' && /^hasattr\(/.test(textOf(c.file, node))) {
      const match = /^hasattr\(\s*(\w+)\s*,\s*["'](\w+)["']\s*\)$/.exec(textOf(c.file, node));
      if (match) out.add(`${match[1]}.${match[2]}`);
    }
    stack.push(...node.children);
  }
  return out;
}

function sets(c: Place, names: Set<string>, start: number, end: number): boolean {
  if (names.size === 0) return false;
  const text = c.file.text.slice(start, end);
  for (const name of names) if (assigned(text, name)) return true;
  return false;
}

/** `name =` or `name[…] =` stands there, and is not the end of a longer name. */
function assigned(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (at > 0 && /[\w.]/.test(text[at - 1]!)) continue;
    let after = at + name.length;
    if (text[after] === '[') {
      const close = text.indexOf(']', after);
      if (close < 0 || text.slice(after, close).includes('\n')) continue;
      after = close + 1;
    }
    while (text[after] === ' ' || text[after] === '\t') after++;
    if (text[after] === '=' && text[after + 1] !== '=') return true;
  }
  return false;
}

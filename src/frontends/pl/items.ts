// How many items there are in what a loop of PL/Python goes over, where the body writes them out. It reads no SQL.
import type { Token } from './host.ts';

/** What variables hold that are set once and never touched again: their lists, tuples, sets and dictionaries by length. */
export function written(lines: readonly { tokens: Token[] }[]): Map<string, number> {
  const sizes = new Map<string, number>();
  const unsure = new Set<string>();
  for (const { tokens } of lines) {
    const name = tokens[0]!.text;
    if (tokens[0]!.kind !== 'word' || tokens.length < 3) continue;
    // `a, b = …`, `for a in …`
    if (name === 'for' || tokens[1]!.text === ',')
      for (const { text } of tokens) {
        if (text === 'in' || text === '=') break;
        unsure.add(text);
      }
    const size = tokens[1]!.text === '=' ? literal(tokens, 2, tokens.length) : null;
    if (size === null || sizes.has(name)) unsure.add(name);
    else sizes.set(name, size);
  }
  for (const name of unsure) sizes.delete(name);
  return sizes;
}

const VIEWS = new Set(['items', 'keys', 'values']);
/** They give each item once. */
const THROUGH = new Set(['enumerate', 'sorted', 'reversed', 'list', 'tuple']);

/** Of `[1, 2]`, `names`, `kinds.items()`, `enumerate(names)`. */
export function itemsOf(
  tokens: Token[],
  from: number,
  to: number,
  sizes: Map<string, number>,
): number | null {
  const first = tokens[from];
  if (!first || from >= to) return null;
  if (first.kind === 'mark') return literal(tokens, from, to);
  if (first.kind !== 'word') return null;
  if (to === from + 1) return sizes.get(first.text) ?? null;
  if (THROUGH.has(first.text) && tokens[from + 1]!.text === '(' && tokens[to - 1]!.text === ')')
    return itemsOf(tokens, from + 2, to - 1, sizes);
  const isView = to === from + 5 && tokens[from + 1]!.text === '.' && VIEWS.has(tokens[from + 2]!.text);
  return isView ? (sizes.get(first.text) ?? null) : null;
}

/** How many items one pair of brackets holds; null where something in it is unpacked or computed, and of `(a)`, which is no tuple. */
function literal(tokens: Token[], from: number, to: number): number | null {
  const open = tokens[from]!.text;
  if (tokens[from]!.kind !== 'mark' || !'([{'.includes(open)) return null;
  let depth = 0;
  let commas = 0;
  /** Whether something stands behind the last comma. */
  let filled = false;
  for (let i = from; i < to; i++) {
    const { kind, text } = tokens[i]!;
    if (kind === 'mark' && ')]}'.includes(text)) {
      depth--;
      if (depth > 0) continue;
      if (i !== to - 1 || (open === '(' && commas === 0)) return null;
      return commas + (filled ? 1 : 0);
    }
    if (depth === 1 && text === ',') {
      commas++;
      filled = false;
    } else if (depth === 1 && ((kind === 'word' && text === 'for') || (kind === 'mark' && text === '*')))
      return null;
    else if (depth > 0) filled = true;
    if (kind === 'mark' && '([{'.includes(text)) depth++;
  }
  return null;
}

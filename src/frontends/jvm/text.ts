// SQL and other text in string expressions, with its place in the file; computed parts are holes.
import { pieces, type Source } from '../source.ts';
import type { Node } from './syntax.ts';
import { HOLE } from './tree.ts';

/** Finds the value of a constant that an expression names. */
export type Constants = (node: Node) => Node | null;

const UNCHANGED = new Set([
  'trimIndent', 'trimMargin', 'stripIndent', 'formatted', 'toString', 'trim', 'strip', 'concat', 'replace', 'intern', 'format', 'strip', 'translateEscapes',
]); // biome-ignore format: one list

/** What an expression says as text, or null when nothing of it is known. */
export function textOf(node: Node, constants: Constants, depth = 0): Source | null {
  if (depth > 20) return null;
  switch (node.kind) {
    case 'text':
      return node.source;
    case 'concat':
      return together(node.parts, '', constants, depth);
    case 'several':
      return together(node.items, ' ', constants, depth);
    case 'cast':
      return textOf(node.value, constants, depth + 1);
    case 'call': {
      if (!UNCHANGED.has(node.name)) return null;
      const object = node.object && textOf(node.object, constants, depth + 1);
      if (object) return object;
      // String.format("…", table)
      const given = node.arguments[0]?.value;
      return node.name === 'format' && given ? textOf(given, constants, depth + 1) : null;
    }
    case 'name':
    case 'member': {
      const value = constants(node);
      return value && textOf(value, constants, depth + 1);
    }
    default:
      return null;
  }
}

function together(parts: Node[], between: string, constants: Constants, depth: number): Source | null {
  const sources = parts.map((part) => textOf(part, constants, depth + 1));
  if (sources.every((source) => source === null)) return null;
  const joined: Source[] = [];
  for (const [index, source] of sources.entries()) {
    const { start, end } = parts[index]!;
    if (index > 0 && between) joined.push(pieces([{ text: between, start, end: start }]));
    joined.push(source ?? pieces([{ text: HOLE, start, end }]));
  }
  return join(joined);
}

function join(sources: Source[]): Source {
  const offsets: number[] = [];
  let sum = 0;
  for (const { text } of sources) {
    offsets.push(sum);
    sum += text.length;
  }
  return {
    text: sources.map(({ text }) => text).join(''),
    at(offset) {
      let low = 0;
      let high = sources.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (offsets[middle]! <= offset) low = middle;
        else high = middle - 1;
      }
      return sources[low]?.at(offset - offsets[low]!) ?? 0;
    },
  };
}

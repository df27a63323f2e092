// SQL and other text in string expressions, with its place in the file; computed parts are holes.

import { pieces, type Source } from '../../source.ts';
import type { Constants } from '../names/scope.ts';
import type { Call, Node } from '../syntax/syntax.ts';
import { HOLE } from '../syntax/tree.ts';

const UNCHANGED = new Set([
  'trimIndent', 'trimMargin', 'stripIndent', 'formatted', 'toString', 'trim', 'strip', 'concat', 'replace', 'intern', 'format', 'strip', 'translateEscapes',
]); // biome-ignore format: one list

/** What pgjdbc's own names say. */
const SAID: Record<string, string> = {
  'AutoSave.ALWAYS.value': 'always',
  'AutoSave.CONSERVATIVE.value': 'conservative',
  'AutoSave.NEVER.value': 'never',
  'PGProperty.AUTOSAVE.getName': 'autosave',
};

const path = (node: Node | null): string | null =>
  node?.kind === 'member' && node.object.kind === 'name' ? `${node.object.text}.${node.name}` : null;

/** Longer ones nobody writes: a text that is added to itself again and again doubles each time. */
const LONGEST = 200_000;

/** What an expression says as text, or null when nothing of it is known. `known` are parts that were asked for before. */
export function textOf(
  node: Node,
  constants: Constants,
  depth = 0,
  known?: Map<Node, Source | null>,
): Source | null {
  if (depth > 20) return null;
  switch (node.kind) {
    case 'text':
      if (node.holes.length === 0) return node.source;
      return once(node, known, (seen) => filled(node.source, HOLES, node.holes, constants, depth, seen));
    case 'concat':
      return once(node, known, (seen) => together(node.parts, '', constants, depth, seen));
    case 'several':
      return together(node.items, ' ', constants, depth, known);
    case 'cast':
      return textOf(node.value, constants, depth + 1, known);
    case 'call': {
      const on = path(node.object);
      const own = on && SAID[`${on}.${node.name}`];
      if (own) return pieces([{ text: own, start: node.start, end: node.end }]);
      const built = builtOf(node);
      if (built) return built.length > 0 ? together(built, '', constants, depth, known) : join([]);
      if (!UNCHANGED.has(node.name)) {
        const value = constants(node);
        return value && textOf(value, constants, depth + 1, known);
      }
      const object = node.object && textOf(node.object, constants, depth + 1, known);
      const given = node.arguments.map(({ value }) => value);
      if (!/^format(ted)?$/.test(node.name)) return object;
      // String.format("…", table)
      const format = object ?? (given[0] ? textOf(given[0], constants, depth + 1, known) : null);
      return format && filled(format, SPECIFIERS, object ? given : given.slice(1), constants, depth, known);
    }
    case 'name':
    case 'member': {
      const value = constants(node);
      return value && textOf(value, constants, depth + 1, known);
    }
    default:
      return null;
  }
}

function once(
  node: Node,
  known: Map<Node, Source | null> = new Map(),
  say: (known: Map<Node, Source | null>) => Source | null,
): Source | null {
  let said = known.get(node);
  if (said === undefined) {
    said = say(known);
    known.set(node, said);
  }
  return said;
}

const BUILDER = /^String(Builder|Buffer)$/;
/** What a builder is made with, and what is added to it. */
const builtOf = (node: Call): Node[] | null =>
  node.creates && BUILDER.test(node.creates.name)
    ? node.arguments.map(({ value }) => value).filter((value) => value.kind !== 'literal')
    : node.name === 'append' && node.object
      ? [node.object, ...node.arguments.slice(0, 1).map(({ value }) => value)]
      : null;

const HOLES = new RegExp(HOLE, 'g');
/** Those that count their arguments in order. */
const SPECIFIERS = /%[sd]/g;

/** The text with what its holes are known to say; the others stay. */
function filled(
  source: Source,
  marks: RegExp,
  given: Node[],
  constants: Constants,
  depth: number,
  known?: Map<Node, Source | null>,
): Source | null {
  if (given.length === 0) return source;
  const found = [...source.text.matchAll(marks)];
  const said = found.map((_, i) => given[i] && textOf(given[i], constants, depth + 1, known));
  // Text that has such a mark by itself would shift them.
  if (found.length !== given.length || !said.some(Boolean)) return source;
  const parts: Source[] = [];
  let from = 0;
  const part = (start: number, end: number) =>
    parts.push({ text: source.text.slice(start, end), at: (offset) => source.at(start + offset) });
  for (const [i, { 0: mark, index }] of found.entries()) {
    const value = said[i];
    if (!value) continue;
    part(from, index);
    parts.push(value);
    from = index + mark.length;
  }
  part(from, source.text.length);
  return short(parts);
}

function together(
  parts: Node[],
  between: string,
  constants: Constants,
  depth: number,
  known?: Map<Node, Source | null>,
): Source | null {
  const sources = parts.map((part) => textOf(part, constants, depth + 1, known));
  if (sources.every((source) => source === null)) return null;
  const joined: Source[] = [];
  for (const [index, source] of sources.entries()) {
    const { start, end } = parts[index]!;
    if (index > 0 && between) joined.push(pieces([{ text: between, start, end: start }]));
    joined.push(source ?? pieces([{ text: HOLE, start, end }]));
  }
  return short(joined);
}

const short = (sources: Source[]): Source | null =>
  sources.reduce((sum, { text }) => sum + text.length, 0) > LONGEST ? null : join(sources);

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

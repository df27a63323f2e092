// Small help for readers of syntax nodes and of quoted text; knows neither Java nor Kotlin.
import type { Span } from '../../../ir.ts';
import { pieces, type Source } from '../../source.ts';
import type { Syntax } from '../../syntax.ts';
import type { Concat, Node, Several, SourceFile, TypeBody, TypeRef } from './syntax.ts';

export const all = (parent: Syntax, ...types: string[]) =>
  parent.children.filter((one) => types.includes(one.type));
export const first = (parent: Syntax, ...types: string[]) =>
  parent.children.find((one) => types.includes(one.type));

export const place = ({ start, end }: Span) => ({ start, end });

export const several = (node: Syntax, items: Node[]): Several => ({ kind: 'several', ...place(node), items });

/** A file and a type with nothing in them: readers add what they find. */
export const emptyFile = (): SourceFile => ({
  package: '', imports: [], types: [], functions: [], fields: [], statements: [], typeAliases: [],
}); // biome-ignore format: mostly empty
export const emptyType = (node: Span, at: Span, bases: TypeRef[]): TypeBody => ({
  kind: 'type', ...place(node), name: '', at, is: 'class', abstract: false, annotations: [], bases, baseArguments: [],
  typeParameters: [], fields: [], methods: [], initialisers: [], statics: [], types: [],
}); // biome-ignore format: mostly empty

/** `a + b + c` as one list, however long. */
export function concat(
  node: Syntax,
  operand: (part: Syntax) => Node,
  isSame = (left: Syntax) => left.type === node.type,
): Concat {
  const parts: Syntax[] = [];
  let left = node;
  for (;;) {
    const named = left.children.filter((one) => one.field !== 'operator' && !one.type.endsWith('comment'));
    const [a, b] = named;
    if (!a || !b) break;
    parts.push(b);
    if (!isSame(a)) {
      parts.push(a);
      break;
    }
    left = a;
  }
  return { kind: 'concat', ...place(node), parts: parts.reverse().map(operand) };
}

/** Stands for a computed part of SQL text. */
export const HOLE = '#{}';

const ESCAPES: Record<string, string> = {
  n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', s: ' ', '0': '\0', '\n': '',
}; // biome-ignore format: a table

/** The text between two quotes, with its escapes read; `holes` are cut out and stand as one hole each. */
export function quoted(
  text: string,
  start: number,
  end: number,
  holes: { start: number; end: number }[] = [],
  escapes = true,
): Source {
  const parts: { text: string; start: number; end: number }[] = [];
  let from = start;
  const until = (to: number) => {
    if (to > from) parts.push({ text: text.slice(from, to), start: from, end: to });
  };
  let next = 0;
  for (let i = start; i < end; ) {
    const hole = holes[next];
    if (hole && i >= hole.start) {
      until(hole.start);
      parts.push({ text: HOLE, start: hole.start, end: hole.end });
      from = i = Math.max(hole.end, i + 1);
      next++;
    } else if (escapes && text[i] === '\\' && i + 1 < end) {
      until(i);
      const unicode = /^u+([0-9a-fA-F]{4})/.exec(text.slice(i + 1, i + 12));
      const length = unicode ? 1 + unicode[0].length : 2;
      const said = unicode
        ? String.fromCharCode(Number.parseInt(unicode[1]!, 16))
        : (ESCAPES[text[i + 1]!] ?? text[i + 1]!);
      parts.push({ text: said, start: i, end: i + length });
      from = i = i + length;
    } else i++;
  }
  until(end);
  return pieces(parts);
}

// The loader of grammars: plain nodes, and text that nests without limit.
import { expect, test } from 'vitest';
import { child, type Syntax } from '../src/frontends/syntax.ts';
import { loadGrammar } from '../src/frontends/treesitter.ts';

const python = await loadGrammar('python');
const types = (node: Syntax): string => {
  const inside = node.children.map(types).join(' ');
  return `${node.field ? `${node.field}: ` : ''}${node.type}${inside && `(${inside})`}`;
};

test('nodes are plain objects with fields and positions in the text', () => {
  const text = 'x = größe + f(1) # done\n';
  const { root, cut } = python.parse(text);
  expect(cut).toBe(false);
  expect(types(root)).toBe(
    'module(expression_statement(assignment(left: identifier right: binary_operator(left: identifier operator: + right: call(function: identifier arguments: argument_list(integer))))) comment)',
  );
  const sum = child(root.children[0]!.children[0]!, 'right')!;
  expect(text.slice(sum.start, sum.end)).toBe('größe + f(1)');
});

test('a byte order mark moves nothing', () => {
  const { root } = python.parse('\uFEFFimport a\n');
  expect(root.children.map((node) => [node.type, node.start])).toEqual([['import_statement', 1]]);
});

test('what lies too deep is left out, and what follows is not', () => {
  for (const [open, close] of [
    ['(', ')'],
    ['f(', ')'],
    ['[', ']'],
    ['-', ''],
  ] as const) {
    const { root, cut } = python.parse(`${open.repeat(10_000)}1${close.repeat(10_000)}\n\nx = 1\n`);
    expect(cut).toBe(true);
    expect(root.children.length).toBe(2);
  }
});

// The loader of grammars: plain nodes, and text that nests without limit.
import { expect, test } from 'vitest';
import { child, type Syntax } from '../src/frontends/syntax.ts';
import { loadGrammar } from '../src/frontends/treesitter.ts';

const python = await loadGrammar('python');
/** Half a page on which tree-sitter's grammar of Kotlin would use up all memory. */
const ENDLESS = `{n\ne\n\uFEFF onnection\n        conaseSavepoint(before) // event: release before\n    } catch (e--     {} // eveper statement\n${'fun config(tatement\n'.repeat(5)} connection.rollback(before) // event: rollback to before\n    }\n    connectio`;
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

test('a text of which the parser finds no end is given up, and the next one is read', async () => {
  const kotlin = await loadGrammar('kotlin');
  expect(() => kotlin.parse(ENDLESS)).toThrow('gave up');
  expect(kotlin.parse('fun f() {}').root.children.map(({ type }) => type)).toEqual(['function_declaration']);
});

// A statement that no statement of PostgreSQL or PL/pgSQL begins like: a typing error, or what a preprocessor makes into something else. It guesses neither.
import type { Step } from '../../ir.ts';
import { startsStatement } from '../sql/statement.ts';
import { HOLE } from '../sql/text/lexer.ts';
import { at, type Context, mark, word } from './context.ts';
import type { PlainNode } from './tree.ts';

/** What it does nobody knows. The file is named where PostgreSQL could not read it either. */
export function unknownTo(c: Context, { from, to }: PlainNode): Step | null {
  const first = word(c, from);
  if (first === '' || startsStatement(first) || ENDS.has(first)) return null;
  const place = at(c, from);
  const why = `a statement that starts with ${c.source.text.slice(c.tokens[from]!.start, c.tokens[from]!.end)}`;
  if (mark(c, from + 1, to) !== '(' && !isMade(c))
    c.problems.push({ at: place, message: why, partial: true });
  return { kind: 'opaque', at: place, why };
}

/** What is left of a block or a loop whose other end is missing. */
const ENDS = new Set([
  'begin',
  'declare',
  'else',
  'elsif',
  'elseif',
  'exception',
  'when',
  'then',
  'loop',
  'if',
  'case',
]);

/** Somebody makes the text of it before it comes to the server. */
const isMade = ({ source: { text } }: Context): boolean => text.includes(HOLE) || MARKS.test(text);

const MARKS = /\{\{|\{%|<%|\$\{|%\(\w+\)|@\w+@|__\w+__|[^:\w[]:['"]?[a-z_]|^\s*#|&\w/im;

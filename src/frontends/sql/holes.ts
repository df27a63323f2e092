// Puts holes where a driver or a host language puts values, of the same length; tells SQL from other text.

import { HOLE } from './lexer.ts';
import { startsStatement } from './statement.ts';

const PLACE = /%\(\w+\)[sbt]|%[sbt]|\{\w*(?:![rsa])?\}|[$#]\{[^{}]*\}/g;

export function holes(text: string): string {
  return text.replace(PLACE, (found) => HOLE.repeat(found.length));
}

/** It starts with a word that starts a statement, after blanks, brackets and comments. */
export function looksLikeSql(text: string): boolean {
  const start = /^(?:\s|\(|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*([a-zA-Z]+)/.exec(text);
  return start !== null && startsStatement(start[1]!.toLowerCase());
}

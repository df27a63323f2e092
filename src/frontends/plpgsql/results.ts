// Which locked rows a routine gives: those that are in a variable which it returns. Not who takes them.
import { inside, RESULT, type Step } from '../../ir.ts';
import { identifier } from '../sql/text/lexer.ts';
import type { Context } from './context.ts';
import type { Range } from './tree.ts';
import { called } from './versions.ts';

/** It returns what this variable holds. */
export function result(c: Context, { from, to }: Range): void {
  if (to === from + 1 && c.tokens[from]!.kind === 'word')
    c.results.add(called(c, identifier(c.tokens[from]!)));
}

/** The rows that these variables hold are what it gives. */
export function givesRows(steps: Step[], results: Set<string>): void {
  for (const step of steps) {
    if (step.kind === 'row lock' && step.keys?.some((key) => results.has(key))) step.keys.push(RESULT);
    for (const inner of inside(step)) givesRows(inner, results);
  }
}

// What stands in a statement and need not run: behind AND and OR, or where no row is left. Not how often the rest does.
import type { Step } from '../../../ir.ts';
import { endOfCase, mark, type Reader, word } from '../text/reader.ts';

/** Where what AND or OR joins ends: at the bracket around it, or at what no condition holds. */
export function endOfTerm(r: Reader, from: number, to: number): number {
  let i = from + 1;
  for (; i < to; i++) {
    const sign = mark(r, i);
    if (sign === ')' || sign === ']' || sign === ',') break;
    if (sign === '(' || sign === '[') i = r.closes[i]!;
    else if (word(r, i) === 'case') i = endOfCase(r, i) ?? i;
    else if (ENDS.has(word(r, i))) break;
  }
  return i;
}

const ENDS = new Set(['then', 'else', 'when', 'end', 'as', 'asc', 'desc']);

/** It is there, and perhaps not run. */
export function needNotRun(step: Step): void {
  if (step.kind === 'call') step.perhaps = true;
  else if (step.kind === 'loop' && step.over === 'query') step.atMost = true;
}

// What a condition asks of a parameter that a caller may give as TRUE, FALSE, NULL or a number. No other conditions.
import { type Branch, inside, type Routine, type Sign, type Step } from '../../ir.ts';
import { type Context, find, mark, word } from './context.ts';
import { literal } from './survey.ts';
import type { Range } from './tree.ts';

type Flag = NonNullable<Routine['flags']>[number];
type When = NonNullable<Branch['when']>;

/** `p`, `NOT p`, `p = false`, `p IS NOT TRUE`, `p > 1`, and one of these with AND behind it or before. */
export function decidedIn(c: Context, { from, to }: Range): When | null {
  const or = find(c, { from, to }, 'or', 'between', 'case');
  if (or < to) return null;
  for (let at = from; at < to; ) {
    const end = find(c, { from: at, to }, 'and');
    const one = asked(c, at, end);
    if (one) return at === from && end === to ? one : { ...one, only: true };
    at = end + 1;
  }
  return null;
}

function asked(c: Context, from: number, to: number): When | null {
  if (mark(c, from) === '(' && mark(c, to - 1) === ')' && to > from + 2)
    return decidedIn(c, { from: from + 1, to: to - 1 });
  const not = word(c, from) === 'not';
  const parameter = c.scope.given?.(word(c, not ? from + 1 : from));
  if (parameter === undefined) return null;
  if (to === from + (not ? 2 : 1)) return { parameter, is: not ? 'false' : 'true' };
  if (not) return null;
  const number = literal(c, { from: from + 2, to });
  if (number !== null) {
    const than = SIGNS.get(mark(c, from + 1));
    return than ? { parameter, is: 'true', than: { sign: than, number } } : null;
  }
  const sign = word(c, from + 1) || mark(c, from + 1);
  const negated = sign === '<>' || sign === '!=' || (sign === 'is' && word(c, from + 2) === 'not');
  const said = word(c, to - 1);
  if (to !== from + (sign === 'is' && negated ? 4 : 3)) return null;
  if (sign === 'is' && said === 'null') return { parameter, is: negated ? 'not null' : 'null' };
  if (sign !== 'is' && sign !== '=' && !negated) return null;
  if (said !== 'true' && said !== 'false') return null;
  return { parameter, is: (said === 'true') === negated ? 'false' : 'true' };
}

const SIGNS = new Map<string, Sign>([
  ['=', '='], ['<>', '<>'], ['!=', '<>'], ['<', '<'], ['<=', '<='], ['>', '>'], ['>=', '>='],
]); // biome-ignore format: a table

/** The parameters that branches of a body ask for. */
export function deciding(steps: Step[], names: readonly (string | null)[]): (Flag & { position: number })[] {
  const found = new Set<string>();
  const look = (list: Step[]): void => {
    for (const step of list) {
      if (step.kind === 'branch')
        for (const one of [step.when, step.when?.also]) if (one) found.add(one.parameter);
      for (const inner of inside(step)) look(inner);
    }
  };
  look(steps);
  return [...found].flatMap((name) => {
    const position = name.startsWith('$') ? Number(name.slice(1)) - 1 : names.indexOf(name);
    return position < 0 ? [] : [{ name, position }];
  });
}

// What lowering a PL/pgSQL body keeps at hand, and its small questions about tokens.
import type { Loop, Problem, Span, Step } from '../../ir.ts';
import { type Source, span } from '../source.ts';
import { lowerExpression, lowerStatement, lowerValue, type SqlScope } from '../sql/statement.ts';
import { identifier, retold, type Token } from '../sql/text/lexer.ts';
import type { Alternatives } from './dynamic.ts';
import type { Filled } from './filled.ts';
import type { Range, Statement } from './tree.ts';

export interface Cursor {
  /** The query, where the text has it. */
  query?: Range;
  /** FETCH or MOVE of it stands somewhere in the body: then that locks, and not OPEN. */
  fetched: boolean;
  /** The body declares it for a query: nobody else has its name. */
  declared?: true;
}

/** A loop, as what is inside sees it. */
export interface Turning {
  body: Statement[];
  /** What it counts by. */
  counter?: string | undefined;
  /** And in such steps, if not one by one. */
  by?: Range | undefined;
  /** From where to where; from a counter that goes down, too. */
  least?: Range | undefined;
  most?: Range | undefined;
  /** The record that holds its row. */
  row?: string | undefined;
}

/** The most that is not turned away: elements of an array, what a number is, rows of a table. */
export interface Refused {
  items: Map<string, number>;
  numbers: Map<string, number>;
  rows: Map<string, number>;
}

export interface Context {
  source: Source;
  tokens: Token[];
  scope: SqlScope;
  cursors: Map<string, Cursor>;
  /** How often it is written that they are opened. */
  opens: Map<string, number>;
  /** What string variables hold here, as far as it is constant. */
  texts: Map<string, Alternatives>;
  /** What variables that were set since are called where they pick rows, and how often that happened. */
  versions: Map<string, string>;
  /** So called, those that it returns. */
  results: Set<string>;
  version: number;
  /** What array, integer and boolean variables are declared with; `stays` tells whether that is what they hold. */
  arrays: Map<string, Range>;
  numbers: Map<string, number>;
  truths: Map<string, boolean>;
  /** And those for dates and times. */
  dates: Map<string, Range>;
  /** What variables are other names of, of those that somebody asked for. */
  copies: Map<string, string | undefined>;
  /** How many elements variables hold, of those that somebody asked for. */
  items: Map<string, Pick<Loop, 'times' | 'atMost'>>;
  /** The last token that asks how many rows a statement met, once somebody wants to know; -1: there is none. */
  lastAsked?: number;
  /** What the routine's head turns away, once it was read. */
  refused: Refused | undefined;
  /** The query of the statement before, and what it reads. */
  before: { query: Range; reads: Step[] } | null;
  /** What the body puts into its temporary tables, once somebody asked. */
  filled: Filled | undefined;
  /** What happens when a variable of a block that is open takes a value whose type is one's own: a domain checks it. */
  checks: Map<string, Step>;
  /** Those of the routine. */
  parameters: ReadonlySet<string>;
  /** Of these, those that the body declares anew. */
  hidden: Set<string>;
  /** The loops that are around, by their labels and bodies and what they count by, and the labels of blocks. */
  around: { label: string | undefined; turns?: Turning }[];
  /** What the blocks that are around catch, the innermost last. */
  guards: string[][];
  statements: Statement[];
  /** The variables that hold what an event trigger's commands made, once somebody asked. */
  commands: Set<string> | undefined;
  /** All that is put in variables, once somebody asked. */
  held?: ReadonlyMap<string, Held>;
  /** The variables that any statement sets, once somebody asked. */
  set: Set<string> | undefined;
  problems: Problem[];
}

/** What a variable holds at one time or another; undefined: no expression of its own. */
export interface Held {
  values: (Range | undefined)[];
  declared: number;
}

/** Of a text of which nothing is known yet. */
export const contextOf = (
  source: Source,
  tokens: Token[],
  scope: SqlScope,
  statements: Statement[],
  parameters: ReadonlySet<string> = new Set(),
): Context => ({
  source,
  tokens,
  scope,
  cursors: new Map(),
  opens: new Map(),
  texts: new Map(),
  versions: new Map(),
  results: new Set(),
  version: 0,
  arrays: new Map(),
  dates: new Map(),
  numbers: new Map(),
  truths: new Map(),
  copies: new Map(),
  items: new Map(),
  refused: undefined,
  before: null,
  filled: undefined,
  checks: new Map(),
  parameters,
  hidden: new Set(),
  around: [],
  guards: [],
  statements,
  commands: undefined,
  set: undefined,
  problems: [],
});

export function at(c: Context, from: number, to = from + 1): Span {
  const first = c.tokens[from];
  const last = c.tokens[Math.min(to, c.tokens.length) - 1];
  return first && last ? span(c.source, first.start, last.end) : span(c.source, 0, 0);
}

/** The keyword at this place, or ''. */
export function word(c: Context, i: number, to = c.tokens.length): string {
  const token = i < to ? c.tokens[i] : undefined;
  return token?.kind === 'word' && !token.quoted ? token.text : '';
}

export function mark(c: Context, i: number, to = c.tokens.length): string {
  const token = i < to ? c.tokens[i] : undefined;
  return token?.kind === 'punctuation' || token?.kind === 'operator' ? token.text : '';
}

/** The name at this place. */
export const nameAt = (c: Context, i: number): string | null => {
  const token = c.tokens[i];
  return token?.kind === 'word' ? identifier(token) : null;
};

/** The first of these words outside of brackets, else the end. */
export function find(c: Context, range: Range, ...words: string[]): number {
  let depth = 0;
  for (let i = range.from; i < range.to; i++) {
    const m = mark(c, i);
    if (m === '(' || m === '[') depth++;
    else if (m === ')' || m === ']') depth--;
    else if (depth === 0 && words.includes(word(c, i))) return i;
  }
  return range.to;
}

/** Names between commas: `a, b.c` gives a and b. */
export function names(c: Context, range: Range): string[] {
  const out: string[] = [];
  for (let i = range.from; i < range.to; i++)
    if (c.tokens[i]!.kind === 'word' && (i === range.from || mark(c, i - 1) === ','))
      out.push(identifier(c.tokens[i]!));
  return out;
}

/** The variables that a statement names after INTO, which is no INSERT's or MERGE's: `INTO STRICT a, b.c FROM …`. */
export function targetsOf(c: Context, { from, to }: Range): Range | null {
  let into = find(c, { from, to }, 'into');
  while (into < to && (word(c, into - 1) === 'insert' || word(c, into - 1) === 'merge'))
    into = find(c, { from: into + 1, to }, 'into');
  if (into >= to) return null;
  const first = into + (word(c, into + 1) === 'strict' ? 2 : 1);
  let i = first;
  for (let more = true; more && i < to; ) {
    i++;
    while (mark(c, i, to) === '.') i += 2;
    while (mark(c, i, to) === '[') i = closing(c, i, to) + 1;
    more = mark(c, i, to) === ',';
    if (more) i++;
  }
  return { from: first, to: Math.min(i, to) };
}

/** Where the bracket closes that opens here. */
export function closing(c: Context, open: number, to: number): number {
  let depth = 0;
  for (let i = open; i < to; i++) {
    const m = mark(c, i);
    if (m === '(' || m === '[') depth++;
    else if ((m === ')' || m === ']') && --depth === 0) return i;
  }
  return to;
}

/** A statement of SQL; `first` stands for its first word, as SELECT for PERFORM. */
export function sql(c: Context, range: Range, first?: string): Step[] {
  if (range.to <= range.from) return [];
  const part = c.tokens.slice(range.from, range.to);
  if (first) part[0] = retold(part[0]!, first);
  return lowerStatement(c.source, part, c.scope);
}

/** PL/pgSQL evaluates `expr` as `SELECT expr`, so it may have a FROM and all that follows. */
export function expression(c: Context, range: Range): Step[] {
  if (range.to <= range.from || isPlain(c, range)) return [];
  const part = c.tokens.slice(range.from, range.to);
  if (!isQuery(c, range)) return lowerExpression(c.source, part, c.scope);
  return lowerValue(c.source, [retold(part[0]!, 'select'), ...part], c.scope);
}

/** What stands behind an AND or an OR is asked only where the answer is still open. */
export function conditionOf(c: Context, range: Range): Step[] {
  const end = find(c, range, 'and', 'or');
  if (end >= range.to || find(c, range, 'between', 'case', ...CLAUSES) < range.to)
    return expression(c, range);
  const later = conditionOf(c, { from: end + 1, to: range.to });
  const first = expression(c, { from: range.from, to: end });
  if (later.every((step) => step.kind === 'read' || step.kind === 'cast')) return [...first, ...later];
  return [...first, { kind: 'branch', at: at(c, end), arms: [later], exhaustive: false }];
}

/** One literal, or one name. */
function isPlain(c: Context, range: Range): boolean {
  return range.to === range.from + 1 && c.tokens[range.from]!.kind !== 'dollar';
}

const CLAUSES = ['from', 'union', 'intersect', 'except', 'where'];

function isQuery(c: Context, range: Range): boolean {
  const found = find(c, range, ...CLAUSES);
  if (found >= range.to) return false;
  return (
    word(c, found - 1) !== 'distinct' || find(c, { from: found + 1, to: range.to }, ...CLAUSES) < range.to
  );
}

/** Row locks of these steps also pick their rows by these names, and calls give their rows to them: the variables that take the row, the cursor. */
export function bind(steps: Step[], keys: string[]): Step[] {
  if (keys.length === 0) return steps;
  return steps.map((step) => {
    if (step.kind === 'call') return { ...step, into: keys.at(-1)! };
    return step.kind === 'row lock' ? { ...step, keys: [...new Set([...(step.keys ?? []), ...keys])] } : step;
  });
}

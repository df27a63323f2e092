// How many rows a temporary table has that a body itself makes and fills. Of tables that others may fill nobody knows.
import { inside, type Step } from '../../ir.ts';
import { lowerStatement } from '../sql/statement.ts';
import { identifier } from '../sql/text/lexer.ts';
import { scopeWith } from '../sql/text/reader.ts';
import { type Context, find, word } from './context.ts';
import { each, rows, type Turns, within } from './survey.ts';
import type { PlainNode, Range, Statement } from './tree.ts';

/** Most bodies make no such table. */
export const makesTemporary = (text: string): boolean => /\btemp(?:orary)?\s+table\b/i.test(text);

/** At most so many; null where that is not known. */
export function filledWith(c: Context, name: string): Turns | null {
  let known = c.filled.get(name);
  if (known === undefined) {
    c.filled.set(name, null); // what fills it with its own rows
    known = countIn(c, name);
    c.filled.set(name, known);
  }
  return known;
}

function countIn(c: Context, name: string): Turns | null {
  const table: Filled = { made: false, empty: false, times: 0, told: 0 };
  if (isInText(c, name) || !follow(c, name, c.statements, false, table)) return null;
  // Where nothing here fills it, somebody else does.
  const isFilled = table.told > 0 || table.times > 0;
  return table.made && table.empty && isFilled && table.told === intoIt(c, name)
    ? { times: table.times, atMost: true }
    : null;
}

interface Filled {
  made: boolean;
  /** It was, when it was made or emptied. */
  empty: boolean;
  times: number;
  /** Places that put rows into it. */
  told: number;
}

const isNamed = (c: Context, at: number, name: string): boolean => {
  const token = c.tokens[at];
  return token?.kind === 'word' && identifier(token) === name;
};

/** `INSERT INTO name`, `COPY name`, in whatever statement. */
const intoIt = (c: Context, name: string): number =>
  c.tokens.reduce((sum, _, at) => sum + (FILLS.has(word(c, at)) && isNamed(c, at + 1, name) ? 1 : 0), 0);

const FILLS = new Set(['into', 'copy']);

function follow(c: Context, name: string, statements: Statement[], again: boolean, table: Filled): boolean {
  return statements.every((node) => {
    if (node.kind === 'plain') return takes(c, name, node, again, table);
    return within(node).every((inner) => follow(c, name, inner, again || node.kind === 'loop', table));
  });
}

/** Whether what a statement does to it is known. */
function takes(c: Context, name: string, node: PlainNode, again: boolean, table: Filled): boolean {
  if (node.verb !== 'sql') return true;
  const made = madeBy(c, name, node);
  if (made) {
    const { ifMissing, query } = made;
    const count = query === null ? 0 : rows(c, { from: query, to: node.to }).times;
    if (again || table.made || count === null) return false;
    table.made = true;
    table.empty = !ifMissing;
    table.times = count;
    return true;
  }
  const first = word(c, node.from);
  if (empties(c, name, node, first)) {
    if (!again) table.empty = true;
    return true;
  }
  if (first !== 'insert' || word(c, node.from + 1) !== 'into' || !isNamed(c, node.from + 2, name))
    return true;
  const count = again ? null : inserted(c, node);
  if (count === null) return false;
  table.told++;
  table.times += count;
  return true;
}

/** `TRUNCATE name`, `DELETE FROM name` */
const empties = (c: Context, name: string, { from, to }: PlainNode, first: string): boolean =>
  isNamed(c, to - 1, name) &&
  (first === 'truncate'
    ? to === from + (word(c, from + 1) === 'table' ? 3 : 2)
    : first === 'delete' && to === from + 3);

const TEXTS = new Set(['string', 'dollar']);

/** A text that is run may say anything of it, wherever it is put together; what is only said does nothing. */
function isInText(c: Context, name: string): boolean {
  const said: Range[] = [];
  each(c.statements, (node) => {
    if (node.kind === 'plain' && node.verb === 'raise') said.push(node);
  });
  return c.tokens.some(
    ({ kind, text }, at) =>
      TEXTS.has(kind) && text.includes(name) && !said.some(({ from, to }) => from <= at && at < to),
  );
}

/** `CREATE TEMP TABLE name (…)`, `CREATE TEMPORARY TABLE name AS SELECT …` */
function madeBy(
  c: Context,
  name: string,
  node: PlainNode,
): { ifMissing: boolean; query: number | null } | null {
  if (word(c, node.from) !== 'create') return null;
  const table = find(c, node, 'table');
  const isTemporary = table < node.to && /^temp(?:orary)?$/.test(word(c, table - 1));
  const ifMissing = word(c, table + 1) === 'if';
  const at = table + (ifMissing ? 4 : 1);
  if (!isTemporary || !isNamed(c, at, name)) return null;
  const as = find(c, { from: at, to: node.to }, 'as');
  return { ifMissing, query: as < node.to ? as + 1 : null };
}

function inserted(c: Context, { from, to }: PlainNode): number | null {
  const { variables, types, values } = c.scope;
  const scope = { ...scopeWith(c.scope, variables!, types), values };
  let count: number | null = null;
  const stack: Step[][] = [lowerStatement(c.source, c.tokens.slice(from, to), scope)];
  for (let some = stack.pop(); some; some = stack.pop())
    for (const step of some) {
      if (step.kind === 'write' && step.verb === 'insert') {
        if (count !== null) return null;
        count = step.rows === 'one' ? 1 : (step.times ?? null);
        if (count === null) return null;
      }
      stack.push(...inside(step));
    }
  return count;
}

// How many rows the temporary tables have that a body itself makes and fills. Of those that others may fill nobody knows.
import { inside, type Step } from '../../ir.ts';
import { lowerStatement } from '../sql/statement.ts';
import { identifier } from '../sql/text/lexer.ts';
import { scopeWith } from '../sql/text/reader.ts';
import { type Context, find, word } from './context.ts';
import { each, rows, type Turns, within } from './survey.ts';
import type { PlainNode, Statement } from './tree.ts';

interface Table {
  /** It was, when it was made or emptied. */
  empty: boolean;
  /** Null where somewhere nobody knows how many. */
  times: number | null;
  /** Places that put rows into it, of which the number is known. */
  told: number;
}

/** What is known of a body's tables, found in one pass over it: what fills one by the rows of another finds that filled. */
export interface Filled {
  tables: Map<string, Table>;
  /** How many places put rows into what is called so, in whatever statement. */
  into: Map<string, number>;
  /** What may be run. */
  texts: string[];
}

/** Most bodies make no such table. */
export const makesTemporary = (text: string): boolean => /\btemp(?:orary)?\s+table\b/i.test(text);

/** At most so many; null where that is not known. */
export function filledWith(c: Context, name: string): Turns | null {
  if (!c.filled) {
    c.filled = { tables: new Map(), into: intoWhat(c), texts: textsIn(c) };
    follow(c, c.filled, c.statements, false);
  }
  const { tables, into, texts } = c.filled;
  const its = tables.get(name);
  if (!its?.empty || its.times === null || its.told !== (into.get(name) ?? 0)) return null;
  // Where nothing here fills it, somebody else does. A text that is run may say anything of it.
  if ((its.told === 0 && its.times === 0) || texts.some((text) => text.includes(name))) return null;
  return { times: its.times, atMost: true };
}

const nameOf = (c: Context, at: number): string | null => {
  const token = c.tokens[at];
  return token?.kind === 'word' ? identifier(token) : null;
};

/** `INSERT INTO name`, `MERGE INTO pg_temp.name`, `COPY name` */
function intoWhat(c: Context): Map<string, number> {
  const into = new Map<string, number>();
  for (let at = 0; at < c.tokens.length; at++) {
    if (!FILLS.has(word(c, at))) continue;
    const isQualified = c.tokens[at + 2]?.text === '.';
    const name = nameOf(c, at + (isQualified ? 3 : 1));
    if (name !== null) into.set(name, (into.get(name) ?? 0) + 1);
  }
  return into;
}

const FILLS = new Set(['into', 'copy']);
const TEXTS = new Set(['string', 'dollar']);

/** All but what is only said. */
function textsIn(c: Context): string[] {
  const said = new Set<number>();
  each(c.statements, (node) => {
    if (node.kind === 'plain' && node.verb === 'raise')
      for (let at = node.from; at < node.to; at++) said.add(at);
  });
  return c.tokens.flatMap(({ kind, text }, at) => (TEXTS.has(kind) && !said.has(at) ? [text] : []));
}

function follow(c: Context, filled: Filled, statements: Statement[], again: boolean): void {
  for (const node of statements)
    if (node.kind === 'plain') take(c, filled, node, again);
    else for (const inner of within(node)) follow(c, filled, inner, again || node.kind === 'loop');
}

function take(c: Context, { tables }: Filled, node: PlainNode, again: boolean): void {
  if (node.verb !== 'sql') return;
  const made = madeBy(c, node);
  if (made) {
    const { name, ifMissing, query } = made;
    const count = query === null ? 0 : rows(c, { from: query, to: node.to }).times;
    const times = again || tables.has(name) ? null : count;
    tables.set(name, { empty: !ifMissing, times, told: 0 });
    return;
  }
  const emptied = emptiedBy(c, node);
  const table = tables.get(emptied ?? '');
  if (table && !again) table.empty = true;
  const name =
    word(c, node.from) === 'insert' && word(c, node.from + 1) === 'into' ? nameOf(c, node.from + 2) : null;
  const its = name === null ? undefined : tables.get(name);
  if (!its) return;
  const count = again ? null : inserted(c, node);
  its.told++;
  its.times = its.times === null || count === null ? null : its.times + count;
}

/** `TRUNCATE name`, `DELETE FROM name` */
function emptiedBy(c: Context, { from, to }: PlainNode): string | null {
  const first = word(c, from);
  const words = first === 'truncate' ? (word(c, from + 1) === 'table' ? 3 : 2) : first === 'delete' ? 3 : 0;
  return to === from + words ? nameOf(c, to - 1) : null;
}

/** `CREATE TEMP TABLE name (…)`, `CREATE TEMPORARY TABLE name AS SELECT …` */
function madeBy(
  c: Context,
  node: PlainNode,
): { name: string; ifMissing: boolean; query: number | null } | null {
  if (word(c, node.from) !== 'create') return null;
  const table = find(c, node, 'table');
  if (table >= node.to || !/^temp(?:orary)?$/.test(word(c, table - 1))) return null;
  const ifMissing = word(c, table + 1) === 'if';
  const at = table + (ifMissing ? 4 : 1);
  const name = nameOf(c, at);
  const as = find(c, { from: at, to: node.to }, 'as');
  return name === null ? null : { name, ifMissing, query: as < node.to ? as + 1 : null };
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

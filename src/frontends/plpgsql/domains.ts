// Says where what a variable takes is checked by its domain, or read as its type: where it is not of that already. It resolves no name.
import type { Step } from '../../ir.ts';
import { assigned, isOwnType } from '../sql/queries/meanings.ts';
import { identifier } from '../sql/text/lexer.ts';
import { isServers } from '../sql/text/types.ts';
import { at, type Context, find, mark, word } from './context.ts';
import { split } from './dynamic.ts';
import type { Range } from './tree.ts';

/** The check of a type that is none of the server's. */
export function checkOf(c: Context, { from, to }: Range): Step | null {
  const tokens = c.tokens.slice(from, to);
  if (!tokens.every(({ kind, text }) => kind === 'word' || text === '.') || tokens.length % 2 === 0)
    return null;
  const parts = tokens.filter(({ kind }) => kind === 'word').map(identifier);
  return isOwnType({ name: 'sql:', parts }) ? assigned(at(c, from, to), { parts }) : null;
}

/** What it means that a variable takes this value; without one it takes NULL, which is checked too. */
export function takes(c: Context, name: string, value?: Range): Step[] {
  const check = c.checks.get(name);
  if (check) return !value || isAnother(c, value) ? [check] : [];
  const to = c.scope.types!.get(name);
  const reads = value && to !== undefined && to !== 'record' && isServers(to) && !TEXTS.has(to);
  return reads && isText(c, value) ? [{ kind: 'cast', at: at(c, value.from, value.to), to }] : [];
}

const TEXTS = new Set(['text', 'character varying', 'character', 'name']);

/** A variable that is a text, or one that is taken out of JSON: `line->>'price'`. */
function isText(c: Context, value: Range): boolean {
  const { from, to } = bare(c, value);
  if (to === from + 1) return TEXTS.has(c.scope.types!.get(identifier(c.tokens[from]!)) ?? '');
  const last = mark(c, to - 2);
  return last === '->>' || last === '#>>';
}

/** What it means that variables take the columns of a row. */
export function takesRow(c: Context, query: Range, targets: string[]): Step[] {
  if (word(c, query.from) !== 'select' || !targets.some((name) => c.checks.has(name))) return [];
  const list = { from: query.from + 1, to: find(c, query, 'into', 'from') };
  const items = split(c, list);
  if (items.length !== targets.length) return [];
  return items.flatMap((item, i) => takes(c, targets[i]!, { from: item.from, to: find(c, item, 'as') }));
}

/** Whether it surely has another type: it is written out, computed, or a variable of one of the server's types. */
function isAnother(c: Context, value: Range): boolean {
  const { from, to } = bare(c, value);
  if (to === from + 1) {
    const { kind, text } = c.tokens[from]!;
    if (kind === 'number' || kind === 'string') return true;
    const name = kind === 'word' ? identifier(c.tokens[from]!) : text;
    return ['null', 'true', 'false'].includes(word(c, from)) || isServers(c.scope.types!.get(name) ?? '');
  }
  let depth = 0;
  for (let i = from; i < to; i++) {
    const m = mark(c, i);
    if (m === '(' || m === '[') depth++;
    else if (m === ')' || m === ']') depth--;
    else if (depth === 0 && m !== '::' && c.tokens[i]!.kind === 'operator') return true;
  }
  return false;
}

/** Without the brackets around all of it. */
function bare(c: Context, { from, to }: Range): Range {
  while (to > from + 2 && mark(c, from) === '(' && mark(c, to - 1) === ')') {
    let depth = 0;
    for (let i = from; i < to - 1; i++) {
      if (mark(c, i) === '(') depth++;
      else if (mark(c, i) === ')' && --depth === 0) return { from, to };
    }
    from++;
    to--;
  }
  return { from, to };
}

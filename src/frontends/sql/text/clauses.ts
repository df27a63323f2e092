// Where a query begins, and where its clauses do. Not what they say.
import { mark, type Reader, word } from './reader.ts';
import { CLAUSE, OPENS, QUERY } from './sorts.ts';

/** Whether a query starts here, perhaps in further brackets. */
export function startsQuery(r: Reader, i: number, to: number): boolean {
  while (i < to && mark(r, i) === '(') i++;
  return isQuery(r, i, to);
}

export function isQuery(r: Reader, i: number, to: number): boolean {
  const token = r.tokens[i];
  if (!token || i >= to || (token.sorts & QUERY) === 0) return false;
  const first = token.text;
  // `values` and `table` are also names of columns; a query has something after them.
  if (first === 'select') return true;
  const next = r.tokens[i + 1];
  if (i + 1 >= to || !next) return false;
  if (first === 'values') return next.text === '(';
  return next.kind === 'word' || next.kind === 'variable';
}

/** A word after AS or a dot is a label, whatever it says. */
export function isLabel(r: Reader, i: number): boolean {
  const before = r.tokens[i - 1];
  return (
    before !== undefined &&
    (before.text === '.' || (before.kind === 'word' && before.text === 'as' && !before.quoted))
  );
}

export interface Clause {
  word: string;
  from: number;
  to: number;
}

/** Cuts at these words where they stand outside of brackets and start a clause. The first clause has no word. */
export function clauses(r: Reader, from: number, to: number, words: Set<string>): Clause[] {
  const out: Clause[] = [{ word: '', from, to }];
  for (let i = from; i < to; i++) {
    const { sorts, text } = r.tokens[i]!;
    if ((sorts & (OPENS | CLAUSE)) === 0) continue;
    if ((sorts & OPENS) !== 0) i = r.closes[i]!;
    else if (words.has(text) && startsClause(r, i, text)) {
      out[out.length - 1]!.to = i;
      out.push({ word: text, from: i + 1, to });
    }
  }
  return out;
}

/** FROM in IS DISTINCT FROM and in ROWS FROM (…). */
function isPartOfAnother(r: Reader, i: number): boolean {
  const before = word(r, i - 2);
  if (word(r, i - 1) === 'distinct') return before === 'is' || before === 'not';
  if (word(r, i - 1) !== 'rows' || mark(r, i + 1) !== '(' || startsQuery(r, i + 1, r.closes[i + 1]!))
    return false;
  return ['from', 'join', 'lateral'].includes(before) || mark(r, i - 2) === ',' || mark(r, i - 2) === '(';
}

function startsClause(r: Reader, i: number, w: string): boolean {
  if (isLabel(r, i)) return false;
  if (w === 'group' || w === 'order') return word(r, i + 1) === 'by';
  if (w === 'from') return !isPartOfAnother(r, i);
  if (w === 'for') return ['update', 'share', 'no', 'key', 'read'].includes(word(r, i + 1));
  if (w === 'on') return word(r, i + 1) === 'conflict';
  return true;
}

export function clauseOf(parts: Clause[], name: string): Clause | undefined {
  for (let i = 0; i < parts.length; i++) if (parts[i]!.word === name) return parts[i];
  return undefined;
}

// Which definitions may find everything as they want it: then they take no transaction ID. Not those with IF [NOT] EXISTS before the name.
import type { Step, Write } from '../../../ir.ts';
import { find, isWords, nameAt, type Reader, skipIf, split, word } from '../text/reader.ts';

/** A table without rows, one without indexes, a lock that is held already. */
const IDLE = new Set(['analyze', 'analyse', 'cluster', 'lock', 'reassign', 'reindex', 'security']);

export function tellIdle(r: Reader, from: number, to: number, steps: Step[]): void {
  const definitions = steps.filter((step) => step.kind === 'write' && step.verb === 'ddl') as Write[];
  if (definitions.length > 0 && mayBeIdle(r, from, to)) for (const one of definitions) one.atMost = true;
}

function mayBeIdle(r: Reader, from: number, to: number): boolean {
  const first = word(r, from);
  if (IDLE.has(first)) return true;
  const second = word(r, from + 1, to);
  if (first === 'comment') return word(r, to - 1) === 'null';
  if (first === 'drop') return second === 'owned';
  if (first === 'grant' || first === 'revoke') {
    const on = find(r, from, to, 'on');
    return on >= to || word(r, on + 1) === 'all';
  }
  if (first !== 'alter') return false;
  if (second === 'default') return true;
  if (second === 'extension') return find(r, from, to, 'update') < to;
  if (second === 'role' || second === 'user' || second === 'database') return find(r, from, to, 'reset') < to;
  if (second === 'type') return isWords(r, find(r, from, to, 'value') + 1, 'if', 'not', 'exists');
  return second === 'table' && isAsked(r, from + 2, to);
}

/** Of what ALTER TABLE does, what it does without an ACCESS EXCLUSIVE lock, and not again, or if there is something to do. */
function isAsked(r: Reader, from: number, to: number): boolean {
  const start = skipIf(r, from);
  const table = nameAt(r, word(r, start) === 'only' ? start + 1 : start, to);
  const first = table ? table.next : to;
  return first < to && split(r, first, to).every(([a, b]) => isSwitch(r, a, b) || asksFirst(r, a));
}

/** `ADD COLUMN IF NOT EXISTS`, `DROP CONSTRAINT IF EXISTS` */
function asksFirst(r: Reader, from: number): boolean {
  const kind = word(r, from + 1) === 'column' || word(r, from + 1) === 'constraint' ? from + 2 : from + 1;
  return (word(r, from) === 'add' || word(r, from) === 'drop') && skipIf(r, kind) > kind;
}

function isSwitch(r: Reader, from: number, to: number): boolean {
  const what = word(r, from);
  if (what === 'enable' || what === 'disable')
    return find(r, from, to, 'trigger') < to || find(r, from, to, 'rule') < to;
  return what === 'validate' || what === 'cluster' || isWords(r, from, 'set', 'without', 'cluster');
}

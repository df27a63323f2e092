// What picks rows, in the words of who called, or of who wrote the row that a trigger runs for. Not whether two of them are one.
import { type Call, FIRED_ROW, type Routine, type Write } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Locking, Row, Terms } from './held.ts';
import { IN_ROW } from './rows.ts';

const NOTHING: ReadonlyMap<string, string> = new Map();
export const OWN_TERMS: Terms = { hands: NOTHING, by: null, row: null };

export const termsOf = (step: Call, { routine }: Linked, by: Terms, row: Row | null): Terms => ({
  hands: step.hands && routine?.parameters ? handed(step.hands, routine) : NOTHING,
  by,
  row,
});

function handed(
  hands: Record<string, string>,
  { parameters: { names = [] } = { required: 0, total: null }, varies }: Routine,
): Map<string, string> {
  const out = new Map<string, string>();
  for (const [key, value] of Object.entries(hands)) {
    const place = /^\d/.test(key) ? Number(key) : names.indexOf(key);
    const name = names[place] ?? null;
    if (name !== null && varies?.includes(name)) continue;
    if (name !== null) out.set(name, value);
    out.set(`$${place + 1}`, value);
  }
  return out;
}

/** A parameter stands for what the caller handed over, as far up as that is known; a column of the row for what was written there. */
export function inTermsOf<One extends Locking>(step: One, terms: Terms): One {
  if (!step.keys || (terms.hands.size === 0 && !terms.row)) return step;
  const all = (keys: string[]) => keys.flatMap((key) => worded(key, terms));
  return { ...step, keys: all(step.keys), ...(step.same && { same: all(step.same) }) };
}

function worded(key: string, terms: Terms): string[] {
  const at = key.indexOf('=') + 1;
  const column = key.slice(0, at);
  let value = key.slice(at);
  let where = terms;
  for (;;) {
    const [name = '', rest = ''] = cut(value);
    const said = where.hands.get(name);
    // Nobody knows which it is.
    if (said === '') return [];
    if (said === undefined || !where.by || (rest !== '' && !NAME.test(said))) break;
    value = said + rest;
    where = where.by;
  }
  const { row } = where;
  if (column === '') return NAME.test(value) ? [cut(value)[0]!] : [];
  if (!row || !value.startsWith(`${FIRED_ROW}.`)) return [key.slice(0, at) + value];
  const its = value.slice(FIRED_ROW.length + 1);
  return [ofRow(its, row), ...written(its, row)].map((one) => column + one);
}

/** `r` and `.id` of `r.id`. */
const cut = (value: string) => /^([\w$]*)(\.[\s\S]*)?$/.exec(value)?.slice(1) ?? [];

const NAME = /^[a-z_$][\w$]*(?:\.[\w$]+)*$/i;

/** What a column of that row holds. */
export const ofRow = (column: string, { id }: Row): string => `${IN_ROW}${column} ${id}`;

function written(column: string, { step, terms }: Row): string[] {
  const { keys = [], columns, onConflict }: Write = step;
  if (onConflict || columns?.includes(column)) return [];
  const is = `${column}=`;
  return keys
    .filter((key) => key.startsWith(is))
    .flatMap((key) => worded(key, terms))
    .map((key) => key.slice(is.length));
}

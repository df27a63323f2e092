// What picks rows, in the words of who called, or of who wrote the row that a trigger runs for. Not whether two of them are one.
import { type Call, FIRED_ROW, RESULT, type Routine, type Write, YIELDED } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Locking, Row, Terms } from './held.ts';
import { IN_ROW, isConstant } from './rows.ts';

const NOTHING: ReadonlyMap<string, string> = new Map();
const SELF = 'self';
/** Stands before a variable that a method of its object calls itself. */
export const BY_SELF = 'self as ';
export const OWN_TERMS: Terms = { hands: NOTHING, by: null, row: null };

/** What runs in a database sees no variable of who calls it; a text that is executed there is in the words of who handed it over. */
export function termsOf(
  step: Call,
  { routine }: Linked,
  { terms, row, linked }: At,
  run: number,
  onItself: boolean,
): Terms {
  if (routine?.kind === 'anonymous' && routine.implied) return terms.by ?? OWN_TERMS;
  const itself = onItself && terms.hands.has(SELF);
  const hands = routine && (step.hands || step.into || itself) ? handed(step, routine, itself) : NOTHING;
  const inner: Terms = { hands, by: terms, row: linked.trigger ? row : null };
  // What is called from where names are nobody else's has none of others either.
  const own = step.callee.startsWith('sql:') ? run : terms.own;
  return own === undefined ? inner : { ...inner, own };
}

interface At {
  linked: Linked;
  terms: Terms;
  row: Row | null;
}

/** Where a routine begins for itself that was handed a block: what it yields, as that calls it. */
export function yieldedTo(hands: NonNullable<Call['hands']>, by: Terms): Terms {
  const its = Object.entries(hands).filter(([key]) => key.startsWith(YIELDED));
  return its.length > 0 ? { hands: new Map(its), by, row: null } : OWN_TERMS;
}

function handed(
  { hands = {}, into }: Call,
  { parameters: { names = [] } = { required: 0, total: null } }: Routine,
  itself: boolean,
): Map<string, string> {
  const out = new Map<string, string>(itself ? [[SELF, SELF]] : []);
  if (into !== undefined) out.set(RESULT, into);
  for (const [key, value] of Object.entries(hands)) {
    if (key === SELF || key.startsWith(YIELDED)) out.set(key, value);
    const place = /^\d/.test(key) ? Number(key) : names.indexOf(key);
    if (place < 0) continue;
    const name = names[place] ?? null;
    if (name !== null) out.set(name, value);
    out.set(`$${place + 1}`, value);
  }
  return out;
}

/** A parameter stands for what the caller handed over, as far up as that is known; a column of the row for what was written there. */
export function inTermsOf<One extends Locking>(step: One, terms: Terms): One {
  const own = terms.hands.size === 0 && !terms.row && terms.own === undefined;
  // What two routines give is not one row for that.
  if (own && !step.keys?.some(isOfCaller)) return step;
  const all = (keys: string[]) => keys.flatMap((key) => worded(key, terms));
  const out = { ...step };
  if (out.keys) out.keys = all(out.keys);
  if (out.same) out.same = all(out.same);
  if (out.kind === 'write' && out.puts) out.puts = all(out.puts);
  return out;
}

/** Only who calls has a word for it. */
const isOfCaller = (key: string): boolean => key === RESULT || key.startsWith(YIELDED);

function worded(key: string, terms: Terms): string[] {
  if (key === SELF) {
    const asked = askedOf(terms);
    return asked === null ? [SELF] : [SELF, BY_SELF + asked];
  }
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
  const { row, own } = where;
  const whose = own === undefined || isConstant(`=${value}`) ? '' : ` of ${own}`;
  if (isOfCaller(value)) return [];
  if (column === '' && whose === '' && value === key) return [key];
  // Of a record that the caller calls alike, others may speak by that name as well.
  const alike = column === '' && value.startsWith(`${key}$`) ? [key] : [];
  if (column === '') return NAME.test(value) ? [cut(value)[0]! + whose, ...alike] : [];
  if (!row || !value.startsWith(`${FIRED_ROW}.`)) return [column + value + whose];
  const its = value.slice(FIRED_ROW.length + 1);
  return [ofRow(its, row), ...written(its, row)].map((one) => column + one);
}

/** The variable that the object is of which a method is asked, in the words of who asks it. */
function askedOf(terms: Terms): string | null {
  let value = SELF;
  for (let at: Terms | null = terms; at && value === SELF; at = at.by) value = at.hands.get(SELF) ?? '';
  return value && value !== SELF ? value : null;
}

/** `r` and `.id` of `r.id`, `ids` and `[]` of an element of it. */
const cut = (value: string) => /^(@?[\w$\u00aa-\uffff]*)([.[][\s\S]*)?$/.exec(value)?.slice(1) ?? [];

const NAME = /^(?!\d)@?[\w$\u00aa-\uffff]+(?:\.[\w$\u00aa-\uffff]+)*$/;

/** What a column of that row holds. */
export const ofRow = (column: string, { id }: Row): string => `${IN_ROW}${column} ${id}`;

function written(column: string, { step, terms }: Row): string[] {
  const { keys = [], puts = [], columns, onConflict }: Write = step;
  if (onConflict) return [];
  const is = `${column}=`;
  return (columns?.includes(column) ? puts : keys)
    .filter((key) => key.startsWith(is))
    .flatMap((key) => worded(key, terms))
    .map((key) => key.slice(is.length));
}

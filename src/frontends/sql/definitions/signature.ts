// Reads the signature of a routine: its parameters, what is computed or said where a call leaves one out, and what it gives. Not its options nor its body.
import type { Branch, Change, Given, Name, Routine, Step } from '../../../ir.ts';
import { expression } from '../queries/expression.ts';
import { saidBy, truths } from '../queries/handed.ts';
import {
  at,
  find,
  isWords,
  mark,
  nameAt,
  past,
  type Reader,
  split,
  type Values,
  word,
} from '../text/reader.ts';
import { isServers, rowOf, rowType, typeText } from '../text/types.ts';

/** What is computed where a call leaves the argument out. */
interface Default {
  name: string;
  position: number;
  branch: Branch;
}

export interface Signature {
  parameters: NonNullable<Routine['parameters']>;
  /** All names that the body can use, with those of OUT and TABLE columns. */
  variables: string[];
  defaults: Default[];
  /** What is written out for where a call leaves the argument out: TRUE, FALSE, NULL. */
  values: Map<number, Given>;
  givesRows: boolean;
  /** A value, of the first row of a body's last query. */
  givesValue: boolean;
  /** Of the row that it gives, or the type that may be one. */
  columns: number | Name | null;
  isTrigger: boolean;
  ofEvents: boolean;
  next: number;
}

const MODES = new Set(['in', 'out', 'inout', 'variadic']);

export function parameters(r: Reader, open: number, to: number, kind: 'function' | 'procedure'): Signature {
  const none: Signature = {
    parameters: { required: 0, total: 0 }, variables: [], defaults: [], values: new Map(), givesRows: false, givesValue: false, columns: null, isTrigger: false, ofEvents: false, next: open,
  }; // biome-ignore format: a row
  if (mark(r, open, to) !== '(') return none;
  const close = Math.min(r.closes[open]!, to);
  const names: (string | null)[] = [];
  const types: (string | null)[] = [];
  const variables: string[] = [];
  const defaults: Default[] = [];
  const values: Signature['values'] = new Map();
  let required = 0;
  let given = 0;
  let open_ended = false;
  for (const [a, b] of split(r, open + 1, close)) {
    const one = parameter(r, a, b);
    if (one.name) variables.push(one.name);
    if (one.mode === 'out' || one.mode === 'inout') given++;
    if (one.mode === 'out' && kind === 'function') continue;
    if (one.mode === 'variadic') open_ended = true;
    else if (one.value >= b) required++;
    const computed = defaultOf(r, one.value + 1, b, one.name ?? `$${names.length + 1}`);
    if (computed) defaults.push({ ...computed, position: names.length });
    const alone = b === one.value + 2 ? truths.get(word(r, b - 1)) : undefined;
    const said = alone === undefined && one.value < b ? saidBy(r, one.value + 1, b) : alone;
    if (said !== undefined) values.set(names.length, said);
    names.push(one.name);
    types.push(one.type);
  }
  let next = past(r, open, to);
  const returned = next;
  const isTrigger = isWords(r, next, 'returns', 'trigger');
  const ofEvents = isWords(r, next, 'returns', 'event_trigger');
  const givesRows = word(r, next) === 'returns' && ['setof', 'table'].includes(word(r, next + 1));
  const givesValue = kind === 'function' && !givesRows && !isWords(r, next, 'returns', 'void');
  if (word(r, next) === 'returns' && word(r, next + 1) === 'table' && mark(r, next + 2) === '(') {
    for (const [a, b] of split(r, next + 3, Math.min(r.closes[next + 2]!, to))) {
      const column = nameAt(r, a, b)?.parts[0];
      if (column) variables.push(column);
    }
    next = past(r, next + 2, to);
  }
  const total = open_ended ? null : names.length;
  return {
    parameters: { required, total, types, names },
    variables,
    defaults,
    values,
    givesRows,
    givesValue,
    columns: given > 0 ? given : rowType(r, returned),
    isTrigger,
    ofEvents,
    next,
  };
}

/** SQL sets none of its parameters. */
export const valuesOf = (names: readonly string[]): Values => ({
  number: () => null,
  items: () => ({ times: null }),
  given: (name) => (names.includes(name) || /^\$\d+$/.test(name) ? name : undefined),
});

/** By place, and by name where a name is no column before it is a parameter, of those that have one of the server's types. */
export function typesOf(
  { names = [], types = [] }: Signature['parameters'],
  language: string,
): Map<string, string> {
  const out = new Map<string, string>();
  types.forEach((type, i) => {
    if (type === null || type.endsWith('[]')) return;
    const told = isServers(type) || type.includes('%') ? type : rowOf(type);
    out.set(`$${i + 1}`, told);
    const name = names[i];
    if (name && language !== 'sql') out.set(name, told);
  });
  return out;
}

/** Those that may be SQL, or decide a branch or how often a loop turns, by name and by place. */
export function textsAmong({ names = [], types = [] }: Signature['parameters']): Set<string> | null {
  const out = new Set<string>();
  types.forEach((type, i) => {
    if (type === null || !HANDED.has(type)) return;
    out.add(`$${i + 1}`);
    if (names[i]) out.add(names[i]);
  });
  return out.size > 0 ? out : null;
}

const HANDED = new Set([
  'text', 'character varying', 'boolean', 'name', 'regproc', 'regprocedure', 'smallint', 'integer', 'bigint',
]); // biome-ignore format: words

function defaultOf(r: Reader, from: number, to: number, name: string): Omit<Default, 'position'> | null {
  const steps: Step[] = [];
  if (from < to) expression(r, from, to, { once: steps, row: steps });
  if (steps.every((step) => step.kind === 'read' || step.kind === 'cast')) return null;
  const when = { parameter: name, is: 'null' } as const;
  return { name, branch: { kind: 'branch', at: at(r, from, to), arms: [steps], exhaustive: false, when } };
}

/**
 * Which of several routines of one name a DROP or ALTER means. Types are told only where they are the server's: one's
 * own may be written with its schema in one place and without it in the other.
 */
export function overload(
  r: Reader,
  open: number,
  kind: 'function' | 'procedure',
): Pick<Change, 'args' | 'types'> {
  if (mark(r, open) !== '(') return {};
  const { types = [] } = parameters(r, open, r.tokens.length, kind).parameters;
  return { args: types.length, types: types.map((type) => (type !== null && isServers(type) ? type : null)) };
}

function parameter(
  r: Reader,
  from: number,
  to: number,
): { mode: string; name: string | null; type: string | null; value: number } {
  let i = from;
  let end = find(r, from, to, 'default');
  end = Math.min(end, find(r, from, to, '='), find(r, from, to, ':='));
  let mode = 'in';
  if (MODES.has(word(r, i)) && i + 1 < end) mode = word(r, i++);
  if (mode === 'in' && word(r, i) === 'out' && i + 1 < end) i++;
  const rest = end - i;
  let name: string | null = null;
  const first = nameAt(r, i, end);
  // A name and a type, or a type alone, which may have two words.
  if (
    first &&
    first.parts.length === 1 &&
    rest > 1 &&
    mark(r, i + 1, end) !== '(' &&
    mark(r, i + 1, end) !== '[' &&
    !isTwoWords(r, i, end)
  ) {
    name = first.parts[0]!;
    i++;
    if (MODES.has(word(r, i)) && i + 1 < end) mode = word(r, i++); // name before mode is allowed
  }
  return { mode, name, type: typeText(r, i, end), value: end };
}

function isTwoWords(r: Reader, i: number, end: number): boolean {
  if (i + 2 < end && mark(r, i + 2, end) !== '(' && mark(r, i + 2, end) !== '[') return false;
  return (
    isWords(r, i, 'double', 'precision') ||
    isWords(r, i, 'character', 'varying') ||
    isWords(r, i, 'bit', 'varying')
  );
}

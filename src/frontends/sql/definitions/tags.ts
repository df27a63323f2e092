// The command tag that event triggers see of a definition, and which definitions they do not see. Not which triggers there are.
import type { Step } from '../../../ir.ts';
import { find, type Reader, word } from '../text/reader.ts';

/** What all databases share, and event triggers themselves. */
const UNSEEN = new Set(['database', 'role', 'user', 'group', 'tablespace', 'system', 'event', 'parameter']);
/** Words between CREATE and what is created. */
const MODIFIERS = new Set(
  'or replace temp temporary unlogged global local constraint unique recursive trusted procedural default'.split(
    ' ',
  ),
);
const TWO = /^(?:materialized view|foreign table|user mapping|access method|operator (?:class|family))$/;
const THREE = new Set(['foreign', 'text']);

/** Each definition is one to them, however many tables it drops or however much it makes besides. */
export function tellTag(r: Reader, from: number, to: number, steps: Step[]): void {
  const refreshes = word(r, from, to) === 'refresh';
  const step = steps.find((one) => one.kind === 'write' && (refreshes || one.verb === 'ddl'));
  if (step?.kind !== 'write') return;
  const tag = tagOf(r, from, to);
  if (tag) step.tag = tag;
}

function tagOf(r: Reader, from: number, to: number): string | undefined {
  const first = word(r, from, to);
  switch (first) {
    case 'create':
    case 'alter':
    case 'drop':
      return ofObject(r, first, from + 1, to);
    case 'refresh':
      return 'refresh materialized view';
    case 'comment':
    case 'grant':
    case 'revoke':
    case 'security':
      return ofWhat(r, first, from, to);
    case 'import':
      return 'import foreign schema';
    case 'select':
    case 'with':
      return 'select into';
    default:
      return undefined; // ANALYZE, LOCK, REINDEX up to 16 and such
  }
}

function ofObject(r: Reader, verb: string, from: number, to: number): string | undefined {
  let i = from;
  if (verb === 'create') while (MODIFIERS.has(word(r, i, to))) i++;
  const what = word(r, i, to);
  const two = `${what} ${word(r, i + 1, to)}`;
  if (verb === 'alter' && what === 'default') return 'alter default privileges';
  if (TWO.test(two)) return `${verb} ${two}`;
  if (what === '' || UNSEEN.has(what)) return undefined;
  if (THREE.has(what)) return `${verb} ${two} ${word(r, i + 2, to)}`;
  const filled = verb === 'create' && what === 'table' && find(r, i, to, 'as') < to;
  return `${verb} ${what}${filled ? ' as' : ''}`;
}

/** A role that is granted, and what stands ON something shared, they do not see. */
function ofWhat(r: Reader, first: string, from: number, to: number): string | undefined {
  const on = find(r, from, to, 'on');
  if (on >= to || UNSEEN.has(word(r, on + 1, to))) return undefined;
  return first === 'security' ? 'security label' : first;
}

/** Whether what stands here asks for it in what pg_event_trigger_ddl_commands() and pg_event_trigger_dropped_objects() give. */
export const asksTemporary = (r: Reader, from: number, to: number): boolean =>
  /\bpg_temp|\bis_temporary\b/i.test(r.source.text.slice(r.tokens[from]!.start, r.tokens[to - 1]!.end));

// The API that PL/Perl and PL/v8 give a body: which calls open a subtransaction, and where their SQL is.
import type { Step } from '../../ir.ts';
import type { Braces } from './braces.ts';
import { parameterOf } from './given.ts';
import { hole, type Part, place, spi, waits } from './host.ts';

/** PL/Perl: where each function takes its text or plan. Each opens a subtransaction. */
const PERL: Record<string, 'text' | 'plan'> = {
  spi_exec_query: 'text', spi_query: 'text', spi_exec_prepared: 'plan', spi_query_prepared: 'plan',
}; // biome-ignore format: a table

const OBJECTS = new Set(['plv8', 'pljs']);

const mark = (h: Braces, i: number) => (h.tokens[i]?.kind === 'mark' ? h.tokens[i]!.text : '');
const text = (h: Braces, from: number, to: number) =>
  h.tokens
    .slice(from, to)
    .map((token) =>
      token.kind === 'string' ? (token.parts ?? []).map((part) => part.text).join('') : token.text,
    )
    .join('');

/** Remembers which variable holds which plan. */
export function learnPlans(h: Braces): void {
  for (const [i, token] of h.tokens.entries()) {
    const perl = token.text === 'spi_prepare';
    if (
      !perl &&
      !(token.text === 'prepare' && mark(h, i - 1) === '.' && OBJECTS.has(h.tokens[i - 2]?.text ?? ''))
    )
      continue;
    const equals = perl ? i - 1 : i - 3;
    if (mark(h, equals) === '=') h.plans.set(assigned(h, equals), argument(h, i + 1));
  }
}

/** What stands before `=`, without `my` and its kin: `$plan`, `$_SHARED{plan}`, `plan`. */
function assigned(h: Braces, equals: number): string {
  let from = equals - 1;
  while (mark(h, from) === '}' || mark(h, from) === ']') from = h.other[from]! - 1;
  while (mark(h, from - 1) === '.' && h.tokens[from - 2]?.kind === 'word') from -= 2;
  return text(h, Math.max(from, 0), equals);
}

/** What the call at this word does, or nothing. */
export function apiCall(h: Braces, i: number): Step[] {
  return h.dialect === 'perl' ? perlCall(h, i) : scriptCall(h, i);
}

function perlCall(h: Braces, i: number): Step[] {
  const token = h.tokens[i]!;
  const name = token.text;
  if (Object.hasOwn(PERL, name)) return [spi(h, token, `${name}()`, argument(h, i + 1), given(h, i + 1))];
  const at = place(h, token.start, token.end);
  if (name === 'spi_commit') return [{ kind: 'commit', at }];
  if (name === 'spi_rollback') return [{ kind: 'rollback', at }];
  if (name === 'elog' && argumentWord(h, i) === 'ERROR') return [{ kind: 'exit', at, how: 'raise' }];
  const wait = waits(name);
  if (wait && name !== 'exec') return [{ kind: 'wait', at, for: wait }];
  return mark(h, i + 1) === '(' || name.startsWith('&') ? own(h, name.replace(/^&/, '')) : [];
}

function scriptCall(h: Braces, i: number): Step[] {
  const token = h.tokens[i]!;
  if (mark(h, i + 1) !== '(' || h.tokens[i - 1]?.text === 'function') return [];
  if (mark(h, i - 1) !== '.') return own(h, token.text);
  const object = h.tokens[i - 2];
  const at = { start: object?.start ?? token.start, end: token.end };
  if (OBJECTS.has(object?.text ?? '')) {
    if (token.text === 'execute')
      return [spi(h, at, `${object!.text}.execute()`, argument(h, i + 1), given(h, i + 1))];
    if (token.text === 'commit' || token.text === 'rollback')
      return [{ kind: token.text, at: place(h, at.start, at.end) }];
    if (token.text === 'elog' && argumentWord(h, i) === 'ERROR')
      return [{ kind: 'exit', at: place(h, at.start, at.end), how: 'raise' }];
    return [];
  }
  let from = i - 2;
  while (mark(h, from - 1) === '.' && h.tokens[from - 2]?.kind === 'word') from -= 2;
  const plan = h.plans.get(text(h, from, i - 1));
  if (plan === undefined) return [];
  const step = spi(h, at, 'plan.execute()', plan);
  if (token.text === 'execute') return [step];
  // A cursor of PL/v8 opens none.
  return token.text === 'cursor' && step.kind === 'scope' ? step.body : [];
}

const argumentWord = (h: Braces, i: number) => h.tokens[i + (mark(h, i + 1) === '(' ? 2 : 1)]?.text;

/** A function of the body's own, as often as the budget allows. */
function own(h: Braces, name: string): Step[] {
  const steps = h.functions.get(name) ?? [];
  if (steps.length > h.budget) return [];
  h.budget -= steps.length;
  return steps;
}

/** The text of the first argument, in brackets or, in Perl, without: a string, a plan, a variable that holds one. */
function argument(h: Braces, open: number): Part[] | null {
  const [from, to] = first(h, open);
  const key = text(h, from, to);
  return h.plans.has(key) ? (h.plans.get(key) ?? null) : textOf(h, from, to);
}

const given = (h: Braces, open: number): string | undefined =>
  parameterOf(h, h.dialect, text(h, ...first(h, open)));

function first(h: Braces, open: number): [from: number, to: number] {
  const bracketed = mark(h, open) === '(';
  const from = bracketed ? open + 1 : open;
  const end = bracketed && h.other[open]! > 0 ? h.other[open]! : h.tokens.length;
  const limit = Math.min(end, from + 500);
  let to = from;
  while (to < limit && mark(h, to) !== ',' && mark(h, to) !== ';')
    to = h.other[to]! > to ? Math.min(h.other[to]! + 1, limit) : to + 1;
  return [from, to];
}

/** A variable that is put together of itself again and again is twice as long each time. */
const MOST_PARTS = 1000;

/** Strings put together with `.` or `+`; null where they say nothing, or too much. */
function textOf(h: Braces, from: number, to: number): Part[] | null {
  const parts: Part[] = [];
  let known = false;
  for (let i = from; i < to; i++) {
    const token = h.tokens[i]!;
    if (token.kind === 'string') {
      parts.push(...(token.parts ?? []));
      known = true;
    } else if (token.kind === 'word') {
      const held = h.texts.get(token.text);
      if (held) known = true;
      const member = h.dialect === 'javascript' && mark(h, i - 1) === '.';
      parts.push(...(held ?? (member ? [] : [hole(token.start, token.end)])));
      if (parts.length > MOST_PARTS) return null;
    } else if (h.other[i]! > i) i = Math.min(h.other[i]!, to);
  }
  return known ? parts : null;
}

const DECLARES = new Set(['my', 'our', 'local', 'var', 'let', 'const']);

/** Keeps `$sql = "…"` and `$sql .= "…"`. */
export function assignText(h: Braces, first: number, to: number): void {
  const at = DECLARES.has(h.tokens[first]?.text ?? '') ? first + 1 : first;
  const name = h.tokens[at];
  if (name?.kind !== 'word') return;
  const adds = (mark(h, at + 1) === '.' || mark(h, at + 1) === '+') && mark(h, at + 2) === '=';
  if (!adds && mark(h, at + 1) !== '=') return;
  const more = textOf(h, at + (adds ? 3 : 2), to);
  const before = adds ? h.texts.get(name.text) : [];
  if (before && (more || adds) && before.length < MOST_PARTS)
    h.texts.set(name.text, [...before, ...(more ?? [hole(name.start, name.end)])]);
  else h.texts.delete(name.text);
}

// Reads one line of PL/Python: which plpy calls it makes, once or in a comprehension, and how it leaves.
import type { Step } from '../../ir.ts';
import { parameterOf } from './given.ts';
import { type Host, hole, loop, type Part, place, spi, type Token, waits } from './host.ts';

/** Tokens as text, for telling `SD["plan"]` from `SD['plan']` no more than needed. */
export const keyOf = (tokens: Token[]) =>
  tokens.map((token) => (token.kind === 'string' ? `'${token.text.slice(1, -1)}'` : token.text)).join('');

export interface Plpy extends Host {
  subtransactions: Set<string>;
}

/** Remembers what holds a plan or a subtransaction: of all lines first, for a function may use it before the line that makes it. */
export function learn(h: Plpy, line: Token[]): void {
  const call = line.findIndex(
    (token, i) => isPlpy(line, i) && /^(?:prepare|subtransaction)$/.test(token.text),
  );
  if (call < 0) return;
  const equals = line.findIndex((token) => token.text === '=');
  if (line[call]!.text === 'subtransaction') {
    if (equals > 0 && equals < call) h.subtransactions.add(keyOf(line.slice(0, equals)));
    return;
  }
  const text = argument(h, line, call + 1);
  if (equals > 0 && equals < call) h.plans.set(keyOf(line.slice(0, equals)), text);
  // SD.setdefault("key", plpy.prepare(…))
  const key = line.slice(0, call).find((token) => token.kind === 'string');
  if (key) h.plans.set(`SD['${key.text.slice(1, -1)}']`, text);
}

const isPlpy = (line: Token[], i: number) => line[i - 1]?.text === '.' && line[i - 2]?.text === 'plpy';

const LOOPS = new Set(['map', 'filter', 'for_each']);

/** `run` gives the steps of a function that the body defines. */
export function lineSteps(h: Plpy, line: Token[], run: (name: string) => Step[]): Step[] {
  const out: Step[] = [];
  const repeats = repeating(line);
  const open: number[] = [];
  let repeated = 0;
  for (let i = 0; i < line.length; i++) {
    const token = line[i]!;
    if (token.kind === 'mark') {
      if ('([{'.includes(token.text)) {
        open.push(i);
        if (repeats.has(i)) repeated++;
      } else if (')]}'.includes(token.text)) {
        const opened = open.pop();
        if (opened !== undefined && repeats.has(opened)) repeated--;
      }
      continue;
    }
    if (token.kind !== 'word' || line[i + 1]?.text !== '(') continue;
    const steps = called(h, line, i, run);
    if (steps.length === 0) continue;
    if (repeated > 0) out.push(loop(h, token, 'items', null, steps));
    else for (const step of steps) out.push(step);
  }
  assign(h, line);
  // A variable may hold one plan after the other.
  if (h.plans.size > 0) learn(h, line);
  out.push(...departure(h, line));
  return out;
}

/** The brackets whose content runs for each item: comprehensions, and the arguments of map(). */
function repeating(line: Token[]): Set<number> {
  const out = new Set<number>();
  const open: number[] = [];
  for (const [i, token] of line.entries()) {
    if (token.kind === 'mark' && '([{'.includes(token.text)) {
      open.push(i);
      if (LOOPS.has(line[i - 1]?.text ?? '')) out.add(i);
    } else if (token.kind === 'mark' && ')]}'.includes(token.text)) open.pop();
    else if (token.kind === 'word' && token.text === 'for' && open.length > 0)
      out.add(open[open.length - 1]!);
  }
  return out;
}

function called(h: Plpy, line: Token[], i: number, run: (name: string) => Step[]): Step[] {
  const token = line[i]!;
  let from = i;
  while (line[from - 1]?.text === '.' && (line[from - 2]?.kind === 'word' || line[from - 2]?.text === ']')) {
    from -= 2;
    if (line[from]!.text === ']') while (from > 0 && line[from]!.text !== '[') from--;
    if (line[from]!.text === '[') from--;
  }
  const at = { start: line[from]!.start, end: token.end };
  const name = keyOf(line.slice(from, i + 1));
  if (isPlpy(line, i)) return plpy(h, line, i, { start: line[i - 2]!.start, end: token.end });
  const made = token.text === 'execute' || token.text === 'cursor' ? preparedBefore(line, i) : -1;
  if (made >= 0) return [spi(h, at, `plan.${token.text}()`, argument(h, line, made))];
  if (from === i && LOOPS.has(token.text) && line[i + 2]?.kind === 'word' && line[i + 3]?.text === ',')
    return looped(h, token, run(line[i + 2]!.text));
  if (from === i) return token.text === 'plpy' ? [] : run(token.text);
  const receiver = keyOf(line.slice(from, i - 1));
  const method = token.text;
  if ((method === 'execute' || method === 'cursor') && h.plans.has(receiver))
    return [spi(h, at, `plan.${method}()`, h.plans.get(receiver) ?? null)];
  const wait = waits(name);
  return wait ? [{ kind: 'wait', at: place(h, at.start, at.end), for: wait }] : [];
}

/** `map(save, rows)` */
const looped = (h: Plpy, token: Token, steps: Step[]): Step[] =>
  steps.length > 0 ? [loop(h, token, 'items', null, steps)] : [];

/** `plpy.prepare(…).execute(…)`: the bracket of what it prepares, or less than 0. */
function preparedBefore(line: Token[], i: number): number {
  if (line[i - 1]?.text !== '.' || line[i - 2]?.text !== ')') return -1;
  let open = i - 2;
  for (let depth = 0; open >= 0; open--) {
    if (line[open]!.text === ')') depth++;
    else if (line[open]!.text === '(' && --depth === 0) break;
  }
  return line[open - 1]?.text === 'prepare' && isPlpy(line, open - 1) ? open : -1;
}

function plpy(h: Plpy, line: Token[], i: number, at: { start: number; end: number }): Step[] {
  switch (line[i]!.text) {
    case 'execute':
    case 'cursor':
      return [
        spi(
          h,
          at,
          `plpy.${line[i]!.text}()`,
          argument(h, line, i + 1),
          parameterOf(h, 'python', keyOf(first(line, i + 1))),
        ),
      ];
    case 'commit':
      return [{ kind: 'commit', at: place(h, at.start, at.end) }];
    case 'rollback':
      return [{ kind: 'rollback', at: place(h, at.start, at.end) }];
    case 'error':
    case 'fatal':
      return [{ kind: 'exit', at: place(h, at.start, at.end), how: 'raise' }];
    default:
      return [];
  }
}

/** The text that the first argument gives: a string, or a plan. */
function argument(h: Plpy, line: Token[], open: number): Part[] | null {
  const tokens = first(line, open);
  if (isPlpy(tokens, 2) && tokens[2]?.text === 'prepare') return argument(h, tokens, 3);
  const key = keyOf(tokens);
  return h.plans.has(key) ? (h.plans.get(key) ?? null) : textOf(h, tokens);
}

function first(line: Token[], open: number): Token[] {
  let depth = 0;
  let end = open;
  for (; end < line.length; end++) {
    const { text, kind } = line[end]!;
    if (kind !== 'mark') continue;
    if ('([{'.includes(text)) depth++;
    else if (')]}'.includes(text)) depth--;
    if (depth === 0 || (depth === 1 && text === ',')) break;
  }
  return line.slice(open + 1, end);
}

/** Strings beside each other or with `+`; after `%` and `.format` come only values. */
function textOf(h: Plpy, tokens: Token[]): Part[] | null {
  const parts: Part[] = [];
  let known = false;
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'mark' && '([{'.includes(token.text)) depth++;
    else if (token.kind === 'mark' && ')]}'.includes(token.text)) depth--;
    if (depth > 0 && !(depth === 1 && tokens[0]!.text === '(')) continue;
    if (token.kind === 'string') {
      parts.push(...token.parts!);
      known = true;
    } else if (token.text === '%' || (token.text === '.' && known)) break;
    else if (token.kind === 'word') {
      const text = h.texts.get(token.text);
      if (text) known = true;
      parts.push(...(text ?? (tokens[i - 1]?.text === '.' ? [] : [hole(token.start, token.end)])));
    }
  }
  return known ? parts : null;
}

/** Keeps `name = "…"` and `name += "…"`. */
function assign(h: Plpy, line: Token[]): void {
  const [name, operator, second] = line;
  if (name?.kind !== 'word') return;
  const adds = operator?.text === '+' && second?.text === '=';
  if (operator?.text !== '=' && !adds) return;
  const text = textOf(h, line.slice(adds ? 3 : 2));
  const before = adds ? h.texts.get(name.text) : [];
  if (before && (text || adds)) {
    const all = [...before, ...(text ?? [hole(name.start, name.end)])];
    if (all.length < 1000) h.texts.set(name.text, all);
  } else h.texts.delete(name.text);
}

function departure(h: Host, line: Token[]): Step[] {
  const token = line[0];
  if (token?.kind !== 'word') return [];
  const at = place(h, token.start, token.end);
  if (token.text === 'return') return [{ kind: 'exit', at, how: 'return' }];
  if (token.text === 'raise')
    return [{ kind: 'exit', at, how: 'raise', ...(line.length === 1 && { again: true }) }];
  return token.text === 'break' || token.text === 'continue' ? [{ kind: 'exit', at, how: token.text }] : [];
}

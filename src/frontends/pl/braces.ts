// Reads PL/Perl and PL/v8 bodies by their braces: which SPI calls they make, in which loops. No grammar of either language.
import type { Handler, Step } from '../../ir.ts';
import type { Body } from '../plpgsql/body.ts';
import type { Source } from '../source.ts';
import type { SqlScope } from '../sql/statement.ts';
import { type Dialect, tokens } from './bracetokens.ts';
import { DEEPEST, type Host, loop, place, type Token } from './host.ts';
import { apiCall, assignText, learnPlans } from './spicalls.ts';

export interface Braces extends Host {
  dialect: Dialect;
  tokens: Token[];
  /** For each bracket the index of its other half, or -1. */
  other: Int32Array;
  i: number;
  depth: number;
  functions: Map<string, Step[]>;
  /** How many steps of functions may still be put where they are called. */
  budget: number;
}

export const lowerPerl = (source: Source, scope: SqlScope) => lower('perl', source, scope);
export const lowerJavaScript = (source: Source, scope: SqlScope) => lower('javascript', source, scope);

function lower(dialect: Dialect, source: Source, scope: SqlScope): Body {
  const all = tokens(source.text, dialect);
  const h: Braces = {
    source,
    scope,
    texts: new Map(),
    plans: new Map(),
    problems: [],
    dialect,
    tokens: all,
    other: brackets(all),
    i: 0,
    depth: 0,
    functions: new Map(),
    budget: 2000,
  };
  learnPlans(h);
  const steps: Step[] = [];
  while (h.i < all.length) {
    push(steps, statements(h));
    h.i++; // a closing brace too many
  }
  return { steps, problems: h.problems };
}

function brackets(all: Token[]): Int32Array {
  const other = new Int32Array(all.length).fill(-1);
  const open: number[] = [];
  for (const [i, token] of all.entries()) {
    if (token.kind !== 'mark') continue;
    if (token.text === '(' || token.text === '[' || token.text === '{') open.push(i);
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      const from = open.pop();
      if (from === undefined) continue;
      other[i] = from;
      other[from] = i;
    }
  }
  return other;
}

const mark = (h: Braces, i: number) => (h.tokens[i]?.kind === 'mark' ? h.tokens[i]!.text : '');
const word = (h: Braces, i: number) => (h.tokens[i]?.kind === 'word' ? h.tokens[i]!.text : '');
const at = (h: Braces, i: number) => place(h, h.tokens[i]!.start, h.tokens[i]!.end);

function push(out: Step[], steps: Step[]): void {
  for (const step of steps) out.push(step);
}

// ---- statements ------------------------------------------------------------------------------------------------

/** Up to the brace that closes, or the end. */
function statements(h: Braces): Step[] {
  const out: Step[] = [];
  while (h.i < h.tokens.length && mark(h, h.i) !== '}') {
    const before = h.i;
    statement(h, out);
    if (h.i === before) h.i++;
  }
  return out;
}

const LOOPS = new Set(['for', 'foreach', 'while', 'until']);
const CONTROL = new Set([
  ...LOOPS,
  'if',
  'unless',
  'switch',
  'try',
  'do',
  'return',
  'throw',
  'const',
  'let',
  'var',
  'function',
]);

function statement(h: Braces, out: Step[]): void {
  const w = word(h, h.i);
  if (LOOPS.has(w)) loopStatement(h, out);
  else if (w === 'if' || w === 'unless' || w === 'switch') branch(h, out);
  else if (w === 'try' && mark(h, h.i + 1) === '{') attempt(h, out);
  else if (w === 'do' && mark(h, h.i + 1) === '{') doBlock(h, out);
  else if (mark(h, h.i) === '{') push(out, block(h));
  else if (mark(h, h.i) === ';') h.i++;
  else expression(h, out, false);
}

/** At an opening brace: what stands in it. */
function block(h: Braces): Step[] {
  h.i++;
  if (h.depth >= DEEPEST) return []; // too deep to nest: its statements follow
  h.depth++;
  const steps = statements(h);
  h.depth--;
  if (mark(h, h.i) === '}') h.i++;
  return steps;
}

/** A block, or one statement without braces. */
function body(h: Braces): Step[] {
  if (mark(h, h.i) === '{') return block(h);
  const out: Step[] = [];
  if (h.depth >= DEEPEST || h.i >= h.tokens.length || mark(h, h.i) === '}') return out;
  h.depth++;
  statement(h, out);
  h.depth--;
  return out;
}

/** What stands in brackets after a keyword, and Perl's `my $x` before them. */
function header(h: Braces): { steps: Step[]; from: number; to: number } {
  const steps: Step[] = [];
  while (h.tokens[h.i]?.kind === 'word') h.i++;
  const from = h.i + 1;
  if (mark(h, h.i) === '(') {
    h.i++;
    expression(h, steps, true);
  }
  return { steps, from, to: h.i - 1 };
}

function loopStatement(h: Braces, out: Step[]): void {
  const keyword = h.tokens[h.i]!;
  h.i++;
  const head = header(h);
  const each = head.steps.some((step) => step.kind === 'scope');
  const fetches = h.tokens
    .slice(head.from, Math.min(head.to, head.from + 40))
    .some((t) => /^(?:spi_fetchrow|fetch)$/.test(t.text));
  const counted = keyword.text === 'for' || keyword.text === 'foreach' ? counts(h, head.from, head.to) : null;
  const again = keyword.text === 'while' || keyword.text === 'until';
  const inner = body(h);
  if (!again) push(out, head.steps);
  const over = fetches || (each && !again) ? 'rows' : again ? 'unknown' : (counted?.over ?? 'items');
  out.push(loop(h, keyword, over, counted?.times ?? null, again ? [...head.steps, ...inner] : inner));
}

/** Perl's (1..100), C's (i = 0; i < 100; i++). */
function counts(h: Braces, from: number, to: number): { over: 'range'; times: number | null } | null {
  const text = h.tokens
    .slice(from, Math.min(to, from + 24))
    .map((t) => t.text)
    .join(' ');
  const range = /^(\d+) \. \. (\d+)$/.exec(text);
  if (range) return { over: 'range', times: Math.max(0, Number(range[2]) - Number(range[1]) + 1) };
  const c = /^(?:(?:var|let|my) )?(\S+) = (\d+) ; \1 < (= )?(\d+) ; (?:\1 \+ \+|\+ \+ \1)$/.exec(text);
  if (c) return { over: 'range', times: Math.max(0, Number(c[4]) - Number(c[2]) + (c[3] ? 1 : 0)) };
  return /;/.test(text) || /\. \./.test(text) ? { over: 'range', times: null } : null;
}

function branch(h: Braces, out: Step[]): void {
  const place = at(h, h.i);
  h.i++;
  push(out, header(h).steps);
  const arms = [body(h)];
  let exhaustive = false;
  for (let w = word(h, h.i); w === 'elsif' || w === 'else'; w = word(h, h.i)) {
    h.i++;
    const condition = w === 'elsif' || word(h, h.i) === 'if' ? header(h).steps : [];
    exhaustive = w === 'else' && mark(h, h.i) === '{' && word(h, h.i - 1) === 'else';
    arms.push([...condition, ...body(h)]);
  }
  if (arms.some((arm) => arm.length > 0)) out.push({ kind: 'branch', at: place, arms, exhaustive });
}

function attempt(h: Braces, out: Step[]): void {
  const place = at(h, h.i);
  h.i++;
  const inner = block(h);
  const handlers: Handler[] = [];
  let last: Step[] | undefined;
  for (let w = word(h, h.i); w === 'catch' || w === 'finally'; w = word(h, h.i)) {
    const keyword = at(h, h.i);
    h.i++;
    if (mark(h, h.i) === '(' && h.other[h.i]! > 0) h.i = h.other[h.i]! + 1;
    const steps = body(h);
    if (w === 'finally') last = steps;
    else handlers.push({ at: keyword, catches: ['others'], body: steps });
  }
  out.push({ kind: 'attempt', at: place, body: inner, handlers, ...(last && { finally: last }) });
}

function doBlock(h: Braces, out: Step[]): void {
  const keyword = h.tokens[h.i]!;
  h.i++;
  const inner = block(h);
  if (!LOOPS.has(word(h, h.i))) {
    push(out, inner);
    return;
  }
  const condition: Step[] = [];
  h.i++;
  expression(h, condition, false);
  out.push(loop(h, keyword, 'unknown', null, [...inner, ...condition]));
}

// ---- expressions -----------------------------------------------------------------------------------------------

/** Up to the semicolon, or in brackets up to the one that closes. Function bodies inside are statements again. */
function expression(h: Braces, out: Step[], bracketed: boolean): void {
  const first = h.i;
  const start = out.length;
  const open: number[] = [];
  /** Arrow functions without braces: where they were handed over, and where their steps start. */
  const arrows: { around: number; from: number }[] = [];
  for (; h.i < h.tokens.length; h.i++) {
    const token = h.tokens[h.i]!;
    const top = open[open.length - 1];
    if (token.kind === 'mark') {
      const arrow = arrows[arrows.length - 1];
      if (arrow && arrow.around === top && (token.text === ',' || token.text === ')')) {
        arrows.pop();
        handedOver(h, out, top, out.splice(arrow.from));
      }
      if (token.text === '(' || token.text === '[') open.push(h.i);
      else if (token.text === '{') {
        if (!brace(h, out, top)) open.push(h.i);
        else h.i--; // the loop goes on after the block
      } else if (token.text === '}' && (top === undefined || mark(h, top) !== '{')) break;
      else if (token.text === ')' || token.text === ']' || token.text === '}') {
        if (top === undefined) break;
        open.pop();
      } else if (token.text === ';' && top === undefined && !bracketed) break;
      else if (token.text === '=>' && isHandedOver(h, top) && arrow?.around !== top)
        arrows.push({ around: top!, from: out.length });
    } else if (token.kind === 'word') {
      if (top === undefined && h.i > first && !bracketed && ends(h, out, start)) break;
      push(out, apiCall(h, h.i));
    }
  }
  assignText(h, first, h.i);
  leave(h, first, out);
  const closed = mark(h, h.i);
  if (closed === ';' || (bracketed && closed === ')')) h.i++;
}

/** At the arrow of a function without braces that is an argument of a call. */
const isHandedOver = (h: Braces, around: number | undefined) =>
  h.dialect === 'javascript' && around !== undefined && mark(h, around) === '(' && mark(h, h.i + 1) !== '{';

/** A keyword that starts a statement ends this one; in Perl one on the same line repeats or guards it. */
function ends(h: Braces, out: Step[], start: number): boolean {
  const token = h.tokens[h.i]!;
  if (
    !CONTROL.has(token.text) ||
    mark(h, h.i - 1) === '->' ||
    mark(h, h.i - 1) === '.' ||
    mark(h, h.i - 1) === '{'
  )
    return false;
  if (h.dialect === 'javascript') return token.first;
  const steps = () => out.splice(start);
  if (LOOPS.has(token.text)) {
    const inner = steps();
    if (inner.length > 0)
      out.push(loop(h, token, token.text.startsWith('for') ? 'items' : 'unknown', null, inner));
  } else if (token.text === 'if' || token.text === 'unless') {
    const inner = steps();
    if (inner.length > 0) out.push({ kind: 'branch', at: at(h, h.i), arms: [inner], exhaustive: false });
  }
  return false;
}

const PER_ITEM = new Set([
  'forEach',
  'map',
  'filter',
  'reduce',
  'some',
  'every',
  'find',
  'flatMap',
  'first',
  'any',
  'all',
]);

/** A brace in an expression: false where it is a hash or an object; else its block has been read. */
function brace(h: Braces, out: Step[], around: number | undefined): boolean {
  const opener = h.i;
  const before = word(h, opener - 1);
  if (before === 'eval' || before === 'try') {
    const steps = block(h);
    out.push({
      kind: 'attempt',
      at: at(h, opener - 1),
      body: steps,
      handlers: [{ at: at(h, opener - 1), catches: ['others'], body: [] }],
    });
    return true;
  }
  if (before === 'map' || before === 'grep' || before === 'sort') {
    const steps = block(h);
    if (steps.length > 0) out.push(loop(h, h.tokens[opener - 1]!, 'items', null, steps));
    return true;
  }
  if (before === 'do') {
    push(out, block(h));
    return true;
  }
  const head = functionHead(h, opener);
  if (head < 0) return false;
  const name = functionName(h, head);
  const steps = block(h).filter((step) => step.kind !== 'exit' || step.how !== 'return');
  if (name) h.functions.set(name, steps);
  else if (around !== undefined) handedOver(h, out, around, steps);
  else push(out, steps);
  return true;
}

/** Where the function starts whose body this brace opens; -1 when it opens none. */
function functionHead(h: Braces, opener: number): number {
  let k = opener - 1;
  const arrow = mark(h, k) === '=>' && h.dialect === 'javascript';
  if (arrow) k--;
  if (mark(h, k) === ')') k = h.other[k]! - 1;
  else if (arrow) k--; // x => {
  if (arrow) return k + 1;
  if (/^(?:function|sub)$/.test(word(h, k))) return k;
  return /^(?:function|sub)$/.test(word(h, k - 1)) ? k - 1 : -1;
}

/** `function f`, `sub f`, `f = function`, `const f = () =>`, `my $f = sub`. */
function functionName(h: Braces, head: number): string | null {
  const own = word(h, head + 1);
  if (/^(?:function|sub)$/.test(word(h, head)) && own) return own;
  const k = word(h, head - 1) === 'async' ? head - 2 : head - 1;
  return mark(h, k) === '=' ? word(h, k - 1) || null : null;
}

/** A function handed to a call: it runs for each item, in a subtransaction, or once. */
function handedOver(h: Braces, out: Step[], around: number, steps: Step[]): void {
  const callee = h.tokens[around - 1];
  if (callee?.kind === 'word' && PER_ITEM.has(callee.text)) {
    if (steps.length > 0) out.push(loop(h, callee, 'items', null, steps));
  } else if (callee?.text === 'subtransaction' && mark(h, around - 2) === '.') {
    const start = h.tokens[around - 3]?.start ?? callee.start;
    out.push({
      kind: 'scope', opens: 'subtransaction', whenNested: 'savepoint', label: `${word(h, around - 3)}.subtransaction()`,
      at: place(h, start, callee.end), body: steps,
    }); // biome-ignore format: one step
  } else push(out, steps);
}

const EXITS: Record<string, 'return' | 'raise' | 'break' | 'continue'> = {
  return: 'return', die: 'raise', croak: 'raise', throw: 'raise', last: 'break', break: 'break', next: 'continue', continue: 'continue',
}; // biome-ignore format: a table

function leave(h: Braces, first: number, out: Step[]): void {
  const w = word(h, first);
  if (!Object.hasOwn(EXITS, w)) return;
  const guarded = h.tokens
    .slice(first + 1, h.i)
    .find((t) => h.dialect === 'perl' && (t.text === 'if' || t.text === 'unless'));
  const step: Step = { kind: 'exit', at: at(h, first), how: EXITS[w]! };
  out.push(guarded ? { kind: 'branch', at: step.at, arms: [[step]], exhaustive: false } : step);
}

// Reads PL/Tcl bodies by Tcl's own rule, a script is commands and a command is words: which SPI calls they make, in which loops.
import type { Step } from '../../ir.ts';
import type { Body } from '../plpgsql/body.ts';
import type { Source } from '../source.ts';
import type { SqlScope } from '../sql/statement.ts';
import { DEEPEST, type Host, loop, type Part, place, spi, type Token, value, waits } from './host.ts';

/** A word of a command; `inner` is what stands in its braces, brackets or quotes. */
interface Word {
  start: number;
  end: number;
  kind: 'braces' | 'quotes' | 'bare';
  inner: { start: number; end: number };
}

interface Tcl extends Host {
  text: string;
  depth: number;
  procs: Map<string, Step[]>;
  budget: number;
}

export function lowerTcl(source: Source, scope: SqlScope): Body {
  const h: Tcl = {
    source,
    scope,
    texts: new Map(),
    plans: new Map(),
    problems: [],
    text: source.text,
    depth: 0,
    procs: new Map(),
    budget: 2000,
  };
  return { steps: script(h, 0, source.text.length), problems: h.problems };
}

// ---- commands and words ----------------------------------------------------------------------------------------

function script(h: Tcl, from: number, to: number): Step[] {
  const out: Step[] = [];
  if (h.depth > DEEPEST) return out;
  h.depth++;
  let i = from;
  while (i < to) {
    const { words, next } = command(h.text, i, to);
    if (words.length > 0) for (const step of run(h, words)) out.push(step);
    i = Math.max(next, i + 1);
  }
  h.depth--;
  return out;
}

const isBlank = (c: string | undefined) => c === ' ' || c === '\t' || c === '\r';

/** The words up to the end of the line or a semicolon. */
function command(text: string, from: number, to: number): { words: Word[]; next: number } {
  const words: Word[] = [];
  let i = from;
  while (i < to) {
    const c = text[i];
    if (isBlank(c)) i++;
    else if (c === '\\' && text[i + 1] === '\n') i += 2;
    else if (c === '\n' || c === ';') {
      if (words.length > 0) return { words, next: i + 1 };
      i++;
    } else if (c === '#' && words.length === 0) {
      while (i < to && (text[i] !== '\n' || text[i - 1] === '\\')) i++;
    } else {
      const own = word(text, i, to);
      words.push(own);
      i = Math.max(own.end, i + 1);
    }
  }
  return { words, next: i };
}

function word(text: string, start: number, to: number): Word {
  if (text[start] === '{') {
    const close = closing(text, start, to);
    return { start, end: Math.min(close + 1, to), kind: 'braces', inner: { start: start + 1, end: close } };
  }
  const quoted = text[start] === '"';
  let i = quoted ? start + 1 : start;
  for (; i < to; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === '[') i = bracketEnd(text, i, to);
    else if (quoted ? c === '"' : isBlank(c) || c === '\n' || c === ';') break;
  }
  const end = Math.min(i, to);
  if (quoted) return { start, end: Math.min(end + 1, to), kind: 'quotes', inner: { start: start + 1, end } };
  return { start, end, kind: 'bare', inner: { start, end } };
}

/** The brace that closes; only braces and backslashes count. */
function closing(text: string, start: number, to: number): number {
  let depth = 0;
  for (let i = start; i < to; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return to;
}

function bracketEnd(text: string, start: number, to: number): number {
  let depth = 0;
  for (let i = start; i < to; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '[') depth++;
    else if (text[i] === ']' && --depth === 0) return i;
  }
  return to;
}

/** How many words there are in `foreach i {1 2 3} {…}`. */
function listed(h: Tcl, [, name, list, , ...more]: Word[]): number | null {
  const isPlain = name?.kind === 'bare' && list?.kind === 'braces' && more.length === 0;
  const text = isPlain ? bare(h, list).trim() : '{';
  return /[{}"\\[\]]/.test(text) ? null : text.split(/\s+/).filter(Boolean).length;
}

const bare = (h: Tcl, w: Word | undefined) => (w ? h.text.slice(w.inner.start, w.inner.end) : '');
const token = (h: Tcl, w: Word): Token => ({
  kind: 'word',
  text: bare(h, w),
  start: w.start,
  end: w.end,
  first: true,
});
const inside = (h: Tcl, w: Word | undefined) => (w ? script(h, w.inner.start, w.inner.end) : []);

/** `[command]` in quotes, in bare words, and in the braces of an expression. */
function substitutions(h: Tcl, w: Word | undefined, expression = false): Step[] {
  const out: Step[] = [];
  if (!w || (w.kind === 'braces' && !expression)) return out;
  for (let i = w.inner.start; i < w.inner.end; i++) {
    if (h.text[i] === '\\') i++;
    else if (h.text[i] === '[') {
      const end = bracketEnd(h.text, i, w.inner.end);
      for (const step of script(h, i + 1, end)) out.push(step);
      i = end;
    }
  }
  return out;
}

// ---- what commands do ------------------------------------------------------------------------------------------

type Run = (h: Tcl, words: Word[]) => Step[];

const COMMANDS: Record<string, Run> = {
  spi_exec: (h, words) => execute(h, words, false),
  spi_execp: (h, words) => execute(h, words, true),
  subtransaction: (h, words) => [
    {
      kind: 'scope',
      opens: 'subtransaction',
      whenNested: 'savepoint',
      label: 'subtransaction',
      at: place(h, words[0]!.start, words[0]!.end),
      body: inside(h, words[1]),
    },
  ],
  catch: attempt,
  try: attempt,
  foreach: (h, words) => [
    ...substitutions(h, words[words.length - 2]),
    loop(h, token(h, words[0]!), 'items', listed(h, words), inside(h, words[words.length - 1])),
  ],
  while: (h, words) => [
    loop(h, token(h, words[0]!), 'unknown', null, [
      ...substitutions(h, words[1], true),
      ...inside(h, words[2]),
    ]),
  ],
  for: (h, words) => [
    ...inside(h, words[1]),
    loop(h, token(h, words[0]!), 'range', turns(h, words), [
      ...substitutions(h, words[2], true),
      ...inside(h, words[4]),
    ]),
  ],
  if: choice,
  switch: (h, words) => {
    const last = words[words.length - 1];
    if (last?.kind !== 'braces') return [];
    const { words: pairs } = command(
      h.text.slice(0, last.inner.end).replace(/\n/g, ' '),
      last.inner.start,
      last.inner.end,
    );
    const arms = pairs.filter((_, k) => k % 2 === 1).map((arm) => inside(h, arm));
    if (arms.every((arm) => arm.length === 0)) return [];
    return [{ kind: 'branch', at: place(h, words[0]!.start, words[0]!.end), arms, exhaustive: false }];
  },
  proc: (h, words) => {
    h.procs.set(
      bare(h, words[1]),
      inside(h, words[3]).filter((step) => step.kind !== 'exit' || step.how !== 'return'),
    );
    return [];
  },
  set: (h, words) => {
    const name = bare(h, words[1]);
    const prepared = /^\[\s*spi_prepare\s/.exec(bare(h, words[2]));
    if (prepared && words[2]) {
      const { words: inner } = command(h.text, words[2].inner.start + 1, words[2].inner.end - 1);
      h.plans.set(name, inner[1] ? textOf(h, inner[1]) : null);
    } else if (words[2]?.kind === 'quotes' || words[2]?.kind === 'braces')
      h.texts.set(name, textOf(h, words[2])!);
    else h.texts.delete(name);
    return substitutions(h, words[2]);
  },
  append: (h, words) => {
    const before = h.texts.get(bare(h, words[1]));
    const more = words.slice(2).flatMap((w) => textOf(h, w) ?? []);
    if (before && before.length < 1000) h.texts.set(bare(h, words[1]), [...before, ...more]);
    return [];
  },
  commit: (h, words) => [{ kind: 'commit', at: place(h, words[0]!.start, words[0]!.end) }],
  rollback: (h, words) => [{ kind: 'rollback', at: place(h, words[0]!.start, words[0]!.end) }],
  return: (h, words) => leave(h, words, 'return'),
  error: (h, words) => leave(h, words, 'raise'),
  throw: (h, words) => leave(h, words, 'raise'),
  break: (h, words) => leave(h, words, 'break'),
  continue: (h, words) => leave(h, words, 'continue'),
  elog: (h, words) => (bare(h, words[1]) === 'ERROR' ? leave(h, words, 'raise') : []),
  after: (h, words) => [{ kind: 'wait', at: place(h, words[0]!.start, words[0]!.end), for: 'sleep' }],
};

function run(h: Tcl, words: Word[]): Step[] {
  const name = bare(h, words[0]);
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!(h, words);
  const out = words.flatMap((w) => substitutions(h, w));
  const own = h.procs.get(name);
  if (own && own.length <= h.budget) {
    h.budget -= own.length;
    return [...out, ...own];
  }
  const wait = waits(name);
  return wait ? [...out, { kind: 'wait', at: place(h, words[0]!.start, words[0]!.end), for: wait }] : out;
}

function leave(h: Tcl, words: Word[], how: 'return' | 'raise' | 'break' | 'continue'): Step[] {
  const steps = words.slice(1).flatMap((w) => substitutions(h, w));
  return [...steps, { kind: 'exit', at: place(h, words[0]!.start, words[0]!.end), how }];
}

/** spi_exec ?-count n? ?-array name? sql ?body?: the body runs for each row, still in the subtransaction. */
function execute(h: Tcl, words: Word[], planned: boolean): Step[] {
  let i = 1;
  while (words[i] && /^-(?:count|array|nulls)$/.test(bare(h, words[i]))) i += 2;
  const what = words[i];
  const name = bare(h, words[0]);
  const before = words.slice(1).flatMap((w) => (w.kind === 'braces' ? [] : substitutions(h, w)));
  const text = !what
    ? null
    : planned
      ? (h.plans.get(bare(h, what).replace(/^\$/, '')) ?? planOf(h, what))
      : textOf(h, what);
  const step = spi(h, words[0]!, name, text);
  const body = words[i + (planned ? 2 : 1)];
  if (body && step.kind === 'scope')
    step.body.push(loop(h, token(h, words[0]!), 'rows', null, inside(h, body)));
  return [...before, step];
}

/** `$GD(plan)` is what `set GD(plan)` set. */
function planOf(h: Tcl, w: Word): Part[] | null {
  return h.plans.get(bare(h, w).replace(/^\$\{?|\}$/g, '')) ?? null;
}

const VARIABLE = /\$(?:\{[^}\n]{0,200}\}|\w+(?:\([^()\n]{0,200}\))?)/y;

/** Quotes and bare words take variables and commands in, braces do not. */
function textOf(h: Tcl, w: Word): Part[] | null {
  if (w.kind === 'braces') return value(h.text, w.inner.start, w.inner.end, { escapes: false });
  const held = /^\$(\w+)$/.exec(bare(h, w));
  if (held) return h.texts.get(held[1]!) ?? null;
  return value(h.text, w.inner.start, w.inner.end, {
    escapes: true,
    interpolate(text, i, to) {
      if (text[i] === '[') return Math.min(bracketEnd(text, i, to) + 1, to);
      if (text[i] !== '$' || /\d/.test(text[i + 1] ?? '')) return i;
      VARIABLE.lastIndex = i;
      const found = VARIABLE.exec(text);
      return found ? Math.min(i + found[0].length, to) : i;
    },
  });
}

/** A handler of `catch` is what the code does with its result; that of `try` is a word after `on` or `trap`. */
function attempt(h: Tcl, words: Word[]): Step[] {
  const at = place(h, words[0]!.start, words[0]!.end);
  const body = inside(h, words[1]);
  const handled: Step[] = [];
  for (let i = 2; i < words.length; i++)
    if (/^(?:on|trap)$/.test(bare(h, words[i]))) handled.push(...inside(h, words[i + 3]));
  return [{ kind: 'attempt', at, body, handlers: [{ at, catches: ['others'], body: handled }] }];
}

/** for {set i 0} {$i < 100} {incr i} {…} */
function turns(h: Tcl, words: Word[]): number | null {
  const start = /^\s*set (\w+) (\d+)\s*$/.exec(bare(h, words[1]));
  const end = /^\s*\$(\w+) (<=?) (\d+)\s*$/.exec(bare(h, words[2]));
  const step = /^\s*incr (\w+)\s*$/.exec(bare(h, words[3]));
  if (!start || !end || !step || start[1] !== end[1] || end[1] !== step[1]) return null;
  return Math.max(0, Number(end[3]) - Number(start[2]) + (end[2] === '<=' ? 1 : 0));
}

/** if test ?then? body ?elseif test ?then? body? … ?else? ?body? */
function choice(h: Tcl, words: Word[]): Step[] {
  const at = place(h, words[0]!.start, words[0]!.end);
  const arms: Step[][] = [];
  let exhaustive = false;
  const conditions: Step[] = [];
  for (let i = 0; i < words.length; ) {
    const keyword = bare(h, words[i]);
    if (keyword === 'if' || keyword === 'elseif') {
      conditions.push(...substitutions(h, words[i + 1], true));
      const body = bare(h, words[i + 2]) === 'then' ? i + 3 : i + 2;
      arms.push(inside(h, words[body]));
      i = body + 1;
    } else {
      arms.push(inside(h, words[keyword === 'else' ? i + 1 : i]));
      exhaustive = true;
      break;
    }
  }
  if (arms.some((arm) => arm.length > 0)) return [...conditions, { kind: 'branch', at, arms, exhaustive }];
  return conditions;
}

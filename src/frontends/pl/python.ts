// Reads a PL/Python body by its lines and their indentation: what it sends through plpy, in which loops. No Python grammar.
import type { Handler, Step } from '../../ir.ts';
import type { Body } from '../plpgsql/body.ts';
import type { Source } from '../source.ts';
import type { SqlScope } from '../sql/statement.ts';
import { DEEPEST, loop, place, type Token } from './host.ts';
import { itemsOf, written } from './items.ts';
import { keyOf, learn, lineSteps, type Plpy } from './plpy.ts';
import { unrenamed } from './pynames.ts';
import { tokens } from './pytokens.ts';

interface Line {
  indent: number;
  tokens: Token[];
}

interface Python extends Plpy {
  /** Functions that the body defines, run where they are called. */
  functions: Map<string, Line[]>;
  running: Set<string>;
  /** How many items variables hold; asked for by the first loop over something. */
  sizes: Map<string, number> | null;
  lines: Line[];
  /** How often functions may still be put where they are called. */
  budget: number;
}

export function lowerPython(source: Source, scope: SqlScope): Body {
  const h: Python = {
    source,
    scope,
    texts: new Map(),
    plans: new Map(),
    problems: [],
    subtransactions: new Set(),
    functions: new Map(),
    running: new Set(),
    sizes: null,
    lines: cut(unrenamed(tokens(source.text)), source.text),
    budget: 200,
  };
  const { lines } = h;
  for (const line of lines) learn(h, line.tokens);
  return { steps: suite(h, lines, 0), problems: h.problems };
}

/** Logical lines: brackets join lines, semicolons and the colon of a one-line suite part them. */
function cut(all: Token[], text: string): Line[] {
  const lines: Line[] = [];
  let depth = 0;
  let current: Line | undefined;
  let joined = false;
  for (const [i, token] of all.entries()) {
    if (!current || (token.first && depth === 0 && !joined)) {
      current = { indent: token.start - (text.lastIndexOf('\n', token.start - 1) + 1), tokens: [] };
      lines.push(current);
    }
    joined = token.text === '\\';
    if (joined) continue;
    if (depth === 0 && token.text === ';') {
      current = { indent: current.indent, tokens: [] };
      lines.push(current);
      continue;
    }
    current.tokens.push(token);
    if ('([{'.includes(token.text) && token.kind === 'mark') depth++;
    else if (')]}'.includes(token.text) && token.kind === 'mark') depth = Math.max(0, depth - 1);
    else if (
      token.text === ':' &&
      depth === 0 &&
      COMPOUND.has(current.tokens[0]!.text) &&
      !isLambda(current.tokens)
    ) {
      const next = all[i + 1];
      if (next && !next.first) {
        current = { indent: current.indent + 1, tokens: [] };
        lines.push(current);
      }
    }
  }
  return lines.filter((line) => line.tokens.length > 0);
}

const COMPOUND = new Set([
  'if', 'elif', 'else', 'for', 'while', 'try', 'except', 'finally', 'with', 'def', 'class', 'async', 'match', 'case',
]); // biome-ignore format: one list

/** The last `lambda` still waits for its colon. */
function isLambda(line: Token[]): boolean {
  let open = 0;
  for (const token of line) {
    if (token.kind === 'word' && token.text === 'lambda') open++;
    else if (token.text === ':' && open > 0 && token !== line[line.length - 1]) open--;
  }
  return open > 0;
}

/** The statements of these lines; those that are indented more belong to the one above. */
export function suite(h: Python, lines: Line[], depth: number): Step[] {
  const out: Step[] = [];
  for (let i = 0; i < lines.length; ) {
    const end = blockEnd(lines, i);
    const used = statement(h, lines, i, end, depth, out);
    i = Math.max(used, i + 1);
  }
  return out;
}

function blockEnd(lines: Line[], i: number): number {
  let end = i + 1;
  while (end < lines.length && lines[end]!.indent > lines[i]!.indent) end++;
  return end;
}

const head = (line: Line | undefined) => {
  const first = line?.tokens[0];
  return first?.kind === 'word' ? (first.text === 'async' ? (line!.tokens[1]?.text ?? '') : first.text) : '';
};

function statement(h: Python, lines: Line[], i: number, end: number, depth: number, out: Step[]): number {
  const line = lines[i]!;
  const body = () => inner(h, lines.slice(i + 1, end), depth, out);
  switch (head(line)) {
    case 'def':
      h.functions.set(
        line.tokens[line.tokens.findIndex((t) => t.text === 'def') + 1]?.text ?? '',
        lines.slice(i + 1, end),
      );
      return end;
    case 'for':
    case 'while':
      return loopOf(h, line, body, end, out);
    case 'if':
    case 'match':
      return branch(h, lines, i, depth, out);
    case 'try':
      return attempt(h, lines, i, depth, out);
    case 'with':
      return withStatement(h, line, body, end, out);
    default: {
      const entered = enters(h, line);
      if (entered) return untilExit(h, lines, i, depth, entered, out);
      out.push(...lineSteps(h, line.tokens, (name) => run(h, name, depth)));
      if (end > i + 1) out.push(...body());
      return end;
    }
  }
}

function inner(h: Python, lines: Line[], depth: number, out: Step[]): Step[] {
  if (depth < DEEPEST) return suite(h, lines, depth + 1);
  // Too deep to nest: one after the other.
  for (const line of lines) out.push(...lineSteps(h, line.tokens, () => []));
  return [];
}

function run(h: Python, name: string, depth: number): Step[] {
  const body = h.functions.get(name);
  if (!body || h.running.has(name) || h.budget <= 0 || depth >= DEEPEST) return [];
  h.budget--;
  h.running.add(name);
  const steps = suite(h, body, depth + 1).filter((step) => step.kind !== 'exit' || step.how !== 'return');
  h.running.delete(name);
  return steps;
}

function loopOf(h: Python, line: Line, body: () => Step[], end: number, out: Step[]): number {
  const header = lineSteps(h, line.tokens, () => []);
  const token = line.tokens.find((t) => t.text === 'for' || t.text === 'while')!;
  if (token.text === 'while') {
    out.push(loop(h, token, 'unknown', null, [...header, ...body()]));
    return end;
  }
  const text = line.tokens.map((t) => t.text);
  const over = text.slice(text.indexOf('in') + 1);
  const rows = header.some((step) => step.kind === 'scope') || (over.length === 2 && h.plans.has(over[0]!));
  const ranged = over[0] === 'range' && over[1] === '(';
  const times = ranged ? turns(over) : rows ? null : itemsIn(h, line.tokens, text.indexOf('in') + 1);
  out.push(...header);
  out.push(loop(h, token, rows ? 'rows' : ranged ? 'range' : 'items', times, body()));
  return end;
}

function itemsIn(h: Python, line: Token[], from: number): number | null {
  h.sizes ??= written(h.lines);
  return itemsOf(line, from, line[line.length - 1]!.text === ':' ? line.length - 1 : line.length, h.sizes);
}

/** range(10), range(1, 11). */
function turns(over: string[]): number | null {
  const [, , a, comma, b, close] = over;
  if (comma === ')' && /^\d+$/.test(a ?? '')) return Number(a);
  if (comma === ',' && close === ')' && /^\d+$/.test(a ?? '') && /^\d+$/.test(b ?? ''))
    return Math.max(0, Number(b) - Number(a));
  return null;
}

function branch(h: Python, lines: Line[], i: number, depth: number, out: Step[]): number {
  const at = place(h, lines[i]!.tokens[0]!.start, lines[i]!.tokens[0]!.end);
  out.push(...lineSteps(h, lines[i]!.tokens, () => []));
  let end = blockEnd(lines, i);
  if (head(lines[i]) === 'match') {
    const cases: Step[][] = [];
    for (let k = i + 1; k < end; k = blockEnd(lines, k))
      cases.push(inner(h, lines.slice(k + 1, blockEnd(lines, k)), depth, out));
    if (cases.some((arm) => arm.length > 0)) out.push({ kind: 'branch', at, arms: cases, exhaustive: false });
    return end;
  }
  const arms = [inner(h, lines.slice(i + 1, end), depth, out)];
  let exhaustive = false;
  while (
    lines[end]?.indent === lines[i]!.indent &&
    (head(lines[end]) === 'elif' || head(lines[end]) === 'else')
  ) {
    const next = blockEnd(lines, end);
    exhaustive = head(lines[end]) === 'else';
    const condition = lineSteps(h, lines[end]!.tokens, () => []);
    arms.push([...condition, ...inner(h, lines.slice(end + 1, next), depth, out)]);
    end = next;
  }
  if (arms.some((arm) => arm.length > 0)) out.push({ kind: 'branch', at, arms, exhaustive });
  return end;
}

function attempt(h: Python, lines: Line[], i: number, depth: number, out: Step[]): number {
  let end = blockEnd(lines, i);
  const body = inner(h, lines.slice(i + 1, end), depth, out);
  const handlers: Handler[] = [];
  let last: Step[] | undefined;
  while (
    lines[end]?.indent === lines[i]!.indent &&
    ['except', 'else', 'finally'].includes(head(lines[end]))
  ) {
    const next = blockEnd(lines, end);
    const steps = inner(h, lines.slice(end + 1, next), depth, out);
    const line = lines[end]!.tokens;
    if (head(lines[end]) === 'else') body.push(...steps);
    else if (head(lines[end]) === 'finally') last = steps;
    else handlers.push({ at: place(h, line[0]!.start, line[0]!.end), catches: caught(line), body: steps });
    end = next;
  }
  const at = place(h, lines[i]!.tokens[0]!.start, lines[i]!.tokens[0]!.end);
  out.push({ kind: 'attempt', at, body, handlers, ...(last && { finally: last }) });
  return end;
}

/** The classes of an `except`; without one, and Exception, catch all. */
function caught(line: Token[]): string[] {
  const names: string[] = [];
  for (let i = 1; i < line.length && line[i]!.text !== 'as' && line[i]!.text !== ':'; i++) {
    if (line[i]!.kind !== 'word') continue;
    if (line[i - 1]!.text === '.') names[names.length - 1] += `.${line[i]!.text}`;
    else names.push(line[i]!.text);
  }
  const all = names.length === 0 || names.some((name) => name === 'Exception' || name === 'BaseException');
  return all ? ['others'] : names;
}

/** The token range of `plpy.subtransaction` where the line has it. */
function subtransaction(line: Token[]): { start: number; end: number } | null {
  const k = line.findIndex(
    (t, i) => t.text === 'subtransaction' && line[i - 1]?.text === '.' && line[i - 2]?.text === 'plpy',
  );
  return k < 0 ? null : { start: line[k - 2]!.start, end: line[k]!.end };
}

function scope(h: Python, at: { start: number; end: number }, body: Step[], leaks = false): Step {
  return {
    kind: 'scope', opens: 'subtransaction', whenNested: 'savepoint', label: 'plpy.subtransaction()',
    at: place(h, at.start, at.end), ...(leaks && { releases: 'never' as const }), body,
  }; // biome-ignore format: one step
}

function withStatement(h: Python, line: Line, body: () => Step[], end: number, out: Step[]): number {
  const at = subtransaction(line.tokens) ?? line.tokens.find((t) => h.subtransactions.has(t.text));
  if (at) out.push(scope(h, at, body()));
  else out.push(...lineSteps(h, line.tokens, () => []), ...body());
  return end;
}

// ---- enter() and exit() ----------------------------------------------------------------------------------------

interface Entered {
  receiver: string;
  start: number;
  end: number;
}

/** `sub.enter()`, `plpy.subtransaction().enter()`. */
function enters(h: Python, line: Line): Entered | null {
  const k = line.tokens.findIndex(
    (t, i) => /^(?:__)?enter(?:__)?$/.test(t.text) && line.tokens[i - 1]?.text === '.',
  );
  if (k < 2) return null;
  const receiver = keyOf(line.tokens.slice(0, k - 1));
  if (!h.subtransactions.has(receiver) && !receiver.includes('plpy.subtransaction()')) return null;
  return { receiver, start: line.tokens[0]!.start, end: line.tokens[k]!.end };
}

/** The subtransaction lasts up to the statement at this level that leaves it, in whatever arm. */
function untilExit(h: Python, lines: Line[], i: number, depth: number, on: Entered, out: Step[]): number {
  const { indent } = lines[i]!;
  const same = (k: number) => lines[k] !== undefined && lines[k]!.indent === indent;
  let end = i + 1;
  let left = false;
  while (same(end) && !left) {
    let next = blockEnd(lines, end);
    // The arms of try and if are lines at this level, and one statement.
    while (same(next) && ARMS.has(head(lines[next]))) next = blockEnd(lines, next);
    for (let k = end; k < next; k++) left ||= leaves(lines[k]!, on.receiver);
    end = next;
  }
  out.push(scope(h, on, inner(h, lines.slice(i + 1, end), depth, out), !left));
  return end;
}

const ARMS = new Set(['except', 'else', 'finally', 'elif']);

function leaves(line: Line, receiver: string): boolean {
  const k = line.tokens.findIndex(
    (t, i) => /^(?:__)?exit(?:__)?$/.test(t.text) && line.tokens[i - 1]?.text === '.',
  );
  if (k < 2) return false;
  const name = line.tokens[k - 2]!.text;
  return receiver.includes('(') || receiver === name || receiver.endsWith(`.${name}`);
}

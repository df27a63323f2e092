// Reads a PL/pgSQL body into statements: tolerant, linear, with a stack of its own. Knows where a statement ends, not what its SQL does.
import { identifier, tokens as lex, type Token } from '../sql/text/lexer.ts';
import { declarations, lines, mask } from './text.ts';
import type {
  BlockNode, ChoiceNode, Declaration, HandlerNode, LoopNode, PlainNode, Range, Statement, Verb,
} from './tree.ts'; // biome-ignore format: one list

/** Blocks nested deeper than this are read as if they stood one beside the other. */
const DEEPEST = 200;

interface Frame {
  closes: 'block' | 'loop' | 'if' | 'case';
  opener: number;
  /** Where the statements go that come next. */
  into: Statement[];
  /** Absent when nested too deeply. */
  node?: BlockNode | LoopNode | ChoiceNode;
}

export interface Parser {
  text: string;
  tokens: Token[];
  /** Whether this token is the first of its line. */
  first: Uint8Array;
  /** Where in its line each token stands. */
  columns: Int32Array;
  i: number;
  stack: Frame[];
  root: Statement[];
  label?: string;
  declared: Declaration[];
}

export interface Body {
  tokens: Token[];
  statements: Statement[];
  /** More was nested than is read. */
  tooDeep: boolean;
}

export function parse(text: string): Body {
  const clean = mask(text);
  const tokens = lex(clean, 0, clean.length, false);
  const p: Parser = {
    text,
    tokens,
    ...lines(clean, tokens),
    i: 0,
    stack: [],
    root: [],
    declared: [],
  };
  let tooDeep = false;
  while (p.i < tokens.length) {
    const before = p.i;
    statement(p);
    if (p.i === before) p.i++;
    if (p.stack.length > DEEPEST) tooDeep = true;
  }
  return { tokens, statements: p.root, tooDeep };
}

// ---- looking ---------------------------------------------------------------------------------------------------

/** The keyword here, or ''. */
export function word(p: Parser, i: number): string {
  const token = p.tokens[i];
  return token?.kind === 'word' && !token.quoted ? token.text : '';
}

export const mark = (p: Parser, i: number) => {
  const token = p.tokens[i];
  return token?.kind === 'punctuation' || token?.kind === 'operator' ? token.text : '';
};

/** A word after a dot or AS is a name, whatever it says; but a dot at the end of a line is half-typed. */
const isName = (p: Parser, i: number) => (mark(p, i - 1) === '.' && !p.first[i]) || word(p, i - 1) === 'as';

const SETS = new Set([':=', '=', '.', '[']);
/** `exception := 1` sets a variable; PL/pgSQL reserves few of its words. */
const isVariable = (p: Parser, i: number) => SETS.has(mark(p, i + 1));

/** The last word of the line that this token stands in. */
function lastOfLine(p: Parser, i: number): string {
  while (i + 1 < p.tokens.length && !p.first[i + 1]) i++;
  return word(p, i);
}

/**
 * Whether a new statement must start here although the one before has not ended: half-typed text. Such words, in such
 * places, are in no expression that PostgreSQL accepts.
 */
function breaks(p: Parser, i: number, cases: number): boolean {
  const w = word(p, i);
  if (w === '' || isName(p, i)) return false;
  switch (w) {
    case 'end': {
      const next = word(p, i + 1);
      if (cases > 0) return false;
      return p.first[i] === 1 || next === 'if' || next === 'loop' || mark(p, i + 1) === ';';
    }
    case 'exception':
      return word(p, i + 1) === 'when' && word(p, i - 1) !== 'raise';
    case 'else':
      return cases === 0 && p.first[i] === 1;
    case 'elsif':
    case 'elseif':
      return p.first[i] === 1;
    case 'if':
      return p.first[i] === 1 && lastOfLine(p, i) === 'then';
    case 'while':
    case 'foreach':
    case 'for':
      return (
        p.first[i] === 1 &&
        !['update', 'no', 'share', 'key'].includes(word(p, i + 1)) &&
        lastOfLine(p, i) === 'loop'
      );
    case 'begin':
      return (
        p.first[i] === 1 && (p.first[i + 1] === 1 || i + 1 === p.tokens.length) && mark(p, i - 1) !== ','
      );
    default:
      return false;
  }
}

/**
 * The next of these words (or `..`) outside of brackets; as PostgreSQL, it does not look at CASE. Where the statement
 * ends first, `found` is false.
 */
function scan(p: Parser, from: number, ...stops: string[]): { at: number; found: boolean } {
  let brackets = 0;
  let cases = 0;
  let i = from;
  for (; i < p.tokens.length; i++) {
    const token = p.tokens[i]!;
    if (token.kind === 'punctuation') {
      if (token.text === ';') break;
      if (token.text === '(' || token.text === '[') brackets++;
      else if (token.text === ')' || token.text === ']') brackets--;
      else if (token.text === '..' && brackets <= 0 && stops.includes('..')) return { at: i, found: true };
    } else if (token.kind === 'word' && !token.quoted) {
      if (brackets <= 0 && stops.includes(token.text) && !isName(p, i)) return { at: i, found: true };
      if (i > from && breaks(p, i, cases)) break;
      if (!isName(p, i)) {
        if (token.text === 'case') cases++;
        else if (token.text === 'end' && cases > 0) cases--;
      }
    }
  }
  return { at: i, found: false };
}

/** The end of a statement: its semicolon, or the place where the next must start. */
function plainEnd(p: Parser, from: number): number {
  const creates = word(p, from) === 'create';
  const rule = creates && (word(p, from + 1) === 'rule' || word(p, from + 3) === 'rule');
  let brackets = 0;
  let cases = 0;
  let atomic = 0;
  for (let i = from; i < p.tokens.length; i++) {
    const token = p.tokens[i]!;
    if (token.kind === 'punctuation') {
      if (token.text === '(') brackets++;
      else if (token.text === ')') brackets--;
      else if (token.text === ';' && atomic === 0 && !(rule && brackets > 0)) return i;
    } else if (token.kind === 'word' && !token.quoted && !isName(p, i)) {
      const w = token.text;
      if (creates && w === 'begin' && word(p, i + 1) === 'atomic') atomic++;
      else if (atomic > 0 && (w === 'case' || w === 'begin')) atomic++;
      else if (atomic > 0 && w === 'end') atomic--;
      else if (atomic === 0) {
        if (i > from && breaks(p, i, cases)) return i;
        if (w === 'case') cases++;
        else if (w === 'end' && cases > 0) cases--;
      }
    }
  }
  return p.tokens.length;
}

// ---- frames ----------------------------------------------------------------------------------------------------

const list = (p: Parser) => p.stack[p.stack.length - 1]?.into ?? p.root;

function open(p: Parser, closes: Frame['closes'], node: NonNullable<Frame['node']>, into: Statement[]): void {
  const around = list(p);
  if (p.stack.length >= DEEPEST) {
    p.stack.push({ closes, opener: node.at, into: around });
    return;
  }
  around.push(node);
  p.stack.push({ closes, opener: node.at, into, node });
}

/** The index of the innermost frame that fits, or -1. It looks up only so far, so that hostile text costs no more. */
function innermost(p: Parser, fits: (frame: Frame) => boolean): number {
  const top = p.stack.length - 1;
  for (let k = top; k >= 0 && k > top - 2 * DEEPEST; k--) if (fits(p.stack[k]!)) return k;
  return -1;
}

const hasHandlers = (frame: Frame) => frame.node?.kind === 'block' && frame.node.exception !== undefined;

// ---- statements ------------------------------------------------------------------------------------------------

const STARTS: Record<string, (p: Parser) => void> = {
  '': odd,
  declare: (p) => {
    p.i = declarations(p, p.i + 1, p.declared);
  },
  begin,
  exception,
  when,
  elsif: arm,
  elseif: arm,
  else: arm,
  end,
  if: choice,
  case: choice,
  loop,
  while: loop,
  for: loop,
  foreach: loop,
};

function statement(p: Parser): void {
  const w = word(p, p.i);
  const start = Object.hasOwn(STARTS, w) ? STARTS[w]! : plain;
  start(p);
}

/** What starts with no word: labels and stray semicolons. */
function odd(p: Parser): void {
  const i = p.i;
  const m = mark(p, i);
  if (m === ';') p.i++;
  else if (m === '<<' && mark(p, i + 2) === '>>') {
    p.label = identifier(p.tokens[i + 1]!);
    p.i += 3;
  } else plain(p);
}

function takeLabel(p: Parser): { label?: string } {
  const label = p.label;
  p.label = undefined;
  return label === undefined ? {} : { label };
}

function begin(p: Parser): void {
  const node: BlockNode = {
    kind: 'block',
    at: p.i,
    ...takeLabel(p),
    declarations: p.declared,
    body: [],
  };
  p.declared = [];
  open(p, 'block', node, node.body);
  p.i++;
}

function exception(p: Parser): void {
  const k = innermost(p, (f) => f.closes === 'block' && !hasHandlers(f));
  if (k < 0 || isVariable(p, p.i)) {
    plain(p);
    return;
  }
  p.stack.length = k + 1;
  const frame = p.stack[k]!;
  if (frame.node?.kind === 'block') {
    frame.node.exception = { at: p.i, handlers: [] };
    // Until the first WHEN nothing belongs here; half-typed statements go nowhere worse than a handler.
    frame.into = [];
  }
  p.i++;
}

function when(p: Parser): void {
  const k = innermost(p, (f) => f.closes === 'case' || hasHandlers(f));
  const frame = p.stack[k];
  const at = p.i;
  const stop = scan(p, at + 1, 'then');
  p.i = stop.found ? stop.at + 1 : stop.at;
  if (!frame) return;
  p.stack.length = k + 1;
  if (frame.node?.kind === 'case') {
    const body: Statement[] = [];
    frame.node.arms.push({ at, condition: { from: at + 1, to: stop.at }, body });
    frame.into = body;
  } else if (frame.node?.kind === 'block') {
    const handler: HandlerNode = {
      at: { from: at, to: stop.at },
      conditions: conditions(p, at + 1, stop.at),
      body: [],
    };
    frame.node.exception!.handlers.push(handler);
    frame.into = handler.body;
  }
}

/** `unique_violation OR SQLSTATE '22012'`. */
function conditions(p: Parser, from: number, to: number): string[] {
  const out: string[] = [];
  for (let i = from; i < to; i++) {
    const token = p.tokens[i]!;
    if (token.kind === 'word' && token.text !== 'or' && token.text !== 'sqlstate') out.push(token.text);
    else if (token.kind === 'string' && token.inner)
      out.push(p.text.slice(token.inner.start, token.inner.end));
  }
  return out;
}

function arm(p: Parser): void {
  const at = p.i;
  const isElse = word(p, at) === 'else';
  const k = innermost(p, (f) => f.closes === 'if' || (isElse && f.closes === 'case'));
  const frame = p.stack[k];
  const stop = isElse ? { at, found: true } : scan(p, at + 1, 'then');
  p.i = stop.found ? stop.at + 1 : stop.at;
  if (!frame) return;
  p.stack.length = k + 1;
  if (frame.node?.kind !== 'if' && frame.node?.kind !== 'case') return;
  const body: Statement[] = [];
  frame.node.arms.push(isElse ? { at, body } : { at, condition: { from: at + 1, to: stop.at }, body });
  frame.into = body;
}

const CLOSES: Record<string, Frame['closes']> = { if: 'if', loop: 'loop', case: 'case' };

function end(p: Parser): void {
  const at = p.i;
  const what = CLOSES[word(p, at + 1)];
  p.i = at + (what ? 2 : 1);
  // A label, but not the first word of the next statement where the semicolon is missing.
  const isWord = word(p, p.i) !== '' || p.tokens[p.i]?.quoted;
  if (isWord && (mark(p, p.i + 1) === ';' || p.i + 1 >= p.tokens.length)) p.i++;
  const complete = mark(p, p.i) === ';';
  if (complete) p.i++;
  let k = innermost(p, (f) => f.closes === (what ?? 'block'));
  const top = p.stack.length - 1;
  if (!what && k < top) {
    // END; where something else is still open: half-typed. The opener above it, or with its own indentation, is meant.
    if (!complete) k = top;
    else if (k < 0 || p.columns[p.stack[k]!.opener] !== p.columns[at]) {
      const same = innermost(p, (f) => p.columns[f.opener] === p.columns[at]);
      if (same > k) k = same;
    }
  }
  const closed = p.stack[k]?.node;
  // The last END of a body needs no semicolon.
  const whole = complete || p.i >= p.tokens.length;
  if (whole && closed?.kind === 'block' && closed.exception) closed.exception.to = at;
  if (k >= 0) p.stack.length = k;
}

function choice(p: Parser): void {
  const at = p.i;
  const kind = word(p, at) as 'if' | 'case';
  const stop = scan(p, at + 1, kind === 'if' ? 'then' : 'when');
  const head: Range = { from: at + 1, to: stop.at };
  const node: ChoiceNode = { kind, at, on: kind === 'case' ? head : { from: at, to: at }, arms: [] };
  if (kind === 'if') {
    const body: Statement[] = [];
    node.arms.push({ at, condition: head, body });
    open(p, 'if', node, body);
    p.i = stop.found ? stop.at + 1 : stop.at;
  } else {
    open(p, 'case', node, []);
    p.i = stop.at; // at WHEN
  }
}

function loop(p: Parser): void {
  const at = p.i;
  const kind = word(p, at);
  const nothing: Range = { from: at, to: at };
  const node: LoopNode = {
    kind: 'loop',
    at,
    ...takeLabel(p),
    over: { what: 'nothing' },
    targets: nothing,
    body: [],
  };
  let after = at + 1;
  if (kind === 'while') {
    const stop = scan(p, at + 1, 'loop');
    node.over = { what: 'condition', condition: { from: at + 1, to: stop.at } };
    after = stop.at + (stop.found ? 1 : 0);
  } else if (kind !== 'loop') after = forHeader(p, at, node);
  open(p, 'loop', node, node.body);
  p.i = after;
}

/** FOR and FOREACH up to LOOP. */
function forHeader(p: Parser, at: number, node: LoopNode): number {
  const each = word(p, at) === 'foreach';
  const keyword = scan(p, at + 1, 'in', 'loop');
  node.targets = { from: at + 1, to: keyword.at };
  if (!keyword.found || word(p, keyword.at) === 'loop') return keyword.at + (keyword.found ? 1 : 0);
  let from = keyword.at + 1;
  if (each) {
    const slice = scan(p, at + 1, 'slice', 'in').at;
    node.targets = { from: at + 1, to: slice };
    if (word(p, from) === 'array') from++;
    const stop = scan(p, from, 'loop');
    node.over = { what: 'array', array: { from, to: stop.at } };
    return stop.at + (stop.found ? 1 : 0);
  }
  const execute = word(p, from) === 'execute';
  if (execute) from++;
  const reverse = !execute && word(p, from) === 'reverse';
  let stop = scan(p, reverse ? from + 1 : from, 'loop', '..');
  if (stop.found && mark(p, stop.at) === '..') {
    const low: Range = { from: reverse ? from + 1 : from, to: stop.at };
    const by = scan(p, stop.at + 1, 'by', 'loop');
    const high: Range = { from: stop.at + 1, to: by.at };
    node.over = { what: 'range', low, high, reverse };
    if (!by.found || word(p, by.at) === 'loop') return by.at + (by.found ? 1 : 0);
    stop = scan(p, by.at + 1, 'loop');
    node.over.by = { from: by.at + 1, to: stop.at };
  } else {
    const query: Range = { from, to: stop.at };
    node.over = execute ? { what: 'execute', query } : (cursor(p, query) ?? { what: 'query', query });
  }
  return stop.at + (stop.found ? 1 : 0);
}

/** `FOR r IN c LOOP`, `FOR r IN c(1, b => 2) LOOP`: no query is one word. */
function cursor(p: Parser, query: Range): LoopNode['over'] | null {
  const token = p.tokens[query.from];
  if (query.to <= query.from || token?.kind !== 'word') return null;
  const args: Range = { from: query.from + 1, to: query.to };
  const called = mark(p, query.from + 1) === '(' && mark(p, query.to - 1) === ')';
  if (args.to > args.from && !called) return null;
  if (!token.quoted && (token.text === 'select' || token.text === 'values' || token.text === 'with'))
    return null;
  return { what: 'cursor', name: identifier(token), args };
}

const VERBS = new Set<string>([
  'exit', 'continue', 'return', 'raise', 'assert', 'perform', 'execute', 'open', 'fetch', 'move', 'close', 'get', 'call', 'do',
  'commit', 'rollback', 'null',
]); // biome-ignore format: one list

/** `{{ header() }}` or `@HEADER@` alone on its line is no part of the statement after it; how many tokens it has. */
function placeholder(p: Parser, i: number): number {
  const token = p.tokens[i]!;
  const length = mark(p, i) === '@' && mark(p, i + 2) === '@' ? 3 : /^\uE000+$/.test(token.text) ? 1 : 0;
  return length > 0 && p.first[i] && p.first[i + length] ? length : 0;
}

function plain(p: Parser): void {
  const at = p.i;
  p.label = undefined;
  const skipped = placeholder(p, at);
  if (skipped > 0) {
    p.i += skipped;
    return;
  }
  const to = Math.max(plainEnd(p, at), at + 1);
  const node: PlainNode = { kind: 'plain', verb: verb(p, at, to), at, from: at, to };
  list(p).push(node);
  p.i = mark(p, to) === ';' ? to + 1 : to;
}

function verb(p: Parser, at: number, to: number): Verb {
  if (assigns(p, at, to)) return 'assign';
  const w = word(p, at);
  if (w === 'return') {
    const next = word(p, at + 1);
    return next === 'next' || next === 'query' ? `return ${next}` : 'return';
  }
  if (w === 'rollback' && word(p, at + 1) === 'to') return 'sql';
  return VERBS.has(w) ? (w as Verb) : 'sql';
}

/** `a := 1`, `a.b[3] = 1`, `$1 := 1`. */
function assigns(p: Parser, at: number, to: number): boolean {
  const token = p.tokens[at]!;
  if (token.kind !== 'word' && token.kind !== 'parameter') return false;
  let i = at + 1;
  while (i < to) {
    const m = mark(p, i);
    if (m === ':=' || m === '=') return true;
    if (m === '.') i += 2;
    else if (m === '[') {
      let depth = 0;
      for (; i < to; i++) {
        if (mark(p, i) === '[') depth++;
        else if (mark(p, i) === ']' && --depth === 0) break;
      }
      i++;
    } else return false;
  }
  return false;
}

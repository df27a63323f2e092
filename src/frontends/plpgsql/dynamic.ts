// Reads the text that EXECUTE runs, as far as it is constant: literals, format(), concatenation, variables that hold such.
import type { Loop, Step } from '../../ir.ts';
import { pieces, type Source } from '../source.ts';
import { content } from '../sql/definitions/routines.ts';
import { lowerScript } from '../sql/script.ts';
import { rowsOfQuery, startsStatement } from '../sql/statement.ts';
import { HOLE, identifier, type Token, tokens } from '../sql/text/lexer.ts';
import { scopeWith } from '../sql/text/reader.ts';
import { at, type Context, closing, find, mark, word } from './context.ts';
import { copyOf, stays } from './survey.ts';
import type { Range } from './tree.ts';
import { type Valued, withValues, wordsOf } from './values.ts';

interface Part extends Valued {
  /** The parameter of the routine that stands in this hole. */
  parameter?: string | undefined;
}
type Text = Part[];
/** All texts that it may have here; none is known when it is null. */
export type Alternatives = Text[] | null;

/** More ways than this are not followed, but the first and the last; nor longer texts. */
const MOST = 8;
/** But elements of an array that is written out are, where nothing else varies. */
const MOST_ELEMENTS = 60;
const LONGEST = 400_000;
const MOST_PIECES = 300;
/** Text in text in text: format() inside quote_literal() inside …. */
const DEEPEST = 20;

/** A transaction command or SAVEPOINT in EXECUTE fails with 0A000. */
const REFUSED = new Set(['begin', 'commit', 'rollback', 'savepoint', 'release', 'rollback to']);

/** What EXECUTE of this expression does. */
export function runText(c: Context, expression: Range, using: Range, place: number): Step[] {
  const values = split(c, using);
  const given = (i: number) => (values[i] ? wordsOf(c, values[i]!) : '');
  const ways = (textOf(c, expression, 0) ?? [])
    .map((text) => lowerText(c, text, given))
    .filter((way) => way !== null);
  if (ways.length === 0)
    return [givenText(c, expression, { kind: 'opaque', at: at(c, place), why: 'dynamic SQL' })];
  if (ways.length === 1) return ways[0]!;
  return [{ kind: 'branch', at: at(c, place), arms: ways, exhaustive: true }];
}

/** The parameter that is all of it, with nothing around it that matters. */
function givenText(c: Context, expression: Range, otherwise: Step): Step {
  const parts = operands(c, expression).filter((one) => !isBlank(c, one));
  const name = parts.length === 1 ? parameterIn(c, parts[0]!) : undefined;
  const runs = name === undefined ? undefined : c.scope.given?.(name);
  if (runs === undefined) return otherwise;
  return { kind: 'call', at: otherwise.at, callee: 'sql:?', runs, meanings: [{ steps: [otherwise] }] };
}

/** How many rows it gives, where it is one text. */
export function rowsOfText(c: Context, { text }: { text: Range }): Pick<Loop, 'times' | 'atMost' | 'picked'> {
  const [way, another] = textOf(c, text, 0) ?? [];
  if (!way || another) return { times: null };
  const source = pieces(way);
  const words = tokens(source.text).filter(({ text }) => text !== ';');
  return rowsOfQuery(source, words, scopeWith(c.scope, new Set(), undefined, 1));
}

/** `';'` */
const isBlank = (c: Context, { from, to }: Range) =>
  to === from + 1 && c.tokens[from]!.kind === 'string' && /^'[\s;]*'$/.test(c.tokens[from]!.text);

function parameterIn(c: Context, { from, to }: Range): string | undefined {
  const token = c.tokens[from]!;
  while (to - 2 > from && mark(c, to - 2) === '::') to -= 2;
  if (to === from + 1)
    return token.kind === 'word' ? identifier(token) : token.kind === 'parameter' ? token.text : undefined;
  const inner =
    /^(?:trim|btrim|rtrim|ltrim)$/.test(word(c, from)) && mark(c, from + 1) === '(' ? from + 2 : from + 1;
  const closed = mark(c, inner - 1) === '(' && closing(c, inner - 1, to) === to - 1;
  return closed ? parameterIn(c, { from: inner, to: to - 1 }) : undefined;
}

/** What calls in the body give to routines that execute it: its own parameters while they are as they came, and its texts. */
export function handsOn(c: Context, given: Context['scope']['given']): void {
  const own = (name: string | undefined) =>
    name !== undefined && !c.hidden.has(name) && stays(c, name) ? given?.(name) : undefined;
  const known = new Map<string, string | undefined>();
  if (given)
    c.scope.given = (name) => {
      if (!known.has(name)) known.set(name, own(given(name) === undefined ? copyOf(c, name) : name));
      return known.get(name);
    };
  c.scope.texts = (first, last) => {
    const range = { from: placeOf(c, first), to: placeOf(c, last) + 1 };
    return looksConstant(c, range) ? (textOf(c, range, 0)?.map((text) => withValues(text)) ?? null) : null;
  };
}

/** Tokens stand in the order of the text. */
function placeOf({ tokens }: Context, { start }: Token): number {
  let low = 0;
  for (let high = tokens.length - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The statements that the columns of a query are, one after the other, and whether it has rows; null where one is computed. */
export function statementsIn(c: Context, range: Range): { steps: Step[]; rows: boolean } | null {
  const from = find(c, range, 'from', 'where', 'union', 'order', 'limit');
  const steps: Step[] = [];
  for (const item of split(c, { from: range.from, to: from })) {
    const ways = textOf(c, { from: item.from, to: find(c, item, 'as') }, 0);
    const made = ways?.length === 1 ? lowered(c, ways[0]!) : null;
    if (!made) return null;
    for (const step of made) steps.push(step);
  }
  return steps.length > 0 ? { steps, rows: word(c, from, range.to) === 'from' } : null;
}

function lowerText(c: Context, text: Text, using: (i: number) => string): Step[] | null {
  const steps = lowered(c, text, using);
  return steps && refuse(steps);
}

function lowered(c: Context, text: Text, using?: (i: number) => string): Step[] | null {
  const source = withValues(text, using);
  const first = /^(?:\s|\(|--[^\n]*\n|\/\*[^*]*\*\/)*([a-zA-Z]+)(?![\w\uE000])/.exec(
    source.text.slice(0, 2000),
  );
  if (!first || !startsStatement(first[1]!.toLowerCase())) return null;
  const scope = scopeWith(c.scope, new Set(), undefined, 1);
  if (scope.depth! > 5) return null;
  const named = new Map(text.flatMap((part) => (part.parameter ? [[part.start, part.parameter]] : [])));
  if (named.size > 0) scope.named = (start) => named.get(start);
  return lowerScript(source, scope, { psql: false });
}

export function refuse(steps: Step[]): Step[] {
  return steps.map((step) =>
    REFUSED.has(step.kind)
      ? { kind: 'exit', how: 'raise', at: step.at, raises: 'feature_not_supported' }
      : step,
  );
}

/** Keeps what a variable holds from here on. */
export function assignText(c: Context, name: string, expression: Range): void {
  const known = c.texts.has(name);
  const text = looksConstant(c, expression) ? textOf(c, expression, 0) : null;
  if (text || known) c.texts.set(name, text);
}

/**
 * Keeps what a query puts in variables: `FOR sql IN SELECT format(…)`, `SELECT 'a' || b INTO sql`, and the columns of a
 * record, `FOR r IN SELECT format(…) AS statement`.
 */
export function selectTexts(c: Context, query: Range, targets: string[]): void {
  const first = targets[0];
  for (const name of targets) c.texts.delete(name);
  if (first === undefined) return;
  for (const name of c.texts.keys()) if (name.startsWith(`${first}.`)) c.texts.delete(name);
  if (word(c, query.from) !== 'select') return;
  const list: Range = { from: query.from + 1, to: find(c, query, 'from', 'into') };
  if (!looksConstant(c, list)) return;
  const items = split(c, list);
  for (const [i, item] of items.entries()) {
    const as = find(c, item, 'as');
    const text = textOf(c, { from: item.from, to: as }, 0);
    if (!text) continue;
    const column = c.tokens[as + 1];
    if (as < item.to && column) c.texts.set(`${first}.${identifier(column)}`, text);
    if (targets.length === items.length) c.texts.set(targets[i]!, text);
  }
}

/** What FOREACH puts in its variable, in one turn or another: the elements of an array that is written out. */
export function elementTexts(c: Context, array: Range, targets: string[]): void {
  const [name] = targets;
  if (name === undefined) return;
  const variable = array.to === array.from + 1 ? identifier(c.tokens[array.from]!) : '';
  const declared = stays(c, variable) ? c.arrays.get(variable) : undefined;
  const ways = elements(c, declared ?? array);
  if (ways && ways.length > 0 && ways.length <= MOST_ELEMENTS) c.texts.set(name, ways);
  else c.texts.delete(name);
}

/** ARRAY['a', 'b'] or '{a,b}', each with a type or without. */
function elements(c: Context, { from, to }: Range): Text[] | null {
  while (to - 2 > from && mark(c, to - 1) === ']' && mark(c, to - 2) === '[') to -= 2;
  if (mark(c, to - 2) === '::') to -= 2;
  const token = c.tokens[from]!;
  if (word(c, from) === 'array' && mark(c, from + 1) === '[' && mark(c, to - 1) === ']') {
    const ways = split(c, { from: from + 2, to: to - 1 }).map((one) => textOf(c, one, 0));
    return ways.every((way) => way?.length === 1) ? ways.map((way) => way![0]!) : null;
  }
  const plain = to === from + 1 && token.kind === 'string' && /^'\{[^{}"\\']*\}'$/.test(token.text);
  if (!plain) return null;
  return [...token.text.matchAll(/[^\s,{}'][^,{}']*/g)].map(({ 0: text, index }) => {
    const start = c.source.at(token.start + index);
    return [{ text: text.trimEnd(), start, end: start + text.trimEnd().length }];
  });
}

type Texts = Context['texts'];

/** After statements that set some variables, once, often or never. */
export function forget(texts: Texts, gone: Map<string, 'sets' | 'appends'>): Texts {
  const out = new Map(texts);
  for (const [name, how] of gone) {
    const ways = texts.get(name);
    if (ways === undefined) continue;
    out.set(name, how === 'sets' || !ways ? null : few([...ways, ...ways.map(withHole)]));
  }
  return out;
}

function withHole(text: Text): Text {
  const last = text[text.length - 1];
  return last ? [...text, { text: HOLE, start: last.end, end: last.end }] : text;
}

/** What holds whichever way was taken. */
export function merge(ways: Texts[]): Texts {
  const first = ways[0]!;
  if (ways.every((way) => way === first)) return first;
  const out: Texts = new Map();
  for (const name of new Set(ways.flatMap((way) => [...way.keys()]))) {
    const all = ways.map((way) => way.get(name));
    out.set(name, all.every((one) => one) ? few([...new Set(all.flatMap((one) => one!))]) : null);
  }
  return out;
}

const few = (ways: Text[], most = MOST): Text[] =>
  ways.length <= most ? ways : [ways[0]!, ways[ways.length - 1]!];

/** Cheap, for most assignments are no texts. */
function looksConstant(c: Context, range: Range): boolean {
  if (c.texts.size > 200) return false;
  for (let i = range.from; i < range.to; i++) {
    const token = c.tokens[i]!;
    if (token.kind === 'string' || token.kind === 'dollar') return true;
    if (token.kind === 'word' && c.texts.get(identifier(token))) return true;
  }
  return false;
}

/** The texts that an expression may have, with holes where it is computed; null when all is. */
function textOf(c: Context, range: Range, depth: number): Alternatives {
  let ways: Text[] = [[]];
  let known = false;
  for (const part of operands(c, range)) {
    const more = operand(c, part, depth);
    if (more) known = true;
    const next = more ?? [hole(c, part)];
    const most = Math.max(MOST, ways.length, next.length);
    ways = few(
      ways.flatMap((way) => next.map((rest) => [...way, ...rest])),
      most,
    );
  }
  return known && !ways.some(isTooLong) ? ways : null;
}

const isTooLong = (text: Text) =>
  text.length > MOST_PIECES || text.reduce((sum, part) => sum + part.text.length, 0) > LONGEST;

/** Between `||` outside of brackets. */
function operands(c: Context, range: Range): Range[] {
  const out: Range[] = [];
  let depth = 0;
  let from = range.from;
  for (let i = range.from; i < range.to; i++) {
    const m = mark(c, i);
    if (m === '(' || m === '[') depth++;
    else if (m === ')' || m === ']') depth--;
    else if (m === '||' && depth === 0) {
      out.push({ from, to: i });
      from = i + 1;
    }
  }
  if (from < range.to) out.push({ from, to: range.to });
  return out;
}

function hole(c: Context, range: Range, text = HOLE): Text {
  const place = at(c, range.from, range.to);
  const parameter = text === HOLE ? namedBy(c, range) : undefined;
  return [{ text, start: place.start, end: place.end, parameter, value: wordsOf(c, range) }];
}

/** The caller's parameter that a name is put together of: all of it, perhaps quoted. */
function namedBy(c: Context, { from, to }: Range): string | undefined {
  const quoted = word(c, from) === 'quote_ident' && mark(c, from + 1) === '(';
  const name = parameterIn(c, quoted ? { from: from + 1, to } : { from, to });
  return name === undefined ? undefined : c.scope.given?.(name);
}

function operand(c: Context, range: Range, depth: number): Alternatives {
  if (depth > DEEPEST || range.to <= range.from) return null;
  let { from, to } = range;
  while (to - 2 > from && mark(c, to - 2) === '::') to -= 2;
  const token = c.tokens[from]!;
  if (token.kind === 'string' || token.kind === 'dollar') return literals(c, { from, to });
  if (mark(c, from) === '(' && closing(c, from, to) === to - 1)
    return textOf(c, { from: from + 1, to: to - 1 }, depth + 1);
  if (token.kind !== 'word') return null;
  if (token.text === 'pg_catalog' && mark(c, from + 1) === '.')
    return operand(c, { from: from + 2, to }, depth + 1);
  if (to === from + 3 && mark(c, from + 1) === '.')
    return c.texts.get(`${identifier(token)}.${identifier(c.tokens[from + 2]!)}`) ?? null;
  if (to === from + 1) return c.texts.get(identifier(token)) ?? null;
  if (mark(c, from + 1) === '(' && closing(c, from + 1, to) === to - 1)
    return called(c, token.text, { from, to }, depth + 1);
  return null;
}

/** 'a' 'b' on two lines are one string. */
function literals(c: Context, range: Range): Alternatives {
  const parts: Text = [];
  for (let i = range.from; i < range.to; i++) {
    const token = c.tokens[i]!;
    if (token.kind !== 'string' && token.kind !== 'dollar') return null;
    parts.push(...literal(c, token));
  }
  return [parts];
}

/** Character for character where it is written so; an escape is a piece of its own. */
function literal(c: Context, token: Token): Text {
  const source: Source = content(c, token);
  const { text } = source;
  const parts: Text = [];
  let from = 0;
  for (let i = 1; i <= text.length; i++) {
    if (i < text.length && source.at(i) - source.at(i - 1) === 1) continue;
    parts.push({ text: text.slice(from, i), start: source.at(from), end: source.at(i - 1) + 1 });
    from = i;
  }
  return parts;
}

function called(c: Context, name: string, range: Range, depth: number): Alternatives {
  const args = split(c, { from: range.from + 2, to: range.to - 1 });
  if (args.length === 0) return null;
  switch (name) {
    case 'format':
      return format(c, args, depth);
    case 'concat':
      return joined(c, args, [], depth);
    case 'concat_ws':
      return joined(c, args.slice(1), textOf(c, args[0]!, depth)?.[0] ?? hole(c, args[0]!), depth);
    case 'quote_ident': {
      const ways = textOf(c, args[0]!, depth);
      return ways?.length === 1 ? [hole(c, range, argument(ways, 'I', null))] : null;
    }
    case 'quote_literal':
    case 'quote_nullable':
      return [hole(c, args[0]!, '$1')];
    case 'btrim':
    case 'trim':
    case 'rtrim':
    case 'ltrim':
    case 'replace': // biome-ignore format: one list
      return textOf(c, args[0]!, depth);
    default:
      return null;
  }
}

function joined(c: Context, args: Range[], between: Text, depth: number): Alternatives {
  if (!args.some((arg) => operand(c, arg, depth))) return null;
  const texts = args.map((arg) => textOf(c, arg, depth)?.[0] ?? hole(c, arg));
  return [texts.flatMap((text, i) => (i === 0 ? text : [...between, ...text]))];
}

/** The parts between commas. */
export function split(c: Context, range: Range): Range[] {
  const out: Range[] = [];
  let depth = 0;
  let from = range.from;
  for (let i = range.from; i <= range.to; i++) {
    const m = i < range.to ? mark(c, i) : ',';
    if (m === '(' || m === '[') depth++;
    else if (m === ')' || m === ']') depth--;
    else if (m === ',' && (depth === 0 || i === range.to)) {
      if (i > from) out.push({ from, to: i });
      from = i + 1;
    }
  }
  return out;
}

const PLACE = /%(?:(\d{1,3})\$)?-?(?:\d+|\*(?:\d+\$)?)?([sIL%])/g;

/** format(pattern, …): %L is a value, %I and %s are names or text unless the argument is constant. */
function format(c: Context, args: Range[], depth: number): Alternatives {
  const patterns = textOf(c, args[0]!, depth);
  const values = args.map((arg) => textOf(c, arg, depth) ?? []);
  // Those that vary do so together: they are the same variable.
  const counts = new Set(values.slice(1).flatMap((ways) => (ways.length > 1 ? [ways.length] : [])));
  const turns = counts.size === 1 ? [...Array([...counts][0]!).keys()] : [0];
  return (
    patterns?.flatMap((pattern) =>
      turns.map((turn) => {
        const out: Text = [];
        let next = 1;
        for (const part of pattern) {
          let done = 0;
          const exact = part.end - part.start === part.text.length;
          const place = (offset: number) => (exact ? part.start + offset : part.start);
          for (const match of part.text.matchAll(PLACE)) {
            const start = match.index;
            const end = start + match[0].length;
            if (start > done)
              out.push({
                text: part.text.slice(done, start),
                start: place(done),
                end: exact ? place(start) : part.end,
              });
            const here = { start: place(start), end: exact ? place(end) : part.end };
            if (match[2] === '%') out.push({ text: '%', ...here });
            else {
              const index = match[1] ? Number(match[1]) : next;
              next = index + 1;
              const text = argument(values[index] ?? [], match[2]!, turns.length > 1 ? turn : null);
              const arg = text === HOLE ? args[index] : undefined;
              const value = args[index] && isValue(text) ? wordsOf(c, args[index]!) : undefined;
              out.push({ text, ...here, parameter: arg && namedBy(c, arg), value });
            }
            done = end;
          }
          if (done < part.text.length)
            out.push({ text: part.text.slice(done), start: place(done), end: part.end });
        }
        return out;
      }),
    ) ?? null
  );
}

/** It is not the text of what stands there. */
const isValue = (text: string) => text === HOLE || text === '$1';

function argument(ways: Text[], how: string, turn: number | null): string {
  if (how === 'L') return '$1';
  const way = ways.length === 1 ? ways[0] : turn === null ? undefined : ways[turn];
  if (!way) return HOLE;
  const text = way.map((part) => part.text).join('');
  return how === 'I' && !text.includes(HOLE) ? identifier({ text, quoted: true }) : text;
}

/** EXECUTE expr [INTO [STRICT] target] [USING a, b]: in any order after the expression. */
export function executeParts(c: Context, range: Range): { text: Range; into: Range; using: Range } {
  const first = find(c, range, 'into', 'using');
  const text: Range = { from: range.from, to: first };
  const none: Range = { from: range.to, to: range.to };
  const parts = { text, into: none, using: none };
  for (let i = first; i < range.to; ) {
    const next = find(c, { from: i + 1, to: range.to }, 'into', 'using');
    if (word(c, i) === 'into') parts.into = { from: i + (word(c, i + 1) === 'strict' ? 2 : 1), to: next };
    else parts.using = { from: i + 1, to: next };
    i = next;
  }
  return parts;
}

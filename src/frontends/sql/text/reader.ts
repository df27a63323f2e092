// One statement's tokens with what reading them needs: brackets, names, keywords. Knows no statement.
import type { Asking, Loop, Name, Span, Step, Unit } from '../../../ir.ts';
import { type Source, span } from '../../source.ts';
import type { Cursor } from '../queries/cursors.ts';
import type { Held } from './held.ts';
import { HOLE, identifier, type Token } from './lexer.ts';
import { CLOSES, OPENS } from './sorts.ts';
import type { Switched } from './switched.ts';

/** What a script or an embedded text declares beside its steps; a Unit is one. */
export type Declarations = Pick<
  Unit,
  | 'file'
  | 'routines'
  | 'triggers'
  | 'relations'
  | 'lists'
  | 'foreignKeys'
  | 'aliases'
  | 'changes'
  | 'settings'
  | 'problems'
  | 'broken'
>;

export interface SqlScope {
  /** PL/pgSQL variables and parameters, folded; present, even if empty, where INTO means variables. */
  variables?: Set<string>;
  /** The types of those that have one of the server's own. */
  types?: Map<string, string>;
  /** The routine's own parameter that a name stands for, where it is a text and holds what the caller gave. */
  given?: (name: string) => string | undefined;
  /** Whether it is the same in each turn of the loops that the routine has around. */
  same?: ((name: string) => boolean) | undefined;
  /** The body is a trigger function's: the columns of NEW that it sets, once it is read. */
  fires?: { sets: string[] | null; outermost?: boolean; setting?: Asking };
  /** What a variable is called where it picks rows, and will be once the statement has set it: another value has another name. */
  called?: (name: string) => string;
  next?: (name: string) => string;
  /** The routine's own parameter that stands in the hole at this place of the file. */
  named?: (start: number) => string | undefined;
  /** What is known of variables that hold the same all the time: a number, an array; and which hold what the caller gave. */
  values?: Values;
  /** What a host hands in at the placeholder that stands there. */
  bind?: (start: number) => string | undefined;
  /** All texts that the tokens between these two may be, where more than literals are followed. */
  texts?: (first: Token, last: Token) => Source[] | null;
  /** Where CREATE and its like are recorded; without it they only count as writes. */
  declare?: Declarations;
  /** What bodies of functions take away or alter; without it, it counts as done. */
  held?: Held;
  /** As the last SET search_path says; null: as the server has it. */
  searchPath?: string[] | null;
  /** PREPARE's statements, for EXECUTE. */
  prepared?: Map<string, Step[]>;
  /** DECLARE's, for FETCH and MOVE. */
  cursors?: Map<string, Cursor>;
  /** The triggers that do not fire now. */
  switched?: Switched;
  /** It is a function's that is not volatile: PostgreSQL refuses what writes there. */
  refuses?: 'writes' | 'writes and row locks';
  /** The language of definitions inside strings nests no deeper than this. */
  depth?: number;
}

export interface Values {
  number(name: string): number | null;
  items(name: string): Pick<Loop, 'times' | 'atMost'>;
  given(name: string): string | undefined;
  /** How many rows a temporary table has at most, where the body itself fills it. */
  filled?(table: string): Pick<Loop, 'times' | 'atMost'> | null;
  /** The body is a trigger function's: a table may be what its trigger calls the rows of the statement. */
  fired?: boolean;
}

/** The same with other variables; written out, for V8 gives each copy that is spread a shape of its own. */
export function scopeWith(
  { declare, searchPath, prepared, switched, refuses, depth }: SqlScope,
  variables: Set<string>,
  types: SqlScope['types'],
  deeper = 0,
): SqlScope {
  const below = deeper === 0 ? depth : (depth ?? 0) + deeper;
  return { variables, types, declare, searchPath, prepared, switched, refuses, depth: below };
}

export interface Reader {
  source: Source;
  tokens: Token[];
  /** For each opening bracket the index of its closing one, or of the end. */
  closes: number[];
  /** Bits of sorts.ts: what there is at all. */
  sorts: number;
  scope: SqlScope;
  /** Common table expressions in sight, and how many rows each has. */
  ctes: Map<string, Cte>;
  /** How often each word stands there and where it does last, once somebody asked. */
  words?: Map<string, { times: number; last: number }>;
  /** Where functions that give several rows are called, once somebody asked. */
  rowSets: number[] | undefined;
  /** The SELECT of an EXISTS: nobody asks for its columns, so they are not computed. */
  exists?: number;
  /** The SELECT of which one row is asked for: a second is an error, or is never fetched. */
  first?: number;
  /** The queries around, for telling correlated ones. */
  levels: Level[];
  /** Bracketed joins around. */
  joins: number;
  /** For each CASE the index of its END, once somebody asked; and how many are around. */
  ends: Map<number, number> | undefined;
  cases: number;
}

export interface Cte {
  rows: 'one' | 'many' | 'unknown';
  times: number | null;
  atMost?: true;
  /** Its one row need not be there. */
  perhaps?: true;
  /** What turns once for each of its rows that somebody asks for. */
  lazy?: Loop[];
}

export interface Level {
  /** What each stands for, where that is a relation. */
  aliases: Map<string, Name | null>;
  hasFrom: boolean;
  correlated: boolean;
}

const NONE: Reader['ctes'] = new Map();

export function reader(source: Source, tokens: Token[], scope: SqlScope): Reader {
  const closes: number[] = new Array(tokens.length).fill(0);
  const sorts = brackets(tokens, closes);
  // Lists of their own name: V8 copies an object with a list inside by a slow way.
  const levels: Level[] = [];
  return {
    source,
    tokens,
    closes,
    sorts,
    scope,
    ctes: NONE,
    levels,
    joins: 0,
    ends: undefined,
    rowSets: undefined,
    cases: 0,
  };
}

/** Notes for each opening bracket where it closes, and gives the sorts of all tokens. */
function brackets(tokens: Token[], closes: number[]): number {
  let all = 0;
  const open: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { sorts } = tokens[i]!;
    all |= sorts;
    if ((sorts & OPENS) !== 0) open.push(i);
    else if ((sorts & CLOSES) !== 0 && open.length > 0) closes[open.pop()!] = i;
  }
  for (const left of open) closes[left] = tokens.length;
  return all;
}

/** The END of the CASE that stands here, if it has one. */
export function endOfCase(r: Reader, i: number): number | undefined {
  r.ends ??= caseEnds(r.tokens);
  return r.ends.get(i);
}

function caseEnds(tokens: Token[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: (number | '(')[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { text, kind, quoted } = tokens[i]!;
    if (kind === 'punctuation') {
      if (text === '(') open.push('(');
      else if (text === ')') open.length = Math.max(0, open.lastIndexOf('('));
    } else if (kind !== 'word' || quoted || tokens[i - 1]?.text === '.' || tokens[i - 1]?.text === 'as')
      continue;
    else if (text === 'case') open.push(i);
    else if (text === 'end') {
      const start = open[open.length - 1];
      if (typeof start === 'number') ends.set(open.pop() as number, i);
    }
  }
  return ends;
}

/** The keyword at this place, or '' when there is none: quoted names and the end are none. */
export function word(r: Reader, i: number, to = r.tokens.length): string {
  const token = i < to ? r.tokens[i] : undefined;
  return token?.kind === 'word' && !token.quoted ? token.text : '';
}

/** The punctuation or operator at this place, or ''. */
export function mark(r: Reader, i: number, to = r.tokens.length): string {
  const token = i < to ? r.tokens[i] : undefined;
  return token && (token.kind === 'punctuation' || token.kind === 'operator') ? token.text : '';
}

export function isWords(r: Reader, i: number, first: string, second: string, third?: string): boolean {
  if (word(r, i) !== first || word(r, i + 1) !== second) return false;
  return third === undefined || word(r, i + 2) === third;
}

/** Past IF EXISTS and IF NOT EXISTS. */
export function skipIf(r: Reader, i: number): number {
  if (isWords(r, i, 'if', 'not', 'exists')) return i + 3;
  return isWords(r, i, 'if', 'exists') ? i + 2 : i;
}

/** Past the closing bracket of the one that opens here. */
export const past = (r: Reader, i: number, to = r.tokens.length) => Math.min(r.closes[i]! + 1, to);

/** The next token of this text outside of brackets, or `to`. */
export function find(r: Reader, from: number, to: number, text: string): number {
  for (let i = from; i < to; i++) {
    const token = r.tokens[i]!;
    if (token.text === text && !token.quoted && token.kind !== 'string') return i;
    if ((token.sorts & OPENS) !== 0) i = r.closes[i]!;
  }
  return to;
}

/** Ranges between commas that stand outside of brackets. */
export function split(r: Reader, from: number, to: number): [number, number][] {
  const out: [number, number][] = [];
  while (from < to) {
    const comma = find(r, from, to, ',');
    out.push([from, comma]);
    from = comma + 1;
  }
  return out;
}

export function at(r: Reader, from: number, to: number): Span {
  const first = r.tokens[from];
  const last = r.tokens[Math.max(from, Math.min(to, r.tokens.length) - 1)];
  if (!first || !last) return span(r.source, 0, 0);
  return span(r.source, first.start, last.end);
}

export interface Named {
  parts: string[];
  /** Null when its last part is computed. */
  name: Name | null;
  /** Its schema is computed, so that no search path applies. */
  elsewhere: boolean;
  from: number;
  /** The index after it. */
  next: number;
}

const isHole = (token: Token) =>
  token.kind === 'variable' || (token.kind === 'word' && token.text.includes(HOLE));
export const isNamePart = (token: Token | undefined): token is Token =>
  token !== undefined && (token.kind === 'word' || token.kind === 'variable');

/** A dotted name. A computed qualifier is left out, so `{{schema}}.orders` is `orders`. */
export function nameAt(r: Reader, from: number, to = r.tokens.length): Named | null {
  let token = from < to ? r.tokens[from] : undefined;
  if (!isNamePart(token)) return null;
  let parts: string[] = [];
  let computed = isHole(token);
  let elsewhere = false;
  if (!computed) parts.push(identifier(token));
  let next = from + 1;
  while (next + 1 < to && r.tokens[next]!.text === '.' && isNamePart(r.tokens[next + 1])) {
    token = r.tokens[next + 1]!;
    elsewhere = computed;
    computed = isHole(token);
    if (computed) parts = [];
    else parts.push(identifier(token));
    next += 2;
  }
  const whole = parts.length === 1 ? parts[0]! : parts.join('.');
  return { parts, name: computed ? null : `sql:${whole}`, elsewhere, from, next };
}

/** A search path that is only known when it runs. */
export const COMPUTED: string[] = [];

/** The schema that it stands in is only known when it runs. */
export const isUnplaced = (r: Reader, { elsewhere, parts }: Named): boolean =>
  elsewhere || (r.scope.searchPath === COMPUTED && parts.length < 2);

/** The name a CREATE gives: unqualified ones go to the first schema of a search_path that the script set. */
export function declaredName(r: Reader, named: Named | null): Name | null {
  if (!named?.name || named.parts.length > 1 || named.elsewhere) return named?.name ?? null;
  const first = r.scope.searchPath?.find((schema) => schema !== '"$user"' && schema !== '""');
  return first ? `sql:${first}.${named.parts[0]}` : named.name;
}

/** The names between the brackets that open here, commas between them. */
export const names = (r: Reader, bracket: number): string[] =>
  split(r, bracket + 1, r.closes[bracket]!).map(([from, to]) => nameAt(r, from, to)?.parts[0] ?? '');

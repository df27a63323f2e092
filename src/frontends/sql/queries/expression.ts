// Reads expressions: which functions they call, once or for each row, in the order PostgreSQL calls them.
import type { Call, Step } from '../../../ir.ts';
import { isAggregate, isBuiltin } from '../text/builtins.ts';
import { isLabel, isQuery } from '../text/clauses.ts';
import { HOLE, identifier, type Token } from '../text/lexer.ts';
import {
  at,
  endOfCase,
  isWords,
  type Level,
  mark,
  type Named,
  nameAt,
  past,
  type Reader,
  split,
  word,
} from '../text/reader.ts';
import { AGGREGATE, CASE, GOES_ON, OPENS } from '../text/sorts.ts';
import { rowOf, typeText } from '../text/types.ts';
import { handedIn, namedIn } from './handed.ts';
import { setLength } from './lengths.ts';
import { builtinSteps, canFailBy, castStep, isBuiltinOperator, mayFail, ofExtension } from './meanings.ts';
import { endOfTerm, needNotRun } from './perhaps.ts';
import { query } from './query.ts';
import { hasRowSet } from './rowsets.ts';
import { schedules } from './scheduled.ts';

/** Where the steps of an expression go: those that run once, and those that run for each row. */
export interface Bag {
  once: Step[];
  row: Step[];
  /** Of aggregates: what stands outside of their arguments runs once, or once for each group. */
  single?: boolean;
  /** What depends on no row runs once, also where `once` is for each group. */
  apart?: Step[];
}

export function bag(once: Step[]): Bag {
  const row: Step[] = [];
  return { once, row, single: false };
}

/** Words that are no columns when they stand alone in an expression. */
export const NOT_COLUMNS = new Set(
  `null true false default and or not is in like ilike between as case when then else end distinct all any some exists
   interval array row current_date current_time current_timestamp current_user session_user localtime localtimestamp
   user from for at time zone collate asc desc nulls first last similar to escape isnull notnull using variadic
   symmetric select order by over partition within group filter where only`.split(/\s+/),
);

/** What waits for its closing bracket: a call stands after the calls in its arguments. */
interface Open {
  close: number;
  steps: Step[];
  into: Step[];
  aggregate: boolean;
}

/** Walks one expression, or several with commas and keywords between. */
export function expression(r: Reader, from: number, to: number, bag: Bag): void {
  const open: Open[] = [];
  const level = r.levels[r.levels.length - 1];
  // A column by itself: in a sub-query without FROM it can only come from outside.
  const inner = level && r.levels.length > 1;
  // Up to there what is called need not be.
  let perhaps = from;
  let between = false;
  for (let i = from; i < to; i++) {
    const { kind, sorts, text } = r.tokens[i]!;
    if (kind === 'word') {
      if (text === 'between') between = true;
      else if (text === 'and' && between) between = false;
      else if ((text === 'and' || text === 'or') && i >= perhaps) perhaps = endOfTerm(r, i, to);
      const goesOn = ((r.tokens[i + 1]?.sorts ?? 0) & GOES_ON) !== 0;
      if (!goesOn && (sorts & CASE) === 0) {
        if (inner && !level.correlated) level.correlated = isFromOutside(r, i, level);
        continue;
      }
    } else if (kind === 'punctuation') {
      if ((sorts & OPENS) === 0 || text !== '(') continue;
      if (r.tokens[r.closes[i]! + 2]?.text === '*' && isRow(r, i)) {
        finish(open, i);
        expanded(r, i, to, bag, open);
        i = r.closes[i]!;
        continue;
      }
      if (!isQuery(r, i + 1, r.closes[i]!)) continue;
    } else if (kind === 'operator') {
      if (text !== '::' && isBuiltinOperator(text)) {
        if (r.scope.variables && canFailBy(r, i, to)) bag.once.push(mayFail(at(r, i, i + 1)));
        continue;
      }
    } else if (kind !== 'variable' || mark(r, i + 1, to) !== '(') continue;
    finish(open, i);
    const aggregate = open.length > 0 && open[open.length - 1]!.aggregate;
    const into = bag.single && !aggregate ? bag.once : bag.row;
    const [place, calls, done] = [i, open.length, into.length];
    if (kind === 'word') {
      const end = (sorts & CASE) !== 0 ? caseOf(r, i, to, bag, into, aggregate) : null;
      if (end !== null) i = end;
      else if (((r.tokens[i + 1]?.sorts ?? 0) & GOES_ON) !== 0) {
        const later =
          text === 'coalesce'
            ? coalesce(r, i, to, bag, into, aggregate)
            : (sorts & AGGREGATE) !== 0 && filtered(r, i, to, bag);
        i = later || named(r, i, to, into, open, aggregate);
      } else if (inner && !level.correlated) level.correlated = isFromOutside(r, i, level);
    } else if (kind === 'punctuation') {
      const close = Math.min(r.closes[i]!, to);
      if (word(r, i - 1) === 'exists') r.exists = i + 1;
      else if (isScalar(r, i)) r.first = i + 1;
      subQuery(r, i + 1, close, bag, into, place < perhaps);
      i = close;
    } else if (kind === 'variable')
      into.push({ kind: 'opaque', at: at(r, i, i + 1), why: 'the name of the function is computed' });
    else if (text === '::') castStep(r, i - 1, i + 1, to, into);
    else into.push({ kind: 'call', at: at(r, i, i + 1), callee: `sql:operator(${text})`, args: 2 });
    if (place < perhaps) {
      for (let k = calls; k < open.length; k++) open[k]!.steps.forEach(needNotRun);
      for (let k = done; k < into.length; k++) needNotRun(into[k]!);
    }
  }
  finish(open, Number.POSITIVE_INFINITY);
}

/** Gives the calls whose brackets closed before this place. */
function finish(open: Open[], before: number): void {
  while (open.length > 0 && open[open.length - 1]!.close <= before) {
    const done = open.pop()!;
    for (const step of done.steps) done.into.push(step);
  }
}

/** CASEs in CASEs; what lies below is read as if all of it ran. */
const DEEPEST = 50;

/** CASE … END: of its arms one runs, or none; returns the index of END. */
function caseOf(r: Reader, i: number, to: number, bag: Bag, into: Step[], aggregate: boolean): number | null {
  const end = endOfCase(r, i);
  if (end === undefined || end >= to || r.cases >= DEEPEST || isLabel(r, i)) return null;
  const read = (from: number, until: number, steps: Step[]) =>
    expression(r, from, until, partOf(bag, steps, aggregate));
  const arms: Step[][] = [];
  let exhaustive = false;
  r.cases++;
  let start = i + 1;
  let target = into;
  for (let k = start; k <= end; k++) {
    if (mark(r, k) === '(' || mark(r, k) === '[') {
      k = r.closes[k]!;
      continue;
    }
    const inner = k > i && word(r, k) === 'case' ? endOfCase(r, k) : undefined;
    if (inner !== undefined) {
      k = inner;
      continue;
    }
    const w = k === end ? 'end' : word(r, k);
    if (w !== 'when' && w !== 'then' && w !== 'else' && w !== 'end') continue;
    read(start, k, target);
    start = k + 1;
    target = into;
    if (w === 'then' || w === 'else') {
      target = [];
      arms.push(target);
      if (w === 'else') exhaustive = true;
    }
  }
  r.cases--;
  choose(r, i, arms, exhaustive, into);
  return end;
}

/** `(f(x)).*`: what stands in these brackets is one call, and its row's columns are asked for. */
function isRow(r: Reader, bracket: number): boolean {
  if (mark(r, r.closes[bracket]! + 1) !== '.') return false;
  let i = bracket + 1;
  while (mark(r, i) === '(') i++;
  const name = nameAt(r, i);
  if (!name?.name || mark(r, name.next) !== '(') return false;
  let close = r.closes[name.next]! + 1;
  while (mark(r, close) === ')' && close < r.closes[bracket]!) close++;
  return close === r.closes[bracket];
}

/** The server writes it out as one such call for each column, with all that it is given. */
function expanded(r: Reader, bracket: number, to: number, bag: Bag, open: Open[]): void {
  const aggregate = open.length > 0 && open[open.length - 1]!.aggregate;
  const into = bag.single && !aggregate ? bag.once : bag.row;
  const body: Step[] = [];
  expression(r, bracket + 1, Math.min(r.closes[bracket]!, to), partOf(bag, body, aggregate));
  let i = bracket + 1;
  while (mark(r, i) === '(') i++;
  const of = [nameAt(r, i)!.name!];
  if (body.length > 0)
    into.push({ kind: 'loop', at: at(r, i, i + 1), over: 'columns', times: null, of, body });
}

/** The steps of a part of an expression go where the steps of the whole go. */
function partOf(bag: Bag, steps: Step[], aggregate: boolean): Bag {
  const single = bag.single === true && !aggregate;
  const apart = bag.apart ?? bag.once;
  return single ? { once: steps, row: bag.row, single, apart } : { once: apart, row: steps };
}

/** `sum(…) FILTER (WHERE …)` asks only for some rows what it adds; returns the index of its last bracket. */
function filtered(r: Reader, i: number, to: number, bag: Bag): number | null {
  const close = r.closes[i + 1];
  if (mark(r, i + 1) !== '(' || close === undefined || close >= to || r.cases >= DEEPEST) return null;
  if (word(r, close + 1) !== 'filter' || word(r, close + 3) !== 'where' || mark(r, i - 1) === '.')
    return null;
  const later: Step[] = [];
  r.cases++;
  expression(r, i + 2, close, partOf(bag, later, true));
  r.cases--;
  choose(r, i, [later], false, bag.row);
  return close;
}

/** A choice among what does nothing is none. */
function choose(r: Reader, i: number, arms: Step[][], exhaustive: boolean, into: Step[]): void {
  if (arms.every((arm) => arm.every((step) => step.kind === 'read' || step.kind === 'cast')))
    for (const step of arms.flat()) into.push(step);
  else into.push({ kind: 'branch', at: at(r, i, i + 1), arms, exhaustive });
}

/** COALESCE asks for a value only where all before it are NULL; returns the index of its last bracket. */
function coalesce(
  r: Reader,
  i: number,
  to: number,
  bag: Bag,
  into: Step[],
  aggregate: boolean,
): number | null {
  const close = r.closes[i + 1];
  if (mark(r, i + 1) !== '(' || close === undefined || close >= to || r.cases >= DEEPEST || isLabel(r, i))
    return null;
  const [first, ...rest] = split(r, i + 2, close);
  if (!first) return null;
  r.cases++;
  expression(r, first[0], first[1], partOf(bag, into, aggregate));
  const later: Step[] = [];
  for (const [from, until] of rest) expression(r, from, until, partOf(bag, later, aggregate));
  r.cases--;
  choose(r, i, [later], false, into);
  return close;
}

/** In a sub-query a name by itself that is a column of a query around, or that query's item. */
function isFromOutside(r: Reader, i: number, level: Level): boolean {
  if (!level.hasFrom) return isColumn(r, i);
  const { text } = r.tokens[i]!;
  if (level.aliases.has(text)) return false;
  return r.levels.some((around) => around.aliases.has(text)) && isColumn(r, i);
}

/** Whether this word may be a column. */
function isColumn(r: Reader, i: number): boolean {
  const token = r.tokens[i]!;
  if (!token.quoted && NOT_COLUMNS.has(token.text)) return false;
  return !isLabel(r, i) && r.tokens[i - 1]?.text !== '::' && !r.scope.variables?.has(token.text);
}

/** `a.b` of a query around makes those between depend on it. */
function qualified(r: Reader, name: Named): void {
  const first = name.parts[0];
  if (first === undefined || name.parts.length < 2) return;
  for (let k = r.levels.length - 1; k >= 0; k--)
    if (r.levels[k]!.aliases.has(first)) {
      for (let j = k + 1; j < r.levels.length; j++) r.levels[j]!.correlated = true;
      return;
    }
}

/** A dotted name or a word before a bracket; returns the last index that it has read. */
function named(r: Reader, i: number, to: number, into: Step[], open: Open[], aggregate: boolean): number {
  const name = nameAt(r, i, to)!;
  const bracket = name.next;
  if (mark(r, bracket, to) !== '(') {
    qualified(r, name);
    return bracket - 1;
  }
  const first = r.tokens[i]!;
  const close = Math.min(r.closes[bracket]!, to);
  if (r.tokens[i - 1]?.text === '::') return past(r, bracket, to) - 1; // the length of a type
  const simple = name.parts.length === 1;
  if (simple && !first.quoted && isKeyword(r, i, first.text)) {
    const counts =
      (first.text === 'filter' && word(r, bracket + 1) === 'where') ||
      (first.text === 'group' && word(r, i - 1) === 'within');
    if (counts) open.push({ close, steps: [], into, aggregate: true });
    return isQuery(r, bracket + 1, close) ? bracket - 1 : bracket;
  }
  const server = name.parts[0] === 'pg_catalog';
  const own = server ? name.parts[1] : simple ? name.parts[0] : undefined;
  if (own !== undefined && (server || isBuiltin(own))) {
    const steps = builtinSteps(r, own, name, close);
    if (own === 'cast') castIn(r, bracket, close, steps);
    open.push({ close, steps, into, aggregate: aggregate || (isAggregate(own) && !isWindow(r, close)) });
  } else if (name.name === null)
    open.push({ close, steps: [computedCall(r, name, bracket, close)], into, aggregate });
  else open.push({ close, steps: calls(r, name, bracket, close), into, aggregate });
  // An argument may be a sub-query without brackets of its own: f(ARRAY(SELECT …)), EXISTS(SELECT …).
  return isQuery(r, bracket + 1, close) ? bracket - 1 : bracket;
}

/** Whose name may be what a caller gave. */
function computedCall(r: Reader, name: Named, bracket: number, close: number): Step {
  const why = 'the name of the function is computed';
  const opaque: Step = { kind: 'opaque', at: at(r, name.from, bracket), why };
  const last = r.tokens[bracket - 1]!.text === HOLE ? at(r, bracket - 1, bracket).start : -1;
  const named = r.scope.named?.(last);
  if (named === undefined) return opaque;
  return { ...call(r, { ...name, name: 'sql:?' }, bracket, close), named, meanings: [{ steps: [opaque] }] };
}

/** `CAST(value AS type)` is `value::type`. */
function castIn(r: Reader, bracket: number, close: number, into: Step[]): void {
  let i = bracket + 1;
  while (i < close && word(r, i) !== 'as') i = r.tokens[i]!.text === '(' ? past(r, i) : i + 1;
  if (i < close) castStep(r, i === bracket + 2 ? i - 1 : bracket, i + 1, close, into);
}

function isWindow(r: Reader, close: number): boolean {
  let after = close + 1;
  if (isWords(r, after, 'within', 'group')) after = past(r, after + 2);
  if (word(r, after) === 'filter') after = past(r, after + 1);
  return word(r, after) === 'over';
}

/** Before a bracket these words are syntax and no function. */
const KEYWORDS = new Set(
  `and or not in like ilike any all some exists between array row case when then else end as on using over filter
   within group by where having limit offset select distinct values interval with union intersect except from join
   returning order window partition into for collate similar to cube rollup sets only lateral tablesample check
   default primary unique references foreign key constraint exclude include generated always stored virtual asc desc
   nulls do conflict null true false then if while loop elsif elseif return raise perform execute
   operator materialized recursive table columns path passing nested ordinality inherits no cross insert rows groups`.split(
    /\s+/,
  ),
);

export function isKeyword(r: Reader, i: number, text: string): boolean {
  if (text === 'set') return word(r, i - 1) === 'update';
  if (text === 'first' || text === 'next') return word(r, i - 1) === 'fetch';
  if (!KEYWORDS.has(text)) return false;
  return r.tokens[i - 1]?.text !== '.';
}

export function call(r: Reader, name: Named, bracket: number, close: number): Call {
  const step: Call = { kind: 'call', at: at(r, name.from, name.next), callee: name.name! };
  let end = close;
  for (let i = bracket + 1; i < close; i++) {
    if (mark(r, i) === '(' || mark(r, i) === '[') i = r.closes[i]!;
    else if (word(r, i) === 'variadic') return step;
    else if (isWords(r, i, 'order', 'by')) end = Math.min(end, i);
  }
  const all = split(r, bracket + 1, end);
  const args = all.filter(([from]) => !isNamed(r, from));
  step.args = args.length;
  if (args.length < all.length) {
    step.given = {};
    for (const [from] of all) if (isNamed(r, from)) step.given[identifier(r.tokens[from]!)] = 'something';
  }
  const handed = handedIn(r, bracket + 1, end);
  if (handed) step.given = { ...step.given, ...handed };
  const hands = namedIn(r, all);
  if (hands) step.hands = hands;
  if (all.some(([from]) => isNull(r, isNamed(r, from) ? from + 2 : from, close))) step.null = true;
  if (isConstant(r, bracket + 1, close)) step.constant = true;
  if (r.scope.same && isConstant(r, bracket + 1, close, r.scope.same)) step.own = true;
  schedules(r, name, all);
  // Who declares a function STABLE says so of all that it calls.
  const steps = ofExtension(name.parts, step.at) ?? (r.scope.refuses ? [] : null);
  if (steps) step.meanings = [{ steps }];
  const types = args.map(([from, to]) => literalType(r, from, to));
  if (types.some((type) => type !== null)) step.types = types;
  return step;
}

/** Nothing but literals, their types, the server's operators between them, and names of parameters. */
function isConstant(r: Reader, from: number, to: number, isSame?: (name: string) => boolean): boolean {
  for (let i = from; i < to; i++) {
    const { kind, text, quoted } = r.tokens[i]!;
    if (kind === 'string' || kind === 'dollar' || kind === 'number') continue;
    if (kind === 'operator' ? isBuiltinOperator(text) : text === ',' || text === '(' || text === ')')
      continue;
    if (kind !== 'word' || mark(r, i + 1, to) === '(') return false;
    const literal = !quoted && (text === 'null' || text === 'true' || text === 'false');
    if (literal || mark(r, i - 1) === '::' || isNamed(r, i)) continue;
    if (!isSame?.(identifier(r.tokens[i]!))) return false;
  }
  return true;
}

/** NULL, NULL::type, CAST(NULL AS type), as an argument that begins here. */
function isNull(r: Reader, from: number, close: number): boolean {
  if (word(r, from) === 'cast' && word(r, from + 2) === 'null') return word(r, from + 3) === 'as';
  if (word(r, from, close) !== 'null') return false;
  return from + 1 >= close || mark(r, from + 1) === ',' || mark(r, from + 1) === '::';
}

/** `name => value`, and as it was written once, `name := value`. */
const isNamed = (r: Reader, i: number) =>
  r.tokens[i]?.kind === 'word' && (mark(r, i + 1) === '=>' || mark(r, i + 1) === ':=');

/** What a quoted constant is until a parameter says more. */
const UNTYPED = 'unknown';

/** The type of an argument, as far as the text says it. */
function literalType(r: Reader, from: number, to: number): string | null {
  if (mark(r, to - 2) === '::') return typeText(r, to - 1, to);
  if (isArray(r, from) && r.closes[from + 1] === to - 1) return arrayType(r, from + 2, to - 1);
  const token = r.tokens[from]!;
  if (to === from + 3 && token.kind === 'word' && mark(r, from + 1) === '.')
    return fieldType(r, identifier(token), r.tokens[from + 2]!);
  if (to !== from + 1) return null;
  if (token.kind === 'string' || token.kind === 'dollar') return /^[bx]'/i.test(token.text) ? null : UNTYPED;
  if (token.kind === 'number') return /^\d+$/.test(token.text) ? 'integer' : 'numeric';
  if (token.kind === 'parameter') return r.scope.types?.get(token.text) ?? null;
  if (token.kind !== 'word') return null;
  if (token.quoted) return columnType(r, token);
  if (token.text === 'null') return UNTYPED;
  return token.text === 'true' || token.text === 'false' ? 'boolean' : columnType(r, token);
}

/** Of a variable, else of the column of the only relation in sight, as `table.column%type`: the table may stand elsewhere. */
function columnType(r: Reader, token: Token): string | null {
  const name = identifier(token);
  const type = r.scope.types?.get(name) ?? null;
  if (type !== null) return type;
  const level = r.levels[r.levels.length - 1];
  const row = r.scope.variables?.has(name) ? null : level?.aliases.get(name);
  if (row) return rowOf(row.slice(4));
  if (level?.aliases.size !== 1 || r.scope.variables?.has(name)) return null;
  const [relation] = level.aliases.values();
  return relation ? `${relation.slice(4)}.${name}%type` : null;
}

/** Of `variable.field` and `alias.column`. */
function fieldType(r: Reader, owner: string, field: Token): string | null {
  if (field.kind !== 'word') return null;
  const row = r.scope.types?.get(owner);
  if (row?.endsWith('%rowtype')) return `${row.slice(0, -8)}.${identifier(field)}%type`;
  for (let k = r.levels.length - 1; k >= 0; k--) {
    const relation = r.levels[k]!.aliases.get(owner);
    if (relation) return `${relation.slice(4)}.${identifier(field)}%type`;
    if (relation === null) return null;
  }
  return null;
}

const isArray = (r: Reader, i: number) => word(r, i) === 'array' && mark(r, i + 1) === '[';

/** Of elements that are all of one known type. */
function arrayType(r: Reader, from: number, to: number): string | null {
  const types = new Set(split(r, from, to).map(([a, b]) => (isArray(r, a) ? null : literalType(r, a, b))));
  const [type = null] = types;
  return types.size > 1 || type === null || type === UNTYPED || type.endsWith('[]') ? null : `${type}[]`;
}

/** An argument that is a set of rows calls the function for each of them. */
function calls(r: Reader, name: Named, bracket: number, close: number): Step[] {
  const one = call(r, name, bracket, close);
  if (!hasRowSet(r, bracket + 1, close)) return [one];
  const length = setLength(r, bracket + 1, close);
  return [{ kind: 'loop', at: one.at, over: 'query', ...length, body: [one] }];
}

/** A query in brackets in the place of a value has one row, or fails; not that of IN, ANY, ARRAY and their kin. */
function isScalar(r: Reader, bracket: number): boolean {
  let before = bracket - 1;
  while (mark(r, before) === '(') before--;
  if (r.tokens[before]?.kind !== 'word') return true;
  const last = word(r, before);
  return !OF_ROWS.has(last) && (before < bracket - 1 || NOT_COLUMNS.has(last));
}

const OF_ROWS = new Set(['in', 'any', 'some', 'all', 'exists', 'array', 'json_array']);

function subQuery(r: Reader, from: number, to: number, bag: Bag, into: Step[], perhaps: boolean): void {
  const result = query(r, from, to, false);
  const target = result.correlated ? into : (bag.apart ?? bag.once);
  for (const step of result.steps) {
    if (perhaps) needNotRun(step);
    target.push(step);
  }
}

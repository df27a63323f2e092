// Looks at a body's statements before they are lowered: its names, what a loop assigns, how often it turns, whether it only tries again.
import type { Loop } from '../../ir.ts';
import { type Apart, apart } from '../sql/queries/apart.ts';
import { lengthOfArray, rowsOfQuery } from '../sql/statement.ts';
import { identifier, type Token } from '../sql/text/lexer.ts';
import { numberOf } from '../sql/text/numbers.ts';
import type { Values } from '../sql/text/reader.ts';
import { rowOf, serversType } from '../sql/text/types.ts';
import { type Context, closing, find, type Held, mark, names, targetsOf, word } from './context.ts';
import { cursorOf } from './cursors.ts';
import type { BlockNode, LoopNode, PlainNode, Range, Statement } from './tree.ts';

/** The lists of statements that stand inside one. */
export function within(node: Statement): Statement[][] {
  if (node.kind === 'block')
    return [node.body, ...(node.exception?.handlers ?? []).map((handler) => handler.body)];
  if (node.kind === 'loop') return [node.body];
  return node.kind === 'plain' ? [] : node.arms.map((arm) => arm.body);
}

export function each(statements: Statement[], visit: (node: Statement) => void): void {
  for (const node of statements) {
    visit(node);
    for (const inner of within(node)) each(inner, visit);
  }
}

/** Variables, labels and cursors of the whole body, and what is known of them; a name that is there twice is not. */
export function collect(c: Context): void {
  const variables = c.scope.variables!;
  const fetched = new Set<string>();
  each(c.statements, (node) => {
    if ('label' in node && node.label !== undefined) variables.add(node.label);
    if (node.kind === 'loop')
      for (const name of names(c, node.targets)) {
        if (node.over.what === 'range') typed(c, name, 'integer');
        variables.add(name);
      }
    if (node.kind === 'plain') cursorUse(c, node, fetched);
    if (node.kind !== 'block') return;
    for (const one of node.declarations) {
      const again = variables.has(one.name);
      if (again) c.hidden.add(one.name);
      const type = typeOf(c, one.type);
      typed(c, one.name, type);
      variables.add(one.name);
      for (const parameter of one.cursor?.parameters ?? []) variables.add(parameter);
      if (one.cursor) c.cursors.set(one.name, { query: one.cursor.query, fetched: false, declared: true });
      c.arrays.delete(one.name);
      c.numbers.delete(one.name);
      c.truths.delete(one.name);
      c.dates.delete(one.name);
      if (!one.initial || again) continue;
      if (/^(?:date|timestamp)/.test(type ?? '')) c.dates.set(one.name, one.initial);
      if (mark(c, one.type.to - 1) === ']') c.arrays.set(one.name, one.initial);
      const number = literal(c, one.initial);
      if (number !== null) c.numbers.set(one.name, number);
      const said = one.initial.to === one.initial.from + 1 ? word(c, one.initial.from) : '';
      if (said === 'true' || said === 'false') c.truths.set(one.name, said === 'true');
    }
  });
  for (const name of fetched) c.cursors.set(name, { ...c.cursors.get(name), fetched: true });
}

/** What a variable is; of a name that stands for several of different types nothing is known. */
function typed(c: Context, name: string, type: string | null): void {
  const types = c.scope.types!;
  if (type !== null && (c.scope.variables!.has(name) ? types.get(name) === type : true))
    types.set(name, type);
  else types.delete(name);
}

/** One of the server's types that is one word, perhaps with a length; of another's column or row, `table.column%type`. */
function typeOf(c: Context, { from, to }: Range): string | null {
  const token = c.tokens[from];
  if (mark(c, to - 2) === '%' && to - 2 > from) {
    const parts = c.tokens
      .slice(from, to - 2)
      .map((one) => (one.kind === 'word' ? identifier(one) : one.text));
    return `${parts.join('')}%${word(c, to - 1)}`;
  }
  const whole = to === from + 1 || (mark(c, from + 1, to) === '(' && mark(c, to - 1) === ')');
  const own = whole && token?.kind === 'word' ? serversType(token.text) : null;
  const words = c.tokens.slice(from, to);
  if (own !== null || !words.every(({ kind, text }, i) => (i % 2 ? text === '.' : kind === 'word')))
    return own;
  return rowOf(words.map((one) => (one.kind === 'word' ? identifier(one) : one.text)).join(''));
}

function cursorUse(c: Context, node: PlainNode, fetched: Set<string>): void {
  if (node.verb === 'fetch' || node.verb === 'move') {
    const name = cursorOf(c, node);
    if (name !== null) fetched.add(name);
  } else if (node.verb === 'open' && node.to > node.from + 1) {
    const name = identifier(c.tokens[node.from + 1]!);
    c.opens.set(name, (c.opens.get(name) ?? 0) + 1);
    const query = find(c, { from: node.from + 2, to: node.to }, 'for');
    if (query < node.to && word(c, query + 1) !== 'execute')
      c.cursors.set(name, {
        query: { from: query + 1, to: node.to },
        fetched: false,
      });
  }
}

/** The variables that these statements may set, and whether they only append to them. */
export function assigned(c: Context, statements: Statement[]): Map<string, 'sets' | 'appends'> {
  return c.texts.size === 0 ? new Map() : sets(c, statements); // nobody asks
}

/** Whether a variable holds what it is declared with, all the time. */
export function stays(c: Context, name: string): boolean {
  c.set ??= new Set(sets(c, c.statements).keys());
  return !c.set.has(name);
}

export function sets(c: Context, statements: Statement[]): Map<string, 'sets' | 'appends'> {
  const out = new Map<string, 'sets' | 'appends'>();
  each(statements, (node) => {
    if (node.kind === 'loop') for (const name of names(c, node.targets)) out.set(name, 'sets');
    if (node.kind !== 'plain') return;
    if (node.verb === 'assign') {
      const name = identifier(c.tokens[node.from]!);
      if (!appends(c, node)) out.set(name, 'sets');
      else if (!out.has(name)) out.set(name, 'appends');
      // A block's label or a record may stand before it.
      if (mark(c, node.from + 1) === '.') out.set(identifier(c.tokens[node.from + 2]!), 'sets');
    } else if (node.verb === 'get' || node.verb === 'call') {
      for (let i = node.from; i < node.to; i++)
        if (c.tokens[i]!.kind === 'word') out.set(identifier(c.tokens[i]!), 'sets');
    } else {
      const into = targetsOf(c, node);
      if (into) for (const name of names(c, into)) out.set(name, 'sets');
    }
  });
  return out;
}

/** Which statements set what: a list of statements is gone over once, however many loops and exits ask. */
const settersIn = new WeakMap<Statement[], Map<string, Statement[]>>();

export function setters(c: Context, body: Statement[], name: string): Statement[] {
  const known = settersIn.get(body);
  if (known) return known.get(name) ?? [];
  const found = new Map<string, Statement[]>();
  settersIn.set(body, found);
  each(body, (node) => {
    if (node.kind !== 'plain') return;
    for (const one of sets(c, [node]).keys()) {
      const list = found.get(one);
      if (list) list.push(node);
      else found.set(one, [node]);
    }
  });
  return found.get(name) ?? [];
}

/** `a := a || …` */
function appends(c: Context, node: PlainNode): boolean {
  const [name, again] = [c.tokens[node.from]!, c.tokens[node.from + 2]];
  return again?.kind === 'word' && again.text === name.text && mark(c, node.from + 3) === '||';
}

// ---- loops -----------------------------------------------------------------------------------------------------

export type Turns = Pick<Loop, 'times' | 'atMost'>;

/** What queries of the body are told of variables. */
export const valuesIn = (c: Context, fired: boolean): Values => ({
  number: (name) => held(c, name),
  items: (name) => (c.scope.variables!.has(name) ? itemsOf(c, name) : { times: null }),
  given: (name) => givenAs(c, name),
  fired,
});

/** The parameter that a name stands for, itself or as the copy that a variable is. */
export function givenAs(c: Context, name: string): string | undefined {
  if (isGiven(c, name)) return name;
  if (!c.copies.has(name)) c.copies.set(name, copyOf(c, name));
  const own = c.copies.get(name);
  return own !== undefined && isGiven(c, own) ? own : undefined;
}

/** Whether a name is the routine's own parameter, and holds what the caller gave. */
export const isGiven = (c: Context, name: string): boolean =>
  c.parameters.has(name) && !c.hidden.has(name) && stays(c, name);

/** How often a loop over integers turns, where its bounds are written out. */
export function times(c: Context, over: Extract<LoopNode['over'], { what: 'range' }>): Turns {
  const low = bound(c, over.low);
  const high = bound(c, over.high);
  const by = over.by ? literal(c, over.by) : 1;
  if (by === null || by <= 0) return { times: null };
  if (low.times === null || high.times === null) {
    const far = farBetween(c, over);
    return { times: far && !far.name ? Math.max(0, Math.floor(far.plus / by) + 1) : null };
  }
  const [first, last] = over.reverse ? [high, low] : [low, high];
  if (first.atMost) return { times: null };
  const distance = last.times! - first.times!;
  return { ...last, times: distance < 0 ? 0 : Math.floor(distance / by) + 1 };
}

/** How far apart the bounds are where one is made of the other: `x .. x + 9`, `x .. x + n`. */
export function farBetween(
  c: Context,
  { low, high, reverse }: Extract<LoopNode['over'], { what: 'range' }>,
): Apart | null {
  const [first, last] = (reverse ? [high, low] : [low, high]).map((one) => textsOf(c, one));
  for (const from of first!)
    for (const to of last!) {
      const far = apart(from, to, (name) => held(c, name));
      if (far) return far;
    }
  return null;
}

/** What stands there, and what the variable holds that does, where nothing of it changes. */
function textsOf(c: Context, range: Range): Token[][] {
  const tokens = c.tokens.slice(range.from, range.to);
  if (tokens.length !== 1 || tokens[0]!.kind !== 'word') return [tokens];
  const { values, declared } = valuesOf(c, identifier(tokens[0]!));
  const value = declared === 1 && values.length === 1 && values[0];
  const words = value ? c.tokens.slice(value.from, value.to) : [];
  const changes = words.some((one) => one.kind === 'word' && !isOfOneValue(c, identifier(one)));
  return value && !changes ? [tokens, words] : [tokens];
}

function isOfOneValue(c: Context, name: string): boolean {
  if (!c.scope.variables!.has(name) || stays(c, name)) return true;
  return !c.parameters.has(name) && valuesOf(c, name).values.length === 1;
}

/** A number, or the bounds of an array whose length is known: `array_length(a, 1)`. */
function bound(c: Context, { from, to }: Range): Turns {
  const number = mostOf(c, { from, to });
  const array = number.times === null ? lengthOf(c, { from, to }) : null;
  const count = array ? turnsOver(c, array) : number;
  return count.times !== null && word(c, from) === 'array_lower' ? { times: 1 } : count;
}

/** A number, or what is no greater than one: `least(n, 50)`, a parameter of which the head of the routine turns more away. */
function mostOf(c: Context, { from, to }: Range, held = false): Turns {
  const times = literal(c, { from, to });
  if (times !== null) return { times };
  const name = to === from + 1 && c.tokens[from]?.kind === 'word' ? identifier(c.tokens[from]!) : null;
  if (name !== null) {
    const most = isGiven(c, name) ? c.refused?.numbers.get(name) : undefined;
    if (most !== undefined) return { times: most, atMost: true };
    const { values, declared } = held ? NO_VALUES : valuesOf(c, name);
    const [value, ...others] = values;
    return declared === 1 && others.length === 0 && value ? mostOf(c, value, true) : { times: null };
  }
  if (word(c, from) !== 'least' || mark(c, from + 1) !== '(' || closing(c, from + 1, to) !== to - 1)
    return { times: null };
  let most: number | null = null;
  for (let at = from + 2; at < to - 1; ) {
    let end = at;
    while (end < to - 1 && mark(c, end) !== ',')
      end = mark(c, end) === '(' ? closing(c, end, to) + 1 : end + 1;
    const one = literal(c, { from: at, to: end });
    if (one !== null) most = Math.min(most ?? one, one);
    at = end + 1;
  }
  return most === null ? { times: null } : { times: most, atMost: true };
}

const NO_VALUES: Held = { values: [], declared: 0 };

/** The array whose length or bound this is: `cardinality(a)`, `array_length(a, 1)`, or a variable that holds such alone. */
export function lengthOf(c: Context, { from, to }: Range, held = false): Range | null {
  if (to === from + 1 && !held && c.tokens[from]?.kind === 'word') {
    const { values, declared } = valuesOf(c, identifier(c.tokens[from]!));
    const [value, ...others] = values;
    return declared === 1 && others.length === 0 && value ? lengthOf(c, value, true) : null;
  }
  if (mark(c, from + 1) !== '(' || mark(c, to - 1) !== ')') return null;
  if (
    word(c, from) === 'coalesce' &&
    mark(c, to - 3) === ',' &&
    literal(c, { from: to - 2, to: to - 1 }) === 0
  )
    return lengthOf(c, { from: from + 2, to: to - 3 }, true);
  if (word(c, from) === 'cardinality') return { from: from + 2, to: to - 1 };
  const first = mark(c, to - 3) === ',' && literal(c, { from: to - 2, to: to - 1 }) === 1;
  return first && BOUNDS.has(word(c, from)) ? { from: from + 2, to: to - 3 } : null;
}

const BOUNDS = new Set(['array_length', 'array_upper', 'array_lower']);

/** How many elements an array has that is put in a variable. */
const elements = (c: Context, { from, to }: Range): Turns =>
  lengthOfArray(c.source, c.tokens.slice(from, to), c.scope);

/** How often FOREACH turns: over what is written out, or over a variable that only ever holds such arrays. */
export function turnsOver(c: Context, array: Range): Turns {
  const token = c.tokens[array.from];
  return array.to === array.from + 1 && token?.kind === 'word'
    ? itemsOf(c, identifier(token))
    : lengthOfArray(c.source, c.tokens.slice(array.from, array.to), c.scope);
}

/** How many elements a variable holds, once somebody asked; none says so of itself. */
function itemsOf(c: Context, name: string): Turns {
  let turns = c.items.get(name);
  if (turns) return turns;
  c.items.set(name, { times: null });
  const declared = stays(c, name) ? c.arrays.get(name) : undefined;
  turns = declared ? elements(c, declared) : { times: null };
  const refused = isGiven(c, name) ? c.refused?.items.get(name) : undefined;
  const most = turns.times === null ? (longest(c, name) ?? refused ?? null) : null;
  if (most !== null) turns = { times: most, atMost: true };
  c.items.set(name, turns);
  return turns;
}

/** The most elements of all arrays that are put in a variable; null where the length of one of them is not known. */
function longest(c: Context, name: string): number | null {
  const { values, declared } = valuesOf(c, name);
  const lengths = values.map((value) => (value ? elements(c, value).times : null));
  return declared === 1 && lengths.length > 0 && lengths.every((one) => one !== null)
    ? Math.max(...lengths)
    : null;
}

/** All that is put in a variable, undefined where that is no expression of its own, and how often it is declared. */
export function valuesOf(c: Context, name: string): Held {
  c.held ??= heldIn(c);
  return c.held.get(name) ?? NO_VALUES;
}

/** The statements are gone over once, however many variables are asked for. */
function heldIn(c: Context): Map<string, Held> {
  const out = new Map<string, Held>();
  const of = (name: string): Held => {
    const one = out.get(name) ?? { values: [], declared: 0 };
    out.set(name, one);
    return one;
  };
  each(c.statements, (node) => {
    if (node.kind === 'loop') for (const name of names(c, node.targets)) of(name).values.push(undefined);
    if (node.kind === 'block')
      for (const { name, initial, type } of node.declarations) {
        const one = of(name);
        one.declared++;
        if (initial) one.values.push(initial);
        else if (word(c, type.from + 1) === 'alias')
          one.values.push({ from: type.from + 3, to: type.from + 4 });
      }
    if (node.kind !== 'plain') return;
    const whole = node.verb === 'assign' && /^:?=$/.test(mark(c, node.from + 1));
    for (const name of sets(c, [node]).keys())
      of(name).values.push(whole ? { from: node.from + 2, to: node.to } : undefined);
  });
  return out;
}

/** What a variable is another name of: it is all that it ever holds. */
export function copyOf(c: Context, name: string): string | undefined {
  if (!c.scope.variables!.has(name)) return undefined;
  const { values, declared } = valuesOf(c, name);
  const [value, ...others] = values;
  if (declared !== 1 || others.length > 0 || !value || value.to !== value.from + 1) return undefined;
  const token = c.tokens[value.from]!;
  return token.kind === 'word' ? identifier(token) : token.kind === 'parameter' ? token.text : undefined;
}

/** LIMIT 10 gives ten rows, or fewer; VALUES and a series of constants as many as they say. */
export function rows(c: Context, query: Range): ReturnType<typeof rowsOfQuery> {
  const limit = find(c, query, 'limit');
  const end = find(c, { from: limit + 1, to: query.to }, 'offset', 'for');
  const { times } = limit < query.to ? mostOf(c, { from: limit + 1, to: end }) : { times: null };
  if (times !== null) return { times, atMost: true };
  const found = rowsOfQuery(c.source, c.tokens.slice(query.from, query.to), c.scope);
  const few = found.times === null ? rowsOfTable(c, query) : undefined;
  return few === undefined ? found : { ...found, times: few, atMost: true };
}

/** Of one table, of whose rows the head of the routine turns more away. */
function rowsOfTable(c: Context, query: Range): number | undefined {
  if (!c.refused?.rows.size || word(c, query.from) !== 'select') return undefined;
  const from = find(c, query, 'from');
  const end = find(c, { from: from + 1, to: query.to }, 'where', 'order', 'for');
  let next = from + 2;
  while (mark(c, next, end) === '.') next += 2;
  const table = c.tokens.slice(from + 1, next).map(({ text }) => text.toLowerCase());
  const isAlone = next === end || (c.tokens[end - 1]?.kind === 'word' && end <= next + 2);
  return isAlone ? c.refused.rows.get(table.join('')) : undefined;
}

/** What a condition is that is written out: `false`, `NOT true`, `1 = 0`, a variable that holds such all the time. */
export function truthOf(c: Context, { from, to }: Range): boolean | null {
  if (mark(c, from) === '(' && mark(c, to - 1) === ')' && to - from < 6)
    return truthOf(c, { from: from + 1, to: to - 1 });
  if (word(c, from) === 'not') {
    const inner = truthOf(c, { from: from + 1, to });
    return inner === null ? null : !inner;
  }
  if (to === from + 1) {
    const said = word(c, from);
    if (said === 'true' || said === 'false') return said === 'true';
    const token = c.tokens[from]!;
    const name = token.kind === 'word' ? identifier(token) : '';
    return c.truths.has(name) && stays(c, name) ? c.truths.get(name)! : null;
  }
  const sign = mark(c, from + 1);
  const [left, right] = [literal(c, { from, to: from + 1 }), literal(c, { from: from + 2, to })];
  return left !== null && right !== null && Object.hasOwn(COMPARE, sign) ? COMPARE[sign]!(left, right) : null;
}

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  '=': (a, b) => a === b, '<>': (a, b) => a !== b, '!=': (a, b) => a !== b, '<': (a, b) => a < b, '>': (a, b) => a > b,
  '<=': (a, b) => a <= b, '>=': (a, b) => a >= b,
}; // biome-ignore format: a table

/** A number that is written out, or computed of such and of variables that hold one all the time. */
export const literal = (c: Context, { from, to }: Range): number | null =>
  numberOf(c.tokens, from, to, (name) => held(c, name));

/** The number that a variable holds all the time. */
export function held(c: Context, name: string): number | null {
  const number = c.numbers.get(name);
  return number === undefined || !stays(c, name) ? null : number;
}

/**
 * A loop that only tries again: its turn ends in a block with handlers, and when that block succeeds the loop is left.
 * Such subtransactions do not pile up, for each that failed is rolled back.
 */
export function leaves(c: Context, node: LoopNode): boolean {
  const k = node.body.findIndex((one) => one.kind === 'block' && one.exception);
  if (k < 0) return false;
  const block = node.body[k] as BlockNode;
  if (departs(c, block.body[block.body.length - 1]) || departs(c, node.body[k + 1])) return true;
  if (departsWhereFound(c, ...block.body.slice(-2))) return true;
  return flags(c, block.body).some(
    (flag) => departsWhen(c, node.body[k + 1], flag) || runsWhileNot(c, node, flag),
  );
}

/** Whether any way through the body of a loop leads out of it before its rows are at an end. */
export const mayLeave = (c: Context, body: Statement[], inner = false): boolean =>
  body.some((node) => {
    if (node.kind !== 'plain')
      return within(node).some((one) => mayLeave(c, one, inner || node.kind === 'loop'));
    if (node.verb !== 'exit' && node.verb !== 'continue') return node.verb === 'return';
    const labelled = find(c, node, 'when') > node.from + 1;
    return labelled || (node.verb === 'exit' && !inner);
  });

/** Whether the first turn of a loop is its last one: nothing goes on with another. */
export function leftAtOnce(c: Context, { body }: LoopNode): boolean {
  if (!departs(c, body[body.length - 1])) return false;
  let goesOn = false;
  each(body, (node) => {
    goesOn ||= node.kind === 'plain' && node.verb === 'continue';
  });
  return !goesOn;
}

/** RETURN, and EXIT without a condition that may not hold. */
function departs(c: Context, node: Statement | undefined): boolean {
  if (node?.kind === 'block' && !node.exception) return departs(c, node.body[node.body.length - 1]);
  if (node?.kind !== 'plain') return false;
  if (node.verb !== 'exit') return node.verb === 'return';
  const when = find(c, node, 'when');
  return when >= node.to || truthOf(c, { from: when + 1, to: node.to }) === true;
}

/** `INSERT …; IF FOUND THEN RETURN`, of what is written out: then a row is there, or an error. */
function departsWhereFound(c: Context, insert?: Statement, node?: Statement): boolean {
  if (node?.kind !== 'if' || insert?.kind !== 'plain' || word(c, insert.from) !== 'insert') return false;
  const { condition, body } = node.arms[0]!;
  const found = condition?.to === condition!.from + 1 && word(c, condition!.from) === 'found';
  const mayBeNone = find(c, insert, 'from', 'where', 'conflict', 'limit', 'with', 'having') < insert.to;
  return found && !mayBeNone && departs(c, body[body.length - 1]);
}

/** The variables that the block sets to true when it succeeds: `done := true`. */
function flags(c: Context, body: Statement[]): string[] {
  return body.flatMap((node) =>
    node.kind === 'plain' &&
    node.verb === 'assign' &&
    node.to === node.from + 3 &&
    word(c, node.to - 1) === 'true'
      ? [c.tokens[node.from]!.text]
      : [],
  );
}

/** `EXIT WHEN done`, `IF done THEN EXIT` */
function departsWhen(c: Context, node: Statement | undefined, flag: string): boolean {
  if (node?.kind === 'plain')
    return node.verb === 'exit' && node.to === node.from + 3 && word(c, node.to - 1) === flag;
  if (node?.kind !== 'if') return false;
  const { condition, body } = node.arms[0]!;
  return (
    condition?.to === condition!.from + 1 &&
    word(c, condition!.from) === flag &&
    departs(c, body[body.length - 1])
  );
}

/** `WHILE NOT done LOOP` */
function runsWhileNot(c: Context, node: LoopNode, flag: string): boolean {
  if (node.over.what !== 'condition') return false;
  const { from, to } = node.over.condition;
  for (let i = from; i + 1 < to; i++) if (word(c, i) === 'not' && word(c, i + 1) === flag) return true;
  return false;
}

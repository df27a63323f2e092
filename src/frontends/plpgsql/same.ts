// What is the same in each turn of a routine's loops, or runs in one of them alone. Not what it is.
import type { Block, Branch, Name, Step } from '../../ir.ts';
import { isLiteral, valueIn } from '../sql/queries/predicate.ts';
import { identifier } from '../sql/text/lexer.ts';
import { type Context, find, mark, nameAt, type Turning, word } from './context.ts';
import { type Every, turnsBetween } from './every.ts';
import { onlyFailed } from './failed.ts';
import { growth } from './growth.ts';
import { each, isGiven, literal, setters } from './survey.ts';
import type { ChoiceNode, LoopNode, Range, Statement } from './tree.ts';
import { conjuncts, signAt } from './turns.ts';

/** Parameters hold in each turn what the caller gave; nothing else is known to. */
export function inTurns<T>(c: Context, body: () => T): T {
  const before = c.scope.same;
  c.scope.same = (name) => isGiven(c, name);
  const found = body();
  c.scope.same = before;
  return found;
}

/**
 * It locks rows that constants or parameters name, and does nothing else. What the transaction holds is locked again for
 * nothing, so each of them counts once: those of constants for whoever comes, those of parameters in each turn of a loop
 * of the routine.
 */
export function locksAlone(c: Context, body: Step[]): Block['once'] {
  const locked = new Set<Name | null>();
  let constant = true;
  for (const step of body)
    if (step.kind === 'row lock' && !step.skipLocked && step.keys?.every((key) => isSame(c, valueIn(key)))) {
      locked.add(step.relation);
      constant &&= step.keys.length > 0 && step.keys.every((key) => isLiteral(valueIn(key)));
    } else if (step.kind !== 'read') return undefined;
  if (locked.size === 0 || body.some((step) => step.kind === 'read' && !locked.has(step.relation)))
    return undefined;
  return constant ? 'ever' : c.around.some(({ turns }) => turns) ? 'in loop' : true;
}

/** Of `id=7`, `id=_id`, and the variable by itself beside it. */
const isSame = (c: Context, value: string): boolean => isLiteral(value) || isGiven(c, value);

/**
 * The arm of `IF i = 3`, `IF i IN (3, 4)` or `CASE i WHEN 3` runs in so many turns of the loop that counts by `i`, that of
 * `IF r.name = 'a'` for one of its rows, and that of `IF first` in one turn where it says that this was the first.
 */
export function inSomeTurns(
  c: Context,
  node: ChoiceNode,
  arm: ChoiceNode['arms'][number],
  steps: Step[],
): Step[] {
  const loop = turning(c);
  const { condition } = arm;
  if (!loop || !condition || steps.length === 0) return steps;
  const turns =
    node.kind === 'case' && node.on.to > node.on.from
      ? isOf(c, node.on.from, loop) === node.on.to
        ? literals(c, condition)
        : null
      : turnsOf(c, condition, loop, arm.body);
  return inSome(turns, steps);
}

export const turning = (c: Context): Turning | undefined => c.around.findLast(({ turns }) => turns)?.turns;

/** Where all of several conditions must hold, the one that holds least often. */
function turnsOf(
  c: Context,
  condition: Range,
  loop: Turning,
  arm: Statement[],
  contrary = false,
): number | null {
  const all = conjuncts(c, condition);
  // Where one of several does not hold, others may.
  if (contrary && all.length > 1) return null;
  const turns = all.flatMap((one) => turnsWhere(c, one, loop, arm, contrary) ?? []);
  return turns.length > 0 ? Math.min(...turns) : null;
}

function inSome(turns: number | null, steps: Step[]): Step[] {
  if (turns === null || steps.length === 0) return steps;
  const { at } = steps[0]!;
  const body: Step[] =
    turns === 1 ? steps : [{ kind: 'loop', at, over: 'items', times: turns, atMost: true, body: steps }];
  return [{ kind: 'block', at, once: 'in loop', body }];
}

/** What stands behind a CONTINUE runs in the turns in which its condition does not hold. */
export interface Rest {
  condition: Range;
  statements: Statement[];
  /** In so many turns at most. */
  turns: number | null;
  /** In one of so many. */
  every: Every | null;
  /** Only where something failed. */
  failed: boolean;
}

/** Behind `CONTINUE WHEN i % 100 <> 0`, `IF i <> 5 THEN CONTINUE; END IF`, where it is known how often that is. */
export function behind(c: Context, { body, label }: LoopNode, k: number): Rest | null {
  const loop = turning(c);
  const condition = loop ? passesOver(c, body[k]!, label) : null;
  if (!condition) return null;
  const statements = body.slice(k + 1);
  const turns = turnsOf(c, condition, loop!, statements, true);
  const every = turnsBetween(c, condition, statements, loop, true);
  const failed = onlyFailed(c, condition, body[k]!, statements, loop, true);
  const isKnown = turns !== null || every !== null || failed;
  return isKnown ? { condition, statements, turns, every, failed } : null;
}

/** As the arm of a branch. */
export const armOf = ({ turns, every, failed }: Rest, at: Branch['at'], steps: Step[]): Branch => ({
  kind: 'branch',
  at,
  arms: [inSome(turns, steps)],
  exhaustive: false,
  ...every,
  ...(failed && { failed }),
});

function passesOver(c: Context, node: Statement, loop: string | undefined): Range | null {
  const isOurs = (from: number, to: number) =>
    to === from + 1 || (to === from + 2 && nameAt(c, from + 1) === (loop ?? null));
  if (node.kind === 'plain' && node.verb === 'continue') {
    const when = find(c, node, 'when');
    return when < node.to && isOurs(node.from, when) ? { from: when + 1, to: node.to } : null;
  }
  if (node.kind !== 'if' || node.arms.length > 1) return null;
  const [{ condition, body }] = node.arms as [ChoiceNode['arms'][number]];
  const [one, ...others] = body;
  const passes = one?.kind === 'plain' && one.verb === 'continue' && isOurs(one.from, one.to);
  return condition && passes && others.length === 0 ? condition : null;
}

/** In how many turns at most it holds. */
function turnsWhere(
  c: Context,
  { from, to }: Range,
  loop: Turning,
  arm: Statement[],
  contrary: boolean,
): number | null {
  const end = isOf(c, from, loop);
  const sign = end === null ? '' : signAt(c, end, contrary);
  if (sign === '=') return isConstant(c, { from: end! + 1, to }) ? 1 : null;
  if (end === from + 1 && /^[<>]=?$/.test(sign)) return turnsBeside(c, sign, { from: end + 1, to }, loop);
  const list = end !== null && contrary && word(c, end) === 'not' ? end + 1 : end;
  const among = list !== null && list > end! === contrary && word(c, list) === 'in';
  if (among && mark(c, list + 1) === '(' && mark(c, to - 1) === ')')
    return literals(c, { from: list + 2, to: to - 1 });
  return isFirst(c, { from, to }, loop, arm, contrary) || isPassed(c, { from, to }, loop, contrary)
    ? 1
    : null;
}

/** `n = 50` of a counter that each turn moves and nothing sets back. */
function isPassed(c: Context, { from, to }: Range, loop: Turning, contrary: boolean): boolean {
  if (signAt(c, from + 1, contrary) !== '=' || literal(c, { from: from + 2, to }) === null) return false;
  const name = nameAt(c, from);
  const grows = name === null ? null : growth(c, loop.body, name);
  return grows?.sure === true && grows.starts === 0;
}

/** `i <= 7`, of those from 1 on. */
function turnsBeside(c: Context, sign: string, range: Range, { least, most }: Turning): number | null {
  const [limit, first, last] = [range, least, most].map((one) => one && literal(c, one));
  const [from, to] = sign[0] === '<' ? [first, limit] : [limit, last];
  if (from == null || to == null) return null;
  return Math.max(0, to - from + (sign.length === 1 ? 0 : 1));
}

/** Where the name ends of what each turn has another value of: what the loop counts by, what its rows are called. */
function isOf({ tokens }: Context, i: number, { counter, row }: Turning): number | null {
  const [name, dot, column] = tokens
    .slice(i, i + 3)
    .map((token) => (token.kind === 'word' ? identifier(token) : token.text));
  if (name === undefined) return null;
  if (name === counter) return i + 1;
  return name === row && dot === '.' && column !== undefined && NAMES_ONE.test(column) ? i + 3 : null;
}

/** What people and wares are called many share; what the catalog names, and who has an account, not. */
const NAMES_ONE =
  /^(?:id|uuid|oid|slug|code|name|(?:table|rel|schema|nsp|column|att|index|type|pro|con|tg|constraint|trigger|function|routine|view|sequence|partition|user|rol|file|field|key)_?name)$/;

/** How many there are between commas, where all are written out. */
function literals(c: Context, { from, to }: Range): number | null {
  let count = 0;
  for (let at = from; at < to; count++) {
    let end = at;
    while (end < to && mark(c, end) !== ',') end++;
    if (!isConstant(c, { from: at, to: end })) return null;
    at = end + 1;
  }
  return count;
}

const isConstant = (c: Context, range: Range): boolean =>
  literal(c, range) !== null || (range.to === range.from + 1 && c.tokens[range.from]?.kind === 'string');

/** `IF first THEN … first := false`, `IF NOT done THEN … done := true`, `IF id IS NULL THEN … RETURNING id INTO id`: nothing else in the loop sets it. */
function isFirst(
  c: Context,
  { from, to }: Range,
  loop: Turning,
  arm: Statement[],
  contrary: boolean,
): boolean {
  const negated = word(c, from) === 'not';
  const not = negated !== contrary;
  const at = negated ? from + 1 : from;
  const token = c.tokens[at];
  if (token?.kind !== 'word') return false;
  const name = identifier(token);
  const rest = c.tokens
    .slice(at + 1, to)
    .map(({ text }) => text.toLowerCase())
    .join(' ');
  const asks =
    rest === ''
      ? not
        ? 'true'
        : 'false'
      : negated
        ? undefined
        : (contrary ? ASKS_CONTRARY : ASKS).get(rest);
  const own = asks === undefined ? [] : setters(c, arm, name);
  return (
    own.length > 0 &&
    own.length === setters(c, loop.body, name).length &&
    own.every((one) => says(c, one, asks!)) &&
    !declares(loop.body, name)
  );
}

/** Each turn has another one of its own. */
function declares(body: Statement[], name: string): boolean {
  let is = false;
  each(body, (node) => {
    is ||= node.kind === 'block' && node.declarations.some((one) => one.name === name);
  });
  return is;
}

/** What ends it, by what stands behind the name. */
const ASKS = new Map([
  ['is null', 'a value'],
  ['= false', 'true'],
  ['= true', 'false'],
  ['is not true', 'true'],
  ['is true', 'false'],
]);

/** The same of where it does not hold. */
const ASKS_CONTRARY = new Map([
  ['is not null', 'a value'],
  ['= true', 'true'],
  ['= false', 'false'],
  ['is true', 'true'],
  ['is not true', 'false'],
]);

function says(c: Context, one: Statement, what: string): boolean {
  if (one.kind !== 'plain') return false;
  if (one.verb !== 'assign') return what === 'a value';
  const said = word(c, one.from + 2);
  return one.to === one.from + 3 && /^(?:true|false|null)$/.test(said) ? said === what : what === 'a value';
}

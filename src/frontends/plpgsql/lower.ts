// Lowers PL/pgSQL statements to steps: blocks, loops, branches and exits here, what is inside of them through SQL.
import { type Branch, type Exit, type Handler, RESULT, type Step } from '../../ir.ts';
import type { Source } from '../source.ts';
import { identifier } from '../sql/text/lexer.ts';
import { type SqlScope, scopeWith } from '../sql/text/reader.ts';
import { allOn } from '../sql/text/switched.ts';
import type { Body } from './body.ts';
import { chunkOf } from './chunks.ts';
import {
  at,
  bind,
  type Context,
  conditionOf,
  contextOf,
  expression,
  find,
  mark,
  names,
  sql,
  targetsOf,
  word,
} from './context.ts';
import { cursorLoop, fetchCursor, fewer, firstRows, openCursor } from './cursors.ts';
import { decidedIn } from './decides.ts';
import { isOutermost, settingFor } from './depth.ts';
import { checkOf, takes, takesRow } from './domains.ts';
import {
  assignText,
  elementTexts,
  executeParts,
  forget,
  handsOn,
  merge,
  refuse,
  rowsOfText,
  runText,
  selectTexts,
  split,
} from './dynamic.ts';
import { type Every, turnsBetween } from './every.ts';
import { onlyFailed } from './failed.ts';
import { filledWith, makesTemporary } from './filled.ts';
import { askedOf } from './fired.ts';
import { asksHowItWent, asksWhich, doesNoMore, section } from './handlers.ts';
import { whereNone } from './missing.ts';
import { parse } from './parse.ts';
import { raise, raising } from './raise.ts';
import { refusedAtHead } from './refused.ts';
import { givesRows, result } from './results.ts';
import { columnsSet } from './row.ts';
import { armOf, behind, inSomeTurns, inTurns, locksAlone, turning } from './same.ts';
import {
  assigned,
  collect,
  leaves,
  leftAtOnce,
  mayLeave,
  times,
  truthOf,
  turnsOver,
  valuesIn,
} from './survey.ts';
import type { BlockNode, ChoiceNode, Declaration, LoopNode, PlainNode, Range, Statement } from './tree.ts';
import { counted, eachOf, endedEarly, leftBefore, rowsUpTo } from './turns.ts';
import { unknownTo } from './unknown.ts';
import { wordsOf } from './values.ts';
import { called, holdsElements, next, renew, together } from './versions.ts';

export function lowerPlpgsql(source: Source, scope: SqlScope): Body {
  const { tokens, statements, tooDeep } = parse(source.text);
  const own = scopeWith(
    scope,
    new Set(scope.variables).add('found').add('sqlstate').add('sqlerrm'),
    new Map(scope.types),
  );
  const c = contextOf(source, tokens, own, statements, scope.variables);
  c.scope.switched ??= allOn();
  c.scope.called = (name) => called(c, name);
  c.scope.next = (name) => next(c, name);
  collect(c);
  c.refused = refusedAtHead(c);
  const filled = makesTemporary(source.text) && { filled: (table: string) => filledWith(c, table) };
  c.scope.values = { ...valuesIn(c, scope.fires !== undefined), ...filled };
  handsOn(c, scope.given);
  const steps = list(c, statements);
  if (c.results.size > 0) givesRows(steps, c.results);
  if (scope.fires) {
    const setting = settingFor(c, statements);
    const outermost = isOutermost(c, statements);
    Object.assign(scope.fires, { sets: columnsSet(c), outermost, ...(setting && { setting }) });
  }
  if (tooDeep)
    c.problems.push({ at: at(c, 0), message: 'blocks are nested more deeply than is read', partial: true });
  return { steps, problems: c.problems };
}

function list(c: Context, statements: Statement[]): Step[] {
  const out: Step[] = [];
  c.before = null;
  for (const one of statements) {
    const steps = statement(c, one);
    for (const step of steps) out.push(step);
    const asks = one.kind === 'plain' && (one.verb === 'perform' || word(c, one.from) === 'select');
    c.before = asks ? { query: one, reads: steps } : null;
  }
  return out;
}

function statement(c: Context, node: Statement): Step[] {
  switch (node.kind) {
    case 'block':
      return block(c, node);
    case 'loop':
      return loop(c, node);
    case 'if':
    case 'case':
      return choice(c, node);
    case 'plain':
      return plain(c, node);
  }
}

// ---- blocks ----------------------------------------------------------------------------------------------------

/** Defaults run before the subtransaction begins, handlers after it has ended: both in the parent. */
function block(c: Context, node: BlockNode): Step[] {
  const outside = c.checks;
  if (node.declarations.length > 0) c.checks = new Map(outside);
  const steps = node.declarations.flatMap((one) => declaration(c, one));
  if (node.label !== undefined) c.around.push({ label: node.label });
  if (node.exception) steps.push(...guarded(c, node, node.exception));
  else for (const step of list(c, node.body)) steps.push(step);
  c.checks = outside;
  if (node.label === undefined) return steps;
  c.around.pop();
  return [{ kind: 'block', at: at(c, node.at), label: node.label, body: steps }];
}

function guarded(c: Context, node: BlockNode, exception: NonNullable<BlockNode['exception']>): Step[] {
  const before = new Map(c.texts);
  c.guards.push(exception.handlers.flatMap(({ conditions }) => conditions));
  const body = list(c, node.body);
  c.guards.pop();
  if (asksHowItWent(c, exception.to ?? exception.at))
    for (const step of body) if (step.kind === 'write') delete step.last;
  const after = c.texts;
  // A handler may start after any of the body's statements.
  const set = assigned(c, node.body);
  c.texts = forget(before, set);
  const within = c.texts;
  const { versions } = c;
  const ways = [after];
  const handlers = exception.handlers.map((handler): Handler => {
    c.texts = new Map(within);
    c.versions = new Map(versions);
    renew(c, set.keys());
    const body = list(c, handler.body);
    if (!isLeft(body)) ways.push(c.texts);
    return {
      at: at(c, handler.at.from, handler.at.to),
      catches: handler.conditions,
      body,
      ...doesNoMore(c, handler.body),
      ...asksWhich(c, handler.body),
    };
  });
  c.texts = merge(ways);
  c.versions = versions;
  const scope: Step = {
    kind: 'scope',
    opens: 'subtransaction',
    whenNested: 'savepoint',
    label: 'EXCEPTION block',
    at: at(c, exception.at),
    ...(exception.to === undefined ? {} : { section: section(c, exception.at, exception.to) }),
    ...(node.body.length === 1 && { single: true as const }),
    handlers,
    body,
  };
  const once = locksAlone(c, body);
  return [once ? { kind: 'block', at: scope.at, once, body: [scope] } : scope];
}

function declaration(c: Context, one: Declaration): Step[] {
  c.texts.delete(one.name);
  const check = checkOf(c, one.type);
  if (check) c.checks.set(one.name, check);
  else c.checks.delete(one.name);
  const taken = takes(c, one.name, one.initial);
  if (!one.initial) return taken;
  assignText(c, one.name, one.initial);
  return [...bind(expression(c, one.initial), renew(c, [one.name])), ...taken];
}

// ---- loops and branches ----------------------------------------------------------------------------------------

function loop(c: Context, node: LoopNode): Step[] {
  const { over } = node;
  const set = assigned(c, node.body);
  c.texts = forget(c.texts, set);
  renew(c, set.keys());
  const targets = names(c, node.targets);
  const base = {
    kind: 'loop' as const,
    at: at(c, node.at),
    ...(node.label !== undefined && { label: node.label }),
  };
  const body = () => {
    const before = c.texts;
    c.texts = new Map(before);
    const counter = over.what === 'range' ? targets[0] : undefined;
    const row = over.what === 'range' || over.what === 'array' || targets.length > 1 ? undefined : targets[0];
    const [least, most] =
      over.what !== 'range' ? [] : over.reverse ? [over.high, over.low] : [over.low, over.high];
    const by = over.what === 'range' ? over.by : undefined;
    c.around.push({ label: node.label, turns: { body: node.body, counter, by, least, most, row } });
    const steps = inTurns(c, () => turn(c, node));
    c.around.pop();
    c.texts = before;
    return steps;
  };
  const again = leaves(c, node) ? 'retry' : undefined;
  switch (over.what) {
    case 'nothing':
    case 'condition': {
      const turns = counted(c, node);
      const asks = over.what === 'condition' ? conditionOf(c, over.condition) : [];
      return [
        {
          ...base,
          over: again ?? 'unknown',
          ...turns,
          ...chunkOf(c, node, turns),
          body: [...asks, ...body()],
        },
      ];
    }
    case 'range': {
      const bounds = [over.low, over.high, ...(over.by ? [over.by] : [])].flatMap((bound) =>
        expression(c, bound),
      );
      const turns = endedEarly(c, node, leftBefore(c, node, over, times(c, over)));
      return [
        ...bounds,
        {
          ...base,
          over: again ?? 'range',
          ...turns,
          ...eachOf(c, over, turns),
          ...chunkOf(c, node, turns),
          body: body(),
        },
      ];
    }
    case 'array': {
      elementTexts(c, over.array, targets);
      const turns = endedEarly(c, node, turnsOver(c, over.array));
      const given = expression(c, over.array);
      holdsElements(c, targets, wordsOf(c, over.array));
      return [...given, { ...base, over: 'items', ...turns, ...eachOf(c, over, turns), body: body() }];
    }
    case 'query': {
      selectTexts(c, over.query, targets);
      return [
        ...asFarAs(
          c,
          node,
          bind(leftAtOnce(c, node) ? firstRows(c, over.query) : sql(c, over.query), renew(c, targets)),
        ),
        {
          ...base,
          over: 'rows',
          ...endedEarly(c, node, rowsUpTo(c, over.query)),
          body: [...takesRow(c, over.query, targets), ...body()],
        },
      ];
    }
    case 'execute':
      return [
        ...asFarAs(c, node, bind(execute(c, over.query), renew(c, targets))),
        {
          ...base,
          over: 'rows',
          ...endedEarly(c, node, rowsOfText(c, executeParts(c, over.query))),
          body: body(),
        },
      ];
    case 'cursor': {
      const query = c.cursors.get(over.name)?.query;
      return [
        ...asFarAs(c, node, cursorLoop(c, over.name, over.args, renew(c, targets))),
        {
          ...base,
          over: 'rows',
          ...endedEarly(c, node, query ? rowsUpTo(c, query) : { times: null }),
          body: body(),
        },
      ];
    }
  }
}

/** The first CONTINUE of which it is known how often it lets a turn go on parts what stands behind it from the rest. */
function turn(c: Context, node: LoopNode): Step[] {
  const out: Step[] = [];
  for (const [k, one] of node.body.entries()) {
    const rest = behind(c, node, k);
    if (!rest) {
      for (const step of statement(c, one)) out.push(step);
      continue;
    }
    out.push(...conditionOf(c, rest.condition));
    return [...out, armOf(rest, at(c, one.at), list(c, rest.statements))];
  }
  return out;
}

/** A query whose loop may be left has run for some of its rows by then. */
const asFarAs = (c: Context, node: LoopNode, steps: Step[]): Step[] =>
  mayLeave(c, node.body) ? steps.map(fewer) : steps;

/** Nothing that stands behind it sees what it left in variables. */
const isLeft = (body: Step[]): boolean => body[body.length - 1]?.kind === 'exit';

function choice(c: Context, node: ChoiceNode): Step[] {
  const steps = expression(c, node.on);
  const { texts: before, versions, before: asked } = c;
  const ways: Pick<Context, 'texts' | 'versions'>[] = [];
  const chosen = node.kind === 'if' ? decided(c, node.arms) : node.arms;
  let asks: Step[] = [];
  const arms = chosen.map((arm, k) => {
    const condition = arm.condition ? conditionOf(c, arm.condition) : [];
    c.texts = new Map(before);
    c.versions = new Map(versions);
    // The first condition always runs, the others only when those before are false.
    const first = k === 0 && condition.length > 0;
    if (first) for (const step of condition) steps.push(step);
    const turned = inSomeTurns(c, node, arm, list(c, arm.body));
    if (k === 0) asks = condition;
    c.before = asked;
    const body = whereNone(c, node, k, asks, turned);
    if (!isLeft(body)) ways.push({ texts: c.texts, versions: c.versions });
    return first || condition.length === 0 ? body : [...condition, ...body];
  });
  const otherwise = chosen.some((arm) => !arm.condition);
  if (!otherwise) ways.push({ texts: before, versions });
  c.texts = ways.length > 0 ? merge(ways.map(({ texts }) => texts)) : before;
  c.versions = together(
    versions,
    ways.map((way) => way.versions),
  );
  const place = at(c, node.at);
  // CASE without ELSE fails where nothing fits.
  if (node.kind === 'case' && !otherwise)
    arms.push([{ kind: 'exit', at: place, how: 'raise', raises: 'case_not_found' }]);
  const exhaustive = otherwise || node.kind === 'case';
  if (chosen.length < node.arms.length) steps.push(...unused(c, node, chosen));
  if (arms.every((arm) => arm.length === 0)) return steps;
  const decides = chosen.map(({ condition }) => {
    if (!condition) return null;
    return askedOf(c, node, condition) ?? (node.kind === 'if' ? decidedIn(c, condition) : null);
  });
  const every = everySo(c, node, chosen[0]);
  return [...steps, { ...decidedBy(decides, { kind: 'branch', at: place, arms, exhaustive }), ...every }];
}

/** An arm that asks what fired the trigger is the first of a branch of its own. */
function decidedBy(asked: (Branch['when'] | null)[], branch: Branch): Branch {
  const first = asked.findIndex((one) => one !== null);
  if (first < 0) return branch;
  const { arms } = branch;
  const before = first === 0 ? 1 : first;
  const rest = arms.slice(before);
  const when = first === 0 ? { when: asked[0]! } : {};
  if (rest.length === 0) return { ...branch, ...when };
  const later = asked.slice(before);
  if (later.every((one) => one === null)) return { ...branch, ...when };
  const inner = decidedBy(later, { ...branch, arms: rest });
  return { ...branch, ...when, arms: [...arms.slice(0, before), [inner]], exhaustive: true };
}

type Arm = ChoiceNode['arms'][number];

/** The arms that may run: without those whose condition is false, or that stand after one whose condition is true. */
function decided(c: Context, arms: Arm[]): Arm[] {
  const out: Arm[] = [];
  for (const arm of arms) {
    const truth = arm.condition ? truthOf(c, arm.condition) : null;
    if (truth === true) return [...out, { at: arm.at, body: arm.body }];
    if (truth === null) out.push(arm);
  }
  return out;
}

/** The others are there, as loops that never turn. */
function unused(c: Context, node: ChoiceNode, chosen: Arm[]): Step[] {
  const bodies = new Set(chosen.map((arm) => arm.body));
  return node.arms.flatMap((arm) => {
    if (bodies.has(arm.body)) return [];
    const { texts } = c;
    c.texts = new Map(texts);
    const body = list(c, arm.body);
    c.texts = texts;
    return body.length > 0 ? [{ kind: 'loop', at: at(c, node.at), over: 'unknown', times: 0, body }] : [];
  });
}

/** What is told of the first arm of IF: in how many turns of the loop around it runs, and whether only where something failed. */
function everySo(
  c: Context,
  node: ChoiceNode,
  first: Arm | undefined,
): Pick<Branch, keyof Every | 'failed'> | null {
  const loop = turning(c);
  if (node.kind !== 'if' || !loop || !first?.condition) return null;
  const { condition, body } = first;
  const failed = onlyFailed(c, condition, node, body, loop) && { failed: true as const };
  return { ...turnsBetween(c, condition, body, loop), ...failed };
}

// ---- statements without statements -----------------------------------------------------------------------------

const rest = (node: PlainNode, skip = 1): Range => ({
  from: Math.min(node.from + skip, node.to),
  to: node.to,
});

function plain(c: Context, node: PlainNode): Step[] {
  switch (node.verb) {
    case 'assign':
      return assign(c, node);
    case 'perform':
      return sql(c, node, 'select');
    case 'execute':
      return execute(c, rest(node));
    case 'raise':
      return raise(c, node);
    case 'assert':
      return assert(c, node);
    case 'exit':
    case 'continue':
      return leave(c, node);
    case 'return':
      result(c, rest(node));
      return [...expression(c, rest(node)), { kind: 'exit', at: at(c, node.at), how: 'return' }];
    case 'return next':
      result(c, rest(node, 2));
      return expression(c, rest(node, 2));
    case 'return query':
      return word(c, node.from + 2, node.to) === 'execute'
        ? execute(c, rest(node, 3))
        : bind(sql(c, rest(node, 2)), [RESULT]);
    case 'open':
      return openCursor(c, node);
    case 'fetch':
    case 'move':
      return fetchCursor(c, node);
    case 'close':
    case 'get':
    case 'null':
      return [];
    case 'sql':
      return statementOfSql(c, node);
    case 'call':
    case 'do':
    case 'commit':
    case 'rollback':
      return sql(c, node);
  }
}

/** ASSERT condition [, message]: the message is computed where the condition does not hold. */
function assert(c: Context, node: PlainNode): Step[] {
  const [condition, ...message] = split(c, rest(node));
  if (!condition) return [];
  const place = at(c, node.at);
  const fails: Step[] = [...message.flatMap((one) => expression(c, one)), raising(c, node, 'assert_failure')];
  const truth = truthOf(c, condition);
  const steps = conditionOf(c, condition);
  if (truth === null) steps.push({ kind: 'branch', at: place, arms: [fails], exhaustive: false });
  return truth === false ? [...steps, ...fails] : steps;
}

/** SAVEPOINT and its kin fail in PL/pgSQL; COMMIT and ROLLBACK are verbs of their own. */
function statementOfSql(c: Context, node: PlainNode): Step[] {
  const unknown = unknownTo(c, node);
  if (unknown) return [unknown];
  const steps = refuse(sql(c, node));
  const into = targetsOf(c, node);
  if (!into) return steps;
  const targets = names(c, into);
  const [row, ...others] = renew(c, targets);
  selectTexts(c, node, targets);
  const given = row !== undefined && others.length === 0;
  return [
    ...(given ? steps.map((step) => (step.kind === 'call' ? { ...step, into: row } : step)) : steps),
    ...takesRow(c, node, targets),
  ];
}

function assign(c: Context, node: PlainNode): Step[] {
  let equals = node.from;
  while (mark(c, equals) !== ':=' && mark(c, equals) !== '=') equals++;
  const value: Range = { from: equals + 1, to: node.to };
  const name = identifier(c.tokens[node.from]!);
  if (equals === node.from + 1) assignText(c, name, value);
  const subscripts = equals > node.from + 3 ? expression(c, { from: node.from + 1, to: equals }) : [];
  const whole = equals === node.from + 1 ? takes(c, name, value) : [];
  const steps = expression(c, value);
  const keys = equals === node.from + 1 ? renew(c, [name]) : [called(c, name)];
  return [...subscripts, ...bind(steps, keys), ...whole];
}

export function execute(c: Context, range: Range): Step[] {
  const parts = executeParts(c, range);
  const into = names(c, parts.into);
  for (const name of into) c.texts.delete(name);
  return [
    ...expression(c, parts.text),
    ...expression(c, parts.using),
    ...bind(runText(c, parts.text, parts.using, range.from - 1), renew(c, into)),
  ];
}

/** Which loops are left for this label. */
function leftBy({ around }: Context, label: string, how: Exit['how']): Exit['leaves'] {
  const to = around.findLastIndex((one) => one.label === label);
  if (to < 0) return undefined;
  // CONTINUE goes on with the loop of that label.
  const left = around.slice(how === 'continue' ? to + 1 : to).filter(({ turns }) => turns).length;
  if (left === 0) return undefined;
  return left === around.filter(({ turns }) => turns).length ? 'loops' : 'loop';
}

/** EXIT and CONTINUE [label] [WHEN condition], which may be written out. */
function leave(c: Context, node: PlainNode): Step[] {
  const when = find(c, node, 'when');
  const label = when > node.from + 1 ? identifier(c.tokens[node.from + 1]!) : undefined;
  const exit: Exit = { kind: 'exit', at: at(c, node.at), how: node.verb === 'exit' ? 'break' : 'continue' };
  if (label !== undefined) {
    exit.label = label;
    const leaves = leftBy(c, label, exit.how);
    if (leaves) exit.leaves = leaves;
  }
  if (when >= node.to) return [exit];
  const range: Range = { from: when + 1, to: node.to };
  const condition = conditionOf(c, range);
  const truth = truthOf(c, range);
  if (truth !== null) return truth ? [...condition, exit] : condition;
  return [...condition, { kind: 'branch', at: exit.at, arms: [[exit]], exhaustive: false }];
}

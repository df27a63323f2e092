// Statements and expressions of Python as steps. Which routines there are is said elsewhere.

import type { Branch, Handler, Loop, Step } from '../../../ir.ts';
import { where } from '../../asked.ts';
import { child, type Syntax } from '../../syntax.ts';
import { caught } from '../calls/applied.ts';
import { decidedBy } from '../calls/flags.ts';
import { connects, orElse, tellsOwner } from '../calls/opens.ts';
import { decided } from '../conditions/decided.ts';
import { arm, guards, handles, once } from '../conditions/once.ts';
import { everySo, skipsAllBut } from '../counts/counted.ts';
import { countedBy, leftAfter, turnsIn } from '../counts/counters.ts';
import { climbs } from '../counts/few.ts';
import { least } from '../counts/made.ts';
import { retries } from '../counts/retried.ts';
import { isType } from '../names/knowledge.ts';
import { narrowed, narrowedAfter } from '../names/narrowed.ts';
import { type Type, textOf, type Value } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import { bindTarget } from '../names/variables.ts';
import { pickedBy } from './asking.ts';
import { asked, askedBefore } from './asks.ts';
import { simple } from './assigning.ts';
import { entered, isIdle, lent, managerOf, opener } from './entering.ts';
import { type Body, calling, expr, gather, iterating } from './expressions.ts';
import { inWith } from './jumps.ts';
import { countOf, heldIn, iterated, turnsOf } from './loops.ts';
import { missingBehind, whereNone, whereNotFound } from './missing.ts';
import { returned } from './returned.ts';

export function statements(c: Body, nodes: Syntax[]): Step[] {
  const out: Step[] = [];
  const behind: { from: number; as: (rest: Step[]) => Step[] }[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const guard = guards(c, nodes[i]!, nodes, i + 1);
    if (guard) {
      out.push(...statement(c, nodes[i]!), ...once(statements(c, nodes.slice(i + 1)), guard));
      break;
    }
    const every = skipsAllBut(c, nodes[i]!);
    if (every !== null) {
      out.push(...expr(c, child(nodes[i]!, 'condition')));
      const arms = [statements(c, nodes.slice(i + 1))];
      out.push({ kind: 'branch', at: word(nodes[i]!, 2), arms, exhaustive: false, every });
      break;
    }
    const opened = opener(c, nodes[i]!);
    if (!opened) {
      for (const step of statement(c, nodes[i]!)) out.push(step);
      const as = behind.length < GUARDS ? missingBehind(c, nodes[i]!) : undefined;
      if (as) behind.push({ from: out.length, as });
      const is = askedBefore(c, nodes[i]!);
      if (!is) continue;
      out.push(...where(is, statements(c, nodes.slice(i + 1))));
      break;
    }
    // What follows runs inside, up to the statement that closes it.
    const rest = nodes.slice(i + 1);
    const last = rest.findIndex((node) => opened.closes.test(c.file.text.slice(node.start, node.end)));
    const inside = last < 0 ? rest : rest.slice(0, last + 1);
    const was = c.closing;
    c.closing = opened.closing;
    const body = statements(c, inside);
    c.closing = was;
    if (opened.enters && last < 0) {
      if (body.at(-1)?.kind === 'exit') body.pop(); // `return self`: what enters it goes on
      body.push({ kind: 'yield', at: opened.call.at });
    }
    out.push(...calling(c, opened.call, { block: inWith(body), callbacks: [] }));
    if (last < 0) break;
    i += inside.length;
  }
  for (const { from, as } of behind.reverse()) out.push(...as(out.splice(from)));
  return out;
}

/** How many that leave where a row is there are looked at, one behind the other. */
const GUARDS = 10;

export const block = (c: Body, node: Syntax | undefined): Step[] =>
  node ? statements(c, node.type === 'block' || node.type === 'module' ? node.children : [node]) : [];

export function statement(c: Body, node: Syntax): Step[] {
  switch (node.type) {
    case 'expression_statement':
      return gather(c, node.children, simple);
    case 'if_statement':
      return branch(c, node);
    case 'for_statement':
      return forLoop(c, node);
    case 'while_statement':
      return whileLoop(c, node);
    case 'try_statement':
      return attempt(c, node);
    case 'with_statement':
      return withItems(c, node);
    case 'match_statement':
      return match(c, node);
    case 'return_statement':
      return [...returned(c, node), { kind: 'exit', at: word(node, 6), how: 'return' }];
    case 'raise_statement':
      return raised(c, node);
    case 'break_statement':
      return [{ kind: 'exit', at: word(node, 5), how: 'break' }];
    case 'continue_statement':
      return [{ kind: 'exit', at: word(node, 8), how: 'continue' }];
    case 'function_definition':
    case 'decorated_definition':
    case 'class_definition':
      c.define(c, node);
      return [];
    case 'import_statement':
    case 'import_from_statement':
    case 'future_import_statement':
    case 'pass_statement':
    case 'comment':
    case 'global_statement':
    case 'nonlocal_statement':
      return [];
    case 'ERROR':
      // What stands beside a syntax error is still read.
      return statements(
        c,
        node.children.filter((one) => /statement|definition|block/.test(one.type)),
      );
    case 'block':
      return statements(c, node.children);
    default:
      return gather(c, node.children);
  }
}

const word = (node: Syntax, length: number) => ({
  start: node.start,
  end: Math.min(node.end, node.start + length),
});

function branch(c: Body, node: Syntax): Step[] {
  const condition = child(node, 'condition');
  const before = expr(c, condition);
  const known = asked(c, condition);
  const when = decidedBy(c, condition); // before the arms give what it asks for another value
  const is = decided(c, condition);
  const first: Step[][] = [];
  if (is !== false) {
    const then = narrowed(c, condition, () => block(c, child(node, 'consequence')));
    first.push(sureOf(when, armOf(c, node, where(known?.holds, then))));
  }
  if (is === true) return [...before, ...first[0]!];
  const others = alternatives(
    c,
    node.children.filter((one) => one.field === 'alternative'),
    known?.otherwise,
  );
  narrowedAfter(c, node);
  const arms = [...first, ...others.arms];
  if (arms.every((arm) => arm.length === 0)) return before;
  if (others.exhaustive && arms.length === 1) return [...before, ...arms[0]!];
  const every = everySo(c, condition, child(node, 'consequence'));
  const said = { ...(when && is !== false && { when }), ...(every !== null && { every }) };
  return [...before, { kind: 'branch', at: word(node, 2), arms, exhaustive: others.exhaustive, ...said }];
}

/** What stands behind the first arm: one that a parameter decides is a branch of its own, with all that follow it. */
function alternatives(
  c: Body,
  all: Syntax[],
  open: 'open' | 'none' | undefined,
): { arms: Step[][]; exhaustive: boolean } {
  const arms: Step[][] = [];
  let known = open;
  for (let i = 0; i < all.length; i++) {
    const other = all[i]!;
    if (other.type !== 'elif_clause') {
      arms.push(whereNone(c, other, where(known, block(c, child(other, 'body')))));
      return { arms, exhaustive: true };
    }
    const condition = child(other, 'condition');
    const asks = expr(c, condition);
    const its = asked(c, condition);
    const when = decidedBy(c, condition);
    const is = decided(c, condition);
    if (is === false) continue;
    const then = narrowed(c, condition, () => block(c, child(other, 'consequence')));
    const steps = sureOf(when, armOf(c, other, where(known ?? its?.holds, then)));
    known ??= its?.otherwise;
    if (is === true || !when) {
      arms.push([...asks, ...steps]);
      if (is === true) return { arms, exhaustive: true };
      continue;
    }
    const rest = alternatives(c, all.slice(i + 1), known);
    const inner = [steps, ...rest.arms];
    const decides = inner.some((one) => one.length > 0);
    const at = word(other, 4);
    arms.push(
      decides ? [...asks, { kind: 'branch', at, arms: inner, exhaustive: rest.exhaustive, when }] : asks,
    );
    return { arms, exhaustive: true };
  }
  return { arms, exhaustive: false };
}

/** What runs once at most, or in a few turns of the loop around. */
function armOf(c: Body, clause: Syntax, steps: Step[]): Step[] {
  const alone = arm(c, clause, steps);
  if (alone !== steps) return alone;
  const turns = turnsIn(c, clause);
  const [first] = steps;
  if (turns === null || !first) return whereNone(c, clause, steps);
  const some: Loop = { kind: 'loop', at: first.at, over: 'range', times: turns, atMost: true, body: steps };
  return once(turns === 1 ? steps : [some], 'in loop');
}

const sureOf = (when: Branch['when'], steps: Step[]): Step[] =>
  when?.unsure ? steps.map((one) => ({ ...one, certainty: 'possible' as const })) : steps;

function match(c: Body, node: Syntax): Step[] {
  const cases = child(node, 'body')?.children ?? [];
  const arms = cases.map((one) => [
    ...one.children.filter((part) => part.field === 'guard').flatMap((part) => expr(c, part)),
    ...block(c, child(one, 'consequence')),
  ]);
  const exhaustive = cases.some((one) => one.children[0] && textOf(c.file, one.children[0]) === '_');
  return [
    ...expr(c, child(node, 'subject')),
    ...(arms.some((arm) => arm.length > 0)
      ? [{ kind: 'branch' as const, at: word(node, 5), arms, exhaustive }]
      : []),
  ];
}

function forLoop(c: Body, node: Syntax): Step[] {
  const right = child(node, 'right');
  const target = child(node, 'left');
  const what = iterated(c, right);
  const variable = target?.type === 'identifier' ? textOf(c.file, target) : undefined;
  const before = [...pickedBy(expr(c, right), variable), ...iterating(c, right)];
  const left = leftAfter(c, node); // before the body gives what it counts with another value
  if (target) bindTarget(c, target, heldIn(what), undefined, what.position);
  const body = block(c, child(node, 'body'));
  const over = retries(c, node) ? 'retry' : what.over;
  const at = word(node, textOf(c.file, node).startsWith('async') ? 9 : 3);
  const loop: Loop = {
    kind: 'loop',
    at,
    over,
    ...(left === null || (what.times !== null && what.times <= left)
      ? { times: what.times, ...(what.atMost && { atMost: true }) }
      : { times: left, atMost: true }),
    ...(what.certainty && { certainty: what.certainty }),
    ...turnsOf(what),
    body,
  };
  const alternative = child(node, 'alternative');
  const otherwise = block(c, alternative && child(alternative, 'body'));
  return [...before, ...what.reads, ...(body.length > 0 ? [loop] : []), ...otherwise];
}

function whileLoop(c: Body, node: Syntax): Step[] {
  const condition = expr(c, child(node, 'condition'));
  const times = least([countedBy(c, node, countOf(c)), leftAfter(c, node)]); // before the body gives what it counts with another value
  const body = [...condition, ...block(c, child(node, 'body'))];
  const alternative = child(node, 'alternative');
  const over = retries(c, node) ? 'retry' : 'unknown';
  const counted = times === null ? { times } : { times, atMost: true as const };
  const certainty = climbs(c, node) ? ('possible' as const) : undefined;
  const loop: Loop = {
    kind: 'loop',
    at: word(node, 5),
    over,
    ...counted,
    ...(certainty && { certainty }),
    body,
  };
  return [...(body.length > 0 ? [loop] : []), ...block(c, alternative && child(alternative, 'body'))];
}

function attempt(c: Body, node: Syntax): Step[] {
  const body = block(c, child(node, 'body'));
  const handlers: Handler[] = [];
  let after: Step[] = [];
  let last: Step[] | undefined;
  for (const part of node.children) {
    if (part.type === 'except_clause' || part.type === 'except_group_clause') {
      const one = handler(c, part);
      handlers.push({ ...one, body: handles(c, node, part, one.body) });
    } else if (part.type === 'else_clause') after = block(c, child(part, 'body'));
    else if (part.type === 'finally_clause')
      last = block(
        c,
        part.children.find((one) => one.type === 'block'),
      );
  }
  const quiet = (steps: Step[]) => steps.length === 0;
  if (quiet(body) && handlers.every((one) => quiet(one.body)) && quiet(last ?? [])) return after;
  return [
    {
      kind: 'attempt',
      at: word(node, 3),
      body: [...body, ...after],
      handlers,
      ...(last && last.length > 0 ? { finally: last } : {}),
    },
  ];
}

function handler(c: Body, node: Syntax): Handler {
  const parts = node.children.filter((one) => one.type !== 'block' && one.type !== 'comment');
  const named = parts[0]?.type === 'as_pattern' ? parts[0].children[0] : parts[0];
  const list = named?.type === 'tuple' ? named.children : named ? [named] : [];
  const was = c.handling;
  c.handling = true;
  const body = block(
    c,
    node.children.find((one) => one.type === 'block'),
  );
  c.handling = was;
  const catches = list.map((one) => caught(textOf(c.file, one)));
  return {
    at: word(node, 6),
    catches: catches.length > 0 ? catches : ['others'],
    body: whereNotFound(c, node, catches, body),
  };
}

function raised(c: Body, node: Syntax): Step[] {
  const what = node.children.find((one) => one.field !== 'cause');
  const callee = what?.type === 'call' ? child(what, 'function') : what;
  const steps =
    what?.type === 'call' ? (child(what, 'arguments')?.children ?? []).flatMap((one) => expr(c, one)) : [];
  const raises =
    callee && /^[\w.]+$/.test(textOf(c.file, callee)) ? textOf(c.file, callee).split('.').at(-1) : undefined;
  return [
    ...steps,
    {
      kind: 'exit',
      at: word(node, 5),
      how: 'raise',
      ...(what ? {} : { again: true }),
      ...(raises ? { raises } : {}),
    },
  ];
}

// ---- with

function withItems(c: Body, node: Syntax): Step[] {
  const clause = node.children.find((one) => one.type === 'with_clause');
  const items = (clause?.children ?? []).flatMap((one) => {
    const value = child(one, 'value') ?? one.children[0];
    return value?.type === 'tuple' ? value.children : value ? [value] : [];
  });
  const enter = (i: number): Step[] => {
    if (i >= items.length) return block(c, child(node, 'body'));
    return withItem(
      c,
      items[i]!,
      () => enter(i + 1),
      i === items.length - 1 ? child(node, 'body') : undefined,
    );
  };
  return enter(0);
}

/** What stands in it is written down for each way to enter it: within each other, twice as often each time. */
const MOST_UNSURE = 4;

function withItem(c: Body, item: Syntax, rest: () => Step[], last: Syntax | undefined): Step[] {
  const manager = managerOf(c, item.type === 'as_pattern' ? item.children[0] : item);
  if (!manager) return rest();
  const target = item.type === 'as_pattern' ? child(item, 'alias') : undefined;
  const before = manager.type === 'call' ? argumentsOf(c, manager) : [];
  const call = entered(c, manager);
  const value = resolve(c, manager);
  tellsOwner(c, call);
  if (target?.children[0]) bindTarget(c, target.children[0], value);
  const isUnsure = call?.maybe !== undefined || manager.type === 'conditional_expression';
  if (isUnsure) c.unsure++;
  const body = rest();
  const isTooMany = isUnsure && c.unsure-- > MOST_UNSURE;
  const ended = call?.meaning?.scope ? body : closing(c, value, body);
  if (isTooMany) return [...before, ...ended];
  const unknown = !(value?.type && isType(value.type.path));
  const lends = (inner: Step[]) => (unknown ? lent(c, manager, target?.children[0], inner) : undefined);
  if (!call) return [...before, ...(either(c, manager, ended) ?? lends(ended) ?? ended)];
  if (isIdle(c, call, manager, last)) return [...before, ...ended];
  const { meaning } = call;
  if (!call.callee && !meaning?.scope && !meaning?.swallows && !meaning?.loops && !connects(c, call)) {
    const own = calling(c, call, { callbacks: [] });
    return [...before, ...own, ...ended];
  }
  const inner = call.callee ? inWith(ended) : ended;
  const calls = calling(c, call, { block: inner, callbacks: c.callbacksOf(c, manager) });
  const steps = orElse(calls, lends([{ kind: 'yield', at: call.at }]));
  if (!call.maybe) return [...before, ...steps];
  const { when, other } = call.maybe;
  const arms = other ? [ended, steps] : [steps, ended];
  return [...before, { kind: 'branch', at: call.at, arms, exhaustive: true, ...(when && { when }) }];
}

/** `with nullcontext() if self.connected else self.transaction():`, where one is a context manager of the project's. */
function either(c: Body, manager: Syntax, body: Step[]): Step[] | undefined {
  if (manager.type !== 'conditional_expression') return undefined;
  const [yes, condition, no] = manager.children;
  const calls = [yes, no].map((one) => one && entered(c, one));
  if (!calls.some((call) => call?.callee)) return undefined;
  const known = asked(c, condition);
  const arms = calls.map((call, i) => {
    const steps = call?.callee ? calling(c, call, { block: inWith(body), callbacks: [] }) : body;
    return where(i === 0 ? known?.holds : known?.otherwise, steps);
  });
  const when = decidedBy(c, condition);
  return [
    ...expr(c, condition),
    { kind: 'branch', at: word(manager, 4), arms, exhaustive: true, ...(when && { when }) },
  ];
}

function argumentsOf(c: Body, call: Syntax): Step[] {
  const callee = child(call, 'function');
  const before = callee?.type === 'attribute' ? expr(c, child(callee, 'object')) : [];
  return [...before, ...(child(call, 'arguments')?.children ?? []).flatMap((one) => expr(c, one))];
}

/** `with Session() as session:` ends what the session began. */
function closing(c: Body, value: Value | undefined, body: Step[]): Step[] {
  const type: Type | undefined = value?.type;
  const exit = type && c.exit(type);
  if (!exit || body.length === 0) return body;
  return [
    { kind: 'attempt', at: body[0]!.at, body, handlers: [], finally: [{ kind: exit, at: body[0]!.at }] },
  ];
}

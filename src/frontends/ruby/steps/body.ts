// Lowers the statements of one body to steps: what runs, in which order, how often. Calls are calls.ts's.
import type { Branch, Handler, Loop, Name, Step } from '../../../ir.ts';
import { where as runsWhere } from '../../asked.ts';
import { spanned, unended } from '../../spans.ts';
import { child, type Syntax } from '../../syntax.ts';
import { often, turnsOfWhile } from '../counts/lengths.ts';
import { retries } from '../counts/retried.ts';
import { type Body, BUILTIN, type Type } from '../names/file.ts';
import { isPlural, pluralize } from '../names/inflect.ts';
import { jumpsOut, plainly } from '../names/jumps.ts';
import { early } from '../names/meaning.ts';
import { itemOf, resultOf, typeOf } from '../names/types.ts';
import { type Arguments, parts, spanOf, textOf } from '../syntax.ts';
import { armOf, goesOnWhere, madeOnce, once, type Where, whenOf } from './arms.ts';
import { askedBefore } from './asks.ts';
import { carry } from './assigned.ts';
import { bracketed } from './callables.ts';
import { lowerAdded, lowerCall, lowerName, lowerSuper } from './calls.ts';
import { configure } from './configured.ts';
import { keptFor } from './deferred.ts';
import { lowerAsked } from './embedded.ts';
import { decidedBy } from './flags.ts';
import { handOver } from './handed.ts';
import { missingWhere } from './missing.ts';
import { remembers } from './remembered.ts';
import { findsTheSame } from './same.ts';

export function lowerAll(body: Body, nodes: Syntax[]): Step[] {
  const out: Step[] = [];
  const guarded: { from: number; where: Where; arm: Syntax[]; makes: Name | null }[] = [];
  for (const [i, node] of nodes.entries()) {
    lowerInto(body, node, out);
    const is = askedBefore(body, node);
    if (is) {
      out.push(...runsWhere(is, lowerAll(body, nodes.slice(i + 1))));
      break;
    }
    const where = guarded.length < GUARDS ? goesOnWhere(node) : null;
    if (!where) continue;
    const makes = missingWhere(body, where.condition, where.wanted);
    guarded.push({ from: out.length, where, arm: nodes.slice(i + 1), makes });
  }
  for (const { from, where, arm, makes } of guarded.reverse()) {
    const rest = out.slice(from);
    const alone = armOf(body, where, arm, () => rest, makes);
    if (alone !== rest) out.splice(from, rest.length, ...alone);
  }
  return out;
}

/** How many one behind the other are looked at. */
const GUARDS = 10;

export function lower(body: Body, node: Syntax | undefined): Step[] {
  const out: Step[] = [];
  if (node) lowerInto(body, node, out);
  return out;
}

const NONE: Arguments = { positional: [], keywords: new Map(), splats: [] };

/** Nodes without anything to run. */
const QUIET = new Set(
  'comment constant self integer float simple_symbol true false nil instance_variable class_variable global_variable heredoc_body method singleton_method class module singleton_class alias undef lambda uninterpreted hash_key_symbol operator string_content escape_sequence character line file encoding regex retry redo'.split(
    ' ',
  ),
);

function lowerInto(body: Body, node: Syntax, out: Step[]): void {
  if (QUIET.has(node.type)) return;
  const handler = HANDLERS[node.type];
  if (handler) handler(body, node, out);
  else for (const part of node.children) lowerInto(body, part, out);
}

type Lowering = (body: Body, node: Syntax, out: Step[]) => void;

const HANDLERS: Record<string, Lowering> = {
  call: lowerCall,
  identifier: lowerName,
  super: lowerSuper,
  yield: (body, node, out) => {
    for (const part of node.children) lowerInto(body, part, out);
    out.push({ kind: 'yield', at: { start: node.start, end: node.start + 5 } });
  },
  block_body: lowerList,
  then: lowerList,
  do: lowerList,
  body_statement: lowerGuarded,
  begin: lowerGuarded,
  rescue_modifier: (body, node, out) => {
    const [tried, instead] = [child(node, 'body'), child(node, 'handler')];
    const handler: Handler = {
      at: instead ? spanOf(instead) : spanOf(node),
      catches: ['StandardError'],
      body: lower(body, instead),
    };
    pushAttempt({ start: node.start, end: node.start }, lower(body, tried), [handler], undefined, out);
  },
  if: lowerIf,
  unless: lowerIf,
  elsif: lowerIf,
  conditional: lowerIf,
  if_modifier: lowerModifier,
  unless_modifier: lowerModifier,
  case: lowerCase,
  case_match: lowerCase,
  while: lowerWhile,
  until: lowerWhile,
  while_modifier: lowerWhile,
  until_modifier: lowerWhile,
  for: (body, node, out) => {
    const value = child(node, 'value');
    out.push(...lower(body, value));
    const element = typeOf(body, value && parts(value)[0]);
    const pattern = child(node, 'pattern');
    const list = value && parts(value)[0];
    if (pattern?.type === 'identifier')
      body.locals.set(textOf(body.file, pattern), { type: itemOf(element), of: list });
    const turns = lower(body, child(node, 'body'));
    const length = list ? often(body, list, 'each', NONE) : { times: null };
    if (turns.length === 0) return;
    const over = element?.kind === 'many' ? 'rows' : 'items';
    out.push({ kind: 'loop', at: { start: node.start, end: node.start + 3 }, over, ...length, body: turns });
  },
  binary: (body, node, out) => {
    const operator = child(node, 'operator');
    const right = child(node, 'right');
    out.push(...lower(body, child(node, 'left')));
    if (!right) return;
    const sign = operator ? textOf(body.file, operator) : '';
    if (/^(&&|\|\||and|or)$/.test(sign)) {
      const known = plainly(child(node, 'left'));
      if (known === null && /^(\|\||or)$/.test(sign) && findsTheSame(body, child(node, 'left')))
        pushBranch(spanOf(right), [once(lower(body, right), 'ever')], false, out);
      else if (known === null) {
        const where = { condition: child(node, 'left'), wanted: /^(&&|and)$/.test(sign) };
        const arm = armOf(body, where, [right], () => lower(body, right));
        pushBranch(spanOf(right), [arm], false, out);
      } else if (known === /^(&&|and)$/.test(sign)) lowerInto(body, right, out);
    } else lowerInto(body, right, out);
    if (sign !== '<<') return;
    lengthen(body, node);
    lowerAdded(body, node, operator!, child(node, 'left'), out);
  },
  assignment: lowerAssignment,
  operator_assignment: (body, node, out) => {
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    const operator = child(node, 'operator');
    if (left?.type === 'identifier' && !body.locals.has(textOf(body.file, left)))
      body.locals.set(textOf(body.file, left), { type: typeOf(body, right) });
    if (!right) return;
    const written = operator ? textOf(body.file, operator) : '';
    if (written === '+=') lengthen(body, node);
    const how = left?.type === 'element_reference' ? 'by key' : remembers(body, left)?.how;
    if (written === '||=' && left && how)
      pushBranch(spanOf(right), [once(madeOnce(body, left, lower(body, right)), how)], false, out);
    else if (/^(\|\||&&)=$/.test(written)) {
      const makes = written === '||=' ? missingWhere(body, left, false) : null;
      const steps = lower(body, right);
      const arm = written === '||=' && left ? madeOnce(body, left, steps) : steps;
      pushBranch(spanOf(right), [makes && arm === steps ? once(steps, 'ever', makes) : arm], false, out);
    } else lowerInto(body, right, out);
  },
  return: leave('return'),
  break: leave('break'),
  next: leave('continue'),
  element_reference: (body, node, out) => {
    for (const part of parts(node)) lowerInto(body, part, out);
    const [held] = parts(node);
    out.push(...(lowerAsked(body, node) ?? (held && bracketed(body, held, node)) ?? []));
  },
  subshell: (_, node, out) => {
    out.push({ kind: 'wait', for: 'process', at: { start: node.start, end: node.start + 1 } });
  },
  string: (body, node, out) => {
    for (const part of node.children) if (part.type === 'interpolation') lowerInto(body, part, out);
  },
  unary: (body, node, out) => {
    const operator = child(node, 'operator');
    if (operator && textOf(body.file, operator) === 'defined?') return;
    const operand = child(node, 'operand');
    if (operand) lowerInto(body, operand, out);
  },
};

function leave(how: 'return' | 'break' | 'continue'): Lowering {
  return (body, node, out) => {
    for (const part of node.children) lowerInto(body, part, out);
    out.push({
      kind: 'exit',
      how,
      at: { start: node.start, end: node.start + (how === 'continue' ? 4 : how.length) },
    });
  };
}

function lowerList(body: Body, node: Syntax, out: Step[]): void {
  const from = out.length;
  out.push(...lowerAll(body, node.children));
  spanned(out, from);
}

// ---- begin, rescue, ensure

/** A body with rescue clauses; `retry` in one of them makes all of it a loop. */
function lowerGuarded(body: Body, node: Syntax, out: Step[]): void {
  const clauses = node.children.filter(
    ({ type }) => type === 'rescue' || type === 'ensure' || type === 'else',
  );
  const statements = node.children.filter((one) => !clauses.includes(one));
  const tried = lowerAll(body, statements);
  const handles = spanned(tried, 0);
  if (clauses.length === 0) {
    out.push(...tried);
    return;
  }
  const handlers: Handler[] = [];
  let last: Step[] | undefined;
  let retries: Syntax | undefined;
  for (const clause of clauses) {
    if (clause.type === 'rescue') {
      const handler = lowerRescue(body, clause);
      handlers.push({ ...handler, body: unended(handler.body, handles) });
      retries ??= find(clause, 'retry');
    } else if (clause.type === 'else') tried.push(...lowerAll(body, clause.children));
    else last = unended(lowerAll(body, clause.children), handles);
  }
  const [{ type, start }] = clauses as [Syntax];
  // An `else` may be all that is written so far.
  const keyword = { start, end: start + (type === 'else' ? 4 : 6) };
  if (!retries) {
    pushAttempt(keyword, tried, handlers, last, out);
    return;
  }
  const inner: Step[] = [];
  pushAttempt(keyword, tried, handlers, last, inner);
  // `retry` makes no loop of which `break` would be: that leaves the one around.
  if (inner.length > 0 && !jumpsOut(inner))
    out.push({ kind: 'loop', at: spanOf(retries), over: 'retry', times: null, body: inner });
  else out.push(...inner);
}

function lowerRescue(body: Body, clause: Syntax): Handler {
  const exceptions = child(clause, 'exceptions');
  const catches = parts(exceptions).map((one) =>
    /^(constant|scope_resolution)$/.test(one.type) ? textOf(body.file, one).replace(/^::/, '') : 'others',
  );
  const variable = child(clause, 'variable');
  const caught = variable && parts(variable)[0];
  if (caught?.type === 'identifier') setLocal(body, caught, BUILTIN);
  const steps = lower(body, child(clause, 'body'));
  for (const step of steps)
    if (step.kind === 'exit' && step.how === 'raise' && caught && step.raises === textOf(body.file, caught)) {
      step.again = true;
      delete step.raises;
    }
  return {
    at: { start: clause.start, end: clause.start + 6 },
    catches: catches.length > 0 ? catches : ['StandardError'],
    body: steps,
    ...(catches.length > 0 && catches.every((one) => early.has(one)) && { early: true as const }),
  };
}

function pushAttempt(
  at: { start: number; end: number },
  tried: Step[],
  handlers: Handler[],
  last: Step[] | undefined,
  out: Step[],
): void {
  const all = [tried, ...handlers.map((handler) => handler.body), last ?? []];
  if (all.every((steps) => steps.length === 0)) return;
  out.push({ kind: 'attempt', at, body: tried, handlers, ...(last ? { finally: last } : {}) });
}

function find(node: Syntax, type: string): Syntax | undefined {
  const stack = [node];
  for (let one = stack.pop(); one; one = stack.pop()) {
    if (one.type === type) return one;
    if (one !== node && /^(begin|method|lambda|class)$/.test(one.type) && type === 'retry') continue;
    stack.push(...one.children);
  }
  return undefined;
}

// ---- branches

function pushBranch(
  at: { start: number; end: number },
  arms: Step[][],
  exhaustive: boolean,
  out: Step[],
  decided: Pick<Branch, 'when'> = {},
): void {
  if (arms.some((arm) => arm.length > 0)) out.push({ kind: 'branch', at, arms, exhaustive, ...decided });
}

function lowerIf(body: Body, node: Syntax, out: Step[]): void {
  const known = decided(node);
  if (known !== null) {
    out.push(...lower(body, child(node, known ? 'consequence' : 'alternative')));
    return;
  }
  out.push(...lower(body, child(node, 'condition')));
  const [condition, wanted] = [child(node, 'condition'), node.type !== 'unless'];
  const then = child(node, 'consequence');
  const arms = [armOf(body, { condition, wanted }, then ? [then] : [], () => lower(body, then))];
  const other = child(node, 'alternative');
  if (other) arms.push(armOf(body, { condition, wanted: !wanted }, [other], () => lower(body, other)));
  if (then && other) oneOf(body, node, [then, other]);
  const at = { start: node.start, end: Math.min(node.end, node.start + 6) };
  pushBranch(at, arms, other !== undefined, out, decidedBy(body, node));
}

/** Whether its first arm runs, where the condition is written out. */
function decided(node: Syntax): boolean | null {
  const known = plainly(child(node, 'condition'));
  return known === null ? null : known !== /^unless/.test(node.type);
}

/** `store = Late.new` in one arm, `store = Now.new` in the others: it is one of these. */
function oneOf(body: Body, node: Syntax, arms: Syntax[]): void {
  const [last, ...others] = arms.map((arm) => madeIn(body, arm)).reverse();
  for (const [name, made] of last ?? []) {
    if (others.length === 0 || !others.every((one) => one.has(name))) continue;
    const value = others.reduce(
      (rest, one): Syntax => ({
        ...node,
        type: 'conditional',
        children: [as('consequence', one.get(name)!), as('alternative', rest)],
      }),
      made,
    );
    body.locals.set(name, { type: typeOf(body, value), value });
  }
}

const as = (field: string, node: Syntax): Syntax => ({ ...node, field });

/** The objects and classes that an arm gives variables. */
function madeIn({ file }: Body, arm: Syntax): Map<string, Syntax> {
  const out = new Map<string, Syntax>();
  for (const one of /^(then|else)$/.test(arm.type) ? parts(arm) : [arm]) {
    const [left, right] = one.type === 'assignment' ? [child(one, 'left'), child(one, 'right')] : [];
    if (left?.type === 'identifier' && right && /^(call|constant|scope_resolution)$/.test(right.type))
      out.set(textOf(file, left), right);
  }
  return out;
}

function lowerModifier(body: Body, node: Syntax, out: Step[]): void {
  const known = decided(node);
  if (known !== null) {
    if (known) out.push(...lower(body, child(node, 'body')));
    return;
  }
  out.push(...lower(body, child(node, 'condition')));
  const [condition, then] = [child(node, 'condition'), child(node, 'body')];
  const where = { condition, wanted: !/^unless/.test(node.type) };
  const arm = armOf(body, where, then ? [then] : [], () => lower(body, then));
  pushBranch(conditionAt(node), [arm], false, out, decidedBy(body, node));
}

const conditionAt = (node: Syntax) => {
  const condition = child(node, 'condition');
  return condition ? spanOf(condition) : { start: node.start, end: node.start };
};

function lowerCase(body: Body, node: Syntax, out: Step[]): void {
  out.push(...lower(body, child(node, 'value')));
  const arms: Step[][] = [];
  let exhaustive = false;
  for (const clause of node.children) {
    if (clause.type === 'when' || clause.type === 'in_clause')
      arms.push(whenOf(body, child(node, 'value'), clause, lower(body, child(clause, 'body'))));
    else if (clause.type === 'else') {
      arms.push(lowerAll(body, clause.children));
      exhaustive = true;
    }
  }
  const bodies = node.children.flatMap((one) =>
    one.type === 'else' ? [one] : /^(when|in_clause)$/.test(one.type) ? (child(one, 'body') ?? one) : [],
  );
  if (exhaustive) oneOf(body, node, bodies);
  pushBranch({ start: node.start, end: node.start + 4 }, arms, exhaustive, out);
}

// ---- loops

function lowerWhile(body: Body, node: Syntax, out: Step[]): void {
  const known = plainly(child(node, 'condition'));
  const ends = known !== null && known === /^until/.test(node.type);
  // `begin … end while …` runs before it asks.
  const first = /_modifier$/.test(node.type) && child(node, 'body')?.type === 'begin';
  if (ends && !first) return;
  const condition = lower(body, child(node, 'condition'));
  const turn = [...condition, ...lower(body, child(node, 'body'))];
  const counted = ends ? { times: 1 } : (turnsOfWhile(body, node) ?? { times: null });
  if (turn.length > 0)
    out.push({ kind: 'loop', at: conditionAt(node), over: turning(body, node), ...counted, body: turn });
}

/** What tries again does so where it failed alone. */
export const turning = (body: Body, loop: Syntax): Loop['over'] =>
  retries(body, loop) ? 'retry' : 'unknown';

// ---- variables

export function setLocal(body: Body, name: Syntax, type: Type | null, value?: Syntax): void {
  body.locals.set(textOf(body.file, name), { type, value });
}

const TEXT = /^(string|chained_string|heredoc_beginning|unary|binary|operator_assignment|call)$/;

/** `sql << " WHERE …"`: what it held, and this. */
function lengthen(body: Body, node: Syntax): void {
  const left = child(node, 'left');
  const known = left?.type === 'identifier' ? body.locals.get(textOf(body.file, left)) : undefined;
  const before = known?.value;
  if (!left || !before || !TEXT.test(before.type)) return;
  const children = node.children.map((one) => (one === left ? { ...before, field: left.field } : one));
  body.locals.set(textOf(body.file, left), { ...known, value: { ...node, children } });
}

/** `options[:requires_new] = true`: what the hash held, and this before. */
function enter(body: Body, left: Syntax, right: Syntax | undefined): void {
  const [object, key] = parts(left);
  const known = object?.type === 'identifier' ? body.locals.get(textOf(body.file, object)) : undefined;
  if (known?.value?.type !== 'hash' || !object || !key || !right) return;
  const children = [
    { ...key, field: 'key' },
    { ...right, field: 'value' },
  ];
  const pair: Syntax = { ...left, type: 'pair', field: null, children };
  const value = { ...known.value, children: [pair, ...known.value.children] };
  body.locals.set(textOf(body.file, object), { ...known, value });
}

function lowerAssignment(body: Body, node: Syntax, out: Step[]): void {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const isVariable = left && /^(identifier|instance_variable)$/.test(left.type);
  if (right && isVariable) out.push(...keptFor(body, left, right, lower(body, right)));
  else if (right) lowerInto(body, right, out);
  if (isVariable) carry(body, left, right);
  if (left?.type === 'instance_variable') remember(body, textOf(body.file, left), right);
  if (left?.type === 'identifier') setLocal(body, left, typeOf(body, right), right);
  else if (left?.type === 'left_assignment_list')
    for (const one of left.children) if (one.type === 'identifier') setLocal(body, one, null);
  if (left?.type === 'element_reference') {
    for (const part of parts(left)) lowerInto(body, part, out);
    enter(body, left, right);
  }
  // `order.total = 5` may be a method of the program's own.
  if (left?.type === 'call') {
    if (right) configure(body.file, left, right);
    const [receiver, method] = [child(left, 'receiver'), child(left, 'method')];
    if (receiver) lowerInto(body, receiver, out);
    const type = receiver && typeOf(body, receiver);
    const name = method && `${textOf(body.file, method)}=`;
    if (name && receiver && /_ids=$/.test(name) && !type?.fresh)
      out.push({ kind: 'call', at: spanOf(method), callee: `ruby:?#${name}` });
    else if (name && type && type.kind !== 'builtin' && !type.name.startsWith('sql:')) {
      if (right) handOver(body, type.name, name, { ...NONE, positional: [right] });
      const callee: Name = `${type.name}${type.kind === 'class' ? '.' : '#'}${name}`;
      out.push({ kind: 'call', at: spanOf(method), callee, meanings: [{ steps: [] }] });
    }
    // What is given to an association of many is saved, where the record has a row.
    const given = method && type?.kind === 'one' && type.fresh === false ? textOf(body.file, method) : '';
    if (given.endsWith('_ids'))
      lowerAdded(body, left, method!, left, out, resultOf(type!, pluralize(given.slice(0, -'_ids'.length))));
    else if (given && isPlural(given)) lowerAdded(body, left, method!, left, out);
  }
}

/** What a method has just made has no row yet, whatever other methods keep in that variable; so has what nobody knows was asked for. */
function remember(body: Body, name: string, value: Syntax | undefined): void {
  const usual = body.owner.ivars.get(name);
  const method = value?.type === 'call' && child(value, 'receiver') && child(value, 'method');
  const made = method && MADE.test(textOf(body.file, method)) && usual?.kind === 'one';
  const type = typeOf(body, value) ?? (made ? { ...usual, fresh: true } : null);
  if (type?.kind === 'one' && type.fresh) body.locals.set(name, { type });
  else body.locals.delete(name);
}

const MADE = /^(new|build)$/;

/** `raise Shop::Empty, "…"`: what it raises. */
export function raised(body: Body, argument: Syntax | undefined): string | undefined {
  if (!argument) return undefined;
  if (argument.type === 'constant' || argument.type === 'scope_resolution')
    return textOf(body.file, argument).replace(/^::/, '');
  if (argument.type === 'call') {
    const receiver = child(argument, 'receiver');
    return receiver && raised(body, receiver);
  }
  return argument.type === 'identifier' ? textOf(body.file, argument) : undefined;
}

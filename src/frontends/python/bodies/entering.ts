// What a statement or a `with` enters: a scope, a connection, an object of the project's own. What runs inside is said elsewhere.
import type { Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { underline, understand } from '../calls/calls.ts';
import { decidedBy } from '../calls/flags.ts';
import { connects, ownOne, tellsOwner } from '../calls/opens.ts';
import type { Understood } from '../calls/understood.ts';
import { methodOf } from '../classes/classes.ts';
import { argument } from '../names/arguments.ts';
import { functionAround } from '../names/assignments.ts';
import { api, begins, canonical, isHandle, isType } from '../names/knowledge.ts';
import { textOf } from '../names/scope.ts';
import { named, resolve } from '../names/values.ts';
import { bindTarget } from '../names/variables.ts';
import { chosenBy } from './asks.ts';
import type { Body } from './expressions.ts';
import { unwrapped } from './returned.ts';

export interface Opener {
  call: Understood;
  closes: RegExp;
  /** Calls of these receivers end it, and are no steps of their own. */
  closing: Set<string>;
  /** It is entered here, and left by whoever leaves this routine's object. */
  enters?: true;
}

/** A statement that opens a scope for the rest of its block: `t = conn.begin()`, `await t.start()`, `stack.enter_context(…)`. */
export function opener(c: Body, node: Syntax): Opener | undefined {
  if (node.type !== 'expression_statement' && node.type !== 'return_statement') return undefined;
  const top = node.children[0];
  const assigned = top?.type === 'assignment' ? child(top, 'left') : undefined;
  const value = unwrapped(top?.type === 'assignment' ? child(top, 'right') : top);
  const callee = value?.type === 'call' ? child(value, 'function') : undefined;
  if (!value || !callee) return undefined;
  if (assigned?.type === 'identifier') {
    const call = understand(c, value);
    if (call && connects(c, call)) {
      bindTarget(c, assigned, resolve(c, value));
      return { call, closes: /(?!)/, closing: new Set() };
    }
  }
  if (callee.type !== 'attribute') return undefined;
  const name = textOf(c.file, child(callee, 'attribute')!);
  const owner = child(callee, 'object')!;
  if (/^enter_(async_)?context$/.test(name)) {
    const inner = managerOf(c, child(value, 'arguments')?.children[0]);
    const call = inner && entered(c, inner);
    if (!call) return undefined;
    if (assigned && inner) bindTarget(c, assigned, resolve(c, inner));
    // What an object keeps is left with the object.
    const enters = textOf(c.file, owner).startsWith('self.');
    return { call, closes: /(?!)/, closing: new Set(), ...(enters && { enters: true }) };
  }
  const pending = heldScope(c, owner);
  if (
    pending &&
    (name === '__enter__' || name === '__aenter__' || name === pending.meaning?.scope?.startedBy)
  )
    return { ...closer(pending, [textOf(c.file, owner)]), enters: true };
  // What is returned is entered by whoever gets it.
  if (!begins(name) || node.type === 'return_statement') return undefined;
  const call = understand(c, value);
  if (!call?.meaning?.scope?.begun && !call?.meant?.some(({ meaning }) => meaning.scope?.begun))
    return undefined;
  tellsOwner(c, call);
  if (assigned) bindTarget(c, assigned, undefined);
  const kept = assigned ? textOf(c.file, assigned) : '';
  const ends = kept || textOf(c.file, owner);
  // `self.session.begin()` of `__enter__` is left where `__exit__` ends it.
  const stays = kept !== '' || isEntered(c, functionAround(node));
  return {
    ...closer(call, [ends]),
    ...(stays && ends.startsWith('self.') && { enters: true }),
  };
}

const isEntered = (c: Body, method: Syntax | null): boolean =>
  method !== null && /^__a?enter__$/.test(textOf(c.file, child(method, 'name')));

function closer(call: Understood, names: string[]): Opener {
  const words = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return {
    call,
    closes: new RegExp(
      `(?:^|[^.\\w])(?:${words})\\.(?:commit|rollback|close|__a?exit__)\\(|\\bwith[ (]+(?:${words})\\b *[:,)]`,
    ),
    closing: new Set(names),
  };
}

/** What is entered: of `closing(connect())` that is the connection. */
export function managerOf(c: Body, node: Syntax | undefined): Syntax | undefined {
  const its = unwrapped(node);
  const callee = its?.type === 'call' ? child(its, 'function') : undefined;
  const path = callee && resolve(c, callee)?.path;
  const enters = path === undefined ? undefined : api(canonical(path))?.enters;
  return enters === undefined ? its : managerOf(c, argument(its!, enters));
}

/** What entering this expression as a context manager does. */
export function entered(c: Body, node: Syntax): Understood | undefined {
  const made = node.type === 'call' ? child(node, 'function') : undefined;
  const pending = made ? c.pending.get(textOf(c.file, made)) : heldScope(c, node);
  if (pending) return made ? { ...pending, at: underline(c, made) } : pending;
  const call = understand(c, node);
  if (!call) return object(c, node);
  if (call.callee?.endsWith('.__init__'))
    return {
      ...call,
      callee: `${call.callee.slice(0, -'__init__'.length)}__enter__` as Understood['callee'],
    };
  const isRead = node.type === 'attribute' && c.file.properties.has(textOf(c.file, child(node, 'attribute')));
  return call.callee && node.type !== 'call' && !isRead ? object(c, node) : call;
}

/** A scope that waits in a variable, or in an attribute that __init__ sets; or one of two things that a condition chooses from. */
export function heldScope(c: Body, node: Syntax): Understood | undefined {
  if (node.type === 'conditional_expression') {
    const [yes, condition, no] = node.children;
    const arms = [yes, no].map((one) => one && understand(c, one));
    const call = arms.find((one) => isScope(one));
    if (!call) return undefined;
    const scopes = arms.map((one) => (isScope(one) ? one : undefined));
    const maybe = { when: decidedBy(c, condition), other: call === arms[1] };
    return chosenBy(c, condition, scopes) ?? { ...call, maybe };
  }
  const text = textOf(c.file, node);
  const known = c.pending.get(text);
  if (known || !c.cls || !/^self\.\w+$/.test(text)) return known;
  const init = methodOf(c, c.cls.node, '__init__');
  for (const one of child(init ?? c.cls.node, 'body')?.children ?? []) {
    const assigned = one.children[0];
    if (assigned?.type !== 'assignment' || textOf(c.file, child(assigned, 'left')) !== text) continue;
    const value = child(assigned, 'right');
    const call = value && understand(c, value);
    return isScope(call) ? { ...call!, at: underline(c, node) } : undefined;
  }
  return undefined;
}

/** A scope that nothing has entered yet. */
export const isScope = (call: Understood | undefined): boolean =>
  call?.meaning?.scope !== undefined && !call.meaning.scope.onMiss && !call.meaning.inside && !call.callee;

/** Nothing is left to write in `with session.begin_nested(): session.flush()`, so that no savepoint is sent. */
export function isIdle(c: Body, { meaning, meant }: Understood, manager: Syntax, body?: Syntax): boolean {
  const method = [meaning, ...(meant ?? []).map((one) => one.meaning)].find((its) => its?.scope?.flushes)
    ?.scope?.flushes;
  const [only, more] = (method && body?.children.filter(({ type }) => type !== 'comment')) || [];
  const call = only?.type === 'expression_statement' ? unwrapped(only.children[0]) : undefined;
  const [opens, callee] = [manager, call].map((one) => one?.type === 'call' && child(one, 'function'));
  if (more || !opens || !callee || textOf(c.file, child(callee, 'attribute')) !== method) return false;
  return textOf(c.file, child(callee, 'object')) === textOf(c.file, child(opens, 'object'));
}

/**
 * `with self.factory() as session:` of whom nobody knows: who was handed no session gives one of his own, and ends it. What is
 * open around is not open on it.
 */
export function lent(
  c: Body,
  manager: Syntax,
  target: Syntax | undefined,
  block: Step[],
): Step[] | undefined {
  const type = target?.type === 'identifier' ? named(c, textOf(c.file, target))?.type : undefined;
  if (block.length === 0 || manager.type !== 'call' || !type || !isHandle(type.path)) return undefined;
  const given = child(manager, 'arguments')?.children ?? [];
  const hands = (one: Syntax) => isHandle(resolve(c, child(one, 'value') ?? one)?.type?.path ?? '');
  const exit = c.exit(type);
  if (given.some(hands) || !(exit || /\.Connection$/.test(type.path))) return undefined;
  return [ownOne(underline(c, manager), block, exit)];
}

/** `with self.guard:` and `with Guard():` enter an object of the repository's own class. */
function object(c: Body, node: Syntax): Understood | undefined {
  const type = resolve(c, node)?.type;
  if (!type || !(c.file.classes.has(type.path) || isElsewhere(c, type.path))) return undefined;
  const at = underline(c, node.type === 'call' ? (child(node, 'function') ?? node) : node);
  return { at, node, callee: `python:${type.path}.__enter__` };
}

/** A class of the project that another file has. */
const isElsewhere = (c: Body, path: string): boolean =>
  /^[\w.]+\.[A-Z]\w*$/.test(path) && !isType(path) && !c.file.isForeign(path);

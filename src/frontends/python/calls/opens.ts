// The scope that a call opens, as a step. What stands in it is said elsewhere.
import type { Meaning } from '../../../framework.ts';
import type { Scope, Span, Step } from '../../../ir.ts';
import { asDoomed, dooms, isDoomedIn } from '../../spans.ts';
import { child, type Syntax } from '../../syntax.ts';
import { same } from '../counts/same.ts';
import { isComputed } from '../names/aliases.ts';
import { given } from '../names/arguments.ts';
import { apartFrom } from '../names/knowledge.ts';
import { ofParameter } from '../names/parameters.ts';
import { type Place, type Type, textOf, type Value } from '../names/scope.ts';
import { nameOf } from '../names/types.ts';
import { constantText, isClassLike, resolve } from '../names/values.ts';
import { bind } from '../names/variables.ts';
import type { Understood } from './understood.ts';

export function scopeOf(its: Meaning, base: { at: Span }, body: Step[], c: Place, call: Understood): Scope {
  const { opens, whenNested, label, releases, lazy, onMiss, instead } = its.scope!;
  const named =
    its.name !== undefined && call.node.type === 'call' ? given(c, call.node, its.name) : undefined;
  const name = named && constantText(c, named);
  const joins = its.scope!.joinsWith && joining(c, call.node, its.scope!.joinsWith);
  return {
    kind: 'scope',
    ...base,
    opens,
    whenNested,
    label: label ?? 'transaction',
    ...(isComputed(c, call.node, its) ? { computed: true } : {}),
    ...(releases ? { releases } : {}),
    ...(lazy ? { lazy } : {}),
    ...(instead ? { instead } : {}),
    ...(onMiss ? { onMiss, ...same(c, call.node) } : {}),
    ...(name ? { name } : {}),
    ...(joins ? { joins } : {}),
    body,
  };
}

/** What tells the scope around it to roll back when it ends: that is known by its connection alone. */
export function doomed(at: Span, on: string | undefined, how: true | 'perhaps'): Step[] {
  const step: Step = { kind: 'block', at, dooms: true, body: [] };
  dooms(step, around(on));
  return how === true ? [step] : [{ kind: 'branch', at, arms: [[step]], exhaustive: false }];
}

/** A scope that was told so. It needs the savepoint for that: one that joins rolls back what is around it as well. */
export function mayBeDoomed(scope: Scope): Step {
  if (scope.whenNested === 'join' || !isDoomedIn(scope.body, around(scope.on))) return scope;
  const { joins: _, ...rest } = scope;
  return asDoomed(rest, around(scope.on));
}

const around = (on: string | undefined) => `around it on ${on ?? 'the default one'}`;

/** The argument behind those that are there; a call that says already how it nests, or unpacks arguments, is left alone. */
function joining(c: Place, node: Syntax, argument: string): Scope['joins'] {
  const list = node.type === 'call' ? child(node, 'arguments') : undefined;
  if (list?.type !== 'argument_list') return undefined;
  const inside = textOf(c.file, list).slice(1, -1);
  if (inside.trim() === '') return { at: { start: list.start, end: list.end }, text: `(${argument})` };
  const plain = /^(?:using\s*=\s*)?[\w."'[\]]+$/.test(inside);
  return plain ? { at: { start: list.end - 1, end: list.end }, text: `, ${argument})` } : undefined;
}

/** Whether it gives a connection of its own; a session over a connection that is there already has that one. */
export function connects(c: Place, { node, meaning }: Understood): boolean {
  if (!meaning?.connects) return false;
  const list = node.type === 'call' ? child(node, 'arguments') : undefined;
  return !(list?.children ?? []).some((one) => {
    const value = one.type === 'keyword_argument' ? child(one, 'value') : one;
    const type = resolve(c, value)?.type?.path ?? '';
    if (/(^|\.)(Connection|Engine)$/.test(type)) return type.endsWith('Connection');
    // Of what nobody knows more the name tells.
    return value !== undefined && /(^|[._])conn(ection)?$/.test(textOf(c.file, value));
  });
}

export const connection = (base: { at: Span }, body: Step[]): Scope => ({
  kind: 'scope',
  ...base,
  opens: 'connection',
  whenNested: 'separate',
  label: 'connection',
  body,
});

/** One of its own for what stands in it, which ends so, where it ends by itself. */
export function ownOne(at: Span, body: Step[], ends: 'commit' | 'rollback' | undefined): Scope {
  const ended: Step[] = ends
    ? [{ kind: 'attempt', at, body, handlers: [], finally: [{ kind: ends, at }] }]
    : body;
  return connection({ at }, ended);
}

/** The same, unless somebody knows whom this calls. */
export const orElse = (steps: Step[], own: Step[] | undefined): Step[] =>
  own
    ? steps.map((step) =>
        step.kind === 'call' && !step.meanings ? { ...step, meanings: [{ steps: own }] } : step,
      )
    : steps;

/** Two libraries have two connections: a session of the one is in no transaction of the other. */
export function apart(c: Place, type: string | undefined): string | undefined {
  const from = type && apartFrom(type);
  return from && c.file.imported.has(from) ? type.slice(0, type.indexOf('.')) : undefined;
}

/** What a parameter holds is called: a block of the caller's, or an object whose class says what that does. */
export const handedIn = (c: Place, value: Value, name: string): Pick<Understood, 'callee' | 'yields'> =>
  value.type && c.file.classes.get(value.type.path)?.methods.has('__call__')
    ? { callee: `python:${value.type.path}.__call__` }
    : { yields: ofParameter(c, name) };

/** `s.begin_nested()` of whatever `s` is: what has that has the rest too, unless its own class says otherwise. */
export function tellsOwner(c: Place, call: Understood | undefined): void {
  const callee = call?.node.type === 'call' ? child(call.node, 'function') : undefined;
  const owner = callee && child(callee, 'object');
  if (!owner || !/^(identifier|attribute)$/.test(owner.type)) return;
  const meanings = [call!.meaning, ...(call!.meant ?? []).map(({ meaning }) => meaning)];
  const path = meanings.find((its) => its?.scope && its.becomes)?.becomes;
  const was = resolve(c, owner);
  if (!path || was?.type?.path === path || (was?.path && isClassLike(c, was.path))) return;
  const name = was?.path ?? (was?.type && nameOf(was.type));
  const type: Type = { path, certainty: 'likely', ...(name && { name }) };
  if (owner.type === 'identifier') bind(c, textOf(c.file, owner), { parameter: was?.parameter, type });
  else c.scope.held = new Map(c.scope.held).set(textOf(c.file, owner), type);
}

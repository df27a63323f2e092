// What a call is given, and what its options make of a meaning. It asks nobody what an expression is.
import type { Argument, Meaning } from '../../../framework.ts';
import type { Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { assignmentsOf } from './assignments.ts';
import { openersCalled } from './knowledge.ts';
import { lookup, type Place, textOf } from './scope.ts';

export function argument(call: Syntax, position: number): Syntax | undefined {
  const list = child(call, 'arguments');
  if (list?.type !== 'argument_list') return list && position === 0 ? list : undefined; // f(x for x in y)
  let at = 0;
  for (const one of list.children) if (!UNPLACED.has(one.type) && at++ === position) return one;
  return undefined;
}

const UNPLACED = new Set(['keyword_argument', 'dictionary_splat', 'comment']);

export function keyword(c: Place, call: Syntax, name: string): Syntax | undefined {
  let unpacks = false;
  for (const one of child(call, 'arguments')?.children ?? []) {
    if (one.type === 'keyword_argument' && textOf(c.file, child(one, 'name') ?? one) === name)
      return child(one, 'value');
    if (one.type === 'dictionary_splat') unpacks = true;
  }
  return unpacks ? unpacked(c, call).find(([key]) => key === name)?.[1] : undefined;
}

/** What `update(state="x", owner=y)` names; null where more may be given. */
export function keywordsOnly(c: Place, call: Syntax): string[] | null {
  const all = (child(call, 'arguments')?.children ?? []).filter(({ type }) => type !== 'comment');
  if (all.length === 0 || !all.every(({ type }) => type === 'keyword_argument')) return null;
  return all.map((one) => textOf(c.file, child(one, 'name') ?? one));
}

/** What `**{"savepoint": False}` gives, or a constant that holds such a dictionary. */
function unpacked(c: Place, call: Syntax): [string, Syntax][] {
  const all = child(call, 'arguments')?.children ?? [];
  return all.flatMap((one) =>
    one.type === 'dictionary_splat'
      ? (dictionary(c, one)?.children ?? []).flatMap((pair) => entry(c, pair))
      : [],
  );
}

function dictionary(c: Place, splat: Syntax): Syntax | undefined {
  const [held] = splat.children;
  const code = held?.type === 'identifier' ? lookup(c.file, c.scope, textOf(c.file, held))?.code : held;
  return code?.type === 'dictionary' ? code : undefined;
}

function entry(c: Place, pair: Syntax): [string, Syntax][] {
  const [key, value] = [child(pair, 'key'), child(pair, 'value')];
  return key?.type === 'string' && value ? [[textOf(c.file, key).replace(/^['"]|['"]$/g, ''), value]] : [];
}

/** By its place alone. */
export function argumentOf(call: Syntax, which: Argument): Syntax | undefined {
  return argument(call, typeof which === 'object' ? which.position : typeof which === 'number' ? which : 99);
}

export function given(c: Place, call: Syntax, which: Argument): Syntax | undefined {
  if (typeof which === 'number') return argument(call, which);
  if (typeof which === 'string') return keyword(c, call, which);
  const placed = keyword(c, call, which.keyword) ?? argument(call, which.position);
  return placed?.type === 'list_splat' ? undefined : placed;
}

/** The meaning with its options applied. An option that is not a literal leaves it as it is. */
export function merged(c: Place, its: Meaning, call: Syntax | undefined): Meaning {
  if (!its.when || call?.type !== 'call') return its;
  for (const variation of its.when) {
    const argument = given(c, call, variation.argument);
    const { entry: key, does } = variation;
    if (argument && (does || variation.unread)) {
      const code = codeOf(c, argument);
      const holds = does ? does.some((text) => textOf(c.file, code).includes(text)) : !isRead(c, code);
      if (holds) return { ...its, ...variation.then, when: undefined };
      continue;
    }
    const at = argument && key !== undefined ? entryOf(c, argument, key) : argument;
    if (!at || (variation.is === undefined && at.type === 'none')) continue;
    if (variation.is === undefined || literalText(c, at).replace(/^['"]|['"]$/g, '') === variation.is)
      return { ...its, ...variation.then, when: undefined };
  }
  return its;
}

const isRead = (c: Place, code: Syntax | undefined): boolean =>
  code !== undefined &&
  (/^(?:dictionary|none|lambda|function_definition)$/.test(code.type) ||
    (code.type === 'call' && isDict(c, code)));

/** What a name stands for in the file: what it is given once, or its function. */
function codeOf(c: Place, node: Syntax): Syntax | undefined {
  if (node.type !== 'identifier') return node;
  const name = textOf(c.file, node);
  const [own, another] = assignmentsOf(c, node, name);
  const code = own && !another ? child(own, 'right') : lookup(c.file, c.scope, name)?.code;
  if (code) return code;
  return c.file.root.children.find(
    (one) => one.type === 'function_definition' && textOf(c.file, child(one, 'name')) === name,
  );
}

const isDict = (c: Place, call: Syntax): boolean => textOf(c.file, child(call, 'function')) === 'dict';

/** `{"autocommit": True}`, `dict(autocommit=True)`, or a name of such. */
function entryOf(c: Place, node: Syntax, key: string): Syntax | undefined {
  const code = codeOf(c, node);
  const call = code?.type === 'call' && isDict(c, code) ? code : undefined;
  if (call) return keyword(c, call, key);
  return code?.type === 'dictionary'
    ? code.children.flatMap((pair) => entry(c, pair)).find(([name]) => name === key)?.[1]
    : undefined;
}

/** An option whose value is computed: what it says is not known. */
export function undecided(c: Place, its: Meaning, call: Syntax): boolean {
  const unpacks = child(call, 'arguments')?.children.filter(({ type }) => type === 'dictionary_splat') ?? [];
  const known = unpacks.every((one) => dictionary(c, one));
  if (!known && its.when?.some(({ then }) => then.scope)) return true;
  return (its.when ?? []).some((variation) => {
    const at = variation.is !== undefined ? given(c, call, variation.argument) : undefined;
    return (
      at !== undefined &&
      !/^(true|false|none|integer|string|dictionary)$/.test(at.type) &&
      !/^(True|False|None)$/.test(literalText(c, at))
    );
  });
}

function literalText(c: Place, node: Syntax): string {
  const code = node.type === 'identifier' ? lookup(c.file, c.scope, textOf(c.file, node))?.code : undefined;
  return textOf(c.file, code ?? node);
}

/** `from shop.db import atomic`: that module may have it from Django. */
export const reExported = (c: Place, node: Syntax, name: string) =>
  openersCalled(name).map(({ path, meaning }) => ({
    is: `python:${path}` as Name,
    meaning: merged(c, meaning, node),
  }));

/** Names of what is called and is nothing else. */
const CALLED = 'f|fn|func|function|cb|callback|callable|work|worker|coro';
const ONLY_CALLED = new RegExp(`^(${CALLED})$`);
/** Others may be an object as well, which nothing runs at once. */
const MAY_BE_CALLED = new RegExp(`^(${CALLED}|task|job|target|handler|method|action|hook|listener)$`);

export const isCalled = (name: string): boolean => ONLY_CALLED.test(name);
export const mayBeCalled = (name: string): boolean => MAY_BE_CALLED.test(name);

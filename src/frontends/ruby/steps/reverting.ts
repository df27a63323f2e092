// What of a migration runs only where it is taken back, so that nothing which it creates is there. Not what it does then.
import type { Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body, Method, Owner, RubyFile } from '../names/file.ts';
import { reverts } from '../names/meaning.ts';
import { argumentsOf, textOf } from '../syntax.ts';

/** `dir.down { … }` of what the block of `reversible` is given. */
export const isTakenBack = (body: Body, name: string, receiver: Syntax | undefined): boolean =>
  reverts.has(name) &&
  receiver?.type === 'identifier' &&
  (body.owner.role === 'migration' || body.file.unit.role === 'migration');

/** What stands in it creates nothing that stays. */
export function lowerBack(body: Body, lower: () => Step[] | null): Step[] {
  const { keepsObjects } = body;
  body.keepsObjects = false;
  const steps = lower() ?? [];
  body.keepsObjects = keepsObjects;
  return steps;
}

const known = new WeakMap<Owner, Set<string>>();

/** `down`, and the methods of the migration that nothing else asks for. */
export function isReverting(file: RubyFile, owner: Owner, { name, singleton }: Method): boolean {
  if (singleton) return false;
  const before = known.get(owner);
  if (before) return before.has(name);
  const asked = new Map(owner.methods.map((method) => [method.name, askedIn(file, owner, method.node)]));
  const all = (one: string) => [...(asked.get(one) ?? [])];
  const forward = (one: string) => all(one).filter(({ back }) => !back);
  const taken = [...asked.keys()].flatMap((one) => all(one).filter(({ back }) => back));
  const starts = [...asked.keys()].filter((one) => reverts.has(one));
  const only = reached([...starts, ...taken.map(({ name: to }) => to)], all);
  // What nobody asks for runs both ways, as far as this file tells.
  for (const one of reached(
    [...asked.keys()].filter((one) => !only.has(one)),
    forward,
  ))
    only.delete(one);
  known.set(owner, only);
  return only.has(name);
}

interface Asking {
  name: string;
  /** Only in what is taken back. */
  back: boolean;
}

function reached(from: string[], next: (one: string) => Asking[]): Set<string> {
  const out = new Set(from);
  for (const one of out) for (const { name } of next(one)) out.add(name);
  return out;
}

/** Which methods of its class a method names. */
function askedIn(file: RubyFile, owner: Owner, node: Syntax): Asking[] {
  const own = new Set(owner.methods.map(({ name }) => name));
  const out: Asking[] = [];
  const stack = node.children.map((one) => ({ one, back: false }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { one, back } = next;
    const name = NAMES.test(one.type) && one.field !== 'name' ? textOf(file, one).replace(/^:/, '') : '';
    if (own.has(name)) out.push({ name, back });
    const receiver = one.type === 'call' ? child(one, 'receiver') : undefined;
    const method = receiver?.type === 'identifier' ? child(one, 'method') : undefined;
    const block = method && reverts.has(textOf(file, method)) ? argumentsOf(file, one).block : undefined;
    for (const inner of one.children) stack.push({ one: inner, back: back || inner === block });
  }
  return out;
}

const NAMES = /^(identifier|simple_symbol)$/;

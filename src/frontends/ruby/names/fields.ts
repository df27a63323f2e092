// What the instance variables of a class hold, as far as its methods agree. It lowers nothing.
import { child, type Syntax } from '../../syntax.ts';
import { argumentsOf, parts, textOf } from '../syntax.ts';
import { type Body, newBody, type Owner, type RubyFile, type Type } from './file.ts';
import { typeOf, usual } from './types.ts';

interface Given {
  name: string;
  value: Syntax | undefined;
  body: Body;
}

/** `@order = Order.find(id)` anywhere in the class; two different types are none. */
export function findFields(file: RubyFile, owner: Owner): void {
  const all: Given[] = [];
  // Where the next `@` stands, of those behind `from`: a method without one sets no variable.
  let from = Number.POSITIVE_INFINITY;
  let next = -1;
  for (const { node, singleton, name: called } of owner.methods) {
    // What it does not say itself, it asks that object.
    const delegates = called === 'initialize' && /^(::)?(Simple)?Delegator$/.test(owner.superclass ?? '');
    if (node.start < from || next < node.start) {
      from = node.start;
      next = file.text.indexOf('@', from);
      if (next < 0) next = file.text.length;
    }
    if (next >= node.end && !delegates) continue;
    const body = newBody(file, owner, singleton, null);
    for (const one of parts(child(node, 'parameters'))) {
      const name = child(one, 'name');
      if (name) body.locals.set(textOf(file, name), usual(body, one));
    }
    const stack = [node];
    for (let one = stack.pop(); one; one = stack.pop()) {
      if (one.type === 'assignment' || one.type === 'operator_assignment') {
        const left = child(one, 'left');
        if (left?.type === 'instance_variable') {
          owner.assigned ??= new Set();
          const [name, value] = [textOf(file, left), child(one, 'right')];
          owner.assigned.add(name);
          all.push({ name, value, body });
          hold(owner, file, name, value);
        }
      }
      if (delegates && one.type === 'call' && child(one, 'method')?.type === 'super') {
        const made = typeOf(body, argumentsOf(file, one).positional[0]);
        if (made?.kind === 'one') owner.declaration.bases.push(made.name);
      }
      for (const inner of one.children) stack.push(inner);
    }
  }
  giveTypes(owner, all);
}

/** How often what one variable is may say what the next one is. */
const ROUNDS = 4;

/** `@line = @order.lines.find(id)` stands above the method that finds the order as well as below it. */
function giveTypes(owner: Owner, all: Given[]): void {
  const clashes = new Set<string>();
  const [made, found] = [new Set<string>(), new Set<string>()];
  let left = all;
  for (let round = 0; round < ROUNDS && left.length > 0; round++) {
    const types = left.map(({ value, body }) => typeOf(body, value));
    for (const [i, { name }] of left.entries()) {
      const type = types[i]!;
      if (type && type.kind !== 'builtin') (type.fresh ? made : found).add(name);
      remember(owner, name, type, clashes);
    }
    for (const name of clashes) owner.ivars.delete(name);
    const rest = left.filter((_, i) => types[i] === null);
    if (rest.length === left.length) break;
    left = rest;
  }
  // What one method makes may be what another one found, or what nobody knows.
  for (const { name } of left) found.add(name);
  for (const name of found) {
    const type = owner.ivars.get(name);
    if (type && made.has(name)) owner.ivars.set(name, { name: type.name, kind: type.kind });
  }
}

const CALLED = /^(lambda|simple_symbol)$/;

/** `@work = -> { … }`, and nothing else. */
function hold(owner: Owner, file: RubyFile, name: string, value: Syntax | undefined): void {
  if (!value) return;
  owner.held ??= new Map();
  const calls =
    /^(lambda|proc|Proc\.new|method)\b/.test(textOf(file, value).slice(0, 9)) && value.type === 'call';
  if ((CALLED.test(value.type) || calls) && !owner.held.has(name)) owner.held.set(name, value);
  // Given twice, it is neither.
  else owner.held.set(name, { ...value, type: 'nil', children: [] });
}

function remember({ ivars }: Owner, name: string, type: Type | null, clashes: Set<string>): void {
  if (!type || type.kind === 'some' || clashes.has(name)) return;
  const known = ivars.get(name);
  if (
    known &&
    known.kind !== 'builtin' &&
    type.kind !== 'builtin' &&
    (known.name !== type.name || known.kind !== type.kind)
  )
    clashes.add(name);
  if (!known || known.kind === 'builtin') ivars.set(name, type);
}

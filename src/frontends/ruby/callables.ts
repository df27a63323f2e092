// What runs where something is called that a variable or a constant holds: a block that was handed over, a lambda, a method taken as an object.
import type { Name, Span, Step } from '../../ir.ts';
import { child, type Syntax } from '../syntax.ts';
import { lower } from './body.ts';
import { type Body, constantName, type RubyFile, selfType } from './file.ts';
import { heldBy, heldIn } from './held.ts';
import { contained, OF_LAMBDA, OF_PROC } from './jumps.ts';
import { argumentsOf, spanOf, textOf, word } from './syntax.ts';
import { typeOf } from './types.ts';

/** `block.call`, `block.yield`, `work.call` where `work` is a lambda or `method(:place)`. */
export function blockCalled(body: Body, receiver: Syntax, name: string, at: Syntax, out: Step[]): boolean {
  if (!/^(call|yield|===)$/.test(name)) return false;
  if (name === 'call' && CONSTANT.test(receiver.type)) return false; // it has arguments to be told
  const steps = calling(body, receiver, spanOf(at));
  if (steps) out.push(...steps);
  return steps !== null;
}

/** `work[row]` calls a lambda that a variable or a constant holds. */
export const bracketed = (body: Body, held: Syntax, { start, end }: Syntax): Step[] | null =>
  HOLDS.test(held.type) && /^(lambda|call)$/.test(heldBy(body, held).type)
    ? calling(body, held, { start, end })
    : null;

/** Null where nobody knows what that is. */
export function calling(body: Body, held: Syntax, at: Span): Step[] | null {
  if (!HOLDS.test(held.type)) return ofTable(body, held, at) ?? methodBody(body, held, at);
  if (textOf(body.file, held) === body.blockName) return [{ kind: 'yield', at }];
  const each = eachOf(body, held, at);
  if (each) return each;
  const value = heldBy(body, held);
  // What a constant holds is a routine for itself.
  if (CONSTANT.test(held.type) && writtenIn(body.file, value))
    return [{ kind: 'call', at, callee: `${constantName(body.file, held, body.owner)}.call` }];
  return lambdaBody(body, value) ?? methodBody(body, value, at);
}

/** `STEPS.each { |step| step.call(order) }` of a list of classes: in one turn of the loop each. */
function eachOf(body: Body, held: Syntax, at: Span): Step[] | null {
  const among = held.type === 'identifier' ? body.locals.get(textOf(body.file, held))?.among : undefined;
  if (!among?.every(({ type }) => CONSTANT.test(type))) return null;
  return among.map((one): Step => {
    const callee: Name = `${constantName(body.file, one, body.owner)}.call`;
    return { kind: 'block', at, once: 'in loop', body: [{ kind: 'call', at, callee }] };
  });
}

const CONSTANT = /^(constant|scope_resolution)$/;

/** `HANDLERS[:place].call(order)`, `HANDLERS.fetch(kind).call(order)`: one of the lambdas and methods that a hash holds, or a class's `call`. */
function ofTable(body: Body, held: Syntax, at: Span): Step[] | null {
  const arms = heldIn(body, held).map((one): Step[] | null => {
    if (CONSTANT.test(one.type))
      return [{ kind: 'call', at, callee: `${constantName(body.file, one, body.owner)}.call` }];
    const value = heldBy(body, one);
    return lambdaBody(body, value) ?? methodBody(body, value, at);
  });
  if (arms.length < 2) return arms[0] ?? null;
  if (arms.some((arm) => arm === null)) return null;
  return [{ kind: 'branch', at, arms: arms.map((arm) => arm ?? []), exhaustive: true }];
}

const HOLDS = /^(identifier|constant|scope_resolution)$/;

/** The steps of a lambda that is written out; null when it is none. */
export function lambdaBody(body: Body, value: Syntax): Step[] | null {
  if (body.inlining.has(value) || body.inlining.size > 4 || body.room <= 0) return null;
  const written = writtenIn(body.file, value);
  if (!written) return null;
  body.inlining.add(value);
  const hows = value.type === 'lambda' || /^lambda\b/.test(textOf(body.file, value)) ? OF_LAMBDA : OF_PROC;
  const steps = contained(lower(body, child(written, 'body')), spanOf(value), hows);
  body.inlining.delete(value);
  body.room -= 1 + steps.length;
  return steps;
}

/** What has the parameters and the body of a lambda: itself, or the block that makes it. */
export function writtenIn(file: RubyFile, value: Syntax): Syntax | undefined {
  if (value.type === 'lambda') return value;
  return value.type === 'call' && /^(lambda|proc|Proc\.new)\b/.test(textOf(file, value).slice(0, 9))
    ? value.children.find(({ type }) => type === 'block' || type === 'do_block')
    : undefined;
}

/** `method(:place)`, `Ledger.method(:put)`. */
function methodBody(body: Body, value: Syntax, at: Span): Step[] | null {
  const method = child(value, 'method');
  if (value.type !== 'call' || !method || textOf(body.file, method) !== 'method') return null;
  const name = word(body.file, argumentsOf(body.file, value).positional[0]);
  const receiver = child(value, 'receiver');
  const type = receiver ? typeOf(body, receiver) : selfType(body);
  if (!name || type?.kind === 'builtin' || (receiver && !type)) return null;
  const mark = type?.kind === 'class' || type?.kind === 'many' ? '.' : '#';
  const callee: Name = type ? (`${type.name}${mark}${name}` as Name) : `ruby:${name}`;
  return [{ kind: 'call', at, callee }];
}

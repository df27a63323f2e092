// What runs where something is called that a variable or a constant holds: a block that was handed over, a lambda, a method taken as an object.
import type { Name, Span, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { choices } from '../names/choices.ts';
import {
  type Body,
  constantName,
  type Known,
  type RubyFile,
  resolveConstant,
  selfType,
} from '../names/file.ts';
import { heldBy } from '../names/held.ts';
import { contained, OF_LAMBDA, OF_PROC } from '../names/jumps.ts';
import { typeOf } from '../names/types.ts';
import { routineOf } from '../names/variables.ts';
import { type Arguments, argumentsOf, parts, spanOf, textOf, word } from '../syntax.ts';
import { lower } from './body.ts';

/** `block.call`, `block.yield`, `work.call` where `work` is a lambda or `method(:place)`. */
export function blockCalled(
  body: Body,
  receiver: Syntax,
  name: string,
  at: Syntax,
  args: Arguments,
  out: Step[],
): boolean {
  if (!/^(call|yield|===)$/.test(name)) return false;
  if (name === 'call' && CONSTANT.test(receiver.type)) return false; // it has arguments to be told
  const steps = calling(body, receiver, spanOf(at), args);
  // An object that has such a method may be given as well.
  out.push(...(steps ?? givenCallable(body, receiver, spanOf(at)) ?? []));
  return steps !== null;
}

/** `handler` that the method was given: whoever calls it says what runs. */
export function givenCallable(body: Body, held: Syntax, at: Span): Step[] | null {
  const name = textOf(body.file, held);
  const local = held.type === 'identifier' ? body.locals.get(name) : undefined;
  if (!local?.given || local.type) return null;
  const all = parts(child(routineOf(held), 'parameters'));
  const place = all.findIndex((one) => textOf(body.file, child(one, 'name') ?? one) === name);
  const parameter = all[place];
  if (!parameter || !/^(identifier|optional_parameter|keyword_parameter)$/.test(parameter.type)) return null;
  const byPlace = parameter.type !== 'keyword_parameter';
  return [{ kind: 'yield', at, parameter: { name, ...(byPlace && { place }), only: true } }];
}

/** `work[row]` calls a lambda that a variable or a constant holds. */
export function bracketed(body: Body, held: Syntax, { start, end }: Syntax): Step[] | null {
  if (!HOLDS.test(held.type)) return null;
  const { of } = choices(body, held);
  const missing = of.map((one) => missed(body, heldBy(body, one)));
  if (missing.length > 0 && !missing.includes(null)) return missing.flatMap((steps) => steps!);
  return of.every((one) => CALLABLE.test(heldBy(body, one).type))
    ? calling(body, held, { start, end })
    : null;
}

/** `Hash.new { |tags, name| tags[name] = … }` runs its block for a key that it has not; what it keeps once for each. */
function missed(body: Body, value: Syntax): Step[] | null {
  if (!makesHash(body.file, value)) return null;
  const block = value.children.find(({ type }) => type === 'block' || type === 'do_block');
  const steps = block && lambdaBody(body, block);
  if (!steps?.length) return steps ?? null;
  const [first] = parts(child(block!, 'parameters'));
  const keeps =
    first && new RegExp(`\\b${textOf(body.file, first)}(\\[.*?\\]\\s*(\\|\\|)?=(?!=)|\\.store\\b)`, 's');
  const kept = keeps?.test(textOf(body.file, block!)) === true;
  return kept ? [{ kind: 'block', at: spanOf(value), once: 'by key', body: steps }] : steps;
}

/** Its block is no block that it runs. */
export const makesHash = ({ text }: RubyFile, { type, start }: Syntax): boolean =>
  type === 'call' && /^(::)?(Hash|Concurrent::Map)\.new\b/.test(text.slice(start, start + 24));

const CALLABLE = /^(lambda|call)$/;
const CONSTANT = /^(constant|scope_resolution)$/;
const HOLDS = /^(identifier|constant|scope_resolution|instance_variable)$/;

/** Null where nobody knows what that is. */
export function calling(body: Body, held: Syntax, at: Span, args?: Arguments): Step[] | null {
  if (held.type === 'identifier' && textOf(body.file, held) === body.blockName)
    return [{ kind: 'yield', at }];
  const both = composed(body, held, at);
  if (both) return both;
  const { of, each } = choices(body, held);
  const arms = of.filter(({ type }) => type !== 'nil').map((one) => leaf(body, one, held, at, args));
  if (arms.length === 0 || arms.every((arm) => arm === null)) return null;
  if (each) return arms.flatMap((arm) => (arm ? inTurn(arm, at) : []));
  // What a caller may give instead, nobody sees.
  const given = held.type === 'identifier' && body.locals.get(textOf(body.file, held))?.given;
  if (arms.length === 1 && !given) return arms[0]!;
  return [{ kind: 'branch', at, arms: arms.map((arm) => arm ?? []), exhaustive: !given }];
}

/** `STEPS.each { |step| step.call(order) }`: in one turn of the loop each. */
export const inTurn = (steps: Step[], at: Span): Step[] =>
  steps.length > 0 ? [{ kind: 'block', at, once: 'in loop', body: steps }] : [];

/** `check >> place`, `place << check`: one, and the other with what it gave. */
function composed(body: Body, node: Syntax, at: Span): Step[] | null {
  const held = node.type === 'parenthesized_statements' ? parts(node)[0] : heldBy(body, node);
  const operator = held?.type === 'binary' ? child(held, 'operator') : undefined;
  const [left, right] = operator ? [child(held!, 'left'), child(held!, 'right')] : [];
  if (!left || !right || !/^(>>|<<)$/.test(textOf(body.file, operator!))) return null;
  // Placed, as `rows = rows << row` holds what it held.
  let known = false;
  const steps = body.place(held!, () =>
    [left, right].flatMap((one) => {
      const its = calling(body, one, at);
      known ||= its !== null;
      return its ?? [];
    }),
  );
  return known ? steps : null;
}

function leaf(body: Body, one: Syntax, held: Syntax, at: Span, args: Arguments | undefined): Step[] | null {
  if (one.type === 'identifier' && textOf(body.file, one) === body.blockName) return [{ kind: 'yield', at }];
  const value = CONSTANT.test(one.type) ? heldBy(body, one) : one;
  // What a constant holds is a routine for itself, and so is a class.
  if (
    CONSTANT.test(one.type) &&
    (writtenIn(body.file, value) || (value === one && !HOLDS.test(held.type)) || one !== held)
  )
    return [{ kind: 'call', at, callee: `${constantName(body.file, one, body.owner)}.call` }];
  return lambdaBody(body, value, args) ?? methodBody(body, value, at) ?? ofElsewhere(body, one, at);
}

/** `Shop::HANDLERS[:place].call(order)`, `Shop::HANDLERS.each { |one| one.call(order) }` of a table in another file. */
function ofElsewhere(body: Body, one: Syntax, at: Span): Step[] | null {
  const { file, owner } = body;
  const told = (table: Syntax, key: string): Step[] => {
    const name = resolveConstant(file, `${textOf(file, table).replace(/\s+/g, '')}::${key}`, owner);
    return [{ kind: 'call', at, callee: `${name}.call` }];
  };
  if (one.type === 'identifier') {
    const table = body.locals.get(textOf(file, one))?.from;
    return table ? told(table, 'each') : null;
  }
  const method = child(one, 'method');
  const fetched = one.type === 'call' && method && textOf(file, method) === 'fetch';
  const [table, key] = fetched ? [child(one, 'receiver'), argumentsOf(file, one).positional[0]] : parts(one);
  if ((!fetched && one.type !== 'element_reference') || !key || !table || !CONSTANT.test(table.type))
    return null;
  if (!/[a-z]/.test(textOf(file, table).split('::').at(-1)!)) return told(table, word(file, key) ?? 'any');
  return null;
}

/** The steps of a lambda that is written out, or of a block that was handed over; null when it is none. */
export function lambdaBody(body: Body, value: Syntax, args?: Arguments): Step[] | null {
  const written = writtenIn(body.file, value);
  if (!written) return null;
  const hows =
    value.type === 'lambda' || /^lambda\b/.test(textOf(body.file, value).slice(0, 7)) ? OF_LAMBDA : OF_PROC;
  return body.place(value, () => {
    const around = give(body, written, args ?? NO_ARGUMENTS);
    const steps = contained(lower(body, child(written, 'body')), spanOf(value), hows);
    for (const [name, local] of around)
      if (local) body.locals.set(name, local);
      else body.locals.delete(name);
    return steps;
  });
}

const NO_ARGUMENTS: Arguments = { positional: [], keywords: new Map(), splats: [] };

/** Its parameters hold what it is called with, or what nobody knows; what they were before. */
function give(body: Body, written: Syntax, args: Arguments): [string, Known | undefined][] {
  const given = parts(child(written, 'parameters')).flatMap((one, i): [string, Known][] => {
    const name = one.type === 'identifier' ? one : child(one, 'name');
    if (!name) return [];
    const key = textOf(body.file, name);
    const value =
      one.type === 'block_parameter'
        ? args.block
        : one.type === 'keyword_parameter'
          ? args.keywords.get(key)?.value
          : one.type === 'identifier'
            ? args.positional[i]
            : undefined;
    // A name that stands for itself would be looked up without end.
    if (value && textOf(body.file, value) === key) return [];
    if (!value) return [[key, { type: null }]];
    return [[key, { type: typeOf(body, value), ...(KEPT.test(value.type) ? { value } : {}) }]];
  });
  const before = given.map(([name]): [string, Known | undefined] => [name, body.locals.get(name)]);
  for (const [name, local] of given) body.locals.set(name, local);
  return before;
}

const KEPT = /^(lambda|call|simple_symbol|string|block|do_block)$/;

/** What has the parameters and the body of a lambda: itself, or the block that makes it. */
export function writtenIn(file: RubyFile, value: Syntax): Syntax | undefined {
  if (/^(lambda|block|do_block)$/.test(value.type)) return value;
  return value.type === 'call' && /^(lambda|proc|Proc\.new)\b/.test(textOf(file, value).slice(0, 9))
    ? value.children.find(({ type }) => type === 'block' || type === 'do_block')
    : undefined;
}

/** `method(:place)`, `Ledger.method(:put)`. */
function methodBody(body: Body, value: Syntax, at: Span): Step[] | null {
  if (!takesMethod(body, value)) return null;
  const name = word(body.file, argumentsOf(body.file, value).positional[0]);
  const receiver = child(value, 'receiver');
  const type = receiver ? typeOf(body, receiver) : selfType(body);
  if (!name || type?.kind === 'builtin' || (receiver && !type)) return null;
  const mark = type?.kind === 'class' || type?.kind === 'many' ? '.' : '#';
  const callee: Name = type ? (`${type.name}${mark}${name}` as Name) : `ruby:${name}`;
  return [{ kind: 'call', at, callee }];
}

/** A method by its name. */
export const takesMethod = (body: Body, node: Syntax): boolean =>
  node.type === 'call' && TAKES.test(textOf(body.file, child(node, 'method') ?? node));
const TAKES = /^(public_|singleton_)?method$/;

/** Whether this is a lambda, or something that gives one by how it is written. */
export const isCallable = (body: Body, node: Syntax): boolean =>
  choices(body, node).of.some((one) => writtenIn(body.file, one) !== undefined || takesMethod(body, one));

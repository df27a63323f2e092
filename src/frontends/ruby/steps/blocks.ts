// The steps of the block that a call hands over, written out or as `&:name`. Not what the call does with it.

import type { Block, MeantBy, Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { chunked } from '../counts/chunks.ts';
import { longestIn, often } from '../counts/lengths.ts';
import { itemsOf, keysOf } from '../names/choices.ts';
import { type Body, constantName, type Type } from '../names/file.ts';
import { ofCaller, oneOf } from '../names/given.ts';
import { heldBy, thawed } from '../names/held.ts';
import { liken, likenedTypes } from '../names/likened.ts';
import { bareSite, meaningsOf, stepsOf, typedMeanings } from '../names/meaning.ts';
import { isGiven, itemOf, typeOf } from '../names/types.ts';
import { told } from '../names/variables.ts';
import { type Arguments, parts, spanOf, textOf, word } from '../syntax.ts';
import { carryInTurns } from './assigned.ts';
import { lower, setLocal } from './body.ts';
import { calling, givenCallable, inTurn, isCallable, takesMethod } from './callables.ts';
import { FOR_EFFECT } from './effect.ts';
import { opensNothing } from './examples.ts';

const IMPLICIT = ['it', '_1'];

/** Null: no block is given, or one that is not known. */
export function blockSteps(
  body: Body,
  args: Arguments,
  method: string,
  receiver: Type | null,
  receiverNode: Syntax | undefined,
): Step[] | null {
  const loops = meaningsOf(method)[0]?.loops !== undefined || goesThrough(method, receiver);
  if (args.block) {
    if (opensNothing(body.file, method, args.block)) return [];
    const item = loops ? itemOf(receiver) : handed(method, receiver);
    const given = loops && meaningsOf(method)[0]?.chunk ? item && receiver : item;
    const parameters = child(args.block, 'parameters');
    // What is called as they are outside of the block is another variable.
    const named = parts(parameters).flatMap((one) =>
      one.type === 'identifier' ? textOf(body.file, one) : [],
    );
    const around = [...IMPLICIT, ...named].map((name) => [name, body.locals.get(name)] as const);
    bind(body, parameters, given, /^(inject|reduce)$/.test(method) ? 1 : 0);
    if (loops && receiverNode) bindLists(body, parameters, receiverNode);
    if (loops) bindChunk(body, parameters, chunked(body, method, args, receiverNode));
    for (const name of IMPLICIT)
      if (name !== 'it' || !body.locals.get(name)?.value) body.locals.set(name, { type: given });
    if (loops && receiverNode) bindItem(body, parameters, receiverNode);
    const { self } = body;
    const carried = new Map(body.carried);
    if (receiverNode && receiverNode.type !== 'self' && ASKED_INSIDE.test(method)) body.self = receiver;
    const steps = lower(body, child(args.block, 'body'));
    body.self = self;
    for (const [name, local] of around)
      if (local) body.locals.set(name, local);
      else body.locals.delete(name);
    if (loops && body.carried.size > 0) {
      const at = spanOf(receiverNode ?? args.block);
      carryInTurns(body, carried, { at, over: 'items', ...often(body, receiverNode, method, args) });
    }
    return steps;
  }
  if (args.blockArgument)
    return handedOver(body, args.blockArgument, itemOf(receiver), receiverNode, FOR_EFFECT.test(method));
  return callablesIn(body, args);
}

/** `run(rows, handler: -> { … })`: each as what it is handed over as; of several nobody knows which runs. */
function callablesIn(body: Body, { positional, keywords }: Arguments): Step[] | null {
  const given = [
    ...positional.entries(),
    ...[...keywords].map(([name, { value }]) => [name, value] as const),
  ];
  const all = given.flatMap(([handed, one]): Block[] => {
    const steps = MAY_CALL.test(one.type) && isCallable(body, one) ? calling(body, one, spanOf(one)) : null;
    return steps ? [{ kind: 'block', at: spanOf(one), handed, body: steps }] : [];
  });
  if (all.length < 2) return all.length > 0 ? all : null;
  return all.map((one): Step => ({ kind: 'branch', at: one.at, arms: [[one]], exhaustive: false }));
}

/** What only a class and its rows are asked: `Order.all { |order| … }` of Sequel. */
const goesThrough = (method: string, receiver: Type | null): boolean =>
  receiver !== null &&
  /^(class|many|some)$/.test(receiver.kind) &&
  typedMeanings(`.${method}`).some(({ meaning }) => meaning.loops === 'rows' && !meaning.write);

const MAY_CALL = /^(lambda|identifier|call|instance_variable)$/;

/** In their block, self is who they are asked of. */
const ASKED_INSIDE = /^(instance|class|module)_(exec|eval)$/;

/** What methods that run their block once give it. */
function handed(method: string, receiver: Type | null): Type | null {
  if (
    /^(tap|then|yield_self|with_lock|new|build|create!?|first_or_create!?|find_or_create_by!?|create_or_find_by!?)$/.test(
      method,
    )
  )
    return receiver && receiver.kind === 'class' ? { name: receiver.name, kind: 'one' } : receiver;
  return null;
}

function bind(body: Body, parameters: Syntax | undefined, type: Type | null, position: number): void {
  for (const [i, one] of parts(parameters).entries()) {
    const name = one.type === 'identifier' ? one : child(one, 'name');
    if (name) setLocal(body, name, i === position && one.type === 'identifier' ? type : null);
    else for (const inner of one.children) if (inner.type === 'identifier') setLocal(body, inner, null);
  }
}

const WRITTEN =
  /^(string|chained_string|heredoc_beginning|constant|scope_resolution|simple_symbol|bare_symbol|bare_string|lambda|call)$/;

/** `{ few: %w[a b] }.each { |key, list| … }`: how long a list is at most. */
function bindLists(body: Body, parameters: Syntax | undefined, receiver: Syntax): void {
  const [first, ...more] = parts(parameters);
  const last = more.at(-1) ?? first;
  if (!first || last?.type !== 'identifier') return;
  const among = itemsOf(body, receiver);
  const keys = more.length === 1 ? keysOf(thawed(body, heldBy(body, receiver))) : [];
  if (keys.length > 0 && first.type === 'identifier')
    body.locals.set(textOf(body.file, first), { among: keys });
  const items = longestIn(body, receiver);
  if (among.length > 0 && among.every((one) => isWritten(body, one)))
    body.locals.set(textOf(body.file, last), {
      among,
      ...(among.length === 1 && { type: typeOf(body, among[0]) }),
    });
  else if (items !== undefined) {
    const tables = among.length > 0 && among.every(({ type }) => type === 'hash') ? { tables: among } : {};
    body.locals.set(textOf(body.file, last), { items, ...tables });
  } else if (isTable(body, receiver)) {
    const name = textOf(body.file, last);
    body.locals.set(name, { ...body.locals.get(name), from: receiver });
  }
}

/** `orders.each { |x| … }`: its name says more than `x`. */
function bindItem(body: Body, parameters: Syntax | undefined, of: Syntax): void {
  const [first] = parts(parameters);
  for (const name of first?.type === 'identifier' ? [textOf(body.file, first)] : IMPLICIT)
    body.locals.set(name, { ...body.locals.get(name), of });
}

/** A constant in capitals that another file has. */
const isTable = (body: Body, node: Syntax): boolean =>
  /^(constant|scope_resolution)$/.test(node.type) &&
  /(^|::)[A-Z][A-Z0-9_]+$/.test(textOf(body.file, node)) &&
  heldBy(body, node) === node;

const isWritten = (body: Body, one: Syntax): boolean =>
  WRITTEN.test(one.type) && (one.type !== 'call' || isMade(body, one) || isCallable(body, one));

/** `Handler.new` */
const isMade = ({ file }: Body, one: Syntax): boolean =>
  /^(constant|scope_resolution)$/.test(child(one, 'receiver')?.type ?? '') &&
  textOf(file, child(one, 'method') ?? one) === 'new';

/** `rows.each_slice(50) { |some| … }`: a turn has so many of them, or fewer. */
function bindChunk(body: Body, parameters: Syntax | undefined, { chunk }: { chunk?: number | null }): void {
  const [first] = parts(parameters);
  if (!chunk || first?.type !== 'identifier') return;
  const name = textOf(body.file, first);
  body.locals.set(name, { ...body.locals.get(name), items: chunk });
}

/** `&:save!`, `&method(:place)`, `&block`, `&handler`. */
function handedOver(
  body: Body,
  argument: Syntax,
  item: Type | null,
  receiver: Syntax | undefined,
  forEffect: boolean,
): Step[] | null {
  const given = parts(argument)[0];
  if (!given) return [{ kind: 'yield', at: spanOf(argument) }]; // an anonymous `&`
  const symbol = given.type === 'simple_symbol' ? word(body.file, given) : null;
  const list = symbol === 'call' && receiver ? itemsOf(body, receiver) : [];
  const each = list.map((one) => calling(body, one, spanOf(given)));
  if (each.some((steps) => steps !== null))
    return each.flatMap((steps) => (steps ? inTurn(steps, spanOf(given)) : []));
  if (symbol) return ofSymbol(body, given, symbol, item, receiver, forEffect);
  const steps = calling(body, given, spanOf(given)) ?? givenCallable(body, given, spanOf(given));
  const one = item ?? ofCallers(body, receiver);
  if (steps && one?.kind === 'one' && takesMethod(body, given))
    return steps.map((step) =>
      step.kind === 'call' ? { ...step, args: 1, given: { 0: { is: one.name } } } : step,
    );
  if (steps || !isTable(body, given)) return steps;
  // A lambda of another file.
  const callee: Name = `${constantName(body.file, given, body.owner)}.call`;
  return [{ kind: 'call', at: spanOf(given), callee, meanings: [{ steps: [] }] }];
}

/** One of what this method was given: whoever calls it knows of which class that is. */
function ofCallers(body: Body, receiver: Syntax | undefined): Type | null {
  const whose = oneOf(ofCaller(body, receiver));
  return whose === null ? null : { name: `ruby:${whose}`, kind: 'one' };
}

function ofSymbol(
  body: Body,
  at: Syntax,
  name: string,
  item: Type | null,
  receiver: Syntax | undefined,
  forEffect: boolean,
): Step[] {
  const key = receiver && told(textOf(body.file, receiver));
  const typed = typedMeanings(`#${name}`);
  const given = item ? null : ofCallers(body, receiver);
  const types = item ? [item] : typed.length > 0 ? likenedTypes(body, receiver, true) : [];
  const site = bareSite(spanOf(at), name, item?.name ?? null, key);
  const telling = meaningsOf(name).filter(({ write, rowLock, scope }) => write || (rowLock && !scope));
  const meanings = [
    ...(given ? typed : []).map(
      ({ receiver: above, meaning }): MeantBy => ({
        receiver: above,
        steps: stepsOf([meaning], { ...site, relation: given!.name }),
      }),
    ),
    ...types.flatMap((type) =>
      typed.map(({ receiver: above, meaning }): MeantBy => {
        const likely = { ...site, relation: type.name, certainty: 'likely' as const };
        const steps = stepsOf([meaning], item ? site : likely);
        return { receiver: above, ...(!item && { of: type.name }), steps };
      }),
    ),
    ...(telling.length > 0 ? [{ steps: stepsOf(telling, { ...site, certainty: 'likely' as const }) }] : []),
  ];
  if (!item && meanings.length === 0 && !forEffect && !name.endsWith('!')) return [];
  const callee = `${(item ?? given)?.name ?? 'ruby:?'}#${name}` as Name;
  const like = !item || isGiven(item) ? liken(body, name, receiver, true) : {};
  return [
    { kind: 'call', at: spanOf(at), callee, args: 0, ...like, ...(meanings.length > 0 ? { meanings } : {}) },
  ];
}

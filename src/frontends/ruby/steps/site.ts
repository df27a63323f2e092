// The place of a call, as a framework's meaning asks for it: whose it is, which row, what it is given, how often. It decides no meaning.
import type { Meaning } from '../../../framework.ts';
import { child, type Syntax } from '../../syntax.ts';
import { chunked } from '../counts/chunks.ts';
import { listed, often } from '../counts/lengths.ts';
import type { Asked, Body, Type } from '../names/file.ts';
import { ofMethod } from '../names/held.ts';
import { isPlural, underscore } from '../names/inflect.ts';
import { altering, bareSite, chained, type Site, vary } from '../names/meaning.ts';
import { optionOf } from '../names/options.ts';
import { isGiven, typeOf } from '../names/types.ts';
import { holdersOf, named, passedOn, told, variable } from '../names/variables.ts';
import { type Arguments, argumentsOf, spanOf, textOf } from '../syntax.ts';
import { lowerSql } from './embedded.ts';
import { sameRow } from './same.ts';

/** In a meaning the block stands as what runs it: the call has the block itself. */
export const handing = (body: Body, asked: Asked): Site => ({
  ...site(body, asked),
  block: asked.block ? [{ kind: 'yield', at: spanOf(asked.at) }] : null,
});

/** What picks the row, as it is written: `Order.find(1).tap { … }` is `Order.find(1)`. */
function keyOf(body: Body, receiver: Syntax): string {
  const [method, above] = [child(receiver, 'method'), child(receiver, 'receiver')];
  const taps = above && method && receiver.type === 'call' && textOf(body.file, method) === 'tap';
  const written = told(textOf(body.file, taps ? above : receiver));
  // `order` of `attr_reader :order` is what `@order` holds.
  const read = !body.locals.has(written) && body.owner.attributes.has(written);
  return read ? `@${written}` : written;
}

/** `@order` of `def order = @order ||= …`, which gives that whenever it is asked. */
function rememberedBy(body: Body, receiver: Syntax): string[] {
  const given = ofMethod(body, receiver);
  const [left, sign] =
    given.type === 'operator_assignment' ? [child(given, 'left'), child(given, 'operator')] : [];
  const isKept = left?.type === 'instance_variable' && sign && textOf(body.file, sign) === '||=';
  return isKept ? [textOf(body.file, left)] : [];
}

/** `Order.lock.find(id)` picks what `Order.find(id)` does: two that are locked so are two rows. */
function chainOf(body: Body, { name, node, type }: Asked, receiver: Syntax): string {
  let written = keyOf(body, receiver);
  if (!chained.passes.has(name) || type?.kind === 'one') return written;
  for (let one = node; one.parent?.type === 'call' && one.field === 'receiver'; one = one.parent) {
    const method = child(one.parent, 'method');
    const finds = method ? textOf(body.file, method) : '';
    if (!chained.passes.has(finds) && !chained.item.has(finds)) break;
    written += told(body.file.text.slice(one.end, one.parent.end)).trim();
    if (chained.item.has(finds)) break;
  }
  return told(written);
}

/** `create!(account: account)`, `create!(account_id: @account.id)`, `create!(account_id: line.account_id)`; a constant tells no row. */
function referred(body: Body, { keywords }: Arguments): string[] {
  return [...keywords].flatMap(([name, { value }]) => {
    const text = textOf(body.file, value).replace(/:$/, '');
    const [, its] = REFERRED.exec(text) ?? [];
    const [, of] = (!body.locals.has(text) && KEY_OF.exec(text)) || [];
    return [its, of].flatMap((one) => (one ? [`${name}=${variable(body, value, one)}`] : []));
  });
}

/** `order.lines.create!`, `order.create_invoice!`, and either of the order itself: a row of those that an object has is that one's. What the column is called its class tells, or else its name. */
function referredBy(body: Body, receiver: Syntax | undefined, type: Type | null): string[] {
  const { file, owner, singleton } = body;
  // What `create_invoice!` makes is named by whose it is.
  const asked = type?.kind === 'class' && isGiven(type);
  const called = receiver && textOf(file, receiver);
  const ofSelf = receiver?.type === 'identifier' && !body.locals.has(called!) && isPlural(called!);
  if (asked ? !receiver : ofSelf)
    return owner.role === 'model' && !singleton ? [`${columnOf(owner.name)}=self`] : [];
  const list = receiver?.type === 'call' ? receiver : undefined;
  const whose = asked ? receiver : list && child(list, 'receiver');
  if (!whose || !/^(identifier|instance_variable|self)$/.test(whose.type)) return [];
  if (!asked && argumentsOf(file, list!).positional.length > 0) return [];
  const its = typeOf(body, whose);
  if (/^(class|many)$/.test(its?.kind ?? '')) return [];
  const text = textOf(file, whose);
  const column = columnOf(its?.kind === 'one' && !isGiven(its) ? its.name : text);
  return [`${column}=${text === 'self' ? text : variable(body, whose, text)}`];
}

const columnOf = (name: string) => `${underscore(/\w+$/.exec(name)?.[0] ?? '')}_id`;

const REFERRED = /^(@?[a-z_]\w*)(?:\.id)?$/;
/** What a record has as another one's key is that one's: `account_id`, `line.account_id`. */
const KEY_OF = /^(?:self\.)?((?:@?[a-z_]\w*\.)?[a-z]\w*)_id$/;

const LONGEST_CHAIN = 20;

/** `find(7)`, `find_by(id: order_id)`, `where(id: order_id)` before the call or behind it: one row, however it is asked for. */
function identified(body: Body, { node }: Asked): string[] {
  const calls: Syntax[] = [];
  const passes = (method: string) => chained.passes.has(method) || chained.item.has(method);
  const methodOf = (call: Syntax) => textOf(body.file, child(call, 'method') ?? call);
  for (let one = child(node, 'receiver'); one?.type === 'call'; one = child(one, 'receiver')) {
    if (calls.length === LONGEST_CHAIN || !passes(methodOf(one))) break;
    calls.push(one);
  }
  for (let one = node; calls.length < 2 * LONGEST_CHAIN; one = one.parent) {
    const method = methodOf(one);
    if (!passes(method)) break;
    calls.push(one);
    if (chained.item.has(method) || one.field !== 'receiver' || one.parent?.type !== 'call') break;
  }
  return [...new Set(calls.flatMap((one) => identity(body, one, methodOf(one))))];
}

function identity(body: Body, call: Syntax, method: string): string[] {
  if (!BY_ID.test(method)) return [];
  const { positional, keywords } = argumentsOf(body.file, call);
  const value = method === 'find' && positional.length === 1 ? positional[0] : keywords.get('id')?.value;
  const text = value ? textOf(body.file, value).replace(/:$/, '') : '';
  if (/^\d+$/.test(text)) return [`id=${text}`];
  return IDENTITY.test(text) ? [`id=${variable(body, value!, text)}`] : [];
}

const BY_ID = /^(?:find|find_by!?|where)$/;
const IDENTITY = /^(?:@?[a-z_]\w*(?:\.id)?|params\[:\w+\])$/;

/** `DB[:tags].insert_conflict(target: :name, update: …).insert(…)`, or of a variable that holds the query. */
function alteredBy(body: Body, receiver: Syntax | undefined): Meaning['alters'] {
  const held = (node: Syntax | undefined) =>
    node?.type === 'identifier' ? body.locals.get(textOf(body.file, node))?.value : node;
  let one = held(receiver);
  for (let i = 0; one?.type === 'call' && i < LONGEST_CHAIN; i++, one = held(child(one, 'receiver'))) {
    const name = textOf(body.file, child(one, 'method') ?? one);
    const meaning = altering.get(name);
    if (!meaning) continue;
    const args = argumentsOf(body.file, one);
    const option = (argument: number | string) => optionOf(body, args, argument);
    return vary([meaning], { ...bareSite(spanOf(one), name, null), option }).meaning.alters;
  }
  return undefined;
}

export function site(body: Body, asked: Asked): Site {
  const { name, at, receiver, type, args, block } = asked;
  return {
    at: spanOf(at),
    method: name,
    arguments: args,
    option: (argument) => optionOf(body, args, argument),
    typeOf: (argument) => {
      const its = typeOf(body, args.positional[argument]);
      return its?.kind === 'class' ? its.name : null;
    },
    listed: (argument) => listed(body, args.positional[argument]),
    relation: type && type.kind !== 'builtin' ? type.name : null,
    ...(type && type.kind !== 'builtin' ? { whose: type.name } : {}),
    keys: () => [
      ...(receiver ? named(body, receiver, chainOf(body, asked, receiver)) : ['self']),
      ...(receiver?.type === 'identifier' ? rememberedBy(body, receiver) : []),
      ...holdersOf(body, asked.node),
      ...identified(body, asked),
    ],
    passed: () => (receiver?.type === 'identifier' ? passedOn(body, receiver) : []),
    altered: () => alteredBy(body, receiver),
    refers: () => [...referred(body, args), ...referredBy(body, receiver, type)],
    ...(type?.fresh === undefined ? {} : { fresh: type.fresh }),
    same: () => sameRow(body, asked.node, receiver, args),
    block,
    sql: () => lowerSql(body, asked) ?? [],
    turns: () => ({ ...often(body, receiver, name, args), ...chunked(body, name, args, receiver) }),
  };
}

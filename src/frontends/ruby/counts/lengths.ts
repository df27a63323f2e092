// How often a loop turns, where the text says so: a number, a range, a collection that is written out. It lowers nothing.
import type { Loop } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Body, newBody, type RubyFile } from '../names/file.ts';
import { heldBy, isConstant, namesOf, ofMethod, thawed } from '../names/held.ts';
import { type Arguments, argumentsOf, parts, textOf } from '../syntax.ts';
import { made } from './made.ts';
import { picksOne } from './picked.ts';

/** How many turns, and whether there may be fewer. */
interface Length {
  times: number;
  atMost?: true;
}

/** What is known of how often it runs its block; `limit(10)` and `first(10)` give ten, or fewer. */
export function often(
  body: Body,
  receiver: Syntax | undefined,
  name: string,
  args: Arguments,
): Pick<Loop, 'times' | 'atMost' | 'each' | 'of'> {
  const nothing = { times: null };
  if (!receiver) return nothing;
  const counted = turns(body, receiver, name, args);
  if (counted) return counted;
  const limit = limited(body, receiver);
  if (limit !== null) return { times: limit, atMost: true };
  if (picksOne(body, receiver)) return { times: 1, atMost: true };
  const stops = STOPS.test(name);
  if (!stops && !EACH.test(name)) return nothing;
  const length = lengthOf(body, receiver);
  if (length) return stops ? { ...length, atMost: true } : length;
  if (stops) return nothing;
  const only = args.block && admitted(body, args.block);
  if (only) return { ...(lengthOf(body, only) ?? { times: null, of: namesOf(body, only) }), atMost: true };
  const { from, fewer, variables } = source(body, receiver);
  if (isGiven(body, from)) return { times: null, each: textOf(body.file, from) };
  const of = variables.every((one) => stays(body, one)) ? namesOf(body, from) : [];
  return of.length > 0 ? { times: null, of, ...(fewer && { atMost: true }) } : nothing;
}

const EACH =
  /^(each|find_each|map|each_with_index|flat_map|each_with_object|reverse_each|each_pair|each_key|each_value|collect|filter_map|each_entry|with_index|with_object|select|filter|reject|partition|group_by|index_by|index_with|sum|to_h|sort_by|tally_by)$/;
/** They ask no further once they know. */
const STOPS = /^(find|detect|find_index|any\?|all\?|none\?|one\?|take_while|drop_while|inject|reduce)$/;

/** How many items a collection has that is written out, as far as it stays so. */
export function lengthOf(body: Body, node: Syntax, names = 0): Length | null {
  const { from, fewer, variables } = source(body, node);
  const inner = from.type === 'identifier' ? body.locals.get(textOf(body.file, from))?.items : undefined;
  const times = inner ?? (wrapsHash(body, from) ? 1 : (written(from) ?? counted(body, from)));
  if (!variables.every((one) => stays(body, one))) return null;
  if (times === null)
    return names < NAMES
      ? (joined(body, from, names) ?? paired(body, from, names) ?? ofOthers(body, from, names))
      : null;
  return { times, ...((fewer || inner !== undefined) && { atMost: true }) };
}

/** How many items an argument has that is a list by how it is written: `[a, b]`, `rows.map { … }`, `Array.new(3)`. */
export function listed(body: Body, node: Syntax | undefined): Length | { times: null } | null {
  if (node?.type === 'array') return lengthOf(body, node) ?? { times: null };
  const receiver = node?.type === 'call' ? child(node, 'receiver') : undefined;
  if (!node || !receiver) return null;
  if (LISTS.test(methodOf(body, node))) return lengthOf(body, node) ?? { times: null };
  const size = textOf(body.file, receiver) === 'Array' && methodOf(body, node) === 'new';
  return size ? { times: number(body, argumentsOf(body.file, node).positional[0]) } : null;
}

const LISTS = /^(map|collect|flat_map|filter_map|to_a)$/;

/** What the block of a loop is given, where each of the items is a list that is written out: the longest of them. */
export function longestIn(body: Body, receiver: Syntax): number | undefined {
  const { from, variables } = source(body, receiver);
  if (written(from) === null || !variables.every((one) => stays(body, one))) return undefined;
  const lists = parts(from).map((one) => (one.type === 'pair' ? child(one, 'value') : one));
  const lengths = lists.map((one) => one && written(thawed(body, one)));
  return lengths.every((one) => typeof one === 'number') ? Math.max(0, ...lengths) : undefined;
}

/** Items of a list, a hash or `%w[…]`; null where a splat may bring more. */
function written(node: Syntax): number | null {
  if (!/^(array|string_array|symbol_array|hash)$/.test(node.type)) return null;
  return node.children.some(({ type }) => /splat/.test(type)) ? null : parts(node).length;
}

/** How many names one list may be made of through others: `Date = Date | Other` is made of itself. */
const NAMES = 4;

/** One list behind the other. */
function joined(body: Body, node: Syntax, names: number): Length | null {
  const sign = signOf(body, node);
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (!/^[+|]$/.test(sign) || !left || !right) return null;
  const of = (one: Syntax) => lengthOf(body, one, one.type === 'binary' ? names : names + 1);
  const [first, second] = [of(left), of(right)];
  if (!first || !second) return null;
  const fewer = sign === '|' || first.atMost || second.atMost;
  return { times: first.times + second.times, ...(fewer && { atMost: true }) };
}

/** What is made of others has as many at most. */
function ofOthers(body: Body, node: Syntax, names: number): Length | null {
  const times = made(body, node, {
    items: (one) => lengthOf(body, one, names + 1)?.times ?? null,
    number: (one) => number(body, one),
    range: (one) => counted(body, one),
  });
  return times === null ? null : { times, atMost: true };
}

/** `KINDS.product(SIZES)`: each of one with each of the others. */
function paired(body: Body, node: Syntax, names: number): Length | null {
  const receiver = child(node, 'receiver');
  if (node.type !== 'call' || !receiver || methodOf(body, node) !== 'product') return null;
  const all = [receiver, ...argumentsOf(body.file, node).positional];
  const lengths = all.map((one) => lengthOf(body, one, names + 1));
  if (lengths.includes(null)) return null;
  const times = lengths.reduce((product, one) => product * one!.times, 1);
  return { times, ...(lengths.some((one) => one!.atMost) && { atMost: true }) };
}

const signOf = ({ file }: Body, node: Syntax): string => {
  const operator = node.type === 'binary' && child(node, 'operator');
  return operator ? textOf(file, operator) : '';
};

/** They give as many items as there are, and these fewer. */
const SAME =
  'sort|sort_by|reverse|to_a|to_h|to_set|entries|keys|values|each|each_with_index|with_index|each_entry|freeze|dup|deep_dup|lazy|shuffle|map|collect|zip|with_indifferent_access|symbolize_keys|stringify_keys|transform_keys|transform_values|index_with|invert';
const FEWER =
  'reject|select|filter|compact|compact_blank|uniq|filter_map|grep|except|slice|permit|drop|drop_while|take_while|without|find_all|index_by|group_by';
const KEEPS = new RegExp(`^(${SAME}|${FEWER})$`);
const DROPS = new RegExp(`^(${FEWER})$`);

/** What a collection is made of by dropping some of its items or none, and the variables that held it meanwhile. */
function source(body: Body, node: Syntax): { from: Syntax; fewer: boolean; variables: Syntax[] } {
  const found = { from: node, fewer: false, variables: [] as Syntax[] };
  for (let steps = 0; steps < 20; steps++) {
    const { from } = found;
    const inner = before(body, from);
    if (!inner || inner === from) break;
    const asksSelf = isOfSelf(body, from);
    if (from.type === 'identifier' && !asksSelf) found.variables.push(from);
    found.fewer ||=
      asksSelf || from.type === 'binary' || (from.type === 'call' && DROPS.test(methodOf(body, from)));
    found.from = inner;
  }
  return found;
}

function isWrap(body: Body, node: Syntax): boolean {
  const receiver = node.type === 'call' ? child(node, 'receiver') : undefined;
  return receiver !== undefined && textOf(body.file, receiver) === 'Array' && methodOf(body, node) === 'wrap';
}

/** `Array.wrap({ … })` and `Array.wrap(given.to_h)` have one item, which is the hash. */
function wrapsHash(body: Body, node: Syntax): boolean {
  const given = isWrap(body, node) ? argumentsOf(body.file, node).positional[0] : undefined;
  if (!given) return false;
  return given.type === 'hash' || (given.type === 'call' && /^to(_unsafe)?_h$/.test(methodOf(body, given)));
}

function before(body: Body, node: Syntax): Syntax | undefined {
  switch (node.type) {
    case 'parenthesized_statements':
      return parts(node).length === 1 ? parts(node)[0] : undefined;
    case 'constant':
    case 'scope_resolution': {
      const name = textOf(body.file, node);
      return grownIn(body.file).has(name.slice(name.lastIndexOf(':') + 1)) ? undefined : heldBy(body, node);
    }
    case 'identifier':
      if (isOfSelf(body, node)) return ofOwn(body, node);
      return isVariable(body.locals.get(textOf(body.file, node))?.value) ? heldBy(body, node) : undefined;
    case 'call': {
      const receiver = child(node, 'receiver');
      if (isOfSelf(body, node)) return ofOwn(body, node);
      if (receiver && isWrap(body, node))
        return wrapsHash(body, node) ? undefined : argumentsOf(body.file, node).positional[0];
      if (receiver) return among(body, node) ?? (KEEPS.test(methodOf(body, node)) ? receiver : undefined);
      return methodOf(body, node) === 'Array' ? argumentsOf(body.file, node).positional[0] : undefined;
    }
    case 'binary': {
      const [left, right] = [child(node, 'left'), child(node, 'right')];
      const sign = signOf(body, node);
      return sign === '-' ? left : sign === '&' ? (right && isConstant(right) ? right : left) : undefined;
    }
    default:
      return undefined;
  }
}

/** A method of the object itself, and no variable. */
const isOfSelf = (body: Body, node: Syntax): boolean =>
  node.type === 'identifier'
    ? !body.locals.has(textOf(body.file, node))
    : node.type === 'call' && !child(node, 'receiver') && methodOf(body, node) !== 'Array';

/** What a method of the class itself leaves of a list that is written out: `def marks = params.slice(*NAMES)`. */
function ofOwn(body: Body, node: Syntax): Syntax | undefined {
  const given = ofMethod(body, node);
  if (given === node || given.type !== 'call') return undefined;
  const { from, fewer } = source(newBody(body.file, body.owner, body.singleton, null), given);
  return fewer && (isConstant(from) || written(from) !== null) ? from : undefined;
}

/** The list whose items alone are left: `rows.select { |row| ALL.include?(row) }`, `row.values_at(*ALL)`, `params.permit(:a, :b)`. */
function among(body: Body, call: Syntax): Syntax | undefined {
  const method = methodOf(body, call);
  const { positional, block } = argumentsOf(body.file, call);
  if (/^(values_at|slice|fetch_values|permit)$/.test(method)) {
    const [first, ...more] = positional;
    if (first?.type === 'splat_argument' && more.length === 0) return parts(first)[0];
    const list = call.children.find(({ type }) => type === 'argument_list');
    const named = list && parts(list).every(({ type }) => /^(simple_symbol|string|pair)$/.test(type));
    return named && parts(list).length > 0 ? { ...list, type: 'array', children: parts(list) } : undefined;
  }
  const [asks, ...more] =
    block && /^(select|filter|find_all)$/.test(method) ? parts(child(block, 'body')) : [];
  const list = asks && more.length === 0 && asks.type === 'call' ? child(asks, 'receiver') : undefined;
  return list && isConstant(list) && /^(include|member)\?$/.test(methodOf(body, asks!)) ? list : undefined;
}

/** `next unless KINDS.include?(kind)` comes first in the block: what follows runs for the items of that list. */
function admitted(body: Body, block: Syntax): Syntax | undefined {
  const first = parts(child(block, 'body'))[0];
  const item = parts(child(block, 'parameters'))[0];
  const asks = first && child(first, 'condition');
  if (!item || asks?.type !== 'call' || child(first!, 'body')?.type !== 'next') return undefined;
  const wanted = first!.type === 'unless_modifier' ? /^(include|member)\?$/ : /^exclude\?$/;
  const [list, [given]] = [child(asks, 'receiver'), argumentsOf(body.file, asks).positional];
  const isItem = given?.type === 'identifier' && textOf(body.file, given) === textOf(body.file, item);
  return list && isItem && isConstant(list) && wanted.test(methodOf(body, asks)) ? list : undefined;
}

const methodOf = ({ file }: Body, call: Syntax) => textOf(file, child(call, 'method') ?? call);

/** A parameter that nothing is put into, or what a block is given: `flagsOf` knows which. */
function isGiven(body: Body, node: Syntax): boolean {
  if (node.type !== 'identifier') return false;
  const name = textOf(body.file, node);
  const local = body.locals.get(name);
  if (local === undefined || isVariable(local.value)) return false;
  local.kept ??= !grown(name).test(textOf(body.file, methodAround(node)));
  return local.kept;
}

const grown = (name: string) =>
  new RegExp(
    String.raw`(?<![\w.@$:])${name}\s*(<<|\[[^\]\n]*\]\s*(\|\|)?=(?![=~>])|\.(push|append|concat|unshift|prepend|insert|store|replace|fill|update|\w+!)(?!\w))`,
    'g',
  );

/** Constants that something in the file makes longer. */
export const grownIn = (file: RubyFile): Set<string> => {
  file.grown ??= new Set(
    file.constants.size > 0 ? [...file.text.matchAll(grown('([A-Z]\\w*)'))].map(([, name]) => name!) : [],
  );
  return file.grown;
};

/** Where it was given a value by an assignment; a parameter's default is not all that callers give. */
const isVariable = (value: Syntax | undefined) => value?.parent?.type === 'assignment';

function limited(body: Body, receiver: Syntax): number | null {
  if (receiver.type !== 'call') return null;
  const method = textOf(body.file, child(receiver, 'method') ?? receiver);
  const given = /^(?:limit|first|last|take|sample)$/.test(method) ? parts(child(receiver, 'arguments')) : [];
  return given.length === 1 ? number(body, given[0]!) : null;
}

/** How often `3.times`, `(1..10).each` or `1.upto(10)` run. */
function turns(body: Body, receiver: Syntax, name: string, args: Arguments): Length | null {
  const times = timesOf(body, receiver, name, args);
  return times === null ? null : { times, ...(STOPS.test(name) && { atMost: true }) };
}

function timesOf(body: Body, receiver: Syntax, name: string, args: Arguments): number | null {
  const [first, second] = args.positional;
  if (name === 'times') return number(body, receiver);
  if (name === 'new' && textOf(body.file, receiver) === 'Array') return number(body, first);
  let inner: Syntax = receiver;
  while (inner.type === 'parenthesized_statements' && parts(inner).length === 1) inner = parts(inner)[0]!;
  if (name === 'upto' && first) return count(body, inner, first, 1);
  if (name === 'downto' && first) return count(body, first, inner, 1);
  if (name === 'step' && first && second) return parted(count(body, inner, first, 1), number(body, second));
  if (inner.type !== 'range') return null;
  const [from, to] = [child(inner, 'begin'), child(inner, 'end')];
  const exclusive = textOf(body.file, inner).includes('...');
  const items = from && to ? count(body, from, to, exclusive ? 0 : 1) : null;
  if (EACH.test(name) || STOPS.test(name)) return items;
  return name === 'step' || name === 'each_slice' ? parted(items, number(body, first)) : null;
}

/** `3.times.map`, `(1..9).to_a.each`: what is asked goes through the numbers. */
function counted(body: Body, node: Syntax): number | null {
  if (node.type === 'range') return timesOf(body, node, 'each', NO_ARGUMENTS);
  const receiver = node.type === 'call' ? child(node, 'receiver') : undefined;
  const method = receiver ? methodOf(body, node) : '';
  return /^(times|upto|downto|step)$/.test(method)
    ? timesOf(body, receiver!, method, argumentsOf(body.file, node))
    : null;
}

const NO_ARGUMENTS: Arguments = { positional: [], keywords: new Map(), splats: [] };

/** A turn for so many of them. */
const parted = (items: number | null, by: number | null): number | null =>
  items === null || !by ? null : Math.ceil(items / by);

/** It looks at a collection and leaves it as it is; so does handing it on. */
const LOOKS = `each|map|flat_map|each_with_object|reverse_each|each_pair|each_key|each_value|size|length|count|any\\?|empty\\?|none\\?|all\\?|present\\?|blank\\?|include\\?|key\\?|first|last|join|sum|index_by|group_by|inspect|${SAME}|${FEWER}`;
const LOOKED = new RegExp(`\\s*&?\\.(${LOOKS})(?![\\w!])`, 'y');

/** What a query asks for, it leaves as it is: `where(name: names)`. */
const ASKS = /\.(?:where|not|find_by|exists\?|rewhere)\([^()\n]*$/;

/** Behind it the line is a comment. */
const REMARKS = /^(?:[^"']|"[^"]*"|'[^']*')*?(?<!\S)#(?!\{)/;

/** The variable is given a value once in its method, and nothing is done to that but looking at it. */
function stays(body: Body, node: Syntax): boolean {
  const name = textOf(body.file, node);
  const local = body.locals.get(name);
  if (local?.kept !== undefined) return local.kept;
  const text = textOf(body.file, methodAround(node));
  const mentions = [...text.matchAll(new RegExp(`(?<![\\w.@$:])${name}(?![\\w?!:])(\\s*=(?![=~>]))?`, 'g'))];
  const others = mentions.filter(({ 0: found, 1: set, index }) => {
    LOOKED.lastIndex = index + found.length;
    if (set || LOOKED.test(text)) return false;
    const line = text.slice(Math.max(text.lastIndexOf('\n', index) + 1, index - 160), index);
    return !ASKS.test(line) && !REMARKS.test(line);
  });
  const kept = others.length === 0 && mentions.filter(({ 1: set }) => set).length === 1;
  if (local) local.kept = kept;
  return kept;
}

function methodAround(node: Syntax): Syntax {
  let whole = node;
  while (whole.parent && !/^(singleton_)?method$/.test(whole.type)) whole = whole.parent;
  return whole;
}

function count(body: Body, from: Syntax, to: Syntax, more: number): number | null {
  const [low, high] = [number(body, from), number(body, to)];
  return low === null || high === null ? null : Math.max(0, high - low + more);
}

function number(body: Body, node: Syntax | undefined): number | null {
  if (node?.type === 'identifier') return variable(body, node);
  const held = node && isConstant(node) ? heldBy(body, node) : node;
  if (held?.type !== 'integer') return null;
  const value = Number(textOf(body.file, held).replaceAll('_', ''));
  return Number.isFinite(value) ? value : null;
}

/** A number that a variable holds, or the size of what is written out. */
function variable(body: Body, node: Syntax): number | null {
  const name = textOf(body.file, node);
  if (!isVariable(body.locals.get(name)?.value)) return null;
  const sets = new RegExp(`(?<![\\w.@$:])${name}\\s*(?:[-+*/%|&]|\\|\\||&&)?=(?![=~>])`, 'g');
  if (textOf(body.file, methodAround(node)).match(sets)?.length !== 1) return null;
  const held = heldBy(body, node);
  const receiver = held.type === 'call' ? child(held, 'receiver') : undefined;
  if (receiver && /^(?:size|length|count)$/.test(methodOf(body, held)))
    return argumentsOf(body.file, held).positional.length > 0
      ? null
      : (lengthOf(body, receiver)?.times ?? null);
  return held.type === 'integer' ? number(body, held) : null;
}

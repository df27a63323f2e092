// How often a loop turns, where the text says so: a number, a range, a collection that is written out. It lowers nothing.
import type { Loop } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Body, newBody, type RubyFile } from '../names/file.ts';
import { heldBy, isConstant, namesOf, ofMethod, thawed } from '../names/held.ts';
import { configured } from '../names/meaning.ts';
import { isLocal } from '../names/mentions.ts';
import { type Arguments, argumentsOf, parts, textOf } from '../syntax.ts';
import { bounded } from './bounded.ts';
import { blockTurns, whileTurns } from './counters.ts';
import { days } from './days.ts';
import { filled } from './filled.ts';
import { limited } from './limited.ts';
import { type Ask, groupsOf, isSingle, made } from './made.ts';
import { atMost, exactly, type Length, number } from './numbers.ts';
import { picksOne } from './picked.ts';
import { ofOwnMethod } from './returned.ts';

/** What is known of how often it runs its block; `limit(10)` and `first(10)` give ten, or fewer. */
export function often(
  body: Body,
  receiver: Syntax | undefined,
  name: string,
  args: Arguments,
): Pick<Loop, 'times' | 'atMost' | 'each' | 'of' | 'certainty'> {
  if (!receiver) return { times: null };
  const known = turns(body, receiver, name, args) ?? someOf(body, receiver, name, args);
  const ends = args.block && broken(body, receiver, name, args);
  if (known && (!ends || known.times <= ends.times)) return known;
  if (ends) return ends;
  // What a configuration writes out is short, mostly; no text says how short.
  if (isConfigured(body, receiver)) return { times: null, certainty: 'possible' };
  return elsewhere(body, receiver, name, args);
}

function isConfigured({ file }: Body, receiver: Syntax): boolean {
  const text = textOf(file, receiver).replace(/^::/, '');
  return configured.has(text) || [...configured].some((name) => text.startsWith(`${name}.`));
}

/** So many of the rows or items, each by itself or several in a turn. */
function someOf(body: Body, receiver: Syntax, name: string, args: Arguments): Length | null {
  const limit = limitOf(body, receiver) ?? (picksOne(body, receiver) ? 1 : null);
  const stops = STOPS.test(name);
  const length =
    limit === null
      ? stops || EACH.test(name) || GROUPS.test(name)
        ? (lengthOf(body, receiver) ?? atMost(boundOf(body, receiver)))
        : null
      : atMost(limit);
  if (!length) return null;
  const times = grouped(body, name, args, length.times);
  return times === null ? null : { times, ...((stops || length.atMost) && { atMost: true }) };
}

const limitOf = (body: Body, node: Syntax) => limited(body, node, (one) => numeral(body, one)?.times ?? null);

/** What conditions and assignments before the loop leave of it. */
function boundOf(body: Body, receiver: Syntax): number | null {
  const { from, variables } = source(body, receiver);
  if (!variables.every((one) => stays(body, one))) return null;
  return bounded(body, from, {
    number: (one) => numeral(body, one)?.times ?? null,
    // What is written out is there to be filled.
    items: (one) =>
      /^(call|element_reference)$/.test(one.type)
        ? (limitOf(body, one) ?? lengthOf(body, one)?.times ?? null)
        : null,
    isPart: (one, of) => textOf(body.file, source(body, one).from) === of,
  });
}

/** What other files, or callers, say of it. */
function elsewhere(
  body: Body,
  receiver: Syntax,
  name: string,
  args: Arguments,
): Pick<Loop, 'times' | 'atMost' | 'each' | 'of'> {
  if (!EACH.test(name)) return { times: null };
  const only = args.block && admitted(body, args.block);
  if (only) return { ...(lengthOf(body, only) ?? { times: null, of: namesOf(body, only) }), atMost: true };
  const { from, fewer, variables } = source(body, receiver);
  if (isGiven(body, from)) return { times: null, each: textOf(body.file, from) };
  const of = variables.every((one) => stays(body, one)) ? namesOf(body, from) : [];
  return { times: null, ...(of.length > 0 && { of, ...(fewer && { atMost: true as const }) }) };
}

const EACH =
  /^(each|find_each|each_record|map!?|each_with_index|flat_map|each_with_object|reverse_each|each_pair|each_key|each_value|each_index|each_char|each_line|collect!?|collect_concat|filter_map|each_entry|with_index|with_object|select!?|filter!?|reject!?|delete_if|keep_if|partition|group_by|index_by|index_with|sum|to_h|to_set|sort_by!?|min_by|max_by|count|uniq|zip|grep|grep_v|foreach|tally_by|transform_values!?|transform_keys!?)$/;
/** They ask no further once they know. */
const STOPS = /^(find|detect|find_index|any\?|all\?|none\?|one\?|take_while|drop_while|inject|reduce)$/;
/** A turn takes several of them, or one of them several times. */
const GROUPS = /^(each_slice|in_groups_of|each_cons|combination|permutation|product|cycle)$/;

/** How many turns that are, of so many items. */
function grouped(body: Body, name: string, { positional }: Arguments, items: number): number | null {
  if (!GROUPS.test(name)) return items;
  const [first] = positional;
  if (name === 'product') {
    const all = positional.map((one) => lengthOf(body, one)?.times ?? null);
    return all.reduce<number | null>(
      (product, one) => (product === null || one === null ? null : product * one),
      items,
    );
  }
  const by = numeral(body, first);
  return by && !by.atMost ? groupsOf(name, items, by.times) : null;
}

/** `loop do … break if i > 5`, and the same of what counts its turns: `each_with_index do |row, i|`. */
function broken(body: Body, receiver: Syntax, name: string, args: Arguments): Length | null {
  const begin = /^(each_with_index|with_index|each\.with_index)$/.test(name)
    ? args.positional[0]
      ? (numeral(body, args.positional[0])?.times ?? null)
      : 0
    : endless(body, receiver, name);
  const counts = begin === null ? undefined : { from: begin };
  return atMost(blockTurns(body, args.block!, asks(body), counts));
}

/** `(1..).each`, `1.step`: what it gives its block is a number, from this one on. */
function endless(body: Body, receiver: Syntax, name: string): number | null {
  let one = receiver;
  while (one.type === 'parenthesized_statements' && parts(one).length === 1) one = parts(one)[0]!;
  const begin =
    one.type === 'range' && /^(each|map)$/.test(name)
      ? child(one, 'begin')
      : name === 'step'
        ? one
        : undefined;
  return numeral(body, begin)?.times ?? null;
}

const asks = (body: Body) => ({
  number: (one: Syntax | undefined) => numeral(body, one)?.times ?? null,
  items: (one: Syntax) => lengthOf(body, one)?.times ?? null,
});

/** How often a `while` or `until` turns that counts, or that empties a list. */
export const turnsOfWhile = (body: Body, node: Syntax): Length | null =>
  atMost(whileTurns(body, node, asks(body)));

/** How often `loop` turns before it breaks off. */
export const turnsOfLoop = (body: Body, block: Syntax): Length | null =>
  atMost(blockTurns(body, block, asks(body)));

/** How many items a collection has that is written out, as far as it stays so. */
export function lengthOf(body: Body, node: Syntax, names = 0): Length | null {
  const { from, fewer, named } = source(body, node);
  const inner = from.type === 'identifier' ? body.locals.get(textOf(body.file, from))?.items : undefined;
  if (inner !== undefined) return { times: inner, atMost: true };
  const plain = wrapsHash(body, from) ? 1 : written(from);
  const length = plain === null ? counted(body, from) : exactly(plain);
  if (length) return fewer ? { ...length, atMost: true } : length;
  const next = named ? names + 1 : names;
  if (next > NAMES) return null;
  return joined(body, from, next) ?? paired(body, from, next) ?? ofOthers(body, from, next);
}

/** How many items an argument has that is a list by how it is written: `[a, b]`, `rows.map { … }`, `Array.new(3)`. */
export function listed(body: Body, node: Syntax | undefined): Length | { times: null } | null {
  if (node?.type === 'array') return lengthOf(body, node) ?? { times: null };
  const receiver = node?.type === 'call' ? child(node, 'receiver') : undefined;
  if (!node || !receiver) return null;
  if (LISTS.test(methodOf(body, node))) return lengthOf(body, node) ?? { times: null };
  const size = textOf(body.file, receiver) === 'Array' && methodOf(body, node) === 'new';
  return size ? (numeral(body, argumentsOf(body.file, node).positional[0]) ?? { times: null }) : null;
}

const LISTS = /^(map|collect|flat_map|filter_map|to_a)$/;

/** What the block of a loop is given, where each of the items is a list that is written out: the longest of them. */
export function longestIn(body: Body, receiver: Syntax): number | undefined {
  const lengths = innerOf(body, receiver)?.map((one) => written(thawed(body, one))) ?? [null];
  return lengths.every((one) => typeof one === 'number') ? Math.max(0, ...lengths) : undefined;
}

/** Items of a list, a hash or `%w[…]`; null where a splat may bring more. */
function written(node: Syntax): number | null {
  if (!/^(array|string_array|symbol_array|hash)$/.test(node.type)) return null;
  return node.children.some(({ type }) => /splat/.test(type)) ? null : parts(node).length;
}

/** How many names one list may be made of through others: `Date = Date | Other` is made of itself. */
const NAMES = 4;

/** One list behind the other, or one several times: `[nil] * 3`. */
function joined(body: Body, node: Syntax, names: number): Length | null {
  const sign = signOf(body, node);
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (!left || !right) return null;
  const first = /^[+|*]$/.test(sign) ? lengthOf(body, left, names) : null;
  const second = first && (sign === '*' ? numeral(body, right) : lengthOf(body, right, names));
  if (!first || !second) return null;
  const fewer = sign === '|' || first.atMost || second.atMost;
  const times = sign === '*' ? first.times * second.times : first.times + second.times;
  return { times, ...(fewer && { atMost: true }) };
}

/** What is made of others has as many at most. */
function ofOthers(body: Body, node: Syntax, names: number): Length | null {
  const within = (its: Body, one: Syntax) => lengthOf(its, one, names + 1)?.times ?? null;
  const ask: Ask = {
    items: (one) => lengthOf(body, one, names)?.times ?? null,
    named: (one) => within(body, one),
    inner: (one) => innerOf(body, one),
    number: (one) => numeral(body, one)?.times ?? null,
    range: (one) => counted(body, one)?.times ?? null,
    variable: (one) => {
      const name = textOf(body.file, one);
      if (one.type !== 'identifier' || isLocal(body.file, one)) return filled(body, one, name, within);
      return body.owner.attributes.has(name)
        ? filled(body, one, `@${name}`, within)
        : ofOwnMethod(body, one, within);
    },
    method: (one) => ofOwnMethod(body, one, within),
  };
  return atMost(made(body, node, ask));
}

/** What they give has the very items, or values. */
const KEEPS_ITEMS =
  /^(freeze|dup|deep_dup|values|to_a|compact|sort|reverse|uniq|shuffle|select|reject|filter)$/;

/** They give for each list one that is as long. */
const KEEPS_LENGTHS = /\.(map|collect)\(&:(keys|values|to_a|sort|reverse|uniq|compact|freeze|dup)\)$/;

/** The lists that stand in a list or a hash that is written out. */
function innerOf(body: Body, node: Syntax): Syntax[] | null {
  let from = node;
  for (let steps = 0; steps < 20; steps++) {
    const method = from.type === 'call' ? methodOf(body, from) : '';
    const inner = NAMED.test(from.type)
      ? before(body, from)
      : from.type === 'call' && (KEEPS_ITEMS.test(method) || KEEPS_LENGTHS.test(textOf(body.file, from)))
        ? child(from, 'receiver')
        : from.type === 'parenthesized_statements'
          ? before(body, from)
          : undefined;
    if (!inner || inner === from) break;
    from = inner;
  }
  if (written(from) === null) return null;
  return parts(from).flatMap((one) => (one.type === 'pair' ? (child(one, 'value') ?? one) : one));
}

/** `KINDS.product(SIZES)`: each of one with each of the others. */
function paired(body: Body, node: Syntax, names: number): Length | null {
  const receiver = child(node, 'receiver');
  if (node.type !== 'call' || !receiver || methodOf(body, node) !== 'product') return null;
  const all = [receiver, ...argumentsOf(body.file, node).positional];
  const lengths = all.map((one) => lengthOf(body, one, names));
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
  'sort|sort_by|reverse|to_a|to_h|to_set|entries|keys|values|each|each_with_index|with_index|each_entry|freeze|dup|deep_dup|lazy|shuffle|map|collect|zip|with_indifferent_access|rotate|itself|tap|presence|to_ary|deep_symbolize_keys|deep_stringify_keys|compare_by_identity|symbolize_keys|stringify_keys|transform_keys|transform_values|index_with|invert';
const FEWER =
  'reject|select|filter|compact|compact_blank|uniq|filter_map|grep|except|slice|permit|drop|drop_while|take_while|without|find_all|index_by|group_by|tally|chunk_while|slice_when|difference|excluding|each_cons|find_each';
const KEEPS = new RegExp(`^(${SAME}|${FEWER})$`);
const DROPS = new RegExp(`^(${FEWER})$`);

/** What a collection is made of by dropping some of its items or none; whether a name led there, and the variables that held it meanwhile. */
function source(
  body: Body,
  node: Syntax,
): { from: Syntax; fewer: boolean; named: boolean; variables: Syntax[] } {
  const found = { from: node, fewer: false, named: false, variables: [] as Syntax[] };
  for (let steps = 0; steps < 20; steps++) {
    const { from } = found;
    const inner = before(body, from);
    if (!inner || inner === from) break;
    const asksSelf = isOfSelf(body, from);
    if (from.type === 'identifier' && !asksSelf) found.variables.push(from);
    found.fewer ||=
      asksSelf || from.type === 'binary' || (from.type === 'call' && DROPS.test(methodOf(body, from)));
    found.named ||= asksSelf || NAMED.test(from.type);
    found.from = inner;
  }
  return found;
}

const NAMED = /^(identifier|constant|scope_resolution)$/;

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
      return isVariable(body.locals.get(textOf(body.file, node))?.value) && stays(body, node)
        ? heldBy(body, node)
        : undefined;
    case 'call': {
      const receiver = child(node, 'receiver');
      if (isOfSelf(body, node)) return ofOwn(body, node);
      if (receiver && isWrap(body, node))
        return wrapsHash(body, node) ? undefined : argumentsOf(body.file, node).positional[0];
      if (receiver && isByPlace(body, node)) return undefined;
      if (receiver) return among(body, node) ?? (KEEPS.test(methodOf(body, node)) ? receiver : undefined);
      const given = methodOf(body, node) === 'Array' ? argumentsOf(body.file, node).positional[0] : undefined;
      return given && isSingle(given) ? undefined : given;
    }
    case 'binary': {
      const [left, right] = [child(node, 'left'), child(node, 'right')];
      const sign = signOf(body, node);
      const other = right && (isConstant(right) || written(right) !== null);
      return sign === '-' ? left : sign === '&' ? (other ? right : left) : undefined;
    }
    default:
      return undefined;
  }
}

/** `rows.slice(0, 20)`: of a list, and no keys. */
const isByPlace = (body: Body, call: Syntax): boolean =>
  methodOf(body, call) === 'slice' &&
  /^(range|integer)$/.test(argumentsOf(body.file, call).positional[0]?.type ?? '');

/** A method of the object itself, and no variable. */
const isOfSelf = (body: Body, node: Syntax): boolean =>
  node.type === 'identifier'
    ? !body.locals.has(textOf(body.file, node)) && !isLocal(body.file, node)
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

/** How often `3.times`, `(1..10).each` or `1.upto(10)` run. */
function turns(body: Body, receiver: Syntax, name: string, args: Arguments): Length | null {
  const length = timesOf(body, receiver, name, args);
  return length && STOPS.test(name) ? { ...length, atMost: true } : length;
}

function timesOf(body: Body, receiver: Syntax, name: string, args: Arguments): Length | null {
  const [first, second] = args.positional;
  if (name === 'times') return numeral(body, receiver);
  if (name === 'new' && textOf(body.file, receiver) === 'Array') return numeral(body, first);
  let inner: Syntax = receiver;
  while (inner.type === 'parenthesized_statements' && parts(inner).length === 1) inner = parts(inner)[0]!;
  if (name === 'upto' && first) return count(body, inner, first, 1);
  if (name === 'downto' && first) return count(body, first, inner, 1);
  const [by, to] = [args.keywords.get('by')?.value ?? second, args.keywords.get('to')?.value ?? first];
  if (name === 'step' && by && to) return parted(count(body, inner, to, 1), numeral(body, by));
  if (inner.type !== 'range') return null;
  const items = ofRange(body, inner);
  if (EACH.test(name) || STOPS.test(name)) return items;
  return name === 'step' ? parted(items, numeral(body, first)) : null;
}

function ofRange(body: Body, range: Syntax): Length | null {
  const [from, to] = [child(range, 'begin'), child(range, 'end')];
  if (!to) return null;
  const more = textOf(body.file, range).includes('...') ? 0 : 1;
  const last = from ? null : numeral(body, to);
  // `rows[..20]`
  if (!from) return last && atMost(last.times + more);
  return count(body, from, to, more) ?? atMost(days(range, (one) => textOf(body.file, heldBy(body, one))));
}

/** `3.times.map`, `(1..9).to_a.each`: what is asked goes through the numbers. */
function counted(body: Body, node: Syntax): Length | null {
  if (node.type === 'range') return ofRange(body, node);
  const receiver = node.type === 'call' ? child(node, 'receiver') : undefined;
  const method = receiver ? methodOf(body, node) : '';
  return /^(times|upto|downto|step)$/.test(method)
    ? timesOf(body, receiver!, method, argumentsOf(body.file, node))
    : null;
}

/** A turn for so many of them. */
const parted = (items: Length | null, by: Length | null): Length | null =>
  items && by && by.times > 0 && !by.atMost ? { ...items, times: Math.ceil(items.times / by.times) } : null;

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
  const method = methodAround(node);
  const key = `${method.start} ${name}`;
  const known = body.file.staying.get(key);
  if (known !== undefined) return known;
  const text = textOf(body.file, method);
  const mentions = [...text.matchAll(new RegExp(`(?<![\\w.@$:])${name}(?![\\w?!:])(\\s*=(?![=~>]))?`, 'g'))];
  const others = mentions.filter(({ 0: found, 1: set, index }) => {
    LOOKED.lastIndex = index + found.length;
    if (set || LOOKED.test(text)) return false;
    const line = text.slice(Math.max(text.lastIndexOf('\n', index) + 1, index - 160), index);
    return !ASKS.test(line) && !REMARKS.test(line);
  });
  const kept = others.length === 0 && mentions.filter(({ 1: set }) => set).length === 1;
  body.file.staying.set(key, kept);
  return kept;
}

function methodAround(node: Syntax): Syntax {
  let whole = node;
  while (whole.parent && !/^(singleton_)?method$/.test(whole.type)) whole = whole.parent;
  return whole;
}

function count(body: Body, from: Syntax, to: Syntax, more: number): Length | null {
  const [low, high] = [numeral(body, from), numeral(body, to)];
  if (!low || !high || low.atMost) return null;
  return { ...high, times: Math.max(0, high.times - low.times + more) };
}

/** Which number stands there, or what it is at most. */
export const numeral = (body: Body, node: Syntax | undefined): Length | null =>
  number(body, node, (list) => lengthOf(body, list)?.times ?? null);

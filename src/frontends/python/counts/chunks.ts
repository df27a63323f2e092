// What takes a collection apart: `batched(rows, 50)`, and functions that projects call like it. How many parts there are is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { namesBefore } from '../../words.ts';
import { argument, given, keyword } from '../names/arguments.ts';
import { standing } from '../names/assignments.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import { mostOf, numberOf, sliced, sliceSize } from './counted.ts';
import { calledHere, functions, held, leavings } from './held.ts';
import { growsBy, type Times } from './lengths.ts';
import { limitOf } from './limited.ts';

/** `batched` of itertools, `chunked` of more_itertools, `partition_all` of toolz, `split_every` of Odoo. */
const CHUNKS =
  /^chunk$|(^|_)(chunks|i?chunked|chunker|batches|batched|batcher|grouper|sliced)(_|$)|^partition_all$|^split_every$/;
const SIZE = /size$|^(?:n|length|per_page)$/;

export interface Chunks {
  given?: Syntax;
  /** How many a part has at most. */
  size?: Syntax;
  /** It hands on each item of its parts: `yield from page`. */
  isOneByOne: boolean;
}

export function partsGiven(c: Place, call: Syntax, name: string): Chunks | undefined {
  if (name === 'partitions') return partsOfResult(call);
  if (name === 'iter') return partsUntil(c, call);
  if (ZIPS.test(name)) return partsInStep(c, call);
  const frames = READS.test(name) ? keyword(c, call, 'chunksize') : undefined;
  if (frames) return { given: argument(call, 0), size: frames, isOneByOne: false };
  if (!CHUNKS.test(name)) return undefined;
  const [first, second] = [argument(call, 0), argument(call, 1)];
  const isTurned = first !== undefined && second !== undefined && numberOf(c, first) !== null;
  const its = definition(c, call, name);
  const size = sizeNamed(c, call) ?? (isTurned ? first : second) ?? (its && sizeOf(c, its));
  const isOneByOne = /\byield from\b/.test(textOf(c.file, its));
  return { given: isTurned ? second : first, ...(size && { size }), isOneByOne };
}

/** `session.scalars(query).partitions(50)` of SQLAlchemy. */
function partsOfResult(call: Syntax): Chunks | undefined {
  const callee = child(call, 'function')!;
  const size = argument(call, 0);
  if (callee.type !== 'attribute') return undefined;
  return { given: child(callee, 'object')!, ...(size && { size }), isOneByOne: false };
}

/** `iter(lambda: list(islice(rows, 50)), [])`: one part after the other until there is none. */
function partsUntil(c: Place, call: Syntax): Chunks | undefined {
  const [makes, last] = [argument(call, 0), argument(call, 1)];
  const part = last && makes?.type === 'lambda' ? child(makes, 'body') : undefined;
  const size = part && sizeOfPart(c, part);
  return size && { size, isOneByOne: false };
}

/** `zip_longest(*[iter(rows)] * 50)`: the same iterator so often. */
function partsInStep(c: Place, call: Syntax): Chunks | undefined {
  const splat = child(call, 'arguments')?.children.find(({ type }) => type === 'list_splat')?.children[0];
  const all = splat?.type === 'identifier' ? standing(c, splat, textOf(c.file, splat)) : splat;
  const left = all?.type === 'binary_operator' ? child(all, 'left') : undefined;
  const made = left?.children.length === 1 ? left.children[0]! : undefined;
  const isOne = made?.type === 'call' && textOf(c.file, child(made, 'function')) === 'iter';
  const size = isOne && textOf(c.file, child(all!, 'operator')) === '*' ? child(all!, 'right') : undefined;
  const given = size && argument(made!, 0);
  return size && { ...(given && { given }), size, isOneByOne: false };
}

const ZIPS = /^(?:zip|zip_longest|izip_longest)$/;

/** `read_csv(path, chunksize=50)` of pandas. */
const READS = /^read_\w+$/;

function sizeNamed(c: Place, call: Syntax): Syntax | undefined {
  const all = child(call, 'arguments')?.children ?? [];
  const its = all.find(
    (one) => one.type === 'keyword_argument' && SIZE.test(textOf(c.file, child(one, 'name'))),
  );
  return its && child(its, 'value');
}

/** A function of this file. */
function definition(c: Place, call: Syntax, name: string): Syntax | undefined {
  const path = resolve(c, child(call, 'function'))?.path;
  return path !== undefined && c.file.functions.has(path) ? functions(c, c.file.root).get(name) : undefined;
}

/** What it has where the caller says nothing. */
function sizeOf(c: Place, { children }: Syntax): Syntax | undefined {
  const all = children.find(({ field }) => field === 'parameters')?.children ?? [];
  const its = all.find((one) => SIZE.test(textOf(c.file, child(one, 'name'))));
  return its && child(its, 'value');
}

/** What says how many there are at most in a part of something, or on a page of a paginator, also where a variable holds it. */
export function sizeOfPart(c: Place, node: Syntax): Syntax | undefined {
  switch (node.type) {
    case 'identifier': {
      const part = resolve(c, node)?.upTo;
      const name = textOf(c.file, node);
      const value = part ? undefined : standing(c, node, name);
      if (!value || !PARTS.test(value.type) || growsBy(c, node, name)) return part;
      return sizeOfPart(c, value);
    }
    case 'subscript':
      return sliceSize(c, node);
    case 'attribute':
      return textOf(c.file, child(node, 'attribute')) === 'object_list'
        ? sizeOfPart(c, child(node, 'object')!)
        : undefined;
    case 'call': {
      const callee = child(node, 'function')!;
      const isWhole = callee.type === 'attribute' && WHOLLY.test(textOf(c.file, child(callee, 'attribute')));
      const isCopy = WHOLE.test(textOf(c.file, callee));
      const whole = isWhole ? child(callee, 'object') : isCopy ? argument(node, 0) : undefined;
      if (whole) return sizeOfPart(c, whole);
      return sizeOfPage(c, node) ?? sizeOfCut(c, node, callee) ?? sizeOfResult(c, node);
    }
    default:
      return undefined;
  }
}

const PARTS = /^(?:subscript|call)$/;
/** They give each row of a frame. */
const WHOLLY = /^(?:itertuples|iterrows|iter_rows|to_dicts?|to_pylist|to_list|tolist|copy)$/;

/** `next_batch()`, which returns `rows[:limit]`: what the caller gives for that, or what it has without. */
function sizeOfResult(c: Place, call: Syntax): Syntax | undefined {
  const its = calledHere(c, call);
  const { returns, yields } = its ? leavings(c, its) : { returns: [], yields: 0 };
  const value = returns.length === 1 && yields === 0 ? returns[0]!.children[0] : undefined;
  const isCopy = value?.type === 'call' && WHOLE.test(textOf(c.file, child(value, 'function')));
  const part = isCopy ? argument(value, 0) : value;
  const size = part?.type === 'subscript' ? sliceSize(c, part) : undefined;
  if (size?.type !== 'identifier') return size?.type === 'integer' ? size : undefined;
  const name = textOf(c.file, size);
  const all = (child(its!, 'parameters')?.children ?? []).filter(({ type }) => type !== 'comment');
  const place = all.findIndex((one) => textOf(c.file, child(one, 'name') ?? one) === name);
  const arguments_ = child(call, 'arguments')?.children ?? [];
  if (place < 0 || arguments_.some(({ type }) => /splat/.test(type))) return undefined;
  const own = /^(?:self|cls)$/.test(textOf(c.file, all[0])) ? 1 : 0;
  return keyword(c, call, name) ?? argument(call, place - own) ?? child(all[place]!, 'value');
}

/** `islice(rows, 50)`, `cursor.fetchmany(50)` */
function sizeOfCut(c: Place, call: Syntax, callee: Syntax): Syntax | undefined {
  const name = textOf(c.file, callee.type === 'attribute' ? child(callee, 'attribute') : callee);
  const place = CUTS.get(name);
  return place === undefined || argument(call, place + 1) ? undefined : argument(call, place);
}

const CUTS = new Map([
  ['islice', 1],
  ['fetchmany', 0],
]);

/** `Paginator(rows, 50).page(1)` */
function sizeOfPage(c: Place, call: Syntax): Syntax | undefined {
  const callee = child(call, 'function');
  if (callee?.type !== 'attribute' || !PAGE.test(textOf(c.file, child(callee, 'attribute'))))
    return undefined;
  const object = child(callee, 'object')!;
  const by = object.type === 'identifier' ? standing(c, object, textOf(c.file, object)) : object;
  const isPaged = by?.type === 'call' && PAGINATOR.test(textOf(c.file, child(by, 'function')));
  return isPaged ? given(c, by, PER_PAGE) : undefined;
}

const PAGE = /^(?:get_)?page$/;
const PAGINATOR = /(?:^|\.)Paginator$/;
const PER_PAGE = { position: 1, keyword: 'per_page' };

/** How many a part of something has at most that is handed to somebody: `rows[:50]`, `list(part)`, `query.limit(10)`. */
export function mostIn(c: Place, node: Syntax, depth = 0): number | null {
  if (depth > DEEPEST) return null;
  const inner = (one: Syntax | undefined): number | null => (one ? mostIn(c, one, depth + 1) : null);
  if (node.type === 'identifier') return mostHeld(c, node, inner);
  const size = sizeOfPart(c, node);
  const most = size ? mostOf(c, size) : node.type === 'subscript' ? sliced(c, node) : null;
  if (most !== null || node.type !== 'call') return most;
  const isWhole = WHOLE.test(textOf(c.file, child(node, 'function')));
  return isWhole ? inner(argument(node, 0)) : limitOf(c, node, () => null);
}

/** Every argument of every call is asked: whether a variable grows only where what it was given is so many, or is a list. */
function mostHeld(c: Place, node: Syntax, inner: Times): number | null {
  const part = resolve(c, node)?.upTo;
  if (part) return mostOf(c, part);
  const name = textOf(c.file, node);
  const value = standing(c, node, name);
  const mayBe = value ? LISTS.test(value.type) || inner(value) !== null : filled(c, c.file.root).has(name);
  return mayBe ? (held(c, node, inner)?.times ?? null) : null;
}

/** Lists of the file's that something is added to. */
const filled = kept(({ file }, _: Syntax) => namesBefore(file.text, '.append('));

const LISTS = /^(?:list|set)$/;
const WHOLE = /^(?:list|tuple|set|sorted|reversed)$/;
/** How far it is followed from one variable to the next. */
const DEEPEST = 5;

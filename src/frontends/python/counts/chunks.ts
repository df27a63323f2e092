// What takes a collection apart: `batched(rows, 50)`, and functions that projects call like it. How many parts there are is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { argument, given } from '../names/arguments.ts';
import { standing } from '../names/assignments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import { mostOf, numberOf, sliced } from './counted.ts';
import { functions } from './held.ts';
import { growsBy } from './lengths.ts';
import { limitOf } from './limited.ts';

/** `batched` of itertools, `chunked` of more_itertools, `partition_all` of toolz, `split_every` of Odoo. */
const CHUNKS =
  /^chunk$|(^|_)(chunks|i?chunked|chunker|batches|batched|batcher|grouper)(_|$)|^partition_all$|^split_every$/;
const SIZE = /size$|^(?:n|length|per_page)$/;

export interface Chunks {
  given?: Syntax;
  /** How many a part has at most. */
  size?: Syntax;
  /** It hands on each item of its parts: `yield from page`. */
  isOneByOne: boolean;
}

export function partsGiven(c: Place, call: Syntax, name: string): Chunks | undefined {
  if (!CHUNKS.test(name)) return undefined;
  const [first, second] = [argument(call, 0), argument(call, 1)];
  const isTurned = first !== undefined && second !== undefined && numberOf(c, first) !== null;
  const its = definition(c, call, name);
  const size = sizeNamed(c, call) ?? (isTurned ? first : second) ?? (its && sizeOf(c, its));
  const isOneByOne = /\byield from\b/.test(textOf(c.file, its));
  return { given: isTurned ? second : first, ...(size && { size }), isOneByOne };
}

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

/** How many a variable has at most that holds a part, or a page of a paginator. */
export function sizeOfPart(c: Place, node: Syntax): Syntax | undefined {
  switch (node.type) {
    case 'identifier': {
      const part = resolve(c, node)?.upTo;
      const value = part ? undefined : standing(c, node, textOf(c.file, node));
      return value?.type === 'call' ? sizeOfPage(c, value) : part;
    }
    case 'attribute':
      return textOf(c.file, child(node, 'attribute')) === 'object_list'
        ? sizeOfPart(c, child(node, 'object')!)
        : undefined;
    case 'call':
      return sizeOfPage(c, node);
    default:
      return undefined;
  }
}

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
  const size = sizeOfPart(c, node);
  const most = size ? mostOf(c, size) : node.type === 'subscript' ? sliced(c, node) : null;
  if (most !== null) return most;
  if (node.type === 'call') {
    const isWhole = WHOLE.test(textOf(c.file, child(node, 'function')));
    const first = isWhole ? argument(node, 0) : undefined;
    return first ? mostIn(c, first, depth + 1) : limitOf(c, node, () => null);
  }
  const name = node.type === 'identifier' ? textOf(c.file, node) : undefined;
  const value = name === undefined ? undefined : standing(c, node, name);
  return value && !growsBy(c, node, name!) ? mostIn(c, value, depth + 1) : null;
}

const WHOLE = /^(?:list|tuple|set|sorted|reversed)$/;
/** How far it is followed from one variable to the next. */
const DEEPEST = 5;

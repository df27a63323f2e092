// What is known of types by their paths and of classes by their bases. It looks at no expression.

import type { Meaning } from '../../../framework.ts';
import { isLarge, LETTERS } from '../../words.ts';
import { byMethod, isType, lineage } from './knowledge.ts';
import type { Place, Type } from './scope.ts';

/** A row of several columns, whose first is what it is a row of. */
export const ROW = 'row';

export function isCapital(path: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1).replace(/^_+/, '');
  return isLarge(name) && NAME.test(name) && name !== name.toUpperCase();
}

const NAME = new RegExp(`^[${LETTERS}]+$`);

/** What stands before a member in a name. */
export const nameOf = (type: Type): string =>
  type.name ?? (/[)\]^]$/.test(type.path) ? type.path : `${type.path}()`);

const COLLECTIONS =
  /^[^.]+$|\.(List|Iterable|Iterator|Sequence|MutableSequence|Set|FrozenSet|Tuple|Collection|Generator|AsyncIterator|AsyncGenerator|Deque)$/;

/** A type as what a routine returns: `shop.Order`, or `shop.Order[]` for a collection of them. */
export function returnedName(type: Type): string | null {
  const collects = type.item && (isType(type.path) || COLLECTIONS.test(type.path));
  const path = collects ? `${type.item!.path}[]` : type.path;
  return path.includes('?') || /^(\w+)$/.test(path) || (isType(path) && !collects) ? null : path;
}

/** One of a collection: of a known one, or of what a routine elsewhere returns. */
export function itemOf(type: Type): Type | undefined {
  if (type.item) return type.item;
  return type.path.endsWith(')') && !type.path.includes('?') ? { path: `${type.path}[]` } : undefined;
}

interface Ancestors {
  /** Framework types. */
  types: Set<string>;
  /** No base is of another file. */
  complete: boolean;
  /** The class itself, and every one above. */
  seen: Set<string>;
}

/** What a class is known to descend from. */
export function ancestors(c: Place, path: string): Ancestors {
  const types = new Set<string>();
  let complete = true;
  const seen = new Set<string>();
  const queue = [path];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const info = c.file.classes.get(at) ?? c.file.made.get(at);
    if (info) queue.push(...info.bases);
    else if (isType(at)) for (const type of lineage(at)) types.add(type);
    else if (at !== 'object') complete = false;
  }
  return { types, complete, seen };
}

/** A method that says by its name alone what it does, in a file that imports the framework. */
export function telling(c: Place, name: string): Meaning | undefined {
  for (const { everywhere, roots, meaning } of byMethod(name))
    if (everywhere || [...roots].some((root) => c.file.imported.has(root))) return meaning;
  return undefined;
}

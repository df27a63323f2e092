// Names of application languages: their owner, their last part, what two of them must agree in. Not what they mean.
import type { Linked } from '../definitions/program.ts';
import { nearest, pick } from './nearest.ts';

export interface Cut {
  owner: string;
  mark: string;
  last: string;
}

/** `a.b.c` is `c` of `a.b`; Ruby's `A::B#m` is `#m` of `A::B`. The namespace stays with the owner. */
export function splitLast(name: string): Cut | null {
  const end = ownerEnd(name);
  if (end < 0) return null;
  const mark = name[end] === ':' ? '::' : name[end]!;
  return { owner: name.slice(0, end), mark, last: name.slice(end + mark.length) };
}

export function ownerOf(name: string): string | null {
  const end = ownerEnd(name);
  return end < 0 ? null : name.slice(0, end);
}

/** Where the mark before the last part begins, of what stands before `end`; -1 where there is none. */
function ownerEnd(name: string, end = name.length): number {
  // Few names have brackets, in which marks are none.
  if (!name.includes(')')) {
    const mark = Math.max(name.lastIndexOf('.', end - 1), name.lastIndexOf('#', end - 1));
    return mark > 0 ? Math.max(mark, name.lastIndexOf('::', end - 2)) : name.lastIndexOf('::', end - 2);
  }
  let depth = 0;
  for (let i = end - 1; i > 0; i--) {
    const char = name.charCodeAt(i);
    if (char === 41 /* ) */) depth++;
    else if (char === 40 /* ( */) depth--;
    else if (depth > 0) continue;
    else if (char === 46 /* . */ || char === 35 /* # */) return i;
    else if (char === 58 /* : */ && name.charCodeAt(i - 1) === 58) return i - 1;
  }
  return -1;
}

/** However its owner is found, a name keeps its last part, unless an alias says otherwise. */
export function lastWord(name: string): string {
  const mark = Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#'));
  return name.slice(mark + 1).replace(/['^()?[\]]/g, '');
}

/** Nobody knows whose it is: `python:?.save`, or who calls may say it: `python:(order).save`. */
export const isUnknown = (name: string) => {
  const first = name[name.indexOf(':') + 1];
  return first === '?' || first === '(';
};

/** The last two parts: what a suffix must agree in. */
export function endOf(name: string): string {
  const end = ownerEnd(name);
  if (end < 0) return name;
  const above = ownerEnd(name, end);
  const from = above < 0 ? name.indexOf(':') + 1 : above + widthOf(name, above);
  return `${name.slice(from, end)} ${name.slice(end + widthOf(name, end))}`;
}

/** `::` is one mark. */
const widthOf = (name: string, mark: number) => (name[mark] === ':' ? 2 : 1);

/** Source roots differ: `shop.orders.place` is `src.shop.orders.place` when there is only one such. */
export function bySuffix<T extends { file: string }>(
  name: string,
  candidates: T[] | undefined,
  from: { file: string },
  nameOf: (one: T) => string,
): T | null {
  if (!candidates) return null;
  if (!/[.:#]/.test(name.slice(name.indexOf(':') + 1))) return null; // a bare name says too little
  if (candidates.length === 1) return isSuffix(name, nameOf(candidates[0]!)) ? candidates[0]! : null;
  const fits = suffixesOf(candidates, nameOf).get(name);
  return fits ? (fits.several ? nearest(fits.all, from) : pick(fits.all, from)) : null;
}

/** `python:orders.place` of `python:shop.orders.place`. */
export function isSuffix(name: string, whole: string): boolean {
  const start = whole.indexOf(':') + 1;
  const from = start + whole.length - name.length;
  if (from < start || name.indexOf(':') + 1 !== start || !name.startsWith(whole.slice(0, start)))
    return false;
  const begins = from === start || whole[from - 1] === '.' || whole[from - 1] === ':';
  return begins && whole.endsWith(name.slice(start));
}

/** Definitions whose name ends alike. */
interface Fits<T> {
  all: T[];
  /** They have more than one name. */
  several: boolean;
}

const suffixes = new WeakMap<readonly unknown[], Map<string, Fits<unknown>>>();

/** By every name that they may be called from another source root; found once for each list. */
function suffixesOf<T>(candidates: readonly T[], nameOf: (one: T) => string): Map<string, Fits<T>> {
  let known = suffixes.get(candidates) as Map<string, Fits<T>> | undefined;
  if (!known) {
    known = new Map();
    for (const one of candidates) {
      const name = nameOf(one);
      const start = name.indexOf(':') + 1;
      // A bare name is never asked for.
      const last = Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#'));
      for (let i = start; i < name.length; i++) {
        if (i > start && name[i - 1] !== '.' && name[i - 1] !== ':') continue;
        if (i > last) break;
        const end = name.slice(0, start) + name.slice(i);
        const fits = known.get(end);
        if (!fits) known.set(end, { all: [one], several: false });
        else {
          fits.several ||= nameOf(fits.all[0]!) !== name;
          fits.all.push(one);
        }
      }
    }
    suffixes.set(candidates, known);
  }
  return known;
}

/** The class on whose objects it runs: of a method, or of a callback of a model. */
export function ownOf({ name, routine, trigger }: Linked): string | null {
  if (trigger?.via === 'model callback') return trigger.relation;
  return routine?.kind === 'method' ? ownerOf(name) : null;
}

/** Asked of what an object of the class has, or gives: `V().queryset[].delete`, `V.get_object().delete`. */
export const isOfOwn = (name: string, own: string): boolean =>
  name.startsWith(own) && OF_OWN.test(name.slice(own.length));
/** A class inside of it begins with a large letter. */
const OF_OWN = /^(\(\)\.|\.[a-z_\u00aa-\uffff][\w\u00aa-\uffff]*\(\))/;

// Which class a name means, or the object that it gives, and what that descends from. Not which method of it is called.
import type { Name, Unit } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Aliases } from './aliases.ts';
import type { Declared, Defined } from './defined.ts';
import { bySuffix, endOf, isUnknown, ownerOf, splitLast } from './dotted.ts';
import { createHanded, type Handed } from './handed.ts';
import { byFile, type Lookups, MOST_LOOKUPS } from './lookups.ts';
import { pick } from './nearest.ts';

export interface Types {
  of(name: string, from: Linked | Declared, depth?: number): Declared | null;
  /** The type and all that it descends from, nearest first. */
  lineageOf(declared: Declared): Declared[];
  /** The same with those that are declared nowhere here, by their names, each where the language asks it; null where it asks them in no such order. */
  orderOf(declared: Declared): readonly (Declared | Name)[] | null;
  /** Names of everything it descends from, with those that are declared nowhere here. */
  lineage(name: Name, from: Linked): string[];
  /** All classes of it are known up to this one, and none has such an attribute. */
  lacks(name: string, attribute: string, top: Name, from: Linked): boolean;
  /** What is called so is rows of its type, of which the type itself is asked too. */
  areSeveral(name: string, from: Linked | Declared, depth: number): boolean;
  /** What classes have through others. Asked before anything else is. */
  takeGifts(): void;
  /** What makers hand over for this attribute: `ruby:Writer#@out()`. */
  handed(name: string, from: Linked | Declared): readonly Handed[];
}

const MOST_ABOVE = 100;
const NO_TYPES: Declared[] = [];
const NO_WORDS: string[] = [];
const NOTHING: readonly Handed[] = [];

/** `routine`: who is called by a name, for what that gives. */
export function createTypes(
  defined: Defined,
  { of: aliased, below, isMade }: Aliases,
  lookups: Lookups,
  routine: (name: string, from: Linked | Declared, depth?: number) => Linked[],
  units: readonly Unit[] = [],
): Types {
  const known = byFile<Declared | null>();
  const ancestors = new Map<Declared, Declared[]>();
  const lines = new Map<Declared, Declared[]>();
  const orders = new Map<Declared, (Declared | Name)[]>();
  const ancestorNames = new Map<Declared, string[]>();
  const keeping = createHanded(units, of, lineageOf);
  let lent: Set<string> | undefined;
  const macros = [...defined.types.values()].flat().some(({ type }) => type.macros);
  const gifts = new Map<Declared, Map<string, Declared | null>>();

  function takeGifts(): void {
    for (const child of [...defined.types.values()].flat())
      for (const { to, field, alone } of child.type.gives ?? []) {
        lookups.left = MOST_LOOKUPS;
        const owner = of(to, child);
        for (const one of owner ? (alone ? lineageOf(owner) : [owner]) : NO_TYPES) {
          const its = gifts.get(one) ?? new Map();
          gifts.set(one, its.set(field, alone && (its.get(field) ?? child) !== child ? null : child));
        }
      }
  }

  function of(name: string, from: Linked | Declared, depth = 0): Declared | null {
    if (isUnknown(name)) return null;
    const cache = known(name.includes('?') ? '' : from.file);
    const before = cache.get(name);
    if (before !== undefined) return before;
    cache.set(name, null); // a type that is defined by itself is none
    const found = find(name, from, depth);
    if (found || lookups.left > 0) cache.set(name, found);
    else cache.delete(name);
    return found;
  }

  function find(name: string, from: Linked | Declared, depth: number): Declared | null {
    if (depth > 12 || lookups.left-- <= 0) return null;
    if (name.endsWith('()')) return given(name.slice(0, -2), from, depth);
    const exact = pick(defined.types.get(name), from);
    if (exact) return exact;
    const handedOn = first(aliased(name), from, depth);
    if (handedOn) return handedOn;
    if (name.endsWith('()[]')) return item(name.slice(0, -2), from, depth);
    const held =
      field(name, from, depth) ?? (name.endsWith('[]') ? itemOfField(name.slice(0, -2), from, depth) : null);
    if (held || /[()?[\]]/.test(name)) return held;
    return (
      bySuffix(name, defined.typesByEnd.get(endOf(name)), from, ({ type }) => type.name) ??
      first(below(name), from, depth)
    );
  }

  function first(names: readonly Name[], from: Linked | Declared, depth: number): Declared | null {
    for (const name of names) {
      const found = of(name, from, depth + 1);
      if (found) return found;
    }
    return null;
  }

  /** What a class makes is its object; what a routine gives it says. */
  function given(maker: string, from: Linked | Declared, depth: number): Declared | null {
    const made = of(maker, from, depth + 1);
    if (made) return made;
    const called = routine(maker, from, depth + 1)[0];
    const { returnsOwn, returns } = called?.routine ?? {};
    const itself = called ? ofItself(ownerOf(called.name) ?? '', returns) : '';
    const asked = returnsOwn || itself ? (splitLast(maker)?.owner ?? '') : '';
    const own = asked ? of(asked + itself, from, depth + 1) : null;
    return own ?? (returns ? of(returns, called!, depth + 1) : null);
  }

  /** What it asks itself for: `.found()` of `Locked.found()` in a method of Locked. */
  function ofItself(own: string, returns = ''): string {
    const rest = returns.startsWith(own) ? returns.slice(own.length).replace(/^\(\)/, '') : '';
    return /^[.#]/.test(rest) ? rest : '';
  }

  /** One of what a routine gives. */
  function item(all: string, from: Linked | Declared, depth: number): Declared | null {
    const called = routine(all.slice(0, -2), from, depth + 1)[0];
    const returns = called?.routine?.returns;
    if (returns?.endsWith('[]')) return of(returns.slice(0, -2), called!, depth + 1);
    const list = of(all, from, depth + 1);
    const gift = list && lineageOf(list).find((one) => gifts.get(one)?.get('[]'));
    return (gift && gifts.get(gift)?.get('[]')) ?? null;
  }

  /** The same of what an object has. */
  function itemOfField(all: string, from: Linked | Declared, depth: number): Declared | null {
    const cut = splitLast(all);
    const owner = cut && of(cut.owner, from, depth + 1);
    for (const one of owner ? lineageOf(owner) : NO_TYPES) {
      const type = fieldOf(one, cut!.last);
      if (type) return type.endsWith('[]') ? of(type.slice(0, -2), one, depth + 1) : null;
    }
    return null;
  }

  function field(name: string, from: Linked | Declared, depth: number): Declared | null {
    const cut = splitLast(name);
    if (!cut || !(/[()]/.test(cut.owner) || defined.types.has(cut.owner))) return null;
    const owner = of(cut.owner, from, depth + 1);
    for (const one of owner ? lineageOf(owner) : NO_TYPES) {
      const type = fieldOf(one, cut.last);
      // Rows of itself are, in what has no relation, of the class that takes it in: a concern's scope.
      if (type === one.type.name && !one.type.relation) return owner;
      // What it asks itself for, an object of a class below may have of its own.
      const own = type && owner !== one ? ofItself(one.type.name, type) : '';
      const its = own ? of(`${owner!.type.name}()${own}`, owner!, depth + 1) : null;
      if (its) return its;
      if (type) return of(type, one, depth + 1);
      const gift = gifts.get(one)?.get(cut.last);
      if (gift) return gift;
    }
    const [only, ...more] = owner ? keeping(owner, cut.last) : NOTHING;
    return only && more.length === 0 && !only.itself ? only.type : null;
  }

  function handed(name: string, from: Linked | Declared): readonly Handed[] {
    const cut = name.endsWith('()') ? splitLast(name.slice(0, -2)) : null;
    const owner = cut && of(cut.owner, from);
    return owner ? keeping(owner, cut!.last) : NOTHING;
  }

  function lineageOf(declared: Declared): Declared[] {
    const before = ancestors.get(declared);
    if (before) return before;
    const { left } = lookups;
    const line = macros ? [...inLine(declared)] : inLine(declared);
    if (macros)
      for (let more = said(line); more.length > 0; more = said(line))
        for (const one of more.flatMap(inLine)) if (!line.includes(one)) line.push(one);
    lookups.left = left;
    ancestors.set(declared, line);
    return line;
  }

  /** As `super` goes on: each before what it descends from, and those in the order in which they are named. */
  function inLine(declared: Declared): Declared[] {
    const before = lines.get(declared);
    if (before) return before;
    lines.set(declared, [declared]); // a class that descends from itself
    const bases: Declared[] = [];
    for (const base of declared.type.bases) {
      // What is found is kept for all calls: it must not depend on what this one has spent.
      lookups.left = MOST_LOOKUPS;
      const found = of(base, declared);
      if (found && found !== declared && !bases.includes(found)) bases.push(found);
    }
    const behind = merged(bases.map(inLine), bases).filter((one) => one !== declared);
    const line = [declared, ...behind].slice(0, MOST_ABOVE);
    lines.set(declared, line);
    return line;
  }

  function orderOf(declared: Declared): readonly (Declared | Name)[] | null {
    return lineageOf(declared).some(({ type }) => type.inOrder) ? ordered(declared) : null;
  }

  function ordered(declared: Declared): (Declared | Name)[] {
    const before = orders.get(declared);
    if (before) return before;
    orders.set(declared, [declared]); // a class that descends from itself
    const bases = declared.type.bases.map((base) => {
      lookups.left = MOST_LOOKUPS;
      return of(base, declared) ?? base;
    });
    const above = bases.map((base) => (typeof base === 'string' ? [base] : ordered(base)));
    const order = [declared, ...merged(above, bases).filter((one) => one !== declared)].slice(0, MOST_ABOVE);
    orders.set(declared, order);
    return order;
  }

  /** What methods of a class above say of those whose bodies call them. */
  function said(line: Declared[]): Declared[] {
    if (!macros) return NO_TYPES;
    const found = new Set<Declared>();
    for (const name of line.flatMap(({ type }) => type.says ?? NO_WORDS)) {
      const by = line.find(({ type }) => type.macros && Object.hasOwn(type.macros, name));
      lookups.left = MOST_LOOKUPS;
      const type = by ? of(by.type.macros![name]!, by) : null;
      if (type && !line.includes(type)) found.add(type);
    }
    return [...found];
  }

  function lineage(name: Name, from: Linked): string[] {
    lookups.left = MOST_LOOKUPS;
    const declared = of(name, from) ?? of(`${name}()`, from);
    if (!declared) return [name, ...foreign(name, from), ...aliased(name), ...below(name)];
    let names = ancestorNames.get(declared);
    if (!names) {
      const all = new Set<string>();
      for (const { type } of lineageOf(declared)) {
        all.add(type.name);
        for (const base of type.bases) all.add(base);
        for (const base of type.bases) for (const one of [...aliased(base), ...below(base)]) all.add(one);
      }
      names = [...all];
      ancestorNames.set(declared, names);
    }
    return names;
  }

  /** A library's type that a routine here returns, or a class here has: `trx.getConnection()`. */
  function foreign(name: Name, from: Linked, depth = 0): Name[] {
    if (name.endsWith('[]')) return foreignItem(name, from);
    if (name.endsWith('()')) {
      const given = routine(name.slice(0, -2), from).flatMap((maker) => {
        const returns = maker.routine?.returns;
        if (!returns) return [];
        return returns.endsWith('()') && depth < 4 ? foreign(returns, maker, depth + 1) : [returns];
      });
      return given.length > 0 || depth >= 4 ? given : ofForeign(name, from, depth);
    }
    const cut = splitLast(name);
    const owner = cut && of(cut.owner, from);
    return (owner ? lineageOf(owner) : NO_TYPES).flatMap((one) => fieldOf(one, cut!.last) ?? []);
  }

  /** Of many that a routine here returns, or a class here has, one that is a library's. */
  function foreignItem(name: string, from: Linked): Name[] {
    const many = foreign(name.slice(0, -2) as Name, from);
    return many.flatMap((one) => (one.endsWith('[]') ? (one.slice(0, -2) as Name) : []));
  }

  /** What a library's type gives by a method, as the units say that ask it: `pool.connection()`. */
  function ofForeign(name: Name, from: Linked, depth: number): Name[] {
    const cut = splitLast(name.slice(0, -2));
    if (!cut || !isMade(cut.last)) return [];
    const owner = cut.owner as Name;
    const all = [owner, ...foreign(owner, from, depth + 1), ...aliased(owner), ...below(owner)];
    return all.flatMap((one) => aliased(`${one}.${cut.last}()`));
  }

  function lacks(name: string, attribute: string, top: Name, from: Linked): boolean {
    const declared = of(name, from);
    lent ??= new Set([...defined.types.values()].flat().flatMap(({ type }) => type.lends ?? []));
    if (!declared || lent.has(attribute)) return false;
    const isTop = (base: Name) => base === top || aliased(base).includes(top) || below(base).includes(top);
    return lineageOf(declared).every(
      (one) =>
        one.type.attributes?.includes(attribute) === false &&
        one.type.bases.every((base) => isTop(base) || of(base, one)),
    );
  }

  function areSeveral(name: string, from: Linked | Declared, depth: number): boolean {
    const asked = name.slice(0, -2);
    const cut = name.endsWith('()') ? splitLast(asked) : null;
    const owner = cut && of(cut.owner, from, depth + 1);
    if (owner && lineageOf(owner).some((one) => one.type.several?.includes(cut.last))) return true;
    return cut !== null && routine(asked, from, depth + 1)[0]?.routine?.returnsSeveral === true;
  }

  return { of, lineageOf, orderOf, lineage, lacks, areSeveral, takeGifts, handed };
}

/** A field may be called `constructor`. */
const fieldOf = ({ type: { fields } }: Declared, name: string): Name | undefined =>
  fields && Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Lines made one (C3): the first that stands behind no other. Where each stands behind one, as Ruby allows, what several have goes last. */
function merged<One>(lines: readonly One[][], bases: One[]): One[] {
  const out: One[] = [];
  for (let rest = [...lines, bases].filter(isFilled); rest.length > 0; ) {
    const next = rest.find(([first]) => rest.every((list) => list.indexOf(first!) <= 0))?.[0];
    if (!next) return [...new Set(lines.flat().reverse())].reverse();
    out.push(next);
    rest = rest.map((list) => (list[0] === next ? list.slice(1) : list)).filter(isFilled);
  }
  return out;
}

const isFilled = (list: readonly unknown[]): boolean => list.length > 0;

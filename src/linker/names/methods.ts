// Which routines a method of a class is: its own, one that it inherits, those of whoever implements it. Not which class a name means.
import { type Name, OF_FRAMEWORK, type TypeDeclaration } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { add } from '../lists.ts';
import type { Declared, Defined } from './defined.ts';
import { type Cut, splitLast } from './dotted.ts';
import type { Lookups } from './lookups.ts';
import { prefer } from './nearest.ts';
import type { Types } from './types.ts';

export interface Methods {
  /** `above`: those that stand behind the class's own, where `super` goes on; of an object of the class `as`, which may have others between. */
  of(owner: Declared, cut: Cut, above: boolean, as?: Declared): Linked[];
  own(owner: Declared, mark: string, last: string): Linked[];
  /** What those that descend from it have of their own. */
  left(owner: Declared, cut: Cut): Linked[];
  heirsOf(owner: Declared): readonly Declared[];
  /** Who is meant is found another way: an interface declares it, or something is prepended to the class. */
  isElsewhere(name: string): boolean;
}

const NOBODY = new Set<Declared>();
const NO_ROUTINES: Linked[] = [];
const NO_TYPES: Declared[] = [];
const MOST_IMPLEMENTATIONS = 8;

/** `renamed`: what a method is called besides, which whoever inherits it asks for too: `alias_method`, `delegate`. */
export function createMethods(
  { routines, types: declarations }: Defined,
  types: Types,
  lookups: Lookups,
  renamed: ReadonlyMap<string, Name>,
  routine: (name: string, from: Linked | Declared, depth?: number) => Linked[],
): Methods {
  const known = new Map<Declared, Map<string, Linked[]>>();
  let heirs: Map<Declared, Declared[]> | undefined;
  /** The classes that prepend a module. */
  let hosts: Map<Declared, Declared[]> | undefined;

  function of(owner: Declared, cut: Cut, above: boolean, as?: Declared): Linked[] {
    const cache = known.get(as ?? owner) ?? new Map<string, Linked[]>();
    known.set(as ?? owner, cache);
    const id = `${above ? '^' : ''}${cut.mark}${cut.last}${as ? ` ${owner.type.name} ${owner.file}` : ''}`;
    let found = cache.get(id);
    if (!found) {
      found = find(owner, cut, above, as);
      if (lookups.left > 0) cache.set(id, found);
    }
    return found;
  }

  function find(owner: Declared, { mark, last }: Cut, above: boolean, as?: Declared): Linked[] {
    const line = above ? behind(owner, as) : withPrepended(types.lineageOf(owner));
    const declares = line.find((one) => own(one, mark, last).length > 0 || otherwise(one, mark, last));
    const its = declares ? own(declares, mark, last) : NO_ROUTINES;
    const other = declares && its.length === 0 ? otherwise(declares, mark, last) : undefined;
    const found = declares ? prefer(other ? routine(other, declares, 1) : its, declares).slice(0, 1) : [];
    const below = isLeft(owner.type, last) || (found.length === 0 && owner.type.leaves);
    if (above) return found.length > 0 ? found : own(as ?? owner, mark, `${last}${OF_FRAMEWORK}`);
    if (!below) return found;
    const passed = overtaken(heirsOf(owner).filter((one) => own(one, mark, last).length > 0));
    const all = found[0] && found[0].body.length > 0 && !passed.has(declares!) ? [...found] : [];
    const take = (from: readonly Declared[]) => {
      for (const heir of from) {
        if (passed.has(heir)) continue;
        if (all.length >= MOST_IMPLEMENTATIONS) break;
        all.push(...prefer(own(heir, mark, last), heir));
      }
    };
    take(heirsOf(owner));
    // A framework makes the object of several interfaces, and of what implements each.
    if (all.length === 0 && declares && declares !== owner)
      take(heirsOf(declares).filter((one) => one !== owner));
    return all.length > 0 ? all : found;
  }

  /** Of what is written once for each database PostgreSQL's is meant: not the others, nor what it overrides. */
  function overtaken(among: Declared[]): Set<Declared> {
    const ours = among.filter(({ type }) => type.dialect === 'postgresql');
    if (ours.length === 0) return NOBODY;
    const theirs = among.filter(({ type }) => type.dialect === 'other');
    return new Set([...theirs, ...ours.flatMap((one) => types.lineageOf(one).slice(1))]);
  }

  const prepended = (one: Declared): Declared[] =>
    one.type.prepends?.flatMap((name) => types.of(name, one) ?? []) ?? [];
  const withPrepended = (line: Declared[]) =>
    line.some((one) => one.type.prepends) ? line.flatMap((one) => [...prepended(one), one]) : line;

  /** Where `super` goes on: in a module that one class prepends, to what stands behind it there. */
  function behind(owner: Declared, as?: Declared): Declared[] {
    const of = as && as !== owner ? types.lineageOf(as) : [];
    if (of.includes(owner) && of.every(({ type }) => !type.prepends)) return of.slice(of.indexOf(owner) + 1);
    if (!hosts) {
      hosts = new Map();
      for (const declared of [...declarations.values()].flat())
        for (const module of prepended(declared)) add(hosts, module, declared);
    }
    const above = (one: Declared) => {
      const before = prepended(one);
      return withPrepended(types.lineageOf(one).filter((each) => each !== one && !before.includes(each)));
    };
    const [host, ...more] = hosts.get(owner) ?? [];
    if (!host || more.length > 0) return above(owner);
    const before = prepended(host);
    return [...before.slice(before.indexOf(owner) + 1), host, ...above(host)];
  }

  const own = ({ type }: Declared, mark: string, last: string) =>
    routines.get(`${type.name}${mark}${last}`) ??
    (mark === '#' ? undefined : routines.get(`${type.name}#${last}`)) ??
    NO_ROUTINES;

  const otherwise = ({ type }: Declared, mark: string, last: string): Name | undefined =>
    renamed.size > 0 ? renamed.get(`${type.name}${mark}${last}`) : undefined;

  function heirsOf(owner: Declared): readonly Declared[] {
    if (!heirs) {
      heirs = new Map();
      for (const declared of [...declarations.values()].flat())
        for (const above of types.lineageOf(declared).slice(1)) add(heirs, above, declared);
    }
    return heirs.get(owner) ?? NO_TYPES;
  }

  return {
    of,
    own,
    left: (owner, { mark, last }) =>
      heirsOf(owner)
        .flatMap((heir) => prefer(routines.get(`${heir.type.name}${mark}${last}`) ?? NO_ROUTINES, heir))
        .slice(0, MOST_IMPLEMENTATIONS),
    heirsOf,
    isElsewhere(name) {
      const cut = splitLast(name);
      const owners = (cut && declarations.get(cut.owner)) ?? NO_TYPES;
      return owners.some(({ type }) => type.prepends || isLeft(type, cut!.last));
    },
  };
}

/** To those that implement it, or descend from it. */
const isLeft = ({ abstract, leaves }: TypeDeclaration, method: string) =>
  abstract === true || leaves?.includes(method) === true;

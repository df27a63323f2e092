// What a name means: the routine called, the relation written, the type received. It guesses nothing: two equal candidates are none.
import type { Call, Certainty, Name, Step, TypeDeclaration } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { together } from '../definitions/reopened.ts';
import { canonical, lastPart, relationName, schemaOf } from '../definitions/sqlname.ts';
import { kept } from '../kept.ts';
import { add } from '../lists.ts';
import { createAliases } from './aliases.ts';
import { bySuffix, type Cut, endOf, isSuffix, isUnknown, ownerOf, splitLast } from './dotted.ts';
import { pick, prefer } from './nearest.ts';
import { accepts, byDefaults, byTypes } from './overloads.ts';
import { createSqlRoutines } from './sqlroutines.ts';

export interface Target {
  routines: { to: Linked; certainty: Certainty }[];
  /** What a framework means by it, when the repository defines no such routine. */
  meaning?: Step[];
}

export interface Names {
  call(call: Call, from: Linked): Target;
  /** The relation in its one spelling; a class gives its table. */
  relation(name: Name | null, from: Linked): string | null;
  /** A class, or that of an object; those that descend from it; what it has under a name, or stands behind it. */
  classOf(name: string, from: Linked): Declared | null;
  heirsOf(owner: Declared): readonly Declared[];
  methods(owner: Declared, cut: Cut, above?: boolean): readonly Linked[];
  /** The class's own method of that name, of itself or the nearest that it descends from; none of its objects. */
  inherited(owner: Declared, cut: Cut): Linked | null;
  /** What classes that descend from the caller's have of their own where it calls something on itself. */
  ownOfHeirs(call: Call, from: Linked): Linked[];
  /** The class itself and its ancestors, for callbacks. */
  lineage(name: Name, from: Linked): string[];
}

const NONE: Target = { routines: [] };
const NOBODY = new Set<Declared>();
const NO_ROUTINES: Linked[] = [];
const NO_TYPES: Declared[] = [];
/** All calls that can only mean this one share what is said of them. */
const surely = kept((to: Linked): Target => ({ routines: [{ to, certainty: 'certain' }] }));
const MOST_IMPLEMENTATIONS = 8;
const likely = kept((to: Linked): Target => ({ routines: [{ to, certainty: 'likely' }] }));
/** For one call, through all re-exports. */
const MOST_LOOKUPS = 200;

interface Spelled {
  short: string;
  others: Set<string> | null;
}

/** A class, and the file that declares it. */
export interface Declared {
  type: TypeDeclaration;
  file: string;
}

export function createNames(program: Program): Names {
  const byName = new Map<string, Linked[]>();
  const byEnd = new Map<string, Linked[]>();
  const typeByName = new Map<string, Declared[]>();
  const typeByEnd = new Map<string, Declared[]>();
  let heirs: Map<Declared, Declared[]> | undefined;
  /** The classes that prepend a module. */
  let hosts: Map<Declared, Declared[]> | undefined;
  const owners = new Set<string>();
  const owns = (name: string) => {
    const owner = ownerOf(name);
    if (owner !== null) owners.add(owner);
  };
  const knownRelations = new Map<string, Set<string>>();
  const spellings = new Map<Name, Spelled>();
  const sqlRoutine = createSqlRoutines(program, relation);

  for (const linked of program.linked) {
    if (linked.routine && !linked.name.startsWith('sql:')) {
      add(byName, linked.name, linked);
      owns(linked.name);
      add(byEnd, endOf(linked.name), linked);
    }
  }
  for (const { type, unit } of together(program.types)) {
    const declared = { type, file: unit.file };
    add(typeByName, type.name, declared);
    owns(type.name);
    add(typeByEnd, endOf(type.name), declared);
  }
  const { of: aliased, below } = createAliases(
    program.aliases,
    owners,
    (name) =>
      byName.has(name) ||
      typeByName.has(name) ||
      byEnd.get(endOf(name))?.some((one) => isSuffix(name, one.name)) === true ||
      typeByEnd.get(endOf(name))?.some(({ type }) => isSuffix(name, type.name)) === true,
  );
  const renamed = new Map(
    program.aliases.filter(({ from }) => from.includes('#')).map(({ from, to }) => [from, to] as const),
  );
  const know = (name: string) => {
    const last = lastPart(name);
    const all = knownRelations.get(last);
    if (all) all.add(name);
    else knownRelations.set(last, new Set([name]));
  };
  for (const { relation } of program.relations) know(relationName(relation.name));
  for (const { trigger } of program.linked)
    if (trigger?.relation.startsWith('sql:')) know(canonical(trigger.relation));

  const gifts = new Map<Declared, Map<string, Declared | null>>();

  let budget = MOST_LOOKUPS;
  const routineCache = byFile<Linked[]>();
  const typeCache = byFile<Declared | null>();
  const methodCache = new Map<Declared, Map<string, Linked[]>>();
  const ancestorCache = new Map<Declared, Declared[]>();
  const lineageNames = new Map<Declared, string[]>();

  for (const child of [...typeByName.values()].flat())
    for (const { to, field, alone } of child.type.gives ?? []) {
      budget = MOST_LOOKUPS;
      const owner = type(to, child);
      for (const one of owner ? (alone ? lineageOf(owner) : [owner]) : NO_TYPES) {
        const its = gifts.get(one) ?? new Map();
        gifts.set(one, its.set(field, alone && (its.get(field) ?? child) !== child ? null : child));
      }
    }

  // ---- types

  function type(name: string, from: Linked | Declared, depth = 0): Declared | null {
    if (isUnknown(name)) return null;
    const cache = typeCache(name.includes('?') ? '' : from.file);
    const known = cache.get(name);
    if (known !== undefined) return known;
    cache.set(name, null); // a type that is defined by itself is none
    const found = findType(name, from, depth);
    // What was given up is not known: another call may come to it with more left to spend.
    if (found || budget > 0) cache.set(name, found);
    else cache.delete(name);
    return found;
  }

  function findType(name: string, from: Linked | Declared, depth: number): Declared | null {
    if (depth > 12 || budget-- <= 0) return null;
    if (name.endsWith('()')) {
      const inner = name.slice(0, -2);
      const itself = type(inner, from, depth + 1);
      if (itself) return itself;
      const maker = routine(inner, from, depth + 1)[0];
      const own = maker?.routine?.returnsOwn ? type(splitLast(inner)?.owner ?? '', from, depth + 1) : null;
      if (own) return own;
      return maker?.routine?.returns ? type(maker.routine.returns, maker, depth + 1) : null;
    }
    const exact = pick(typeByName.get(name), from);
    if (exact) return exact;
    for (const other of aliased(name)) {
      const found = type(other, from, depth + 1);
      if (found) return found;
    }
    if (name.endsWith('()[]')) {
      const maker = routine(name.slice(0, -4), from, depth + 1)[0];
      const returns = maker?.routine?.returns;
      if (returns?.endsWith('[]')) return type(returns.slice(0, -2), maker!, depth + 1);
      const all = type(name.slice(0, -2), from, depth + 1);
      return (
        (all &&
          lineageOf(all)
            .map((one) => gifts.get(one)?.get('[]'))
            .find(Boolean)) ??
        null
      );
    }
    const cut = splitLast(name);
    if (cut) {
      const owner =
        /[()]/.test(cut.owner) || typeByName.has(cut.owner) ? type(cut.owner, from, depth + 1) : null;
      if (owner)
        for (const one of lineageOf(owner)) {
          const { fields } = one.type;
          // A field may be called `constructor`.
          const field = fields && Object.hasOwn(fields, cut.last) ? fields[cut.last] : undefined;
          if (field) return type(field, one, depth + 1);
          const given = gifts.get(one)?.get(cut.last);
          if (given) return given;
        }
    }
    if (/[()?[\]]/.test(name)) return null;
    const ending = bySuffix(name, typeByEnd.get(endOf(name)), from, (d) => d.type.name);
    if (ending) return ending;
    for (const other of below(name)) {
      const found = type(other, from, depth + 1);
      if (found) return found;
    }
    return null;
  }

  /** The type and all that it descends from, nearest first. */
  function lineageOf(declared: Declared): Declared[] {
    const known = ancestorCache.get(declared);
    if (known) return known;
    const out = [declared];
    ancestorCache.set(declared, out);
    const left = budget;
    for (let i = 0; i < out.length && out.length < 100; i++)
      for (const base of out[i]!.type.bases) {
        // What is found is kept for all calls: it must not depend on what this one has spent.
        budget = MOST_LOOKUPS;
        const found = type(base, out[i]!);
        if (found && !out.includes(found)) out.push(found);
      }
    budget = left;
    return out;
  }

  /** Names of everything it descends from, with those that are declared nowhere here. */
  function lineage(name: Name, from: Linked): string[] {
    budget = MOST_LOOKUPS;
    const declared = type(name, from) ?? type(`${name}()`, from);
    if (!declared) return [name, ...foreign(name, from), ...aliased(name)];
    let names = lineageNames.get(declared);
    if (!names) {
      const all = new Set<string>();
      for (const { type } of lineageOf(declared)) {
        all.add(type.name);
        for (const base of type.bases) all.add(base);
        for (const base of type.bases) for (const one of aliased(base)) all.add(one);
      }
      names = [...all];
      lineageNames.set(declared, names);
    }
    return names;
  }

  /** A library's type that a routine here returns, or a class here has: `trx.getConnection()`. */
  function foreign(name: Name, from: Linked, depth = 0): Name[] {
    if (name.endsWith('()'))
      return routine(name.slice(0, -2), from).flatMap((maker) => {
        const returns = maker.routine?.returns;
        if (!returns) return [];
        return returns.endsWith('()') && depth < 4 ? foreign(returns, maker, depth + 1) : [returns];
      });
    const cut = splitLast(name);
    const owner = cut && type(cut.owner, from);
    return (owner ? lineageOf(owner) : []).flatMap(({ type: { fields } }) =>
      fields && Object.hasOwn(fields, cut!.last) ? [fields[cut!.last]!] : [],
    );
  }

  // ---- routines of application languages

  /** By re-exports, and re-exports of those. */
  function leadsTo(name: string, to: Name): boolean {
    const names = [name];
    for (const one of names)
      for (const other of aliased(one)) if (names.length < 20 && !names.includes(other)) names.push(other);
    return names.includes(to);
  }

  function routine(name: string, from: Linked | Declared, depth = 0): Linked[] {
    if (isUnknown(name)) return NO_ROUTINES;
    const cache = routineCache(from.file);
    const known = cache.get(name);
    if (known) return known;
    // Re-exports of re-exports lead to one name by many ways: each is looked up once.
    cache.set(name, []);
    const found = findRoutine(name, from, depth);
    if (found.length > 0 || budget > 0) cache.set(name, found);
    else cache.delete(name);
    return found;
  }

  function findRoutine(name: string, from: Linked | Declared, depth: number): Linked[] {
    if (depth > 12 || budget-- <= 0) return [];
    const exact = byName.get(name);
    if (exact && !isElsewhere(name)) return prefer(exact, from);
    for (const other of aliased(name)) {
      const found = routine(other, from, depth + 1);
      if (found.length > 0) return found;
    }
    const cut = splitLast(name);
    if (cut && !cut.owner.endsWith(':?')) {
      const above = cut.owner.endsWith('^');
      const owner = type(above ? cut.owner.slice(0, -1) : cut.owner, from, depth + 1);
      if (owner) return methodsOf(owner, cut, above);
    }
    if (/[()?^]/.test(name)) return [];
    const ending = bySuffix(name, byEnd.get(endOf(name)), from, (linked) => linked.name);
    if (ending) return [ending];
    for (const other of below(name)) {
      const found = routine(other, from, depth + 1);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Declared by an interface, those who implement it are called; and what is prepended to a class comes first. */
  function isElsewhere(name: string): boolean {
    const cut = splitLast(name);
    return (
      cut !== null &&
      (typeByName.get(cut.owner) ?? []).some(({ type }) => type.prepends || isLeft(type, cut.last))
    );
  }

  /** To those that implement it, or descend from it. */
  const isLeft = ({ abstract, leaves }: TypeDeclaration, method: string) =>
    abstract === true || leaves?.includes(method) === true;

  function methodsOf(owner: Declared, cut: Cut, above: boolean): Linked[] {
    const cache = methodCache.get(owner) ?? new Map<string, Linked[]>();
    methodCache.set(owner, cache);
    const id = `${above ? '^' : ''}${cut.mark}${cut.last}`;
    let found = cache.get(id);
    if (!found) {
      found = methods(owner, cut, above);
      if (budget > 0) cache.set(id, found);
    }
    return found;
  }

  function methods(owner: Declared, { mark, last }: Cut, above: boolean): Linked[] {
    const line = above ? behind(owner) : withPrepended(lineageOf(owner));
    const declares = line.find((one) => own(one, mark, last).length > 0 || otherwise(one, mark, last));
    const its = declares ? own(declares, mark, last) : NO_ROUTINES;
    const other = declares && its.length === 0 ? otherwise(declares, mark, last) : undefined;
    const found = declares ? prefer(other ? routine(other, declares, 1) : its, declares).slice(0, 1) : [];
    const below = isLeft(owner.type, last) || (found.length === 0 && owner.type.leaves);
    if (above || !below) return found;
    const passed = overtaken(descendants(owner).filter((one) => own(one, mark, last).length > 0));
    const all = found[0] && found[0].body.length > 0 && !passed.has(declares!) ? [...found] : [];
    const add = (heirs: Declared[]) => {
      for (const heir of heirs) {
        if (passed.has(heir)) continue;
        if (all.length >= MOST_IMPLEMENTATIONS) break;
        all.push(...prefer(own(heir, mark, last), heir));
      }
    };
    add(descendants(owner));
    // A framework makes the object of several interfaces, and of what implements each.
    if (all.length === 0 && declares && declares !== owner)
      add(descendants(declares).filter((one) => one !== owner));
    return all.length > 0 ? all : found;
  }

  /** Of what is written once for each database PostgreSQL's is meant: not the others, nor what it overrides. */
  function overtaken(heirs: Declared[]): Set<Declared> {
    const ours = heirs.filter(({ type }) => type.dialect === 'postgresql');
    if (ours.length === 0) return NOBODY;
    const theirs = heirs.filter(({ type }) => type.dialect === 'other');
    return new Set([...theirs, ...ours.flatMap((one) => lineageOf(one).slice(1))]);
  }

  const prepended = (one: Declared): Declared[] =>
    one.type.prepends?.flatMap((name) => type(name, one) ?? []) ?? [];
  const withPrepended = (line: Declared[]) =>
    line.some((one) => one.type.prepends) ? line.flatMap((one) => [...prepended(one), one]) : line;

  /** Where `super` goes on: in a module that one class prepends, to what stands behind it there. */
  function behind(owner: Declared): Declared[] {
    if (!hosts) {
      hosts = new Map();
      for (const declared of [...typeByName.values()].flat())
        for (const module of prepended(declared)) add(hosts, module, declared);
    }
    const above = (one: Declared) => {
      const before = prepended(one);
      return withPrepended(lineageOf(one).filter((each) => each !== one && !before.includes(each)));
    };
    const [host, ...more] = hosts.get(owner) ?? [];
    if (!host || more.length > 0) return above(owner);
    const before = prepended(host);
    return [...before.slice(before.indexOf(owner) + 1), host, ...above(host)];
  }

  const own = ({ type }: Declared, mark: string, last: string) =>
    byName.get(`${type.name}${mark}${last}`) ??
    (mark === '#' ? undefined : byName.get(`${type.name}#${last}`)) ??
    [];

  /** What a method is called besides, which whoever inherits it asks for too: `alias_method`, `delegate`. */
  const otherwise = ({ type }: Declared, mark: string, last: string): Name | undefined =>
    renamed.size > 0 ? renamed.get(`${type.name}${mark}${last}`) : undefined;

  function descendants(owner: Declared): Declared[] {
    if (!heirs) {
      heirs = new Map();
      for (const declared of [...typeByName.values()].flat())
        for (const above of lineageOf(declared).slice(1)) add(heirs, above, declared);
    }
    return heirs.get(owner) ?? [];
  }

  // ---- SQL

  function relation(name: Name | null, from: Linked): string | null {
    if (name === null) return null;
    if (!name.startsWith('sql:')) {
      budget = MOST_LOOKUPS;
      const declared = type(name, from) ?? type(`${name}()`, from);
      const owner = declared && lineageOf(declared).find((one) => one.type.relation)?.type;
      const created = owner?.otherRelations?.find((one) => knownRelations.get(lastPart(canonical(one))));
      const table = created ?? owner?.relation;
      // A constant of another file may name the table.
      const said = declared ? table : aliased(name).find((one) => one.startsWith('sql:'));
      return said && said !== name ? relation(said, from) : null;
    }
    const { short, others } = spelled(name);
    if (!others) return short;
    for (const schema of from.routine?.searchPath ?? [])
      if (others.has(`${schema}.${short}`)) return `${schema}.${short}`;
    return others.size === 1 ? [...others][0]! : short;
  }

  /** A name as it is compared, and the relations that it may mean in other schemas: every statement asks it. */
  function spelled(name: Name): Spelled {
    let one = spellings.get(name);
    if (!one) {
      const short = relationName(name);
      const known = knownRelations.get(lastPart(short));
      const clear = !known || known.has(short) || schemaOf(short) !== null;
      one = { short, others: clear ? null : known };
      spellings.set(name, one);
    }
    return one;
  }

  // ---- calls

  function call(call: Call, from: Linked): Target {
    const sql = call.callee.startsWith('sql:');
    budget = MOST_LOOKUPS;
    const all = sql ? sqlRoutine(call, from) : routine(call.callee, from);
    const overloaded = !sql && all.some(({ routine }) => routine?.parameters?.types);
    const found = overloaded ? all.flatMap((one) => overloads(one, call)) : all;
    if (found.length === 1) return surely(found[0]!);
    if (found.length > 1) return { routines: found.map((to) => ({ to, certainty: 'possible' })) };
    const like = call.like && alike(call, call.like, from);
    if (like) return likely(like);
    if (!call.meanings) return NONE;
    const asked = ownerOf(call.callee);
    let whose: string | null = null;
    let ancestors = new Set<string>();
    const isOne = (owner: string | null, above: Name): boolean => {
      if (owner === null) return false;
      if (owner !== whose) ancestors = new Set(lineage(owner.replace(/\^$/, '') as Name, from));
      whose = owner;
      return ancestors.has(above);
    };
    for (const { receiver, is, unless, of = asked, steps } of call.meanings) {
      if (is && !leadsTo(call.callee, is)) continue;
      if (unless?.some((one) => isOne(of, one))) continue;
      if (!receiver || isOne(of, receiver)) return { routines: [], meaning: steps };
    }
    return NONE;
  }

  /** Where nobody knows the owner: a method of the class that has this name, the nearest of those around. */
  function alike(call: Call, likes: Name[], from: Linked): Linked | undefined {
    const asked = splitLast(call.callee);
    if (asked && type(asked.owner, from)) return undefined;
    for (const like of likes) {
      const cut = splitLast(like)!;
      const owner = likened(cut.owner as Name, from);
      const found = owner ? methodsOf(owner, cut, false) : NO_ROUTINES;
      // Of several that descend from it nobody knows which.
      if (found.length === 1) return found[0];
    }
    return undefined;
  }

  function likened(name: Name, from: Linked): Declared | null {
    const [, first, given] = /^\w+:([^#.]*)(.*)$/.exec(name)!;
    let owner: Declared | null = null;
    for (let around = ownerOf(from.name); around !== null && !owner; around = ownerOf(around))
      owner = pick(typeByName.get(`${around}::${first}`), from);
    if (!owner) return type(name, from);
    return given ? type(`${owner.type.name}${given}`, from) : owner;
  }

  /** Where the language overloads, routines say the types of their parameters; those of this call are meant. */
  function overloads(found: Linked, call: Call): Linked[] {
    if (!found.routine?.parameters?.types) return [found];
    const all = (byName.get(found.name) ?? []).filter((one) => one.file === found.file);
    const fit = all.filter((one) => accepts(one.routine!.parameters, call));
    return fit.length === 0 ? [found] : byDefaults(byTypes(fit, call)).slice(0, MOST_IMPLEMENTATIONS);
  }

  function classOf(name: string, from: Linked): Declared | null {
    budget = MOST_LOOKUPS;
    return type(name, from);
  }

  function ownOfHeirs({ callee }: Call, from: Linked): Linked[] {
    const cut = splitLast(callee);
    if (from.routine?.kind !== 'method' || !cut || cut.owner !== ownerOf(from.name)) return NO_ROUTINES;
    const owner = classOf(cut.owner, from);
    return owner ? descendants(owner).flatMap((heir) => own(heir, cut.mark, cut.last)) : NO_ROUTINES;
  }

  return {
    call,
    relation,
    lineage,
    classOf,
    ownOfHeirs,
    heirsOf: descendants,
    methods(owner, cut, above = false) {
      budget = MOST_LOOKUPS;
      return methodsOf(owner, cut, above);
    },
    inherited(owner, { mark, last }) {
      const named = ({ type }: Declared) => byName.get(`${type.name}${mark}${last}`);
      const declares = lineageOf(owner).find(named);
      return (declares && prefer(named(declares)!, declares)[0]) ?? null;
    },
  };
}

/** What was found, by the file that asks. */
function byFile<V>(): (file: string) => Map<string, V> {
  const files = new Map<string, Map<string, V>>();
  return (file) => {
    const found = files.get(file) ?? new Map<string, V>();
    files.set(file, found);
    return found;
  };
}

// What a name means: the routine called, the relation written, the type received. It guesses nothing: two equal candidates are none.
import type { Call, Certainty, MeantBy, Name, Step } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { kept } from '../kept.ts';
import { isLarge } from '../words.ts';
import { createAliases } from './aliases.ts';
import { type Declared, definedBy, isDefined } from './defined.ts';
import { bySuffix, type Cut, endOf, isUnknown, lastWord, ownerOf, ownOf, splitLast } from './dotted.ts';
import { byFile, type Lookups, MOST_LOOKUPS } from './lookups.ts';
import { createMethods } from './methods.ts';
import { pick, prefer } from './nearest.ts';
import { accepts, byDefaults, byTypes } from './overloads.ts';
import { createRelations } from './relations.ts';
import { createSqlRoutines } from './sqlroutines.ts';
import { createTypes } from './types.ts';

export interface Target {
  /** `as`: the class of the object, which inherits it. */
  routines: { to: Linked; certainty: Certainty; as?: Name }[];
  /** What a framework means by it, when the repository defines no such routine. */
  meaning?: Step[];
}

/** Where there are several, none is surer than the others; but one of them it is, and each that does anything may be so. */
export function sureOf({ routines }: Target, isSo: (to: Linked) => boolean): Certainty {
  const { certainty } = routines[0]!;
  if (routines.length === 1) return certainty;
  const doing = routines.filter(({ to }) => to.body.length > 0);
  return doing.length > 1 && doing.every(({ to }) => isSo(to)) ? 'likely' : certainty;
}

export interface Names {
  call(call: Call, from: Linked): Target;
  /** The relation in its one spelling; a class gives its table. */
  relation(name: Name | null, from: Linked): string | null;
  /** A class, or that of an object; those that descend from it; what it has under a name, or stands behind it. */
  classOf(name: string, from: Linked): Declared | null;
  heirsOf(owner: Declared): readonly Declared[];
  methods(owner: Declared, cut: Cut, above?: boolean, as?: Declared): readonly Linked[];
  /** The class's own method of that name, of itself or the nearest that it descends from; none of its objects. */
  inherited(owner: Declared, cut: Cut): Linked | null;
  /** What classes that descend from the caller's have of their own where it calls something on itself. */
  ownOfHeirs(call: Call, from: Linked): Linked[];
  /** The class itself and its ancestors, for callbacks. */
  lineage(name: Name, from: Linked): string[];
}

/** The package of a routine, with the mark behind it: what stands before the first word that begins as classes do. */
function houseOf(name: Name): string {
  let end = name.indexOf(':') + 1;
  for (let dot = name.indexOf('.', end); dot >= 0 && !isLarge(name.slice(end)); dot = name.indexOf('.', end))
    end = dot + 1;
  return name.slice(0, end);
}

const NONE: Target = { routines: [] };
const NO_ROUTINES: Linked[] = [];
/** All calls that can only mean this one share what is said of them. */
const surely = kept((to: Linked): Target => ({ routines: [{ to, certainty: 'certain' }] }));
const likely = kept((to: Linked): Target => ({ routines: [{ to, certainty: 'likely' }] }));
const among = (all: Linked[]): Target => ({ routines: all.map((to) => ({ to, certainty: 'possible' })) });
/** Of overloads that a call fits alike. */
const MOST_FITTING = 8;

export function createNames(program: Program): Names {
  const defined = definedBy(program);
  const aliases = createAliases(program.aliases, defined.owners, (name) => isDefined(defined, name));
  const { of: aliased, below } = aliases;
  const renamed = new Map(
    program.aliases.filter(({ from }) => from.includes('#')).map(({ from, to }) => [from, to] as const),
  );
  const lookups: Lookups = { left: MOST_LOOKUPS };
  const known = byFile<Linked[]>();
  const types = createTypes(defined, aliases, lookups, routine, program.units);
  const methods = createMethods(defined, types, lookups, renamed, routine);
  const relations = createRelations(program);
  const sqlRoutine = createSqlRoutines(program, relation);
  types.takeGifts();

  function relation(name: Name | null, from: Linked): string | null {
    if (name === null) return null;
    if (name.startsWith('sql:')) return relations.of(name, from);
    lookups.left = MOST_LOOKUPS;
    const declared = types.of(name, from) ?? types.of(`${name}()`, from);
    // A constant of another file may name the table.
    const said = declared ? tableOf(declared) : aliased(name).find((one) => one.startsWith('sql:'));
    return said && said !== name ? relation(said, from) : null;
  }

  function tableOf(declared: Declared): Name | undefined {
    const owner = types.lineageOf(declared).find((one) => one.type.relation)?.type;
    return owner?.otherRelations?.find(relations.isCreated) ?? owner?.relation;
  }

  /** By re-exports, and re-exports of those. */
  function leadsTo(name: string, to: Name): boolean {
    const names = [name];
    for (const one of names)
      for (const other of [...aliased(one), ...below(one)])
        if (names.length < 20 && !names.includes(other)) names.push(other);
    return names.includes(to);
  }

  // ---- routines of application languages

  function routine(name: string, from: Linked | Declared, depth = 0): Linked[] {
    if (isUnknown(name)) return NO_ROUTINES;
    const cache = known(from.file);
    const before = cache.get(name);
    if (before) return before;
    // Re-exports of re-exports lead to one name by many ways: each is looked up once.
    cache.set(name, NO_ROUTINES);
    const found = findRoutine(name, from, depth);
    if (found.length > 0 || lookups.left > 0) cache.set(name, found);
    else cache.delete(name);
    return found;
  }

  function findRoutine(name: string, from: Linked | Declared, depth: number): Linked[] {
    if (depth > 12 || lookups.left-- <= 0) return NO_ROUTINES;
    const exact = defined.routines.get(name);
    if (exact && !methods.isElsewhere(name)) return prefer(exact, from);
    const handedOn = firstOf(aliased(name), from, depth);
    if (handedOn.length > 0) return handedOn;
    const cut = splitLast(name);
    if (cut && !cut.owner.endsWith(':?')) {
      const above = cut.owner.endsWith('^');
      const owner = types.of(above ? cut.owner.slice(0, -1) : cut.owner, from, depth + 1);
      if (owner) {
        const found = methods.of(owner, cut, above);
        return found.length > 0 || above ? found : ofSeveral(owner, cut, from, depth);
      }
    }
    if (/[()?^]/.test(name)) return NO_ROUTINES;
    const ending = bySuffix(name, defined.routinesByEnd.get(endOf(name)), from, (linked) => linked.name);
    return ending ? [ending] : firstOf(below(name), from, depth);
  }

  /** What one row has not its class may have, which several of them are asked for. */
  function ofSeveral(owner: Declared, cut: Cut, from: Linked | Declared, depth: number): Linked[] {
    if (cut.mark !== '#' || !cut.owner.endsWith('()')) return NO_ROUTINES;
    const found = methods.of(owner, { ...cut, mark: '.' }, false);
    return found.length > 0 && types.areSeveral(cut.owner, from, depth) ? found : NO_ROUTINES;
  }

  /** What each of the classes has of which its maker gives one: `Handlers.for(kind).handle(row)`. */
  function ofEither(callee: Name, from: Linked): Target['routines'] {
    const cut = splitLast(callee);
    const maker = cut?.owner.endsWith('()') ? routine(cut.owner.slice(0, -2), from)[0] : undefined;
    const all = new Map<string, Target['routines'][number]>();
    for (const { type, itself } of maker?.routine?.returnsOneOf ?? []) {
      const owner = types.of(type, maker!);
      const ofClass = owner && itself ? methods.of(owner, { ...cut!, mark: '.' }, false) : NO_ROUTINES;
      for (const to of owner && ofClass.length === 0 ? methods.of(owner, cut!, false) : ofClass) {
        const as = owner!.type.name;
        const inherits = ownerOf(to.name) !== as;
        all.set(`${to.index} ${inherits ? as : ''}`, {
          to,
          certainty: 'likely',
          ...(inherits ? { as } : {}),
        });
      }
    }
    return [...all.values()];
  }

  function firstOf(names: readonly Name[], from: Linked | Declared, depth: number): Linked[] {
    for (const name of names) {
      const found = routine(name, from, depth + 1);
      if (found.length > 0) return found;
    }
    return NO_ROUTINES;
  }

  // ---- calls

  function call(call: Call, from: Linked): Target {
    const sql = call.callee.startsWith('sql:');
    lookups.left = MOST_LOOKUPS;
    const all = sql ? sqlRoutine(call, from) : call.as ? ofSuper(call, from) : routine(call.callee, from);
    const overloaded = !sql && all.some(({ routine }) => routine?.parameters?.types);
    const found = overloaded ? all.flatMap((one) => overloads(one, call)) : all;
    if (call.reads) return ofProperties(found);
    const before = call.meanings && found.length === 1 ? ofLibraryBefore(found[0]!, call, from) : NONE;
    if (before !== NONE) return before;
    if (found.length === 1) return surely(found[0]!);
    if (found.length > 1) return among(found);
    const either = ofEither(call.callee, from);
    if (either.length > 0) return { routines: either };
    const handed = call.like ? ofHanded(call, call.like, from) : NO_ROUTINES;
    if (handed.length > 0) return { routines: handed.map((to) => ({ to, certainty: 'likely' })) };
    const like = call.like ? alike(call, call.like, from) : NO_ROUTINES;
    if (like.length > 0) return like.length === 1 ? likely(like[0]!) : among(like);
    const target = call.meanings ? meant(call, call.meanings, from) : NONE;
    if (target !== NONE || sql) return target;
    const left = ofHeirs(call, from);
    if (left.length > 0) return left.length === 1 ? likely(left[0]!) : among(left);
    return defined.extending.size > 0 ? beside(call, from) : target;
  }

  /** `class Order(models.Model, Tracked)`: where a library's class has the method, what stands behind that class has it in vain. */
  function ofLibraryBefore(to: Linked, { callee, as, meanings }: Call, from: Linked): Target {
    const [name, whose] = [ownerOf(callee), ownerOf(to.name)];
    if (name === null || name === whose) return NONE;
    const above = name.endsWith('^') ? types.of(name.slice(0, -1), from) : null;
    const object = as ? types.of(as, from) : (above ?? types.of(name, from));
    const order = object && types.orderOf(object);
    if (!order) return NONE;
    const end = order.findIndex((one) => typeof one !== 'string' && one.type.name === whose);
    const before = order.slice(above ? order.indexOf(above) + 1 : 0, Math.max(0, end));
    // Of which of them what no receiver is named for is, nobody says.
    const all = order.filter((one) => typeof one === 'string' && one.includes('.'));
    const areBefore = all.length > 0 && all.every((one) => before.includes(one));
    const meant = meanings!.find(({ receiver }) => (receiver ? before.includes(receiver) : areBefore));
    return meant ? { routines: [], meaning: meant.steps } : NONE;
  }

  /** What a class calls on itself and has not, nor any above it, where those below it have it. */
  function ofHeirs({ callee }: Call, from: Linked): Linked[] {
    const cut = splitLast(callee);
    if (!cut || cut.owner !== ownOf(from)) return NO_ROUTINES;
    const owner = types.of(cut.owner, from);
    return owner?.type.expects ? methods.left(owner, cut) : NO_ROUTINES;
  }

  /** Where `super` goes on in an object of another class: that has more behind the one in which it stands. */
  function ofSuper({ callee, as }: Call, from: Linked): Linked[] {
    const cut = splitLast(callee);
    const owner = cut?.owner.endsWith('^') ? types.of(cut.owner.slice(0, -1), from) : null;
    const object = owner && types.of(as!, from);
    return object ? methods.of(owner, cut!, true, object) : routine(callee, from);
  }

  /** What is read and is no property runs nothing. */
  function ofProperties(found: Linked[]): Target {
    const all = found.filter(({ routine }) => routine?.property);
    if (all.length > 1) return among(all);
    return all[0] ? surely(all[0]) : { routines: [], meaning: [] };
  }

  /** What stands beside the caller and extends the type of what it is called on, if that has no such method. */
  function beside(call: Call, from: Linked): Target {
    const cut = splitLast(call.callee);
    // What is imported is meant, whatever is known of the type.
    const asked = call.like?.flatMap((like) => defined.extending.get(like) ?? NO_ROUTINES) ?? NO_ROUTINES;
    if (asked.length > 0) return asked.length === 1 ? surely(asked[0]!) : among(asked);
    const found = cut && defined.extending.get(`${houseOf(from.name)}${cut.last}`);
    if (!found) return NONE;
    const owner = types.of(cut.owner, from);
    const isKnown = owner !== null || !/[()?]$/.test(cut.owner);
    const words = (owner ? types.lineageOf(owner).map(({ type }) => type.name) : [cut.owner]).map(lastWord);
    const fit = found.filter(({ routine }) => {
      const type = routine!.extends!;
      return accepts(routine!.parameters, call) && (!isKnown || type === '*' || words.includes(type));
    });
    return fit.length === 1 ? (isKnown ? surely(fit[0]!) : likely(fit[0]!)) : among(fit);
  }

  function meant({ callee, as }: Call, meanings: MeantBy[], from: Linked): Target {
    const asked = as ?? ownerOf(callee);
    let whose: string | null = null;
    let ancestors = new Set<string>();
    const isOne = (owner: string | null, above: Name): boolean => {
      if (owner === null) return false;
      if (owner !== whose) ancestors = new Set(types.lineage(owner.replace(/\^$/, '') as Name, from));
      whose = owner;
      return ancestors.has(above);
    };
    for (const { receiver, is, unless, of = asked, attribute, steps } of meanings) {
      if (is && !leadsTo(callee, is)) continue;
      if (unless?.some((one) => isOne(of, one))) continue;
      if (receiver && !isOne(of, receiver)) continue;
      const has = !attribute || !receiver || !of || !types.lacks(of, attribute, receiver, from);
      return { routines: [], meaning: has ? steps : [] };
    }
    return NONE;
  }

  /** Where nobody knows the owner: a method of the class that has this name, the nearest of those around, or all that it leaves to others. */
  function alike({ callee }: Call, likes: Name[], from: Linked): Linked[] {
    const asked = ownerOf(callee);
    if (asked !== null && types.of(asked, from)) return NO_ROUTINES;
    for (const like of likes) {
      const cut = splitLast(like);
      if (!cut) continue;
      const owner = around(cut.owner, from);
      const its = owner ? methods.of(owner, cut, false) : NO_ROUTINES;
      const found = its.length === 0 && owner ? ofSeveral(owner, cut, from, 0) : its;
      if (found.length > 0) return found;
    }
    return NO_ROUTINES;
  }

  /** What each of those has that makers hand over for what it is called on. */
  function ofHanded({ callee }: Call, likes: Name[], from: Linked): Linked[] {
    const asked = ownerOf(callee);
    if (asked !== null && types.of(asked, from)) return NO_ROUTINES;
    const found = likes.flatMap((like) => {
      const cut = splitLast(like);
      // A function of no class is nobody's.
      if (!cut) return NO_ROUTINES;
      return types
        .handed(cut.owner, from)
        .flatMap(({ type, itself }) => methods.of(type, itself ? { ...cut, mark: '.' } : cut, false));
    });
    return [...new Set(found)];
  }

  function around(name: string, from: Linked): Declared | null {
    const [, first, given] = /^\w+:([^#.]*)(.*)$/.exec(name)!;
    let owner: Declared | null = null;
    for (let scope = ownerOf(from.name); scope !== null && !owner; scope = ownerOf(scope))
      owner = pick(defined.types.get(`${scope}::${first}`), from);
    if (!owner) return types.of(name, from);
    return given ? types.of(`${owner.type.name}${given}`, from) : owner;
  }

  /** Where the language overloads, routines say the types of their parameters; those of this call are meant. */
  function overloads(found: Linked, call: Call): Linked[] {
    if (!found.routine?.parameters?.types) return [found];
    const all = (defined.routines.get(found.name) ?? []).filter((one) => one.file === found.file);
    const fit = all.filter((one) => accepts(one.routine!.parameters, call));
    return fit.length === 0 ? [found] : byDefaults(byTypes(fit, call)).slice(0, MOST_FITTING);
  }

  function classOf(name: string, from: Linked): Declared | null {
    lookups.left = MOST_LOOKUPS;
    return types.of(name, from);
  }

  return {
    call,
    relation,
    lineage: types.lineage,
    classOf,
    heirsOf: methods.heirsOf,
    ownOfHeirs({ callee }, from) {
      const cut = splitLast(callee);
      if (!cut || cut.owner !== ownOf(from)) return NO_ROUTINES;
      const owner = classOf(cut.owner, from);
      return owner
        ? methods.heirsOf(owner).flatMap((heir) => methods.own(heir, cut.mark, cut.last))
        : NO_ROUTINES;
    },
    methods(owner, cut, above = false, as) {
      lookups.left = MOST_LOOKUPS;
      return methods.of(owner, cut, above, as);
    },
    inherited(owner, { mark, last }) {
      const named = ({ type }: Declared) => defined.routines.get(`${type.name}${mark}${last}`);
      const declares = types.lineageOf(owner).find(named);
      return (declares && prefer(named(declares)!, declares)[0]) ?? null;
    },
  };
}

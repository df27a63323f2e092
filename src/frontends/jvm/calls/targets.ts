// Whose method a call names: a type's, one of this file's classes', an imported function, or one that was handed over. It lowers nothing.

import type { Meaning } from '../../../framework.ts';
import type { Name } from '../../../ir.ts';
import { isLarge } from '../../words.ts';
import { apis, methodOf, methods, ownersOf } from '../names/known.ts';
import {
  type Class,
  itself,
  methodHeld,
  returned,
  typeOfName,
  type Variable,
  variable,
  type World,
} from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Call, Node } from '../syntax/syntax.ts';
import type { Body } from './body.ts';
import { jvm } from './meaning.ts';
import { isPastProxy } from './twins.ts';

export interface Target {
  callee: Name | null;
  /** Where the framework's meaning is looked up, and the model of what it does. */
  type: Typed | null;
  meaning?: Meaning;
  returns?: Typed | null;
  /** A function that extends its type, if that has no such method: another file tells. */
  otherwise?: Name;
  /** The callee is a function that this routine's caller handed over, or a lambda in a variable. */
  function?: Variable;
}

/** Every object has them, every enum, every exception; those that a class writes itself are found by its type. */
export const OF_ALL =
  /^(equals|hashCode|toString|getClass|notifyAll|wait|compareTo|ordinal|getMessage|printStackTrace|initCause|addSuppressed|getStackTrace|println)$/;

/** `key to value` is a pair, whatever both are. */
export const makesPair = ({ name, arguments: given }: Call, { isKotlin }: World): boolean =>
  isKotlin && name === 'to' && given.length === 1;

/** `task.setState(state)`: an object that is called like work is asked, and runs nothing. */
const ACCESSOR = /^(get|set|is|has)[A-Z]/;

/** What `connection.createStatement()` gives where a class of another file holds the connection. */
export function toldByName({ type }: Target, { name }: Call, { classes }: World): Typed | null {
  const returns = methods.get(name)?.returns;
  const field = returns && type ? /^(.*)\.[a-z]\w*$/.exec(type.name) : null;
  return field && classes.has(field[1]!) ? { name: returns!, arguments: [] } : null;
}

/** What `Orders.selectAll()` gives, which extends a table that stands in another file. */
export function ofLibrary({ type }: Target, { name }: Call, world: World): Typed | null {
  if (!world.tracks || !type || world.isForeign(type.name)) return null;
  const [returns, ...others] = ownersOf(name).map((owner) => methodOf(owner, name)?.returns);
  return returns && others.length === 0 && world.isForeign(returns) ? { name: returns, arguments: [] } : null;
}

type Aim = (node: Call, object: Node | null, receiver: Typed | null) => Target;

/** Whether a class of the project has such a method, or may have it where another file declares it. */
export function declares(type: Typed | null, name: string, world: World): boolean {
  if (!type || world.isForeign(type.name)) return false;
  const declared = world.classes.get(type.name);
  return declared ? declared.methods.has(name) : true;
}

/** What a call gives of which no more is known than whose it is. */
export function resultType({ callee, type }: Target, node: Call): Typed | null {
  if (!callee || !type) return null;
  return { name: node.creates ? type.name : `${callee.slice(4)}()`, arguments: [] };
}

export function createAim({ sight, world, type: typeOf }: Pick<Body, 'sight' | 'world' | 'type'>): Aim {
  return aim;

  function aim(node: Call, object: Node | null, receiver: Typed | null): Target {
    if (node.creates) {
      const type = typeOf(node.creates);
      return {
        callee: type && jvm(type),
        type,
        meaning: type ? apis.get(type.name) : undefined,
        returns: type,
      };
    }
    if (!object) return bare(node);
    if (object.kind === 'name') {
      if (object.text === 'this' && sight.owner && sight.receivers.length === 0)
        return own(sight.owner, node) ?? inherited(node, sight.owner);
      const found = variable(object.text, sight, world);
      if (
        found?.callback === 'surely' ||
        found?.value?.kind === 'lambda' ||
        found?.value?.kind === 'reference' ||
        methodHeld(found?.value) === node.name
      )
        return { callee: receiver && callee(receiver, node), type: receiver, function: found };
      const isKnown = ACCESSOR.test(node.name) || methodOf(receiver?.name ?? '', node.name) !== undefined;
      if (found?.callback === 'maybe' && !isKnown)
        return { callee: receiver && callee(receiver, node), type: receiver, function: found };
    }
    const given = world.isKotlin ? sight.locals.get(node.name) : undefined;
    if (given?.ofReceiver) return { callee: null, type: receiver, function: given };
    if (!receiver) return extension(node) ?? { callee: null, type: null };
    const meaning = methodOf(receiver.name, node.name) ?? apis.get(`${receiver.name}.${node.name}`);
    const declared = world.classes.get(receiver.name);
    if (!meaning && declared?.methods.has(node.name))
      return {
        callee: callee(receiver, node),
        type: receiver,
        returns: returned(declared.methods.get(node.name), declared, world, node),
      };
    const found = meaning || isTableWord(receiver, node) ? null : extension(node);
    const itself: Target = { callee: callee(receiver, node), type: receiver, meaning };
    if (!found?.callee || found.meaning || found.returns || declared || world.isForeign(receiver.name))
      return found ?? itself;
    return { ...itself, otherwise: found.callee };
  }

  /** `Orders.insert { }`: an extension of a library that the tables tell as a method of what is extended. */
  function isTableWord({ name: type }: Typed, { name }: Call): boolean {
    if (ownersOf(name).length === 0 || world.isForeign(type)) return false;
    const path = world.names.function(name);
    return path !== null && world.isForeign(path);
  }

  function callee(type: Typed, { name }: Call): Name {
    return `jvm:${type.name}.${name}`;
  }

  /** A function that is called like a method: Kotlin's extensions, imported, of the class or of the file. */
  function extension(node: Call): Target | null {
    const path = world.names.function(node.name);
    if (path) return { callee: `jvm:${path}`, type: null, meaning: apis.get(path) };
    for (let owner = sight.owner; owner; owner = owner.outer)
      if (owner.methods.get(node.name)?.some((method) => method.receiver)) return own(owner, node);
    const here = world.functions.get(node.name);
    return here?.some((method) => method.receiver)
      ? { callee: inPackage(node.name), type: null, returns: returned(here, null, world, node) }
      : null;
  }

  function inPackage(name: string): Name {
    const prefix = world.names.package ? `${world.names.package}.` : '';
    return `jvm:${prefix}${name}`;
  }

  function bare(node: Call): Target {
    const { name } = node;
    const local = sight.locals.get(name);
    if (local?.callback || local?.value?.kind === 'lambda')
      return { callee: null, type: null, function: local };
    if (name === 'this' && sight.owner)
      return { callee: jvm(itself(sight.owner)), type: null, returns: null };
    if (name === 'super') {
      const base = sight.owner?.bases[0];
      return { callee: base ? jvm(base) : null, type: base ?? null, returns: null };
    }
    for (const type of [...sight.receivers].reverse()) {
      const meaning = methodOf(type.name, name);
      if (meaning) return { callee: callee(type, node), type, meaning };
      const declared = world.classes.get(type.name);
      const its = declared?.methods.get(name);
      if (its) return { callee: callee(type, node), type, returns: returned(its, declared!, world, node) };
    }
    for (let owner = sight.owner; owner; owner = owner.outer) {
      const found = own(owner, node);
      if (found) return found;
    }
    return held(node) ?? imported(node) ?? constructed(node) ?? spokenTo(node) ?? ancestral(node);
  }

  /** `with(job) { start() }`: of what the block speaks to, whose class stands in another file, or else of what is around. */
  function spokenTo(node: Call): Target | null {
    const type = sight.receivers.at(-1);
    if (!type || world.isForeign(type.name) || world.classes.has(type.name)) return null;
    const its = callee(type, node);
    const other = ancestral(node);
    if (!sight.owner || sight.owner.bases.length === 0) return { ...other, otherwise: its };
    return { callee: its, type, ...(other.callee && { otherwise: other.callee }) };
  }

  /** A field that is called: a lambda, or in Kotlin an object that has `invoke`. */
  function held(node: Call): Target | null {
    const found = variable(node.name, sight, world);
    if (found?.value?.kind === 'lambda') return { callee: null, type: null, function: found };
    if (!world.isKotlin || !found?.type || world.isForeign(found.type.name)) return null;
    return { callee: callee(found.type, { ...node, name: 'invoke' }), type: found.type };
  }

  function own(owner: Class, node: Call): Target | null {
    const found = owner.methods.get(node.name);
    if (!found) return null;
    const raw = isPastProxy(owner, found, node) ? "'" : '';
    return {
      callee: `jvm:${owner.full}.${node.name}${raw}`,
      type: itself(owner),
      returns: returned(found, owner, world, node),
    };
  }

  function imported(node: Call): Target | null {
    const path = world.names.function(node.name);
    if (path) {
      const dot = path.lastIndexOf('.');
      const meaning = apis.get(path) ?? methodOf(path.slice(0, dot), node.name);
      return { callee: `jvm:${path}`, type: { name: path.slice(0, dot), arguments: [] }, meaning };
    }
    const here = world.functions.get(node.name);
    return here
      ? { callee: inPackage(node.name), type: null, returns: returned(here, null, world, node) }
      : null;
  }

  /** Kotlin creates an object as it calls a function. */
  function constructed(node: Call): Target | null {
    if (!world.isKotlin || !isLarge(node.name)) return null;
    const type = typeOfName(node.name, sight, world);
    const given = node.typeArguments?.map((one) => typeOf(one)).filter((one) => one !== null);
    const returns = type && given ? { ...type, arguments: given } : type;
    return type && { callee: jvm(type), type, meaning: apis.get(type.name), returns };
  }

  function ancestral(node: Call): Target {
    for (let owner = sight.owner; owner; owner = owner.outer) {
      for (const base of owner.bases) {
        const meaning = methodOf(base.name, node.name);
        if (meaning) return { callee: callee(base, node), type: base, meaning };
      }
      if (owner.bases.length > 0) return orHanded(inherited(node, owner), node);
    }
    if (world.isKotlin && !sight.owner?.methods.has(node.name))
      return { callee: `jvm:${world.names.inScope(node.name)}`, type: null };
    return { callee: sight.owner ? callee(itself(sight.owner), node) : null, type: null };
  }

  /** In a function of Kotlin's that is handed over it may be whoever runs that whose method it is, or it extends that. */
  function orHanded(target: Target, node: Call): Target {
    if (!world.isKotlin || target.meaning || sight.owner?.methods.has(node.name)) return target;
    const isHanded = (sight.handed?.length ?? 0) > 0;
    if (isHanded && methods.has(node.name)) return { ...target, type: null };
    return isHanded ? { ...target, otherwise: `jvm:${world.names.inScope(node.name)}` } : target;
  }

  function inherited(node: Call, owner: Class): Target {
    for (const base of owner.bases) {
      const meaning = methodOf(base.name, node.name);
      if (meaning) return { callee: callee(base, node), type: base, meaning };
    }
    return { callee: callee(itself(owner), node), type: itself(owner) };
  }
}

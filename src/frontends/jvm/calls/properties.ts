// What reading and setting a property or a field does: Kotlin's are methods in truth, and what is set says what a field is. It decides no call.
import type { Step } from '../../../ir.ts';
import { isTold, methodOf, surest } from '../names/known.ts';
import { flushed, isLoaded } from '../names/loaded.ts';
import { itself, typeOfMember, variable } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Assign, Call, Member, Name, Node } from '../syntax/syntax.ts';
import { setAgain } from '../texts/retold.ts';
import type { Body } from './body.ts';

export interface Properties {
  assign(node: Assign, out: Step[]): Typed | null;
  /** A field, or a property that is a method in truth: `connection.autoCommit`. */
  member(node: Member, out: Step[]): Typed | null;
  /** The same of an implicit receiver: `connection` in Exposed's transaction. */
  property(node: Name, out: Step[]): Typed | null;
}

export function createProperties(
  body: Body,
  {
    call,
    isCallback,
  }: {
    /** `ran`: whom it is called on, where those steps stand there already. */
    call(node: Call, out: Step[], ran?: { type: Typed | null }): Typed | null;
    isCallback(value: Node): boolean;
  },
): Properties {
  const { sight, world } = body;
  return { assign, member, property };

  function assign(node: Assign, out: Step[]): Typed | null {
    const { target, value, start, end } = node;
    const name = target.kind === 'name' ? target.text : target.kind === 'member' ? target.name : null;
    if (name === null) {
      body.run(target, out);
      body.run(value, out);
      return null;
    }
    const isLocal = target.kind === 'name' && sight.locals.has(name);
    const object = target.kind === 'member' ? target.object : null;
    if (!isLocal && world.isKotlin) {
      const at = target.kind === 'member' ? target.at : { start: target.start, end: target.end };
      const setter: Call = {
        kind: 'call',
        object,
        name: `set${capital(name)}`,
        at,
        start,
        end,
        arguments: [{ value }],
      };
      const type = object ? body.run(object, []) : (sight.receivers.at(-1) ?? null);
      body.onCall(setter, body.constants);
      if (type && methodOf(type.name, setter.name)) return call(setter, out);
      // What a field is made with goes past its setter, and has no place of its own.
      const hasPlace = target.end > target.start;
      if (hasPlace && isWritten(object, type, setter.name)) return call(setter, out);
      if (hasPlace && isTracked(object, type, name)) {
        if (object) return call(setter, out);
        const owner = type ?? (sight.owner && itself(sight.owner));
        const given = body.run(value, out);
        out.push({ kind: 'call', callee: `jvm:${owner?.name ?? '?'}.${setter.name}`, at, args: 1 });
        return given;
      }
    }
    const type_ = object ? body.run(object, out) : null;
    if (type_ && isLoaded(object, sight, world))
      out.push(...flushed(type_, { start: target.start, end: target.end }, world));
    if (isCallback(value)) {
      sight.locals.set(name, { type: null, value });
      return null;
    }
    const given = body.run(value, out, name);
    const type = given?.own ? { ...given, own: undefined } : given;
    if (isLocal) setAgain(name, node, sight, world, body.constants);
    const known = target.kind === 'name' ? variable(name, sight, world) : sight.owner?.fields.get(name);
    // What is special for this call is not so for the object.
    const lasts = type && !isLocal ? { ...type, perhaps: undefined } : type;
    if (known) Object.assign(known, { type: surest(known.type, lasts), says: undefined });
    if (known?.handed)
      known.handed = value.kind === 'name' ? sight.locals.get(value.text)?.handed : undefined;
    return type;
  }

  /** Whether setting this property may write a row: where such rows are about, of whatever is not known better. */
  function isTracked(object: Node | null, type: Typed | null, name: string): boolean {
    if (!world.tracks) return false;
    if (object?.kind === 'name' && object.text === 'this') return sight.owner?.tracked === true;
    if (object)
      return !type || (!world.isForeign(type.name) && (world.classes.get(type.name)?.tracked ?? true));
    for (let owner = sight.owner; owner; owner = owner.outer)
      if (owner.fields.has(name)) return owner.tracked && sight.receivers.length === 0;
    return type !== null && !world.isForeign(type.name) && (world.classes.get(type.name)?.tracked ?? true);
  }

  /** Whether this file says what reading or setting this property does. */
  function isWritten(object: Node | null, type: Typed | null, accessor: string): boolean {
    if (!world.accessors.has(accessor)) return false;
    const onTop = world.functions.get(accessor) ?? [];
    if (object)
      return (
        type !== null &&
        (world.classes.get(type.name)?.methods.has(accessor) ||
          onTop.some(({ receiver }) => receiver !== undefined && simple(receiver.name) === simple(type.name)))
      );
    for (let owner = sight.owner; owner; owner = owner.outer) if (owner.methods.has(accessor)) return true;
    return onTop.some(({ receiver }) => !receiver);
  }

  function property({ text: name, start, end }: Name, out: Step[]): Typed | null {
    const getter = `get${capital(name)}`;
    if (world.accessors.has(getter) && !sight.locals.has(name) && isWritten(null, null, getter)) {
      const at = { start, end };
      const given = call({ kind: 'call', object: null, name: getter, at, start, end, arguments: [] }, out);
      return given ?? variable(name, sight, world)?.type ?? null;
    }
    if (sight.receivers.length === 0 || !isTold(getter)) return null;
    for (const { name: type } of [...sight.receivers].reverse()) {
      const returns = methodOf(type, getter)?.returns;
      if (returns) return { name: returns, arguments: [] };
    }
    return null;
  }

  function member({ object, name, at, start, end }: Member, out: Step[]): Typed | null {
    const type = body.run(object, out);
    const getter = `get${capital(name)}`;
    const mayGet = world.isKotlin && (isTold(getter) || world.accessors.has(getter));
    if (!mayGet || !((type && methodOf(type.name, getter)) || isWritten(object, type, getter)))
      return typeOfMember(type, name, world);
    const getting: Call = { kind: 'call', object, name: getter, at, start, end, arguments: [] };
    return call(getting, out, { type }) ?? typeOfMember(type, name, world);
  }
}

const simple = (name: string) => name.slice(name.lastIndexOf('.') + 1);
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

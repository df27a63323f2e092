// What an expression stands for that names something: a constant, a variable that stays as it is made, what a method of the class gives. It lowers nothing.
import { type Class, type Sight, typeOfName, variable, type World } from '../names/scope.ts';
import type { Call, Field, Node, Repeat } from '../syntax/syntax.ts';
import { emptiedAt, filledByClass, filledWith } from './filled.ts';
import { isSetBehind } from './retold.ts';
import { givenBy, inMap, saidBy } from './texts.ts';
import type { Begun } from './turns.ts';
import { isFilled } from './written.ts';

export interface Told {
  /** Of text: what is known of a variable here. */
  constants(node: Node): Node | null;
  /** Of numbers and collections: what is the same wherever it stands. */
  unchanging(node: Node): Node | null;
  /** What nobody else may set either. */
  constant(node: Node): Node | null;
  begun: Begun;
}

export function createTold(sight: Sight, world: World): Told {
  return { constants, unchanging, constant, begun };

  function constants(node: Node): Node | null {
    if (node.kind === 'name') return variable(node.text, sight, world)?.value ?? null;
    if (node.kind === 'call')
      return inMap(node, constants) ?? givenBy(node, sight.owner) ?? saidBy(node, sight.owner, world);
    if (node.kind !== 'member') return null;
    const said = saidBy(node, sight.owner, world);
    if (said) return said;
    const object = node.object.kind === 'name' ? typeOfName(node.object.text, sight, world) : null;
    return (object && world.classes.get(object.name)?.fields.get(node.name)?.value) ?? null;
  }

  function unchanging(node: Node): Node | null {
    if (node.kind === 'call') return given(node);
    if (node.kind === 'member') return ofClass(node.object, node.name);
    if (node.kind !== 'name') return null;
    const found = sight.locals.get(node.text);
    if (found) return found.made ? staying(node.text, found.made) : null;
    for (let owner = sight.owner; owner; owner = owner.outer) {
      const field = fieldOf(owner, node.text);
      if (field) return held(field, owner);
    }
    return world.constants.get(node.text)?.value ?? null;
  }

  function staying(name: string, made: Node): Node | null {
    if (isFilled(made)) return filledWith(name, made, sight, world) ?? emptiedAt(name, made, sight, world);
    return isSetBehind(name, made.end, sight, world) ? null : made;
  }

  /** What a method of the class gives that does nothing else, or one of a class of this file. */
  function given(node: Call): Node | null {
    const { object, name } = node;
    const isOwn = !object || (object.kind === 'name' && object.text === 'this');
    if (!isOwn) return givenBy({ ...node, object: null }, classOf(object));
    for (let owner = sight.owner; owner; owner = owner.outer)
      if (owner.methods.has(name)) return givenBy(node, owner);
    return null;
  }

  /** `this.names`, `Limits.NAMES` */
  function ofClass(object: Node, name: string): Node | null {
    const isOwn = object.kind === 'name' && object.text === 'this';
    const owner = isOwn ? sight.owner : classOf(object);
    const field = owner ? fieldOf(owner, name) : undefined;
    return field && owner ? held(field, owner) : null;
  }

  function classOf(node: Node): Class | null {
    if (node.kind !== 'name' || !/^[A-Z]/.test(node.text)) return null;
    const full = world.names.typeNamed(node.text, sight.owner?.around ?? []);
    return (full && world.classes.get(full)) || null;
  }

  function fieldOf(owner: Class, asked: string): Field | undefined {
    return owner.body.fields.find(({ name }) => name === asked);
  }

  function held(field: Field, owner: Class): Node | null {
    const { value } = field;
    if (!value || !(field.static || isFinal(field, world))) return null;
    return isFilled(value) ? (filledByClass(field, owner, world) ?? value) : value;
  }

  function constant(node: Node): Node | null {
    const found = unchanging(node);
    if (!found || node.kind !== 'name' || sight.locals.has(node.text)) return found;
    return isFinal({ start: found.start, value: found }, world) ? found : null;
  }

  function begun(name: string, loop: Repeat): Node | null {
    const made = sight.locals.get(name)?.made;
    if (!made || made.end > loop.start) return null;
    const isSet = (from: number, end: number) => isSetBehind(name, from, { ...sight, end }, world);
    return isSet(made.end, loop.start) || isSet(loop.end, sight.end ?? loop.end) ? null : made;
  }
}

/** `final` and `val`, in the line. */
export function isFinal({ start, value }: Pick<Field, 'start' | 'value'>, { text }: World): boolean {
  if (value === undefined) return false;
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
  const behind = line.slice(Math.max(...[';', '{', '}'].map((end) => line.lastIndexOf(end))) + 1);
  return /\b(?:final|val)\b/.test(behind + text.slice(start, value.start));
}

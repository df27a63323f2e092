// What stands in another file under a name: SQL that is a constant there, how many items a list has. It reads no other file.
import type { Loop, Name, Unit } from '../../../ir.ts';
import { onceEach } from '../names/collections.ts';
import { counted } from '../names/known.ts';
import { type Class, constantsOf, type Sight, type World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Call, Field, Method, Node, TypeBody } from '../syntax/syntax.ts';
import { isFinal } from './constants.ts';
import { mostOf } from './numbers.ts';
import { entryIn, givenBy } from './texts.ts';
import { reading, type Turns, turnsOver } from './written.ts';

/** `Queries.ALL`, or what is imported from there. */
export function namedElsewhere(node: Node, sight: Sight, world: World): Name | null {
  const entry = entryIn(node);
  if (entry) return namedElsewhere(entry, sight, world);
  const { names } = world;
  if (node.kind === 'name') {
    if (sight.locals.has(node.text)) return null;
    const isConstant = /^[A-Z][A-Z0-9_]*$/.test(node.text);
    const imported = names.function(node.text) ?? (isConstant ? names.typeNamed(node.text, []) : null);
    return imported ? `jvm:${imported}` : null;
  }
  if (node.kind !== 'member' || node.object.kind !== 'name' || !/^[A-Z]/.test(node.object.text)) return null;
  const full = names.typeNamed(node.object.text, sight.owner?.around ?? []);
  return full ? `jvm:${full}.${node.name}` : null;
}

/** How many turns a loop has that goes over such a list, or counts up to such a number. */
export function toldElsewhere(
  { until, ...turns }: Turns,
  list: Node | null | undefined,
  over: Typed | null,
  sight: Sight,
  world: World,
): Pick<Loop, 'times' | 'atMost' | 'of' | 'each'> {
  if (turns.times !== null) return turns;
  const name = over && counted.get(over.name);
  if (name) return { ...turns, of: [`jvm:${name}`] };
  const parameter = givenAs(until ?? list, sight);
  const each = parameter !== null && { each: parameter };
  const once = until ? undefined : onceEach(over);
  // Where that is an enum, it has so many constants.
  if (once && !world.isForeign(once.name))
    return { ...turns, ...each, atMost: true, of: [`jvm:${once.name}.values`] };
  const asked = until ?? list;
  const of = asked && !each ? heldAs(asked, sight, world) : null;
  return { ...turns, ...each, ...(of && !world.isForeign(of.slice('jvm:'.length)) && { of: [of] }) };
}

/** `rows`, `rows.stream()` of a parameter that is a list and stays the same, or a number. */
function givenAs(list: Node | null | undefined, { locals }: Sight): string | null {
  let node = list;
  while (node?.kind === 'call' && /^(stream|iterator|asSequence|withIndex|size)$/.test(node.name))
    node = node.object;
  return node?.kind === 'name' && locals.get(node.text)?.listed ? node.text : null;
}

/** `Limits.NAMES.size()`, `Limits.names()`, `Kind.values()` */
function heldAs(node: Node, sight: Sight, world: World): Name | null {
  if (node.kind !== 'member' && node.kind !== 'call') return namedElsewhere(node, sight, world);
  const { object, name } = node;
  const isLength = /^(length|size|stream|forEach|toList)$/.test(name) && object && object.kind !== 'text';
  if (isLength && (node.kind === 'member' || node.arguments.length === 0))
    return heldAs(object, sight, world);
  if (node.kind === 'member') return namedElsewhere({ ...node, name: ofEnum(name) }, sight, world);
  if (!object || node.arguments.length > 0) return null;
  return namedElsewhere({ ...node, kind: 'member', object }, sight, world);
}

/** Kotlin's `Kind.entries` are Java's `Kind.values()`. */
const ofEnum = (name: string) => (name === 'entries' ? 'values' : name);

/** Numbers and lists that a file writes out for others, and how many constants an enum has. */
export function listsOf(owner: Class, world: World): NonNullable<Unit['lists']> {
  const { full, body } = owner;
  const constants = constantsOf(owner, world);
  const of = (node: Node | null | undefined) => countOf(node, constants, world);
  const values = body.is === 'enum' && body.entries ? [told(`${full}.values`, body.entries.length)] : [];
  return [
    ...values,
    ...body.fields.flatMap((field) => constant(field, body, `${full}.`, of, world)),
    ...body.methods.flatMap((method) => method_(method, owner, of)),
  ];
}

/** `chunk(500, manager)`; where nobody can read the number it may be any. */
export function countedAs(name: string, given: Node | undefined, { unchanging, world }: Counting): void {
  const items = given ? (mostOf(given, reading(world.text, unchanging))?.most ?? null) : null;
  world.lists(items === null ? { ...told(name, 0), usually: true } : told(name, items));
}

interface Counting {
  unchanging: (node: Node) => Node | null;
  world: World;
}

export function writesOut(unit: Unit, all: NonNullable<Unit['lists']>): void {
  if (all.length > 0) unit.lists = [...(unit.lists ?? []), ...all];
}

const told = (name: string, items: number) => ({ name: `jvm:${name}` as Name, items });

/** Those of a file of Kotlin that stand in no class. */
export const listsOfFile = (prefix: string, world: World): NonNullable<Unit['lists']> =>
  world.file.fields.flatMap((field) =>
    constant(field, null, prefix, (node) => countOf(node, constantsOf(null, world), world), world),
  );

type Count = (node: Node | null | undefined) => number | null;

function constant(field: Field, body: TypeBody | null, prefix: string, of: Count, world: World) {
  const { name, value } = field;
  const isStatic = !body || field.static || /^(object|interface)$/.test(body.is);
  if (!isStatic || !(isFinal(field, world) || body?.is === 'interface')) return [];
  const items = of(value);
  return items === null ? [] : [told(prefix + name, items)];
}

function method_({ name, static: isStatic, parameters, body }: Method, owner: Class, of: Count) {
  if (parameters.length > 0 || !body || !(isStatic || owner.body.is === 'object')) return [];
  const items = of(givenBy(callOf(name, body), owner));
  return items === null ? [] : [told(`${owner.full}.${name}`, items)];
}

function callOf(name: string, { start }: Node): Call {
  const at = { start, end: start };
  return { kind: 'call', object: null, name, arguments: [], at, ...at };
}

function countOf(node: Node | null | undefined, constants: (node: Node) => Node | null, world: World) {
  if (!node) return null;
  const known = mostOf(node, reading(world.text, constants))?.most ?? null;
  return known ?? turnsOver(node, world.text, constants).times;
}

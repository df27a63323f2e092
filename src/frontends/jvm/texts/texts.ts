// SQL that others may run, as a constant or because a call hands it over: a routine that nobody wrote. Text that is run here is read where it runs.
import type { Name, Routine, Unit } from '../../../ir.ts';
import {
  blocksOf,
  handedRoutine,
  isNamedAsSql,
  lowerEmbeddedUnit,
  mayAct,
  mayBeginSql,
} from '../../sql/queries/embedded.ts';
import type { Class, Constants, Sight, World } from '../names/scope.ts';
import type { Call, Field, Node, TypeBody } from '../syntax/syntax.ts';
import { textOf } from './text.ts';

const STATEMENT =
  /^\s*(?:--.*\n\s*)*(?:select|insert|update|delete|with|merge|call|do|copy|lock|truncate|savepoint|release|rollback)\b/i;

/** `prefix`: what they stand in, with its dot. */
export const textsOf = (prefix: string, fields: Field[], constants: Constants): Routine[] =>
  fields.flatMap(({ name, value }) => {
    const source = value && textOf(value, constants);
    if (!source || !STATEMENT.test(source.text)) return [];
    const made = lowerEmbeddedUnit(source, '');
    const { steps } = made;
    if (steps.length === 0) return [];
    const at = { start: value.start, end: value.end };
    return [
      {
        name: `jvm:${prefix}${name}` as Name, at, kind: 'method', entry: 'called', startsIn: 'caller', implied: true, body: steps,
      },
      ...blocksOf(made),
    ]; // biome-ignore format: short
  });

const CREATES = /\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure|(?:constraint\s+)?trigger)\s/i;

/** Whether a file has text that creates code: most have none, and their texts are not looked at. */
export const mayCreate = (text: string): boolean => CREATES.test(text);

/** What a text creates that is kept in a constant or a list: some day it is run, by whomever. */
export function createdIn(node: Node, constants: Constants, world: World): void {
  if (node.kind !== 'text' && node.kind !== 'concat') return;
  const source = textOf(node, constants);
  if (!source || !CREATES.test(source.text) || !mayBeginSql(source.text)) return;
  world.creates(source.at(0), lowerEmbeddedUnit(source, ''));
}

const READ = new Set<Node['kind']>(['text', 'concat', 'call', 'name', 'member']);

/** Most texts that are handed over are messages: what begins one tells, before anything is put together. */
function mayBegin(node: Node): boolean {
  const first = node.kind === 'concat' ? node.parts[0] : node;
  return first?.kind !== 'text' || mayBeginSql(first.source.text);
}

/** SQL that a call hands to whoever runs it. */
export function handedText(node: Node, constants: Constants, world: World): Name | undefined {
  if (!READ.has(node.kind) || !mayBegin(node)) return undefined;
  const source = textOf(node, constants);
  if (!source || !mayAct(source.text)) return undefined;
  const from = source.at(0);
  const known = world.handed.get(from);
  if (known) return known.name;
  const made = lowerEmbeddedUnit(source, '');
  world.creates(from, made);
  if (made.steps.length === 0) return undefined;
  // A place in the text would change with every line above. A path has no dots, so that the last one stands before the name.
  const name: Name = `jvm:${world.path.replaceAll('.', '_')}.text${world.handed.size + 1}`;
  world.handed.set(from, handedRoutine(name, { start: node.start, end: node.end }, made.steps));
  return name;
}

export const handedConstant = (name: Name | null): Name | undefined =>
  name && isNamedAsSql(name) ? name : undefined;

/** `sql`, `sql.trim()`: the parameter that a text is made of. */
export function madeFrom(node: Node, sight: Sight): string | undefined {
  if (
    node.kind === 'call' &&
    node.object &&
    /^(trim|strip|formatted|trimIndent|trimMargin|replace|toString)$/.test(node.name)
  )
    return madeFrom(node.object, sight);
  return node.kind === 'name' && sight.locals.get(node.text)?.text ? node.text : undefined;
}

/** String constants may be the names of tables elsewhere. */
export const tablesNamed = ({ body, full }: Class): Unit['aliases'] =>
  body.fields.flatMap(({ name, value, static: isStatic }) =>
    isStatic && value?.kind === 'text' && /TABLE|VIEW/.test(name) && /^\w+(\.\w+)?$/.test(value.source.text)
      ? [{ from: `jvm:${full}.${name}`, to: `sql:${value.source.text.toLowerCase()}` }]
      : [],
  );

/** What an enum's constants are made with, where that is one text: as fields of its. */
export const entriesOf = ({ entries }: TypeBody): Field[] =>
  (entries ?? []).flatMap(({ name, given }) => {
    const [only, ...more] = given.filter(({ value }) => value.kind === 'text' || value.kind === 'concat');
    if (!only || more.length > 0) return [];
    const { start, end } = only.value;
    return [{ name, value: only.value, annotations: [], static: true, start, end }];
  });

/** `Query.INSERT` of `Query.INSERT.sql()` and `Query.INSERT.sql`. */
export function entryIn(node: Node): Extract<Node, { kind: 'member' }> | null {
  if (node.kind !== 'member' && (node.kind !== 'call' || node.arguments.length > 0)) return null;
  const { object: entry, name } = node;
  if (entry?.kind !== 'member' || entry.object.kind !== 'name') return null;
  const isAsked = !/^(name|ordinal|toString|hashCode)$/.test(name);
  return isAsked && /^[A-Z][A-Z0-9_]*$/.test(entry.name) ? entry : null;
}

/** What that says, where the enum stands in this file. */
export function saidBy(node: Node, owner: Class | null, { names, classes }: World): Node | null {
  const entry = entryIn(node);
  const full = entry?.object.kind === 'name' ? names.typeNamed(entry.object.text, owner?.around ?? []) : null;
  const body = full ? classes.get(full)?.body : undefined;
  return (body && entriesOf(body).find(({ name }) => name === entry!.name)?.value) ?? null;
}

/** `refreshing()`: what a method of the class itself gives that does nothing else. */
export function givenBy({ object, name, arguments: given }: Call, owner: Class | null): Node | null {
  if (given.length > 0 || (object && !(object.kind === 'name' && object.text === 'this'))) return null;
  const [method, ...more] = owner?.methods.get(name) ?? [];
  const body = more.length === 0 ? method?.body : undefined;
  const only = body?.kind === 'sequence' && body.items.length === 1 ? body.items[0]! : body;
  return (only?.kind === 'leave' ? only.value : only) ?? null;
}

/** `QUERIES.get("insert")` of `Map.of("insert", "…")`, of entries, and of Kotlin's `mapOf("insert" to "…")`. */
export function inMap(node: Call, constants: Constants): Node | null {
  const [key, ...more] = node.name === 'get' && node.object ? node.arguments : [];
  const made = key?.value.kind === 'text' && more.length === 0 ? constants(node.object!) : null;
  if (made?.kind !== 'call' || key?.value.kind !== 'text') return null;
  const asked = key.value.source.text;
  const isAsked = (one: Node | undefined) => one?.kind === 'text' && one.source.text === asked;
  const given = made.arguments.map(({ value }) => value);
  if (made.name === 'of') return given.find((_, i) => i % 2 === 1 && isAsked(given[i - 1])) ?? null;
  if (!/^(ofEntries|mapOf|linkedMapOf)$/.test(made.name)) return null;
  for (const one of given) {
    if (one.kind !== 'call') continue;
    const [first, second] =
      one.name === 'to' ? [one.object, one.arguments[0]?.value] : one.arguments.map(({ value }) => value);
    if (isAsked(first ?? undefined)) return second ?? null;
  }
  return null;
}

// What a call says of what it gives, for a routine that asks for it: whether it is true, special, SQL, how many are in it. It calls nothing.
import type { Call as CallStep, Given, Span, Step } from '../../../ir.ts';
import { holdsMany } from '../names/collections.ts';
import { specials } from '../names/known.ts';
import { isListed, type Variable, variable } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Argument, Call, Method, Node } from '../syntax/syntax.ts';
import { namedElsewhere } from '../texts/elsewhere.ts';
import { handedConstant, handedText, madeFrom } from '../texts/texts.ts';
import { itemsOf, turnsOver } from '../texts/written.ts';
import type { Body } from './body.ts';

/** The arguments that are `true`, `false`, `null`, special ones of their type or a parameter which is one of these. */
export function saidOf(node: Call, types: (Typed | null)[], body: Body): CallStep['given'] {
  const { sight, world } = body;
  const all = node.arguments.flatMap(({ name, value }, i): [string, Given][] => {
    const text = value.kind === 'literal' || value.kind === 'name' ? value.text : '';
    const key = name ?? String(i);
    const type = types[i];
    if (type && specials.has(type.name)) return [[key, true]];
    if (type?.perhaps) return [[key, { parameter: type.perhaps.parameter }]];
    if (text === 'true' || text === 'false') return [[key, text === 'true']];
    if (text === 'null') return [[key, null]];
    if (/^\d{1,6}$/.test(text)) return [[key, { items: Number(text) }]];
    const local = value.kind === 'name' ? sight.locals.get(text) : undefined;
    if (local?.flag || local?.mayBeNone || local?.listed) return [[key, { parameter: text }]];
    const items = sizeOf(value, type, local, body);
    if (items !== null) return [[key, { items }]];
    const sql =
      handedText(value, body.constants, world) ?? handedConstant(namedElsewhere(value, sight, world));
    if (sql) return [[key, { sql }]];
    const parameter = madeFrom(value, sight);
    if (parameter) return [[key, { parameter }]];
    // A class within a method does not see here what that one knows.
    const isUnseen = value.kind === 'name' && !variable(text, sight, world);
    return name || isUnseen ? [[key, 'unknown']] : [];
  });
  return all.length > 0 ? Object.fromEntries(all) : undefined;
}

/** `addAll("a", "b")` of a method of this file that takes as many as one likes: how many it is given. */
export function several(
  { arguments: given }: Call,
  methods: Method[] | undefined,
): Record<string, Given> | undefined {
  const [method, ...others] = methods ?? [];
  const last = (method?.parameters.length ?? 0) - 1;
  if (!method || others.length > 0 || last < 0 || !isListed(method.parameters[last]!)) return undefined;
  const rest = given.slice(last);
  // One alone may be an array.
  const isOne = rest.length === 1 && !/^(?:text|literal)$/.test(rest[0]!.value.kind);
  return isOne || given.some(({ name }) => name) ? undefined : { [last]: { items: rest.length } };
}

/** How many are in what is a list. */
function sizeOf(
  value: Node,
  type: Typed | null | undefined,
  local: Variable | undefined,
  { world, unchanging }: Body,
): number | null {
  const isMany =
    itemsOf(value, world.text, () => null) !== null ||
    local?.made !== undefined ||
    holdsMany(type?.name ?? '');
  return isMany ? turnsOver(value, world.text, unchanging).times : null;
}

/** What is named and not called is given by others what only they know, but for what is special. */
export function named({ args: _, ...step }: CallStep, types: (Typed | null)[]): CallStep {
  const given = types.flatMap((type, i): [string, Given][] =>
    type && specials.has(type.name) ? [[String(i), true]] : [],
  );
  return given.length > 0
    ? { ...step, args: types.length, given: Object.fromEntries(given) }
    : { ...step, pointed: true };
}

/** As an overload would declare it; null when that is not known. */
export const simpleType = (name: string) =>
  /[()?^]/.test(name) ? null : name.slice(name.lastIndexOf('.') + 1);

/** What several functions do that a call hands over: each may run, by itself. */
export function inParts(at: Span, given: Argument[], callbacks: Argument[], arms: Step[][]): Step[] {
  const parts = arms.flatMap((body, index): Step[] => {
    const handed = given.indexOf(callbacks[index]!);
    return body.length > 0 ? [{ kind: 'block', at, handed, body }] : [];
  });
  return parts.length === 1
    ? parts
    : parts.map((part) => ({ kind: 'branch', at, arms: [[part]], exhaustive: false }));
}

// What a routine says of its parameters: how many a call must give, which of them decide what runs. It lowers nothing.
import type { Call, Routine } from '../../../ir.ts';
import type { Method, Node, Parameter } from '../syntax/syntax.ts';
import { mayBeSpecial, special } from './known.ts';
import { type Class, isAsked, isListed, type Sight, type World } from './scope.ts';
import { ends, isAlone, isSet, stands } from './standing.ts';
import type { Typed } from './typed.ts';

export function said(
  method: Method,
  owner: Class | null,
  world: World,
): Pick<Routine, 'parameters' | 'flags' | 'extends'> {
  const { parameters } = method;
  const flags: Flags = parameters.flatMap((one, position): Flags => {
    const { name, usual } = one;
    if (
      isFlag(one, method, world) ||
      mayBeNone(one, method, world) ||
      isSql(one, method, world) ||
      isTurned(one, method, world)
    )
      return [{ name, position, ...(usual !== undefined && { value: usual }) }];
    if (!one.type || !mayBeSpecial(one.type.name)) return [];
    const type = world.names.type(one.type, owner?.around ?? []);
    // Nobody says that it is special.
    return type && perhaps(one, type, method, world).perhaps
      ? [{ name, position, value: false, otherwise: false }]
      : [];
  });
  const { receiver } = method;
  if (receiver && mayBeSpecial(receiver.name)) {
    const type = world.names.type(receiver, owner?.around ?? []);
    if (type && ofReceiver(type)) flags.push({ name: OBJECT, value: false, otherwise: false });
  }
  for (const name of seen(owner)) if (!parameters.some((one) => one.name === name)) flags.push({ name });
  const extending = extended(method);
  return {
    ...(extending && { extends: extending }),
    parameters: {
      required: parameters.filter(isAsked).length,
      total: parameters.some(isListed) ? null : parameters.length,
      types: parameters.map(({ type }) => (type ? simpleName(type.name) : null)),
      ...(parameters.length > 0 && { names: parameters.map(({ name }) => name) }),
    },
    ...(flags.length > 0 && { flags }),
  };
}

/** Which type a function extends, by its last word; one that it has as a parameter may be any. */
const extended = ({ receiver, typeParameters }: Method): string | undefined =>
  receiver && typeParameters.some(({ name }) => name === receiver.name)
    ? '*'
    : receiver && simpleName(receiver.name);

/** The caller may hand over a special one. */
export function perhaps(
  parameter: Parameter,
  { name }: Typed,
  method: Method,
  world: World,
): Pick<Typed, 'perhaps'> {
  const other = special.get(name);
  return other && stays(parameter, method, world)
    ? { perhaps: { parameter: parameter.name, name: other } }
    : {};
}

/** The same of what a function of Kotlin extends: it stands for whoever calls it on a special one. */
export function ofReceiver({ name }: Typed): Pick<Typed, 'perhaps'> | undefined {
  const other = special.get(name);
  return other === undefined ? undefined : { perhaps: { parameter: OBJECT, name: other } };
}

/** Parameters of the method that declares a class, which that sees and which may be special. */
const seen = (owner: Class | null): Set<string> =>
  new Set(
    [...(owner?.captured?.locals.values() ?? [])].flatMap(({ type }) => type?.perhaps?.parameter ?? []),
  );

/** What that method hands, unsaid, to a method of such a class. */
export function seenBy(owner: Class | undefined, method: string, { locals }: Sight): Call['given'] {
  const mine = new Set([...locals.values()].map(({ type }) => type?.perhaps?.parameter));
  const own = owner?.methods.get(method)?.flatMap(({ parameters }) => parameters.map(({ name }) => name));
  const handed = [...(owner ? seen(owner) : [])].filter((name) => mine.has(name) && !own?.includes(name));
  return handed.length > 0
    ? Object.fromEntries(handed.map((parameter) => [parameter, { parameter }]))
    : undefined;
}

/** What a call is made on, among what it is given. */
export const OBJECT = 'this';
type Flags = NonNullable<Routine['flags']>;

export const isFlag = (parameter: Parameter, method: Method, world: World): boolean =>
  /^(boolean|Boolean)$/.test(parameter.type?.name ?? '') && stays(parameter, method, world);

/** It is asked whether it is null, and the same from the first line to the last. */
export const mayBeNone = (parameter: Parameter, method: Method, world: World): boolean =>
  !/^(boolean|int|long|Boolean|Int|Long)$/.test(parameter.type?.name ?? '') &&
  inBody(parameter.name, method, world, isAskedForNull) &&
  stays(parameter, method, world);

const isAskedForNull = (before: string, behind: string) =>
  (/^\s*[!=]==?\s*null\b/.test(behind) && isAlone(before)) ||
  (/\bnull\s*[!=]==?\s*$/.test(before) && ends(behind));

/** `<T> T inside(Transaction<T> work)`, or an interface of this file that has one method: whoever calls it hands over a function, however that is called. */
export function isWork(
  { type: asked }: Parameter,
  type: Typed | null,
  { returns, typeParameters }: Method,
  world: World,
): boolean {
  if (!asked || !type || world.isForeign(type.name)) return false;
  const here = world.classes.get(type.name)?.body;
  if (here) return here.is === 'interface' && here.methods.length === 1 && here.methods[0]!.abstract;
  return typeParameters.some(
    ({ name }) => name === returns?.name && asked.arguments.some((one) => one.name === name),
  );
}

/** A list that a loop goes over, which nobody fills here, or how often one turns. */
export const isTurned = (parameter: Parameter, method: Method, world: World): boolean =>
  isList(parameter, method, world) || isCount(parameter, method, world);

function isList({ name, type }: Parameter, method: Method, world: World): boolean {
  if (!LIST.test(type?.name ?? '')) return false;
  const isAsked = (before: string, behind: string) =>
    (/(?::|\bin)\s*$/.test(before) && ends(behind)) ||
    (GOES_OVER.test(behind) && isAlone(before)) ||
    isHandedOn(before, behind);
  const isFilled = (before: string, behind: string) => FILLS.test(behind) && isAlone(before);
  return inBody(name, method, world, isAsked) && !inBody(name, method, world, isFilled);
}

const GOES_OVER = /^\s*\.\s*(?:forEach|stream|map)/;
const FILLS = /^\s*(?:\.\s*(?:add|put|remove|clear)|\+?=(?!=))/;
const isHandedOn = (before: string, behind: string) => /^\s*[,)]/.test(behind) && /[(,]\s*$/.test(before);

/** How often a loop turns, or what is handed on to who asks for that. */
function isCount({ name, type }: Parameter, method: Method, world: World): boolean {
  if (!NUMBER.test(type?.name ?? '')) return false;
  const isAsked = (before: string, behind: string) =>
    (COUNTS.test(before) && ends(behind)) || isHandedOn(before, behind);
  return inBody(name, method, world, isAsked) && !inBody(name, method, world, isSet);
}

const COUNTS = /(?:[<.]|[!=]=|\b(?:until|repeat\s*\(|range\s*\(\s*0\s*,))\s*$/;

/** SQL that somebody hands over, as it is mostly called. */
export const isSql = (parameter: Parameter, method: Method, world: World): boolean =>
  /^(String|CharSequence)$/.test(parameter.type?.name ?? '') &&
  TEXT.test(parameter.name) &&
  stays(parameter, method, world);

export const isSavepoint = (type: Typed | null): boolean => /(^|\.)Savepoint$/.test(type?.name ?? '');

/** A savepoint that the caller opened, under whatever name. */
export function isHandle(node: Node, { locals }: Sight): boolean {
  if (node.kind !== 'name') return false;
  const { handed, type } = locals.get(node.text) ?? {};
  return handed !== undefined && isSavepoint(type ?? null);
}

const LIST = /^(?:\[\]|(?:Mutable)?(?:List|Set|Collection|Iterable)|Array)$/;
const NUMBER = /^(?:int|long|short|Integer|Long|Short|Int)$/;
const TEXT = /sql|query|statement|stmt|command|dml|ddl/i;

/** Nothing in the method gives it another value. */
const stays = ({ name }: Parameter, method: Method, world: World): boolean =>
  !inBody(name, method, world, (before, behind) => /^\s*[|&^]?=(?!=)/.test(behind) && isAlone(before));

/** Behind the list of parameters, where Kotlin gives defaults. */
function inBody(
  name: string,
  { start, end }: Method,
  { text }: World,
  is: (before: string, behind: string) => boolean,
): boolean {
  const from = text.indexOf(')', start) + 1;
  return stands(text, name, from > 0 && from <= end ? from : start, end, is);
}

export const simpleName = (name: string) => name.slice(name.lastIndexOf('.') + 1);

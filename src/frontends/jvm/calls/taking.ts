// What a function of this file says that it gives the function which it is handed. Those of other files say nothing here.
import { freeIn, isListed, type World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Argument, Call, Method, Parameter, TypeRef } from '../syntax/syntax.ts';
import type { Target } from './targets.ts';

/** How many its only method takes, of those that the languages' libraries have. */
const TAKES_ONE = /(?:^|[a-z.])(?:Consumer|Function|Predicate|UnaryOperator)$/;
const TAKES_TWO = /(?:^|\.)(?:Bi(?:Consumer|Function|Predicate)|BinaryOperator)$/;

export function givenTo(
  callback: Argument,
  node: Call,
  types: (Typed | null)[],
  methods: Method[] | undefined,
  { type }: Target,
  world: World,
): (Typed | null)[] {
  const method = methods?.find(({ parameters }) => parameters.length >= node.arguments.length);
  const parameter = method && parameterFor(callback, node, method, world);
  if (!method || !parameter?.type) return [];
  const owner = type ? world.classes.get(type.name) : undefined;
  const free = freeIn(owner?.free, method.typeParameters);
  const said = boundBy(method, types);
  const typeOf = (ref: TypeRef) => said.get(ref.name) ?? world.names.type(ref, owner?.around ?? [], free);
  const { isFunction, ofReceiver, arguments: of, name } = parameter.type;
  if (isFunction)
    return of.slice(0, -1).map((ref, i) => spokenTo(typeOf(ref), ofReceiver === true && i === 0));
  if (TAKES_TWO.test(name)) return [of[0], of[1] ?? of[0]].map((ref) => (ref ? typeOf(ref) : null));
  if (TAKES_ONE.test(name) && of[0]) return [typeOf(of[0])];
  const full = world.names.typeNamed(name, owner?.around ?? []);
  const own = full ? world.classes.get(full) : undefined;
  const [only, ...others] =
    own?.body.is === 'interface' ? own.body.methods.filter((one) => one.abstract) : [];
  if (!own || !only || others.length > 0) return [];
  const within = new Map(own.body.typeParameters.map((one, i) => [one.name, of[i]] as const));
  return only.parameters.map((one) => {
    const ref = one.type && (within.get(one.type.name) ?? one.type);
    return ref
      ? (said.get(ref.name) ?? world.names.type(ref, own.around, freeIn(own.free, only.typeParameters)))
      : null;
  });
}

/** What the block speaks to goes by this mark. */
const spokenTo = (type: Typed | null, isReceiver: boolean): Typed | null =>
  type && isReceiver ? { ...type, name: `this:${type.name}` } : type;

/** In Kotlin a block behind the brackets is for the last one. */
function parameterFor(
  callback: Argument,
  { arguments: given }: Call,
  { parameters }: Method,
  { isKotlin }: World,
): Parameter | undefined {
  if (callback.name) return parameters.find(({ name }) => name === callback.name);
  const place = given.indexOf(callback);
  const isLast = isKotlin && place === given.length - 1 && callback.value.kind === 'lambda';
  return isLast ? parameters.at(-1) : parameters[place];
}

/** `<T> void each(List<T> all, Consumer<T> work)`: what a `T` is in this call. */
function boundBy({ typeParameters, parameters }: Method, types: (Typed | null)[]): Map<string, Typed> {
  const bound = new Map<string, Typed>();
  for (const { name } of typeParameters)
    for (const [i, one] of parameters.entries()) {
      const given = types[i];
      const isIts = one.type?.name === name;
      const isOfIt = !isListed(one) && one.type?.arguments.at(-1)?.name === name && !one.type.isFunction;
      const found = isIts ? given : isOfIt ? given?.arguments.at(-1) : undefined;
      if (found) bound.set(name, found);
    }
  return bound;
}

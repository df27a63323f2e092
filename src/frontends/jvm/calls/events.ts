// Who listens to what is published in the program: a listener is one of those that implement what its event is called. It lowers no body.
import type { Routine, TypeDeclaration } from '../../../ir.ts';
import type { Names } from '../names/names.ts';
import { simpleName } from '../names/parameters.ts';
import type { Class, World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Annotation, Method } from '../syntax/syntax.ts';

/** What publishing an object of this type calls. */
export const published = (
  type: Typed | null | undefined,
  isForeign: ((name: string) => boolean) | undefined,
): `jvm:${string}` =>
  type && !isForeign?.(type.name) ? `jvm:${type.name}@event.listeners` : 'jvm:?.publish';

/** It listens to whichever of the packages that are imported whole has it: who publishes knows it by that one's name. */
function standsIn(name: string | null, names: Names): string[] {
  const scope = names.scope();
  if (name === null || !scope || !name.startsWith(`${scope.name}.`)) return name === null ? [] : [name];
  const rest = name.slice(scope.name.length);
  return scope.packages.map((one) => one + rest);
}

/** A method that is annotated so, for each kind of event that it says or takes. */
export function listening(
  { arguments: given }: Annotation,
  method: Method,
  described: Class,
  { names }: World,
): { types: TypeDeclaration[]; routines: Routine[] } {
  const { at, parameters } = method;
  const said = given
    .filter(({ name }) => !name || name === 'value' || name === 'classes')
    .flatMap(({ value }) => (value.kind === 'several' ? value.items : [value]))
    .flatMap((value) => (value.kind === 'member' && value.object.kind === 'name' ? [value.object.text] : []));
  const kinds = said.length > 0 ? said : parameters.slice(0, 1).flatMap(({ type }) => type?.name ?? []);
  const own = kinds.flatMap((kind) => standsIn(names.typeNamed(kind, described.around), names));
  if (own.length === 0) return { types: [], routines: [] };
  // Several of one name listen, each to what it takes.
  const takes = parameters.map(({ type }) => (type ? simpleName(type.name) : null));
  const listener = `jvm:${described.full}.${method.name}@${kinds.map(simpleName).join('+')}` as const;
  const bases = own.map((name) => `jvm:${name}@event` as const);
  return {
    types: [
      ...bases.map((name) => ({ name, at, bases: [], abstract: true, reopened: true })),
      { name: listener, at, bases },
    ],
    routines: [
      {
        name: `${listener}.listeners`, at, kind: 'method', entry: 'called', startsIn: 'caller', implied: true,
        body: [{ kind: 'call', callee: `jvm:${described.full}.${method.name}`, at, args: parameters.length, types: takes }],
      },
    ],
  }; // biome-ignore format: short
}

// Routines that stand for annotations: one of the project's own, one that others ask for by its name, one that who implements or inherits has around it.
import type { Name, Routine, Span, TypeDeclaration, Unit } from '../../../ir.ts';
import { calledAs, type Found, steps as meant } from '../calls/meaning.ts';
import type { Class, World } from '../names/scope.ts';
import type { Method, Node } from '../syntax/syntax.ts';
import { textOf } from '../texts/text.ts';
import type { Annotations } from './annotations.ts';

/** What an annotation says that others ask for by its name. */
export function declares(one: Found, described: Class, { siteOf }: Annotations, { names }: World): Routine[] {
  if (one.meaning?.called === undefined) return [];
  const { around } = described;
  const site = {
    ...siteOf(one, described, []),
    classOf: (name: string) => names.typeNamed(name, around),
  };
  const name = calledAs(one.meaning.called, site);
  const body = meant({ ...one.meaning, called: undefined }, site);
  if (!name) return [];
  return [{ name, at: site.at, kind: 'function', entry: 'called', startsIn: 'caller', implied: true, body }];
}

/** A proxy looks for its annotation on the ancestors too. */
export function inheritable(
  unit: Unit,
  described: Class,
  above: Found[],
  { meanings, surround }: Annotations,
): Pick<TypeDeclaration, 'around'> {
  const { body, full } = described;
  const around: Record<string, Name> = {};
  const wrap = (method: string, name: Name, at: Span, found: Found[]) => {
    const scopes = found.filter(({ meaning }) => meaning?.proxied && meaning.scope);
    if (scopes.length === 0) return;
    around[method] = name;
    unit.routines.push({
        name, at, kind: 'function', entry: 'called', startsIn: 'caller', implied: true,
        body: surround(scopes, [{ kind: 'yield', at }], described),
      }); // biome-ignore format: short
  };
  if (body.is !== 'annotation') wrap('*', `jvm:${full}@`, body.at, above);
  for (const method of body.methods)
    if (method.abstract)
      wrap(method.name, `jvm:${full}@.${method.name}`, method.at, meanings(method.annotations, described));
  return Object.keys(around).length > 0 ? { around } : {};
}

/** An annotation of the project's own means what the annotations on it mean. */
export function composed({ body, full }: Class, inherited: Found[], { surround }: Annotations): Routine[] {
  const made: Routine = {
      name: `jvm:${full}`, at: body.at, kind: 'function', entry: 'called', startsIn: 'caller', surrounds: 'annotation',
      body: [{ kind: 'yield', at: body.at }],
    }; // biome-ignore format: short
  made.body = surround(inherited, made.body, null);
  return [made, ...body.methods.flatMap((method) => aliasing(method, made, inherited, surround))];
}

/** `@AliasFor Propagation propagation()`: what the annotation is when it is used with a word that matters. */
function aliasing(
  method: Method,
  made: Routine,
  inherited: Found[],
  surround: Annotations['surround'],
): Routine[] {
  const alias = method.annotations.find(({ name }) => /(^|\.)AliasFor$/.test(name));
  if (!alias) return [];
  const said = alias.arguments.find(({ name }) => !name || name === 'attribute' || name === 'value')?.value;
  const attribute = (said && textOf(said, () => null)?.text) || method.name;
  const words = [...new Set(inherited.flatMap(({ meaning }) => meaning?.when ?? []))];
  return words.flatMap(({ argument, is }) => {
    if (argument !== attribute || !is) return [];
    const value: Node = { kind: 'literal', text: is, start: method.start, end: method.start };
    const told = inherited.map((one) => ({
      ...one,
      annotation: {
        ...one.annotation,
        arguments: [
          ...one.annotation.arguments.filter(({ name }) => name !== attribute),
          { name: attribute, value },
        ],
      },
    }));
    const name: Name = `${made.name}(${method.name}=${is})`;
    return [{ ...made, name, body: surround(told, [{ kind: 'yield', at: made.at }], null) }];
  });
}

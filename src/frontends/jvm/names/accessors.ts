// The methods that nobody wrote: Lombok's getters, setters and builders, a record's accessors, Kotlin's properties as Java sees them.
import type { Name, Routine, TypeDeclaration } from '../../../ir.ts';
import { toldAs } from './collections.ts';
import type { Class, World } from './scope.ts';
import type { Typed } from './typed.ts';

const LOMBOK = /^lombok\.(?:experimental\.)?(Data|Getter|Setter|Value|Builder|SuperBuilder|With|Accessors)$/;

export interface Made {
  routines: Routine[];
  types: TypeDeclaration[];
}

export function accessors(described: Class, world: World): Made {
  const { body, full, fields, methods } = described;
  const made: Made = { routines: [], types: [] };
  const said = new Set(
    [...body.annotations, ...body.fields.flatMap((field) => field.annotations)].flatMap(({ name }) => {
      const full = world.names.annotation(name, described.around, (one) => LOMBOK.test(one));
      return (full && LOMBOK.exec(full)?.[1]) ?? [];
    }),
  );
  const own = body.fields.filter((field) => !field.static);
  const add = (name: string, returns?: Name, owner: string = full) => {
    if (owner === full && methods.has(name)) return;
    made.routines.push({
      name: `jvm:${owner}.${name}`, at: body.at, kind: 'method', entry: 'called', startsIn: 'caller', implied: true,
      ...(returns ? { returns } : { returnsForeign: true }), body: [],
    }); // biome-ignore format: short
  };
  if (body.isRecord || said.has('Accessors'))
    for (const { name } of own) add(name, typeOf(fields.get(name)?.type));
  if ((said.size > 0 || world.isKotlin) && !body.isRecord)
    for (const { name } of own) {
      const type = fields.get(name)?.type;
      const capital = name.charAt(0).toUpperCase() + name.slice(1);
      add(`get${capital}`, typeOf(type));
      if (!described.tracked) add(`set${capital}`);
      if (type?.name === 'java.lang.boolean') add(/^is[A-Z]/.test(name) ? name : `is${capital}`);
      if (said.has('With')) add(`with${capital}`, `jvm:${full}`);
    }
  const built = body.methods.find((method) =>
    method.annotations.some(({ name }) => /(^|\.)Builder$/.test(name)),
  );
  if (built) builder(built.parameters.map(({ name }) => name));
  else if (said.has('Builder') || said.has('SuperBuilder')) builder(own.map(({ name }) => name));
  return made;

  /** `Order.builder().id(1).build()`: each setter gives the builder again. */
  function builder(names: string[]): void {
    const name = `${full}.${body.name}Builder`;
    const itself: Name = `jvm:${name}`;
    for (const method of ['builder', 'toBuilder']) add(method, itself);
    for (const each of names) add(each, itself, name);
    add('build', `jvm:${full}`, name);
    const above = said.has('SuperBuilder')
      ? described.bases.filter((base) => !/^java\./.test(base.name))
      : [];
    const bases = above.map((base): Name => `jvm:${base.name}.${base.name.replace(/.*\./, '')}Builder`);
    made.types.push({ name: itself, at: body.at, bases });
  }
}

function typeOf(type: Typed | null | undefined): Name | undefined {
  const told = type && toldAs(type);
  return told ? `jvm:${told}` : undefined;
}

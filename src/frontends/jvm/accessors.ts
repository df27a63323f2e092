// The methods that nobody wrote: Lombok's getters and setters, a record's accessors, Kotlin's properties as Java sees them.
import type { Name, Routine } from '../../ir.ts';
import type { Class, World } from './scope.ts';

const LOMBOK = /^lombok\.(Data|Getter|Setter|Value|Builder|SuperBuilder|experimental\.SuperBuilder)$/;

export function accessors(described: Class, world: World): Routine[] {
  const { body, full, fields, methods } = described;
  const isLombok = [...body.annotations, ...body.fields.flatMap((field) => field.annotations)].some(
    ({ name }) => LOMBOK.test(world.names.typeNamed(name, described.around) ?? ''),
  );
  if (!isLombok && !world.isKotlin && !body.isRecord) return [];
  const out: Routine[] = [];
  for (const field of body.fields) {
    if (field.static) continue;
    const type = fields.get(field.name)?.type;
    const returns = type && !/^(java|kotlin)\./.test(type.name) ? (`jvm:${type.name}` as Name) : undefined;
    const capital = field.name.charAt(0).toUpperCase() + field.name.slice(1);
    const add = (name: string, of?: Name) => {
      if (methods.has(name)) return;
      out.push({
        name: `jvm:${full}.${name}`, at: body.at, kind: 'method', entry: 'called', startsIn: 'caller', implied: true, ...(of && { returns: of }), body: [],
      }); // biome-ignore format: short
    };
    if (body.isRecord) add(field.name, returns);
    else {
      add(`get${capital}`, returns);
      add(`set${capital}`);
      if (type?.name === 'java.lang.boolean') add(`is${capital}`);
    }
  }
  return out;
}

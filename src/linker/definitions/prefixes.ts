// What the names of tables begin with where a file of the module's folder says so, and not the folder's name. It copies, it changes no unit.
import type { ForeignKey, Name, TypeDeclaration, Unit } from '../../ir.ts';

type Prefix = NonNullable<Unit['prefixes']>[number];

/** Names the tables of a unit's models as these say. */
export function prefixing(units: Unit[]): (unit: Unit) => Unit {
  const all = units.flatMap(({ prefixes }) => prefixes ?? []);
  if (all.length === 0) return (unit) => unit;
  const prefixOf = ({ name, prefix }: TypeDeclaration): Prefix | undefined => {
    const said = all.filter(({ below, usual }) => usual === prefix && name.startsWith(`${below}.`));
    return said.every(({ says }) => says === said[0]!.says) ? said[0] : undefined;
  };
  return (unit) => {
    const renamed = new Map<Name, Name>();
    for (const type of unit.types) {
      const found = type.prefix === undefined ? undefined : prefixOf(type);
      if (found && type.relation)
        renamed.set(
          type.relation,
          type.relation.replace(`sql:${found.usual}_`, `sql:${found.says}_`) as Name,
        );
    }
    if (renamed.size === 0) return unit;
    const now = (name: Name): Name => renamed.get(name) ?? name;
    return {
      ...unit,
      types: unit.types.map((type) => (type.relation ? { ...type, relation: now(type.relation) } : type)),
      foreignKeys: unit.foreignKeys.map(
        (key): ForeignKey => ({ ...key, child: now(key.child), parent: now(key.parent) }),
      ),
    };
  };
}

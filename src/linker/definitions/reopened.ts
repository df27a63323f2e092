// Declarations of one class in several files, where its language adds them up. Not inheritance.
import type { Name, TypeDeclaration } from '../../ir.ts';
import type { Program } from './program.ts';

type Placed = Program['types'][number];

/** One declaration for each class that is opened again elsewhere; two that both name a table are of two programs. */
export function together(types: Placed[]): Placed[] {
  const groups = new Map<Name, Placed[]>();
  const out: Placed[] = [];
  for (const placed of types) {
    if (!placed.type.reopened) out.push(placed);
    else {
      const group = groups.get(placed.type.name);
      if (group) group.push(placed);
      else groups.set(placed.type.name, [placed]);
    }
  }
  for (const group of groups.values()) {
    const tables = [
      ...new Map(group.filter(({ type }) => type.relation).map((one) => [one.type.relation, one])).values(),
    ];
    const main = tables[0] ?? group.find(({ type }) => type.bases.length > 0) ?? group[0]!;
    if (group.length === 1 || tables.length > 1) out.push(...group);
    else out.push({ unit: main.unit, type: merged(main.type, group) });
  }
  return out;
}

function merged(main: TypeDeclaration, group: Placed[]): TypeDeclaration {
  const all = [main, ...group.map(({ type }) => type).filter((type) => type !== main)];
  const prepends = [...new Set(all.flatMap((one) => one.prepends ?? []))];
  const abstract = all.some((one) => one.abstract);
  const leaves = [...new Set(all.flatMap((one) => one.leaves ?? []))];
  const several = [...new Set(all.flatMap((one) => one.several ?? []))];
  const says = [...new Set(all.flatMap((one) => one.says ?? []))];
  const macros = Object.assign({}, ...all.map((one) => one.macros ?? {}).reverse());
  return {
    ...main,
    ...(says.length > 0 ? { says } : {}),
    ...(Object.keys(macros).length > 0 ? { macros } : {}),
    bases: [...new Set(all.flatMap(({ bases }) => bases))],
    ...(prepends.length > 0 ? { prepends } : {}),
    ...(abstract ? { abstract } : {}),
    ...(leaves.length > 0 ? { leaves } : {}),
    ...(several.length > 0 ? { several } : {}),
    fields: Object.assign({}, ...all.map(({ fields }) => fields ?? {}).reverse()),
  };
}

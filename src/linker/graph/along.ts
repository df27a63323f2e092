// Which callbacks run for objects that a framework deletes along with others. Not what a database does with a foreign key.
import type { Name, Trigger } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { add } from '../lists.ts';
import type { Names } from '../names/names.ts';
import type { Fired } from './fired.ts';

/** By class: what runs for the deletion of objects that go with one of it, because they refer to it, or to one that does. */
export function goingAlong(
  program: Program,
  names: Names,
  byClass: ReadonlyMap<string, Linked[]>,
): Map<string, Fired[]> {
  const out = new Map<string, Fired[]>();
  const deleted = [...byClass].flatMap(([name, all]) => {
    const some = all.filter(({ trigger }) => deletes(trigger!));
    return some.length > 0 ? [{ name, some }] : [];
  });
  if (deleted.length === 0) return out;
  const above = new Map<string, Map<string, NonNullable<Fired['along']>>>();
  for (const { type, unit } of program.types) {
    if (!type.goesWith) continue;
    const asked = { file: unit.file } as Linked;
    const declared = (name: Name) => names.lineage(name, asked)[0] ?? name;
    const child = declared(type.name);
    const its = above.get(child) ?? new Map();
    above.set(child, its);
    for (const { type: one, single } of type.goesWith)
      its.set(declared(one), single && its.get(declared(one)) !== 'many' ? 'one' : 'many');
  }
  for (const { name, some } of deleted) {
    const all = new Map(above.get(name));
    for (const [one, along] of all)
      for (const [more, its] of above.get(one) ?? []) {
        const found = along === 'many' ? along : its;
        const known = all.get(more);
        if (known === 'many' || known === found) continue;
        // One with each on one way may be any number on another: those above are asked again.
        all.delete(more);
        all.set(more, found);
      }
    all.delete(name);
    for (const [one, along] of all)
      for (const to of some) {
        const on = names.relation(name as Name, to);
        const certainty = to.trigger!.asksOrigin ? 'possible' : 'likely';
        add(out, one, { to, certainty, along, ...(on !== null && { on }) });
      }
  }
  return out;
}

const deletes = ({ verbs }: Trigger): boolean => verbs.includes('delete');

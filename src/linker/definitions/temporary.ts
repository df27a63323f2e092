// Temporary tables: in the routine that makes one its name means no other table. Not what they are called elsewhere in the session.
import { inside, type Read, type Relation, type Span, type Step, type Write } from '../../ir.ts';
import { kept } from '../kept.ts';
import type { Linked } from './program.ts';
import { isTemporary, relationName, schemaOf } from './sqlname.ts';

const MOST_NESTED = 200;

/** Whether this statement speaks of a temporary table, and the trigger of the one that it hides. */
export function isHidden(
  { file, trigger }: Linked,
  relation: string,
  step: Read | Write,
  from: Linked,
): boolean {
  const named = temporaries(from.unit.relations).get(relation);
  // The session's own, whoever made it.
  if (step.relation !== null && isTemporary(step.relation))
    return file !== from.file || !named?.some(({ at }) => at.start < trigger!.at.start);
  // With another schema it means no temporary one.
  if (!named || (step.relation !== null && schemaOf(step.relation) !== null)) return false;
  return named.some(
    ({ at }) =>
      at.start < step.at.start &&
      // A trigger that the same file makes later is that of the temporary table.
      !(file === from.file && trigger!.at.start > at.start) &&
      definitions(from.body).some(({ start, end }) => start <= at.start && at.start < end),
  );
}

/** Whether a definition is that of a temporary table, or of what such a table has. */
export const isOfTemporary = ({ relation }: Write, { unit }: Linked): boolean =>
  relation !== null && (isTemporary(relation) || temporaries(unit.relations).has(relationName(relation)));

/** A temporary table is its session's own: nobody writes it whom its file does not show. */
export function isOfSession({ trigger, unit }: Linked): boolean {
  if (!trigger) return false;
  const name = relationName(trigger.relation);
  const made = temporaries(unit.relations).get(name);
  return (
    made?.some(({ at }) => at.start < trigger.at.start) === true &&
    !unit.relations.some((one) => one.kind !== 'temporary table' && relationName(one.name) === name)
  );
}

/** A file's temporary tables by their names: nearly no statement speaks of one, and a file may make hundreds. */
const temporaries = kept((relations: Relation[]) => {
  const all = new Map<string, Relation[]>();
  for (const one of relations) {
    if (one.kind !== 'temporary table') continue;
    const name = relationName(one.name);
    const same = all.get(name);
    if (same) same.push(one);
    else all.set(name, [one]);
  }
  return all;
});

const definitions = kept((body: readonly Step[]) => {
  const out: Span[] = [];
  const look = (steps: readonly Step[], depth: number): void => {
    for (const step of steps) {
      if (step.kind === 'write' && step.verb === 'ddl') out.push(step.at);
      if (depth < MOST_NESTED) for (const list of inside(step)) look(list, depth + 1);
    }
  };
  look(body, 0);
  return out;
});

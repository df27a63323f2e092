// Temporary tables: in the routine that makes one its name means no other table. Not what they are called elsewhere in the session.
import { inside, type Relation, type Step } from '../ir.ts';
import { kept } from './kept.ts';
import type { Linked } from './program.ts';
import { canonical } from './sqlname.ts';

const MOST_NESTED = 200;
const NONE: readonly Relation[] = [];

/** Whether this statement speaks of a temporary table, and the trigger of the one that it hides. */
export function isHidden({ file, trigger }: Linked, relation: string, step: Step, from: Linked): boolean {
  return temporariesOf(from).some(
    ({ name, at }) =>
      canonical(name) === relation &&
      at.start < step.at.start &&
      // A trigger that the same file makes later is that of the temporary table.
      !(file === from.file && trigger!.at.start > at.start),
  );
}

function temporariesOf(from: Linked): readonly Relation[] {
  const all = temporaries(from.unit.relations);
  return all.length === 0 ? NONE : all.filter(({ at }) => makes(from.body, at.start, 0));
}

const temporaries = kept((relations: Relation[]) =>
  relations.filter(({ kind }) => kind === 'temporary table'),
);

function makes(steps: readonly Step[], start: number, depth: number): boolean {
  return steps.some(
    (step) =>
      (step.kind === 'write' && step.verb === 'ddl' && step.at.start <= start && start < step.at.end) ||
      (depth < MOST_NESTED && inside(step).some((list) => makes(list, start, depth + 1))),
  );
}

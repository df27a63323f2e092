// Which relation a name of SQL means: of which schema, where the name does not say. Not which table a class stands for.
import type { Name } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { canonical, lastPart, relationName, schemaOf } from '../definitions/sqlname.ts';

export interface Relations {
  /** Its one spelling. */
  of(name: Name, from: Linked): string;
  /** Something here creates one that is called so, in whatever schema. */
  isCreated(name: Name): boolean;
}

interface Spelled {
  short: string;
  others: Set<string> | null;
}

export function createRelations(program: Program): Relations {
  const byLast = new Map<string, Set<string>>();
  const know = (name: string) => {
    const last = lastPart(name);
    const all = byLast.get(last);
    if (all) all.add(name);
    else byLast.set(last, new Set([name]));
  };
  for (const { relation } of program.relations) know(relationName(relation.name));
  for (const { trigger } of program.linked)
    if (trigger?.relation.startsWith('sql:')) know(canonical(trigger.relation));

  const spellings = new Map<Name, Spelled>();

  /** A name as it is compared, and the relations that it may mean in other schemas: every statement asks it. */
  function spelled(name: Name): Spelled {
    let one = spellings.get(name);
    if (!one) {
      const short = relationName(name);
      const known = byLast.get(lastPart(short));
      const clear = !known || known.has(short) || schemaOf(short) !== null;
      one = { short, others: clear ? null : known };
      spellings.set(name, one);
    }
    return one;
  }

  return {
    of(name, from) {
      const { short, others } = spelled(name);
      if (!others) return short;
      for (const schema of from.routine?.searchPath ?? [])
        if (others.has(`${schema}.${short}`)) return `${schema}.${short}`;
      return others.size === 1 ? [...others][0]! : short;
    },
    isCreated: (name) => byLast.has(lastPart(canonical(name))),
  };
}

// Parts of a query by what they are called, of all tables of a language. It reads no program.
import type { Computes, Framework } from '../framework.ts';

/** Of two tables the one counts that reads more. */
const ORDER: readonly Computes[] = ['one', 'columns', 'values', 'first', 'all'];

/** How the part of this name is computed; put together when it is first asked for. */
export function computingOf(
  tables: readonly Pick<Framework, 'computes'>[],
): (name: string) => Computes | undefined {
  let known: Map<string, Computes> | undefined;
  return (name) => {
    if (!known) {
      known = new Map();
      for (const how of ORDER)
        for (const { computes } of tables)
          for (const one of computes?.[how]?.split(' ') ?? []) known.set(one, how);
    }
    return known.get(name);
  };
}

// The types of columns, for telling overloads apart: what `table.column%type` is. It knows no type by itself.

import type { Linked, Program } from '../definitions/program.ts';
import { splitLast } from './dotted.ts';

type Spelled = (name: `sql:${string}`, from: Linked) => string | null;

/** What the declarations of the table say, where they all say one; any other type is itself. */
export function createColumnTypes(
  program: Program,
  spelled: Spelled,
): (type: string | null, from: Linked) => string | null {
  let known: Map<string, Map<string, string>> | undefined;
  return (type, from) => {
    if (!type?.includes('%')) return type?.replace(/^public\./, '') ?? null;
    if (type.endsWith('%rowtype')) return spelled(`sql:${type.slice(0, -8)}`, from);
    const cut = type.endsWith('%type') ? splitLast(type.slice(0, -5)) : null;
    const table = cut && spelled(`sql:${cut.owner}`, from);
    known ??= declared(program, spelled);
    return (table && known.get(table)?.get(cut.last)) || null;
  };
}

/** By table and column; '' where declarations differ. */
function declared({ relations }: Program, spelled: Spelled): Map<string, Map<string, string>> {
  const out = new Map<string, Map<string, string>>();
  for (const { relation, unit } of relations) {
    if (!relation.columns || !relation.name.startsWith('sql:')) continue;
    const table = spelled(relation.name as `sql:${string}`, { file: unit.file } as Linked)!;
    const columns = out.get(table) ?? new Map<string, string>();
    out.set(table, columns);
    for (const [column, type] of Object.entries(relation.columns))
      columns.set(column, (columns.get(column) ?? type) === type ? type : '');
  }
  return out;
}

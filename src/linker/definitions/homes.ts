// Whether a table that is created in several places is one of several databases, by their folders. Not what the settings of programs say.
import type { Program } from './program.ts';

/** Whether a file speaks of another table of that name than another file. */
export type Apart = (table: string, file: string, other: string) => boolean;

/**
 * Two services of one repository have each their own `orders`: `billing/db/schema.sql`, `shipping/db/schema.sql`. Folders
 * that are called alike below two that are not tell that; a dump beside its migrations is the same database once more.
 */
export function createHomes(program: Program, tableOf: (name: string, file: string) => string | null): Apart {
  let homes: Map<string, string[]> | null = null;
  const made = (): Map<string, string[]> => {
    const files = new Map<string, Set<string>>();
    for (const { relation, unit } of program.relations) {
      if (relation.kind !== 'table' || !relation.columns) continue;
      const table = tableOf(relation.name, unit.file);
      if (table === null) continue;
      const known = files.get(table);
      if (known) known.add(unit.file);
      else files.set(table, new Set([unit.file]));
    }
    const out = new Map<string, string[]>();
    for (const [table, all] of files) {
      if (all.size < 2) continue;
      const own = homesOf([...all]);
      if (own.length > 1) out.set(table, own);
    }
    return out;
  };
  return (table, file, other) => {
    if (file === other) return false;
    homes ??= made();
    const own = homes.get(table);
    if (!own) return false;
    const [here, there] = [homeAmong(own, file), homeAmong(own, other)];
    return here !== undefined && there !== undefined && here !== there;
  };
}

/** The longest first: one service may stand within another's folder. */
function homesOf(files: string[]): string[] {
  const byShape = new Map<string, Set<string>>();
  for (const file of files) {
    const folders = file.split('/').slice(0, -1);
    // Each folder but the last may be what differs.
    for (let i = 0; i < folders.length - 1; i++) {
      const shape = `${folders.slice(0, i).join('/')} ${folders.slice(i + 1).join('/')}`;
      const homes = byShape.get(shape) ?? new Set();
      byShape.set(shape, homes.add(`${folders.slice(0, i + 1).join('/')}/`));
    }
  }
  const all = [...byShape.values()].filter(({ size }) => size > 1).flatMap((homes) => [...homes]);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

const homeAmong = (homes: string[], file: string): string | undefined =>
  homes.find((home) => file.startsWith(home));

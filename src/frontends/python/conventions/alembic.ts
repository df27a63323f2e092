// Alembic: in what order its revisions run, and that what goes back defines nothing. Its calls are a framework's table.
import type { Unit } from '../../../ir.ts';

const REVISION = /^revision(?:\s*:[^=\n]*|\s*)=\s*["']([^"'\n]+)["']/m;
const DOWN = /^down_revision(?:\s*:[^=\n]*)?\s*=\s*(\([^)]*\)|\[[^\]]*\]|[^\n]*)/m;

/** `revision = 'b'` and `down_revision = 'a'`: each names the one before it, a merge names several. */
export function alembicSeries(file: string, text: string): Unit['series'] {
  const revision = REVISION.exec(text)?.[1];
  const down = DOWN.exec(text)?.[1];
  if (!revision || down === undefined) return undefined;
  const after = [...down.matchAll(/["']([^"'\n]+)["']/g)].map((match) => match[1]!);
  return { name: `alembic ${file.slice(0, file.lastIndexOf('/') + 1)}`, position: revision, after };
}

/** Reads the body of `downgrade()`, or of what goes back elsewhere; what its SQL creates or drops is older than what it takes back. */
export function withoutMarks(unit: Unit, name: string, goesBack: boolean, read: () => void): void {
  const back = goesBack || (unit.series?.name.startsWith('alembic ') && /\.downgrade(?:_\w+)?$/.test(name));
  const lists = [unit.triggers, unit.relations, unit.foreignKeys, unit.aliases, unit.changes];
  const lengths = lists.map((list) => list.length);
  const first = unit.routines.length;
  read();
  if (!back) return;
  lists.forEach((list, i) => {
    list.length = lengths[i]!;
  });
  const made = unit.routines.splice(first);
  unit.routines.push(...made.filter(({ name, kind }) => !name.startsWith('sql:') || kind === 'anonymous'));
}

// Whether a step of some versions of a package holds here: the nearest manifest says which one is in use.
import type { Since, Unit } from '../../ir.ts';
import { above, folderOf } from '../folders.ts';

export interface Versions {
  holds(since: Since, file: string): boolean;
}

export function createVersions(units: Unit[]): Versions {
  const byPackage = new Map<string, Map<string, { version: string; exact: boolean }>>();
  for (const unit of units)
    for (const { name, version, exact } of unit.packages) {
      const folder = folderOf(unit.file);
      const byFolder = byPackage.get(name) ?? new Map();
      byPackage.set(name, byFolder);
      const known = byFolder.get(folder);
      if (!known || (exact && !known.exact)) byFolder.set(folder, { version, exact });
    }
  const versionFor = (name: string, file: string): string | null => {
    const byFolder = byPackage.get(name);
    if (!byFolder) return null;
    for (let folder = folderOf(file); ; folder = above(folder)) {
      const near = byFolder.get(folder);
      if (near) return /\d+(\.\d+)*/.exec(near.version)?.[0] ?? null;
      if (folder === '') return null;
    }
  };
  return {
    // Unknown means the newest: what began holds, what ended does not.
    holds: ({ package: name, range }, file) => within(versionFor(name, file), range),
  };
}

/** `>=7.1`, `<8`, `>=6.0 <7.1`: every condition holds. */
function within(version: string | null, range: string): boolean {
  for (const [, sign, bound] of range.matchAll(/(>=|<=|>|<|==?)?\s*v?(\d+(?:\.\d+)*)/g)) {
    const below = sign === '<' || sign === '<=';
    if (version === null) {
      if (below || sign?.startsWith('=')) return false;
      continue;
    }
    const difference = compare(version, bound!);
    const holds =
      sign === '>=' ? difference >= 0
      : sign === '<=' ? difference <= 0
      : sign === '>' ? difference > 0
      : sign === '<' ? difference < 0
      : version === bound || version.startsWith(`${bound}.`); // biome-ignore format: a table
    if (!holds) return false;
  }
  return true;
}

function compare(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

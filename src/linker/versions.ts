// Whether a step of some versions of a package holds here: the nearest manifest says which one is in use.
import type { Since, Unit } from '../ir.ts';

export interface Versions {
  holds(since: Since, file: string): boolean;
}

export function createVersions(units: Unit[]): Versions {
  const byPackage = new Map<string, { folder: string; version: string; exact: boolean }[]>();
  for (const unit of units)
    for (const { name, version, exact } of unit.packages) {
      const folder = unit.file.slice(0, unit.file.lastIndexOf('/') + 1);
      const all = byPackage.get(name) ?? [];
      all.push({ folder, version, exact });
      byPackage.set(name, all);
    }
  const versionFor = (name: string, file: string): string | null => {
    const near = (byPackage.get(name) ?? []).filter(({ folder }) => file.startsWith(folder));
    near.sort((a, b) => b.folder.length - a.folder.length || Number(b.exact) - Number(a.exact));
    return /\d+(\.\d+)*/.exec(near[0]?.version ?? '')?.[0] ?? null;
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

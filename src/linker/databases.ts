// Which database the programs of a repository speak to, as far as settings and drivers tell. Not whose SQL a file has.
import type { Unit } from '../ir.ts';

/** Tests run on these whatever the product speaks to. */
const IN_MEMORY = /^(?:h2|hsqldb|derby|sqlite)$/;
const TOLD_APART: Unit['language'][] = ['sql', 'settings'];

/** All units, or those left when settings and drivers name other databases and PostgreSQL nowhere. */
export function withPostgres(units: Unit[]): Unit[] {
  const used = new Set(
    units.flatMap(({ settings, role }) =>
      settings.flatMap(({ effect, value }) =>
        effect === 'uses database' && !(role === 'test' && IN_MEMORY.test(value)) ? [value] : [],
      ),
    ),
  );
  const elsewhere = used.size > 0 && !used.has('postgresql');
  if (!elsewhere || units.some(({ dialect }) => dialect === 'postgresql')) return withoutOtherModules(units);
  return units.filter(({ language }) => TOLD_APART.includes(language));
}

/** What these build files tell of, by the setting's `of`. */
const BUILT: Unit['language'][] = ['java', 'kotlin'];

/** A module whose build, with those above it, brings drivers of other databases alone speaks to none of ours. */
function withoutOtherModules(units: Unit[]): Unit[] {
  const drivers = new Map<string, string[]>();
  for (const { file, settings } of units)
    for (const { effect, of, value } of settings)
      if (effect === 'uses database' && of === 'driver' && !IN_MEMORY.test(value))
        drivers.set(folderOf(file), [...(drivers.get(folderOf(file)) ?? []), value]);
  if (![...drivers.values()].some((all) => !all.includes('postgresql'))) return units;
  const known = new Map<string, string[]>();
  const within = (folder: string): string[] => {
    let all = known.get(folder);
    if (!all) {
      all = [...(drivers.get(folder) ?? []), ...(folder === '' ? [] : within(folderOf(folder.slice(0, -1))))];
      known.set(folder, all);
    }
    return all;
  };
  return units.filter(({ file, language }) => {
    if (!BUILT.includes(language)) return true;
    const all = within(folderOf(file));
    return all.length === 0 || all.includes('postgresql');
  });
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

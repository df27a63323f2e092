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
  if (!elsewhere || units.some(({ dialect }) => dialect === 'postgresql')) return units;
  return units.filter(({ language }) => TOLD_APART.includes(language));
}

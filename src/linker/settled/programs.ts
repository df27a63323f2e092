// Which of a repository's programs a file belongs to, by their folders. Not what the settings of one say.
import { above, folderOf } from '../folders.ts';

/** The nearest one in whose folder a file stands, else the one that stands nearest beside it. Null where there are several, or none. */
export function programsIn(programs: readonly string[]): (file: string) => string | null {
  const known = new Map<string, string | null>();
  const around = (folder: string): string | null =>
    programs.includes(folder) ? folder : folder === '' ? null : around(above(folder));
  const beside = (folder: string): string | null => {
    const [one, ...more] = programs.filter((its) => its.startsWith(folder));
    if (one !== undefined) return more.length === 0 ? one : null;
    return folder === '' ? null : beside(above(folder));
  };
  return (file) => {
    const folder = folderOf(file);
    let its = known.get(folder);
    if (its === undefined) {
      its = around(folder) ?? beside(folder);
      known.set(folder, its);
    }
    return its;
  };
}

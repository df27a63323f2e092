// Which of a repository's programs a file belongs to, by their folders. Not what the settings of one say.

/** The program of the file's folder, or the one that stands below it; else as of the folder above. Null where there are several, or none. */
export function programsIn(programs: readonly string[]): (file: string) => string | null {
  const known = new Map<string, string | null>(programs.map((one) => [one, one]));
  const at = (folder: string): string | null => {
    let its = known.get(folder);
    if (its === undefined) {
      const [below, ...more] = programs.filter((one) => one.startsWith(folder));
      if (below !== undefined) its = more.length === 0 ? below : null;
      else its = folder === '' ? null : at(folderOf(folder.slice(0, -1)));
      known.set(folder, its);
    }
    return its;
  };
  return (file) => at(folderOf(file));
}

/** With the `/` at its end; empty for what stands in none. */
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

// Which folder a file's migration tool is told to read: the home of its series. Not which tool that is, nor in what order files run.

/** Tools read all folders below the one they are given: `db/migration/2.44/V2_44_1__x.sql` is one of `db/migration`. */
export function homeOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  const root = folders.findLastIndex((folder) =>
    /migrat|flyway|drizzle|changelog|evolutions|^deploy$|^(?:sql[_-]?|schema[_-]?|db[_-]?)?(?:updates?|upgrades?|patch(?:es)?|hotfix(?:es)?|deltas?|alters?)$/i.test(
      folder,
    ),
  );
  if (root >= 0) return folders.slice(0, root + 1).join('/');
  // Folders of years or versions: `sql/2023/20231101_x.sql` and `sql/2024/20240105_y.sql` are one series.
  const step = folders.findIndex((folder) => STEP.test(folder));
  if (step >= 0) return folders.slice(0, step).join('/');
  return folders.slice(0, folders.findLastIndex((folder) => !/^v?\d[\d._-]*$/.test(folder)) + 1).join('/');
}

/** `v1-v2`, `1.0_to_1.1`: what brings one version to the next. */
const STEP = /^(?:v\d[\d.]*[-_]v|v?\d[\d.]*[-_]to[-_]v?)\d[\d.]*$/i;

/** The series of scripts that no tool claims in the folder of this file, where that folder itself is the home of one. */
export function seriesBeside(file: string): string | null {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
  return folder !== '' && homeOf(file) === folder ? `migrations ${folder}` : null;
}

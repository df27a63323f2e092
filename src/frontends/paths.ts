// Paths that files say of other files. It asks no disk.

/** A path that is said from a folder, without `.` and `..`; one that ends as a folder's does still ends so. */
export function pathFrom(folder: string, path: string): string {
  const out: string[] = [];
  const parts = `${folder}${path}`.split(/[\\/]+/);
  for (const [i, part] of parts.entries())
    if (part === '..') out.pop();
    else if (part !== '.' && (part !== '' || i === parts.length - 1)) out.push(part);
  return out.join('/');
}

// The folders of files, by their paths. Not what stands in them.

/** With the `/` at its end; empty for what stands in none. */
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** The folder around one; empty has none. */
export const above = (folder: string) => folderOf(folder.slice(0, -1));

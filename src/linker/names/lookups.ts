// What one question may spend on looking names up, and what was found, by the file that asks. Not what a name means.

/** For one call, through all re-exports. */
export const MOST_LOOKUPS = 200;

/** What a question gave up is not kept: another may come to it with more left to spend. */
export interface Lookups {
  left: number;
}

/** What was found, by the file that asks. */
export function byFile<V>(): (file: string) => Map<string, V> {
  const files = new Map<string, Map<string, V>>();
  return (file) => {
    const found = files.get(file) ?? new Map<string, V>();
    files.set(file, found);
    return found;
  };
}

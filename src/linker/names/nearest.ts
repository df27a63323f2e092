// Which of several definitions of one name is meant from a file: its own, else that of the nearest folder, else none. It knows no language.

interface Placed {
  file: string;
  /** Of routines: inside the server overloads share a name. */
  server?: boolean;
}

/** What stands in one file, or below one folder. */
interface Group<T> {
  last: T;
  count: number;
  oneFile: boolean;
}

const groups = new WeakMap<readonly Placed[], Map<string, Group<Placed>>>();

/** Groups by file (`a/b.py`), by each folder around (`a/`), and all (``). */
function groupsOf<T extends Placed>(found: readonly T[]): Map<string, Group<T>> {
  let known = groups.get(found) as Map<string, Group<T>> | undefined;
  if (!known) {
    known = new Map();
    for (const one of found) {
      enter(known, one.file, one);
      for (const folder of foldersOf(one.file)) enter(known, folder, one);
    }
    groups.set(found, known);
  }
  return known;
}

function enter<T extends Placed>(into: Map<string, Group<T>>, key: string, one: T): void {
  const group = into.get(key);
  if (!group) into.set(key, { last: one, count: 1, oneFile: true });
  else {
    group.oneFile &&= group.last.file === one.file;
    group.last = one;
    group.count++;
  }
}

/** `a/b/`, `a/` and the root: the nearest first. */
function foldersOf(file: string): string[] {
  const out: string[] = [];
  for (let end = file.lastIndexOf('/'); end >= 0; end = end > 0 ? file.lastIndexOf('/', end - 1) : -1)
    out.push(file.slice(0, end + 1));
  out.push('');
  return out;
}

/** A method that one file defines twice: the last one counts, where overloads are no concern. */
const sameName = <T extends Placed>({ last }: Group<T>): T | null => (last.server ? null : last);

/** The list must not change afterwards: what is asked of it is found once. */
export function pick<T extends Placed>(found: readonly T[] | undefined, from: Placed): T | null {
  if (!found || found.length === 0) return null;
  if (found.length === 1) return found[0]!;
  const same = groupsOf(found).get(from.file);
  if (same) return same.count === 1 ? same.last : sameName(same);
  return nearest(found, from);
}

export function nearest<T extends Placed>(found: readonly T[], from: Placed): T | null {
  const known = groupsOf(found);
  for (const folder of foldersOf(from.file)) {
    const group = known.get(folder);
    if (!group) continue;
    if (group.count === 1) return folder === '' ? null : group.last;
    return group.oneFile ? sameName(group) : null;
  }
  return null;
}

/** The one that is meant, as a list: of the same file, else of the nearest folder, else none. */
export function prefer<T extends Placed>(found: T[], from: Placed): T[] {
  if (found.length < 2) return found;
  const one = pick(found, from);
  return one ? [one] : [];
}

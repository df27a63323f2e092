// What variables are called where they pick rows: otherwise once they hold something else. Not what they hold.
import type { Context } from './context.ts';

export const called = ({ versions }: Context, name: string): string => versions.get(name) ?? name;

/** What they will be called once a statement has set them. */
export const next = ({ version }: Context, name: string): string => `${name}$${version + 1}`;

/** They hold something else from here on; gives what they are called then. */
export function renew(c: Context, names: Iterable<string>): string[] {
  const now: string[] = [];
  for (const name of names) {
    const text = next(c, name);
    c.versions.set(name, text);
    now.push(text);
  }
  if (now.length > 0) c.version++;
  return now;
}

/** FOREACH: in each turn another element of this array, where it has a name. */
export function holdsElements(c: Context, targets: string[], array: string): void {
  renew(c, targets);
  const [name] = targets;
  if (name !== undefined && NAME.test(array)) c.versions.set(name, `${array}[]`);
}

const NAME = /^[a-z_][\w$]*(?:\.[\w$]+)*$/;

/** After one of some ways: as before where one of them left it so. */
export function together(before: Context['versions'], ways: Context['versions'][]): Context['versions'] {
  const last = ways.at(-1);
  if (!last) return before;
  const out: Context['versions'] = new Map(last);
  for (const name of new Set(ways.flatMap((way) => [...way.keys()]))) {
    const old = before.get(name);
    if (!ways.some((way) => way.get(name) === old)) continue;
    if (old === undefined) out.delete(name);
    else out.set(name, old);
  }
  return out;
}

// SQL names, folded and quoted: their parts, and one spelling for each. Not what they mean.
import type { Name } from '../../ir.ts';

/** `public."Or.der"` has two parts. */
function parts(dotted: string): string[] {
  if (!dotted.includes('"')) return dotted.split('.');
  return dotted.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [dotted];
}

/** `public` is where unqualified names are found by default, so it is left out. Names of classes stay as they are. */
export function canonical(name: Name): string {
  if (!name.startsWith('sql:')) return name;
  return name.startsWith('sql:public.') ? name.slice(11) : name.slice(4);
}

export function schemaOf(short: string): string | null {
  if (!short.includes('.')) return null;
  const all = parts(short);
  return all.length > 1 ? all[all.length - 2]! : null;
}

/** `pg_temp` is another schema in each session. */
export const isTemporary = (name: Name): boolean => name.startsWith('sql:pg_temp.');

/** A temporary table is found before all others, and may be named with its schema. */
export const relationName = (name: Name): string =>
  canonical(isTemporary(name) ? `sql:${name.slice('sql:pg_temp.'.length)}` : name);

export function lastPart(short: string): string {
  if (!short.includes('"')) return short.slice(short.lastIndexOf('.') + 1);
  return parts(short).at(-1)!;
}

/** A domain stands among relations under a name of its own. */
export const isDomain = (name: Name): boolean => name.endsWith('"') && /"domain [^"]*"$/.test(name);

/** It is only known by name when it runs. */
export const isAnyTable = (name: Name): boolean => name.endsWith('"') && /"\."table \d+"$/.test(name);

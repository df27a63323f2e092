// What a migration runs from a file of its own, of which there is one for each version, and what it drops of that. Not where such files stand in a series.
import type { Mention, Step } from '../../../ir.ts';
import type { Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { versions } from '../names/meaning.ts';
import { type Arguments, literal, spanOf, textOf, word } from '../syntax.ts';

/** How many versions of one thing are looked for. */
const MANY = 200;

/** `create_function :pay, version: 2`, `drop_trigger :pay, on: :orders`; null where the call is none of these. */
export function lowerVersion(body: Body, name: string, at: Syntax, args: Arguments): Step | null {
  const { file, keepsObjects } = body;
  for (const { runs, drops, numbered } of versions) {
    const [folder, does] = [runs[name], drops[name]];
    const given = args.positional[0];
    if (!given || (folder === undefined && does === undefined)) continue;
    const called = word(file, given) ?? literal(file, given);
    const version = args.keywords.get(numbered);
    if (called && keepsObjects && does) {
      const on = args.keywords.get('on');
      const table = on && (word(file, on.value) ?? literal(file, on.value));
      file.unit.changes.push(
        does === 'drop trigger'
          ? { at: spanOf(at), does, name: called, ...(table && { relation: `sql:${table}` as const }) }
          : { at: spanOf(at), does, name: `sql:${called}` },
      );
    } else if (called && keepsObjects && folder !== undefined) {
      const up = version ? Number(textOf(file, version.value)) : 1;
      const path = `${home(file.unit.file)}${folder}/${called}`;
      file.unit.mentions = [...(file.unit.mentions ?? []), ...upTo(path, up)];
    }
    return { kind: 'write', at: spanOf(at), verb: 'ddl', relation: null, rows: 'unknown' };
  }
  return null;
}

/** With those before it, which nobody runs any longer once migrations were put together. */
const upTo = (path: string, version: number): Mention[] =>
  Array.from({ length: Math.min(version, MANY) }, (_, i) => ({
    file: `${path}_v${String(i + 1).padStart(2, '0')}.sql`,
    runs: 'here',
  }));

/** `engines/shop/db/migrate/…` is of `engines/shop/`. */
const home = (path: string): string => /^(.*\/)?db\//.exec(path)?.[1] ?? '';

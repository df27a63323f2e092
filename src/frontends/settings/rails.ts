// The databases that a Rails program lists in its `database.yml`, by the name that a class connects to, and whose they are. Not which class does.
import type { Unit } from '../../ir.ts';
import { listedAs } from '../listed.ts';
import { databaseOf } from './databases.ts';
import { type Line, lines } from './lines.ts';

interface Mapping {
  indent: number;
  key: string;
  line: Line;
  anchor: string | undefined;
  database?: string;
}

/** What such a file names is what the program above its folder speaks to. */
export function readProgram(_: string, unit: Unit): void {
  const below = unit.file.replace(/config\/[^/]+$/, '');
  for (const setting of unit.settings) if (setting.effect === 'uses database') setting.below = below;
}

const ENTRY = /^(\s*)["']?([\w-]+|<<)["']?\s*:(?:\s+(.*))?$/;
const ANCHOR = /^&([\w-]+)\s*$/;

export function readListed(text: string, unit: Unit): void {
  const anchors = new Map<string, string>();
  const open: Mapping[] = [];
  const close = (indent: number) => {
    while (open.length > 0 && open.at(-1)!.indent >= indent) {
      const { key, database, line } = open.pop()!;
      if (database === undefined) continue;
      const at = { start: line.start, end: line.start + line.text.length };
      unit.settings.push({ at, key: listedAs(key), value: database, effect: 'is said here', of: 'rails' });
    }
  };
  const says = (one: Mapping, database: string | undefined) => {
    if (database === undefined) return;
    one.database = database;
    if (one.anchor !== undefined) anchors.set(one.anchor, database);
  };
  for (const line of lines(text)) {
    const match = ENTRY.exec(line.text);
    if (!match) continue;
    const [, space, key, written] = match;
    const value = (written ?? '').replace(/\s+#.*$/, '').trim();
    close(space!.length);
    const around = open.at(-1);
    if (value === '' || ANCHOR.test(value))
      open.push({ indent: space!.length, key: key!, line, anchor: ANCHOR.exec(value)?.[1] });
    else if (!around) continue;
    else if (key === '<<') {
      if (around.database === undefined) says(around, anchors.get(value.replace(/^\*/, '')));
    } else if (key === 'adapter') says(around, named(value));
    else if (key === 'url') says(around, named(/^["']?(\w+):\/\//.exec(value)?.[1]));
  }
  close(0);
}

const named = (written: string | undefined): string | undefined => {
  const name = written?.replace(/^["']|["']$/g, '');
  return name && /^[\w-]+$/.test(name) ? (databaseOf(name) ?? 'other') : undefined;
};

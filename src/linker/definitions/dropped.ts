// Keys that a later statement of the same file or series takes away. It knows no statement's rows.
import type { Change, Key, Relation, Unit } from '../../ir.ts';
import { following, type Moment } from './order.ts';
import { canonical, lastPart } from './sqlname.ts';

/** Whether a key of a declaration in this file is gone, for a statement that runs then; without one, in the end. */
export type IsDropped = (key: Key, declared: Relation, file: string, when: Moment | null) => boolean;

export function droppedKeys(units: Unit[]): IsDropped {
  const drops = new Map<string, Moment[]>();
  for (const { file, changes, dialect } of units)
    for (const change of dialect === 'other' ? [] : changes) {
      const word = wordOf(change);
      if (word === null) continue;
      const moment = { file, at: change.at.start };
      const known = drops.get(word);
      if (known) known.push(moment);
      else drops.set(word, [moment]);
    }
  if (drops.size === 0) return () => false;
  const follows = following(units);
  return (key, { name, at }, file, when) => {
    const declared = { file, at: at.start };
    const table = lastPart(canonical(name));
    const words = [
      `index ${key.name}`,
      `constraint ${table}.${key.name}`,
      ...key.columns.map((column) => `column ${table}.${column}`),
    ];
    return words.some((word) =>
      drops.get(word)?.some((drop) => follows(drop, declared) && !(when && follows(drop, when))),
    );
  };
}

export const dropsKeys = ({ changes }: Unit): boolean => changes.some((change) => wordOf(change) !== null);

function wordOf({ does, name, relation }: Change): string | null {
  const last = lastPart(name.replace(/^sql:/, ''));
  if (does === 'drop index') return `index ${last}`;
  if (!relation || (does !== 'drop constraint' && does !== 'drop column')) return null;
  return `${does.slice(5)} ${lastPart(canonical(relation))}.${last}`;
}

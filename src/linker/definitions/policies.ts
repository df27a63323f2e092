// Which policies run at all: those of tables for which somebody enables row-level security, and nobody disables it later. Not what they ask.
import type { Name, Unit } from '../../ir.ts';
import type { Linked } from './definitions.ts';
import { following, type Moment } from './order.ts';
import { canonical, lastPart } from './sqlname.ts';

/** Without those of tables that the program makes itself and enables nothing for, or disables again. */
export function withoutIdle(linked: Linked[], units: Unit[]): Linked[] {
  if (!linked.some(isPolicy)) return linked;
  const enabled = new Map<string, Moment[]>();
  const disabled = new Map<string, Moment[]>();
  const made = new Set<string>();
  for (const { changes, relations, language, file } of units) {
    for (const { does, name, at } of changes) {
      if (does !== 'enable policies' && does !== 'disable policies') continue;
      const table = canonical(name as Name);
      const [all, key] = does === 'enable policies' ? [enabled, lastPart(table)] : [disabled, table];
      const moments = all.get(key);
      if (moments) moments.push({ file, at: at.start });
      else all.set(key, [{ file, at: at.start }]);
    }
    if (language === 'sql')
      for (const { name, kind, columns } of relations)
        if (kind === 'table' && columns) made.add(canonical(name));
  }
  if (enabled.has(EVERY_TABLE)) return linked;
  const follows = disabled.size > 0 ? following(units) : () => false;
  const isOff = (table: string): boolean => {
    const on = enabled.get(lastPart(table));
    const off = disabled.get(table) ?? [];
    return on ? on.every((one) => off.some((other) => follows(other, one))) : made.has(table);
  };
  return linked.filter(
    ({ trigger, unit }) =>
      trigger?.via !== 'policy' || unit.language !== 'sql' || !isOff(canonical(trigger.relation)),
  );
}

const isPolicy = ({ trigger }: Linked): boolean => trigger?.via === 'policy';

/** Whose name is computed. */
const EVERY_TABLE = '*';

// Which policies run at all: those of tables for which somebody enables row-level security. Not what they ask.
import type { Name, Unit } from '../../ir.ts';
import type { Linked } from './definitions.ts';
import { canonical, lastPart } from './sqlname.ts';

/** Without those of tables that the program makes itself and enables nothing for. */
export function withoutIdle(linked: Linked[], units: Unit[]): Linked[] {
  if (!linked.some(isPolicy)) return linked;
  const enabled = new Set<string>();
  const made = new Set<string>();
  for (const { changes, relations, language } of units) {
    for (const { does, name } of changes)
      if (does === 'enable policies') enabled.add(lastPart(canonical(name as Name)));
    if (language === 'sql')
      for (const { name, kind, columns } of relations)
        if (kind === 'table' && columns) made.add(canonical(name));
  }
  if (enabled.has(EVERY_TABLE)) return linked;
  return linked.filter(({ trigger, unit }) => {
    if (trigger?.via !== 'policy' || unit.language !== 'sql') return true;
    const table = canonical(trigger.relation);
    return enabled.has(lastPart(table)) || !made.has(table);
  });
}

const isPolicy = ({ trigger }: Linked): boolean => trigger?.via === 'policy';

/** Whose name is computed. */
const EVERY_TABLE = '*';

// Lowers SQL that stands in a host language's string.
import type { Step } from '../../ir.ts';
import type { Source } from '../source.ts';
import { type Held, tellHeld } from './held.ts';
import { holes, looksLikeSql } from './holes.ts';
import type { Declarations, SqlScope } from './reader.ts';
import { lowerScript } from './script.ts';

/**
 * The steps of one or more statements, nothing for text that is not SQL, with what they declare: a program in a host
 * language creates functions and triggers. `file` is the unit's.
 */
export function lowerEmbeddedUnit(source: Source, file: string): { steps: Step[] } & Declarations {
  const declare: Declarations = {
    file, routines: [], triggers: [], relations: [], foreignKeys: [], aliases: [], changes: [], settings: [], problems: [],
  }; // biome-ignore format: empty lists
  if (!looksLikeSql(source.text)) return { steps: [], ...declare };
  const held: Held = new Map();
  const scope: SqlScope = { declare, held, searchPath: null };
  const steps = lowerScript({ text: holes(source.text), at: source.at }, scope, { psql: false });
  tellHeld(held, declare, [steps]);
  return { steps, ...declare };
}

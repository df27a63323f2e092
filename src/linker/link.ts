// Makes one program of many units.
import type { Unit } from '../ir.ts';
import type { Model } from './model.ts';

export interface LinkOptions {
  /** The server's major version, when the user says it. */
  postgres?: number;
}

export function link(units: Unit[], options: LinkOptions = {}): Model {
  return {
    units,
    subtransactions: [],
    transactions: [],
    lockConflicts: [],
    terminations: [],
    settings: [],
    postgres: { version: options.postgres ?? null, from: 'the default' },
    resolution: { calls: {}, unresolved: [] },
    routine: () => undefined,
  };
}

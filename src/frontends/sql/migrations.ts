// Migration tools as data: which files are theirs, in what order they run, and whether they are wrapped in a transaction.
import type { Routine, Unit } from '../../ir.ts';

export interface Migration {
  series?: Unit['series'];
  startsIn: Routine['startsIn'];
  sections?: { from: number; to: number }[];
  psql?: boolean;
}

export function migrationOf(_file: string, _text: string): Migration | null {
  return null;
}

// What a statement fired, for which relation, and for how many rows. Not what it fires.
import type { Certainty, Read, Write } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';

/** `to` is a trigger. */
export interface Fired {
  to: Linked;
  certainty: Certainty;
  /** It is not the relation of the statement for which it runs. */
  on?: string;
  /** It runs for other objects than those of the statement, which go along with them: one with each, or any number. */
  along?: 'one' | 'many';
}

/** How many rows a row trigger runs for, where that is known. */
export const rowsOf = ({ along }: Fired, step: Read | Write): number | null =>
  along === 'many' ? null : step.rows === 'one' ? 1 : step.kind === 'write' ? (step.times ?? null) : null;

/** It may run for more rows than one. */
export const isPerRow = ({ to, along }: Fired, step: Read | Write): boolean =>
  to.trigger!.each === 'row' && (along === 'many' || step.rows !== 'one');

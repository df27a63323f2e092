// Calls that a WHERE clause compares a key with: who is not declared to be stable is asked again for each row.
import type { Call, Rows, Step } from '../../../ir.ts';
import { at, type Reader } from '../text/reader.ts';
import type { Tables } from './from.ts';
import type { Predicate } from './predicate.ts';

/** No index is asked for what may be another value for the next row. */
export const EACH_ROW: { rows: Rows; times: null } = { rows: 'many', times: null };

/** Takes them out of the steps that run for each row, where nothing else picks the rows of the one table. */
export function takeCompared(r: Reader, picks: Predicate | null, { items }: Tables, row: Step[]): Call[] {
  const equals = picks?.equals ?? [];
  if (items.length !== 1 || !items[0]!.lock || !items[0]!.sure || row.length === 0) return [];
  if (equals.length === 0 || equals.some(({ called }) => !called)) return [];
  const values = equals.map(({ called }) => at(r, called!.from, called!.to));
  const isCompared = (step: Step): step is Call =>
    step.kind === 'call' && values.some(({ start, end }) => step.at.start >= start && step.at.end <= end);
  const calls = row.filter(isCompared);
  if (calls.length > 0) row.splice(0, row.length, ...row.filter((step) => !isCompared(step)));
  for (const call of calls) call.compared = true;
  return calls;
}

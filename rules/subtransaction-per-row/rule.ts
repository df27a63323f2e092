// A subtransaction for each row of a statement: the loop that nobody wrote.
import { ofEach, rule, type Visit } from '../../src/rule.ts';
import { repeatedFinding } from '../repeated.ts';

const ID = 'subtransaction-per-row';

export default rule({
  id: ID,
  severity: 'error',
  summary: 'A row trigger, or a function that a query calls, that opens a subtransaction for every row',
  check: ofEach((model, one) =>
    repeatedFinding(
      model,
      one,
      { id: ID, when: 'for every row of a statement', remedy },
      ({ context }) => context.repeatedBy === 'row trigger' || context.repeatedBy === 'query rows',
    ),
  ),
});

const CHECK = 'check before writing instead of catching after';

/** What to write instead, by what runs it for every row: only an AFTER trigger's work can wait for the whole statement. */
function remedy({ witness, context }: Visit): string {
  const fires = witness.findLast(
    (frame) => frame.fires && (frame.repeats || context.repeatedBy !== 'query rows'),
  )?.fires;
  if (!fires) return `Write one statement over all rows in place of a call for each, or ${CHECK}.`;
  if (fires.via === 'model callback')
    return `Do it for all rows at once, after the statement, in place of a callback for each; or ${CHECK}.`;
  if (fires.via !== 'trigger')
    return `The ${fires.via} does this for every row: let it ${CHECK}, so that it needs no block.`;
  return fires.timing === 'after' && !fires.deferred
    ? `Do it for all rows at once in a statement trigger with a transition table, or ${CHECK}.`
    : `Let the trigger ${CHECK}; what need not change the row can be done for all at once in a statement trigger with a transition table.`;
}

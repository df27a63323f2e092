// A subtransaction for each row of a statement: the loop that nobody wrote.
import { ofEach, rule } from '../../src/rule.ts';
import { repeatedFinding } from '../repeated.ts';

const ID = 'subtransaction-per-row';
const REMEDY =
  'Check before writing instead of catching after; for a trigger, use a statement trigger with a transition table; for a function, one statement over all rows.';

export default rule({
  id: ID,
  severity: 'error',
  summary: 'A row trigger, or a function that a query calls, that opens a subtransaction for every row',
  check: ofEach((model, one) =>
    repeatedFinding(
      model,
      one,
      { id: ID, when: 'for every row of a statement', remedy: REMEDY },
      ({ context }) => context.repeatedBy === 'row trigger' || context.repeatedBy === 'query rows',
    ),
  ),
});

// A subtransaction for each turn of a loop, in one transaction.
import { ofEach, rule } from '../../src/rule.ts';
import { repeatedFinding } from '../repeated.ts';

const ID = 'subtransaction-in-loop';
const REMEDY =
  'Do the work in one statement, decide before writing instead of catching after, put one subtransaction around the whole loop, or end the transaction every few turns.';

export default rule({
  id: ID,
  severity: 'error',
  summary: 'A loop that opens a subtransaction on every turn of one transaction',
  check: ofEach((model, one) =>
    repeatedFinding(
      model,
      one,
      { id: ID, when: 'on every turn of a loop', remedy: () => REMEDY },
      ({ context }) => context.repeatedBy === 'loop' || context.repeatedBy === 'chunks',
    ),
  ),
});

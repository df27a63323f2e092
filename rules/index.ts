// One line for each rule, sorted.
import type { Rule } from '../src/rule.ts';
import subtransaction from './subtransaction/rule.ts';
import subtransactionInLoop from './subtransaction-in-loop/rule.ts';
import subtransactionPerRow from './subtransaction-per-row/rule.ts';

export const rules: Rule[] = [subtransaction, subtransactionInLoop, subtransactionPerRow];

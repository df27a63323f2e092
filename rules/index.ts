// One line for each rule, sorted.
import type { Rule } from '../src/rule.ts';

export const rules: Rule[] = [];

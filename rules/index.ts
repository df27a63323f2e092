// One line for each rule, sorted.
import type { Rule } from '../src/rule.ts';
import commitInsideSubtransaction from './commit-inside-subtransaction/rule.ts';
import exceptionBlockForCast from './exception-block-for-cast/rule.ts';
import exceptionBlockForUpsert from './exception-block-for-upsert/rule.ts';
import exceptionBlockInParallelSafeFunction from './exception-block-in-parallel-safe-function/rule.ts';
import exceptionBlockThatRethrows from './exception-block-that-rethrows/rule.ts';
import rowLockAcrossSubtransaction from './row-lock-across-subtransaction/rule.ts';
import savepointNotReleased from './savepoint-not-released/rule.ts';
import savepointWithoutRollback from './savepoint-without-rollback/rule.ts';
import statementSavepoints from './statement-savepoints/rule.ts';
import subtransaction from './subtransaction/rule.ts';
import subtransactionInLongTransaction from './subtransaction-in-long-transaction/rule.ts';
import subtransactionInLoop from './subtransaction-in-loop/rule.ts';
import subtransactionOverflow from './subtransaction-overflow/rule.ts';
import subtransactionPerRow from './subtransaction-per-row/rule.ts';

export const rules: Rule[] = [
  commitInsideSubtransaction,
  exceptionBlockForCast,
  exceptionBlockForUpsert,
  exceptionBlockInParallelSafeFunction,
  exceptionBlockThatRethrows,
  rowLockAcrossSubtransaction,
  savepointNotReleased,
  savepointWithoutRollback,
  statementSavepoints,
  subtransaction,
  subtransactionInLongTransaction,
  subtransactionInLoop,
  subtransactionOverflow,
  subtransactionPerRow,
];

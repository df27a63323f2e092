// How the tests run; not what they test. A time that a test may take only ends one that hangs: machines are busy.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { lateFlags } from './src/commands/late.ts';

/** The files whose tests play programs or read all of H2 take longest, and would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      Number(/\/(?:programs|hooks|slow\/java-syntax)[/.]/.test(moduleId));
    return (await super.sort(files)).sort((a, b) => isLong(b) - isLong(a));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Left to itself it keeps one core free, which of two is half.
    maxWorkers: availableParallelism(),
    // A file of tests is over as soon as a run of ours is: optimised late, all fixtures take two thirds of the processor's time.
    execArgv: lateFlags(),
    sequence: { sequencer: LongestFirst },
  },
});

// How the tests run; not what they test. A time that a test may take only ends one that hangs: machines are busy.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Left to itself it keeps one core free, which of two is half.
    maxWorkers: availableParallelism(),
  },
});

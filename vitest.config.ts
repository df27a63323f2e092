// How the tests run; not what they test. A time that a test may take only ends one that hangs: machines are busy.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 60_000,
    // Two cores is the machine this is tuned on; LanceDB and the workers bring threads of their own.
    maxWorkers: 2,
    pool: 'forks',
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/ibid-tests.json' },
  },
});

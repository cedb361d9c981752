import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts', 'test/support/quiet.ts'],
    testTimeout: 60_000,
    // Tests start the command line some 500 times: half of what that takes would be stripping types and compiling, each time anew.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/ibid-compiled') },
    // Two cores is the machine this is tuned on; LanceDB and the workers bring threads of their own.
    maxWorkers: 2,
    pool: 'forks',
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/ibid-tests.json' },
  },
});

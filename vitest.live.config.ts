import { defineConfig } from 'vitest/config';

/** `npm run test:live`: the services the environment names, one call after the other, within one budget. */
export default defineConfig({
  test: {
    include: ['test/live/**/*.live.ts'],
    globalSetup: ['test/live/announce.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    retry: 0,
    reporters: ['verbose'],
  },
});

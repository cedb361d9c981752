import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests without processes, workers or measured memory: their files share a process, which saves its start and the loading of modules. */
const shared = ['test/wire/**/*.test.ts', 'test/unit/{answer,eval,lexical,modes,quality,retrieve,services,text,vector,web}/**/*.test.ts'];

/** Begins with the tests that start processes, so that short ones fill the end of the run. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const long = (file: TestSpecification): number => Number(/\/test\/(?:cli|keyed|crash|bench|package)\//.test(file.moduleId));
    return (await super.sort(files)).sort((a, b) => long(b) - long(a));
  }
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: shared } },
    ],
    sequence: { sequencer: LongFirst },
    setupFiles: ['test/support/seed.ts', 'test/support/quiet.ts'],
    testTimeout: 60_000,
    // Tests start processes: half of what that takes would be stripping types and compiling, each time anew.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/ibid-compiled') },
    // Two cores is the machine this is tuned on; LanceDB and the workers bring threads of their own.
    maxWorkers: 2,
    pool: 'forks',
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/ibid-tests.json' },
  },
});

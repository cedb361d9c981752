import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that measure, kill or watch processes, or their own one: each file has a process of its own. The others share one. */
const alone = [
  'test/{crash,package}/**/*.test.ts',
  'test/cli/memory.test.ts',
  'test/keyed/{crash,live}.test.ts',
  'test/unit/{guest,quiet}.test.ts',
  'test/unit/{core,search-index}/event-loop.test.ts',
  'test/unit/{ingest,text/tokens}/memory.test.ts',
  'test/unit/store/crash.test.ts',
];

/** Tests of the programs that measure and attack ibid, and those with other programs (test/peers): minutes, in a run of their own (`npm run test:bench`). */
const bench = ['test/{bench,peers}/**/*.test.ts'];

/**
 * Files with a process of their own come first, so that the others really share theirs; then those that take long, so
 * that short ones fill the end of the run.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number =>
      project.config.isolate ? 2 : Number(/\/test\/(?:cli|keyed)\//.test(moduleId));
    return (await super.sort(files)).sort((a, b) => rank(b) - rank(a));
  }
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: [...alone, ...bench], isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'bench', include: bench } },
    ],
    sequence: { sequencer: LongFirst },
    globalSetup: 'test/support/run-folder.ts',
    setupFiles: ['test/support/seed.ts', 'test/support/quiet.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } }, // a second is too short beside three other processes
    // Tests start processes: half of what that takes would be stripping types and compiling, each time anew.
    // Keys of whoever runs the tests stay out of them.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/ibid-compiled'),
      XDG_CONFIG_HOME: join(import.meta.dirname, 'node_modules/.cache/none'),
    },
    // Two cores is the machine this is tuned on; LanceDB and the workers bring threads of their own.
    maxWorkers: 2,
    pool: 'forks',
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/ibid-tests.json' },
  },
});

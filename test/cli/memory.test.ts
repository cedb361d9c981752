import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boundReadAhead } from '../../src/cli/memory.ts';

/** Runs a script in a process of its own: flags of V8 stay for as long as a process lives. */
function run(script: string): { readonly young: number; readonly heap: number } {
  const memory = join(import.meta.dirname, '../../src/cli/memory.ts');
  const source = `import { boundHeap } from ${JSON.stringify(memory)};
    import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
    import { setTimeout as sleep } from 'node:timers/promises';
    ${script}
    let young = 0, heap = 0, kept = [];
    for (let round = 0; round < 60; round++) {
      for (let i = 0; i < 40_000; i++) kept.push({ text: 'text ' + i, list: [i] });
      if (kept.length > 400_000) kept = kept.slice(200_000);
      await sleep(25);
      young = Math.max(young, getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);
      heap = Math.max(heap, getHeapStatistics().total_heap_size);
    }
    console.log(JSON.stringify({ young: young / 2 ** 20, heap: heap / 2 ** 20 }));`;
  const args = ['--no-warnings', '--input-type=module', '-e', source];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as ReturnType<typeof run>; // our own script
}

describe('the memory of a command that writes', () => {
  it('is kept near what is alive', () => {
    const free = run('');
    const bound = run('boundHeap();');
    expect(bound.young).toBeLessThanOrEqual(20); // it may double once between two looks
    expect(free.young).toBeGreaterThan(bound.young);
    expect(bound.heap).toBeLessThan(0.75 * free.heap);
  });
});

describe('boundReadAhead', () => {
  it('sets what the user has not set, and lets fragments behind a network be read several at a time', () => {
    const local: NodeJS.ProcessEnv = { LANCE_DEFAULT_BATCH_SIZE: '64' };
    boundReadAhead('/data/.ibid', local);
    expect(local).toEqual({
      LANCE_DEFAULT_IO_BUFFER_SIZE: '8388608',
      LANCE_DEFAULT_BATCH_SIZE: '64',
      LANCE_DEFAULT_FRAGMENT_READAHEAD: '1',
    });
    const remote: NodeJS.ProcessEnv = {};
    boundReadAhead('s3://bucket/index', remote);
    expect(remote).not.toHaveProperty('LANCE_DEFAULT_FRAGMENT_READAHEAD');
  });
});

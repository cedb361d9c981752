import { describe, expect, it } from 'vitest';
import type { TrialFinding } from '../../../bench/support/run-file.ts';
import { type HostileOptions, runHostile } from '../../../bench/withstand/hostile/run.ts';

const found = async (options: Partial<HostileOptions>): Promise<readonly TrialFinding[]> => {
  const { sets } = await runHostile({ seed: 7, attempts: 60, ...options });
  return sets.flatMap(({ findings }) => findings);
};

describe('hostile services', () => {
  it('break nothing in a short run', async () => {
    const { sets, skipped } = await runHostile({ seed: 7, attempts: 60 });
    expect(skipped).toEqual([]);
    expect(sets.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(60);
    expect(sets.flatMap(({ findings }) => findings)).toEqual([]);
    const outcomes = sets.flatMap(({ figures }) => Object.keys(figures));
    // the attacks reach what they are meant to reach
    expect(outcomes).toEqual(expect.arrayContaining(['value', 'TIMEOUT', 'RESPONSE_INVALID', 'STREAM_BROKEN']));
  }, 240_000);

  // every tenth attempt of the attacked process misbehaves: the third, the thirteenth …
  it.each([
    ['crash', [3], /the process ended/],
    ['leak', [3], /the key was told in the error/],
    ['untyped', [3], /an error of no type/],
    ['memory', [3], /the process grew by \d+ MiB/],
  ] as const)(
    'are seen to cause a planted defect: %s',
    async (plant, only, what) => {
      const findings = await found({ plant, only: [...only], atOnce: 1 });
      expect(findings).not.toEqual([]);
      expect(findings[0]).toEqual({
        what: expect.stringMatching(what),
        command: expect.stringMatching(/^npm run hostile -- --seed 7 --only 3$/),
      });
    },
    120_000,
  );
});

import { describe, expect, it } from 'vitest';
import { attemptOf } from '../../../bench/withstand/hostile/plan.ts';
import { runHostile } from '../../../bench/withstand/hostile/run.ts';

const seed = 7;

describe('hostile services', () => {
  it('break nothing in a short run', async () => {
    const { sets, skipped } = await runHostile({ seed, attempts: 40 });
    expect(skipped).toEqual([]);
    expect(sets.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(40);
    expect(sets.flatMap(({ findings }) => findings)).toEqual([]);
    const outcomes = sets.flatMap(({ figures }) => Object.keys(figures));
    // the attacks reach what they are meant to reach
    expect(outcomes).toEqual(expect.arrayContaining(['value', 'TIMEOUT', 'RESPONSE_INVALID', 'STREAM_BROKEN']));
  }, 240_000);

  /** Attempts in which a planted defect shows: every tenth, from the third on. */
  const planted = (fits: (attempt: ReturnType<typeof attemptOf>) => boolean, count: number): number[] =>
    Array.from({ length: 3_000 }, (_, i) => attemptOf({ seed }, i * 10 + 3))
      .filter((attempt) => attempt.skip === 0 && fits(attempt))
      .slice(0, count)
      .map(({ n }) => n);
  const search = planted(({ door, attack }) => door.startsWith('search') && attack === 'close at once', 1);
  const elsewhere = planted(({ attack }) => attack === 'redirect to another host', 6);

  it.each([
    ['hang', search, /the call did not end/],
    ['crash', search, /the process ended/],
    ['leak', search, /the key was told in the error/],
    ['untyped', search, /an error of no type/],
    ['memory', search, /the process grew by \d+ MiB/],
    ['redirect', elsewhere, /sent to another host: GET/],
  ] as const)(
    'are seen to cause a planted defect: %s',
    async (plant, only, what) => {
      expect(only).not.toEqual([]);
      const { sets } = await runHostile({
        seed,
        attempts: 0,
        plant,
        only,
        atOnce: 1,
        hangMs: plant === 'hang' ? 500 : undefined,
      });
      const findings = sets.flatMap((set) => set.findings);
      expect(findings.map((one) => one.what)).toContainEqual(expect.stringMatching(what));
      for (const { command } of findings) expect(command).toMatch(/^npm run hostile -- --seed 7 --only \d+$/);
    },
    120_000,
  );
});

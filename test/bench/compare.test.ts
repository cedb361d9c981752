import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { compareRuns, discoveryLevel, formatComparison, main, type RunComparison } from '../../bench/compare.ts';
import { writeRunFile } from '../../bench/support/run-file.ts';
import { qualityRun, runOf, samples, scores, speedRun } from '../support/runs.ts';
import { tempFolder } from '../support/temp.ts';

const verdicts = ({ rows }: RunComparison): string[] =>
  rows.map(({ where, metric, verdict }) => `${where}: ${metric} ${verdict}`);

describe('bench:compare', () => {
  const base = scores(80, 1);

  it('calls a run against itself noise, of every kind', () => {
    const ms = scores(30, 2).map((value) => 1 + value);
    const runs = [
      qualityRun({ hybrid: base, BM25: scores(80, 2) }),
      speedRun({ p50: samples('ms', ms), once: samples('ms', [4]) }),
      runOf('answers', {
        sets: [
          {
            name: 'qa',
            modes: [
              {
                mode: 'extractive',
                figures: {
                  cited: { mean: 0.5, low: 0.4, high: 0.6, n: 2, better: 'higher', ids: ['a', 'b'], values: [0, 1] },
                  refused: { mean: 0.5, low: 0.4, high: 0.6, n: 2, better: 'lower' },
                },
              },
            ],
          },
        ],
        skipped: [],
      }),
      runOf('ann', {
        k: 10,
        cases: [
          {
            data: 'uniform',
            rows: 1000,
            dimensions: 64,
            engine: 'ibid',
            method: 'plane',
            buildMs: 5,
            diskBytes: 9,
            curve: [{ setting: '100', recall: 0.9, p50Ms: 1, p95Ms: 2, recalls: [1, 0.8], ms: [1, 2] }],
          },
        ],
        skipped: [],
      }),
      runOf('scale', {
        series: [
          {
            system: 'ibid',
            what: 'disk',
            unit: 'bytes',
            better: 'lower',
            points: [{ chunks: 10, value: 7 }],
            exponent: 1,
          },
        ],
        skipped: [],
      }),
    ];
    for (const run of runs) {
      const { rows, onlyA, onlyB } = compareRuns(run, run);
      expect(rows.length, run.kind).toBeGreaterThan(0);
      expect(
        rows.map(({ verdict }) => verdict),
        run.kind,
      ).toEqual(rows.map(() => 'noise'));
      expect([...onlyA, ...onlyB]).toEqual([]);
    }
  });

  it('says better and worse of a shift of every query, and noise of one that has no direction', () => {
    const lifted = base.map((value) => Math.min(1, value + 0.05));
    const jittered = base.map((value, i) => value + (i % 2 === 0 ? 0.05 : -0.05));
    expect(verdicts(compareRuns(qualityRun({ hybrid: base }), qualityRun({ hybrid: lifted })))).toEqual([
      'tiny, hybrid: nDCG@10 better',
    ]);
    const fallen = compareRuns(qualityRun({ hybrid: lifted }), qualityRun({ hybrid: base }));
    expect(verdicts(fallen)).toEqual(['tiny, hybrid: nDCG@10 worse']);
    const [row] = fallen.rows;
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / 80;
    expect(row!.difference).toBeCloseTo(mean(base) - mean(lifted), 12);
    expect(row!.low!).toBeLessThanOrEqual(row!.difference);
    expect(row!.high!).toBeGreaterThanOrEqual(row!.difference);
    expect(verdicts(compareRuns(qualityRun({ hybrid: base }), qualityRun({ hybrid: jittered })))).toEqual([
      'tiny, hybrid: nDCG@10 noise',
    ]);
  });

  it('pairs queries by their ids, not by their order', () => {
    const a = qualityRun({ hybrid: base });
    const [collection] = a.results.collections;
    const turned = {
      ...collection!,
      queryIds: [...collection!.queryIds].reverse(),
      variants: collection!.variants.map((one) => ({ ...one, perQuery: { 'nDCG@10': [...base].reverse() } })),
    };
    const b = { ...a, results: { ...a.results, collections: [turned] } };
    expect(compareRuns(a, b).rows[0]).toMatchObject({ difference: 0, pValue: 1, verdict: 'noise' });
  });

  it('does not call the luckiest of many random variants better', () => {
    const random = (from: number): Record<string, number[]> =>
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`v${i}`, scores(40, from + i)]));
    const { rows } = compareRuns(qualityRun(random(100)), qualityRun(random(900)));
    // uncorrected, chance would have spoken
    expect(rows.filter(({ pValue }) => pValue! < 0.05).length).toBeGreaterThan(0);
    expect(rows.filter(({ verdict }) => verdict !== 'noise')).toEqual([]);
  });

  it('finds the level of Benjamini and Hochberg in the example worked by hand', () => {
    // m = 5, rate 0.05: thresholds 0.01, 0.02, 0.03, 0.04, 0.05; the third is the last below its own
    expect(discoveryLevel([0.6, 0.001, 0.029, 0.015, 0.2])).toBe(0.029);
    expect(discoveryLevel([0.02, 0.9])).toBe(0.02); // 0.02 ≤ 1/2 × 0.05
    expect(discoveryLevel([0.03, 0.9])).toBe(0);
    expect(discoveryLevel([])).toBe(0);
  });

  it('calls a deliberately slowed path worse, and the same path mended better', () => {
    const bytes = Buffer.alloc(400_000, 7);
    const timed = (work: () => void): number => {
      const startedAt = performance.now();
      work();
      return performance.now() - startedAt;
    };
    const hash = (): void => void createHash('sha256').update(bytes).digest();
    const slowed = (): void => {
      for (let i = 0; i < 4; i++) hash();
    };
    const [plain, slow]: [number[], number[]] = [[], []];
    for (let round = 0; round < 25; round++) {
      plain.push(timed(hash)); // interleaved: what else the machine does falls on both
      slow.push(timed(slowed));
    }
    const [a, b] = [speedRun({ p50: samples('ms', plain) }), speedRun({ p50: samples('ms', slow) })];
    expect(compareRuns(a, b).rows[0]).toMatchObject({ metric: 'p50', verdict: 'worse' });
    expect(compareRuns(b, a).rows[0]).toMatchObject({ verdict: 'better' });
  });

  it('knows which way is better, leaves small changes of times alone, and does not believe one value', () => {
    const rounds = [10, 10.1, 9.9, 10.05, 9.95];
    const times = (factor: number): number[] => rounds.map((value) => value * factor);
    const verdict = (before: number[], after: number[], better: 'higher' | 'lower' = 'lower'): string | undefined =>
      compareRuns(speedRun({ x: samples('ms', before, better) }), speedRun({ x: samples('ms', after, better) })).rows[0]
        ?.verdict;
    expect(verdict(times(1), times(1.3))).toBe('worse');
    expect(verdict(times(1), times(1.3), 'higher')).toBe('better');
    expect(verdict(times(1), times(1.05))).toBe('noise'); // apart, but by less than a machine repeats itself
    expect(verdict([10, 20, 30, 40], [15, 26, 34, 44])).toBe('noise'); // quartiles overlap
    expect(verdict([10], [13])).toBe('noise');
    expect(verdict([10], [40])).toBe('worse');
  });

  it('refuses other data and other machines unless told, and then says so', () => {
    const a = qualityRun({ hybrid: base });
    const data = [{ name: 'tiny', sha256: { 'corpus.jsonl': 'cd' }, documents: 3, queries: 2 }];
    const b = qualityRun({ hybrid: base }, { data });
    expect(() => compareRuns(a, b)).toThrow('tiny has another corpus.jsonl');
    expect(compareRuns(a, b, { acrossData: true }).notices).toEqual(['the data differ: tiny has another corpus.jsonl']);
    const machine = { ...a.machine, cpus: 64, model: 'Other' };
    const [x, y] = [speedRun({ p50: samples('ms', [1, 2]) }), speedRun({ p50: samples('ms', [1, 2]) }, { machine })];
    expect(() => compareRuns(x, y)).toThrow('cpus 2 and 64, model Test and Other');
    expect(compareRuns(x, y, { acrossMachines: true }).notices[0]).toContain('the machines differ');
    // what is found does not depend on the machine: compared, and said
    expect(compareRuns(a, qualityRun({ hybrid: base }, { machine })).notices[0]).toContain('the machines differ');
    expect(() => compareRuns(a, x)).toThrow('one run is of kind "quality", the other of kind "speed"');
    const busy = { ...a.machine, load: [9, 1] as const };
    expect(compareRuns(x, speedRun({ p50: samples('ms', [1, 2]) }, { machine: busy })).notices[0]).toContain('busy');
  });

  it('names what only one of the runs has', () => {
    const { onlyA, onlyB } = compareRuns(
      qualityRun({ hybrid: base, BM25: base }),
      qualityRun({ hybrid: base, new: base }),
    );
    expect(onlyA).toEqual(['tiny, BM25: nDCG@10']);
    expect(onlyB).toEqual(['tiny, new: nDCG@10']);
  });

  it('exits 0, 1 or 2, and prints a line per figure', () => {
    const folder = tempFolder();
    const a = writeRunFile(qualityRun({ hybrid: base }), join(folder, 'a.json'));
    const worse = qualityRun({ hybrid: base.map((value) => value / 2) });
    const b = writeRunFile(worse, join(folder, 'b.json'));
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      expect(main([a, a])).toBe(0);
      expect(main([b, a])).toBe(0); // only better
      expect(main([a, b])).toBe(1);
      expect(log.mock.calls.at(-1)![0]).toBe(formatComparison(compareRuns(qualityRun({ hybrid: base }), worse)));
      expect(main([a])).toBe(2);
      expect(main([a, b, '--fast'])).toBe(2);
      expect(main([a, join(folder, 'none.json')])).toBe(2);
      writeFileSync(join(folder, 'other.json'), '{"format":1,"kind":"fish"}');
      expect(main([a, join(folder, 'other.json')])).toBe(2);
      expect(error.mock.calls.at(-1)![0]).toContain('there is no kind "fish"');
    } finally {
      log.mockRestore();
      error.mockRestore();
    }
  });
});

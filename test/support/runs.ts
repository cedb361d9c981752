import type { RunHead, RunKind, RunOf, Samples } from '../../bench/support/run-file.ts';
import { seededRandom } from '../../src/eval/statistics.ts';

/** A run of the bench as a test needs it: an idle machine, a clean commit. */
export function runOf<K extends RunKind>(kind: K, results: RunOf<K>['results'], head: Partial<RunHead> = {}): RunOf<K> {
  return {
    format: 1,
    kind,
    commit: 'a'.repeat(40),
    dirty: false,
    versions: { ibid: '0.1.0', node: '24.21.0', lancedb: '0.39.0' },
    seed: 1,
    machine: {
      cpus: 2,
      model: 'Test',
      memoryBytes: 8 * 2 ** 30,
      platform: 'linux',
      arch: 'x64',
      load: [0.2, 0.4],
    },
    startedAt: '2026-01-02T03:04:05.000Z',
    elapsedMs: 1000,
    command: `npm run bench:${kind}`,
    data: [{ name: 'tiny', sha256: { 'corpus.jsonl': 'ab' }, documents: 3, queries: 2 }],
    results,
    ...head,
  } as unknown as RunOf<K>; // `kind` and `results` belong together by K
}

/** Per-query values in [0, 1]; the same for the same seed. */
export function scores(count: number, seed: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Math.round(random() * 100) / 100);
}

/** A quality run of one collection with these variants' nDCG. */
export function qualityRun(
  variants: Readonly<Record<string, readonly number[]>>,
  head: Partial<RunHead> = {},
): RunOf<'quality'> {
  const [first = []] = Object.values(variants);
  const collection = {
    name: 'tiny',
    documents: 3,
    chunks: 3,
    queryIds: first.map((_, i) => `q${i}`),
    variants: Object.entries(variants).map(([name, values]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return {
        name,
        family: name === 'BM25' ? ('baseline' as const) : ('main' as const),
        metrics: { 'nDCG@10': { mean, low: Math.max(0, mean - 0.05), high: Math.min(1, mean + 0.05) } },
        perQuery: { 'nDCG@10': values },
      };
    }),
    comparisons: [],
    skipped: [],
  };
  return runOf('quality', { metrics: ['nDCG@10'], collections: [collection], skipped: [] }, head);
}

export const samples = (unit: string, values: readonly number[], better: 'higher' | 'lower' = 'lower'): Samples => ({
  unit,
  better,
  values,
  value: [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!,
});

export const speedRun = (measures: Readonly<Record<string, Samples>>, head: Partial<RunHead> = {}): RunOf<'speed'> =>
  runOf('speed', { cases: [{ task: 'query', system: 'ibid', measures }], skipped: [] }, head);

import type { QualityVariant, RunFile, VariantFamily } from '../../bench/support/run-file.ts';
import { runOf, samples, scores } from './runs.ts';

const interval = (mean: number): { mean: number; low: number; high: number } => ({
  mean,
  low: mean - 0.02,
  high: mean + 0.02,
});

function variant(name: string, family: VariantFamily, seed: number): QualityVariant {
  const values = scores(120, seed);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const metrics = { 'nDCG@10': interval(mean), 'recall@10': interval(mean / 2 + 0.4) };
  return { name, family, metrics, perQuery: { 'nDCG@10': values, 'recall@10': values }, msPerQuery: seed / 3 };
}

/** A run of every kind, with names as long as they come and characters that must be escaped. */
export function reportRuns(): RunFile[] {
  const collection = (name: string, seed: number) => ({
    name,
    documents: 5183,
    chunks: 5183,
    queryIds: Array.from({ length: 120 }, (_, i) => `q${i}`),
    variants: [
      variant('hybrid', 'main', seed + 1),
      variant('lexical', 'main', seed + 2),
      variant('plain BM25', 'baseline', seed + 3),
      variant('a package with <a long> name & its documented defaults', 'alternative', seed + 4),
      variant('hybrid, chunks of 480 tokens, sign plane of 100 candidates', 'chunks', seed + 5),
      variant('shuffled', 'control', seed + 6),
    ],
    comparisons: [
      {
        metric: 'nDCG@10',
        base: 'hybrid', // as the bench tests them: everything against the hybrid
        other: 'plain BM25',
        difference: -0.031,
        low: -0.05,
        high: -0.01,
        pValue: 0.0012,
      },
    ],
    skipped: [{ what: 'remote embedder', reason: 'no key' }],
  });
  const curve = (speed: number, best: number) =>
    [0.2, 0.5, 0.8, 1].map((share, i) => ({
      setting: `${100 * 2 ** i} candidates`,
      recall: best * (1 - (1 - share) ** 2 * 0.4),
      p50Ms: speed * 2 ** i,
      p95Ms: speed * 2 ** i * 1.5,
    }));
  const ann = (engine: string, method: string, speed: number, best: number, rows: number) => ({
    data: 'synthetic, low rank',
    rows,
    dimensions: 1024,
    engine,
    method,
    buildMs: 12_000 * speed,
    diskBytes: 120e6,
    curve: curve(speed, best),
  });
  const phases = [
    { name: 'read', ms: 410 },
    { name: 'decode', ms: 120, parent: 'read' },
    { name: 'parse', ms: 270, parent: 'read' },
    { name: 'chunk', ms: 220 },
    { name: 'train the embedder', ms: 900 },
    { name: 'embed', ms: 340 },
    { name: 'store', ms: 610 },
    { name: 'postings', ms: 260, parent: 'store' },
    { name: 'tables', ms: 330, parent: 'store' },
    { name: 'compact', ms: 30 },
  ];
  return [
    runOf('quality', {
      metrics: ['nDCG@10', 'recall@10'],
      collections: [
        collection('scifact', 10),
        collection('a-collection-with-a-name-that-never-ends-and-has-no-blanks-at-all', 40),
      ],
      skipped: [{ what: 'cranfield', reason: 'not on this machine' }],
    }),
    runOf('answers', {
      sets: [
        {
          name: 'clapnq-dev',
          modes: [
            {
              mode: 'extractive',
              figures: {
                'gold sentence cited': { ...interval(0.67), n: 300, better: 'higher' },
                'refused although it is there': { ...interval(0.12), n: 300, better: 'lower' },
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
        ann('ibid', 'sign plane and int8', 0.4, 0.999, 1_000_000),
        ann('lancedb', 'IVF_PQ over float32, refined', 1.2, 0.97, 1_000_000),
        ann('hnswlib-node', 'HNSW, M 16', 0.1, 0.995, 1_000_000),
        ann('ibid', 'all int8', 0.2, 1, 10_000),
      ],
      skipped: [{ what: '1 M × 2,560 with hnswlib-node', reason: 'needs more memory than the machine has' }],
    }),
    runOf('speed', {
      cases: [
        {
          task: 'ingest 2,000 documents',
          system: 'ibid',
          measures: {
            throughput: samples('documents/s', [410, 400, 420], 'higher'),
            'peak memory': samples('MiB', [310]),
          },
          phases,
        },
        {
          task: 'ingest 2,000 documents',
          system: 'another framework with a long name, defaults',
          measures: {
            throughput: samples('documents/s', [51, 55, 49], 'higher'),
            'peak memory': samples('MiB', [820]),
          },
          phases: [
            { name: 'read', ms: 900 },
            { name: 'embed', ms: 5200 },
          ],
        },
        { task: 'query, 8 callers', system: 'ibid', measures: { p50: samples('ms', scores(40, 3)) } },
      ],
      skipped: [],
    }),
    runOf('scale', {
      series: ['ibid', 'a text search package'].map((system, s) => ({
        system,
        what: 'query p50',
        unit: 'ms',
        better: 'lower' as const,
        points: [1e3, 1e4, 1e5, 1e6].map((chunks) => ({
          chunks,
          value: 0.4 * chunks ** (s === 0 ? 0.35 : 0.9) * 0.05,
        })),
        exponent: s === 0 ? 0.35 : 0.9,
      })),
      skipped: [],
    }),
  ];
}

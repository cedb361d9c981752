/** Nearest neighbours in a full run: first the sets that are built already, then new ones while time is left. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { KeptSet } from '../ann/kept.ts';
import type { RunOf } from '../support/run-file.ts';
import { bench, graceOf, keep, LEAST_MS, MINUTE, type Part, type PartContext, runAt, seconds } from './part.ts';

interface Shape {
  readonly rows: number;
  readonly dims: number;
  readonly weight: number;
}

/** The kind that is like embeddings: their axes are no principal ones. */
const VECTORS = 'turned';
/** In the order they are wanted; the weights say how the time is shared out, not how long each takes. */
const shapes: readonly Shape[] = [
  { rows: 10_000, dims: 256, weight: 0.5 },
  { rows: 10_000, dims: 1024, weight: 1 },
  { rows: 100_000, dims: 1024, weight: 4 },
  { rows: 1_000_000, dims: 1024, weight: 20 },
  { rows: 100_000, dims: 256, weight: 2 },
  { rows: 10_000, dims: 2560, weight: 1.5 },
  { rows: 100_000, dims: 2560, weight: 6 },
  { rows: 1_000_000, dims: 256, weight: 10 },
  { rows: 1_000_000, dims: 2560, weight: 30 },
];
/** Less would measure none of the engines. */
const LEAST_SHAPE_MS = 40_000;
/**
 * Of the time of nearest neighbours, for what is built already; a longer search of one set must not cost the others
 * theirs.
 */
const FOR_KEPT = 0.85;
const FOR_ONE = 0.4;
/** Reasons of a search of kept indexes that the building after it answers. */
const unbuilt = 'it has not been built';
const engines: readonly { readonly name: string; readonly weight: number }[] = [
  { name: 'ibid', weight: 2 },
  { name: 'lancedb', weight: 3 },
  { name: 'hnswlib', weight: 1 },
  { name: 'usearch', weight: 1.5 },
  { name: 'sqlite-vec', weight: 1 },
  { name: 'vectra', weight: 0.3 },
];

const nameOf = ({ rows, dims }: Shape): string => `${rows.toLocaleString('en')} × ${dims.toLocaleString('en')}`;
const setOf = (home: string, { rows, dims }: Shape): string => new KeptSet(home, { kind: VECTORS, rows, dims }).folder;
const isMade = (home: string, { rows, dims }: Shape): boolean =>
  new KeptSet(home, { kind: VECTORS, rows, dims }).isWritten;

export const neighbours: Part = {
  name: 'ann',
  share: 14,
  async run(context) {
    const home = context.keep ?? join(context.workplace, 'vectors');
    const runs: RunOf<'ann'>[] = [];
    const take = (found: readonly RunOf<'ann'>[]): void => {
      runs.push(...found);
      keep(context, 'ann', runs, 'node bench/ann/run.ts --data=turned --rows=N --dims=D for each');
    };
    const kept = context.keep === undefined ? [] : shapes.filter((shape) => isMade(home, shape));
    await searchKept(context, home, kept, take);
    // where much is there, the small sets are soonest whole
    const order = kept.length > 0 ? [...shapes].sort((a, b) => a.rows * a.dims - b.rows * b.dims) : shapes;
    await buildMissing(context, home, order, take);
  },
};

const shapeFlags = (home: string, { rows, dims }: Shape): string[] => [
  ...[`--rows=${rows}`, `--dims=${dims}`, `--data=${VECTORS}`, `--keep=${home}`],
];

/** Measures what stands in a folder that was given; nothing is built. */
async function searchKept(
  context: PartContext,
  home: string,
  kept: readonly Shape[],
  take: (found: readonly RunOf<'ann'>[]) => void,
): Promise<void> {
  const until = performance.now() + FOR_KEPT * context.leftMs();
  for (const [s, shape] of kept.entries()) {
    if (context.signal.aborted) return;
    const { rows, dims } = shape;
    const left = until - performance.now();
    const limitMs = s === kept.length - 1 ? left : FOR_ONE * left;
    const what = `ann: ${nameOf(shape)}, kept indexes`;
    if (limitMs < LEAST_MS) {
      context.skip(what, 'no time was left');
      continue;
    }
    const out = join(context.workplace, `ann-${rows}-${dims}.json`);
    const args = [
      ...['bench/ann/run.ts', ...shapeFlags(home, shape), '--only=search'],
      `--minutes=${(limitMs / MINUTE).toFixed(3)}`,
      `--rounds=${rows > 300_000 || context.scale < 0.5 ? 1 : 2}`,
      `--out=${out}`,
    ];
    // it looks at its time before each engine, and writes after each
    await bench(context, what, args, { limitMs: limitMs + graceOf(limitMs), prefix: `${nameOf(shape)}: ` });
    take(
      runAt(out, 'ann').map((run) => ({
        ...run,
        results: { ...run.results, skipped: run.results.skipped.filter(({ reason }) => reason !== unbuilt) },
      })),
    );
  }
}

/** Builds and measures what is not there, engine by engine, as far as the time goes. */
async function buildMissing(
  context: PartContext,
  home: string,
  order: readonly Shape[],
  take: (found: readonly RunOf<'ann'>[]) => void,
): Promise<void> {
  let msPerComponent = 0;
  for (const [s, shape] of order.entries()) {
    if (context.signal.aborted) return;
    const { rows, dims, weight } = shape;
    const name = nameOf(shape);
    const rest = order.slice(s).reduce((sum, one) => sum + one.weight, 0);
    // more than its weight's share: what stands first in the list is wanted most
    const left = context.leftMs();
    const shapeMs = Math.min(left, Math.max(LEAST_SHAPE_MS, left * Math.max(weight / rest, 0.15)));
    const made = isMade(home, shape);
    const makingMs = made ? 0 : msPerComponent * rows * dims;
    if (shapeMs < LEAST_MS) {
      context.skip(`ann: ${name}${made ? ', what is not kept' : ''}`, 'no time was left');
      continue;
    }
    if (makingMs > 0.6 * shapeMs) {
      context.skip(
        `ann: ${name}`,
        `making its vectors would take ${seconds(makingMs)} of the ${seconds(shapeMs)} it had`,
      );
      continue;
    }
    const until = performance.now() + shapeMs;
    const shared = shapeFlags(home, shape);
    const prefix = `${name}: `;
    if (!made) {
      const limitMs = Math.max(10_000, 0.6 * shapeMs);
      const args = ['bench/ann/run.ts', ...shared, '--engines=none', `--out=${join(context.workplace, 'none.json')}`];
      const { ms, status } = await bench(context, `ann: ${name}, its vectors`, args, { limitMs, prefix });
      msPerComponent = ms / (rows * dims);
      if (status !== 0) continue;
    }
    for (const [e, engine] of engines.entries()) {
      if (context.signal.aborted) return;
      const weights = engines.slice(e).reduce((sum, one) => sum + one.weight, 0);
      const limitMs = ((until - performance.now()) * engine.weight) / weights;
      const what = `ann: ${name} with ${engine.name}`;
      if (limitMs < LEAST_MS / 2) {
        context.skip(what, 'its share of the time was over');
        continue;
      }
      const buildMs = Math.min(300_000, Math.max(5000, limitMs / 3));
      const out = join(context.workplace, `ann-${rows}-${dims}-${engine.name}.json`);
      const args = [
        ...['bench/ann/run.ts', ...shared, '--only=missing', `--engines=${engine.name}`],
        // it looks at its time before each index: a build begun last must still end
        `--minutes=${(Math.max(1000, limitMs - 1.2 * buildMs) / MINUTE).toFixed(3)}`,
        `--build-limit=${(buildMs / 1000).toFixed(0)}`,
        ...(context.scale < 0.5 ? ['--rounds=1', '--queries=40'] : []),
        `--out=${out}`,
      ];
      await bench(context, what, args, { limitMs: limitMs + graceOf(limitMs), prefix });
      take(runAt(out, 'ann'));
    }
    if (context.keep === undefined) rmSync(setOf(home, shape), { recursive: true, force: true });
  }
}
